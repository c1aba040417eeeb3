package kernel

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// Prepared evaluates a kernel between one row x at a time and fixed rows z_j, such as the support
// rows of a model. It is safe for concurrent use.
type Prepared struct {
	kernel Kernel
	rows   data.Matrix
	n      int

	packed   *linalg.PackedRows   // dense rows, or random features, for inner products
	waves    *FourierMap          // of random features
	gaussian *linalg.GaussianRows // dense rows, for distances
	csr      *data.CSR            // sparse rows, for distances
	clinical *clinicalRows        // numbers and levels
	sum      *preparedSum         // the terms of a sum
	scratch  sync.Pool            // *oneRow
}

// oneRow is the memory that a row needs.
type oneRow struct {
	wide []float64 // n numbers
	z    []float64 // random features, numbers, or values of a term
	cols []int32   // its entries that are not 0, or its levels
	vals []float64
}

// Prepare makes b rows of n features ready for k, in O(bn), or O(non-zeros) of sparse rows. It
// copies dense rows, b(n+1) numbers, for Clinical sparse ones too. For Fourier it computes and keeps the bD random
// features, in O(bnD). The rows must not change while it is used. It panics for Precomputed, which is no
// function of rows.
func Prepare(k Kernel, rows data.Matrix) *Prepared {
	data.Check("kernel: rows", rows)
	_, n := rows.Dims()
	p := &Prepared{kernel: k, rows: rows, n: n}
	p.scratch.New = func() any { return &oneRow{wide: make([]float64, n)} }
	if f, is := k.(Fourier); is {
		p.waves = NewFourierMap(f)
		p.packed = linalg.NewPackedRows(linalg.Mat(*Mapped(p.waves, rows)))
		p.scratch.New = func() any { return &oneRow{wide: make([]float64, n), z: make([]float64, f.Features)} }
	}
	d, dense := rows.(*data.Dense)
	switch k := k.(type) {
	case Precomputed:
		panic(noFunction)
	case Clinical:
		r := newClinicalRows(k, rows)
		p.clinical = r
		p.scratch.New = func() any {
			return &oneRow{wide: make([]float64, n), z: make([]float64, len(r.at)), cols: make([]int32, r.factors)}
		}
	case Sum:
		p.sum = prepareSum(k, rows)
		p.scratch.New = func() any { return &oneRow{wide: make([]float64, n), z: make([]float64, p.Len())} }
	case Gaussian:
		if dense {
			p.gaussian = linalg.NewGaussianRows(linalg.Mat(*d))
		} else {
			p.csr = toCSR(rows)
		}
	case Linear, Polynomial:
		if dense {
			p.packed = linalg.NewPackedRows(linalg.Mat(*d))
		}
	}
	return p
}

// Len returns the number of rows b.
func (p *Prepared) Len() int {
	b, _ := p.rows.Dims()
	return b
}

// RowTo sets dst_j = k(x, z_j), of length b, in O(bn), or O(b·(non-zeros of both)) for sparse rows.
// x may be shorter than n: missing features are zero. The values equal those of MatrixTo for a
// dense x, except for the last bits of inner products with four rows or fewer. It runs on the
// caller's goroutine, and allocates only at the first call. For kernels of other packages it calls
// MatrixTo, which may allocate. It panics when x is longer than n or len(dst) ≠ b.
func (p *Prepared) RowTo(dst, x []float64) {
	if len(x) > p.n || len(dst) != p.Len() {
		panic(fmt.Sprintf("kernel: a row of %d features to %d values, with %d rows of %d features",
			len(x), len(dst), p.Len(), p.n))
	}
	s := p.scratch.Get().(*oneRow)
	defer p.scratch.Put(s)
	if len(x) < p.n {
		clear(s.wide[copy(s.wide, x):])
		x = s.wide
	}
	switch k := p.kernel.(type) {
	case Linear:
		p.productsTo(dst, x)
	case Polynomial:
		p.productsTo(dst, x)
		k.apply(dst)
	case Sum:
		p.sum.rowTo(dst, s.z, x)
	case Fourier:
		p.waves.RowTo(s.z, x)
		p.packed.MulTo(dst, s.z)
	case Clinical:
		p.clinical.take(s.z, s.cols, x)
		p.clinical.rowTo(dst, 0, s.z, s.cols)
	case Gaussian:
		if p.gaussian != nil {
			p.gaussian.RowTo(dst, x, k.Gamma)
		} else {
			p.distancesTo(dst, x, k.Gamma, s)
		}
	default:
		k.MatrixTo(data.NewDense(1, len(dst), dst), data.NewDense(1, p.n, x), p.rows)
	}
}

// productsTo sets dst_j = ⟨x, z_j⟩.
func (p *Prepared) productsTo(dst, x []float64) {
	if p.packed != nil {
		p.packed.MulTo(dst, x)
		return
	}
	for j := range dst {
		dst[j] = p.rows.DotRow(j, x)
	}
}

// distancesTo sets dst_j = exp(−γ‖x − z_j‖²) for sparse rows.
func (p *Prepared) distancesTo(dst, x []float64, gamma float64, s *oneRow) {
	s.cols, s.vals = s.cols[:0], s.vals[:0]
	for j, v := range x {
		if v != 0 {
			s.cols, s.vals = append(s.cols, int32(j)), append(s.vals, v)
		}
	}
	for j := range dst {
		cols, vals := p.csr.Row(j)
		dst[j] = -gamma * squaredDistance(s.cols, s.vals, cols, vals)
	}
	linalg.Exp(dst, dst)
}
