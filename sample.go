package pairrank

import (
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
	"pairrank/internal/pick"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// sample is what is learnt from: m rows, with everything that the learners compare. It does not change once it is
// prepared: others are made of it.
type sample struct {
	x          data.Matrix // nil for a given kernel matrix
	given      *data.Dense // the given kernel matrix, or nil
	y          []float64   // labels, m×outputs
	censored   []bool      // of times y; nil where labels are no times
	weights    []float64   // m weights of the rows, above 0; nil where each is 1
	outputs    int
	queries    *data.Partition
	groups     *data.Partition // rows that are left out together, or nil
	givenFolds *data.Partition // nil where none are given
	edges      []pref.Edge     // the pairs that teach, or nil
	offset     *offset         // subtracted from the rows, or nil
	valid      *data.Set       // rows for validation in the same form, or nil
}

// rows is m.
func (r *sample) rows() int { return len(r.y) / r.outputs }

// features is n, 0 for a given kernel matrix.
func (r *sample) features() int {
	if r.given != nil {
		return 0
	}
	_, n := r.x.Dims()
	return n
}

// weighted returns the sum of the weights of the rows, 0 where they have none.
func (r *sample) weighted() float64 { return rows.Weighed(r.weights) }

// checkWeighs refuses drawn pairs of rows with weights.
func (t *trainer) checkWeighs() error {
	if t.weights == nil && (t.valid == nil || t.valid.Weights == nil) {
		return nil
	}
	return fault.Refuse(t.o.PairsSample > 0, "PairsSample", "draws pairs that count alike, and rows have weights")
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

// cutPart names the first part of p that parts of q cut.
func cutPart(p, q *data.Partition) string {
	of := q.Of()
	for g := range p.Len() {
		for _, i := range p.Part(g) {
			if of[i] != of[p.Part(g)[0]] {
				return fmt.Sprintf("query %q", data.ClipText(p.ID(g)))
			}
		}
	}
	return "a query"
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
	if err := t.checkWidth(); err != nil {
		return err
	}
	if t.features() == 0 {
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

// indices are the numbers from 0 to m−1.
func indices(m int) []int { return pick.All[int](m) }
