package metric

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"pairrank/internal/parallel"
)

// Input is the labels and scores of all queries.
type Input struct {
	// Labels and Scores are of the same rows.
	Labels, Scores []float64

	// Bounds and Rows are the queries: the rows of query g are
	// Rows[Bounds[g]:Bounds[g+1]]. Nil Rows: the row numbers themselves are between
	// the bounds. Nil Bounds: all rows are one query.
	Bounds []int
	Rows   []int32

	// IDs names the queries; nil: they are numbered from 1.
	IDs []string

	// DocIDs names the rows; see [Query.DocIDs].
	DocIDs []string

	// Unretrieved is, by query, [Query.Unretrieved]; nil: there are none.
	Unretrieved [][]float64
}

// queries is the number of queries.
func (in *Input) queries() int {
	if in.Bounds == nil {
		return 1
	}
	return max(len(in.Bounds)-1, 0)
}

// id is how a query is called in messages and reports.
func (in *Input) id(g int) string {
	if in.IDs == nil {
		return strconv.Itoa(g + 1)
	}
	return in.IDs[g]
}

// checkShapes panics where lengths or bounds do not fit.
func (in *Input) checkShapes() {
	m, q := len(in.Labels), in.queries()
	places := m
	if in.Rows != nil {
		places = len(in.Rows)
	}
	switch {
	case len(in.Scores) != m:
		panic(fmt.Sprintf("metric: %d scores for %d labels", len(in.Scores), m))
	case in.DocIDs != nil && len(in.DocIDs) != m:
		panic(fmt.Sprintf("metric: %d document ids for %d labels", len(in.DocIDs), m))
	case in.IDs != nil && len(in.IDs) != q:
		panic(fmt.Sprintf("metric: %d query ids for %d queries", len(in.IDs), q))
	case in.Unretrieved != nil && len(in.Unretrieved) != q:
		panic(fmt.Sprintf("metric: unretrieved labels of %d queries for %d queries", len(in.Unretrieved), q))
	}
	for g := 1; g < len(in.Bounds); g++ {
		if in.Bounds[g-1] < 0 || in.Bounds[g] < in.Bounds[g-1] || in.Bounds[g] > places {
			panic(fmt.Sprintf("metric: bounds of query %d do not fit", g-1))
		}
	}
	for _, i := range in.Rows {
		if i < 0 || int(i) >= m {
			panic(fmt.Sprintf("metric: row %d of %d", i, m))
		}
	}
}

// part is one query gathered out of the input. Its memory is reused.
type part struct {
	rows   []int32 // nil: first, first+1, …
	first  int
	labels []float64
	scores []float64
	docIDs []string
}

// gather takes query g, without a copy where its rows are contiguous.
func (p *part) gather(in *Input, g int) {
	lo, hi := 0, len(in.Labels)
	if in.Bounds != nil {
		lo, hi = in.Bounds[g], in.Bounds[g+1]
	} else if in.Rows != nil {
		hi = len(in.Rows)
	}
	p.rows, p.first = nil, lo
	if in.Rows == nil {
		p.labels, p.scores, p.docIDs = in.Labels[lo:hi], in.Scores[lo:hi], nil
		if in.DocIDs != nil {
			p.docIDs = in.DocIDs[lo:hi]
		}
		return
	}
	p.rows = in.Rows[lo:hi]
	p.labels, p.scores = grown(p.labels, hi-lo), grown(p.scores, hi-lo)
	if in.DocIDs != nil {
		p.docIDs = grown(p.docIDs, hi-lo)
	}
	for a, i := range p.rows {
		p.labels[a], p.scores[a] = in.Labels[i], in.Scores[i]
		if in.DocIDs != nil {
			p.docIDs[a] = in.DocIDs[i]
		}
	}
}

// locate turns a row of the query into a row of the input.
func (p *part) locate(row int) int {
	if p.rows == nil {
		return p.first + row
	}
	return int(p.rows[row])
}

// Evaluate computes the metrics over all queries, in parallel; sums are taken in
// the order of the queries, so the result does not depend on the number of
// threads. Lengths and bounds that do not fit panic. Errors, the first in the
// order of the queries: a NaN score, a label that a metric or the style cannot
// take, a metric that the style does not define.
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
	terms, err := allTerms(&in, metrics, opts)
	if err != nil {
		return nil, err
	}
	return newReport(&in, metrics, opts, terms), nil
}

// checkBinary tells when auc is asked for and the labels of all queries together
// are of more than two values, though those of each one may not be.
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
			query := Query{Labels: w.labels, DocIDs: w.docIDs}
			if in.Unretrieved != nil {
				query.Unretrieved = in.Unretrieved[g]
			}
			errs[g] = w.SetQuery(query)
		}
		if errs[g] == nil {
			errs[g] = w.TermsTo(terms[g*v:(g+1)*v], w.scores)
		}
		if row, ok := errors.AsType[*RowError](errs[g]); ok {
			row.Row = w.locate(row.Row)
		}
	})
	for g, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", in.id(g), err)
		}
	}
	return terms, nil
}
