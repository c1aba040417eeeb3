package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// Choice is the result of estimating every candidate of every kernel.
type Choice struct {
	cv.Choice
	// Source is the data under the current kernel: the last that was estimated, or the chosen one.
	Source Source
	// Settled is the λ from which on the held-out ranking no longer changes, as Doubt of the Source found; or nil.
	Settled *float64
	// Losses compare a kernel with the simple one, where the source has one; or nil.
	Losses *Losses

	kernel int // the kernel of Source
}

// Candidate is the chosen value of the first output.
func (c *Choice) Candidate() float64 { return c.Chosen().Best() }

// InWork reports whether Source is under the chosen kernel.
func (c *Choice) InWork() bool { return c.kernel == c.Best }

// Holds reports whether a source is that of the choice, under the chosen kernel.
func (c *Choice) Holds(s Source) bool { return c.InWork() && c.Source == s }

// ToBest puts the source under the chosen kernel.
func (c *Choice) ToBest(ctx context.Context) error {
	if c.InWork() {
		return nil
	}
	c.Source, c.kernel = c.Source.Under(c.Best), c.Best
	return c.Source.Ready(ctx)
}

// choose estimates every candidate of every kernel. The best kernel is the one whose best candidate has the
// best metric, or the smallest error if m is nil, unless the source is Simple. tell receives the progress over all kernels; it may be nil.
func choose(ctx context.Context, s Source, m *metric.Metric, tell func(done, total int)) (*Choice, error) {
	var estimates []cv.KernelEstimate
	var losses []*unitLosses
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
		l, err := lossesOf(ctx, s, &estimates[k])
		if err != nil {
			return nil, err
		}
		losses = append(losses, l)
	}
	compared, best := simplest(s, losses, best)
	return &Choice{Choice: cv.NewChoice(estimates, best), Source: s, Losses: compared, kernel: kernels - 1}, nil
}

// bestErrors returns the error of each output at its best candidate, after choosing on a part.
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
