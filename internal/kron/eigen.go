package kron

import (
	"context"
	"fmt"
	"math"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// eigen is K = Σ d_k u_k u_kᵀ, with orthonormal u_k in the rows of u.
type eigen struct {
	d    []float64
	u    linalg.Mat
	size float64 // of the matrix that was decomposed, which scales the rounding of the d

	squares  func() linalg.Mat // squares of the entries of u, made on first use
	diagonal func() []float64  // of K: Σ_k d_k u_ik², made on first use
	turned   func() linalg.Mat // uᵀ, made on first use
	squared  func() linalg.Mat // squares of the entries of uᵀ, made on first use
}

func newEigen(rows, cols int) *eigen {
	e := &eigen{d: make([]float64, rows), u: linalg.NewMat(rows, cols)}
	e.squares = sync.OnceValue(func() linalg.Mat { return hadamard(e.u, e.u) })
	e.turned = sync.OnceValue(func() linalg.Mat { return e.u.T() })
	e.squared = sync.OnceValue(func() linalg.Mat { return hadamard(e.turned(), e.turned()) })
	e.diagonal = sync.OnceValue(e.sumDiagonal)
	return e
}

func (e *eigen) sumDiagonal() []float64 {
	diagonal := make([]float64, e.u.Cols)
	for k, d := range e.d {
		for i, u := range e.u.Row(k) {
			diagonal[i] += d * u * u
		}
	}
	return diagonal
}

// negativeLimit bounds the negative eigenvalues, relative to the largest, that rounding alone explains.
const negativeLimit = 1e-8

// roundoff bounds, relative to the largest and for each row, an eigenvalue that is rounding alone.
const roundoff = 0x1p-50

// decompose factors a symmetric matrix, and destroys it. Eigenvalues that are rounding, relative to the largest
// or to size, the size of the entries that the matrix was made of, become zero: divided by a small λ, rounding
// would be taken for data.
func decompose(k linalg.Mat, size float64, name string) (*eigen, error) {
	n := k.Rows
	e := newEigen(n, n)
	linalg.SymEigen(k, e.d, e.u)
	largest := 0.0
	for _, d := range e.d {
		if math.IsNaN(d) {
			return nil, ErrNumerical
		}
		largest = max(largest, math.Abs(d))
	}
	largest = max(largest, size)
	e.size = largest
	least := roundoff * float64(n) * largest
	for i, d := range e.d {
		if d < -negativeLimit*largest {
			return nil, fmt.Errorf("%w: that of the %s has an eigenvalue of %.3g beside the largest, %.3g",
				ErrNotPSD, name, d, largest)
		}
		if e.d[i] = d; d <= least {
			e.d[i] = 0
		}
	}
	return e, nil
}

// decomposeCentred solves the eigenproblem of CGC over the vectors orthogonal to 1. A reflection Hx = x −
// 2v⟨v,x⟩ maps 1 to a multiple of the first unit vector, so the problem is that of HGH without its first row
// and column.
func decomposeCentred(g *data.Dense) (*eigen, error) {
	n := g.Rows
	if n == 1 {
		return newEigen(0, 1), nil
	}
	v := reflector(n)
	h := linalg.Mat(*g).Clone()
	gv := make([]float64, n)
	for i := range n {
		gv[i] = linalg.Dot(h.Row(i), v)
	}
	vgv := linalg.Dot(v, gv)
	for i := range n { // HGH = G − 2v(Gv)ᵀ − 2(Gv)vᵀ + 4(vᵀGv)vvᵀ
		linalg.Axpy(-2*v[i], gv, h.Row(i))
		linalg.Axpy(4*vgv*v[i]-2*gv[i], v, h.Row(i))
	}
	size := 0.0
	for j := range n {
		size = max(size, g.Row(j)[j])
	}
	inner, err := decompose(h.Slice(1, n, 1, n).Clone(), size, "columns, centred,")
	if err != nil {
		return nil, err
	}
	e := newEigen(n-1, n)
	e.d = inner.d
	for i := range n {
		sum := 0.0
		for _, v := range g.Row(i) {
			sum += math.Abs(v)
		}
		e.size = max(e.size, sum)
	}
	parallel.Chunks(n-1, 64, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			row := e.u.Row(l)
			copy(row[1:], inner.u.Row(l))
			linalg.Axpy(-2*linalg.Dot(row, v), v, row)
		}
	})
	return e, nil
}

// reflector is the unit vector v with (I − 2vvᵀ)1 a multiple of the first unit
// vector.
func reflector(n int) []float64 {
	v := make([]float64, n)
	root := math.Sqrt(float64(n))
	for i := range v {
		v[i] = 1
	}
	v[0] += root
	linalg.Scal(1/linalg.Nrm2(v), v)
	return v
}

// decomposeBoth decomposes two kernel matrices, with centred that of the columns centred. It decomposes a
// single one if the matrices are the same and not centred. It works on both at the same time: one eigenproblem
// alone leaves a second core idle for much of the time, since half of the reduction to tridiagonal form is
// products with vectors that wait for one another.
func decomposeBoth(ctx context.Context, rows, cols *data.Dense, centred bool) (left, right *eigen, err error) {
	work := []func() error{func() (err error) {
		left, err = decompose(linalg.Mat(*rows).Clone(), 0, "rows")
		return err
	}}
	switch {
	case centred:
		work = append(work, func() (err error) {
			right, err = decomposeCentred(cols)
			return err
		})
	case rows != cols:
		work = append(work, func() (err error) {
			right, err = decompose(linalg.Mat(*cols).Clone(), 0, "columns")
			return err
		})
	}
	errs := make([]error, len(work))
	parallel.For(len(work), func(_, side int) {
		if errs[side] = ctx.Err(); errs[side] == nil {
			errs[side] = work[side]()
		}
	})
	for _, err := range append(errs, ctx.Err()) {
		if err != nil {
			return nil, nil, err
		}
	}
	if right == nil {
		right = left
	}
	return left, right, nil
}
