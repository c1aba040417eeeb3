package metric

import (
	"fmt"
	"math"

	"pairrank/internal/ostat"
)

// checkWeights refuses weights that are none, and metrics without pairs beside weights.
func (e *Evaluator) checkWeights() error {
	w := e.query.Weights
	if w == nil {
		return nil
	}
	if len(w) != len(e.query.Labels) {
		panic("metric: a weight of every row is needed")
	}
	for _, m := range e.metrics {
		if !m.OfPairs() {
			return &weightsError{m}
		}
	}
	return checkAmounts(w)
}

// Check returns an error about weights that are none. It panics when the lengths in in differ.
func (in *Input) Check() error {
	in.checkShapes()
	return checkAmounts(in.Weights)
}

// checkAmounts refuses weights that are none.
func checkAmounts(w []float64) error {
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return &RowError{Row: i, Problem: fmt.Sprintf("the weight is %v: a weight is finite and at least 0", v)}
		}
	}
	return nil
}

// weightsError is the error about a metric of positions beside weights: it has no pairs to weigh, and there is no
// standard definition of a position that one row takes in part.
type weightsError struct{ Metric Metric }

// Error names the metric.
func (e *weightsError) Error() string {
	return fmt.Sprintf("%s takes no weights of rows: it looks at positions, each of which one row has; metrics of pairs "+
		"count a pair w_i w_j times", e.Metric)
}

// setLabels gives labels and the weights of the query to a counter.
func (e *Evaluator) setLabels(c *ostat.Counter, y []float64) {
	if c.SetLabels(y); e.query.Weights != nil {
		c.SetWeights(e.query.Weights)
	}
}

// countBy counts the pairs of a counter, with the weights of the query.
func (e *Evaluator) countBy(c *ostat.Counter, f []float64) (ostat.WeightedPairs, bool) {
	if e.query.Weights != nil {
		return c.CountWeighted(f)
	}
	p, ok := c.Count(f)
	return p.Weighted(), ok
}
