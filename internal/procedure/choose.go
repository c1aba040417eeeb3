package procedure

import (
	"context"
	"math"

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
	// Losses compare a kernel with the linear one, where estimates have losses; or nil.
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

// Losses compares the held-out loss of a kernel with that of the linear one.
type Losses struct {
	Kernel             int     // the one of the others with the least loss
	Loss               float64 // of the linear one
	Difference, StdErr float64 // of the other loss less this one, and the standard error over the units
	Units              int
	Other              bool // whether the other one is taken: its loss is less by more than StdErr
}

// simplest compares the losses of the linear kernel and others, nil where estimates have none, and returns the kernel
// to take: the linear one unless another has less loss by more than one standard error (Breiman, Friedman, Olshen and
// Stone 1984, Classification and regression trees, section 3.4.3).
func simplest(estimates []cv.KernelEstimate, best int) (*Losses, int) {
	if estimates[0].Losses == nil {
		return nil, best
	}
	simple, other, sums := 0, -1, make([]float64, len(estimates))
	for k, e := range estimates {
		sums[k] = e.LossConstant
		for _, v := range e.Losses {
			sums[k] += v
		}
		if e.Simple {
			simple = k
		} else if other < 0 || sums[k] < sums[other] {
			other = k
		}
	}
	units := estimates[simple].Losses
	out := &Losses{Kernel: other, Loss: sums[simple], Difference: sums[other] - sums[simple], Units: len(units)}
	n := float64(out.Units)
	for u, v := range estimates[other].Losses {
		d := v - units[u] - out.Difference/n
		out.StdErr += d * d
	}
	if out.StdErr = math.Sqrt(out.StdErr * n / (n - 1)); n > 1 && out.Difference < -out.StdErr {
		out.Other = true
		return out, other
	}
	return out, simple
}

// NewChoice returns the choice from the estimates of some kernels; kernel number best is chosen.
// Cost O(v) for v outputs.
func NewChoice(kernels []cv.KernelEstimate, best int) cv.Choice {
	chosen := kernels[best]
	e := chosen.Outputs[0]
	point := e.Points[e.Best]
	out := cv.Choice{Kernel: chosen.Kernel, Measure: chosen.Measure, Error: chosen.Error(), Method: chosen.Method,
		Retrained: e.Retrained, Kernels: kernels, Best: best}
	if len(chosen.Outputs) == 1 {
		out.StdErr, out.Pairs = point.StdErr, point.Pairs
	}
	if chosen.Parameter == cv.Rounds {
		out.Rounds = int(point.Candidate)
		return out
	}
	if chosen.Parameter == cv.Features {
		out.Lambda, out.Features = point.Lambda, point.Features
		return out
	}
	out.Lambda = point.Candidate
	for _, e := range chosen.Outputs[1:] {
		if e.Points[e.Best].Candidate != out.Lambda {
			out.Lambda = 0
		}
	}
	return out
}
