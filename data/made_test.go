package data

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// doubled makes rows of twice the columns: those of x, and their squares.
func doubled(dst *Dense, x Matrix) {
	m, n := x.Dims()
	for i := range m {
		row := dst.Row(i)
		x.RowTo(row[:n], i)
		for j, v := range row[:n] {
			row[n+j] = v * v
		}
	}
}

// TestMadeRows: a matrix of rows that are made when they are read is the dense one of them, to the bit.
func TestMadeRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range shapes {
		if shape.rows == 0 || shape.cols == 0 || shape.cols > 1000 {
			continue
		}
		d, s := random(shape.rows, shape.cols, shape.share, 8)
		for name, x := range map[string]Matrix{"dense": d, "sparse": s} {
			n := 2 * shape.cols
			want := NewDense(shape.rows, n, nil)
			doubled(want, x)
			lazy := Made(x, n, doubled)
			if !slices.Equal(ToDense(lazy).Data, want.Data) {
				t.Errorf("%s, %v: other rows", name, shape)
			}
			w, v := vector(n, 9), vector(shape.rows, 10)
			for _, product := range []func(x Matrix) []float64{
				func(x Matrix) []float64 { out := make([]float64, shape.rows); x.MulVecTo(out, w); return out },
				func(x Matrix) []float64 { out := make([]float64, n); x.MulTransVecTo(out, v); return out },
				func(x Matrix) []float64 { out := make([]float64, n+2); x.RowTo(out, shape.rows/2); return out },
				func(x Matrix) []float64 { out := make([]float64, n); x.AddRowTo(out, 3, shape.rows/2); return out },
				func(x Matrix) []float64 { return []float64{x.DotRow(shape.rows/2, w)} },
				func(x Matrix) []float64 { return ToDense(Slice(x, shape.rows/3, shape.rows)).Clone().Data },
				func(x Matrix) []float64 { return ToDense(SelectColumns(x, []int{n/2 - 1, n - 1})).Clone().Data },
				func(x Matrix) []float64 { return []float64{SquaredNorm(x, shape.rows/2), Density(x)} },
			} {
				if !slices.Equal(product(lazy), product(want)) {
					t.Errorf("%s, %v: another product", name, shape)
				}
			}
			squares, wanted := make([]float64, n), make([]float64, n)
			SquaresMulTransTo(squares, lazy, v)
			SquaresMulTransTo(wanted, want, v)
			for j, q := range squares {
				if math.Abs(q-wanted[j]) > 1e-12*float64(shape.rows) {
					t.Errorf("%s, %v: squares of column %d add up to %v, not %v", name, shape, j, q, wanted[j])
				}
			}
			some := []int{r.IntN(shape.rows), 0, shape.rows - 1}
			if !slices.Equal(ToDense(Select(lazy, some)).Data, want.SelectRows(some).Data) {
				t.Errorf("%s, %v: other rows selected", name, shape)
			}
			slices.Sort(some)
			rows, ascending := NewDense(3, n, nil), make([]int32, 3)
			for a, i := range some {
				ascending[a] = int32(i)
			}
			if lazy.(*made).RowsTo(rows, ascending); !slices.Equal(rows.Data, want.SelectRows(some).Data) {
				t.Errorf("%s, %v: other rows listed", name, shape)
			}
		}
	}
}
