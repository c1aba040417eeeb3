package pairrank

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/parallel"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// goal is the Goal of the rows, nil for learners without one.
func (t *trainer) goal() (*goals.Goal, error) { return t.learner.goal(t) }

// prepared checks a problem and its options, and prepares the rows.
func prepared(p *Problem, o EstimateOptions, estimating bool) (*trainer, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	t, err := begin(p.weighted(), o)
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
	return t, cmp.Or(t.prepareSplines(), t.prepareBasis())
}

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

// begin resolves the options, with the rows unchanged.
func begin(p *Problem, o EstimateOptions) (*trainer, error) {
	resolved, l, err := o.bound(p)
	if err != nil {
		return nil, err
	}
	t := newTrainer(p, resolved, &sample{y: p.Set.Y, weights: p.Set.Weights, outputs: 1, queries: p.Set.Queries,
		valid: p.Valid})
	if !p.replacesLabels() {
		t.censored = p.Set.Censored
	}
	t.learner, t.pairs = l, p.pairs()
	if err := cmp.Or(t.checkWeighs(), t.prepareGroups(), t.preparePairs()); err != nil {
		return nil, err
	}
	return t, t.prepareFeatures()
}

// prepareGroups sets the groups of rows that leave together, and the given folds, and refuses those that the
// options contradict.
func (t *trainer) prepareGroups() error {
	set := t.problem.Set
	if set.Groups != nil && set.Groups.Len() < t.rows() {
		t.groups = set.Groups
	}
	if set.Folds == nil {
		return nil
	}
	t.givenFolds = set.Folds
	if t.givenFolds.Len() < 2 {
		return fault.Dataf("all rows are of one fold, so that none can be left out")
	}
	if m := t.wanted; m != nil && m.Kind != cv.KFold {
		return fault.Optionf("Method", "%s leaves out other rows than the given folds", m)
	}
	if m := t.wanted; m != nil && m.Folds != t.givenFolds.Len() {
		return fault.Optionf("Method", "%s deals folds, and %d are given", m, t.givenFolds.Len())
	}
	if t.queries.Len() > 1 && !t.queries.Refines(t.givenFolds) {
		return fault.Dataf("the given folds cut %s, whose rows are compared and leave together",
			cutPart(t.queries, t.givenFolds))
	}
	if t.groups != nil && !t.groups.Refines(t.givenFolds) {
		return fault.Dataf("the given folds cut a group, whose rows leave together")
	}
	return nil
}

// preparePairs sets the pairs that teach, and notes what the learner leaves out.
func (t *trainer) preparePairs() error {
	p := t.problem
	if !p.compares() {
		return nil
	}
	if p.Set.Groups != nil || p.Set.Folds != nil {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultGroups,
			Err: errors.New("groups and folds of rows are for labels: " +
				"of preferences and comparisons pairs, items, annotators or strata are left out")}
	}
	edges := t.pairs.Teach(pref.Magnitude)
	if n := len(edges); n > 0 && tiesOf(edges) == n {
		return fault.Dataf("there is no winner in %s, so nothing can be learnt about an order",
			spell.Plural(t.pairs.Lines(), "comparison"))
	}
	target := pref.Magnitude
	switch l := t.learner.(type) {
	case LeastSquares:
		target = l.Pairs.Cost
	case RankSVM:
		target = pref.Unit // an order, no magnitude
		if differ(edges) {
			t.journal.Add(event.Note{Code: codes.NoteMagnitudes, Text: "ranksvm learns the order alone: magnitudes say no more",
				Remedy: "RankRLS learns magnitudes, and weights say how much a comparison counts"})
		}
	}
	if ties := tiesOf(edges); ties > 0 && target != pref.Magnitude {
		why := fmt.Sprintf("the %s cost has no target for them", target)
		if _, is := t.learner.(RankSVM); is {
			why = "the hinge has no order for them"
		}
		t.journal.Note(codes.NoteTies, "%s left out: %s", spell.Plural(ties, "preference")+" without a preferred row "+
			map[bool]string{true: "is", false: "are"}[ties == 1], why)
	}
	if target != pref.Magnitude {
		edges = t.pairs.Teach(target)
	}
	t.edges = edges
	if t.pairs.Lines() == 0 {
		return fault.As(fault.Data, codes.FaultNothing, goals.ErrNothingToLearn)
	}
	return nil
}

// differ reports whether the magnitudes of preferences differ, apart from 0.
func differ(edges []pref.Edge) bool {
	first := slices.IndexFunc(edges, func(e pref.Edge) bool { return e.Magnitude != 0 })
	return first >= 0 && slices.ContainsFunc(edges[first:], func(e pref.Edge) bool {
		return e.Magnitude != 0 && e.Magnitude != edges[first].Magnitude
	})
}

// tiesOf counts the preferences of magnitude 0.
func tiesOf(edges []pref.Edge) (n int) {
	for _, e := range edges {
		if e.Magnitude == 0 {
			n++
		}
	}
	return n
}

// checkWeighs refuses drawn pairs of rows with weights.
func (t *trainer) checkWeighs() error {
	if t.weights == nil && (t.valid == nil || t.valid.Weights == nil) {
		return nil
	}
	return fault.Refuse(t.o.PairsSample > 0, "PairsSample", "draws pairs that count alike, and rows have weights")
}

// prepareFeatures sets the rows to learn from: features, not normalised yet, or a kernel matrix. It changes a
// copy, unless Options.InPlace allows it to change the original.
func (t *trainer) prepareFeatures() error {
	if k := t.problem.Kernel; k != nil {
		t.given = k
		if !t.o.InPlace {
			t.given = k.Clone()
		}
		return symmetric(t.given)
	}
	set := t.problem.Set
	t.x = set.X
	_, n := t.x.Dims()
	if err := t.checkWidth(); err != nil {
		return err
	}
	if n == 0 {
		return fault.Dataf("the data has no features, so every row gets the same score")
	}
	if i, v := data.FirstNotFinite(t.x); i >= 0 {
		return fault.Dataf("%s has a feature that is %v", set.Called(i), v)
	}
	return nil
}

// symmetric refuses a matrix that is asymmetric beyond rounding, and removes the rounding.
func symmetric(k *data.Dense) error {
	largest, apart, at := 0.0, 0.0, [2]int{}
	for i := range k.Rows {
		row := k.Row(i)
		for j := range i {
			largest = max(largest, row[j], -row[j])
			if d := row[j] - k.Row(j)[i]; d > apart || -d > apart {
				apart, at = max(d, -d), [2]int{i + 1, j + 1}
			}
		}
		largest = max(largest, row[i], -row[i])
	}
	if apart > 1e-6*largest {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultAsymmetric,
			Err: fmt.Errorf("the kernel matrix is not symmetric: entries (%d,%d) and (%d,%d) differ by %.3g",
				at[0], at[1], at[1], at[0], apart)}
	}
	for i := range k.Rows {
		for j := range i {
			mean := (k.Row(i)[j] + k.Row(j)[i]) / 2
			k.Row(i)[j], k.Row(j)[i] = mean, mean
		}
	}
	return nil
}

// checkWidth refuses features if vectors of them do not fit into memory. It counts those that are made before a
// solver is chosen; the solver counts its vectors itself.
func (t *trainer) checkWidth() error {
	vectors := data.NormalizerVectors(t.o.Normalize, t.x)
	if t.problem.Set.Names != nil {
		vectors += 2
	}
	if _, sparse := t.x.(*data.CSR); sparse && !t.linear() {
		vectors += float64(parallel.Workers()) // each thread expands one row
		if t.clinical() {
			vectors += float64(t.rows()) // it expands all
		}
	}
	return rows.CheckWidth(t.x, vectors)
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
	if t.censored != nil && t.rows() > 1 {
		return t.announceTimes()
	}
	if err := sameLabels(t.y); err != nil {
		if t.o.Threshold != nil && sameLabels(t.problem.Set.Y) == nil {
			return fault.Optionf("Threshold", "%v gives every row the label %v", *t.o.Threshold, t.y[0])
		}
		return err
	}
	if single, alike := idleQueries(t.y, t.problem.Set.Queries); single+alike > 0 && t.problem.Set.HasQID {
		t.journal.Note(codes.NoteIdleQueries, "%d of %d queries have nothing to compare: %d with one row, %d with one "+
			"label", single+alike, t.queries.Len(), single, alike)
	}
	return nil
}

// announceTimes says how scores are to be read that censored times teach, and refuses times of which none can be
// compared. It notes how many queries have nothing to compare.
func (t *trainer) announceTimes() error {
	if parts := t.compared(); goals.Incomparable(t.y, t.censored, parts) == parts.Len() {
		return fault.As(fault.Data, codes.FaultNothing, goals.ErrIncomparable)
	}
	events := 0
	for _, is := range t.censored {
		if !is {
			events++
		}
	}
	t.journal.Note(codes.NoteTimes,
		"labels are times until an event, which %d of %s had: the score grows with the time", events,
		spell.Plural(t.rows(), "row"))
	if idle := goals.Incomparable(t.y, t.censored, t.queries); idle > 0 && t.problem.Set.HasQID {
		t.journal.Note(codes.NoteIdleQueries, "%d of %d queries have no two times that can be compared", idle,
			t.queries.Len())
	}
	return nil
}

// compared is the queries within which rows are compared.
func (t *trainer) compared() *data.Partition {
	if t.o.AllPairs {
		return data.OneList(t.rows())
	}
	return t.queries
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
	if v := t.valid; v.Censored != nil {
		if goals.Incomparable(v.Y, v.Censored, v.Queries) == v.Queries.Len() {
			return fault.As(fault.Data, codes.FaultValidation, goals.ErrIncomparable)
		}
		return nil
	}
	if single, alike := idleQueries(t.valid.Y, t.valid.Queries); single+alike == t.valid.Queries.Len() {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultValidation,
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
		return &fault.Error{Kind: fault.Data, Code: codes.FaultOneRow,
			Err: errors.New("there is only one row, so nothing can be learnt about an order")}
	}
	return &fault.Error{Kind: fault.Data, Code: codes.FaultOneLabel,
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
