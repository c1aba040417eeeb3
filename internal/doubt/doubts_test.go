package doubt

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// Each kind of doubt, for a dense and a sparse matrix, in one set of 12 rows.
func TestDoubts(t *testing.T) {
	const m = 12
	nan := math.NaN()
	columns := map[string][]float64{
		"n":          {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
		"patient_no": {9, 4, 7, 1, 30, 2, 8, 11, 5, 6, 12, 13},
		"shuffled":   {103, 101, 102, 112, 110, 111, 104, 105, 106, 107, 108, 109},
		"days":       {9, 4, 7, 1, 30, 2, 8, 11, 5, 6, 12, 14}, // may be a count
		"leak":       {7, 5, 7, 5, 7, 5, 7, 5, 7, 5, 7, 5},
		"good":       {7, 5, 7, 5, 7, 5, 7, 5, 7, 5, 7, 7},
		"same":       {3, 3, 3, nan, 3, 3, 3, 3, 3, 3, 3, 3},
		"x":          {.5, 1.5, 2, 2.5, 1, 0, 0, 3, 4, 5, 6, 7},
	}
	names := []string{"x", "n", "patient_no", "shuffled", "days", "leak", "good", "same", "x"}
	x := data.NewDense(m, len(names), nil)
	for j, name := range names {
		for i := range m {
			x.Row(i)[j] = columns[name][i]
		}
	}
	ids := strings.Split("abcdefghijk", "")
	s := &data.Set{X: x, Y: []float64{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}, Names: names, IDs: append(ids, "Total")}
	want := map[DoubtKind][][]int{DoubtRowNumbers: {{1}, {3}}, DoubtIDs: {{2}}, DoubtLeak: {{5}},
		DoubtSameNames: {{0, 8}}, DoubtConstant: {{7}}, DoubtTotals: {nil}}
	for _, of := range []data.Matrix{x, storedOf(x)} {
		s.X = of
		got := map[DoubtKind][][]int{}
		for _, d := range Doubts(s) {
			got[d.Kind] = append(got[d.Kind], d.Features)
			if !strings.HasPrefix(d.Text, "feature") && d.Kind != DoubtTotals {
				t.Errorf("%v: %s", d.Kind, d.Text)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T: %v, want %v", of, got, want)
		}
	}
	s.X, s.Schema = x, &data.Schema{Accepted: []string{"n", "shuffled", "patient_no", "leak", "same", "x"}}
	for _, d := range Doubts(s) {
		if d.Kind != DoubtSameNames && d.Kind != DoubtTotals {
			t.Errorf("accepted: %s", d.Text)
		}
	}
}

// Doubts about leaks agree with their definition, for few labels and for labels that all differ.
func TestLeaks(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		m, labels := 10+random.IntN(8), 2+random.IntN(3)
		s := &data.Set{X: data.NewDense(m, 4, nil), Y: make([]float64, m)}
		for i := range m {
			s.Y[i] = float64(random.IntN(labels))
			if labels == 4 {
				s.Y[i] = random.NormFloat64()
			}
			row := s.X.(*data.Dense).Row(i)
			row[0], row[1] = -3*s.Y[i]+1, s.Y[i]*s.Y[i]
			row[2], row[3] = float64(random.IntN(2)), 5
		}
		var want []int
		for j := range 4 {
			if leaksByDefinition(s, j) {
				want = append(want, j)
			}
		}
		if got := leaks(s); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v of %v, labels %v", got, want, s.X, s.Y)
		}
	}
}

func leaksByDefinition(s *data.Set, j int) bool {
	x := s.X.(*data.Dense)
	different := map[float64]bool{}
	for _, y := range s.Y {
		different[y] = true
	}
	ascends, descends := true, true
	for i, a := range s.Y {
		for k, b := range s.Y {
			if (a == b) != (x.Row(i)[j] == x.Row(k)[j]) {
				return false
			}
			if a < b {
				ascends = ascends && x.Row(i)[j] < x.Row(k)[j]
				descends = descends && x.Row(i)[j] > x.Row(k)[j]
			}
		}
	}
	return len(different) > 1 && (2*len(different) <= len(s.Y) || ascends || descends)
}

func TestLikeID(t *testing.T) {
	for name, want := range map[string]bool{"id": true, "ID": true, "Patient.ID": true, "patientId": true,
		"visit_no": true, "Unnamed": false, "index": true, "age": false, "acid": false, "pH": false, "notes": false,
		"id_2": true} {
		if LikeID(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// storedOf leaves the zeros of a matrix out.
func storedOf(x data.Matrix) *data.CSR {
	rows, cols := x.Dims()
	s := &data.CSR{Rows: rows, Cols: cols, Ptr: []int{0}}
	for i := range rows {
		data.Each(x, i, func(j int, v float64) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		})
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}
