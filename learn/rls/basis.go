package rls

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/kernel"
)

// Basis is a space of functions on m training rows.
type Basis struct {
	kind Kind
	x    data.Matrix // primal rows; R of a sparse basis, nil where panels makes it
	k    linalg.Mat  // kernel matrix of a dual basis; its shape alone where upper makes it
	lift linalg.Mat  // b×k: coefficients of a sparse basis from weights
	// panels makes rows of R of a sparse basis as they are needed; nil where x has them.
	panels *madeRows
	// upper fills the upper triangle of the kernel matrix of a dual basis that is not kept;
	// nil where k has it.
	upper func(k *data.Dense)
	// equal is, for each row, the first row that equals it, computed when first asked
	// for; same reports whether two rows are equal.
	equal func() []int32
	same  func(i, j int) bool
	// constant is c in f = Ka + 1cᵀa, for the coefficients of the factored problem;
	// nil is none.
	constant []float64
	// Warning says what is doubtful about the basis, or is empty.
	Warning string
}

// Kind says what the coefficients of a Basis are.
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

// Kind returns what the coefficients are.
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

// Primal is the space f = Xw of linear functions of the n features of x, m×n, with
// ‖f‖ = ‖w‖. Training costs O(mn² + n³) (Pahikkala et al. 2009, section 3.1). x is kept.
// It panics when the fields of x do not fit its shape.
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

// DualOf is Dual for a kernel matrix of m rows that is made when it is needed: upper fills
// the entries of k, m×m zeros, on and above the diagonal. Solve factors it in its place,
// so that it needs m² numbers and not 2m²; for one list, and for regression, it leaves what
// is below the diagonal alone: kernel.UpperTo then writes half of the m². Predictions of
// its Fit have the matrix made once more, and so has Solve where the system is singular
// in double precision. Factor keeps a whole one. upper is kept, and called from one
// goroutine. DualOf panics when m is negative.
func DualOf(m int, upper func(k *data.Dense)) *Basis {
	if m < 0 {
		panic(fmt.Sprintf("rls: a kernel matrix of %d rows", m))
	}
	return &Basis{kind: DualKind, k: linalg.Mat{Rows: m, Cols: m}, upper: upper}
}

// Sparse is the subset of regressors: f = K_mB a, with ‖f‖² = aᵀK_BB a, for the
// kernel matrix cross of the m rows with the b basis rows and that of the basis
// rows among themselves. With K_BB = CCᵀ the rows K_mB C⁻ᵀ make it a primal
// problem of b features; training costs O(mb² + b³) (the same paper, section
// 3.5, equations 40 to 42). Where K_BB is singular in double precision its
// numerical range is used, and Warning says so. cross, m×b, is destroyed. It panics
// unless among is b×b.
func Sparse(cross, among *data.Dense) *Basis {
	data.Check("rls: cross", cross)
	data.Check("rls: among", among)
	m := kernel.NewMap(among)
	x := m.Rows(cross)
	return (&Basis{kind: SparseKind, x: x, lift: linalg.Mat(*m.Lift), Warning: m.Warning}).compare(x)
}

// SparseOf is Sparse for m rows whose kernel values are computed as they are needed:
// rows fills dst, h×b, with those of the h rows that it is given with the b basis rows.
// Solve goes over the rows once, a panel of some hundred at a time, so that it needs
// O(b²) numbers and not O(mb); for a goal of pairs that are listed, or of the relative cost,
// it keeps all rows. Factor keeps them, m×k, since what is held out needs them; its
// moments are those of Solve, to the last bit. rows is kept. Each Solve and Factor calls it
// from one goroutine, again for 256 rows of each long query, and Predictions of a Fit of
// Solve calls it once more for all. SparseOf panics when m is negative or among is not
// square.
func SparseOf(m int, among *data.Dense, rows func(dst *data.Dense, rows []int)) *Basis {
	data.Check("rls: among", among)
	if m < 0 {
		panic(fmt.Sprintf("rls: a basis of %d rows", m))
	}
	phi := kernel.NewMap(among)
	return &Basis{kind: SparseKind, panels: &madeRows{m: m, kernel: rows, phi: phi}, lift: linalg.Mat(*phi.Lift),
		Warning: phi.Warning}
}

// made is the upper triangle of the kernel matrix of DualOf.
func (b *Basis) made() linalg.Mat {
	k := data.NewDense(b.k.Rows, b.k.Rows, nil)
	b.upper(k)
	return linalg.Mat(*k)
}

// withMatrix is the basis with its kernel matrix, where it is a dual one.
func (b *Basis) withMatrix() *Basis {
	if b.upper == nil {
		return b
	}
	k := b.made()
	linalg.Symmetrize(linalg.Upper, k)
	whole := Dual(dense(k))
	whole.constant = b.constant
	return whole
}

// compare makes equal and same compare the rows of x.
func (b *Basis) compare(x data.Matrix) *Basis {
	b.equal = sync.OnceValue(func() []int32 { return data.EqualRows(x) })
	b.same = func(i, j int) bool { return data.SameRow(x, i, j) }
	return b
}

// coefficients turns the solution of the factored problem into that of the
// basis.
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
// c has one number for each coefficient. It is for kernels of rows from which a point was
// subtracted, K_ij − c_j, which keeps the digits that inner products of rows far from 0
// lose. A goal that compares rows does not see the constant, and WithConstant adds it
// back to the predictions, held out or not. Coefficients, objective and eigenvalues are
// those of b, to the last bit. Cost O(1), and O(bk) for a sparse basis. It panics when
// the length of c does not fit; Factor and Solve panic for regression, which is not
// invariant to it.
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
		k := b.made()
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
	_, k := b.x.Dims()
	if x, ok := b.x.(*data.Dense); ok {
		return linalg.Mat(*x).TMul(r)
	}
	out := linalg.NewMat(k, r.Cols)
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
