package relation

import (
	"fmt"
	"math"
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/kron"
)

// Stopped is the iterate that early stopping kept.
type Stopped struct {
	Iteration int       // from 1
	Error     float64   // of that iterate on the edges of EarlyStop
	Curve     []float64 // the error after each iteration
}

// stopping ends an iteration when the error on other edges no longer falls.
type stopping struct {
	Stopped
	onto     *kron.Operator // from the training edges to the others
	scores   []float64
	error    func(scores []float64) (metric.Value, error)
	patience int
	best     []float64
	err      error
}

func newStopping(g *graph, s *EarlyStop) *stopping {
	return &stopping{onto: kron.NewOperator(g.kernel, g.rows, g.cols, s.Edges, g.edges),
		scores: make([]float64, len(s.Y)),
		error:  RowError(s.Edges.Row, s.Y), patience: s.Patience}
}

// goOn measures the coefficients after another iteration.
func (s *stopping) goOn(coef []float64) bool {
	s.onto.MulTo(s.scores, coef)
	v, err := metric.Value{}, error(nil)
	if i := slices.IndexFunc(s.scores, func(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }); i >= 0 {
		err = overflow(fmt.Sprintf("edge %d for early stopping", i+1), s.scores[i])
	} else {
		v, err = s.error(s.scores)
	}
	if err == nil && !v.Defined {
		err = errOneLabel
	}
	if err != nil {
		s.err = err
		return false
	}
	s.Curve = append(s.Curve, v.Value)
	if s.best == nil || v.Value < s.Error {
		s.Error, s.Iteration, s.best = v.Value, len(s.Curve), append(slices.Grow(s.best[:0], len(coef)), coef...)
	}
	return len(s.Curve)-s.Iteration < s.patience
}

// RowError returns a function of the scores of m edges with these rows and labels: the share of pairs in the
// wrong order, ties ½, among the pairs of edges of one row with different labels, over all rows. A call costs
// O(m log m). It returns an error for a NaN score, and panics when there are fewer scores or labels than edges.
func RowError(row []int32, y []float64) func(scores []float64) (metric.Value, error) {
	rows := 0
	for _, i := range row {
		rows = max(rows, int(i)+1)
	}
	lists := make([][]int, rows)
	for e, i := range row {
		lists[i] = append(lists[i], e)
	}
	labels, f, term := []float64(nil), []float64(nil), make([]metric.Term, 1)
	return func(scores []float64) (metric.Value, error) {
		evaluator, err := metric.NewEvaluator([]metric.Metric{metric.PooledDisagreement}, metric.Options{})
		if err != nil {
			return metric.Value{}, err
		}
		var mean metric.Mean
		for _, edges := range lists {
			if len(edges) == 0 {
				continue
			}
			labels, f = labels[:0], f[:0]
			for _, e := range edges {
				labels, f = append(labels, y[e]), append(f, scores[e])
			}
			if err := evaluator.SetQuery(metric.Query{Labels: labels}); err != nil {
				return metric.Value{}, err
			}
			if err := evaluator.TermsTo(term, f); err != nil {
				return metric.Value{}, err
			}
			mean.Add(term[0])
		}
		return mean.Value(), nil
	}
}
