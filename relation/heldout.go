package relation

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/pref"
	"pairrank/relation/kron"
)

// measured is what an estimate was measured of, for what else is asked of it: the
// factored problem, or the folds. It is not kept with results.
type measured struct {
	exact *exact // nil where folds were trained
	folds *folds
}

// path is the graph factored, as it was for the estimate where there was one that did.
func (e *Estimated) path(ctx context.Context, g *graph, y *data.Dense) (*kron.Path, error) {
	if e != nil && e.measured.exact != nil {
		return e.measured.exact.paths[0].(closedPath).Path, nil
	}
	return kron.Factor(ctx, g.rows, g.cols, y, g.learn)
}

// twoStep is path of two-step learning.
func (e *Estimated) twoStep(ctx context.Context, g *graph, y *data.Dense) (*kron.TwoStep, error) {
	if e != nil && e.measured.exact != nil {
		return e.measured.exact.paths[0].(twoStepPath).TwoStep, nil
	}
	return kron.FactorTwoStep(ctx, g.rows, g.cols, y)
}

// keepHeldOut keeps the held-out scores of the best λ, in the problem that was factored
// or as the folds predicted them.
func (p *problem) keepHeldOut(ctx context.Context, e *Estimated) error {
	if !p.o.HeldOut {
		return nil
	}
	var predict cv.Predictor
	var held []int
	if x := e.measured.exact; x != nil {
		predict, held = x.silent().HoldOut, x.held
	} else {
		predict, held = e.measured.folds.again, e.measured.folds.held
	}
	// One list: scores are tied over all rows, as the pooled error has them.
	f, err := cv.HeldOut(ctx, predict, cv.Labels{Y: make([]float64, len(held))}, cv.Options{Method: e.Method, Groups: pref.OneList(len(held))}, e.BestPoint().Candidate)
	if err != nil {
		return err
	}
	e.HeldOut = nans(len(p.Y))
	for a, h := range held {
		e.HeldOut[h] = f.Row(a)[0]
	}
	return nil
}
