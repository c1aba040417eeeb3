package pairrank

import (
	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
)

// form is the way a solution represents functions: by weights of features, or by coefficients of rows or basis
// rows. It holds no data, and answers for the rows of a trainer.
type form interface {
	// centres reports whether inner products or scores of rows are taken for a goal that compares rows, so that
	// their mean may be subtracted. lowers reports whether a constant may be subtracted from the kernel matrix
	// of the rows.
	centres() bool
	lowers() bool
	// of returns the rows to which coefficients belong; nil if there are weights of features.
	of(s *trainer) data.Matrix
	// met returns the rows in the form that the coefficients are multiplied by, nil if they were not made yet.
	// against returns held-out rows in that form.
	met(s *trainer) rowReader
	against(s *trainer, h *heldRows) data.Matrix
	// again retrains on folds for a goal of all rows.
	again(s *trainer, goal *goals.Goal) holdout.Predictor
}

// exactForm is a form whose problem is factored once for all candidates. The factorisation gives the held-out
// error without retraining.
type exactForm interface {
	form
	// basis is the space of functions on the rows. For a single training, a kernel matrix that does not exist
	// yet is not kept, so that the training may use its memory; basis is nil if the training needs a path.
	basis(s *trainer, once bool) *rls.Basis
	// foldsAgain reports whether folds are trained again, at one λ, and nothing is factored.
	foldsAgain(t *trainer) bool
	// root is R, m×k, with the functions Rw of norm |w|: the rows of the factored problem, but for a constant.
	root(s *trainer) (*data.Dense, error)
	// factorWork counts the multiplications of a factorisation of m rows, and its columns.
	factorWork(s *trainer, m float64) (columns, factor float64)
}

// centred says whether a form centres, and has the methods that most forms share.
type centred bool

func (c centred) centres() bool { return bool(c) }

func (centred) lowers() bool { return false }

func (centred) lost(*trainer) string { return "" }

func (centred) foldsAgain(*trainer) bool { return false }

func (centred) again(s *trainer, _ *goals.Goal) holdout.Predictor {
	return holdout.BoundedTrainer(s.retrain).AtOnce(s.foldsAtOnce())
}

// ofFeatures is weights of features.
type ofFeatures struct{ centred }

func (ofFeatures) of(*trainer) data.Matrix { return nil }

func (ofFeatures) met(s *trainer) rowReader { return s.x }

func (ofFeatures) against(_ *trainer, h *heldRows) data.Matrix { return h.features() }

// ofRows is coefficients of all rows, which are multiplied by kernel values.
type ofRows struct{ centred }

func (f ofRows) lowers() bool { return f.centres() }

func (ofRows) of(s *trainer) data.Matrix { return s.x }

func (ofRows) met(s *trainer) rowReader {
	if s.k != nil {
		return s.k
	}
	return &kernelRows{of: s, other: s.x}
}

func (ofRows) against(s *trainer, h *heldRows) data.Matrix {
	switch {
	case h.whole == nil:
		return s.crossMatrix(h.x, s.x)
	case h.whole.k != nil:
		return h.whole.k.Submatrix(h.rows, s.within)
	}
	return s.crossMatrix(data.Select(h.whole.x, h.rows), data.Select(h.whole.x, s.within))
}

// ofBasis is coefficients of basis rows.
type ofBasis struct{ centred }

func (ofBasis) of(s *trainer) data.Matrix { return s.basisRows() }

func (ofBasis) met(s *trainer) rowReader { return s.crossRows() }

func (ofBasis) against(s *trainer, h *heldRows) data.Matrix {
	if h.whole == nil {
		return s.crossMatrix(h.x, s.basisRows())
	}
	return h.whole.crossBasis().SelectRows(h.rows)
}
