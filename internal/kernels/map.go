// Package kernels maps rows to the features of a kernel by basis rows.
package kernels

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Map is the empirical kernel map of b basis rows: features of any row whose inner products equal
// the kernel within the span of the basis rows. With K_BB = CCᵀ, rows with kernel values K_mB have
// the features K_mB C⁻ᵀ, and a linear function w of the features has the coefficients C⁻ᵀw over the
// basis rows (Pahikkala et al. 2009, An efficient algorithm for learning to rank from preference
// graphs, sections 3.5, 4.2 and 4.4). With it any linear learner becomes a kernel learner.
type Map struct {
	// Lift is C⁻ᵀ, b×k: coefficients of the basis rows from weights.
	Lift *data.Dense
	// Warning says why the basis is doubtful, or is empty.
	Warning string

	factor linalg.Mat // C, or empty where the eigenvectors serve
}

// NewMap makes the map of b basis rows from among, b×b, their kernel matrix, in O(b³). Where the
// matrix is singular in double precision NewMap uses its numerical range, of rank k < b, and
// Warning says so (Pahikkala et al. 2009, section 3.5). It does not change among. It panics when
// among is not square, or does not fit.
func NewMap(among *data.Dense) *Map {
	data.Check("kernel: among", among)
	if among.Rows != among.Cols {
		panic(fmt.Sprintf("kernel: a map of basis rows needs a square matrix, not %d×%d", among.Rows, among.Cols))
	}
	b := among.Rows
	c := linalg.Mat(*among).Clone()
	if _, ok := linalg.Cholesky(linalg.Lower, c); ok && wellConditioned(c) {
		lift := data.NewDense(b, b, nil)
		for i := range b {
			lift.Row(i)[i] = 1
		}
		linalg.Trsm(linalg.Left, linalg.Lower, linalg.T, 1, c, linalg.Mat(*lift))
		return &Map{Lift: lift, factor: c}
	}
	return mapByEigen(among)
}

// Rows returns the features K_mB C⁻ᵀ, m×k, of m rows with the kernel values cross = K_mB, m×b, in
// O(mbk). It overwrites cross, and may return it. It panics when cross does not have b columns.
func (m *Map) Rows(cross *data.Dense) *data.Dense {
	data.Check("kernel: Map.Rows: cross", cross)
	if cross.Cols != m.Lift.Rows {
		panic(fmt.Sprintf("kernel: kernel values of %d basis rows for a map of %d", cross.Cols, m.Lift.Rows))
	}
	if m.factor.Data != nil || m.Lift.Rows == 0 {
		m.solve(linalg.Mat(*cross))
		return cross
	}
	return cross.Mul(m.Lift)
}

// solve sets X = X C⁻ᵀ. Pieces of rows are solved side by side: within one solve only its products
// use several threads, and its triangles on the diagonal do not. A row has the same bits in every
// piece of at least four rows.
func (m *Map) solve(x linalg.Mat) {
	const rows = 128 // of a piece, at least: fewer would pack C more often
	pieces := max(1, x.Rows/rows)
	parallel.For(pieces, func(_, p int) {
		piece := x.Slice(p*x.Rows/pieces, (p+1)*x.Rows/pieces, 0, x.Cols)
		linalg.Trsm(linalg.Right, linalg.Lower, linalg.T, 1, m.factor, piece)
	})
}

// wellConditioned reports whether the diagonal of a Cholesky factor spans fewer
// than seven digits, so that its solves keep half of the precision.
func wellConditioned(c linalg.Mat) bool {
	if c.Rows == 0 {
		return true
	}
	low, high := c.Row(0)[0], c.Row(0)[0]
	for i := range c.Rows {
		low, high = min(low, c.Row(i)[i]), max(high, c.Row(i)[i])
	}
	return low > 1e-7*high
}

// mapByEigen uses K_BB = UΛUᵀ and the features K_mB UΛ^{-1/2} over the
// eigenvalues that are above noise.
func mapByEigen(among *data.Dense) *Map {
	b := among.Rows
	w, u := make([]float64, b), linalg.NewMat(b, b)
	linalg.SymEigen(linalg.Mat(*among).Clone(), w, u)
	// An eigenvalue below this share of the largest is noise, which 1/√w would carry into every
	// row. Its contribution to f would be as small.
	const cut = 1e-12
	first := 0
	for first < b && w[first] <= cut*w[b-1] {
		first++
	}
	k := b - first
	warning := fmt.Sprintf("the kernel matrix of the %d basis rows has rank %d in double precision: some rows are "+
		"equal or nearly equal", b, k)
	if b > 0 && w[0] < -1e-8*w[b-1] {
		warning = fmt.Sprintf("the kernel matrix of the basis rows is not positive semidefinite: its least "+
			"eigenvalue is %.3g, its largest %.3g; negative eigenvalues are left out", w[0], w[b-1])
	}
	lift := data.NewDense(b, k, nil)
	for j := range k {
		for i, v := range u.Row(first + j) {
			lift.Row(i)[j] = v / math.Sqrt(w[first+j])
		}
	}
	return &Map{Lift: lift, Warning: warning}
}
