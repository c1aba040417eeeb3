package data

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Levels by definition, dense and sparse: the mean of what is there for a gap, and a 1 behind the features.
func TestGiveLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 7))
	for range 300 {
		m, n := 1+r.IntN(8), 1+r.IntN(5)
		x := NewDense(m, n, nil)
		for k := range x.Data {
			if x.Data[k] = float64(r.IntN(5)); r.IntN(3) == 0 {
				x.Data[k] = math.NaN()
			}
		}
		var names []string
		for j := range n {
			names = append(names, fmt.Sprint("f", j))
		}
		var want [][]float64
		var own []int
		for i := range m {
			want = append(want, append([]float64(nil), x.Row(i)...))
		}
		for j := range n {
			sum, count := 0.0, 0
			for i := range m {
				if v := x.Row(i)[j]; v == v {
					sum, count = sum+v, count+1
				}
			}
			if count == m {
				continue
			}
			own = append(own, j)
			for i := range m {
				level := 0.0
				if v := x.Row(i)[j]; v != v {
					level, want[i][j] = 1, sum/float64(max(1, count))
				}
				want[i] = append(want[i], level)
			}
		}
		for _, given := range []Matrix{x.Clone(), sparseOf(x)} {
			set := &Set{X: given, Names: names}
			if err := set.GiveLevels(nil); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(set.Substitutes.Levels()) != fmt.Sprint(own) || len(set.Names) != n+len(own) {
				t.Fatalf("levels of %v, called %q, want %v", set.Substitutes.Levels(), set.Names, own)
			}
			if own != nil && set.Names[n] != names[own[0]]+"=missing" {
				t.Fatalf("called %q", set.Names)
			}
			compareRows(t, set.X, want)
			again := &Set{X: x.Clone()} // as the rows of a model
			if err := again.GiveLevels(set.Substitutes); own != nil && err != nil {
				t.Fatal(err)
			} else if own != nil {
				compareRows(t, again.X, want)
			}
		}
	}
}

func sparseOf(x *Dense) *CSR {
	out := &CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				out.Col, out.Val = append(out.Col, int32(j)), append(out.Val, v)
			}
		}
		out.Ptr = append(out.Ptr, len(out.Val))
	}
	return out
}

func compareRows(t *testing.T, x Matrix, want [][]float64) {
	t.Helper()
	_, n := x.Dims()
	row := make([]float64, n)
	for i, w := range want {
		x.RowTo(row, i)
		for j, v := range w {
			if n != len(w) || math.Abs(row[j]-v) > 1e-14 {
				t.Fatalf("row %d is %v, want %v", i, row, w)
			}
		}
	}
}

// A gap of a feature that had none in training is an error that leaves the set; rows of more, or of fewer, features
// than the model are cut or filled with 0; and a feature that has the name of a level is an error.
func TestGiveLevelsOfAModel(t *testing.T) {
	nan := math.NaN()
	trained := &Set{X: NewDense(2, 2, []float64{1, nan, 3, 4})}
	if err := trained.GiveLevels(nil); err != nil {
		t.Fatal(err)
	}
	set := &Set{X: NewDense(1, 2, []float64{nan, 4})}
	var unfilled *UnfilledError
	if err := set.GiveLevels(trained.Substitutes); !errors.As(err, &unfilled) || unfilled.Feature != 0 {
		t.Errorf("a gap without a level: %v", err)
	}
	wide := &Set{X: NewDense(1, 3, []float64{2, nan, 7})}
	if err := wide.GiveLevels(trained.Substitutes); err != nil {
		t.Error(err)
	}
	compareRows(t, wide.X, [][]float64{{2, 4, 1}})
	narrow := &Set{X: &CSR{Rows: 1, Cols: 1, Ptr: []int{0, 1}, Col: []int32{0}, Val: []float64{2}}}
	if err := narrow.GiveLevels(trained.Substitutes); err != nil {
		t.Error(err)
	}
	compareRows(t, narrow.X, [][]float64{{2, 0, 0}})
	same := &Set{X: NewDense(1, 2, []float64{nan, 4}), Names: []string{"a", "a=missing"}}
	if err := same.GiveLevels(nil); err == nil {
		t.Error("two features of one name are given")
	}
}
