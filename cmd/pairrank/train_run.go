package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"pairrank/cv"
	"pairrank/data"
	"pairrank/pref"
	"pairrank/rls"
	"pairrank/svmlight"
	"pairrank/table"
)

// trained is the outcome of train.
type trained struct {
	problem  *trainProblem
	set      *data.Set
	norm     *data.Normalizer
	goal     *pref.Goal
	fit      *rls.Fit
	estimate *cv.Estimate // nil when nothing was chosen
	method   cv.Method
	why      string // the solver was taken
	doubt    string // about the basis, or empty
	cg       *rls.CGResult
	load     time.Duration
	train    time.Duration
}

func (a *app) train(path string, f *trainFlags) error {
	plan, err := a.planTraining(f)
	if err != nil {
		return err
	}
	if err := onceStdin(path, plan.matrix, plan.preferences, plan.basisRows, plan.names); err != nil {
		return err
	}
	if err := a.checkDirectory(plan.output); err != nil {
		return err
	}
	began := time.Now()
	t := &trained{}
	if err := a.loadProblem(t, path, plan); err != nil {
		return err
	}
	debug.FreeOSMemory() // what reading took beside the rows: training reuses it
	t.load = time.Since(began)
	began = time.Now()
	if err := a.await(func() error { return a.learn(t) }); err != nil {
		return trainError(path, err)
	}
	t.train = time.Since(began)
	t.warnings(a)
	if err := a.writeModel(t); err != nil {
		return err
	}
	return a.reportTraining(t)
}

// trainError gives an error of training its kind.
func trainError(path string, err error) error {
	var inexact *rls.NotExactError
	switch {
	case errors.Is(err, pref.ErrNothingToLearn):
		return withHint(asData(fmt.Errorf("%s: %w", shown(path), err)), "check the labels: pairrank check %s counts them", path)
	case errors.Is(err, rls.ErrNumerical):
		return withHint(asNumerical(err), "take larger values of λ, or scale the features: --normalize zscore")
	case errors.As(err, &inexact):
		return withHint(asUsage(err), "--select kfold:10 trains each fold again")
	}
	return err
}

// loadProblem reads DATA and what else the flags name.
func (a *app) loadProblem(t *trained, path string, plan *trainPlan) error {
	o := readOptions{}
	if plan.normalize == data.NormalizeZScore {
		o.Storage = svmlight.StoreDense // a shift leaves no zeros
	}
	set, err := a.readSet(path, plan.rows, o)
	if err != nil {
		return err
	}
	t.set = set
	if plan.threshold != nil {
		data.Binarize(set.Y, *plan.threshold)
	}
	p := &trainProblem{plan: plan, y: set.Y, queries: pref.Grouped(set.Queries.Rows, set.Queries.Bounds, set.Queries.Of)}
	t.problem = p
	if err := a.loadFeatures(t); err != nil {
		return err
	}
	if plan.preferences != "" {
		preferences, err := table.ReadPreferences(plan.preferences, p.rows())
		if err != nil {
			return readError(err)
		}
		p.edges = make([]pref.Edge, len(preferences))
		for e, v := range preferences {
			p.edges[e] = pref.Edge(v)
		}
		return p.prepareBasis()
	}
	if err := sameLabels(path, set.Y); err != nil {
		return err
	}
	if single, alike := countIdle(set); single+alike > 0 && set.HasQID {
		a.note("%d of %d queries have nothing to compare: %d with one row, %d with one label", single+alike, set.Queries.Len(), single, alike)
	}
	return p.prepareBasis()
}

// sameLabels refuses labels that are all equal: they order nothing.
func sameLabels(path string, y []float64) error {
	for _, v := range y {
		if v != y[0] {
			return nil
		}
	}
	return withHint(asData(fmt.Errorf("%s: all %d labels are %v, so nothing can be learnt about their order", shown(path), len(y), y[0])),
		"the label is the first number of a line; --binarize T makes two labels of more")
}

// loadFeatures sets the rows that are learnt from: features, normalised, or a
// kernel matrix.
func (a *app) loadFeatures(t *trained) error {
	p, plan := t.problem, t.problem.plan
	if plan.precomputed {
		k, err := a.readKernel(plan.matrix, p.rows())
		p.k = k
		return err
	}
	p.x = t.set.X
	_, n := p.x.Dims()
	if plan.names != "" {
		names, err := table.ReadNames(plan.names)
		if err != nil {
			return readError(err)
		}
		if len(names) > n {
			return asData(fmt.Errorf("%s names %d features, and the data has %d", plan.names, len(names), n))
		}
		t.set.Names = append(names, make([]string, n-len(names))...)
	}
	if n == 0 {
		return asData(fmt.Errorf("the data has no features, so every row gets the same score"))
	}
	if plan.normalize == data.NormalizeNone {
		return nil
	}
	norm, err := data.FitNormalizer(plan.normalize, t.set)
	if err == nil {
		err = norm.Apply(t.set)
	}
	t.norm, p.x = norm, t.set.X
	return asData(err)
}

// readKernel reads a symmetric kernel matrix of m rows.
func (a *app) readKernel(path string, m int) (*data.Dense, error) {
	matrix, err := table.ReadKernel(path)
	if err != nil {
		return nil, readError(err)
	}
	k := matrix.X
	if k.Rows != m || k.Cols != m {
		return nil, asData(fmt.Errorf("%s is %d×%d, and the data has %d rows", path, k.Rows, k.Cols, m))
	}
	largest, apart, at := 0.0, 0.0, [2]int{}
	for i := range m {
		for j := range i {
			largest = max(largest, k.Row(i)[j], -k.Row(i)[j])
			if d := k.Row(i)[j] - k.Row(j)[i]; d > apart || -d > apart {
				apart, at = max(d, -d), [2]int{i + 1, j + 1}
			}
		}
		largest = max(largest, k.Row(i)[i], -k.Row(i)[i])
	}
	if apart > 1e-6*largest {
		return nil, asData(fmt.Errorf("%s is not symmetric: entries (%d,%d) and (%d,%d) differ by %.3g", path, at[0], at[1], at[1], at[0], apart))
	}
	for i := range m {
		for j := range i {
			mean := (k.Row(i)[j] + k.Row(j)[i]) / 2
			k.Row(i)[j], k.Row(j)[i] = mean, mean
		}
	}
	return k, nil
}

// learn chooses λ and trains; it writes no output but progress.
func (a *app) learn(t *trained) (err error) {
	p := t.problem
	if t.why, err = p.chooseSolver(); err != nil {
		return err
	}
	if t.goal, err = p.newGoal(); err != nil {
		return err
	}
	if p.plan.solver == "cg" {
		return a.learnCG(t)
	}
	if p.plan.solver == "sparse" {
		p.cross = p.crossKernel()
	}
	basis := p.newBasis()
	t.doubt = basis.Warning
	if p.plan.noSelection {
		t.fit, err = rls.Solve(a.Ctx, basis, t.goal, p.plan.lambdas[0])
		return err
	}
	path, err := rls.Factor(a.Ctx, basis, t.goal)
	if err != nil {
		return err
	}
	if negative := path.MostNegative(); negative < -1e-8*largest(path.Eigenvalues()) {
		return asData(fmt.Errorf("the kernel matrix is not positive semidefinite: the compared rows have an eigenvalue of %.3g beside the largest, %.3g", negative, largest(path.Eigenvalues())))
	}
	if err := a.selectOnPath(t, path); err != nil {
		return err
	}
	t.fit = path.At(p.plan.lambdas[t.estimate.Best])
	return nil
}

// largest is the last of ascending numbers.
func largest(ascending []float64) float64 { return ascending[len(ascending)-1] }

// selectOnPath judges every λ by the shortcut, or by training folds again where
// there is none.
func (a *app) selectOnPath(t *trained, path *rls.Path) error {
	p := t.problem
	labels, err := p.labels(t.goal)
	if err != nil {
		return err
	}
	exact := func(groups *pref.Partition) bool { return path.Exact(groups) == nil }
	t.method = p.method(labels, exact)
	meter := a.progress("judging λ by "+t.method.String(), 0)
	defer meter.End()
	o := p.estimateOptions(t.method, meter)
	estimates, err := cv.Estimated(a.Ctx, path, labels, o)
	var inexact *rls.NotExactError
	if errors.As(err, &inexact) && t.method.Kind != cv.LeavePairOut {
		estimates, err = cv.Retrained(a.Ctx, p.retrain, labels, o)
	}
	if err != nil {
		return estimateError(err)
	}
	t.estimate = estimates[0]
	return nil
}

// estimateError keeps the kind of what rls says, and makes the rest, what a
// method or metric asks of the data, an error of use.
func estimateError(err error) error {
	var inexact *rls.NotExactError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, rls.ErrNumerical), errors.As(err, &inexact):
		return err
	}
	return asUsage(err)
}

func (p *trainProblem) estimateOptions(method cv.Method, meter *meter) cv.Options {
	return cv.Options{
		Method: method, Lambdas: p.plan.lambdas, Seed: p.plan.seed, Metric: p.plan.metric,
		Progress: func(done, total int) { meter.SetTotal(int64(total)); meter.Set(int64(done)) },
	}
}

// labels are what held-out predictions are judged by. Preferences are judged by
// themselves, over the queries, or where there are none over the sets of rows
// that they connect.
func (p *trainProblem) labels(goal *pref.Goal) (cv.Labels, error) {
	labels := cv.Labels{Y: p.y, Queries: p.queries, Edges: p.edges}
	if p.edges == nil || p.plan.method != nil {
		return labels, nil
	}
	parts := goal.L.Components()
	if p.queries.Len() > 1 && parts.Refines(p.queries) {
		return labels, nil
	}
	connected := 0
	for g := range parts.Len() {
		if len(parts.Part(g)) > 1 {
			connected++
		}
	}
	if connected < 2 {
		return labels, withHint(usagef("the preferences connect all their rows, so none can be held out apart from the rest"),
			"give --lambda F, or --select kfold:10 for folds of rows with the preferences between them")
	}
	labels.Queries = parts
	return labels, nil
}

// method is the one asked for, or the default: leave-query-out, for a single
// list leave-pair-out, where they are exact; else ten folds.
func (p *trainProblem) method(labels cv.Labels, exact func(groups *pref.Partition) bool) cv.Method {
	if p.plan.method != nil {
		return *p.plan.method
	}
	q := labels.Queries.Len()
	switch {
	case q > 1 && exact(labels.Queries):
		return cv.Method{Kind: cv.LeaveQueryOut}
	case q == 1 && labels.Edges == nil && exact(pref.Singletons(p.rows())):
		return cv.Method{Kind: cv.LeavePairOut}
	case q > 1:
		return cv.Method{Kind: cv.KFold, Folds: min(10, q)}
	}
	return cv.Method{Kind: cv.KFold, Folds: min(10, p.rows())}
}

// learnCG trains by conjugate gradients; λ is judged by training folds again.
func (a *app) learnCG(t *trained) error {
	p := t.problem
	lambda := p.plan.lambdas[0]
	if !p.plan.noSelection {
		labels, err := p.labels(t.goal)
		if err != nil {
			return err
		}
		t.method = p.method(labels, func(*pref.Partition) bool { return false })
		meter := a.progress("judging λ by "+t.method.String(), 0)
		estimates, err := cv.Retrained(a.Ctx, p.retrain, labels, p.estimateOptions(t.method, meter))
		meter.End()
		if err != nil {
			return estimateError(err)
		}
		t.estimate = estimates[0]
		lambda = p.plan.lambdas[t.estimate.Best]
	}
	meter := a.progress(fmt.Sprintf("conjugate gradients, λ = %s", power(lambda)), int64(p.plan.iterations))
	defer meter.End()
	fit, result, err := rls.ConjugateGradients(a.Ctx, p.x, t.goal, lambda, rls.CGOptions{
		Tolerance: p.plan.tolerance, MaxIterations: p.plan.iterations,
		Progress: func(_, iteration int, _ float64) { meter.Set(int64(iteration)) },
	})
	t.fit, t.cg = fit, &result
	return err
}

// warnings tells what is doubtful about the result.
func (t *trained) warnings(a *app) {
	if t.doubt != "" {
		a.warn("%s", t.doubt)
	}
	if t.cg != nil && !t.cg.Converged {
		a.warn("conjugate gradients stopped after %d iterations at a relative residual of %.2g, above %g; the model is the last iterate",
			t.cg.Iterations, t.cg.Residual, t.problem.plan.tolerance)
	}
	if t.estimate == nil || len(t.estimate.Points) < 2 {
		return
	}
	if best := t.estimate.Best; best == 0 || best == len(t.estimate.Points)-1 {
		a.note("the chosen λ = %s is at the end of the values tried", power(t.fit.Lambda))
	}
}
