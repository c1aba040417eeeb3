package relation

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
	"pairrank/relation/kron"
)

// nest estimates the error of the whole procedure by cv.Nested: each outer test set of the
// setting is predicted by choosing λ on what its training has, and training on that.
func (p *problem) nest(ctx context.Context, e *Estimated) error {
	if p.o.Nested == (cv.Method{}) {
		return nil
	}
	e.Outer = p.outer()
	if p.o.Solver == Closed && p.o.Setting == kron.Pairs {
		return p.o.checkFolds(e.Outer)
	}
	s := p.o.scheme(e.Outer)
	s.seed++
	s.sample, s.auto = 0, false // which are of what is exact
	g := p.graph()
	splits, err := g.splits(s)
	if err != nil {
		return &Error{Kind: Use, Option: "Nested", Err: fmt.Errorf("holds out nothing: %w", err)}
	}
	tell, end := p.o.Monitor.Task("nested estimate over "+e.Outer.String(), 0)
	defer end()
	choose := func(ctx context.Context, train, test []int) (*data.Dense, error) {
		return p.chooseAndPredict(ctx, g, train, test)
	}
	point, err := cv.Nested(ctx, choose, g.labels(), cv.Options{Method: e.Outer, Splits: splits, Pooled: true, Progress: tell})
	if err != nil {
		return noPairs(err, splits)
	}
	e.Nested = &point
	if n := point.Pairs; n < cv.FewPairs {
		p.note.Warn(NoteFewPairs, "the outer folds of %s hold %s only: the nested error is coarse", e.Outer, spell.Plural(int(n), "pair"))
	}
	return nil
}

// outer is the folds of Nested, ten where it does not say how many, or as many as there
// are edges or nodes to be held out.
func (p *problem) outer() cv.Method {
	outer := p.o.Nested
	if outer.Kind == cv.KFold && outer.Folds == 0 {
		rows, cols := p.Rows.Len(), p.cols.Len()
		units := map[kron.Setting]int{kron.Pairs: len(p.Y), kron.Rows: rows, kron.Cols: cols, kron.Both: min(rows, cols)}[p.o.Setting]
		outer.Folds = max(2, min(10, units))
	}
	return outer
}

// chooseAndPredict chooses λ on some edges, trains on them, and predicts others. Where
// there is nothing to choose by they are tied.
func (p *problem) chooseAndPredict(ctx context.Context, g *graph, train, test []int) (*data.Dense, error) {
	f := data.NewDense(len(test), 1, nil)
	part := g.part(train)
	e, err := p.estimateGraph(ctx, part.graph, false, nil)
	var none *cv.NoPairsError
	if errors.As(err, &none) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = g.predict(ctx, part, test, []float64{e.BestPoint().Candidate}, e, func(_ int, scores []float64) { f.Data = scores })
	if err == nil && !allFinite(f.Data) {
		err = kron.ErrNumerical
	}
	return f, err
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
	x.kept = newLeverages()
	o := cv.Options{Method: e.Method, Splits: x.splits, Candidates: lambdasOf(e.Estimate), Seed: p.o.Seed, Progress: tell}
	var err error
	e.Permutation, err = cv.Permutations(ctx, x, x.g.labels(), o, p.o.Permutations, e.Estimate)
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
