package holdout

import (
	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// NewEstimate returns the estimate with the given points. The best has the least error, and among
// equal ones the largest candidate. It keeps points.
func NewEstimate(points []cv.Point) *cv.Estimate {
	e := &cv.Estimate{Points: points}
	choose(e, nil)
	return e
}

// choose sets Best by the metric, or by the error when it is nil.
func choose(e *cv.Estimate, m *metric.Metric) {
	for l, p := range e.Points {
		b := e.Points[e.Best]
		if x, y := p.Criterion(m), b.Criterion(m); x < y || x == y && p.Candidate > b.Candidate {
			e.Best = l
		}
	}
}

// Least is the least error of all candidates, in O(candidates).
func Least(e *cv.Estimate) float64 {
	best := e.Points[0].Error
	for _, p := range e.Points {
		best = min(best, p.Error)
	}
	return best
}

// share is the share of the pairs that are in the wrong order, 0 of none.
func share(r cv.RowPairs) float64 { return r.Wrong / float64(max(r.Pairs, 1)) }
