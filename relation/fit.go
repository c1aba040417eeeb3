package relation

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/kron"
	"pairrank/internal/krylov"
	"pairrank/internal/spell"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// checkClosed returns why there is no closed form; y are the labels of a complete graph, or nil.
func checkClosed(g *graph, y *data.Dense) error {
	if why := g.closedForm(y); why != nil {
		return refuseOpen(&openError{why})
	}
	return nil
}

// refuseOpen returns the fault of a graph without the requested closed form; other errors stay.
func refuseOpen(err error) error {
	var open *openError
	switch {
	case errors.Is(err, errIncomplete):
		return fault.Dataf("the closed form needs exactly one edge for each pair of nodes; the solver cg takes any")
	case errors.As(err, &open):
		return fault.As(fault.Use, codes.FaultEdgesNoClosedForm, open.error)
	}
	return err
}

// fitClosed trains on a complete graph with labels y; y is nil if the graph is not complete.
func (p *problem) fitClosed(ctx context.Context, g *graph, y *data.Dense, x *exact, r *Result) error {
	factored, err := x.path(ctx, g, y)
	if err != nil {
		return refuseOpen(err)
	}
	coef, minimum := factored.learn(r.Lambda)
	r.Solver, r.Model, r.Objective = factored.solver(), p.model(g.kernel), minimum()
	if p.clipped() && !g.inTwoSteps() {
		coef, err = kron.InRange(g.rows, g.cols, coef)
	}
	r.Model.Coef = coef
	return err
}

// clipped reports whether new similarities must be clipped through the coefficients.
func (p *problem) clipped() bool { return p.rows.clipped || p.cols.clipped }

// iterations starts to report conjugate gradients; tell reports each iteration.
func (p *problem) iterations(lambda float64) (tell func(iteration int, residual float64), end func()) {
	hear := p.note.Monitor.Progress
	if hear == nil {
		return func(int, float64) {}, func() {}
	}
	at := event.Progress{Task: "conjugate gradients, λ = " + spell.Power(lambda), Total: event.Parts}
	hear(at)
	var share krylov.Share
	tell = func(iteration int, residual float64) {
		at.Done = int64(event.Parts * share.After(iteration, p.o.MaxIterations, math.Log(residual/p.o.tolerance())))
		at.State, at.Text = map[string]any{"residual": residual}, fmt.Sprintf("residual %.2g", residual)
		hear(at)
	}
	return tell, func() { hear(event.Progress{Task: at.Task, Ended: true}) }
}

// fitEdges trains by conjugate gradients, with or without early stopping.
func (p *problem) fitEdges(ctx context.Context, g *graph, r *Result) error {
	o := g.solve
	o.Loss = g.learn.Loss
	tell, end := p.iterations(r.Lambda)
	defer end()
	var stop *stopping
	if p.o.EarlyStop != nil {
		stop = newStopping(g, p.o.EarlyStop)
	}
	o.Each = func(iteration int, residual float64, coef []float64) bool {
		tell(iteration, residual)
		return stop == nil || stop.goOn(coef)
	}
	fit, err := kron.Solve(ctx, g.system(), r.Lambda, o)
	if fit == nil || err != nil && fit.Iterations == 0 {
		return err // nothing worth keeping was learnt yet
	}
	if err == nil {
		tell(o.MaxIterations, fit.Residual) // also where the error stopped it
	}
	r.Objective = fit.Objective
	if stop != nil {
		if stop.err != nil {
			return stop.err
		}
		fit.Coef, r.Objective = stop.best, math.NaN() // it is unknown for the best iterate
		r.Stopped = &stop.Stopped
	}
	r.Solver, r.Model = string(CG), p.model(p.o.Kernel)
	if p.clipped() {
		coef, failed := kron.EdgeMatrix(g.edges, fit.Coef, g.rows.Rows, g.cols.Rows), error(nil)
		if r.Model.Coef, failed = kron.InRange(g.rows, g.cols, coef); failed != nil {
			return failed
		}
	} else {
		r.Model.Edges = &pairmodel.EdgeCoef{Row: g.edges.Row, Col: g.edges.Col, Value: fit.Coef}
	}
	r.Fit = fit // from now on there is a model
	return err
}

// fitPrimal trains linear kernels on the features.
func (p *problem) fitPrimal(ctx context.Context, r *Result) error {
	o := kron.SolveOptions{Loss: p.o.Loss, Tolerance: p.o.tolerance(), MaxIterations: p.o.MaxIterations}
	if p.o.stopsByScores(len(p.Y)) {
		o.Scores = krylov.DefaultScores
	}
	tell, end := p.iterations(r.Lambda)
	defer end()
	o.Each = func(iteration int, residual float64, _ []float64) bool {
		tell(iteration, residual)
		return true
	}
	x, z := p.rows.X, p.cols.X
	fit, err := kron.SolveLinear(ctx, kron.LinearSystem{Relation: p.o.Relation, Rows: x,
		Cols: z, Edges: p.Edges, Y: p.Y}, r.Lambda, o)
	if fit == nil || err != nil && fit.Iterations == 0 {
		return err
	}
	if err == nil {
		tell(o.MaxIterations, fit.Residual)
	}
	r.Fit, r.Solver, r.Objective = fit, string(Primal), fit.Objective
	r.Model = p.model(pairwise.Kronecker)
	r.Model.Rows.Support, r.Model.Rows.ID = nil, nil
	if c := r.Model.Cols; c != nil {
		c.Support, c.ID = nil, nil
	}
	r.Model.Weights = &data.Dense{Rows: x.Cols, Cols: z.Cols, Stride: z.Cols, Data: fit.Coef}
	return err
}

// overflow is the error of a score that is NaN or infinite.
func overflow(what string, score float64) error {
	return fault.As(fault.Numerical, codes.FaultEdgesOverflow,
		fmt.Errorf("the score of %s overflows double precision: it is %v", what, score))
}

var errOneLabel = fault.As(fault.Data, "",
	errors.New("no two edges of a row for early stopping have different labels, so that they have no error"))
