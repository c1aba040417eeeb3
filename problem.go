package pairrank

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/pref"
)

// Problem is what is to be learnt from: m rows with n features each, their labels
// and the queries within which they are ranked.
type Problem struct {
	// Set has the rows, their labels and their queries, which are needed beside Labels and
	// Preferences, too: data.OneList where all rows are one list. It is not changed, unless
	// Options.InPlace allows it.
	Set *data.Set
	// Labels, where it is not nil, are the labels of v outputs, m×v, instead of those
	// of Set. Each output has a λ of its own.
	Labels *data.Dense
	// Preferences, where it is not nil, say which rows are preferred to which, instead
	// of the labels. Those of Weight 0 are not learnt from, but count in the held-out
	// error.
	Preferences []pref.Edge
	// Kernel, where it is not nil, is the kernel matrix of the rows, m×m, symmetric and
	// positive semidefinite, instead of their features.
	Kernel *data.Dense
	// Valid, where it is not nil, are rows of their own by which λ is chosen, with the
	// features of Set: they are normalised as those are.
	Valid *data.Set
}

// Rows makes a set of m rows x with n features each and their labels y. queries names
// the query of each row, in any order; nil makes one list of all rows. The features
// are copied and y is kept. The cost is O(mn). It returns an error where the lengths
// differ.
func Rows(x [][]float64, y []float64, queries []string) (*data.Set, error) {
	if len(x) == 0 {
		return nil, fault.Dataf("there are no rows")
	}
	m, n := len(x), len(x[0])
	if len(y) != m {
		return nil, fault.Dataf("%d rows with %d labels", m, len(y))
	}
	if queries != nil && len(queries) != m {
		return nil, fault.Dataf("%d rows with %d names of queries", m, len(queries))
	}
	set := &data.Set{Y: y, Queries: data.OneList(m), HasQID: queries != nil}
	rows := data.NewDense(m, n, nil)
	for i, row := range x {
		if len(row) != n {
			return nil, fault.Dataf("row %d has %d features, and row 1 has %d", i+1, len(row), n)
		}
		copy(rows.Row(i), row)
	}
	set.X = rows
	if queries != nil {
		set.Queries = queriesOf(queries)
	}
	return set, nil
}

// queriesOf numbers names of queries in the order in which they come first.
func queriesOf(names []string) *data.Partition {
	number, of := map[string]int32{}, make([]int32, len(names))
	var ids []string
	for i, name := range names {
		q, known := number[name]
		if !known {
			q = int32(len(ids))
			number[name] = q
			ids = append(ids, name)
		}
		of[i] = q
	}
	return data.NewQueries(of, ids)
}

// check refuses what does not fit together, before anything is computed.
func (p *Problem) check() error {
	if p.Set == nil || p.Kernel == nil && p.Set.X == nil {
		return fault.Dataf("a problem has a Set of rows")
	}
	if p.Set.Queries == nil {
		return fault.Dataf("Problem.Set.Queries is nil: data.OneList(m) makes one list of m rows")
	}
	if p.Labels != nil && p.Preferences != nil {
		return fault.Dataf("labels of outputs and preferences are two ways to say what is compared")
	}
	if e := p.Preferences; len(e) > 0 && !slices.ContainsFunc(e, func(e pref.Edge) bool { return e.Weight != 0 }) {
		return &fault.Error{Kind: fault.Data, Code: FaultNothing, Err: errors.New("every preference has weight 0, so nothing can be learnt: Weight is 1 where all count alike")}
	}
	return cmp.Or(p.checkRows(), p.checkParts(), p.checkValid())
}

// checkRows refuses a set whose parts differ in their number of rows, and labels that are
// not finite.
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
		return fault.Dataf("the label of row %d is %v", i+1, p.Set.Y[i])
	}
	return nil
}

// checkParts refuses labels of outputs, preferences and kernel matrices that are not of
// the rows.
func (p *Problem) checkParts() error {
	m := len(p.Set.Y)
	if p.Labels != nil {
		data.Check("pairrank: Problem.Labels", p.Labels)
	}
	if p.Kernel != nil {
		data.Check("pairrank: Problem.Kernel", p.Kernel)
	}
	for _, e := range p.Preferences {
		if min(e.I, e.J) < 0 || max(e.I, e.J) >= m {
			return fault.Dataf("a preference is of rows %d and %d, which count from 0, and there are %d", e.I, e.J, m)
		}
	}
	if y := p.Labels; y != nil && (y.Rows != m || y.Cols == 0) {
		return fault.Dataf("the labels of the outputs are %d×%d, and the data has %d rows", y.Rows, y.Cols, m)
	}
	if k := p.Kernel; k != nil && (k.Rows != m || k.Cols != m) {
		return fault.Dataf("the kernel matrix is %d×%d, and the data has %d rows", k.Rows, k.Cols, m)
	}
	return nil
}

// checkValid refuses rows for validation that the others do not go with.
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
		return &fault.Error{Kind: fault.Data, Code: FaultValidation, Err: fmt.Errorf("the rows have %d features, and those of training %d", other, n)}
	}
	if v.Names == nil || p.Set.Names == nil {
		return nil
	}
	for j, want := range p.Set.Names {
		switch {
		case want == "" || j < len(v.Names) && v.Names[j] == want:
		case j >= len(v.Names):
			return &fault.Error{Kind: fault.Data, Code: FaultValidation, Err: fmt.Errorf("feature %d, %q in training, is missing", j+1, want)}
		default:
			return &fault.Error{Kind: fault.Data, Code: FaultFeatureOrder, Err: fmt.Errorf("feature %d is %q but %q in training", j+1, v.Names[j], want)}
		}
	}
	return nil
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
