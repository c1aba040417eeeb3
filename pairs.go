package pairrank

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/compared"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/procedure"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/pref"
)

// compares reports whether rows are compared by preferences or comparisons, which replace labels.
func (p *Problem) compares() bool { return p.Preferences != nil || p.Comparisons != nil }

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
	t.edges = t.pairs.Teach(target)
	if t.pairs.Lines() == 0 {
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
		t.leaves, err = t.pairs.Leave(t.wanted, t.exact() != nil)
	}
	return err
}

// divisible is the source of the rows.
func (t *trainer) divisible() procedure.Divisible {
	s := newSource(t)
	if t.pairsLeave() {
		return t.pairs.Source(between{s})
	}
	return s
}

// between is rows as compared.Rows.
type between struct{ *source }

func (b between) Options() cv.Options { return cv.Options{Candidates: b.lambdas, Seed: b.o.Seed} }

func (b between) HoldsOut() bool { return b.o.HeldOut }

func (b between) Leaves() cv.Method { return b.leaves }

func (b between) Kernel() kernel.Kernel { return b.spec }

func (b between) At(k int) compared.Rows { return between{b.Under(k).(*source)} }

func (b between) Parameter() cv.Parameter { return b.learner.parameter() }

func (b between) Candidates() ([]float64, error) { return b.learner.candidates(b.trainer, b.aim, nil) }

func (b between) Root() (root *data.Dense, weighs bool, err error) {
	exact := b.exact()
	if err := b.target(); err != nil || exact == nil {
		return nil, false, err
	}
	_, weighs = b.solution.form.(primal)
	root, err = exact.root(b.trainer)
	return root, weighs, err
}

func (b between) Again(ctx context.Context, candidates []float64) (func(edges []pref.Edge,
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
