package rows

import (
	"sync"

	"pairrank/data"
	"pairrank/internal/kernels"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
)

// space is the rows of a task under one kernel, with matrices that are made on first use.
type space struct {
	*task
	spec    kernel.Kernel // the given one
	kernel  kernel.Kernel // of the features x: spec, or linear for random features
	lowered lowering      // subtracted from the kernel values, in the dual form

	making sync.Mutex  // held while cross, image and lift are made for parts
	k      *data.Dense // kernel matrix of the rows, lowered
	cross  *data.Dense // kernel matrix rows × basis, for parts of the rows
	image  *data.Dense // the rows under the kernel map of the basis
	lift   *data.Dense // coefficients of the basis rows from weights of the map
	doubt  string      // about the map, or ""

	whole  *space // the space that contains this part, or nil
	within []int  // its rows in whole
}

// under is the rows of s under a kernel: s itself if it has that kernel, else a space without matrices.
func (s *space) under(k kernel.Kernel) *space {
	if k == s.spec {
		return s
	}
	other := &space{task: s.task, spec: k, kernel: k, within: s.within}
	if s.whole != nil {
		other.whole = s.whole.under(k)
	}
	return other.explicit()
}

// newSpace is the rows of a task under the first kernel.
func newSpace(t *task) *space {
	first := t.o.Kernels[0]
	s := &space{task: t, spec: first, kernel: first, k: t.given}
	s.lowerGiven()
	return s.explicit()
}

// checkRank refuses a basis on which no function can distinguish rows.
func checkRank(basis *rls.Basis) error {
	if basis.Rank() == 0 {
		return errZeroKernel
	}
	return nil
}

// beside gives predictions back the constant that an offset has subtracted.
func (s *space) beside(b *rls.Basis) *rls.Basis {
	if c := s.constant(); c != nil {
		return b.WithConstant(c)
	}
	return b
}

// crossBasis is crossKernel, made once, for parts of the rows: folds and halves need it repeatedly.
func (s *space) crossBasis() *data.Dense {
	s.making.Lock()
	defer s.making.Unlock()
	switch {
	case s.cross != nil:
	case s.whole != nil:
		s.cross = s.whole.crossBasis().SelectRows(s.within)
	default:
		s.cross = s.crossKernel()
	}
	return s.cross
}

// crossKernel is the kernel matrix of all rows with the basis rows.
func (s *space) crossKernel() *data.Dense {
	if s.given != nil {
		return s.given.Submatrix(indices(s.given.Rows), s.support)
	}
	return kernel.Matrix(s.kernel, s.x, s.basisRows())
}

// amongBasis is the kernel matrix of the basis rows.
func (s *space) amongBasis() *data.Dense {
	if s.given != nil {
		return s.given.Submatrix(s.support, s.support)
	}
	rows := s.basisRows()
	return kernel.Matrix(s.kernel, rows, rows)
}

// mappedRows are the rows under the kernel map of the basis, made once.
func (s *space) mappedRows() (*data.Dense, error) {
	s.making.Lock()
	defer s.making.Unlock()
	if s.image != nil {
		return s.image, nil
	}
	if s.whole != nil {
		all, err := s.whole.mappedRows()
		if err != nil {
			return nil, err
		}
		s.image, s.lift = all.SelectRows(s.within), s.whole.lift
		return s.image, nil
	}
	m := kernels.NewMap(s.amongBasis())
	if m.Lift.Cols == 0 {
		return nil, errZeroKernel
	}
	s.image, s.lift, s.doubt = m.Rows(s.crossKernel()), m.Lift, m.Warning
	return s.image, nil
}

// part is the problem of some rows.
func (s *space) part(rows []int) *space {
	t := s.taskOf(rows)
	part := &space{task: t, spec: s.spec, kernel: s.kernel, lowered: s.lowered, whole: s, within: rows}
	if s.onBasis() {
		// The basis stays: its rows are points of the space, and their labels are not used.
		return part
	}
	if s.k != nil {
		part.k = s.k.Submatrix(rows, rows)
	}
	if t.given != nil {
		t.given = part.k
	}
	if s.x != nil {
		t.x = data.Select(s.x, rows)
	}
	return part
}

// column is values as a matrix of one column.
func column(values []float64) *data.Dense { return data.NewDense(len(values), 1, values) }
