package pairrank

import (
	"context"
	"errors"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/compared"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/kernel"
	"pairrank/pref"
)

// compares reports whether rows are compared by preferences or comparisons, which replace labels.
func (p *Problem) compares() bool { return p.Preferences != nil || p.Comparisons != nil }

// pairsLeave reports whether units of pairs are left out, not rows.
func (t *trainer) pairsLeave() bool { return t.edges != nil && t.valid == nil }

// between is rows as compared.Rows.
type between struct{ *source }

func (b between) Options() holdout.Options {
	return holdout.Options{Candidates: b.lambdas, Seed: b.o.Seed}
}

func (b between) HoldsOut() bool { return b.o.HeldOut }

func (b between) Kernel() kernel.Kernel { return b.spec }

func (b between) At(k int) compared.Rows { return between{b.Under(k).(*source)} }

func (b between) Parameter() cv.Parameter { return b.learner.parameter() }

func (b between) Candidates() ([]float64, error) { return b.learner.candidates(b.trainer, b.aim, nil) }

func (b between) Root() (root *data.Dense, weighs bool, err error) {
	exact := b.solution.exact
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
		err := b.learner.predict(ctx, part, nil, held, candidates, func(l int, h holdout.Held) { emit(l, h.F.Data) })
		if !errors.Is(err, goals.ErrNothingToLearn) {
			return err
		}
		for l := range candidates {
			emit(l, make([]float64, b.rows()))
		}
		return nil
	}, nil
}

// comparing is the same rows with other preferences.
func (r *sample) comparing(edges []pref.Edge) *sample {
	other := *r
	other.edges = edges
	return &other
}
