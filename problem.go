package pairrank

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/compared"
	"pairrank/pref"
)

// Problem is the data of a training: m rows with n features each, their labels, and the queries within which
// they are ranked.
type Problem struct {
	// Set has the rows, their labels and their queries; data.OneList makes all rows one list. Labels,
	// Preferences and Comparisons need Set, too. Set is not changed unless Options.InPlace allows it.
	//
	// With Set.Weights a pair of rows i, j counts w_i w_j times, in training and in held-out errors. A row of weight 0
	// is no row: results are those of the rows that are left, in their order. A weight belongs to the features of its
	// row: permuted labels leave it where it is.
	Set *data.Set
	// Labels, unless nil, replaces the labels of Set by those of v outputs, m×v. Each output gets a separate λ.
	Labels *data.Dense
	// Preferences, unless nil, replaces the labels by pairs of rows, the first preferred to the second. One of
	// Magnitude 0 is a tie, and one of Weight 0 is left out.
	Preferences []pref.Edge
	// Comparisons, unless nil, replaces the labels by comparisons between rows: wins of either, ties and their
	// counts, with weights, magnitudes, annotators and strata. Its items are the rows of Set; its Items, which
	// name them, may be nil, and it has no covariates, Features or Residual.
	Comparisons *comparison.Problem
	// Kernel, unless nil, replaces the features by the kernel matrix of the rows, m×m, symmetric and positive
	// semidefinite.
	Kernel *data.Dense
	// Valid, unless nil, has separate rows for the choice of λ. They have the features of Set and are
	// normalised as those of Set.
	Valid *data.Set
}

// Rows makes a set of m rows x with n features each and labels y. queries[i] names the query of row i, in any
// order; nil makes one list of all rows. Rows copies the features and keeps y. It costs O(mn). It returns an
// error if the lengths differ.
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

// queriesOf numbers the names of queries in the order of their first appearance.
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

// check refuses parts that contradict each other, before anything is computed.
func (p *Problem) check() error {
	if p.Set == nil || p.Kernel == nil && p.Set.X == nil {
		return fault.Dataf("a problem has a Set of rows")
	}
	if p.Set.Queries == nil {
		return fault.Dataf("Problem.Set.Queries is nil: data.OneList(m) makes one list of m rows")
	}
	if err := cmp.Or(p.checkRows(), p.checkTimes(), p.checkParts(), p.checkWeights()); err != nil {
		return err
	}
	if p.compares() {
		if err := p.pairs().Check(p.Labels != nil); err != nil {
			return err
		}
	}
	return p.checkValid()
}

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

// checkTimes refuses censored times that order nothing, and other labels beside them.
func (p *Problem) checkTimes() error {
	if v := p.Valid; v != nil && (v.Censored != nil) != p.timed() {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultValidation,
			Err: errors.New("the rows of training or those for validation have censored times, and the others labels")}
	}
	if p.replacesLabels() {
		return p.refuseTimes("preferences, comparisons and labels of outputs would replace them")
	}
	for _, s := range []*data.Set{p.Set, p.Valid} {
		if s == nil || s.Censored == nil {
			continue
		}
		if len(s.Censored) != len(s.Y) {
			return fault.Dataf("%d times with %d marks of censored ones", len(s.Y), len(s.Censored))
		}
		if i := slices.IndexFunc(s.Y, func(t float64) bool { return t < 0 }); i >= 0 {
			return fault.Dataf("the time of %s is %v, below 0", s.Called(i), s.Y[i])
		}
		if !slices.Contains(s.Censored, false) {
			return fault.Dataf("all %d times are censored, so that nothing is known of their order", len(s.Y))
		}
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

// checkWeights refuses weights of rows that are no weights, and those beside pairs that have their own.
func (p *Problem) checkWeights() error {
	if p.Set.Weights != nil && p.compares() {
		return &fault.Error{Kind: fault.Use, Code: codes.FaultWeights, Err: errors.New("weights of rows are of labels: " +
			"preferences and comparisons have weights of their own")}
	}
	for _, set := range []*data.Set{p.Set, p.Valid} {
		if set == nil || set.Weights == nil {
			continue
		}
		if n, m := len(set.Weights), len(set.Y); n != m {
			return fault.Dataf("%d labels of rows with %d weights", m, n)
		}
		for i, w := range set.Weights {
			if !(w >= 0) || math.IsInf(w, 1) {
				return &fault.Error{Kind: fault.Data, Code: codes.FaultWeights,
					Err: fmt.Errorf("the weight of %s is %v: a weight is finite and at least 0", set.Called(i), w)}
			}
		}
		if !slices.ContainsFunc(set.Weights, func(w float64) bool { return w > 0 }) {
			return fault.Dataf("all rows have weight zero: none is left")
		}
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
		return &fault.Error{Kind: fault.Data, Code: codes.FaultValidation,
			Err: fmt.Errorf("the rows have %d features, and those of training %d", other, n)}
	}
	if v.Names == nil || p.Set.Names == nil {
		return nil
	}
	for j, want := range p.Set.Names {
		switch {
		case want == "" || j < len(v.Names) && v.Names[j] == want:
		case j >= len(v.Names):
			return &fault.Error{Kind: fault.Data, Code: codes.FaultValidation,
				Err: fmt.Errorf("feature %d, %q in training, is missing", j+1, want)}
		default:
			return &fault.Error{Kind: fault.Data, Code: codes.FaultFeatureOrder,
				Err: fmt.Errorf("feature %d is %q but %q in training", j+1, v.Names[j], want)}
		}
	}
	return nil
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// weighted is the problem without rows of weight 0, and without weights where all are 1; the same where there are none.
// The weights of its rows are checked.
func (p *Problem) weighted() *Problem {
	out := *p
	out.Valid, _ = present(p.Valid)
	set, rows := present(p.Set)
	out.Set, out.Valid = unlessOnes(set), unlessOnes(out.Valid)
	if rows == nil {
		return &out
	}
	if p.Labels != nil {
		out.Labels = p.Labels.SelectRows(rows)
	}
	if p.Kernel != nil {
		out.Kernel = p.Kernel.Submatrix(rows, rows)
	}
	return &out
}

// present are the rows of a set with a weight above 0; rows is nil where these are all.
func present(set *data.Set) (of *data.Set, rows []int) {
	if set == nil || !slices.Contains(set.Weights, 0) {
		return set, nil
	}
	for i, w := range set.Weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	if set.X != nil {
		return set.Subset(rows), rows
	}
	bare := *set
	bare.X = data.NewDense(len(set.Y), 0, nil)
	of = bare.Subset(rows)
	of.X = nil
	return of, rows
}

// unlessOnes is the set, without weights that are all 1.
func unlessOnes(set *data.Set) *data.Set {
	if set == nil || set.Weights == nil || slices.ContainsFunc(set.Weights, func(w float64) bool { return w != 1 }) {
		return set
	}
	plain := *set
	plain.Weights = nil
	return &plain
}

// pairs are the preferences or comparisons, nil if there are none.
func (p *Problem) pairs() *compared.Pairs { return compared.Of(p.Set, p.Preferences, p.Comparisons) }

// replacesLabels reports whether the labels of the set are replaced.
func (p *Problem) replacesLabels() bool { return p.Labels != nil || p.compares() }

// timed reports whether the labels of the set are censored times.
func (p *Problem) timed() bool { return p.Set != nil && p.Set.Censored != nil }

// refuseTimes refuses censored times as labels, for a reason.
func (p *Problem) refuseTimes(why string) error { return refused(p.timed(), why) }

// refused is the error about censored times, nil unless they are refused.
func refused(times bool, why string) error {
	if !times {
		return nil
	}
	return &fault.Error{Kind: fault.Use, Code: codes.FaultTimes, Err: errors.New("labels are censored times: " + why)}
}
