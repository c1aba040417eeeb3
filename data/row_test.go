package data

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// kinds is one matrix in every storage.
func kinds() map[string]Matrix {
	const m, n = 7, 9
	dense := &Dense{Rows: m, Cols: n, Stride: n + 2, Data: make([]float64, m*(n+2))}
	sparse := &CSR{Rows: m, Cols: n, Ptr: []int{0}}
	for i := range m {
		for j := range n {
			if (i*j+i)%3 == 1 && i != 4 {
				v := float64(i-3) + float64(j)/8
				dense.Row(i)[j] = v
				sparse.Col, sparse.Val = append(sparse.Col, int32(j)), append(sparse.Val, v)
			}
		}
		sparse.Ptr = append(sparse.Ptr, len(sparse.Val))
	}
	return map[string]Matrix{"dense": dense, "sparse": sparse}
}

// TestRows: what every storage says of a row is what the entries say, exactly, for all
// numbers are small multiples of 1/8.
func TestRows(t *testing.T) {
	truth := kinds()["dense"].(*Dense)
	for name, x := range kinds() {
		t.Run(name, func(t *testing.T) { sameRows(t, x, truth) })
		t.Run(name+"/view", func(t *testing.T) {
			Check("x", Slice(x, 2, 6))
			sameRows(t, Slice(x, 2, 6), Slice(truth, 2, 6).(*Dense))
			sameRows(t, Slice(x, 3, 3), Slice(truth, 3, 3).(*Dense))
		})
		t.Run(name+"/wide", func(t *testing.T) {
			wide := NewDense(truth.Rows, 12, nil)
			for i := range truth.Rows {
				copy(wide.Row(i), truth.Row(i))
			}
			sameRows(t, Widen(x, 12), wide)
			if Widen(x, truth.Cols) != x {
				t.Error("a matrix that is wide enough is copied")
			}
		})
	}
}

func sameRows(t *testing.T, x Matrix, truth *Dense) {
	t.Helper()
	m, n := x.Dims()
	if m != truth.Rows || n != truth.Cols {
		t.Fatalf("%d×%d, want %d×%d", m, n, truth.Rows, truth.Cols)
	}
	w := make([]float64, n+1) // longer than the rows
	for j := range w {
		w[j] = float64(j%5) - 2
	}
	stored := 0
	for i := range m {
		row := truth.Row(i)
		dot, square := 0.0, 0.0
		added := slices.Clone(w)
		for j, v := range row {
			dot, square = dot+v*w[j], square+v*v
			added[j] += 4 * v
		}
		got, each := slices.Repeat([]float64{math.NaN()}, n+1), make([]float64, n+1)
		x.RowTo(got, i)
		last := -1
		Each(x, i, func(j int, v float64) {
			if j <= last {
				t.Errorf("row %d: column %d after %d", i, j, last)
			}
			each[j], last = v, j
			stored++
		})
		if want := append(slices.Clone(row), 0); !slices.Equal(got, want) || !slices.Equal(each, want) {
			t.Errorf("row %d: %v and %v, want %v", i, got, each, want)
		}
		sum := slices.Clone(w)
		if x.AddRowTo(sum, 4, i); !slices.Equal(sum, added) {
			t.Errorf("row %d added: %v, want %v", i, sum, added)
		}
		if got := x.DotRow(i, w); got != dot {
			t.Errorf("row %d: product %v, want %v", i, got, dot)
		}
		if got := SquaredNorm(x, i); got != square {
			t.Errorf("row %d: squared norm %v, want %v", i, got, square)
		}
	}
	if got := Stored(x); got != stored {
		t.Errorf("%d stored values, want %d", got, stored)
	}
}

func TestRowBugsPanic(t *testing.T) {
	for name, x := range kinds() {
		m, n := x.Dims()
		for what, bug := range map[string]func(){
			"RowTo short":    func() { x.RowTo(make([]float64, n-1), 0) },
			"AddRowTo short": func() { x.AddRowTo(make([]float64, n-1), 1, 4) },
			"DotRow short":   func() { x.DotRow(4, make([]float64, n-1)) },
			"row m":          func() { x.DotRow(m, make([]float64, n)) },
			"Slice":          func() { Slice(x, 2, m+1) },
			"Slice back":     func() { Slice(x, 2, 1) },
			"Widen":          func() { Widen(x, n-1) },
		} {
			t.Run(fmt.Sprintf("%s/%s", name, what), func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("does not panic")
					}
				}()
				bug()
			})
		}
	}
}

// TestRowsAllocateNothing: the loops over rows are inner loops.
func TestRowsAllocateNothing(t *testing.T) {
	for name, x := range kinds() {
		_, n := x.Dims()
		w, sum := make([]float64, n), 0.0
		if got := testing.AllocsPerRun(10, func() {
			x.RowTo(w, 1)
			x.AddRowTo(w, 2, 1)
			sum += x.DotRow(1, w)
			Each(x, 1, func(_ int, v float64) { sum += v })
		}); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}
