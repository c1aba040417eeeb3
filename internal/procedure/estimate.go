package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/internal/ratio"
)

// Run is an estimate from which further results can be computed.
type Run struct {
	Choice      *Choice
	Halves      *cv.Halves          // nil if there are none
	Nested      *cv.NestedEstimate  // nil if it was not requested
	Permutation *cv.PermutationTest // nil if it was not requested
	// Independent is the number of units that the standard error is over, if that alone makes the interval; else 0.
	Independent int

	plan  Plan
	alike bool // the test sets of Nested have the same error
}

// Estimate estimates every candidate of every kernel. If the plan asks for it, it also takes half-samples of
// the best estimate, tests the labels against their permutations, and estimates the whole procedure over outer
// folds.
func Estimate(ctx context.Context, s Divisible, p Plan) (*Run, error) {
	r := &Run{plan: p}
	tell, end := p.Journal.Monitor.Task("cross-validating", 0)
	c, err := choose(ctx, s, p.Metric, tell)
	if end(); err != nil {
		return nil, err
	}
	if err := c.ToBest(ctx); err != nil {
		return nil, err
	}
	r.Choice = c
	for _, more := range []func(context.Context) error{r.halve, r.permute, r.nest} {
		if err := more(ctx); err != nil {
			return nil, err
		}
	}
	doubt(ctx, r.source(), nil, c, p)
	r.warnNested()
	r.warnWrongWay()
	return r, nil
}

// source is the data under the chosen kernel.
func (r *Run) source() Divisible { return r.Choice.Source.(Divisible) }

// best is the estimate of an output at its best kernel and candidate.
func (r *Run) best(output int) cv.Point { return r.Choice.BestPoint(output, r.plan.Metric) }

// Interval returns the 95 % interval of the best estimate of an output. It is not Defined without Halves or Independent
// units. It costs O(k) for k kernels.
func (r *Run) Interval(output int) cv.Interval { return r.IntervalOf(r.best(output).Error, output) }

// IntervalOf returns the interval of a share with the variance of the best estimate of an output.
func (r *Run) IntervalOf(share float64, output int) cv.Interval {
	p := r.best(output)
	if r.Independent >= ratio.LeastUnits && p.StdErr.Defined {
		return cv.ShareInterval(share, p.StdErr.Value*p.StdErr.Value, r.Independent)
	}
	return r.Halves.IntervalOver(share, p, output)
}

// IntervalSource returns the source of the variance that Interval uses, "" without Halves or Independent units.
func (r *Run) IntervalSource(output int) cv.VarianceSource {
	switch {
	case r.Independent > 0:
		return cv.VarianceGiven
	case r.Halves == nil:
		return ""
	}
	p := r.best(output)
	_, source := r.Halves.Variance(p.Error, p.StdErr, output)
	return source
}
