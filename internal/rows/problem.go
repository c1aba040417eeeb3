package rows

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
)

// Problem is pairrank.Problem.
type Problem struct {
	Set    *data.Set
	Labels *data.Dense
	Pairs  Pairs
	Kernel *data.Dense
	Valid  *data.Set
}

// check refuses parts that contradict each other, before anything is computed.
func (p *Problem) check() error {
	if p.Set == nil || p.Kernel == nil && p.Set.X == nil {
		return fault.Dataf("a problem has a Set of rows")
	}
	if p.Set.Queries == nil {
		return fault.Dataf("Problem.Set.Queries is nil: data.OneList(m) makes one list of m rows")
	}
	if err := cmp.Or(p.checkRows(), p.checkParts()); err != nil {
		return err
	}
	if p.compares() {
		if err := p.Pairs.Check(p.Labels != nil); err != nil {
			return err
		}
	}
	return p.checkValid()
}

// replacesLabels reports whether the labels of the set are replaced.
func (p *Problem) replacesLabels() bool { return p.Labels != nil || p.compares() }

// checkRows refuses a set whose parts differ in their number of rows, and labels that are not finite.
func (p *Problem) checkRows() error {
	m := len(p.Set.Y)
	if p.Set.X != nil {
		data.Check("pairrank: Problem.Set.X", p.Set.X)
		if rows, _ := p.Set.X.Dims(); rows != m {
			return fault.Dataf("%d rows with %d labels", rows, m)
		}
	}
	if len(p.Set.Queries.Rows) != m {
		return fault.Dataf("%d labels of %d rows in queries", m, len(p.Set.Queries.Rows))
	}
	if ids := p.Set.IDs; ids != nil && len(ids) != m {
		return fault.Dataf("%d labels of rows with %d names", m, len(ids))
	}
	if groups := p.Set.Groups; groups != nil && len(groups.Rows) != m {
		return fault.Dataf("%d labels of %d rows in groups", m, len(groups.Rows))
	}
	if i := slices.IndexFunc(p.Set.Y, notFinite); i >= 0 {
		return fault.Dataf("the label of %s is %v", p.Set.Called(i), p.Set.Y[i])
	}
	return nil
}

// checkParts refuses labels of outputs and kernel matrices that do not match the rows.
func (p *Problem) checkParts() error {
	m := len(p.Set.Y)
	if p.Labels != nil {
		data.Check("pairrank: Problem.Labels", p.Labels)
	}
	if p.Kernel != nil {
		data.Check("pairrank: Problem.Kernel", p.Kernel)
	}
	if y := p.Labels; y != nil && (y.Rows != m || y.Cols == 0) {
		return fault.Dataf("the labels of the outputs are %d×%d, and the data has %d rows", y.Rows, y.Cols, m)
	}
	if k := p.Kernel; k != nil && (k.Rows != m || k.Cols != m) {
		return fault.Dataf("the kernel matrix is %d×%d, and the data has %d rows", k.Rows, k.Cols, m)
	}
	return nil
}

// checkValid refuses rows for validation that do not match the others.
func (p *Problem) checkValid() error {
	v := p.Valid
	switch {
	case v == nil:
		return nil
	case p.Kernel != nil:
		return fault.Dataf("rows for validation have features, and a kernel matrix has none")
	case p.Labels != nil:
		return fault.Dataf("rows for validation have one label each, and there are several outputs")
	}
	if v.X == nil || v.Queries == nil {
		return fault.Dataf("Problem.Valid has no features or no queries")
	}
	_, n := p.Set.X.Dims()
	if _, other := v.X.Dims(); other != n {
		return &fault.Error{Kind: fault.Data, Code: FaultValidation,
			Err: fmt.Errorf("the rows have %d features, and those of training %d", other, n)}
	}
	if v.Names == nil || p.Set.Names == nil {
		return nil
	}
	for j, want := range p.Set.Names {
		switch {
		case want == "" || j < len(v.Names) && v.Names[j] == want:
		case j >= len(v.Names):
			return &fault.Error{Kind: fault.Data, Code: FaultValidation,
				Err: fmt.Errorf("feature %d, %q in training, is missing", j+1, want)}
		default:
			return &fault.Error{Kind: fault.Data, Code: FaultFeatureOrder,
				Err: fmt.Errorf("feature %d is %q but %q in training", j+1, v.Names[j], want)}
		}
	}
	return nil
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
