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
	g := p.graph()
	splits, err := g.splits(s)
	if err != nil {
		return &Error{Kind: Use, Option: "Nested", Err: fmt.Errorf("holds out nothing: %w", err)}
	}
	tell, end := p.o.Monitor.Task("nested estimate over "+e.Outer.String(), 0)
	defer end()
	choose := func(ctx context.Context, train, test []int) (*data.Dense, error) {
		return p.chooseAndPredict(ctx, g, 1/float64(splits.Len()), train, test)
	}
	point, err := cv.Nested(ctx, choose, g.labels(), cv.Options{Method: e.Outer, Splits: splits, ByQuery: true,
		Progress: tell})
	if err != nil {
		return noPairs(err, splits)
	}
	e.Nested = &point
	if n := point.Pairs; n < cv.FewPairs {
		p.note.Warn(NoteFewPairs, "the outer folds of %s hold %s only: the nested error is coarse", e.Outer, spell.Plural(int(n), "pair"))
	}
	return nil
}

// outer is the folds of Nested, ten where it does not say how many, or fewer.
func (p *problem) outer() cv.Method {
	outer := p.o.Nested
	if outer.Kind == cv.KFold && outer.Folds == 0 {
		outer = p.graph().folds(p.o.Setting, 10)
	}
	return outer
}

// chooseAndPredict chooses λ on some edges, trains on them, and predicts others. Where
// there is nothing to choose by they are tied. share is that of the work by itself.
func (p *problem) chooseAndPredict(ctx context.Context, g *graph, share float64, train, test []int) (*data.Dense,
	error) {
	f := data.NewDense(len(test), 1, nil)
	part := g.part(train)
	e, err := p.estimateGraph(ctx, part.graph, share, false, nil)
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
	x := e.measured.exact.silent()
	lambdas, labels := lambdasOf(e.Estimate), x.g.labels()
	tell, end := p.o.Monitor.Task("permuting the labels", int64(p.o.Permutations))
	defer end()
	var err error
	if x.splits != nil {
		x.kept = newLeverages()
		o := cv.Options{Method: e.Method, Splits: x.splits, Candidates: lambdas, Seed: p.o.Seed, Progress: tell}
		e.Permutation, err = cv.Permutations(ctx, x, labels, o, p.o.Permutations, e.Estimate)
		return err
	}
	s := p.o.scheme(e.Method)
	s.budget = max(permutationsShare/float64(p.o.Permutations+1), leastShare) * x.g.budget()
	leastOf := func(y []float64, _ int) ([]float64, error) {
		labels := x.labels(y, 0, 1)
		out, err := x.pairsOut(s, lambdas, labels).estimate(ctx, x.paths[0].relabel(labels), lambdas, nil)
		if err != nil {
			return nil, err
		}
		return []float64{out.Points[out.Best].Error}, nil
	}
	real, err := leastOf(x.g.y, 1) // over as many pairs as the permutations
	if err == nil {
		e.Permutation, err = cv.Permuted(labels, p.o.Seed, p.o.Permutations, 1, real[0], leastOf, tell)
	}
	return err
}

// permutationsShare is the work of all permutations of labels beside that of the estimate, and
// leastShare the least work of one permutation: where pairs are drawn, fewer are then.
const (
	permutationsShare = 3
	leastShare        = 1.0 / 1024
)

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
