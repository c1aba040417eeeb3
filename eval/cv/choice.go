package cv

import (
	"math"
	"slices"
	"strconv"

	"pairrank/eval/metric"
	"pairrank/internal/spell"
	"pairrank/kernel"
)

// Parameter is what candidates are values of.
type Parameter string

const (
	// Lambda is the regularisation, and Rounds a number of rounds of boosting.
	Lambda Parameter = "lambda"
	Rounds Parameter = "rounds"
)

// Text is a value of the parameter in a sentence: λ as a power of two where it is one.
func (p Parameter) Text(value float64) string {
	if p == Rounds {
		return strconv.Itoa(int(value))
	}
	return spell.Power(value)
}

// Choice is the kernel and the candidate, a λ or a number of rounds, that are best by
// what was held out. Where nothing was held out, since there was a single candidate, Error is NaN,
// Kernels is empty and Chosen panics.
type Choice struct {
	// Lambda is the λ that was chosen; 0 for rounds, and where outputs differ in it,
	// whose own values are in Kernels.
	Lambda float64
	// Rounds is the number of rounds that was chosen; 0 for λ.
	Rounds int
	// Kernel is the kernel that was chosen; nil of edges, whose nodes have kernels.
	Kernel kernel.Kernel
	// Measure is what Error is: "" the mean disagreement over held-out pairs, or
	// another one by name.
	Measure string
	// Error is the held-out error of the choice, the mean over the outputs; NaN where
	// nothing was held out. It is too low by what chance gave to the choice.
	Error float64
	// StdErr is the standard error of Error, of one output, see Point.
	StdErr metric.Value
	// Pairs is the number of held-out pairs with different labels, of one output.
	Pairs int64
	// Method is how rows or edges were held out.
	Method Method
	// Retrained says that no shortcut was exact, and each fold was trained again.
	Retrained bool
	// Kernels are the estimates of every kernel and candidate, and Best the kernel that
	// was chosen; none where nothing was held out.
	Kernels []KernelEstimate
	Best    int
}

// KernelEstimate is the estimate of every candidate under one kernel, one for each
// output.
type KernelEstimate struct {
	Kernel kernel.Kernel
	// Method is how rows or edges were held out.
	Method Method
	// Measure is what the errors are: "" the mean disagreement over held-out pairs, or another one by name.
	Measure string
	// Candidates are the values of Parameter that were tried.
	Parameter  Parameter
	Candidates []float64
	// Outputs are the estimates, one for each output.
	Outputs []*Estimate
}

// NewChoice returns the choice by the estimates of some kernels, of which best is chosen. Cost O(v) for v
// outputs.
func NewChoice(kernels []KernelEstimate, best int) Choice {
	chosen := kernels[best]
	e := chosen.Outputs[0]
	point := e.Points[e.Best]
	out := Choice{Kernel: chosen.Kernel, Measure: chosen.Measure, Error: chosen.Error(), Method: chosen.Method,
		Retrained: e.Retrained, Kernels: kernels, Best: best}
	if len(chosen.Outputs) == 1 {
		out.StdErr, out.Pairs = point.StdErr, point.Pairs
	}
	if chosen.Parameter == Rounds {
		out.Rounds = int(point.Candidate)
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

// Measured reports whether anything was held out.
func (c *Choice) Measured() bool { return len(c.Kernels) > 0 }

// Tried is how many candidates were estimated, under all kernels.
func (c *Choice) Tried() (n int) {
	for _, k := range c.Kernels {
		n += len(k.Candidates)
	}
	return n
}

// Chosen is the estimate of the chosen kernel. It panics where nothing was held out.
func (c *Choice) Chosen() KernelEstimate { return c.Kernels[c.Best] }

// BestPoint is the estimate of an output at the kernel and candidate that are best for it, by a metric or
// with nil by the error. It panics where nothing was held out. Cost O(k) for k kernels.
func (c *Choice) BestPoint(output int, m *metric.Metric) Point {
	best := c.Kernels[0].Outputs[output]
	for _, k := range c.Kernels[1:] {
		if e := k.Outputs[output]; e.Criterion(m) < best.Criterion(m) {
			best = e
		}
	}
	return best.Points[best.Best]
}

// Drawn reports whether an estimate is of pairs that were drawn, in O(1) for each candidate.
func (c *Choice) Drawn() bool {
	for _, k := range c.Kernels {
		for _, e := range k.Outputs {
			if slices.ContainsFunc(e.Points, func(p Point) bool { return p.Drawn > 0 }) {
				return true
			}
		}
	}
	return false
}

// Best is the best candidate, of the first output.
func (k KernelEstimate) Best() float64 { return k.Outputs[0].Points[k.Outputs[0].Best].Candidate }

// Criterion is the mean over the outputs of what the choice of a kernel compares, each
// at its best candidate; less is better.
func (k KernelEstimate) Criterion(m *metric.Metric) float64 {
	return k.mean(func(e *Estimate) float64 { return e.Criterion(m) })
}

// Error is the mean over the outputs of the error, each at its best candidate.
func (k KernelEstimate) Error() float64 {
	return k.mean(func(e *Estimate) float64 { return e.Points[e.Best].Error })
}

// Value is the mean over the outputs of the metric that chose, each at its best candidate; NaN where
// one is not defined.
func (k KernelEstimate) Value() float64 {
	return k.mean(func(e *Estimate) float64 {
		v := e.Points[e.Best].Metric
		if !v.Defined {
			return math.NaN()
		}
		return v.Value
	})
}

func (k KernelEstimate) mean(of func(e *Estimate) float64) float64 {
	sum := 0.0
	for _, e := range k.Outputs {
		sum += of(e)
	}
	return sum / float64(len(k.Outputs))
}
