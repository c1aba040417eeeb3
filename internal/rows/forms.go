package rows

import (
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// form is how functions are written in a solution: by weights of features, or by coefficients of rows or basis
// rows. It has no data of its own, and answers for the rows of a space.
type form interface {
	// centres reports whether inner products or scores of rows are taken for a goal that compares rows, so that
	// their mean may be taken off; lowers whether a constant may be taken off the kernel matrix of the rows.
	centres() bool
	lowers() bool
	// of is the rows that coefficients are of; nil where they are weights of features.
	of(s *space) data.Matrix
	// met are the rows as what is learnt meets them, nil where they were not made yet, and against held rows as
	// it meets them.
	met(s *space) rowReader
	against(s *space, h *heldRows) data.Matrix
	// again trains folds again for a goal of all rows.
	again(s *space, goal *pref.Goal) cv.Predictor
}

// exactForm is a form whose problem is factored once for all candidates, from which follows without training
// again what is held out.
type exactForm interface {
	form
	// basis is the space of functions on the rows. Of a single training a kernel matrix that is not there yet is
	// not kept, so that the training may take its memory, and it is nil where a path has to be made.
	basis(s *space, once bool) *rls.Basis
	// factorWork counts the multiplications of a factorisation of m rows, and its columns.
	factorWork(s *space, m float64) (columns, factor float64)
}

// exact is the form where it is exact, else nil.
func (t *task) exact() exactForm {
	e, _ := t.solution.form.(exactForm)
	return e
}

// centred says that a form centres, and has what is the same of most forms.
type centred bool

func (c centred) centres() bool { return bool(c) }

func (centred) lowers() bool { return false }

func (centred) lost(*task) string { return "" }

func (centred) again(s *space, _ *pref.Goal) cv.Predictor {
	return cv.BoundedTrainer(s.retrain).AtOnce(s.foldsAtOnce())
}

// ofFeatures are weights of features.
type ofFeatures struct{ centred }

func (ofFeatures) of(*space) data.Matrix { return nil }

func (ofFeatures) met(s *space) rowReader { return s.x }

func (ofFeatures) against(_ *space, h *heldRows) data.Matrix { return h.features() }

// ofRows are coefficients of all rows, which meet kernel values.
type ofRows struct{ centred }

func (f ofRows) lowers() bool { return f.centres() }

func (ofRows) of(s *space) data.Matrix { return s.x }

func (ofRows) met(s *space) rowReader {
	if s.k != nil {
		return s.k
	}
	return &kernelRows{space: s, other: s.x}
}

func (ofRows) against(s *space, h *heldRows) data.Matrix {
	switch {
	case h.whole == nil:
		return s.crossMatrix(h.x, s.x)
	case h.whole.k != nil:
		return h.whole.k.Submatrix(h.rows, s.within)
	}
	return s.crossMatrix(data.Select(h.whole.x, h.rows), data.Select(h.whole.x, s.within))
}

// ofBasis are coefficients of basis rows.
type ofBasis struct{ centred }

func (ofBasis) of(s *space) data.Matrix { return s.basisRows() }

func (ofBasis) met(s *space) rowReader { return s.crossRows() }

func (ofBasis) against(s *space, h *heldRows) data.Matrix {
	if h.whole == nil {
		return s.crossMatrix(h.x, s.basisRows())
	}
	return h.whole.crossBasis().SelectRows(h.rows)
}
