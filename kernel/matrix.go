package kernel

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/numeral"
	"pairrank/internal/parallel"
)

// MatrixTo fills dst, m×p, with ⟨a_i, b_j⟩, in 2mpn operations for m and p rows of n features, or
// half of that when a == b. Sparse rows take O(m · non-zeros of b). It runs on all cores. It panics
// when the shapes do not fit.
func (k Linear) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	check(dst, a, b)
	if a == b {
		k.upperTo(dst, a)
		linalg.Symmetrize(linalg.Upper, linalg.Mat(*dst))
		return
	}
	innerProducts(dst, a, b)
}

func (Linear) upperTo(dst *data.Dense, x data.Matrix) { upperProducts(dst, x) }

// MatrixTo fills dst, m×p, with (γ⟨a_i, b_j⟩ + c)^d, at the cost of Linear.MatrixTo and
// O(log d) an entry. It panics when the shapes do not fit.
func (k Polynomial) MatrixTo(dst *data.Dense, a, b data.Matrix) { appliedProducts(dst, a, b, k.apply) }

func (k Polynomial) upperTo(dst *data.Dense, x data.Matrix) { upperAppliedProducts(dst, x, k.apply) }

// appliedProducts fills dst with the inner products of the rows of a and b, and replaces them by
// apply. When a == b it computes one triangle and mirrors it.
func appliedProducts(dst *data.Dense, a, b data.Matrix, apply func(row []float64)) {
	check(dst, a, b)
	if a == b {
		upperAppliedProducts(dst, a, apply)
		linalg.Symmetrize(linalg.Upper, linalg.Mat(*dst))
		return
	}
	innerProducts(dst, a, b)
	parallel.For(dst.Rows, func(_, i int) { apply(dst.Row(i)) })
}

// upperAppliedProducts fills the upper triangle of appliedProducts of x with itself.
func upperAppliedProducts(dst *data.Dense, x data.Matrix, apply func(row []float64)) {
	upperProducts(dst, x)
	parallel.For(dst.Rows, func(_, i int) { apply(dst.Row(i)[i:]) })
}

// apply turns inner products into values of the kernel: powers by repeated squaring, of
// the low degrees written out.
func (k Polynomial) apply(row []float64) {
	gamma, c := k.Gamma, k.Coef0
	switch k.Degree {
	case 1:
		for j, v := range row {
			row[j] = gamma*v + c
		}
	case 2:
		for j, v := range row {
			x := gamma*v + c
			row[j] = x * x
		}
	case 3:
		for j, v := range row {
			x := gamma*v + c
			row[j] = x * (x * x)
		}
	case 4:
		for j, v := range row {
			x := gamma*v + c
			x *= x
			row[j] = x * x
		}
	default:
		k.powers(row)
	}
}

// powers is apply for any degree, four powers at a time, which do not wait for one
// another.
func (k Polynomial) powers(row []float64) {
	gamma, c := k.Gamma, k.Coef0
	for ; len(row) >= 4; row = row[4:] {
		x0, x1, x2, x3 := gamma*row[0]+c, gamma*row[1]+c, gamma*row[2]+c, gamma*row[3]+c
		y0, y1, y2, y3 := 1.0, 1.0, 1.0, 1.0
		for d := k.Degree; d > 0; d >>= 1 {
			if d&1 == 1 {
				y0, y1, y2, y3 = y0*x0, y1*x1, y2*x2, y3*x3
			}
			x0, x1, x2, x3 = x0*x0, x1*x1, x2*x2, x3*x3
		}
		row[0], row[1], row[2], row[3] = y0, y1, y2, y3
	}
	for j, v := range row {
		row[j] = numeral.Power(gamma*v+c, k.Degree)
	}
}

// MatrixTo fills dst, m×p, with exp(−γ‖a_i − b_j‖²), from inner products and squared
// norms. Dense rows are centred first, since ‖x‖² + ‖z‖² − 2⟨x,z⟩ loses the digits of
// near-equal rows that lie far from the origin. It costs as much as Linear.MatrixTo and
// an exponential an entry; where rows are sparse, O(non-zeros of both) an entry. It runs
// on all cores. It panics when the shapes do not fit.
func (k Gaussian) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	check(dst, a, b)
	da, denseA := a.(*data.Dense)
	db, denseB := b.(*data.Dense)
	switch {
	case denseA && a == b:
		linalg.GaussianKernel(linalg.Mat(*dst), linalg.Mat(*da), k.Gamma)
	case denseA && denseB:
		linalg.GaussianCross(linalg.Mat(*dst), linalg.Mat(*da), linalg.Mat(*db), k.Gamma)
	default:
		k.sparseTo(dst, a, b, linalg.Exp)
		if a == b {
			linalg.Symmetrize(linalg.Upper, linalg.Mat(*dst))
		}
	}
}

func (k Gaussian) upperTo(dst *data.Dense, x data.Matrix) {
	if d, dense := x.(*data.Dense); dense {
		linalg.GaussianUpper(linalg.Mat(*dst), linalg.Mat(*d), k.Gamma)
		return
	}
	k.sparseTo(dst, x, x, linalg.Exp)
}

// sparseTo computes squared distances from the differences of two sparse rows, in O(non-zeros of
// both) a pair. It needs no centring, which would fill the rows, and has no cancellation. exp turns
// −γ times the distances into values. With a == b it fills the upper triangle.
func (k Gaussian) sparseTo(dst *data.Dense, a, b data.Matrix, exp func(dst, x []float64)) {
	x, z := toCSR(a), toCSR(b)
	same := a == b
	const rows = 16
	parallel.Chunks(dst.Rows, rows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, first := dst.Row(i), 0
			if same {
				first = i
			}
			xc, xv := x.Row(i)
			for j := first; j < len(row); j++ {
				zc, zv := z.Row(j)
				row[j] = -k.Gamma * squaredDistance(xc, xv, zc, zv)
			}
			exp(row[first:], row[first:])
		}
	})
}

// squaredDistance is Σ (x_c − z_c)² of two sparse rows, by merging them.
func squaredDistance(xc []int32, xv []float64, zc []int32, zv []float64) float64 {
	sum, p, q := 0.0, 0, 0
	for p < len(xc) && q < len(zc) {
		d := 0.0
		switch a, b := xc[p], zc[q]; {
		case a < b:
			d = xv[p]
			p++
		case a > b:
			d = zv[q]
			q++
		default:
			d = xv[p] - zv[q]
			p++
			q++
		}
		sum += d * d
	}
	for _, v := range xv[p:] {
		sum += v * v
	}
	for _, v := range zv[q:] {
		sum += v * v
	}
	return sum
}

// toCSR is a sparse view of dense rows, or the rows themselves.
func toCSR(a data.Matrix) *data.CSR {
	if c, ok := a.(*data.CSR); ok {
		return c
	}
	d := data.ToDense(a)
	c := &data.CSR{Rows: d.Rows, Cols: d.Cols, Ptr: make([]int, 1, d.Rows+1)}
	for i := range d.Rows {
		for j, v := range d.Row(i) {
			if v != 0 {
				c.Col, c.Val = append(c.Col, int32(j)), append(c.Val, v)
			}
		}
		c.Ptr = append(c.Ptr, len(c.Val))
	}
	return c
}

// UpperTo fills the entries of dst, m×m, on and above the diagonal with k(x_i, x_j), with the bits
// of MatrixTo. The kernels of this package but Sum do not write below the diagonal. This halves the
// memory where the system allocates pages on the first write. Any other kernel fills all of dst by
// MatrixTo. It costs as much as MatrixTo, or less. It panics when the shapes do not fit, or k is
// Precomputed.
func UpperTo(k Kernel, dst *data.Dense, x data.Matrix) {
	check(dst, x, x)
	switch k := k.(type) { // and not by a method, which types that embed one would have
	case Linear:
		k.upperTo(dst, x)
	case Gaussian:
		k.upperTo(dst, x)
	case Polynomial:
		k.upperTo(dst, x)
	case Clinical:
		k.upperTo(dst, x)
	case lowerGaussian:
		k.upperTo(dst, x)
	default:
		k.MatrixTo(dst, x, x)
	}
}

// Self returns k(x_i, x_i) of row i of x, in a multiplication for every stored value, without
// allocation but for Sum. For Fourier, and for kernels of other packages, it calls MatrixTo. It panics when i
// is out of range, or k is Precomputed.
func Self(k Kernel, x data.Matrix, i int) float64 {
	switch k := k.(type) { // and not by a method, which types that embed one would have
	case Linear:
		return data.SquaredNorm(x, i)
	case Gaussian, Clinical:
		return 1
	case Sum:
		return k.self(x, i)
	case Polynomial:
		v := [1]float64{data.SquaredNorm(x, i)}
		k.apply(v[:])
		return v[0]
	}
	row := data.Slice(x, i, i+1)
	return Matrix(k, row, row).Data[0]
}

// MatrixTo panics: a precomputed kernel is read from a file, not computed.
func (Precomputed) MatrixTo(*data.Dense, data.Matrix, data.Matrix) {
	panic(noFunction)
}

const noFunction = "kernel: a precomputed kernel has no function of rows"

// check panics where the arguments of a MatrixTo do not fit.
func check(dst *data.Dense, a, b data.Matrix) {
	data.Check("kernel: dst", dst)
	data.Check("kernel: a", a)
	data.Check("kernel: b", b)
	m, n := a.Dims()
	p, n2 := b.Dims()
	if n != n2 || dst.Rows != m || dst.Cols != p {
		panic(fmt.Sprintf("kernel: %d×%d matrix for rows %d×%d and %d×%d", dst.Rows, dst.Cols, m, n, p, n2))
	}
}

// innerProducts fills dst with ⟨a_i, b_j⟩: by dense products, or for sparse
// rows by spreading a row of a over a dense work vector, in O(rows of a × non-
// zeros of b).
func innerProducts(dst *data.Dense, a, b data.Matrix) {
	da, denseA := a.(*data.Dense)
	db, denseB := b.(*data.Dense)
	if denseA && denseB {
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, linalg.Mat(*da), linalg.Mat(*db), 0, linalg.Mat(*dst))
		return
	}
	sparseProducts(dst, a, b)
}

// upperProducts fills the upper triangle of dst with ⟨x_i, x_j⟩.
func upperProducts(dst *data.Dense, x data.Matrix) {
	if d, dense := x.(*data.Dense); dense {
		linalg.Syrk(linalg.Upper, linalg.NoTrans, 1, linalg.Mat(*d), 0, linalg.Mat(*dst))
		return
	}
	sparseProducts(dst, x, x)
}

// sparseProducts fills dst, and with a == b its upper triangle.
func sparseProducts(dst *data.Dense, a, b data.Matrix) {
	m, n := a.Dims()
	same := a == b
	pool := sync.Pool{New: func() any { w := make([]float64, n); return &w }}
	const rows = 16
	parallel.Chunks(m, rows, func(_, lo, hi int) {
		work := pool.Get().(*[]float64)
		defer pool.Put(work)
		for i := lo; i < hi; i++ {
			x := spread(*work, a, i)
			first := 0
			if same {
				first = i
			}
			row := dst.Row(i)
			for j := first; j < len(row); j++ {
				row[j] = b.DotRow(j, x)
			}
			unspread(*work, a, i)
		}
	})
}

// spread returns row i of a as a dense vector: a view, or in work, which is all
// zero before and after unspread.
func spread(work []float64, a data.Matrix, i int) []float64 {
	if d, dense := a.(*data.Dense); dense {
		return d.Row(i)
	}
	data.Each(a, i, func(j int, v float64) { work[j] = v })
	return work
}

func unspread(work []float64, a data.Matrix, i int) {
	if _, dense := a.(*data.Dense); !dense {
		data.Each(a, i, func(j int, _ float64) { work[j] = 0 })
	}
}
