package relation

import (
	"context"
	"errors"
	"fmt"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
	"pairrank/pref"
	"pairrank/relation/kron"
)

// nest estimates the error of the whole procedure: each outer fold of the setting is
// predicted by choosing λ on what its training has, and training on that (Varma and Simon
// 2006, Bias in error estimation when using cross-validation for model selection).
func (p *problem) nest(ctx context.Context, e *Estimated) error {
	if p.o.Nested == (cv.Method{}) {
		return nil
	}
	if p.o.Solver == Closed && p.o.Setting == kron.Pairs {
		return p.o.checkFolds(p.o.Nested)
	}
	s := p.o.split(p.o.Nested)
	s.seed++
	g := p.graph()
	f, err := g.deal(s)
	if err != nil {
		return &Error{Kind: Use, Option: "Nested", Err: fmt.Errorf("holds out nothing: %w", err)}
	}
	tell, end := p.o.Monitor.Task("nested estimate over "+p.o.Nested.String(), 0)
	defer end()
	f.tell = tell
	predict := func(ctx context.Context, _ *pref.Partition, _ []float64, emit func(g, l int, held cv.Held)) error {
		return f.each(ctx, 1, emit, func(c cell, take func(l int, scores []float64)) error {
			return p.chooseAndPredict(ctx, g, c, func(scores []float64) { take(0, scores) })
		})
	}
	o := measure{lambdas: []float64{0}}.options(s, len(f.held))
	nested := &Estimated{Held: len(f.held)}
	estimates, err := cv.Measure(ctx, predict, g.labels(f.held), o)
	if nested, err = nested.of(estimates, err); err != nil {
		var none noPairsError
		if errors.As(err, &none) {
			err = fault.As(Data, "", err)
		}
		return err
	}
	e.Nested = &nested.Points[0]
	if n := e.Nested.Pairs; n < cv.FewPairs {
		p.note.Warn(NoteNested, "the outer folds of %s hold %s only: the nested error is coarse", p.o.Nested, spell.Plural(int(n), "pair"))
	}
	return nil
}

// chooseAndPredict chooses λ on the edges that a cell trains on, trains on them, and
// predicts those that it leaves out. Where there is nothing to choose by they are tied.
func (p *problem) chooseAndPredict(ctx context.Context, g *graph, c cell, take func(scores []float64)) error {
	part, _, _ := g.part(c.train)
	e, err := p.estimateGraph(ctx, part, false, nil)
	var none noPairsError
	if errors.As(err, &none) {
		take(make([]float64, len(c.test)))
		return nil
	}
	if err != nil {
		return err
	}
	_, err = g.predict(ctx, c.train, c.test, []float64{e.BestPoint().Candidate}, func(_ int, scores []float64) { take(scores) })
	return err
}

// permute tests the labels against their permutations within the rows.
func (p *problem) permute(ctx context.Context, e *Estimated) error {
	if p.o.Permutations == 0 {
		return nil
	}
	if e.Retrained {
		return errPermuteFolds(e.Method)
	}
	tell, end := p.o.Monitor.Task("permuting the labels", int64(p.o.Permutations))
	defer end()
	x := e.measured.exact.silent()
	o := measure{lambdas: lambdasOf(e.Estimate)}.options(p.o.split(e.Method), len(x.held))
	o.Progress = tell
	var err error
	e.Permutation, err = cv.PermuteFactored(ctx, x, x.g.labels(x.held), o, p.o.Permutations)
	return err
}

// errPermuteFolds is why folds have no permutation test.
func errPermuteFolds(m cv.Method) error {
	return fault.Optionf("Permutations", "needs the exact shortcut, and %s trained each fold again", m)
}

// lambdasOf are those of the points.
func lambdasOf(e *cv.Estimate) []float64 {
	out := make([]float64, len(e.Points))
	for l, p := range e.Points {
		out[l] = p.Candidate
	}
	return out
}
