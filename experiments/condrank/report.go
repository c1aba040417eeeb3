package main

import (
	"fmt"
	"math"
	"strings"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/experiments/internal/experiment"
	"pairrank/internal/linalg"
)

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// power writes a power of 2 as such.
func power(lambda float64) string {
	return "2" + superscripts.Replace(fmt.Sprint(math.Round(math.Log2(lambda))))
}

// share is a mean error with its standard error.
type share struct{ mean, stderr float64 }

// meanOf is the mean of values and its standard error, NaN of one value.
func meanOf(v []float64) share { return share{mean(v), deviation(v) / math.Sqrt(float64(len(v)))} }

func mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// deviation is the standard deviation, NaN of one value.
func deviation(v []float64) float64 {
	m, ss := mean(v), 0.0
	for _, x := range v {
		ss += (x - m) * (x - m)
	}
	return math.Sqrt(ss / float64(len(v)-1))
}

// pathTable is a table of errors by λ, which addPath fills.
func pathTable(name string, lambdas []float64, format string) *experiment.Table {
	heads := []string{name, "%s"}
	for _, lambda := range lambdas {
		heads = append(heads, power(lambda), format)
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

// multiply is a product, of a and the transpose of b when trans says so.
func multiply(a, b *data.Dense, trans linalg.Trans) *data.Dense {
	cols := b.Cols
	if trans == linalg.T {
		cols = b.Rows
	}
	c := data.NewDense(a.Rows, cols, nil)
	linalg.Gemm(linalg.NoTrans, trans, 1, linalg.Mat(*a), linalg.Mat(*b), 0, linalg.Mat(*c))
	return c
}
