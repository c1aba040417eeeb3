package data

import (
	"fmt"
	"sync"

	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// Matrix is m rows x_i of n features. Nothing writes to it after construction. It is a *Dense, a
// *CSR or a Made one, and nothing else: copy a matrix of another kind into one of these, or use it as a kernel.
// Factorisation, normalisation and kernels need the entries, which an open interface of products
// does not have; At(i,j) would hide the zeros. A sparse matrix becomes dense only by ToDense, else a
// DensifyError says so.
//
// There are no matrices in single precision. Products of sparse rows, 200,000 × 47,000 with 78
// values a row, were at most 1.23 times as fast in the median, since they wait for gathered numbers;
// a training was no faster, and took more memory while the rows were rounded.
type Matrix interface {
	// Dims returns the number of rows m and of columns n.
	Dims() (rows, cols int)
	// MulVecTo sets dst = X w; dst has length m and w length n. It panics
	// when the lengths do not fit.
	MulVecTo(dst, w []float64)
	// MulTransVecTo sets dst = Xᵀ v; dst has length n and v length m. It
	// panics when the lengths do not fit.
	MulTransVecTo(dst, v []float64)

	// RowTo sets dst = x_i, zeros included; dst has length n or more, and becomes 0 beyond n.
	RowTo(dst []float64, i int)
	// AddRowTo sets dst = dst + c x_i, in one multiplication for every stored
	// value; dst has length n or more.
	AddRowTo(dst []float64, c float64, i int)
	// DotRow returns ⟨x_i, w⟩, likewise; w has length n or more.
	DotRow(i int, w []float64) float64

	sealed()
}

func (*Dense) sealed() {}
func (*CSR) sealed()   {}

// pieceSize is the number of multiplications below which a piece of work is
// not worth a goroutine.
const pieceSize = 1 << 15

// maxParts bounds the number of partial sums of Xᵀv, and with it the scratch
// memory: maxParts·n numbers.
const maxParts = 32

// transParts is the number of partial sums that Xᵀv is cut into when it costs
// work multiplications: a function of the size alone, few enough that adding
// the parts costs at most a quarter of the product.
func transParts(work, cols int) int {
	if cols == 0 {
		return 1
	}
	return max(1, min(maxParts, work/pieceSize, work/(4*cols)))
}

// scratch keeps the memory of the partial sums between calls.
var scratch = sync.Pool{New: func() any { return new([]float64) }}

// sumParts sets dst to the sum of parts vectors, each filled by fill into
// zeroed memory, added in ascending order.
func sumParts(dst []float64, parts int, fill func(sum []float64, part int)) {
	n := len(dst)
	buf := scratch.Get().(*[]float64)
	if cap(*buf) < parts*n {
		*buf = make([]float64, parts*n)
	}
	sums := (*buf)[:parts*n]
	parallel.For(parts, func(_, p int) {
		sum := sums[p*n : (p+1)*n]
		clear(sum)
		fill(sum, p)
	})
	parallel.Chunks(n, pieceSize/4, func(_, lo, hi int) {
		copy(dst[lo:hi], sums[lo:hi])
		for p := 1; p < parts; p++ {
			for j, s := range sums[p*n+lo : p*n+hi] {
				dst[lo+j] += s
			}
		}
	})
	scratch.Put(buf)
}

func checkLengths(op string, dst, wantDst, src, wantSrc int) {
	if dst != wantDst || src != wantSrc {
		panic(fmt.Sprintf("data: %s with vectors of %d and %d, want %d and %d", op, dst, src, wantDst, wantSrc))
	}
}

// Select returns a copy, len(rows)×n, of the rows of x with the given numbers, in that
// order; a row may be taken more than once. The storage stays as it is, dense or sparse.
// It costs O(n) a row, or its stored values. It panics when a number is not in [0,m), or
// x does not fit.
func Select(x Matrix, rows []int) Matrix {
	Check("data: Select: x", x)
	switch x := x.(type) {
	case *Dense:
		return x.SelectRows(rows)
	case *CSR:
		return x.selectRows(rows)
	case *made:
		return Made(Select(x.from, rows), x.cols, x.to)
	}
	panic(unknownMatrix(x))
}

// Clone returns a copy of x, m×n, dense or sparse as x is, at the cost of Select.
func Clone(x Matrix) Matrix {
	m, _ := x.Dims()
	return Select(x, pick.All[int](m))
}

// ToDense returns x itself when it is dense, else a dense copy, m×n, in O(mn). It panics
// when x does not fit.
func ToDense(x Matrix) *Dense {
	Check("data: ToDense: x", x)
	switch x := x.(type) {
	case *Dense:
		return x
	case *CSR:
		d := NewDense(x.Rows, x.Cols, nil)
		parallel.Chunks(x.Rows, 1+pieceSize/(1+x.Cols), func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				x.RowTo(d.Row(i), i)
			}
		})
		return d
	case *made:
		return x.whole()
	}
	panic(unknownMatrix(x))
}

// Density returns the share of the m×n entries that are not zero, 0 for an empty matrix.
// It costs a pass over the stored values. It panics when x does not fit.
func Density(x Matrix) float64 {
	Check("data: Density: x", x)
	rows, cols := x.Dims()
	var nonzero int
	switch x := x.(type) {
	case *Dense:
		for i := range rows {
			nonzero += countNonzero(x.Row(i))
		}
	case *CSR:
		nonzero = countNonzero(x.Val[x.Ptr[0]:x.Ptr[x.Rows]])
	case *made:
		x.each(0, rows, func(_ int, some *Dense) { nonzero += countNonzero(some.Data) })
	default:
		panic(unknownMatrix(x))
	}
	if nonzero == 0 {
		return 0
	}
	return float64(nonzero) / (float64(rows) * float64(cols))
}

func countNonzero(a []float64) int {
	var count int
	for _, x := range a {
		if x != 0 {
			count++
		}
	}
	return count
}

func unknownMatrix(x Matrix) string { return fmt.Sprintf("data: matrix type %T is not known", x) }
