package metric

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/internal/student"
)

// Input is the labels and scores of m rows, in queries.
type Input struct {
	// Labels and Scores have length m.
	Labels, Scores []float64

	// Queries is the rows by query. Where it has no IDs the queries are numbered
	// from 1. Nil: all rows are one query.
	Queries *data.Partition

	// Weights are how much the m rows count: a pair of rows counts the product of theirs. They are at least 0, where a
	// row of 0 has no pairs; nil is 1 for each. They are of rows: a mean over queries stays one over queries.
	Weights []float64

	// DocIDs names the m rows, or is nil; see [Query.DocIDs].
	DocIDs []string

	// Unretrieved is, by query, [Query.Unretrieved]; nil: there are none.
	Unretrieved [][]float64

	// Censored has [Query.Censored] of the m rows, whose labels are times then; nil: they are none. The queries are
	// strata.
	Censored []bool
}

// queries is the number of queries.
func (in *Input) queries() int {
	if in.Queries == nil {
		return 1
	}
	return in.Queries.Len()
}

// id is how a query is called in messages and reports.
func (in *Input) id(g int) string {
	if in.Queries == nil || in.Queries.IDs == nil {
		return strconv.Itoa(g + 1)
	}
	return in.Queries.IDs[g]
}

// checkShapes panics where lengths do not fit.
func (in *Input) checkShapes() {
	m := len(in.Labels)
	if in.Queries != nil {
		data.CheckPartition("metric: Queries", in.Queries, m)
	}
	q := in.queries()
	switch {
	case len(in.Scores) != m:
		panic(fmt.Sprintf("metric: %d scores for %d labels", len(in.Scores), m))
	case in.Censored != nil && len(in.Censored) != m:
		panic(fmt.Sprintf("metric: %d marks of censored times for %d labels", len(in.Censored), m))
	case in.Weights != nil && len(in.Weights) != m:
		panic(fmt.Sprintf("metric: %d weights for %d labels", len(in.Weights), m))
	case in.DocIDs != nil && len(in.DocIDs) != m:
		panic(fmt.Sprintf("metric: %d document ids for %d labels", len(in.DocIDs), m))
	case in.Unretrieved != nil && len(in.Unretrieved) != q:
		panic(fmt.Sprintf("metric: unretrieved labels of %d queries for %d queries", len(in.Unretrieved), q))
	}
}

// part is one query gathered out of the input: views of it where the rows follow one
// another, else copies in memory that is reused.
type part struct {
	rows     []int32 // nil: first, first+1, …
	first    int
	labels   []float64
	scores   []float64
	weights  []float64
	docIDs   []string
	censored []bool

	numbers []float64 // memory of labels, scores and weights
	names   []string  // memory of docIDs
	some    []bool    // memory of censored
}

// gather takes query g.
func (p *part) gather(in *Input, g int) {
	if in.Queries == nil {
		p.view(in, 0, len(in.Labels))
		return
	}
	rows := in.Queries.Part(g)
	n := len(rows)
	switch {
	case n == 0:
		p.view(in, 0, 0)
		return
	case int(rows[n-1]-rows[0]) == n-1:
		p.view(in, int(rows[0]), n)
		return
	}
	p.rows = rows
	lists := 2
	if in.Weights != nil {
		lists++
	}
	p.numbers = grown(p.numbers, lists*n)
	p.labels, p.scores, p.weights = p.numbers[:n], p.numbers[n:2*n], nil
	p.docIDs, p.censored = nil, nil
	for a, i := range rows {
		p.labels[a], p.scores[a] = in.Labels[i], in.Scores[i]
	}
	if in.Weights != nil {
		p.weights = p.numbers[2*n:]
		for a, i := range rows {
			p.weights[a] = in.Weights[i]
		}
	}
	if in.DocIDs != nil {
		p.names = grown(p.names, n)
		p.docIDs = p.names
		for a, i := range rows {
			p.docIDs[a] = in.DocIDs[i]
		}
	}
	if in.Censored != nil {
		p.some = grown(p.some, n)
		p.censored = p.some
		for a, i := range rows {
			p.censored[a] = in.Censored[i]
		}
	}
}

// view takes n rows from first on.
func (p *part) view(in *Input, first, n int) {
	p.rows, p.first = nil, first
	p.labels, p.scores = in.Labels[first:first+n], in.Scores[first:first+n]
	p.weights, p.docIDs, p.censored = nil, nil, nil
	if in.Weights != nil {
		p.weights = in.Weights[first : first+n]
	}
	if in.Censored != nil {
		p.censored = in.Censored[first : first+n]
	}
	if in.DocIDs != nil {
		p.docIDs = in.DocIDs[first : first+n]
	}
}

// locate turns a row of the query into a row of the input.
func (p *part) locate(row int) int {
	if p.rows == nil {
		return p.first + row
	}
	return int(p.rows[row])
}

// Evaluate computes the metrics over all queries, in parallel. Sums are taken in the order of the
// queries, so that the result does not depend on the number of threads. A query of m rows costs O(m
// log m), and the cost of [Evaluator.TermsTo]. It returns an error, the first in the order of the
// queries, for a NaN score, a label that a metric or the style cannot use, a weight that is none, a
// metric that takes no weights beside them, one that the style does not define or that is listed twice, and an empty
// list of metrics. It panics when the lengths in in differ.
func Evaluate(in Input, metrics []Metric, opts Options) (*Report, error) {
	in.checkShapes()
	if len(metrics) == 0 {
		return nil, errors.New("no metric to compute")
	}
	for j, m := range metrics {
		if slices.Contains(metrics[:j], m) {
			return nil, fmt.Errorf("metric %s is listed twice", m)
		}
	}
	first, err := NewEvaluator(metrics, opts)
	if err != nil {
		return nil, err
	}
	if err := checkBinary(in.Labels, first); err != nil {
		return nil, err
	}
	in.Weights = student.Moderate(in.Weights)
	terms, err := allTerms(&in, metrics, opts)
	if err != nil {
		return nil, err
	}
	return newReport(&in, metrics, opts, terms), nil
}

// checkBinary is an error when auc is asked for and all queries together have labels of more than
// two values, even if no single query has.
func checkBinary(y []float64, e *Evaluator) error {
	if !e.needs.auc || e.threshold {
		return nil
	}
	var seen [2]float64
	n := 0
	for i, v := range y {
		switch {
		case n > 0 && v == seen[0] || n > 1 && v == seen[1] || v != v:
		case n == 2:
			return errAUCLabels([]float64{seen[0], seen[1], y[i]})
		default:
			seen[n] = v
			n++
		}
	}
	return nil
}

// allTerms is the terms of every query, row-major: len(metrics) a query.
func allTerms(in *Input, metrics []Metric, opts Options) ([]Term, error) {
	q, v := in.queries(), len(metrics)
	terms := make([]Term, q*v)
	errs := make([]error, q)
	type worker struct {
		*Evaluator
		part
	}
	workers := make([]worker, parallel.Workers())
	parallel.For(q, func(id, g int) {
		w := &workers[id]
		if w.Evaluator == nil {
			w.Evaluator, errs[g] = NewEvaluator(metrics, opts)
		}
		if errs[g] == nil {
			w.gather(in, g)
			query := Query{Labels: w.labels, Weights: w.weights, DocIDs: w.docIDs, Censored: w.censored}
			if in.Unretrieved != nil {
				query.Unretrieved = in.Unretrieved[g]
			}
			errs[g] = w.SetQuery(query)
		}
		if errs[g] == nil {
			errs[g] = w.TermsTo(terms[g*v:(g+1)*v], w.scores)
		}
		if row, ok := errors.AsType[*RowError](errs[g]); ok {
			if row.Row = w.locate(row.Row); in.DocIDs != nil {
				row.ID = in.DocIDs[row.Row]
			}
		}
	})
	for g, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", in.id(g), err)
		}
	}
	return terms, nil
}
