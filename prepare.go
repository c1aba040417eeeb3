package pairrank

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/pref"
)

// featureName is the number of a feature with its name, if it has one.
func (t *trainer) featureName(j int) string {
	if names := t.problem.Set.Names; j < len(names) && names[j] != "" {
		return fmt.Sprintf("feature %d (%s)", j+1, names[j])
	}
	return fmt.Sprintf("feature %d", j+1)
}

// linear reports whether all kernels are linear in features, original or random.
func (t *trainer) linear() bool { return linear(t.o.Kernels) }

// onBasis reports whether the coefficients belong to basis rows.
func (t *trainer) onBasis() bool { return t.support != nil }

// goal is the Goal of the rows, nil for learners without one.
func (t *trainer) goal() (*pref.Goal, error) { return t.learner.goal(t) }

// compared is the queries within which rows are compared.
func (t *trainer) compared() *pref.Partition {
	if t.o.AllPairs {
		return pref.OneList(t.rows())
	}
	return t.queries
}

// prepared checks a problem and its options, and prepares the rows.
func prepared(p *Problem, o EstimateOptions, estimating bool) (*trainer, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	t, err := begin(p, o)
	if err != nil {
		return nil, err
	}
	t.estimating = estimating
	if err := t.prepareLabels(); err != nil {
		return nil, err
	}
	if t.x != nil {
		t.doubtFeatures()
	}
	if err := t.judgeRepeats(); err != nil {
		return nil, err
	}
	if err := t.normalizeFeatures(); err != nil {
		return nil, err
	}
	t.warnFar()
	return t, t.prepareBasis()
}

// begin resolves the options, with the rows unchanged.
func begin(p *Problem, o EstimateOptions) (*trainer, error) {
	resolved, l, err := o.bound(p)
	if err != nil {
		return nil, err
	}
	t := newTrainer(p, resolved, &sample{y: p.Set.Y, outputs: 1, queries: p.Set.Queries, valid: p.Valid})
	t.learner, t.pairs = l, p.pairs()
	if err := cmp.Or(t.prepareGroups(), t.preparePairs()); err != nil {
		return nil, err
	}
	return t, t.prepareFeatures()
}

// checkLabelSizes refuses labels that are too large or too small for least squares, if it takes their sizes.
func (t *trainer) checkLabelSizes() error {
	l, squares := t.learner.(LeastSquares)
	if g, selects := t.learner.(Greedy); selects {
		l, squares = g.leastSquares(), true
	}
	if !squares || t.edges != nil || !l.Regression && l.Pairs.Cost != pref.Magnitude {
		return nil
	}
	return fault.LabelSizes(t.y)
}

// prepareLabels sets the labels of several outputs, and refuses labels that order nothing. It notes how many
// queries have nothing to compare.
func (t *trainer) prepareLabels() error {
	if labels := t.problem.Labels; labels != nil {
		y := make([]float64, 0, labels.Rows*labels.Cols)
		for i := range labels.Rows {
			y = append(y, labels.Row(i)...)
		}
		t.sample = t.relabelled(y, labels.Cols)
	}
	t.binarize()
	if err := cmp.Or(t.checkValidLabels(), t.checkLabelSizes()); err != nil {
		return err
	}
	if t.outputs > 1 || t.problem.Labels != nil || t.edges != nil {
		return nil
	}
	if err := sameLabels(t.y); err != nil {
		if t.o.Threshold != nil && sameLabels(t.problem.Set.Y) == nil {
			return fault.Optionf("Threshold", "%v gives every row the label %v", *t.o.Threshold, t.y[0])
		}
		return err
	}
	if single, alike := idleQueries(t.y, t.problem.Set.Queries); single+alike > 0 && t.problem.Set.HasQID {
		t.journal.Note(NoteIdleQueries, "%d of %d queries have nothing to compare: %d with one row, %d with one "+
			"label", single+alike, t.queries.Len(), single, alike)
	}
	return nil
}

// binarize makes two labels of more if the options ask for it.
func (t *trainer) binarize() {
	if t.o.Threshold == nil {
		return
	}
	t.y = slices.Clone(t.y)
	data.Binarize(t.y, *t.o.Threshold)
	if t.valid != nil {
		valid := *t.valid
		valid.Y = slices.Clone(valid.Y)
		data.Binarize(valid.Y, *t.o.Threshold)
		t.valid = &valid
	}
}

// checkValidLabels refuses rows for validation with which nothing can be chosen.
func (t *trainer) checkValidLabels() error {
	if t.valid == nil {
		return nil
	}
	if single, alike := idleQueries(t.valid.Y, t.valid.Queries); single+alike == t.valid.Queries.Len() {
		return &fault.Error{Kind: fault.Data, Code: FaultValidation,
			Err: errors.New("no two rows of a query have different labels, so there is nothing to choose by")}
	}
	return nil
}

// sameLabels refuses labels that are all equal: they order nothing.
func sameLabels(y []float64) error {
	if slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
		return nil
	}
	if len(y) == 1 {
		return &fault.Error{Kind: fault.Data, Code: FaultOneRow,
			Err: errors.New("there is only one row, so nothing can be learnt about an order")}
	}
	return &fault.Error{Kind: fault.Data, Code: FaultOneLabel,
		Err: fmt.Errorf("all %d labels are %v, so nothing can be learnt about their order", len(y), y[0])}
}

// idleQueries counts the queries with one row, and those with several rows and a single label: they have
// nothing to compare.
func idleQueries(y []float64, queries *data.Partition) (single, alike int) {
	for g := range queries.Len() {
		rows := queries.Part(g)
		switch {
		case len(rows) == 1:
			single++
		case !slices.ContainsFunc(rows, func(i int32) bool { return y[i] != y[rows[0]] }):
			alike++
		}
	}
	return single, alike
}

// prepareBasis sets the rows of a basis: given, or drawn by the seed. For a kernel map without a basis they are
// all rows.
func (t *trainer) prepareBasis() error {
	m := t.rows()
	basis, mapped := t.learner.basis()
	if err := basis.check(m); err != nil {
		return err
	}
	switch {
	case basis.Rows != nil:
		t.support = slices.Sorted(slices.Values(basis.Rows))
	case basis.Size > 0:
		r := rand.New(rand.NewPCG(t.o.Seed, 0x6261736973))
		t.support = r.Perm(m)[:basis.Size]
		slices.Sort(t.support)
	case mapped:
		t.support = indices(m) // the whole space: the optimum lies in it
	}
	return nil
}
