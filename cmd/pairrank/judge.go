package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// largest is the last of ascending numbers.
func largest(ascending []float64) float64 { return ascending[len(ascending)-1] }

// judged is the estimate of every λ for one kernel, one for each output.
type judged struct {
	kernel    kernel.Kernel
	method    cv.Method
	lambdas   []float64 // that were judged
	estimates []*cv.Estimate
}

// criterion is the mean over the outputs of what the choice of a kernel compares,
// each at its best λ; less is better.
func (j judged) criterion(m *metric.Metric) float64 {
	sum := 0.0
	for _, e := range j.estimates {
		sum += e.Criterion(m)
	}
	return sum / float64(len(j.estimates))
}

// error is the mean over the outputs of the error, each at its best λ.
func (j judged) error() float64 {
	sum := 0.0
	for _, e := range j.estimates {
		sum += e.Points[e.Best].Error
	}
	return sum / float64(len(j.estimates))
}

// choice is what judging every kernel and λ came to.
type choice struct {
	judged []judged
	best   int // kernel chosen, the same for all outputs
	goal   *pref.Goal
	path   *rls.Path // of the last kernel judged; nil where nothing is factored
	doubt  string    // about the basis, or empty
}

// chosen is the kernel that is best at its best λ.
func (c *choice) chosen() judged { return c.judged[c.best] }

// bestPoint is the estimate of an output at the kernel and λ that are best for it.
func (c *choice) bestPoint(output int, m *metric.Metric) cv.Point {
	best := c.judged[0].estimates[output]
	for _, j := range c.judged[1:] {
		if e := j.estimates[output]; e.Criterion(m) < best.Criterion(m) {
			best = e
		}
	}
	return best.Points[best.Best]
}

// lambda is the value chosen.
func (c *choice) lambda() float64 {
	e := c.chosen().estimates[0]
	return e.Points[e.Best].Lambda
}

// judge estimates every λ of every kernel: by the shortcut, or by training folds
// again where there is none. report hears how far it is.
func (p *trainProblem) judge(ctx context.Context, report func(kernel, kernels int, method cv.Method) func(done, total int)) (*choice, error) {
	goal, err := p.newGoal()
	if err != nil {
		return nil, err
	}
	c := &choice{goal: goal}
	for k, spec := range p.plan.kernels {
		p.use(spec)
		if p.plan.factors() {
			if err := p.factor(ctx, c); err != nil {
				return nil, err
			}
		}
		j, err := p.judgeKernel(ctx, c, func(m cv.Method) func(done, total int) { return report(k, len(p.plan.kernels), m) })
		if err != nil {
			return nil, err
		}
		c.judged = append(c.judged, j)
		if j.criterion(p.plan.metric) < c.chosen().criterion(p.plan.metric) {
			c.best = k
		}
	}
	return c, nil
}

// factor makes the path of the kernel at work.
func (p *trainProblem) factor(ctx context.Context, c *choice) error {
	basis, err := p.checkedBasis()
	if err != nil {
		return err
	}
	c.doubt = basis.Warning
	path, err := rls.Factor(ctx, basis, c.goal)
	if err != nil {
		return err
	}
	if negative := path.Indefinite(); negative != 0 {
		return asData(fmt.Errorf("the kernel matrix is not positive semidefinite: the compared rows have an eigenvalue of %.3g beside the largest, %.3g", negative, largest(path.Eigenvalues())))
	}
	c.path = path
	return nil
}

func (p *trainProblem) judgeKernel(ctx context.Context, c *choice, report func(cv.Method) func(done, total int)) (judged, error) {
	if p.valid != nil {
		return p.judgeValid(ctx, c, report)
	}
	labels, err := p.labels(c.goal)
	if err != nil {
		return judged{}, err
	}
	j := judged{kernel: p.plan.kernel}
	j.method = p.method(labels, func(groups *pref.Partition) bool { return c.path != nil && c.path.Exact(groups) == nil })
	if j.lambdas, err = p.lambdas(c); err != nil {
		return judged{}, err
	}
	o := cv.Options{Method: j.method, Lambdas: j.lambdas, Seed: p.plan.seed, Metric: p.plan.metric, Progress: report(j.method)}
	var inexact *rls.NotExactError
	if c.path != nil {
		j.estimates, err = cv.Estimated(ctx, c.path, labels, o)
	}
	if again := c.path == nil || errors.As(err, &inexact); again && p.plan.exact {
		return judged{}, usagef("--interval halves is for estimates without training again: %s", cmp.Or(inexactText(inexact), "there is no factorisation"))
	}
	if c.path == nil || errors.As(err, &inexact) && j.method.Kind != cv.LeavePairOut {
		j.estimates, err = cv.Retrained(ctx, p.retrain, labels, o)
	}
	return j, p.estimateError(err)
}

// lambdas are the values asked for, or the default path of the problem.
func (p *trainProblem) lambdas(c *choice) ([]float64, error) {
	switch {
	case p.plan.lambdas != nil:
		return p.plan.lambdas, nil
	case c.path != nil:
		return cv.Lambdas(c.path.Eigenvalues(), cv.Spread(c.path.Squares())), nil
	case p.plan.learner != rankSVM:
		return cv.IterativeLambdas(rls.LargestEigenvalue(p.x, c.goal), cv.Spread(rls.Squares(p.x, c.goal))), nil
	}
	x, err := p.space()
	if err != nil {
		return nil, err
	}
	queries, free := p.compared(), p.rows()
	for g := range queries.Len() {
		if len(queries.Part(g)) > 0 {
			free--
		}
	}
	squares, sum := data.Scatter(x, queries.Of(), queries.Len()), 0.0
	for _, v := range squares {
		sum += v
	}
	return cv.HingeLambdas(2*sum/float64(max(1, free)), cv.Spread(squares)), nil
}

// inexactText is the reason why there is no shortcut, "" for none.
func inexactText(err *rls.NotExactError) string {
	if err == nil {
		return ""
	}
	return err.Reason
}

// reportJudging shows how far judging is.
func (a *app) reportJudging(m *meter) func(kernel, kernels int, method cv.Method) func(done, total int) {
	return func(kernel, kernels int, method cv.Method) func(done, total int) {
		return func(done, total int) {
			m.SetTotal(int64(total * kernels))
			m.Set(int64(total*kernel + done))
		}
	}
}

// estimateError keeps the kind of what rls says. The rest is what a method or
// metric asks of the data: an error of use where it was named, else of the data.
func (p *trainProblem) estimateError(err error) error {
	var inexact *rls.NotExactError
	var usage *usageError
	var numerical *numericalError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &inexact), errors.As(err, &usage), errors.As(err, &numerical),
		errors.Is(err, rls.ErrNumerical), errors.Is(err, ranksvm.ErrNumerical):
		return err
	}
	if p.plan.method == nil && p.plan.metric == nil {
		return asData(err)
	}
	return asUsage(err)
}

// labels are what held-out predictions are judged by. Preferences are judged by
// themselves, over the queries, or where there are none over the sets of rows
// that they connect.
func (p *trainProblem) labels(goal *pref.Goal) (cv.Labels, error) {
	labels := cv.Labels{Y: p.y, Outputs: p.outputs, Queries: p.queries, Edges: p.edges}
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
			"kfold:10 makes folds of rows, with the preferences between them")
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
