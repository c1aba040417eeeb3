package data

import (
	"fmt"
	"math"
	"sync/atomic"

	"pairrank/internal/parallel"
)

// Dense32 is Dense with values of single precision: half the memory to read in
// a product, whose sums are of double precision. Entry (i,j) is Data[i*Cols+j].
type Dense32 struct {
	Rows, Cols int
	Data       []float32
}

// CSR32 is CSR with values of single precision, 8 bytes a stored value for 12.
type CSR32 struct {
	Rows, Cols int
	Ptr        []int
	Col        []int32
	Val        []float32
}

// Single returns x, m×n, with its values rounded to single precision, a relative change
// of at most 2^-24. ok is false where a value is beyond 3.4e38 in magnitude, which single
// precision does not hold. It costs a pass over the stored values and 4 bytes for each;
// the columns of a sparse x are shared, not copied. It panics when x does not fit, or is
// of single precision already.
func Single(x Matrix) (single Matrix, ok bool) {
	Check("data: Single: x", x)
	var overflow atomic.Bool
	round := func(dst []float32, src []float64) {
		for k, v := range src {
			dst[k] = float32(v)
			if math.IsInf(float64(dst[k]), 0) {
				overflow.Store(true)
			}
		}
	}
	switch x := x.(type) {
	case *Dense:
		s := &Dense32{Rows: x.Rows, Cols: x.Cols, Data: make([]float32, x.Rows*x.Cols)}
		parallel.Chunks(x.Rows, 1+pieceSize/(1+x.Cols), func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				round(s.Row(i), x.Row(i))
			}
		})
		return s, !overflow.Load()
	case *CSR:
		s := &CSR32{Rows: x.Rows, Cols: x.Cols, Ptr: x.Ptr, Col: x.Col, Val: make([]float32, len(x.Val))}
		parallel.Chunks(len(x.Val), pieceSize, func(_, lo, hi int) { round(s.Val[lo:hi], x.Val[lo:hi]) })
		return s, !overflow.Load()
	}
	panic(unknownMatrix(x))
}

// SingleLoss returns the largest relative loss of Single over the columns of x, m×n: the
// largest rounding error of a value of the column over its range, max_i x_ij − min_i
// x_ij, zeros that are not stored included. It is 2^-24 for columns about 0, more the
// further a column is from 0, and 1 where nothing is left of its variation. It costs a
// pass over the stored values and 32 bytes a column. It panics when x does not fit.
func SingleLoss(x Matrix) float64 {
	Check("data: SingleLoss: x", x)
	rows, n := x.Dims()
	low, high, lost := make([]float64, n), make([]float64, n), make([]float64, n)
	seen := make([]int, n)
	take := func(j int, v float64) {
		if seen[j]++; seen[j] == 1 {
			low[j], high[j] = v, v
		}
		low[j], high[j] = min(low[j], v), max(high[j], v)
		lost[j] = max(lost[j], math.Abs(v-float64(float32(v))))
	}
	for i := range rows {
		Each(x, i, take)
	}
	worst := 0.0
	for j := range n {
		if seen[j] < rows {
			low[j], high[j] = min(low[j], 0), max(high[j], 0)
		}
		if spread := high[j] - low[j]; spread > 0 {
			worst = max(worst, min(1, lost[j]/spread))
		}
	}
	return worst
}

// Row returns row i, a slice of the matrix of length Cols, in O(1). It panics when i is
// not in [0,m).
func (x *Dense32) Row(i int) []float32 { return x.Data[i*x.Cols : (i+1)*x.Cols : (i+1)*x.Cols] }

// Dims returns the number of rows and of columns.
func (x *Dense32) Dims() (rows, cols int) { return x.Rows, x.Cols }

// MulVecTo sets dst = X w for X of m×n, in m·n multiplications of double precision, on
// all cores. It panics when len(dst) ≠ m or len(w) ≠ n.
func (x *Dense32) MulVecTo(dst, w []float64) {
	checkLengths("Dense32.MulVecTo", len(dst), x.Rows, len(w), x.Cols)
	parallel.Chunks(x.Rows, 1+pieceSize/(1+x.Cols), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := 0.0
			for j, v := range x.Row(i) {
				sum += float64(v) * w[j]
			}
			dst[i] = sum
		}
	})
}

// MulTransVecTo sets dst = Xᵀ v for X of m×n, in m·n multiplications of double precision,
// on all cores. It panics when len(dst) ≠ n or len(v) ≠ m.
func (x *Dense32) MulTransVecTo(dst, v []float64) {
	checkLengths("Dense32.MulTransVecTo", len(dst), x.Cols, len(v), x.Rows)
	parts := transParts(x.Rows*x.Cols, x.Cols)
	sumParts(dst, parts, func(sum []float64, p int) {
		for i := p * x.Rows / parts; i < (p+1)*x.Rows/parts; i++ {
			for j, a := range x.Row(i) {
				sum[j] += v[i] * float64(a)
			}
		}
	})
}

func (x *Dense32) selectRows(rows []int) *Dense32 {
	s := &Dense32{Rows: len(rows), Cols: x.Cols, Data: make([]float32, len(rows)*x.Cols)}
	for k, i := range rows {
		copy(s.Row(k), x.Row(i))
	}
	return s
}

// Row returns the columns and values stored in row i, slices of the matrix of the same
// length, in O(1). It panics when i is not in [0,m).
func (x *CSR32) Row(i int) (cols []int32, vals []float32) {
	lo, hi := x.Ptr[i], x.Ptr[i+1]
	return x.Col[lo:hi:hi], x.Val[lo:hi:hi]
}

// Dims returns the number of rows and of columns.
func (x *CSR32) Dims() (rows, cols int) { return x.Rows, x.Cols }

// MulVecTo sets dst = X w for X of m×n in double precision, one multiplication for every
// stored value, on all cores. It panics when len(dst) ≠ m or len(w) ≠ n.
func (x *CSR32) MulVecTo(dst, w []float64) {
	checkLengths("CSR32.MulVecTo", len(dst), x.Rows, len(w), x.Cols)
	parts := 1 + (len(x.Val)+x.Rows)/pieceSize
	parallel.For(parts, func(_, p int) {
		mulSparse(dst, w, x.Ptr, x.Col, x.Val, splitRows(x.Ptr, p, parts), splitRows(x.Ptr, p+1, parts))
	})
}

// MulTransVecTo sets dst = Xᵀ v for X of m×n in double precision, one multiplication for
// every stored value, on all cores. It panics when len(dst) ≠ n or len(v) ≠ m.
func (x *CSR32) MulTransVecTo(dst, v []float64) {
	checkLengths("CSR32.MulTransVecTo", len(dst), x.Cols, len(v), x.Rows)
	parts := transParts(len(x.Val), x.Cols)
	sumParts(dst, parts, func(sum []float64, p int) {
		addSparse(sum, v, x.Ptr, x.Col, x.Val, splitRows(x.Ptr, p, parts), splitRows(x.Ptr, p+1, parts))
	})
}

func (x *CSR32) selectRows(rows []int) *CSR32 {
	s := &CSR32{Rows: len(rows), Cols: x.Cols, Ptr: make([]int, 1, len(rows)+1)}
	for _, i := range rows {
		if i < 0 || i >= x.Rows {
			panic(fmt.Sprintf("data: row %d of %d selected", i, x.Rows))
		}
		s.Col = append(s.Col, x.Col[x.Ptr[i]:x.Ptr[i+1]]...)
		s.Val = append(s.Val, x.Val[x.Ptr[i]:x.Ptr[i+1]]...)
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}
