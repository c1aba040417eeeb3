package data

import (
	"fmt"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Transpose returns Xᵀ, n×m, in one pass over the stored values, in new memory. MulVecTo of the
// result computes what MulTransVecTo of x does, column by column and so without partial sums.
func (x *CSR) Transpose() *CSR {
	lo, hi := x.Ptr[0], x.Ptr[x.Rows]
	t := &CSR{Rows: x.Cols, Cols: x.Rows, Ptr: make([]int, x.Cols+1), Col: make([]int32, hi-lo),
		Val: make([]float64, hi-lo)}
	for _, j := range x.Col[lo:hi] {
		t.Ptr[j+1]++
	}
	for j := range x.Cols {
		t.Ptr[j+1] += t.Ptr[j]
	}
	next := append([]int(nil), t.Ptr...)
	for i := range x.Rows {
		cols, vals := x.Row(i)
		for k, j := range cols {
			t.Col[next[j]], t.Val[next[j]] = int32(i), vals[k]
			next[j]++
		}
	}
	return t
}

// MulTo sets dst = X W for W of n×k and dst of m×k: It reads each stored value once for sixteen
// columns of W, which takes a fraction of the time of k products with a vector. The last k mod 16
// columns are taken four at a time, then one by one. The rows are split among threads by stored
// values; A column of dst does not depend on the other columns. It panics when the shapes do not
// fit.
func (x *CSR) MulTo(dst, w *Dense) {
	if dst.Rows != x.Rows || w.Rows != x.Cols || dst.Cols != w.Cols {
		panic(fmt.Sprintf("data: CSR.MulTo with %d×%d and %d×%d for %d×%d",
			dst.Rows, dst.Cols, w.Rows, w.Cols, x.Rows, x.Cols))
	}
	if w.Cols == 0 {
		return
	}
	parts := 1 + (x.Ptr[x.Rows]-x.Ptr[0]+x.Rows)*w.Cols/pieceSize/4
	parallel.For(parts, func(_, p int) {
		for i, last := x.split(p, parts), x.split(p+1, parts); i < last; i++ {
			cols, vals := x.Row(i)
			sum := dst.Row(i)
			clear(sum)
			linalg.AddRows(vals, cols, linalg.Mat(*w), sum)
		}
	})
}
