package procedure

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// Simple is a Source one of whose kernels is simpler than others, and is taken unless another has a smaller held-out
// loss by more than one standard error (Breiman, Friedman, Olshen and Stone 1984, Classification and regression trees,
// section 3.4.3), whatever chooses the candidates.
type Simple interface {
	// Losses returns the held-out loss of each unit at the best candidates of an estimate, and what is added to their
	// sum; nil where nothing is simpler.
	Losses(ctx context.Context, e *cv.KernelEstimate) (losses []float64, constant float64, err error)
	// Simpler reports whether kernel k is the simple one.
	Simpler(k int) bool
}

// Losses compares the held-out loss of a kernel with that of the simple one.
type Losses struct {
	Kernel             int     // the one of the others with the least loss
	Loss               float64 // of the simple one
	Difference, StdErr float64 // of the other loss less this one, and the standard error over the units
	Units              int
	Other              bool // whether the other one is taken: its loss is less by more than StdErr
}

// unitLosses are those of a kernel.
type unitLosses struct {
	units []float64
	sum   float64 // with the constant
}

// lossesOf are the losses of a source after an estimate, nil where it is not Simple.
func lossesOf(ctx context.Context, s Source, e *cv.KernelEstimate) (*unitLosses, error) {
	simple, is := s.(Simple)
	if !is {
		return nil, nil
	}
	units, sum, err := simple.Losses(ctx, e)
	if units == nil || err != nil {
		return nil, err
	}
	for _, v := range units {
		sum += v
	}
	return &unitLosses{units, sum}, nil
}

// simplest compares the losses of kernels; nil where there are none. It returns the kernel to take.
func simplest(s Source, all []*unitLosses, best int) (*Losses, int) {
	if all[0] == nil {
		return nil, best
	}
	simple, other := 0, -1
	for k, l := range all {
		if s.(Simple).Simpler(k) {
			simple = k
		} else if other < 0 || l.sum < all[other].sum {
			other = k
		}
	}
	a, b := all[simple], all[other]
	out := &Losses{Kernel: other, Loss: a.sum, Difference: b.sum - a.sum, Units: len(a.units)}
	mean, n := out.Difference/float64(out.Units), float64(out.Units)
	for u, v := range b.units {
		out.StdErr += (v - a.units[u] - mean) * (v - a.units[u] - mean)
	}
	if out.StdErr = math.Sqrt(out.StdErr * n / (n - 1)); n > 1 && out.Difference < -out.StdErr {
		out.Other = true
		return out, other
	}
	return out, simple
}

// BestPoint is that of the chosen kernel where losses choose it, else that of the kernel which is best for the output.
func (c *Choice) BestPoint(output int, m *metric.Metric) cv.Point {
	if c.Losses == nil {
		return c.Choice.BestPoint(output, m)
	}
	e := c.Chosen().Outputs[output]
	return e.Points[e.Best]
}
