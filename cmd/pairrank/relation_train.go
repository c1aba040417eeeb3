package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/model"
	"pairrank/relation/kron"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// relationTrained is the outcome of train --edges.
type relationTrained struct {
	*relationProblem
	pair      *pairmodel.Model
	solver    string
	lambda    float64
	objective float64
	edgeFit   *kron.EdgeFit // of an iterative solver, or nil
	stop      *earlyStop    // or nil
	estimate  *cv.RelationEstimate
	method    cv.Method
	load      time.Duration
	train     time.Duration
}

func (a *app) trainRelation(f *trainFlags, r *relationFlags) error {
	if f.output == "" {
		return withHint(usagef("-o MODEL is missing"), "the form is pairrank train --edges FILE --rows FILE -o MODEL")
	}
	if a.JSON && f.output == "-" {
		return usagef("--json and -o - both write to standard output")
	}
	plan, err := planRelation(f, r, f.selectBy, false)
	if err != nil {
		return err
	}
	if err := a.checkOutputs([]string{f.output, r.curve}, r.edges, r.rows, r.cols, r.earlyStop); err != nil {
		return err
	}
	began := time.Now()
	problem, err := a.loadRelation(plan)
	if err != nil {
		return err
	}
	if err := problem.checkUTF8(); err != nil {
		return err
	}
	t := &relationTrained{relationProblem: problem, load: time.Since(began)}
	began = time.Now()
	stopped := a.learnRelation(t)
	if stopped != nil && t.edgeFit == nil {
		return relationError(stopped, "--select")
	}
	t.train = time.Since(began)
	if stopped != nil { // what was learnt so far is saved
		a.Ctx = context.WithoutCancel(a.Ctx)
		a.note("the model is the %s before the training was stopped", t.kept())
	} else if t.edgeFit != nil && !t.edgeFit.Converged && t.stop == nil {
		a.warn("the solver stopped after %d iterations at a relative residual of %.2g, above %g; the model is the last iterate", t.edgeFit.Iterations, t.edgeFit.Residual, plan.tolerance)
	}
	problem.warnAlike(a)
	if plan.curve != "" {
		if err := a.writeAtomic(plan.curve, t.stop.write); err != nil {
			return err
		}
	}
	t.pair.Info = t.info()
	if err := a.writeAtomic(f.output, t.pair.Write); err != nil {
		return err
	}
	return errors.Join(a.reportRelation(t), stopped)
}

// kept is which iterate the model is.
func (t *relationTrained) kept() string {
	if t.stop != nil {
		return "best iterate"
	}
	return "last iterate"
}

// relationError gives an error of relational learning its kind.
func relationError(err error, flag string) error {
	var inexact *kron.NotExactError
	var none *kron.NoClosedFormError
	switch {
	case errors.As(err, &inexact):
		return withHint(asUsage(err), "%s kfold:5 trains each fold again", flag)
	case errors.As(err, &none):
		return withHint(asUsage(err), "--solver cg learns it")
	case errors.Is(err, kron.ErrNotPSD):
		return withHint(asData(err), "--psd-fix clip or shift mends a similarity matrix")
	case errors.Is(err, kron.ErrNumerical):
		return withHint(asNumerical(err), "take larger values of λ, or divide the features by their size; linear kernels on many edges are best learnt by --solver primal")
	}
	return err
}

// learnRelation chooses λ and trains. Where an iterative solver is stopped there is
// a fit all the same.
func (a *app) learnRelation(t *relationTrained) (err error) {
	if t.plan.learner == similarity {
		t.solver, t.pair = "none", &pairmodel.Model{Kernel: pairmodel.Similarity, Rows: t.rows.side(t.plan)}
		t.pair.Rows.Support, t.pair.Rows.ID, t.pair.Rows.Diag = nil, nil, nil
		return nil
	}
	if t.plan.none {
		t.lambda = t.plan.lambdas[0]
	} else {
		if err := a.await(func() error { return a.chooseRelation(t) }); err != nil {
			return err
		}
		t.lambda = t.estimate.Points[t.estimate.Best].Lambda
	}
	r := t.relation()
	var y *data.Dense // of a complete graph
	if t.rows.k != nil {
		y, _ = r.Complete()
	}
	if y != nil && t.plan.solver == "auto" && r.ClosedForm() == nil && t.plan.earlyStop == "" {
		for _, name := range []string{"tolerance", "max-iterations"} {
			if t.plan.changed(name) {
				a.note("the graph is complete and is learnt in closed form, which --%s is not for; --solver cg iterates", name)
			}
		}
	}
	closed := t.plan.solver == "closed" || t.plan.solver == "auto" && y != nil && t.plan.earlyStop == "" && r.ClosedForm() == nil
	switch {
	case t.plan.solver == "primal":
		return a.learnPrimal(t)
	case t.plan.learner == twoStep || closed:
		return a.await(func() error { return t.learnClosed(a.Ctx, r, y) })
	}
	return a.learnEdges(t, r)
}

// learnClosed trains on a complete graph, whose labels are y; nil if it is none.
func (t *relationTrained) learnClosed(ctx context.Context, r cv.Relation, y *data.Dense) error {
	if t.plan.learner == twoStep {
		if y == nil {
			return asData(errors.New("two-step learning needs exactly one edge for each pair of nodes"))
		}
		step, err := kron.FactorTwoStep(ctx, r.Rows, r.Cols, y)
		if err != nil {
			return err
		}
		t.solver, t.pair = "two-step", t.pairwise(pairwise.Kronecker)
		t.pair.Coef = step.Coef(t.lambda, t.plan.lambdaCols)
		t.objective = math.NaN()
		return nil
	}
	if err := checkClosed(r, y); err != nil {
		return err
	}
	path, err := kron.Factor(ctx, r.Rows, r.Cols, y, r.Learn)
	if err != nil {
		return err
	}
	fit := path.At(t.lambda)
	t.solver, t.pair, t.objective = "closed", t.pairwise(t.plan.pairs), fit.Objective()
	t.pair.Coef = fit.Coef
	if t.rows.clipped || t.cols.clipped {
		t.pair.Coef, err = kron.InRange(r.Rows, r.Cols, fit.Coef)
	}
	return err
}

// checkClosed tells why there is no closed form; y are the labels of a complete
// graph, or nil.
func checkClosed(r cv.Relation, y *data.Dense) error {
	if err := r.ClosedForm(); err != nil {
		return withHint(asUsage(err), "--solver cg learns it")
	}
	if y == nil {
		return asData(errors.New("the closed form needs exactly one edge for each pair of nodes; --solver cg takes any"))
	}
	return nil
}

// pairwise is a model of the nodes without coefficients.
func (t *relationTrained) pairwise(k pairwise.Kernel) *pairmodel.Model {
	p := &pairmodel.Model{Kernel: k, Rows: t.rows.side(t.plan)}
	if t.cols != t.rows {
		cols := t.cols.side(t.plan)
		p.Cols = &cols
	}
	return p
}

// iterations begins to show conjugate gradients; tell reports each of them.
func (a *app) iterations(t *relationTrained) (m *meter, tell func(iteration int, residual float64)) {
	m = a.progress(fmt.Sprintf("conjugate gradients, λ = %s", power(t.lambda)), int64(t.plan.iterations))
	return m, func(iteration int, residual float64) {
		m.Set(int64(iteration))
		m.Describe(map[string]any{"residual": residual}, fmt.Sprintf("residual %.2g", residual))
	}
}

// learnEdges trains by conjugate gradients, with early stopping or without.
func (a *app) learnEdges(t *relationTrained, r cv.Relation) (err error) {
	o := r.Solve
	o.Loss = r.Learn.Loss
	meter, tell := a.iterations(t)
	defer meter.End()
	if t.plan.earlyStop != "" {
		if t.stop, err = t.newEarlyStop(a, r); err != nil {
			return err
		}
	}
	o.Each = func(iteration int, residual float64, coef []float64) bool {
		tell(iteration, residual)
		return t.stop == nil || t.stop.goOn(coef)
	}
	fit, err := kron.Solve(a.Ctx, kron.System{Kernel: r.Pairwise(), Rows: r.Rows, Cols: r.Cols, Edges: r.Edges, Y: r.Y}, t.lambda, o)
	if fit == nil || err != nil && fit.Iterations == 0 {
		return err // nothing was learnt yet that is worth keeping
	}
	t.objective = fit.Objective
	if t.stop != nil {
		if t.stop.err != nil {
			return t.stop.err
		}
		fit.Coef, t.objective = t.stop.best, math.NaN() // of the last iterate
	}
	t.solver, t.pair = "cg", t.pairwise(t.plan.pairs)
	if t.rows.clipped || t.cols.clipped {
		var failed error
		if t.pair.Coef, failed = kron.InRange(r.Rows, r.Cols, r.Edges.Matrix(fit.Coef, r.Rows.Rows, r.Cols.Rows)); failed != nil {
			return failed
		}
	} else {
		t.pair.Edges = &pairmodel.EdgeCoef{Row: r.Edges.Row, Col: r.Edges.Col, Value: fit.Coef}
	}
	t.edgeFit = fit // from now on there is a model
	return err
}

// learnPrimal trains linear kernels on the features.
func (a *app) learnPrimal(t *relationTrained) error {
	o := kron.SolveOptions{Loss: t.plan.learn.Loss, Tolerance: t.plan.tolerance, MaxIterations: t.plan.iterations}
	meter, tell := a.iterations(t)
	defer meter.End()
	o.Each = func(iteration int, residual float64, _ []float64) bool {
		tell(iteration, residual)
		return true
	}
	x, z := t.rows.features, t.cols.features
	fit, err := kron.SolveLinear(a.Ctx, kron.LinearSystem{Relation: t.plan.learn.Relation, Rows: x, Cols: z, Edges: t.edges, Y: t.y}, t.lambda, o)
	if fit == nil || err != nil && fit.Iterations == 0 {
		return err
	}
	t.edgeFit, t.solver, t.objective = fit, "primal", fit.Objective
	t.pair = t.pairwise(pairwise.Kronecker)
	t.pair.Rows.Support, t.pair.Rows.ID = nil, nil
	if t.pair.Cols != nil {
		t.pair.Cols.Support, t.pair.Cols.ID = nil, nil
	}
	t.pair.Weights = &data.Dense{Rows: x.Cols, Cols: z.Cols, Stride: z.Cols, Data: fit.Coef}
	return err
}

func (t *relationTrained) info() model.Info {
	i := model.Info{Learner: t.plan.learner, Solver: t.solver, Objective: t.plan.formula(), Lambda: t.lambda, Rows: len(t.y)}
	edges := map[int32]float64{} // of each row
	for _, row := range t.edges.Row {
		edges[row]++
	}
	i.Queries = len(edges)
	if t.plan.learner == rankRLS {
		i.Loss = string(t.plan.learn.Loss)
		if t.plan.learn.Loss == kron.Ranking {
			for _, l := range edges {
				i.Pairs += l * (l - 1) / 2
			}
		}
	}
	if e := t.estimate; e != nil {
		name := "error"
		if t.plan.metric != nil {
			name = t.plan.metric.String()
		}
		i.Selection = &model.Selection{Method: t.method.String(), Metric: name, Error: e.Points[e.Best].Error, Count: len(e.Points)}
		i.Facts = append(i.Facts, model.Fact{Name: "setting", Value: t.plan.setting})
	}
	if t.plan.threshold != nil {
		i.Facts = append(i.Facts, model.Fact{Name: "binarize", Value: strconv.FormatFloat(*t.plan.threshold, 'g', -1, 64)})
	}
	if t.plan.learner == twoStep {
		i.Facts = append(i.Facts, model.Fact{Name: "lambda-cols", Value: strconv.FormatFloat(t.plan.lambdaCols, 'g', -1, 64)})
	}
	switch {
	case t.stop != nil:
		i.Facts = append(i.Facts, model.Fact{Name: "iterations", Value: strconv.Itoa(t.stop.at)},
			model.Fact{Name: "early-stop-error", Value: strconv.FormatFloat(t.stop.least, 'g', -1, 64)})
	case t.edgeFit != nil:
		i.Facts = append(i.Facts, model.Fact{Name: "iterations", Value: strconv.Itoa(t.edgeFit.Iterations)})
	}
	return i
}

// formula is the objective on one line.
func (p *relationPlan) formula() string {
	switch {
	case p.learner == similarity:
		return "none: the kernel itself ranks"
	case p.learner == twoStep:
		return "ridge regression over the rows, then over the columns"
	case p.learn.Loss == kron.Regression:
		return "sum_e (y_e - f_e)^2 + lambda |f|^2 over edges"
	}
	return "sum_rows 1/l sum ((y_e - y_h) - (f_e - f_h))^2 + lambda |f|^2 over pairs of the l edges of a row"
}
