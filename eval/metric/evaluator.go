package metric

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/ostat"
)

// Options are the conventions of an evaluation. The zero value is the default
// style.
type Options struct {
	// Style is whose conventions to follow; zero: [Default].
	Style Style

	// MinRelevant is the least label that is relevant for p@K, map, mrr and auc. Nil is the style's
	// value, 1, or 2 for mslr; auc then takes labels of two values and treats the greater as
	// relevant. It is an error to set it with the letor and mslr styles, which fix it.
	MinRelevant *float64
}

// Query holds the facts of one query that do not depend on scores.
type Query struct {
	Labels []float64 // of the rows that are ranked

	// Weights are how much the rows count: a pair counts the product of two. They are at least 0, where a row of 0 has no
	// pairs; nil is 1 for each. A metric without pairs takes none.
	Weights []float64

	// DocIDs names the rows: style trec orders tied scores by it. It may be nil,
	// an error then only where that style meets a tie.
	DocIDs []string

	// Unretrieved are the labels of judged documents that are not among the rows.
	// They have no score: they count for map and for the ideal order of ndcg.
	Unretrieved []float64

	// Censored says which labels are times of rows that had no event until then; nil where labels are no times. A metric
	// is of times or of labels.
	Censored []bool

	// Units are parts of the rows that count as independent, or nil; they are for metrics of times.
	// [Evaluator.TermsTo] then sets for each unit, too, the terms of the pairs that a row of it is in.
	Units *data.Partition
}

// RowError says what is wrong with one row.
type RowError struct {
	Row     int    // from 0, in the input as it was given
	ID      string // its name; "" where it has none
	Problem string
}

// Error names the row as users do, counting from 1.
func (e *RowError) Error() string {
	if e.ID != "" {
		return fmt.Sprintf("row %d (%q): %s", e.Row+1, e.ID, e.Problem)
	}
	return fmt.Sprintf("row %d: %s", e.Row+1, e.Problem)
}

// Evaluator computes metrics of one query after another: [Evaluator.SetQuery]
// takes the labels, then [Evaluator.TermsTo] any number of score vectors. Memory
// is kept between calls, so that after the longest query nothing is allocated.
// It is not safe for concurrent use: one for each worker.
type Evaluator struct {
	metrics     []Metric
	convention  *convention
	minRelevant float64
	threshold   bool // the user chose minRelevant
	needs       needs

	query     Query
	relevant  []bool // by row
	rows      int    // relevant ones among the rows
	total     int    // and among the unretrieved
	gains     []float64
	best      []float64 // the gains of all documents, descending
	idealAt   []float64 // of metric j, its ideal DCG
	discounts []float64 // [i−1]: of position i
	sums      []float64 // [i]: of the first i discounts
	stops     []float64 // of err, by row
	stopping  bool      // a document of the query has a stop above 0
	products  []float64 // memory of meanProducts

	counter ostat.Counter // pairs by label
	binary  struct {      // pairs by relevance
		ostat.Counter
		marks []float64 // relevance as labels
	}
	timed  timed
	sorter ostat.Argsorter
	order  []int32 // rows by position, best first
	ends   []int32 // one past the last position of each tie group
}

// needs are the computations that the metrics need.
type needs struct {
	pairs    bool // of all labels
	auc      bool
	position bool // the order
	relevant bool
	gain     bool
	stop     bool
	times    bool
}

// and are the needs of both.
func (n needs) and(o needs) needs {
	return needs{n.pairs || o.pairs, n.auc || o.auc, n.position || o.position, n.relevant || o.relevant,
		n.gain || o.gain, n.stop || o.stop, n.times || o.times}
}

// NewEvaluator returns an Evaluator of the metrics, in their order, in O(1) a metric. It
// returns an error for a metric that the style does not define and for an option that it
// does not have. It panics for a Style that is not one of the constants.
func NewEvaluator(metrics []Metric, opts Options) (*Evaluator, error) {
	if opts.Style >= numStyles {
		panic("metric: no such style")
	}
	c := &conventions[opts.Style]
	e := &Evaluator{metrics: slices.Clone(metrics), convention: c, minRelevant: c.minRelevant}
	if opts.MinRelevant != nil {
		e.minRelevant, e.threshold = *opts.MinRelevant, true
		if !c.setRelevant {
			return nil, fmt.Errorf("style %s fixes what is relevant: labels of %v and above", opts.Style, c.minRelevant)
		}
		if math.IsNaN(e.minRelevant) {
			return nil, errors.New("the least relevant label is NaN")
		}
	}
	for _, m := range metrics {
		if err := opts.Style.check(m); err != nil {
			return nil, err
		}
		e.needs = e.needs.and(m.row().needs)
	}
	e.idealAt = make([]float64, len(metrics))
	return e, nil
}

// SetQuery sets the labels of a query of m rows. It keeps the slice until the next call. The cost
// is a sort of the labels, O(m log m). It returns an error for a label that the style or a metric
// cannot use, a [RowError] if the label belongs to a row, and for unretrieved documents where the
// style does not count them. It panics when the lengths differ.
func (e *Evaluator) SetQuery(q Query) error {
	if q.DocIDs != nil && len(q.DocIDs) != len(q.Labels) {
		panic("metric: a document id for every label is needed")
	}
	if len(q.Unretrieved) > 0 && !e.convention.unretrieved {
		return fmt.Errorf("style %s does not count documents outside the list, and %d are given",
			e.convention.name, len(q.Unretrieved))
	}
	e.query = q
	if err := cmp.Or(e.checkTimes(), e.checkWeights()); err != nil {
		return err
	}
	for i, y := range q.Labels {
		if err := e.convention.checkLabel(y); err != nil {
			return &RowError{Row: i, Problem: err.Error()}
		}
	}
	for _, y := range q.Unretrieved {
		if err := e.convention.checkLabel(y); err != nil {
			return fmt.Errorf("unretrieved document: %w", err)
		}
	}
	if e.needs.relevant {
		e.markRelevant()
	}
	if e.needs.gain {
		if err := e.setGains(); err != nil {
			return err
		}
	}
	if e.needs.stop {
		if err := e.setStops(); err != nil {
			return err
		}
	}
	return e.setPairs()
}

// checkTimes refuses metrics of labels where there are times, and metrics of times where there are none.
func (e *Evaluator) checkTimes() error {
	q := e.query
	if q.Censored != nil && len(q.Censored) != len(q.Labels) {
		panic("metric: a mark of every time is needed")
	}
	for _, m := range e.metrics {
		if m.timed() != (q.Censored != nil) {
			return timesError(m)
		}
	}
	return nil
}

// timesError is about a metric of times without them, or of labels where there are times.
func timesError(m Metric) error {
	if m.timed() {
		return fmt.Errorf("%s is of censored times, and there are none", m)
	}
	return fmt.Errorf("%s does not know of censored times: %s and %s do", m, CIndex, UnoC)
}

func (e *Evaluator) markRelevant() {
	e.relevant = grown(e.relevant, len(e.query.Labels))
	e.rows = 0
	for i, y := range e.query.Labels {
		e.relevant[i] = y >= e.minRelevant
		if e.relevant[i] {
			e.rows++
		}
	}
	e.total = e.rows
	for _, y := range e.query.Unretrieved {
		if y >= e.minRelevant {
			e.total++
		}
	}
}

// setPairs gives the labels to the counters that the metrics need.
func (e *Evaluator) setPairs() error {
	y := e.query.Labels
	if e.needs.times {
		if e.timed.SetTimes(y, e.query.Censored); e.query.Weights != nil {
			e.timed.SetWeights(e.query.Weights)
		}
	}
	if e.needs.pairs || e.needs.auc && !e.threshold {
		e.setLabels(&e.counter, y)
	}
	if !e.needs.auc {
		return nil
	}
	if !e.threshold {
		if e.counter.Levels() > 2 {
			return errAUCLabels(y)
		}
		return nil
	}
	e.binary.marks = grown(e.binary.marks, len(y))
	for i, v := range y {
		e.binary.marks[i] = 0
		if v >= e.minRelevant {
			e.binary.marks[i] = 1
		}
	}
	e.setLabels(&e.binary.Counter, e.binary.marks)
	return nil
}

// errAUCLabels names three different labels of y.
func errAUCLabels(y []float64) error {
	var seen []string
	for i := 0; i < len(y) && len(seen) < 3; i++ {
		if !slices.Contains(y[:i], y[i]) {
			seen = append(seen, fmt.Sprint(y[i]))
		}
	}
	return &LabelsError{seen}
}

// LabelsError is the error about labels of more than two values where a metric needs two: Options.MinRelevant says from
// which one on a row is relevant.
type LabelsError struct{ Labels []string } // three of them

// Error names the labels.
func (e *LabelsError) Error() string {
	return "auc needs labels of two values, and there are " + strings.Join(e.Labels, ", ") + " and maybe more"
}

// TermsTo sets dst, one term per metric in their order, from the scores f of the query's m rows, and behind them one
// per metric for each unit, if the query has any.
// The cost is one sort of the scores for the pairwise metrics and one for the others, O(m log m),
// and O(m) for each metric; err@k takes O(n min(n, k)) for n tied scores. It returns a [RowError]
// for a NaN score, and for a tie that style trec cannot break without document ids. It panics when
// the lengths do not fit.
func (e *Evaluator) TermsTo(dst []Term, f []float64) error {
	units := 0
	if e.query.Units != nil {
		units = e.query.Units.Len()
	}
	if len(dst) != (1+units)*len(e.metrics) || len(f) != len(e.query.Labels) {
		panic("metric: TermsTo: dst is one term a metric, and of each unit, and f one score a row")
	}
	pairs, binary, ok := e.count(f)
	if ok && e.needs.times {
		ok = e.timed.Place(f)
	}
	if !ok {
		return nanScore(f)
	}
	if units > 0 {
		e.unitTerms(dst[len(e.metrics):], f)
	}
	if e.needs.position {
		if err := e.rank(f); err != nil {
			return err
		}
	}
	for j, m := range e.metrics {
		switch r := m.row(); {
		case m.timed():
			dst[j] = timedTerm(e.timed.Sum(m.timing()))
		case r.pairs == nil:
			dst[j] = e.positionTerm(j, m)
		case r.needs.auc:
			dst[j] = r.pairTerm(binary)
		default:
			dst[j] = r.pairTerm(pairs)
		}
	}
	return nil
}

// Closer reports whether two different scores f of the last TermsTo differ by at most than,
// in O(m) for m rows. It panics unless one of the metrics counts all pairs, as
// [PooledDisagreement] and [CIndex] do.
func (e *Evaluator) Closer(f []float64, than float64) bool {
	if e.needs.times {
		return e.timed.Closer(f, than)
	}
	if !e.needs.pairs {
		panic("metric: Closer needs a metric that counts all pairs")
	}
	return e.counter.Closer(than)
}

// count counts the pairs that the metrics need; not ok for a NaN score.
func (e *Evaluator) count(f []float64) (pairs, binary ostat.WeightedPairs, ok bool) {
	ok = true
	if e.needs.pairs || e.needs.auc && !e.threshold {
		pairs, ok = e.countBy(&e.counter, f)
		binary = pairs
	}
	if ok && e.needs.auc && e.threshold {
		binary, ok = e.countBy(&e.binary.Counter, f)
	}
	return pairs, binary, ok
}

func nanScore(f []float64) error {
	i := slices.IndexFunc(f, math.IsNaN)
	return &RowError{Row: i, Problem: "score is NaN"}
}

// grown is s with length n, of new memory if it must be; the contents are
// arbitrary.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
