package cv

import (
	"math"
	"slices"
	"strconv"

	"pairrank/eval/metric"
	"pairrank/internal/spell"
	"pairrank/kernel"
)

// Parameter is the parameter whose values are the candidates.
type Parameter string

const (
	// Lambda is the regularisation, Rounds a number of rounds of boosting, and Features a number of selected
	// features together with λ.
	Lambda   Parameter = "lambda"
	Rounds   Parameter = "rounds"
	Features Parameter = "features"
)

// Text formats a value of the parameter for a sentence: λ as a power of two where it is one.
func (p Parameter) Text(value float64) string {
	if p == Rounds || p == Features {
		return strconv.Itoa(int(value))
	}
	return spell.Power(value)
}

// Choice is the kernel and the candidate, a λ or a number of rounds, with the least held-out error
// or the best metric. Where nothing was held out, since there was a single candidate, Error is NaN,
// Kernels is empty and Chosen panics.
type Choice struct {
	// Lambda is the chosen λ. It is 0 for rounds, and where the outputs have different λ, which are
	// in Kernels.
	Lambda float64
	// Rounds is the chosen number of rounds; 0 for λ. Features is the chosen number of selected features, with
	// Lambda; 0 where none are selected.
	Rounds   int
	Features int
	// Kernel is the chosen kernel; nil for edges, whose nodes have kernels.
	Kernel kernel.Kernel
	// Measure names Error: "" is the mean disagreement over held-out pairs.
	Measure string
	// Error is the held-out error of the choice, the mean over the outputs; NaN where nothing was
	// held out. It is biased downwards, since the choice minimises it.
	Error float64
	// StdErr is the standard error of Error, for one output; see Point.
	StdErr metric.Value
	// Pairs is the number of held-out pairs with different labels, for one output.
	Pairs int64
	// Method is how rows or edges were held out.
	Method Method
	// Retrained says that no shortcut was exact, so that each fold was trained again.
	Retrained bool
	// Kernels are the estimates of every kernel and candidate, and Best is the index of the chosen
	// kernel. Kernels is empty where nothing was held out.
	Kernels []KernelEstimate
	Best    int
	// ByLoss reports whether Best was chosen by the Losses of the kernels, for all outputs.
	ByLoss bool
}

// KernelEstimate is the estimate of every candidate under one kernel, one for each
// output.
type KernelEstimate struct {
	Kernel kernel.Kernel
	// Method is how rows or edges were held out.
	Method Method
	// Measure names the errors: "" is the mean disagreement over held-out pairs.
	Measure string
	// Candidates are the values of Parameter that were tried.
	Parameter  Parameter
	Candidates []float64
	// Outputs are the estimates, one for each output.
	Outputs []*Estimate
	// Losses are the squared losses of the units that were held out, at the best candidates, where the linear kernel
	// and splines are to choose from; else nil. Their sum lacks LossConstant.
	Losses       []float64
	LossConstant float64
	Simple       bool // the linear kernel there
}

// Measured reports whether anything was held out.
func (c *Choice) Measured() bool { return len(c.Kernels) > 0 }

// Tried returns the number of candidates that were estimated, over all kernels.
func (c *Choice) Tried() (n int) {
	for _, k := range c.Kernels {
		n += len(k.Candidates)
	}
	return n
}

// Chosen is the estimate of the chosen kernel. It panics where nothing was held out.
func (c *Choice) Chosen() KernelEstimate { return c.Kernels[c.Best] }

// BestPoint returns the estimate of an output at the kernel and candidate that are best for that
// output, by the metric m, or by the error where m is nil. It panics where nothing was held out.
// Cost O(k) for k kernels.
func (c *Choice) BestPoint(output int, m *metric.Metric) Point {
	best := c.Kernels[0].Outputs[output]
	if c.ByLoss {
		best = c.Chosen().Outputs[output]
		return best.Points[best.Best]
	}
	for _, k := range c.Kernels[1:] {
		if e := k.Outputs[output]; e.Criterion(m) < best.Criterion(m) {
			best = e
		}
	}
	return best.Points[best.Best]
}

// Drawn reports whether an estimate is from a sample of the pairs, in O(1) for each candidate.
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

// Criterion returns the number that the choice of a kernel minimises: the mean over the outputs,
// each at its best candidate.
func (k KernelEstimate) Criterion(m *metric.Metric) float64 {
	return k.mean(func(e *Estimate) float64 { return e.Criterion(m) })
}

// Error is the mean over the outputs of the error, each at its best candidate.
func (k KernelEstimate) Error() float64 {
	return k.mean(func(e *Estimate) float64 { return e.Points[e.Best].Error })
}

// Value is the mean over the outputs of Options.Metric, each at its best candidate; NaN where one
// is not defined.
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
