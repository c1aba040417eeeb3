package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// Choice is what estimating every candidate of every kernel came to.
type Choice struct {
	cv.Choice
	// Source is the data under the kernel in work: the last that was estimated, or the one that was chosen.
	Source Source

	kernel int // of Source
}

// Candidate is the value that was chosen, of the first output.
func (c *Choice) Candidate() float64 { return c.Chosen().Best() }

// InWork reports whether Source is under the kernel that was chosen.
func (c *Choice) InWork() bool { return c.kernel == c.Best }

// ToBest brings the source under the kernel that was chosen.
func (c *Choice) ToBest(ctx context.Context) error {
	if c.InWork() {
		return nil
	}
	c.Source, c.kernel = c.Source.Under(c.Best), c.Best
	return c.Source.Ready(ctx)
}

// choose estimates every candidate of every kernel, of which the one is best that is best at its best candidate
// by a metric, or with nil by the error. tell hears how far it is, over all kernels; nil hears nothing.
func choose(ctx context.Context, s Source, m *metric.Metric, tell func(done, total int)) (*Choice, error) {
	var estimates []cv.KernelEstimate
	best, kernels := 0, s.Kernels()
	for k := range kernels {
		s = s.Under(k)
		progress := tell
		if tell != nil && kernels > 1 {
			progress = func(done, total int) { tell(total*k+done, total*kernels) }
		}
		e, err := s.Estimate(ctx, progress)
		if err != nil {
			return nil, err
		}
		if estimates = append(estimates, e); e.Criterion(m) < estimates[best].Criterion(m) {
			best = k
		}
	}
	return &Choice{Choice: cv.NewChoice(estimates, best), Source: s, kernel: kernels - 1}, nil
}

// bestErrors are the errors of each output at its best, of what is chosen on a part.
func bestErrors(ctx context.Context, part Source, m *metric.Metric) ([]float64, error) {
	c, err := choose(ctx, part, m, nil)
	if err != nil {
		return nil, err
	}
	errors := make([]float64, len(c.Kernels[0].Outputs))
	for o := range errors {
		errors[o] = c.BestPoint(o, m).Error
	}
	return errors, nil
}
