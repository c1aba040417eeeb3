package holdout

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/learn/rls"
	"pairrank/internal/ratio"
	"pairrank/pref"
)

// Labels are the labels of the rows and the queries within which they are ranked.
type Labels struct {
	// Y holds the labels, m×v row-major.
	Y []float64
	// Censored says which labels are times of rows that had no event until then; nil where labels are no times. The error
	// is of comparable pairs then, 1 − c-index.
	Censored []bool
	// Outputs is v; 0 is 1.
	Outputs int
	// Queries are the parts of the rows that are ranked together; nil is one list.
	Queries *data.Partition
	// Edges, when not nil, replace the labels: the error counts the preferences between held-out
	// rows, each once.
	Edges []pref.Edge
	// Groups are parts of the rows that are left out together, such as samples of one patient; nil
	// where each stands alone.
	Groups *data.Partition
	// Weights are the m weights of the rows, above 0: a pair counts their product. nil is 1 for each.
	Weights []float64
	// Folds are the folds of kfold, where they are given; nil where they are dealt.
	Folds *data.Partition
}

func (l Labels) outputs() int { return max(1, l.Outputs) }

// rows is m.
func (l Labels) rows() int { return len(l.Y) / l.outputs() }

// resolved is l with its defaults. It panics where its parts do not fit together.
func (l Labels) resolved() Labels {
	if len(l.Y)%l.outputs() != 0 {
		panic(fmt.Sprintf("holdout: labels.Y has %d numbers, which are not those of %d outputs", len(l.Y), l.outputs()))
	}
	if l.Queries == nil {
		l.Queries = data.OneList(l.rows())
	}
	if n := len(l.Queries.Rows); n != l.rows() {
		panic(fmt.Sprintf("holdout: labels.Queries has %d rows, and labels.Y %d", n, l.rows()))
	}
	if l.Censored != nil && (len(l.Censored) != l.rows() || l.outputs() > 1 || l.Edges != nil) {
		panic("holdout: labels.Censored is not a mark of each of one column of times")
	}
	for _, p := range []*data.Partition{l.Groups, l.Folds} {
		if p != nil && len(p.Rows) != l.rows() {
			panic(fmt.Sprintf("holdout: labels.Groups or Folds has %d rows, and labels.Y %d", len(p.Rows), l.rows()))
		}
	}
	return l
}

// resolved is o with its default method for labels.
func (o Options) resolved(l Labels) Options {
	if o.Method == (cv.Method{}) {
		o.Method.Kind = cv.LeavePairOut
		if l.resolved().Queries.Len() > 1 {
			o.Method.Kind = cv.LeaveQueryOut
		}
	}
	return o
}

// order is 1 where row i is known to be above row j by output k, −1 where it is below, else 0. Of censored times it is
// so where the lower one, or of equal times the only one, had the event.
func (l Labels) order(i, j int32, k int) int64 {
	v := l.outputs()
	above := sign(l.Y[int(i)*v+k], l.Y[int(j)*v+k])
	if l.Censored == nil {
		return above
	}
	lower := j
	switch ci, cj := l.Censored[i], l.Censored[j]; {
	case above < 0 || above == 0 && cj && !ci:
		above, lower = -1, i
	case above > 0 || ci && !cj:
		above = 1
	}
	if l.Censored[lower] {
		return 0
	}
	return above
}

// column is the labels of one output.
func (l Labels) column(c int) []float64 {
	v := l.outputs()
	y := make([]float64, len(l.Y)/v)
	for i := range y {
		y[i] = l.Y[i*v+c]
	}
	return y
}

// columns are the labels of some outputs.
func (l Labels) columns(some []int) Labels {
	v, m := l.outputs(), l.rows()
	y := make([]float64, m*len(some))
	for i := range m {
		for k, c := range some {
			y[i*len(some)+k] = l.Y[i*v+c]
		}
	}
	l.Y, l.Outputs = y, len(some)
	return l
}

// Options of an estimate. The zero value is the default.
type Options struct {
	// Method is how rows are held out. Its zero value is leave-query-out, or leave-pair-out for a
	// single list.
	Method cv.Method
	// Splits, when not nil, replace the splits of Method; Method is then only a name in errors.
	Splits *Splits
	// Candidates are the values to choose from, ascending: of λ, or of another parameter of a
	// learner, such as rounds of boosting. Empty is the default path of the problem, Lambdas of its
	// eigenvalues. Estimates that train again have no default path, and panic.
	Candidates []float64
	// Seed deals the folds of kfold.
	Seed uint64
	// Metric chooses the best λ; nil is the error. Its value is the mean over the held-out queries.
	Metric *metric.Metric
	// Also are further metrics to compute for each point. They do not affect the choice.
	Also []metric.Metric
	// Pooled asks for the error over all pairs of a group, also pairs across queries.
	Pooled bool
	// ByQuery takes the standard error over queries, where several test sets have rows of one
	// query. The default takes it over the queries of each test set.
	ByQuery bool
	// Across, when not nil, takes the standard error over units that cross queries, too.
	Across *Across
	// Pairs is the number of pairs that leave-pair-out of a single list draws for each λ, by Seed,
	// without replacement, from those whose order may change when they are left out. PairsAll takes
	// all. PairsAuto, the default, takes all of few. Else it looks at each λ with some thousand
	// pairs, and takes all for each λ that can still be the best, within PairsBudget; beyond it as
	// many as a third allows, at most half a million, or fewer where the error by drawing is below
	// a tenth of the standard error over the rows.
	Pairs int64
	// Share is the share of PairsBudget that PairsAuto may take; 0 is 1.
	Share float64
	// against, where it is not nil, is a number with which the least error is compared: errors are as exact as
	// that needs.
	against *float64
	// skips says that the Predictor leaves out test sets that are not wanted.
	skips bool
	// Units asks for Point.Units, which Worse needs.
	Units bool
	// MetricOptions are the conventions of the metrics.
	MetricOptions metric.Options
	// Seen, when not nil, receives the predictions of every test set, as a Predictor emits them, and its rows: also of
	// sets that have nothing to rank. It is not for leave-pair-out.
	Seen func(rows []int32, l int, held Held)
	// Progress, when not nil, is called as work is done, from several goroutines.
	Progress func(done, total int)
}

// NoPairsError reports that no held-out rows have a pair with different labels.
type NoPairsError struct{ Method cv.Method }

func (e *NoPairsError) Error() string {
	return fmt.Sprintf("no held-out pair of rows has different labels, so %s cannot estimate an error", e.Method)
}

// Held are the predictions of a group that was held out, with bounds of their rounding.
type Held = rls.Held

// Predictor predicts each test set by training without it, for every λ, as Factored.HoldOut and
// Trainer.Predict do. emit receives the predictions of set g for lambdas[l], in the order of its
// rows. For splits that are ranked together it may receive several consecutive sets at once, from g
// on. A Predictor may call emit from several goroutines, for a set from one of them, in the order
// of lambdas.
type Predictor func(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error

// EstimatePath is EstimateFactored for a path. It returns an *rls.NotExactError where there is no
// shortcut. It panics unless labels and path have the same number of rows.
func EstimatePath(ctx context.Context, path *rls.Path, labels Labels, o Options) ([]*cv.Estimate, error) {
	return EstimateFactored(ctx, OfPath(path, nil), labels, o)
}

// splits returns o.Splits, or the splits of o.Method. It panics unless they have as many rows as
// the labels.
func (o Options) splits(labels Labels) (*Splits, error) {
	if o.Splits != nil {
		if o.Splits.m != labels.rows() {
			panic(fmt.Sprintf("holdout: o.Splits has %d rows, and labels.Y %d", o.Splits.m, labels.rows()))
		}
		return o.Splits, check(o.Method)
	}
	splits, err := labels.Splits(o.Method, o.Seed)
	if err != nil {
		return nil, fault.Optionf("Method", "%s: %w", o.Method, err)
	}
	return splits, nil
}

// aboutMetric names Options.Metric in an error of evaluating it.
func (o Options) aboutMetric(err error) error {
	if err == nil || o.Metric == nil {
		return err
	}
	return fault.Optionf("Metric", "%s: %w", o.Metric, err)
}

// Measure estimates from the held-out predictions of any Predictor: one estimate for each of the v
// outputs. It counts the pairs within a query and a test set, or for splits that are ranked
// together the pairs within a query. It costs O(m log m) for each λ and output, and the cost of
// predict. It returns a *NoPairsError where no pair has different labels, an error for options that
// exclude each other and for a method that is unknown or leaves out pairs, and the errors of
// predict. It panics when there are no candidates, and unless labels and splits have the same
// number of rows.
func Measure(ctx context.Context, predict Predictor, labels Labels, o Options) ([]*cv.Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if len(o.Candidates) == 0 {
		panic("holdout: no values of λ to estimate")
	}
	splits, err := o.splits(labels)
	if err != nil {
		return nil, err
	}
	first := metric.PooledDisagreement
	if labels.Censored != nil {
		first = metric.CIndex // of which the error is what 1 lacks
	}
	metrics := append([]metric.Metric{first}, o.Also...)
	if o.Metric != nil {
		metrics = append(metrics, *o.Metric)
	}
	if _, err := metric.NewEvaluator(metrics, o.MetricOptions); err != nil {
		return nil, o.aboutMetric(err)
	}
	if labels.Edges != nil && o.Metric != nil {
		return nil, fault.Optionf("Metric", "%s is not defined for preferences: choose by the error", o.Metric)
	}
	if o.skips && o.Splits == nil && len(metrics) == 1 && !o.Pooled && o.Seen == nil {
		splits = splits.withoutIdle(labels)
	}
	c := newCollector(labels, o, splits, metrics)
	if err := splits.gather(ctx, o.seenBy(predict), c.lists, labels.outputs(), o.Candidates, c.emit,
		c.progress(splits)); err != nil {
		return nil, err
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.estimates()
}

// seenBy is a Predictor whose predictions are seen, too.
func (o Options) seenBy(predict Predictor) Predictor {
	if o.Seen == nil {
		return predict
	}
	return func(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error {
		return predict(ctx, s, lambdas, func(g, l int, held Held) {
			at := s.bounds[g]
			o.Seen(s.rows[at:at+held.F.Rows], l, held) // small sets come several at a time, one after another
			emit(g, l, held)
		})
	}
}

// PointOf returns the point of a candidate from independent units with Num of Den pairs wrong:
// Error is Σ Num / Σ Den, NaN without pairs, and StdErr is that of a ratio.
func PointOf(candidate float64, units []metric.Term) cv.Point {
	var mean metric.Mean
	for _, t := range units {
		mean.Add(t)
	}
	p := cv.Point{Candidate: candidate, Error: mean.Value().Value, Metric: mean.Value(), Pairs: int64(mean.Den)}
	p.StdErr, p.Over = ratio.Error(units)
	return p
}
