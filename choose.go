package pairrank

import (
	"cmp"
	"context"
	"errors"
	"math"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/fault"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// KernelEstimate is the estimate of every candidate under one kernel, one for each
// output.
type KernelEstimate struct {
	Kernel kernel.Kernel
	// Method is how rows were held out.
	Method cv.Method
	// Candidates are the values of λ, or the numbers of rounds, that were tried.
	Candidates []float64
	// Outputs are the estimates, one for each output.
	Outputs []*cv.Estimate
}

// Criterion is the mean over the outputs of what the choice of a kernel compares, each
// at its best candidate; less is better.
func (k KernelEstimate) Criterion(m *metric.Metric) float64 {
	sum := 0.0
	for _, e := range k.Outputs {
		sum += e.Criterion(m)
	}
	return sum / float64(len(k.Outputs))
}

// Error is the mean over the outputs of the error, each at its best candidate.
func (k KernelEstimate) Error() float64 {
	sum := 0.0
	for _, e := range k.Outputs {
		sum += e.Points[e.Best].Error
	}
	return sum / float64(len(k.Outputs))
}

// value is the mean over the outputs of the metric that chose, each at its best candidate; NaN where
// one is not defined.
func (k KernelEstimate) value() float64 {
	sum := 0.0
	for _, e := range k.Outputs {
		v := e.Points[e.Best].Metric
		if !v.Defined {
			return math.NaN()
		}
		sum += v.Value
	}
	return sum / float64(len(k.Outputs))
}

// choice is what estimating every candidate of every kernel came to.
type choice struct {
	kernels  []KernelEstimate
	best     int // the kernel that is chosen, the same for all outputs
	goal     *pref.Goal
	space    *space     // of the last kernel that was estimated
	factored *spacePath // of that, nil where nothing is factored
	// retrained is what training folds again predicted under that kernel; nil where none were.
	retrained cv.Predictor
}

// chosen is the kernel that is best at its best candidate.
func (c *choice) chosen() KernelEstimate { return c.kernels[c.best] }

// bestPoint is the estimate of an output at the kernel and candidate that are best for
// it.
func (c *choice) bestPoint(output int, m *metric.Metric) cv.Point {
	best := c.kernels[0].Outputs[output]
	for _, k := range c.kernels[1:] {
		if e := k.Outputs[output]; e.Criterion(m) < best.Criterion(m) {
			best = e
		}
	}
	return best.Points[best.Best]
}

// candidate is the value that is chosen, of the first output.
func (c *choice) candidate() float64 {
	e := c.chosen().Outputs[0]
	return e.Points[e.Best].Candidate
}

// path is the factored problem, or nil.
func (c *choice) path() *rls.Path {
	if c.factored == nil {
		return nil
	}
	return c.factored.path
}

// predictor gives the held-out predictions under the kernel of the space again: those of
// the path, or of folds that were trained.
func (c *choice) predictor() cv.Predictor {
	if c.retrained != nil {
		return c.retrained
	}
	return cv.OfPath(c.path(), nil).HoldOut
}

// choose estimates every candidate of every kernel: by the shortcut, or by training
// folds again where there is none. tell hears how far it is, over all kernels; nil
// hears nothing.
func (s *space) choose(ctx context.Context, tell func(done, total int)) (*choice, error) {
	goal, err := s.goal()
	if err != nil {
		return nil, err
	}
	c := &choice{goal: goal}
	kernels := len(s.o.Kernels)
	for k, spec := range s.o.Kernels {
		s = s.under(spec)
		c.space, c.retrained = s, nil
		if s.factors() {
			if c.factored, err = s.factor(ctx, goal); err != nil {
				return nil, err
			}
		}
		var progress func(done, total int)
		if tell != nil {
			progress = func(done, total int) { tell(total*k+done, total*kernels) }
		}
		e, err := s.estimateKernel(ctx, c, progress)
		if err != nil {
			return nil, err
		}
		c.kernels = append(c.kernels, e)
		if e.Criterion(s.o.Metric) < c.chosen().Criterion(s.o.Metric) {
			c.best = k
		}
	}
	return c, nil
}

// returnToBest makes the space of the choice that of the chosen kernel, with its path.
func (c *choice) returnToBest(ctx context.Context) (err error) {
	if c.best == len(c.kernels)-1 {
		return nil
	}
	c.space = c.space.under(c.chosen().Kernel)
	if c.retrained != nil {
		c.retrained = c.space.folds(c.goal)
	}
	if c.space.factors() {
		c.factored, err = c.space.factor(ctx, c.goal)
	}
	return err
}

// estimateKernel estimates every candidate under the kernel of s.
func (s *space) estimateKernel(ctx context.Context, c *choice, progress func(done, total int)) (KernelEstimate, error) {
	e := KernelEstimate{Kernel: s.spec}
	labels, err := s.labels(c.goal)
	if err != nil {
		return e, err
	}
	if e.Candidates, err = s.procedure.candidates(s, c.goal, c.path()); err != nil {
		return e, err
	}
	o := cv.Options{Candidates: e.Candidates, Seed: s.o.Seed, Metric: s.o.Metric, Progress: progress}
	s.solved = &solved{}
	if s.valid != nil {
		e.Method = cv.Method{Kind: cv.Validation}
		e.Outputs, err = s.validate(ctx, c, o)
		err = s.estimateError(err)
	} else {
		e.Method = s.method(labels, c.path())
		o.Method, o.Pairs = e.Method, s.o.PairsSample
		e.Outputs, err = s.holdOut(ctx, c, labels, o)
	}
	s.solved.mark(e.Outputs)
	return e, err
}

// holdOut estimates the candidates of o by its method: by the shortcut of the path of c, or
// by training folds again where there is none.
func (s *space) holdOut(ctx context.Context, c *choice, labels cv.Labels, o cv.Options) (outputs []*cv.Estimate, err error) {
	if o.Pairs > 0 && (o.Method.Kind != cv.LeavePairOut || c.factored == nil) {
		return nil, fault.Optionf("PairsSample", "is for leave-pair-out without training again, and rows are held out by %s", o.Method)
	}
	var inexact *rls.NotExactError
	if c.factored != nil {
		outputs, err = cv.Estimated(ctx, c.path(), labels, o)
	}
	again := c.factored == nil || errors.As(err, &inexact)
	if again && s.mustBeExact {
		return nil, fault.Optionf("Intervals", "halves is for estimates without training again: %s", cmp.Or(inexactText(inexact), "there is no factorisation"))
	}
	if c.factored == nil || again && o.Method.Kind != cv.LeavePairOut {
		c.retrained = s.folds(c.goal)
		outputs, err = cv.Retrained(ctx, c.retrained, labels, o)
	}
	return outputs, s.estimateError(err)
}

// validate estimates every candidate on the rows for validation.
func (s *space) validate(ctx context.Context, c *choice, o cv.Options) ([]*cv.Estimate, error) {
	labels := cv.Labels{Y: s.valid.Y, Outputs: 1, Queries: s.valid.Queries}
	held := &heldRows{x: s.valid.X}
	predict := func(ctx context.Context, candidates []float64, emit func(l int, held cv.Held)) error {
		return s.procedure.predict(ctx, s, c.path(), held, candidates, emit)
	}
	return cv.Validated(ctx, predict, labels, o)
}

// inexactText is the reason why there is no shortcut, "" for none.
func inexactText(err *rls.NotExactError) string {
	if err == nil {
		return ""
	}
	return err.Reason
}

// estimateError keeps the kind of what the learners say. The rest is what a method or
// metric asks of the data: an error of use where it was named, else of the data.
func (t *task) estimateError(err error) error {
	var inexact *rls.NotExactError
	var known *fault.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &inexact), errors.As(err, &known),
		errors.Is(err, rls.ErrNumerical), errors.Is(err, ranksvm.ErrNumerical):
		return err
	case t.o.Method == nil && t.o.Metric == nil:
		return fault.As(fault.Data, "", err)
	}
	return fault.As(fault.Use, "", err)
}

// labels are what held-out predictions are evaluated by. Preferences are evaluated by
// themselves, over the queries, or where there are none over the sets of rows that
// they connect.
func (t *task) labels(goal *pref.Goal) (cv.Labels, error) {
	labels := cv.Labels{Y: t.y, Outputs: t.outputs, Queries: t.queries, Edges: t.edges}
	if t.edges == nil || t.o.Method != nil || t.valid != nil {
		return labels, nil
	}
	parts := goal.L.Components()
	if t.queries.Len() > 1 && parts.Refines(t.queries) {
		return labels, nil
	}
	connected := 0
	for g := range parts.Len() {
		if len(parts.Part(g)) > 1 {
			connected++
		}
	}
	if connected < 2 {
		return labels, &fault.Error{Kind: fault.Use, Code: FaultConnected,
			Err: errors.New("the preferences connect all their rows, so none can be held out apart from the rest")}
	}
	labels.Queries = parts
	return labels, nil
}

// method is the one asked for, or the default: leave-query-out, for a single list
// leave-pair-out, where they are exact; else ten folds.
func (t *task) method(labels cv.Labels, path *rls.Path) cv.Method {
	if t.o.Method != nil {
		return *t.o.Method
	}
	exact := func(groups *pref.Partition) bool { return path != nil && path.Exact(groups) == nil }
	q := labels.Queries.Len()
	switch {
	case q > 1 && exact(labels.Queries):
		return cv.Method{Kind: cv.LeaveQueryOut}
	case q == 1 && labels.Edges == nil && exact(pref.Singletons(t.rows())):
		return cv.Method{Kind: cv.LeavePairOut}
	case q > 1:
		return cv.Method{Kind: cv.KFold, Folds: min(10, q)}
	}
	return cv.Method{Kind: cv.KFold, Folds: min(10, t.rows())}
}
