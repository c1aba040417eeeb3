package rows

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/procedure"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/pref"
)

// Pairs are pairs of rows in place of labels, and know which of them are left out together. Package internal/compared
// has those of preferences and of comparisons.
type Pairs interface {
	// Check refuses pairs that do not match the rows; labels says that outputs have labels, too.
	Check(labels bool) error
	// CheckMethod refuses a method, unless it is nil, that leaves out something else than units of pairs.
	CheckMethod(m *cv.Method) error
	// Teach returns the pairs that teach, with the targets and weights of a cost: the preferred row first, and ties with
	// magnitude 0. Lines is in how many lines they come.
	Teach(cost pref.Cost) []pref.Edge
	Lines() int
	// Leave returns what is left out together: the method, unless it is nil. exact says that this needs no training.
	Leave(m *cv.Method, exact bool) (cv.Method, error)
	// Source leaves out units of the pairs.
	Source(b Between) procedure.Divisible
	// Fact says in a model file what the rows were compared by.
	Fact() string
}

// compares reports whether rows are compared by pairs, which replace labels.
func (p *Problem) compares() bool { return p.Pairs != nil }

// pairsLeave reports whether units of pairs are left out, not rows.
func (t *trainer) pairsLeave() bool { return t.edges != nil && t.valid == nil }

// preparePairs sets the pairs that teach, and notes what the learner leaves out.
func (t *trainer) preparePairs() error {
	p := t.problem
	if !p.compares() {
		return nil
	}
	if p.Set.Groups != nil || p.Set.Folds != nil {
		return &fault.Error{Kind: fault.Data, Code: FaultGroups, Err: errors.New("groups and folds of rows are for labels: " +
			"of preferences and comparisons pairs, items, annotators or strata are left out")}
	}
	edges := p.Pairs.Teach(pref.Magnitude)
	if n := len(edges); n > 0 && tiesOf(edges) == n {
		return fault.Dataf("there is no winner in %s, so nothing can be learnt about an order",
			spell.Plural(p.Pairs.Lines(), "comparison"))
	}
	target := pref.Magnitude
	switch l := t.learner.(type) {
	case LeastSquares:
		target = l.Pairs.Cost
	case RankSVM:
		target = pref.Unit // an order, no magnitude
		if differ(edges) {
			t.journal.Add(event.Note{Code: NoteMagnitudes, Text: "ranksvm learns the order alone: magnitudes say no more",
				Remedy: "RankRLS learns magnitudes, and weights say how much a comparison counts"})
		}
	}
	if ties := tiesOf(edges); ties > 0 && target != pref.Magnitude {
		why := fmt.Sprintf("the %s cost has no target for them", target)
		if _, is := t.learner.(RankSVM); is {
			why = "the hinge has no order for them"
		}
		t.journal.Note(NoteTies, "%s left out: %s", spell.Plural(ties, "preference")+" without a preferred row "+
			map[bool]string{true: "is", false: "are"}[ties == 1], why)
	}
	t.edges = p.Pairs.Teach(target)
	if p.Pairs.Lines() == 0 {
		return fault.As(fault.Data, FaultNothing, pref.ErrNothingToLearn)
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

// prepareLeaving sets which pairs are left out together.
func (t *trainer) prepareLeaving() (err error) {
	if t.pairsLeave() {
		t.leaves, err = t.problem.Pairs.Leave(t.wanted, t.exact() != nil)
	}
	return err
}

// divisible is the source of the rows.
func (t *trainer) divisible() procedure.Divisible {
	s := newSource(t)
	if t.pairsLeave() {
		return t.problem.Pairs.Source(Between{s})
	}
	return s
}

// Between is the rows under one kernel, for a source that leaves out pairs of them and no rows.
type Between struct{ *source }

// Plan is the resolved options.
func (b Between) Plan() *Plan { return b.o }

// Leaves is what is left out together.
func (b Between) Leaves() cv.Method { return b.leaves }

// Kernel is the kernel, and At the same rows under kernel k of the options.
func (b Between) Kernel() kernel.Kernel { return b.spec }
func (b Between) At(k int) Between      { return Between{b.source.Under(k).(*source)} }

// Parameter is what the candidates are values of, and Candidates are the values to choose from by training again.
func (b Between) Parameter() cv.Parameter { return b.learner.parameter() }
func (b Between) Candidates() ([]float64, error) {
	return b.learner.candidates(b.trainer, b.aim, nil)
}

// Root is R with RRᵀ the inner products of the rows, but for a constant of each row; nil where nothing is factored.
// weighs says that its columns are features. Cost O(m³) for a kernel matrix.
func (b Between) Root() (root *data.Dense, weighs bool, err error) {
	exact := b.exact()
	if err := b.target(); err != nil || exact == nil {
		return nil, false, err
	}
	_, weighs = b.solution.form.(primal)
	root, err = exact.root(b.trainer)
	return root, weighs, err
}

// Again returns a function that trains on some of the pairs for each candidate, and emits the scores of all rows: 0
// where the pairs teach nothing.
func (b Between) Again(ctx context.Context, candidates []float64) (func(edges []pref.Edge,
	emit func(l int, scores []float64)) error, error) {
	all := indices(b.rows())
	held := &heldRows{whole: b.trainer, rows: all}
	if _, mapped := b.learner.basis(); mapped && b.onBasis() { // made once, and not for each part
		if _, err := b.mappedRows(); err != nil {
			return nil, err
		}
	}
	return func(edges []pref.Edge, emit func(l int, scores []float64)) error {
		part := b.of(b.comparing(edges), b.round)
		part.lowered, part.k, part.whole, part.within = b.lowered, b.k, b.trainer, all
		err := b.learner.predict(ctx, part, nil, held, candidates, func(l int, h cv.Held) { emit(l, h.F.Data) })
		if !errors.Is(err, pref.ErrNothingToLearn) {
			return err
		}
		for l := range candidates {
			emit(l, make([]float64, b.rows()))
		}
		return nil
	}, nil
}
