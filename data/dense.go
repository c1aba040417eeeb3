package data

import (
	"fmt"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Dense is a matrix with every entry stored, row by row: entry (i,j) is
// Data[i*Stride+j]. Stride is at least Cols.
type Dense struct {
	Rows, Cols, Stride int
	Data               []float64
}

// NewDense returns the matrix rows × cols whose entries are values, row by row. It keeps values and
// does not copy it, in O(1); for nil it allocates zeros. It panics on a negative size, and where
// len(values) ≠ rows·cols.
func NewDense(rows, cols int, values []float64) *Dense {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("data: dense matrix of %d × %d", rows, cols))
	}
	if values == nil {
		values = make([]float64, rows*cols)
	}
	if len(values) != rows*cols {
		panic(fmt.Sprintf("data: %d values for a dense matrix of %d × %d", len(values), rows, cols))
	}
	return &Dense{Rows: rows, Cols: cols, Stride: cols, Data: values}
}

// Dims returns the number of rows and of columns.
func (x *Dense) Dims() (rows, cols int) { return x.Rows, x.Cols }

// Row returns row i, a slice of the matrix of length Cols, in O(1). It panics when i is
// not in [0,m).
func (x *Dense) Row(i int) []float64 {
	at := i * x.Stride
	return x.Data[at : at+x.Cols : at+x.Cols]
}

// Clone returns a copy of X, m×n, without gaps between its rows, in O(mn).
func (x *Dense) Clone() *Dense { return ofMat(linalg.Mat(*x).Clone()) }

// T returns Xᵀ, n×m, a new matrix, in O(mn).
func (x *Dense) T() *Dense { return ofMat(linalg.Mat(*x).T()) }

// Mul returns XY, m×k, for Y of n×k, in mnk multiplications on all cores. It panics when
// the shapes do not fit.
func (x *Dense) Mul(y *Dense) *Dense { return ofMat(linalg.Mat(*x).Mul(linalg.Mat(*y))) }

// MulT returns XYᵀ, m×k, for Y of k×n; else as Mul.
func (x *Dense) MulT(y *Dense) *Dense { return ofMat(linalg.Mat(*x).MulT(linalg.Mat(*y))) }

func ofMat(a linalg.Mat) *Dense { return (*Dense)(&a) }

// MulVecTo sets dst = X w for X of m×n, in m·n multiplications, on all cores when the
// product is large enough. It panics when len(dst) ≠ m or len(w) ≠ n.
func (x *Dense) MulVecTo(dst, w []float64) {
	x.check("data: Dense.MulVecTo")
	checkLengths("Dense.MulVecTo", len(dst), x.Rows, len(w), x.Cols)
	if x.Rows*x.Cols <= pieceSize {
		x.mulRows(dst, w, 0, x.Rows)
		return
	}
	parallel.Chunks(x.Rows, 1+pieceSize/x.Cols, func(_, lo, hi int) { x.mulRows(dst, w, lo, hi) })
}

func (x *Dense) mulRows(dst, w []float64, lo, hi int) {
	for i := lo; i < hi; i++ {
		dst[i] = dot(x.Row(i), w)
	}
}

// dot returns Σ a_k b_k, summed in four interleaved sums; b is at least as
// long as a.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	k := 0
	for ; k+4 <= len(a); k += 4 {
		s0 += a[k] * b[k]
		s1 += a[k+1] * b[k+1]
		s2 += a[k+2] * b[k+2]
		s3 += a[k+3] * b[k+3]
	}
	for ; k < len(a); k++ {
		s0 += a[k] * b[k]
	}
	return (s0 + s1) + (s2 + s3)
}

// MulTransVecTo sets dst = Xᵀ v for X of m×n, in m·n multiplications, on all cores when
// the product is large enough. It panics when len(dst) ≠ n or len(v) ≠ m.
func (x *Dense) MulTransVecTo(dst, v []float64) {
	x.check("data: Dense.MulTransVecTo")
	checkLengths("Dense.MulTransVecTo", len(dst), x.Cols, len(v), x.Rows)
	parts := transParts(x.Rows*x.Cols, x.Cols)
	if parts == 1 {
		clear(dst)
		x.addRows(dst, v, 0, x.Rows)
		return
	}
	sumParts(dst, parts, func(sum []float64, p int) {
		x.addRows(sum, v, p*x.Rows/parts, (p+1)*x.Rows/parts)
	})
}

// addRows adds Σ v_i x_i over the rows [lo,hi) to sum, four rows at a time.
func (x *Dense) addRows(sum, v []float64, lo, hi int) {
	i := lo
	for ; i+4 <= hi; i += 4 {
		v0, v1, v2, v3 := v[i], v[i+1], v[i+2], v[i+3]
		if v0 == 0 && v1 == 0 && v2 == 0 && v3 == 0 {
			continue
		}
		r0 := x.Row(i)[:len(sum)]
		r1 := x.Row(i + 1)[:len(sum)]
		r2 := x.Row(i + 2)[:len(sum)]
		r3 := x.Row(i + 3)[:len(sum)]
		for j := range sum {
			sum[j] += (v0*r0[j] + v1*r1[j]) + (v2*r2[j] + v3*r3[j])
		}
	}
	for ; i < hi; i++ {
		vi := v[i]
		for j, a := range x.Row(i) {
			sum[j] += vi * a
		}
	}
}

// SelectRows is Select for a dense matrix.
func (x *Dense) SelectRows(rows []int) *Dense {
	x.check("data: Dense.SelectRows")
	d := NewDense(len(rows), x.Cols, nil)
	parallel.Chunks(len(rows), 1+pieceSize/(1+x.Cols), func(_, lo, hi int) {
		for k, i := range rows[lo:hi] {
			if i < 0 || i >= x.Rows {
				panic(fmt.Sprintf("data: row %d of %d selected", i, x.Rows))
			}
			copy(d.Row(lo+k), x.Row(i))
		}
	})
	return d
}

// Submatrix returns the entries of X at the given rows and columns, each in its order and
// any number of times, in O(1) an entry. It panics when a number is out of range.
func (x *Dense) Submatrix(rows, cols []int) *Dense {
	s := NewDense(len(rows), len(cols), nil)
	x.SubmatrixTo(s, rows, cols)
	return s
}

// SubmatrixTo is Submatrix in dst, len(rows)×len(cols). It panics when that is smaller.
func (x *Dense) SubmatrixTo(dst *Dense, rows, cols []int) {
	for a, i := range rows {
		from, to := x.Row(i), dst.Row(a)
		for b, j := range cols {
			to[b] = from[j]
		}
	}
}
