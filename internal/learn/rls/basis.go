package rls

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/equal"
	"pairrank/internal/kernels"
	"pairrank/internal/linalg"
)

// Basis is a space of functions on m training rows.
type Basis struct {
	kind Kind
	x    data.Matrix // primal rows; R of a sparse basis, nil where panels computes it
	k    linalg.Mat  // kernel matrix of a dual basis; only its shape where upper computes it
	lift linalg.Mat  // b×k: coefficients of a sparse basis from weights
	// panels computes rows of R of a sparse basis when they are needed; nil where x holds them.
	panels *madeRows
	// upper computes the upper triangle of the kernel matrix of a dual basis, of its rows in an order; nil where k holds
	// the matrix.
	upper func(k *data.Dense, order []int32)
	// equal returns, for each row, the first row that equals it; the first call computes it. same
	// reports whether two rows are equal.
	equal func() []int32
	same  func(i, j int) bool
	// constant is c in f = Ka + 1cᵀa, for the coefficients of the factored problem;
	// nil is none.
	constant []float64
	// Warning says why the basis is doubtful, or is empty.
	Warning string
}

// Kind says what the coefficients of a Basis belong to.
type Kind string

const (
	// PrimalKind has a weight for each feature.
	PrimalKind Kind = "primal"
	// DualKind has a coefficient for each training row.
	DualKind Kind = "dual"
	// SparseKind has a coefficient for each basis row.
	SparseKind Kind = "sparse"
)

// Rank returns k, the number of columns of the factored problem: n features (primal), m
// rows (dual), or the numerical rank of the b basis rows (sparse). Cost O(1).
func (b *Basis) Rank() int {
	switch {
	case b.kind == DualKind:
		return b.k.Rows
	case b.panels != nil:
		return b.lift.Cols
	}
	_, k := b.x.Dims()
	return k
}

// Kind returns what the coefficients belong to.
func (b *Basis) Kind() Kind { return b.kind }

// Rows returns the number of training rows m, in O(1).
func (b *Basis) Rows() int {
	switch {
	case b.kind == DualKind:
		return b.k.Rows
	case b.panels != nil:
		return b.panels.m
	}
	m, _ := b.x.Dims()
	return m
}

// Primal is the space f = Xw of linear functions of the n features of x, m×n, with ‖f‖ = ‖w‖.
// Training costs O(mn² + n³) (Pahikkala et al. 2009, section 3.1). It keeps x. It panics when the
// fields of x do not fit its shape.
func Primal(x data.Matrix) *Basis {
	data.Check("rls: x", x)
	return (&Basis{kind: PrimalKind, x: x}).compare(x)
}

// Dual is the space f = Ka of the m×m kernel matrix k, symmetric positive
// semidefinite, singular or not, with ‖f‖² = aᵀKa. Training costs O(m³) (the
// same paper, section 2.3, theorem 1). k is kept, not copied. It panics when k
// is not square.
func Dual(k *data.Dense) *Basis {
	data.Check("rls: k", k)
	if k.Rows != k.Cols {
		panic(fmt.Sprintf("rls: a kernel matrix is square, not %d×%d", k.Rows, k.Cols))
	}
	return (&Basis{kind: DualKind, k: linalg.Mat(*k)}).compare(k)
}

// DualOf is Dual for a kernel matrix of m rows that is computed when it is needed: upper fills the
// entries of k, m×m zeros, on and above the diagonal, of the rows in the given order; nil is as they
// are. Solve factors the matrix in place, in m²
// numbers in place of 2m². For one list, censored times and regression, it does not touch the entries below
// the diagonal, so that with kernel.UpperTo only half of the m² is ever written. Predictions of its
// Fit compute the matrix once more, and so does Solve where the system is singular in double
// precision. Factor keeps a whole matrix. DualOf keeps upper, and calls it from one goroutine. It
// panics when m is negative.
func DualOf(m int, upper func(k *data.Dense, order []int32)) *Basis {
	if m < 0 {
		panic(fmt.Sprintf("rls: a kernel matrix of %d rows", m))
	}
	return &Basis{kind: DualKind, k: linalg.Mat{Rows: m, Cols: m}, upper: upper}
}

// Sparse is the subset of regressors: f = K_mB a, with ‖f‖² = aᵀK_BB a. cross is K_mB, m×b, the
// kernel values of the m rows with the b basis rows; among is K_BB, b×b. With K_BB = CCᵀ the rows
// K_mB C⁻ᵀ make it a primal problem with b features. Training costs O(mb² + b³) (the same paper,
// section 3.5, equations 40 to 42). Where K_BB is singular in double precision Sparse uses its
// numerical range, and Warning says so. It overwrites cross. It panics unless among is b×b.
func Sparse(cross, among *data.Dense) *Basis {
	data.Check("rls: cross", cross)
	data.Check("rls: among", among)
	m := kernels.NewMap(among)
	x := m.Rows(cross)
	return (&Basis{kind: SparseKind, x: x, lift: linalg.Mat(*m.Lift), Warning: m.Warning}).compare(x)
}

// SparseOf is Sparse for m rows whose kernel values are computed when they are needed: rows fills
// dst, h×b, with the kernel values of the h given rows with the b basis rows. Solve goes over the
// rows once, in panels of some hundred, and needs O(b²) numbers in place of O(mb). With explicit
// preferences or the relative cost it keeps all rows. Factor keeps all rows, m×k, since holding out
// needs them; its moments have the bits of Solve. Each Solve and Factor calls rows from one
// goroutine, and calls it again for 256 rows of each long query. Predictions of a Fit from Solve
// calls it once more for all rows. SparseOf keeps rows. It panics when m is negative or among is
// not square.
func SparseOf(m int, among *data.Dense, rows func(dst *data.Dense, rows []int)) *Basis {
	data.Check("rls: among", among)
	if m < 0 {
		panic(fmt.Sprintf("rls: a basis of %d rows", m))
	}
	phi := kernels.NewMap(among)
	return &Basis{kind: SparseKind, panels: &madeRows{m: m, kernel: rows, phi: phi}, lift: linalg.Mat(*phi.Lift),
		Warning: phi.Warning}
}

// made computes the upper triangle of the kernel matrix of DualOf, of its rows in an order.
func (b *Basis) made(order []int32) linalg.Mat {
	k := data.NewDense(b.k.Rows, b.k.Rows, nil)
	b.upper(k, order)
	return linalg.Mat(*k)
}

// withMatrix is the basis with its kernel matrix, where it is a dual one.
func (b *Basis) withMatrix() *Basis {
	if b.upper == nil {
		return b
	}
	k := b.made(nil)
	linalg.Symmetrize(linalg.Upper, k)
	whole := Dual(dense(k))
	whole.constant = b.constant
	return whole
}

// compare makes equal and same compare the rows of x.
func (b *Basis) compare(x data.Matrix) *Basis {
	b.equal = sync.OnceValue(func() []int32 { return equal.Rows(x) })
	b.same = func(i, j int) bool { return equal.Same(x, i, j) }
	return b
}

// coefficients turns the solution of the factored problem into coefficients of the basis.
func (b *Basis) coefficients(w linalg.Mat) *data.Dense {
	if b.kind != SparseKind {
		return dense(w)
	}
	return dense(b.lift.Mul(w))
}

// WithConstant returns the basis with a constant that depends on the coefficients:
//
//	f_i = (Ka)_i + cᵀa
//
// c has one number for each coefficient. Use it with kernel values from which a constant was
// subtracted, K_ij − c_j, to keep the digits that inner products of rows far from 0 lose. The
// constant has no effect on a goal that compares rows; WithConstant adds it to the predictions,
// held out or not. Coefficients, objective and eigenvalues have the bits of b. Cost O(1), and O(bk)
// for a sparse basis. It panics when the length of c does not fit; Factor and Solve panic for
// regression, which is not invariant to it.
func (b *Basis) WithConstant(c []float64) *Basis {
	moved := *b
	want := b.Rank()
	if b.kind == SparseKind {
		want = b.lift.Rows
	}
	if len(c) != want {
		panic(fmt.Sprintf("rls: a constant of %d coefficients for a basis of %d", len(c), want))
	}
	moved.constant = c
	if b.kind == SparseKind {
		moved.constant = make([]float64, b.lift.Cols)
		(*data.Dense)(&b.lift).MulTransVecTo(moved.constant, c)
	}
	return &moved
}

// predictions is f on the training rows, m×v, for a solution of the factored
// problem, without its constant.
func (b *Basis) predictions(w linalg.Mat) *data.Dense {
	f := data.NewDense(b.Rows(), w.Cols, nil)
	switch {
	case b.upper != nil:
		k := b.made(nil)
		byColumn(linalg.Mat(*f), w, func(dst, src []float64) { linalg.Symv(linalg.Upper, 1, k, src, 0, dst) })
		return f
	case b.kind == DualKind:
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, b.k, w, 0, linalg.Mat(*f))
		return f
	case b.panels != nil:
		b.panels.mulTo(linalg.Mat(*f), w)
		return f
	}
	if x, ok := b.x.(*data.Dense); ok {
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, linalg.Mat(*x), w, 0, linalg.Mat(*f))
		return f
	}
	byColumn(linalg.Mat(*f), w, b.x.MulVecTo)
	return f
}

// linearTerm is Rᵀr, k×v, of a primal or sparse basis.
func (b *Basis) linearTerm(r linalg.Mat) linalg.Mat {
	m, k := b.x.Dims()
	out := linalg.NewMat(k, r.Cols)
	switch x := b.x.(type) {
	case *data.Dense:
		return linalg.Mat(*x).TMul(r)
	case rowMaker:
		for lo := 0; lo < m; lo += panelRows {
			hi := min(m, lo+panelRows)
			rows := data.ToDense(data.Slice(b.x, lo, hi))
			linalg.Gemm(linalg.T, linalg.NoTrans, 1, linalg.Mat(*rows), r.Slice(lo, hi, 0, r.Cols), 1, out)
		}
		return out
	}
	byColumn(out, r, b.x.MulTransVecTo)
	return out
}

// byColumn sets each column of dst to the product mul of that column of src.
func byColumn(dst, src linalg.Mat, mul func(dst, src []float64)) {
	from, to := make([]float64, src.Rows), make([]float64, dst.Rows)
	for c := range src.Cols {
		for i := range from {
			from[i] = src.Row(i)[c]
		}
		mul(to, from)
		for i, v := range to {
			dst.Row(i)[c] = v
		}
	}
}

func dense(a linalg.Mat) *data.Dense {
	return (*data.Dense)(&a)
}
