package study

import (
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
)

// Values are the means of metrics over the queries of a set with scores, and the values of the queries for which they
// are defined, in the order of the queries.
func Values(test *data.Set, scores []float64, metrics []metric.Metric,
	o metric.Options) (means []float64, queries [][]float64, err error) {
	report, err := metric.Evaluate(metric.Input{Labels: test.Y, Scores: scores, Queries: test.Queries}, metrics, o)
	if err != nil {
		return nil, nil, err
	}
	queries = make([][]float64, len(metrics))
	for k := range metrics {
		means = append(means, report.Results[k].Mean.Value)
		for _, q := range report.PerQuery {
			if q.Values[k].Defined {
				queries[k] = append(queries[k], q.Values[k].Value)
			}
		}
	}
	return means, queries, nil
}

// Less is a less b, number by number.
func Less(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for k := range d {
		d[k] = a[k] - b[k]
	}
	return d
}

// Wilcoxon is the p-value of Wilcoxon's signed ranks of differences without zeros, the test of the papers.
func Wilcoxon(differences []float64) float64 {
	return compare.Wilcoxon(compare.FlushRounding(differences), compare.DropZeros).P
}
