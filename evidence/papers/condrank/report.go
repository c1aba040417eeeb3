package main

import (
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
)

// share is a mean error with its standard error.
type share struct{ mean, stderr float64 }

// meanOf is the mean of values and its standard error, NaN of one value.
func meanOf(v []float64) share { return share{experiment.Mean(v), experiment.StdErr(v)} }

// pathTable is a table of errors by λ, which addPath fills.
func pathTable(name string, lambdas []float64, format string) *experiment.Table {
	heads := []string{name, "%s"}
	for _, lambda := range lambdas {
		heads = append(heads, figure.Power(lambda), format)
	}
	return experiment.NewTable(heads...)
}

func addPath(t *experiment.Table, name string, errors []share) {
	row := []any{name}
	for _, e := range errors {
		row = append(row, e.mean)
	}
	t.Row(row...)
}

// pairError is the pairwise error of one row's scores after another, and their
// mean; rows with equal labels do not count. It is not for several goroutines.
type pairError struct {
	evaluator *metric.Evaluator
	mean      metric.Mean
	terms     []metric.Term
}

func newPairError() (*pairError, error) {
	e, err := metric.NewEvaluator([]metric.Metric{metric.Disagreement}, metric.Options{})
	return &pairError{evaluator: e, terms: make([]metric.Term, 1)}, err
}

// add takes the labels and scores of a row.
func (j *pairError) add(labels, scores []float64) error {
	if err := j.evaluator.SetQuery(metric.Query{Labels: labels}); err != nil {
		return err
	}
	if err := j.evaluator.TermsTo(j.terms, scores); err != nil {
		return err
	}
	j.mean.Add(j.terms[0])
	return nil
}

// error is the mean over the rows.
func (j *pairError) error() float64 { return j.mean.Value().Value }
