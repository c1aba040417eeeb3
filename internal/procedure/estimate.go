package procedure

import (
	"context"

	"pairrank/eval/cv"
)

// Run is an estimate, and what more can be made of it.
type Run struct {
	Choice      *Choice
	Halves      *cv.Halves          // nil where there are none
	Nested      *cv.NestedEstimate  // nil where it was not asked for
	Permutation *cv.PermutationTest // nil where it was not asked for

	plan  Plan
	alike bool // the test sets of Nested have the same error
}

// Estimate estimates every candidate of every kernel; with the plan for it the best estimate gets half-samples,
// the labels are tested against their permutations, and the whole procedure is estimated over outer folds.
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
	doubt(r.source(), nil, c, p.Journal)
	r.warnNested()
	return r, nil
}

// source is the data under the kernel that was chosen.
func (r *Run) source() Divisible { return r.Choice.Source.(Divisible) }

// best is the estimate of an output at its best kernel and candidate.
func (r *Run) best(output int) cv.Point { return r.Choice.BestPoint(output, r.plan.Metric) }

// Interval is the 95 % interval of the best estimate of an output, not Defined without
// Halves, in O(k) for k kernels.
func (r *Run) Interval(output int) cv.Interval { return r.IntervalOf(r.best(output).Error, output) }

// IntervalOf is the interval of a share that varies as the best estimate of an output does.
func (r *Run) IntervalOf(share float64, output int) cv.Interval {
	return r.Halves.Interval(share, r.best(output).StdErr, output)
}

// IntervalSource is where the variance of Interval comes from, "" without Halves.
func (r *Run) IntervalSource(output int) cv.VarianceSource {
	if r.Halves == nil {
		return ""
	}
	p := r.best(output)
	_, source := r.Halves.Variance(p.Error, p.StdErr, output)
	return source
}
