package pairrank

import (
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/linalg"
	"pairrank/internal/pick"
	"pairrank/kernel"
)

// leastForm is a form in which least squares can be solved.
type leastForm interface {
	form
	solver() Solver
	// memory estimates the bytes of its matrices. With eigenvectors it includes the matrices that they are made
	// from and those for holding out; once is a single training.
	memory(t *trainer, once bool) float64
	// lost says how much of some features it loses (see dual); "" if little.
	lost(t *trainer) string
}

// gramForm is the form of a matrix of inner products, of features or rows.
type gramForm interface {
	leastForm
	// gram is the size of the matrix, and the multiplications to make it from sparse rows.
	gram(x *data.CSR) (size, products float64)
}

// forms are the forms in which least squares can be solved.
func (l LeastSquares) forms() []leastForm {
	compares := centred(!l.Regression)
	return []leastForm{primal{}, l.dual(), subset{ofBasis{compares}, l}, gradients{ofFeatures{compares}, l}}
}

// form is the form of a solver, nil if it is not a solver of least squares.
func (l LeastSquares) form(s Solver) leastForm {
	for _, f := range l.forms() {
		if f.solver() == s {
			return f
		}
	}
	return nil
}

func (l LeastSquares) dual() dual { return dual{ofRows{centred(!l.Regression)}, l} }

// primal factors the n×n matrix of the features. It centres by itself.
type primal struct{ ofFeatures }

func (primal) solver() Solver { return Primal }

func (primal) gram(x *data.CSR) (size, products float64) {
	m, n := x.Dims()
	stored := float64(x.Ptr[m] - x.Ptr[0])
	return float64(n), stored * stored / float64(max(1, m))
}

func (primal) basis(s *trainer, _ bool) *rls.Basis { return rls.Primal(s.x) }

// root are the features.
func (primal) root(s *trainer) (*data.Dense, error) { return data.ToDense(s.x), nil }

// dual factors the m×m kernel matrix of the rows.
type dual struct {
	ofRows
	l LeastSquares
}

func (dual) solver() Solver { return Dual }

func (dual) gram(x *data.CSR) (size, products float64) {
	m, _ := x.Dims()
	return float64(m), float64(x.Ptr[m]-x.Ptr[0]) * float64(m) / 2
}

// basis is nil for a single training on a given matrix: a path knows all eigenvalues, and whether the matrix is
// a kernel.
func (dual) basis(s *trainer, once bool) *rls.Basis {
	switch {
	case once && s.given != nil:
		return nil
	case once && s.k == nil:
		return s.beside(rls.DualOf(s.rows(), func(k *data.Dense, order []int32) {
			x := s.x
			if order != nil {
				x = data.Select(x, pick.Rows(indices(s.rows()), order))
			}
			s.matrixTo(k, func(of kernel.Kernel) { kernel.UpperTo(of, k, x) })
		}))
	case s.k == nil:
		s.k = s.kernelMatrix()
	}
	return s.beside(rls.Dual(s.k))
}

// root is that of the centred kernel matrix.
func (dual) root(s *trainer) (*data.Dense, error) {
	if s.k == nil {
		s.k = s.kernelMatrix()
	}
	return centredRoot(s.k)
}

// foldsAgain reports whether folds of one list of censored times are trained without a path: at one λ each takes a
// Cholesky factor, while stars would take an eigenproblem of each fold, and many times the memory. What few rows take
// is small either way.
func (f dual) foldsAgain(t *trainer) bool {
	whole := t
	for whole.whole != nil {
		whole = whole.whole
	}
	m := float64(whole.rows())
	return t.censored != nil && t.oneValue() && t.given == nil && t.queries.Len() == 1 && 12*m*m*m >= weighs &&
		(t.wanted == nil || t.wanted.Kind == cv.KFold) && t.mayRetrain()
}

// subset factors the b×b matrix of the rows of a basis.
type subset struct {
	ofBasis
	l LeastSquares
}

func (subset) solver() Solver { return Sparse }

func (subset) basis(s *trainer, _ bool) *rls.Basis {
	return s.beside(rls.SparseOf(s.rows(), s.amongBasis(), s.crossRows().to))
}

// root are the rows under the kernel map of the basis.
func (subset) root(s *trainer) (*data.Dense, error) { return s.mappedRows() }

// gradients iterates by conjugate gradients, without a matrix.
type gradients struct {
	ofFeatures
	l LeastSquares
}

func (gradients) solver() Solver { return CG }

// again trains on all folds for all values of λ together if they share a Krylov space.
func (f gradients) again(s *trainer, goal *goals.Goal) holdout.Predictor {
	if s.shares(goal) {
		return f.l.together(s)
	}
	return f.ofFeatures.again(s, goal)
}

// centredRoot is R with RRᵀ = CKC for a kernel matrix K of m rows and the centring C: differences of its rows have the
// inner products of K. Cost O(m³). It returns an error where K is not positive semidefinite on differences of rows.
func centredRoot(k *data.Dense) (*data.Dense, error) {
	m := k.Rows
	a, w, u := linalg.Mat(*k).Clone(), make([]float64, m), linalg.NewMat(m, m)
	goals.Centre(data.OneList(m), a.Data, m)
	for i := range m {
		row, mean := a.Row(i), 0.0
		for _, v := range row {
			mean += v / float64(m)
		}
		for j := range row {
			row[j] -= mean
		}
	}
	linalg.SymEigen(a, w, u)
	const negative, noise = 1e-8, 1e-15 // of the largest eigenvalue
	most := w[m-1]
	switch {
	case math.IsNaN(most) || math.IsInf(most, 0):
		return nil, fault.Dataf("the kernel matrix overflows double precision")
	case w[0] < -negative*most:
		return nil, fault.Dataf("the kernel matrix is not positive semidefinite: centred it has an eigenvalue of %.3g "+
			"beside the largest, %.3g", w[0], most)
	}
	first := 0
	for first < m && w[first] <= noise*most {
		first++
	}
	if first == m {
		return nil, errZeroKernel
	}
	root := data.NewDense(m, m-first, nil)
	for j := first; j < m; j++ {
		scale := math.Sqrt(w[j])
		for i, v := range u.Row(j) {
			root.Row(i)[j-first] = v * scale
		}
	}
	return root, nil
}
