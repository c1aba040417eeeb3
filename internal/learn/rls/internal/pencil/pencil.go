package pencil

import (
	"errors"
	"slices"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// ErrNotPositive is returned where λ is so small relative to the data that
// the system cannot be solved in float64.
var ErrNotPositive = errors.New("the regularised system is not positive definite in double precision")

// Problem is a loss over m rows: the Laplacian L and, as R, the linear term r, m×v. The
// matrix R of the package comment is that of the rows of the basis.
type Problem struct {
	L goals.Laplacian
	R linalg.Mat
	// Centred says that a constant on a component of L has no effect; it is
	// false for regression.
	Centred bool
	// Equal is, for each row, the first row of the basis that equals it: equal
	// rows have equal predictions.
	Equal func() []int32
	// Constant is a vector c, of k weights in the primal form and of m coefficients in the dual
	// one, that adds cᵀw or cᵀa to the predictions of all rows; nil is none. Only centred problems
	// have one: it does not change their solution.
	Constant []float64
	// Zero is the loss of f = 0 for each output, the scale of the rounding in the primal form.
	Zero []float64
}

// Pencil is a factored problem. It is immutable and safe for concurrent use.
type Pencil struct {
	Problem
	Eigenvalues []float64  // d, ascending, not negative; length k
	C           linalg.Mat // k×v

	coef linalg.Mat // turns D C into coefficients: Uᵀ, k×k, or W, m×m
	rows rowSource
	dual bool

	largest float64 // max|K| of the dual form

	inverted *inverted // of InvertDual, else nil

	// Total is A = RᵀLR and B = Rᵀr of the primal form.
	Total Moments

	// MostNegative is the smallest computed eigenvalue, before negative ones are set to 0 in
	// Eigenvalues. It is negative by rounding, or because the kernel matrix is not positive
	// semidefinite.
	MostNegative float64

	// PSDTolerance is how far below 0 rounding alone may move the eigenvalues of the dual form. It
	// is relative to the entries of K, not to those of FKF, since F subtracts means. It is 0 in the
	// primal form.
	PSDTolerance float64

	// EigenError is the rounding error of the computed eigenvalues: a smaller eigenvalue or λ is
	// indistinguishable from 0.
	EigenError float64

	sizes sizes // the scales of the rounding in predictions
}

// rowSource gives rows of V and W.
type rowSource interface {
	// rowsTo fills v and w, h×k without gaps, with the rows H of V and W; whole
	// says that H is whole components. Where the source computes W = LV from V,
	// H must be.
	rowsTo(v, w linalg.Mat, h []int32, whole bool)
}

// Outputs is v.
func (p *Pencil) Outputs() int { return p.C.Cols }

// IsDual reports whether the pencil is of the dual form.
func (p *Pencil) IsDual() bool { return p.dual }

// shifted is D C: row j of C over d_j + λ.
func (p *Pencil) shifted(lambda float64) linalg.Mat {
	s, shifted := linalg.NewMat(p.C.Rows, p.C.Cols), make([]float64, len(p.Eigenvalues))
	p.shiftTo(shifted, lambda)
	for j, e := range shifted {
		row := s.Row(j)
		for c, v := range p.C.Row(j) {
			row[c] = v / e
		}
	}
	return s
}

// shiftTo fills dst with D + λ.
func (p *Pencil) shiftTo(dst []float64, lambda float64) {
	for j, e := range p.Eigenvalues {
		dst[j] = e + lambda
	}
	for j := range p.nullCount(lambda) {
		dst[j] = lambda
	}
}

// Coefficients is the solution at λ: the weights w, k×v, in the primal form,
// and the dual coefficients a, m×v, in the dual form. It costs one product.
func (p *Pencil) Coefficients(lambda float64) linalg.Mat {
	if p.dual {
		shifted := p.shifted(lambda)
		for j := range p.nullCount(lambda) {
			clear(shifted.Row(j))
		}
		return p.coef.Mul(shifted)
	}
	return p.coef.TMul(p.shifted(lambda))
}

// Retarget returns the pencil of another problem with the same L and rows, without factoring again:
// one product. In the primal form source is the Source of the new problem and b is Rᵀr; the dual
// form does not use them.
func (p *Pencil) Retarget(problem Problem, b linalg.Mat, source Source) *Pencil {
	q := *p
	q.Problem = problem
	if p.inverted != nil {
		q.setCoordinates()
		q.setRightSizes()
		return &q
	}
	if p.dual {
		q.C = p.dualCoordinates(problem.R)
		q.setRightSizes()
		return &q
	}
	q.Total.B = b
	q.C = p.coef.Mul(b)
	q.rows = newPrimalRows(&q, source)
	q.setRightSizes()
	return &q
}

// scoreDigits are the digits that are to stay in the scores.
const scoreDigits = 0x1p24

// nullCount is the number of eigenvectors, from the first, that are numerically in the null space
// of FKF, d_j ≤ EigenError. It is 0 unless λ is so small that their dual coefficients, about 1/λ,
// would turn the rounding of KW_j = 0 into scores.
func (p *Pencil) nullCount(lambda float64) int {
	if !p.dual || lambda >= scoreDigits*p.EigenError {
		return 0
	}
	n, _ := slices.BinarySearchFunc(p.Eigenvalues, p.EigenError, func(d, eigenError float64) int {
		if d <= eigenError {
			return -1
		}
		return 1
	})
	return n
}

// clampNegative sets the negative eigenvalues to 0 and keeps the least of them.
func (p *Pencil) clampNegative() {
	for j, v := range p.Eigenvalues {
		p.MostNegative = min(p.MostNegative, v)
		p.Eigenvalues[j] = max(v, 0)
	}
}
