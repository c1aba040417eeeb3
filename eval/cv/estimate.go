package cv

import (
	"context"
	"fmt"
	"math"

	"pairrank/eval/metric"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// Labels are the labels of the rows and the queries that rank them.
type Labels struct {
	// Y is m×v row-major.
	Y []float64
	// Outputs is v; 0 is 1.
	Outputs int
	// Queries are the rows that are ranked together; nil is one list.
	Queries *pref.Partition
	// Edges, when not nil, are the preferences that count instead of labels:
	// those between held-out rows, each once.
	Edges []pref.Edge
}

func (l Labels) outputs() int { return max(1, l.Outputs) }

// rows is m.
func (l Labels) rows() int { return len(l.Y) / l.outputs() }

// resolved is l with its defaults. It panics where its parts do not fit together.
func (l Labels) resolved() Labels {
	if len(l.Y)%l.outputs() != 0 {
		panic(fmt.Sprintf("cv: labels.Y has %d numbers, which are not those of %d outputs", len(l.Y), l.outputs()))
	}
	if l.Queries == nil {
		l.Queries = pref.OneList(l.rows())
	}
	if n := len(l.Queries.Rows); n != l.rows() {
		panic(fmt.Sprintf("cv: labels.Queries has %d rows, and labels.Y %d", n, l.rows()))
	}
	return l
}

// resolved is o with its default method for labels.
func (o Options) resolved(l Labels) Options {
	if o.Method == (Method{}) {
		o.Method.Kind = LeavePairOut
		if l.resolved().Queries.Len() > 1 {
			o.Method.Kind = LeaveQueryOut
		}
	}
	return o
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

// Options of an estimate. The zero value is the default.
type Options struct {
	// Method is how rows are held out; its zero value is leave-query-out, of a
	// single list leave-pair-out.
	Method Method
	// Splits are what is held out, instead of what Method holds out of rows; Method is then
	// what errors call it.
	Splits *Splits
	// Candidates are the values to choose from, ascending: of λ, or of another parameter of
	// a learner, as rounds of boosting. None are the default path of the problem, Lambdas of
	// its eigenvalues; estimates that train again have no such path, and panic.
	Candidates []float64
	// Seed deals the folds of kfold.
	Seed uint64
	// Metric chooses the best λ; nil is the error itself. It is the mean over
	// the queries that are held out together.
	Metric *metric.Metric
	// Also are metrics that each point has beside it, and that choose nothing.
	Also []metric.Metric
	// Pooled asks for the error over all pairs of a group, whatever their queries.
	Pooled bool
	// ByQuery takes the standard error over the queries of all test sets, of which several have
	// rows of one, instead of over the queries of each.
	ByQuery bool
	// Pairs is how many pairs leave-pair-out of a single list draws for each λ, without
	// replacement, of those whose order may be another when they are left out: PairsAll are
	// all, and PairsAuto, the default, all where that stays within PairsBudget, else as many
	// as take a third of it, and half a million at most, or fewer where these are sure to err by
	// less than a tenth of what the rows do. Seed draws them.
	Pairs int64
	// Units asks each point for what it is the mean of, for Worse.
	Units bool
	// MetricOptions are the conventions of the metrics.
	MetricOptions metric.Options
	// Progress is called as work is done, when it is not nil; from several
	// goroutines.
	Progress func(done, total int)
}

// Point is the estimate for one λ.
type Point struct {
	// Candidate is the λ, or the value of another parameter, as rounds of boosting.
	Candidate float64
	// Error is the mean disagreement over the held-out pairs, ties ½.
	Error float64
	// StdErr is the standard error of Error: of a ratio over independent
	// held-out queries, and for leave-pair-out of a U-statistic over rows,
	// √Σ_i (h_i − e d_i)² / pairs with h_i of the d_i pairs of row i wrong, which
	// for two labels is the estimate of DeLong, DeLong and Clarke-Pearson 1988,
	// Comparing the areas under two or more correlated receiver operating
	// characteristic curves. It takes the held-out predictions as given, and
	// does not know that training sets overlap. It is undefined for a single
	// ranking, as of leave-one-out on one list, and where one of two labels has
	// a single row.
	StdErr metric.Value
	// Pairs is the number of held-out pairs with different labels.
	Pairs int64
	// Drawn is how many pairs leave-pair-out drew, or of edges how many were drawn to be left
	// out, 0 where it was all, and DrawErr the standard error of Error by drawing alone.
	Drawn   int64
	DrawErr metric.Value
	// Metric is the value of Options.Metric, and Also those of Options.Also.
	Metric metric.Value
	Also   []metric.Value
	// Units are what the error is the mean of, Σ Num / Σ Den, or where there is one
	// Options.Metric that: a Term for each query of a test set, or for leave-pair-out for
	// each row, whose pairs are those of two rows. They are nil where they were not asked
	// for, and of pairs that were drawn.
	Units []metric.Term
	// Pooled is the error over the pairs of all queries of a group, where it was asked
	// for: of two labels 1 less the area under the ROC curve of all rows.
	Pooled metric.Value
	// Residual is the largest relative residual at which conjugate gradients ended trainings of
	// folds, and ScoreError the largest bound on the error of their scores (rls.CGResult), 0
	// where that ended none. Both are 0 of other solvers.
	Residual, ScoreError float64
}

// Estimate is the outcome over all λ for one output.
type Estimate struct {
	Points []Point // in the order of Options.Candidates
	Best   int     // the chosen point; among equals the largest λ
	// Retrained says that no shortcut was exact, and each fold was trained.
	Retrained bool
}

// NoPairsError reports that no held-out rows have a pair with different labels.
type NoPairsError struct{ Method Method }

func (e *NoPairsError) Error() string {
	return fmt.Sprintf("no held-out pair of rows has different labels, so %s cannot estimate an error", e.Method)
}

// Held are the predictions of a group that was held out, with bounds of their rounding.
type Held = rls.Held

// Predictor gives the predictions of each test set by training without it, for every λ, as
// Factored.HoldOut and Trainer.Predict do. emit receives those of set g and lambdas[l] in
// the order of its rows, or of splits that are ranked together of several sets, from g on.
// It may be called from several goroutines, for a set from one, in the order of the lambdas.
type Predictor func(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error

// EstimatePath is EstimateFactored of the rows of a path: it returns an *rls.NotExactError
// where there is no shortcut. It panics where the labels are not of the rows of the path.
func EstimatePath(ctx context.Context, path *rls.Path, labels Labels, o Options) ([]*Estimate, error) {
	return EstimateFactored(ctx, OfPath(path, nil), labels, o)
}

// splits are those of the options, or of their method. It panics where they are not of
// the rows of the labels.
func (o Options) splits(labels Labels) (*Splits, error) {
	if o.Splits != nil {
		if o.Splits.m != labels.rows() {
			panic(fmt.Sprintf("cv: o.Splits has %d rows, and labels.Y %d", o.Splits.m, labels.rows()))
		}
		return o.Splits, o.Method.check()
	}
	return o.Method.Splits(labels.Queries, o.Seed)
}

// Measure estimates from held-out predictions, whatever made them: one estimate for each of
// the v outputs. The pairs are those within a query and a test set, or of splits that are
// ranked together those within a query. It costs O(m log m) for each λ
// and output, beside the predictions. It returns a *NoPairsError where no two rows of a
// pair have different labels, an error for options that do not go together or a method
// that is none or leaves out pairs, and those of predict. It panics when there are no
// values of λ, and where labels and splits are not of the same rows.
func Measure(ctx context.Context, predict Predictor, labels Labels, o Options) ([]*Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if len(o.Candidates) == 0 {
		panic("cv: no values of λ to estimate")
	}
	splits, err := o.splits(labels)
	if err != nil {
		return nil, err
	}
	metrics := append([]metric.Metric{metric.PooledDisagreement}, o.Also...)
	if o.Metric != nil {
		metrics = append(metrics, *o.Metric)
	}
	if _, err := metric.NewEvaluator(metrics, o.MetricOptions); err != nil {
		return nil, err
	}
	if labels.Edges != nil && o.Metric != nil {
		return nil, fmt.Errorf("preferences have no %s: only the error over them chooses", o.Metric)
	}
	c := newCollector(labels, o, splits, metrics)
	if err := splits.gather(ctx, predict, c.lists, labels.outputs(), o.Candidates, c.emit, c.progress(splits)); err != nil {
		return nil, err
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.estimates()
}

// Criterion is what the choice of the best λ compares, less being better: the
// error, or the metric with the sign that makes it a loss.
func (e *Estimate) Criterion(m *metric.Metric) float64 { return criterion(e.Points[e.Best], m) }

func criterion(p Point, m *metric.Metric) float64 {
	switch {
	case m == nil:
		return p.Error
	case !p.Metric.Defined:
		return math.Inf(1)
	case m.Loss():
		return p.Metric.Value
	}
	return -p.Metric.Value
}

// NewEstimate returns the estimate of some points, the best of which has the least error, and
// among equal ones the largest candidate. It keeps points.
func NewEstimate(points []Point) *Estimate {
	e := &Estimate{Points: points}
	e.choose(nil)
	return e
}

// PointOf returns the point of a candidate whose pairs are those of independent units, Num of
// Den of them wrong: Error is Σ Num / Σ Den, NaN without any, and StdErr that of a ratio.
func PointOf(candidate float64, units []metric.Term) Point {
	var mean metric.Mean
	for _, t := range units {
		mean.Add(t)
	}
	p := Point{Candidate: candidate, Error: mean.Value().Value, Metric: mean.Value(), Pairs: int64(mean.Den)}
	p.StdErr = ratioError(units, p.Error, mean.Den)
	return p
}

// choose sets Best by the metric, or by the error when it is nil.
func (e *Estimate) choose(m *metric.Metric) {
	for l, p := range e.Points {
		b := e.Points[e.Best]
		if x, y := criterion(p, m), criterion(b, m); x < y || x == y && p.Candidate > b.Candidate {
			e.Best = l
		}
	}
}
