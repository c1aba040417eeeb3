package cv

import (
	"fmt"

	"pairrank/data"
	"pairrank/eval/metric"
)

// relationJudge evaluates held-out scores; the edges of a row are a query.
type relationJudge struct {
	r       Relation
	metrics []metric.Metric
	choose  bool
}

func newRelationJudge(r Relation, o RelationOptions) (*relationJudge, error) {
	j := &relationJudge{r: r, metrics: append([]metric.Metric{metric.PooledDisagreement}, o.Metrics...)}
	if o.Choose != nil {
		j.choose = true
		j.metrics = append(j.metrics, *o.Choose)
	}
	_, err := metric.NewEvaluator(j.metrics, metric.Options{})
	return j, err
}

// point evaluates the scores that are not NaN.
func (j *relationJudge) point(scores []float64) (p RelationPoint, held int, err error) {
	var labels, f []float64
	var of []int32
	for e, s := range scores {
		if s == s {
			labels, f, of = append(labels, j.r.Y[e]), append(f, s), append(of, j.r.Edges.Row[e])
		}
	}
	if len(f) == 0 {
		return p, 0, fmt.Errorf("no edge is held out")
	}
	pooled, err := j.pooled(labels, f)
	if err != nil {
		return p, 0, err
	}
	values, pairs, err := j.evaluate(labels, f, of, j.r.Rows.Rows, j.metrics)
	if err != nil {
		return p, 0, err
	}
	if !values[0].Defined {
		return p, 0, fmt.Errorf("no two held-out edges of a row have different labels, so there is no error to estimate")
	}
	p = RelationPoint{Error: values[0].Value, Pairs: pairs, Pooled: pooled, Metrics: values[1:]}
	if j.choose {
		p.Chosen, p.Metrics = values[len(values)-1], values[1:len(values)-1]
	}
	return p, len(f), nil
}

// pooled is the error over the pairs of all edges. It makes scores that are within
// rounding of one another equal, those of nodes that are alike among them.
func (j *relationJudge) pooled(y, f []float64) (metric.Value, error) {
	evaluator, err := metric.NewEvaluator(j.metrics[:1], metric.Options{})
	if err != nil {
		return metric.Value{}, err
	}
	if err := evaluator.SetQuery(metric.Query{Labels: y}); err != nil {
		return metric.Value{}, err
	}
	term := make([]metric.Term, 1)
	err = evaluator.TermsTo(term, f)
	if err == nil && evaluator.Closer(relativeRounding*newUnbounded(column(f)).Widest()) {
		tieEdges(f)
		err = evaluator.TermsTo(term, f)
	}
	var mean metric.Mean
	mean.Add(term[0])
	return mean.Value(), err
}

// tieEdges is tieWithin of scores of edges.
func tieEdges(f []float64) {
	tieWithin(f, relativeRounding*newUnbounded(column(f)).Widest(), func(int) float64 { return 0 })
}

// column is f as a matrix of one column.
func column(f []float64) *data.Dense {
	return &data.Dense{Rows: len(f), Cols: 1, Stride: 1, Data: f}
}

// evaluate is the metrics over the lists of labels and scores.
func (j *relationJudge) evaluate(y, f []float64, of []int32, lists int, metrics []metric.Metric) ([]metric.Value, int64, error) {
	evaluator, err := metric.NewEvaluator(metrics, metric.Options{})
	if err != nil {
		return nil, 0, err
	}
	groups := make([][]int, lists)
	for e, g := range of {
		groups[g] = append(groups[g], e)
	}
	means := make([]metric.Mean, len(metrics))
	terms := make([]metric.Term, len(metrics))
	for _, rows := range groups {
		if len(rows) == 0 {
			continue
		}
		labels, scores := make([]float64, len(rows)), make([]float64, len(rows))
		for a, e := range rows {
			labels[a], scores[a] = y[e], f[e]
		}
		if err := evaluator.SetQuery(metric.Query{Labels: labels}); err != nil {
			return nil, 0, err
		}
		if err := evaluator.TermsTo(terms, scores); err != nil {
			return nil, 0, err
		}
		for k, t := range terms {
			means[k].Add(t)
		}
	}
	values := make([]metric.Value, len(metrics))
	for k := range means {
		values[k] = means[k].Value()
	}
	return values, int64(means[0].Den), nil
}

// RowError returns a function that tells the error of scores of edges with these
// rows and labels: the share of the pairs of a row's edges with different labels
// that are ordered wrongly, ties ½, over all rows.
func RowError(row []int32, y []float64) func(scores []float64) (metric.Value, error) {
	rows := 0
	for _, i := range row {
		rows = max(rows, int(i)+1)
	}
	j := &relationJudge{}
	return func(scores []float64) (metric.Value, error) {
		values, _, err := j.evaluate(y, scores, row, rows, []metric.Metric{metric.PooledDisagreement})
		if err != nil {
			return metric.Value{}, err
		}
		return values[0], nil
	}
}
