package cv

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/metric"
	"pairrank/pref"
	"pairrank/rls"
)

// Labels are the labels of the rows and the queries that rank them.
type Labels struct {
	Y       []float64
	Queries *pref.Partition
	// Edges, when not nil, are the preferences that count instead of labels:
	// those between held-out rows, each once.
	Edges []pref.Edge
}

// Options of an estimate.
type Options struct {
	Method  Method
	Lambdas []float64
	// Seed deals the folds of kfold.
	Seed uint64
	// Metric chooses the best λ; nil is the error itself. It is the mean over
	// the queries that are held out together.
	Metric *metric.Metric
	// MetricOptions are the conventions of Metric.
	MetricOptions metric.Options
	// Progress is called as work is done, when it is not nil; from several
	// goroutines.
	Progress func(done, total int)
}

// Point is the estimate for one λ.
type Point struct {
	Lambda float64
	// Error is the mean disagreement over the held-out pairs, ties ½.
	Error float64
	// Pairs is the number of held-out pairs with different labels.
	Pairs int64
	// Metric is the value of Options.Metric.
	Metric metric.Value
}

// Estimate is the outcome over all λ.
type Estimate struct {
	Points []Point // in the order of Options.Lambdas
	Best   int     // the chosen point; among equals the largest λ
	// Retrained says that no shortcut was exact, and each fold was trained.
	Retrained bool
}

// predictor gives held-out predictions, as rls.Path.HoldOut does.
type predictor func(ctx context.Context, groups *pref.Partition, lambdas []float64, emit func(g, l int, f *data.Dense)) error

// Estimated is the exact estimate on a factored path, without retraining. It
// returns an *rls.NotExactError where there is no shortcut.
func Estimated(ctx context.Context, path *rls.Path, labels Labels, o Options) (*Estimate, error) {
	if o.Method.Kind == LeavePairOut {
		return leavePairOut(ctx, path, labels, o)
	}
	return holdOut(ctx, path.HoldOut, labels, o)
}

func leavePairOut(ctx context.Context, path *rls.Path, labels Labels, o Options) (*Estimate, error) {
	if labels.Edges != nil {
		return nil, fmt.Errorf("leave-pair-out is about labels; hold out whole queries of preferences")
	}
	if labels.Queries.Len() != 1 {
		return nil, fmt.Errorf("leave-pair-out needs a single list, and the data has %d queries", labels.Queries.Len())
	}
	if o.Metric != nil && *o.Metric != metric.Disagreement && *o.Metric != metric.PooledDisagreement {
		return nil, fmt.Errorf("leave-pair-out orders one pair at a time: its only metric is the disagreement, not %s", o.Metric)
	}
	e := &Estimate{Points: make([]Point, len(o.Lambdas))}
	y := labels.Y
	for l, lambda := range o.Lambdas {
		wrong, pairs := make([]int64, len(y)), make([]int64, len(y)) // halves of wrong pairs, by row
		err := path.LeavePairOut(ctx, lambda, func(_, i, _ int, fi, fj []float64) {
			wrong[i], pairs[i] = disagreements(y[i], y[i+1:], fi, fj)
		})
		if err != nil {
			return nil, err
		}
		var halves, total int64
		for i := range y {
			halves += wrong[i]
			total += pairs[i]
		}
		e.Points[l] = Point{Lambda: lambda, Error: float64(halves) / 2 / float64(total), Pairs: total}
		e.Points[l].Metric = metric.Value{Value: e.Points[l].Error, Defined: total > 0}
		if o.Progress != nil {
			o.Progress(l+1, len(o.Lambdas))
		}
	}
	e.choose(nil)
	return e, nil
}

// disagreements counts the halves of wrongly ordered pairs of a row labelled yi
// with the rows labelled y, and the pairs with different labels.
func disagreements(yi float64, y, fi, fj []float64) (halves, pairs int64) {
	for b, yj := range y {
		if yi == yj {
			continue
		}
		pairs++
		switch a, c := fi[b], fj[b]; {
		case a == c:
			halves++
		case (a < c) == (yi > yj):
			halves += 2
		}
	}
	return halves, pairs
}

// holdOut estimates from held-out predictions of groups of rows. The pairs are
// those within a query and a group; for leave-one-out those within a query.
func holdOut(ctx context.Context, predict predictor, labels Labels, o Options) (*Estimate, error) {
	groups, err := o.Method.Groups(labels.Queries, o.Seed)
	if err != nil {
		return nil, err
	}
	metrics := []metric.Metric{metric.PooledDisagreement}
	if o.Metric != nil {
		metrics = append(metrics, *o.Metric)
	}
	if _, err := metric.NewEvaluator(metrics, o.MetricOptions); err != nil {
		return nil, err
	}
	if labels.Edges != nil && o.Metric != nil {
		return nil, fmt.Errorf("preferences have no %s: only the error over them chooses", o.Metric)
	}
	c := newCollector(labels, o, groups, metrics)
	if o.Method.Kind == LeaveOneOut {
		err = c.together(ctx, predict)
	} else {
		err = predict(ctx, groups, o.Lambdas, c.emit)
	}
	if err == nil {
		err = c.err
	}
	if err != nil {
		return nil, err
	}
	return c.estimate()
}

// together is leave-one-out: each row is predicted without itself, and the
// predictions of a query are ranked together.
func (c *collector) together(ctx context.Context, predict predictor) error {
	m := len(c.labels.Y)
	all := make([]*data.Dense, len(c.o.Lambdas))
	for l := range all {
		all[l] = data.NewDense(m, 1)
	}
	err := predict(ctx, c.groups, c.o.Lambdas, func(g, l int, f *data.Dense) {
		all[l].Data[c.groups.Part(g)[0]] = f.Row(0)[0]
	})
	if err != nil {
		return err
	}
	c.regroup(pref.OneList(m))
	for l, f := range all {
		c.emit(0, l, f)
	}
	return nil
}

func (c *collector) estimate() (*Estimate, error) {
	e := &Estimate{Points: make([]Point, len(c.o.Lambdas))}
	n := len(c.metrics)
	for l, lambda := range c.o.Lambdas {
		means := make([]metric.Mean, n)
		for _, terms := range c.terms {
			lists := len(terms) / (len(c.o.Lambdas) * n)
			for a := range lists {
				for k := range n {
					means[k].Add(terms[(l*lists+a)*n+k])
				}
			}
		}
		if means[0].Den == 0 {
			return nil, fmt.Errorf("no held-out pair of rows has different labels, so %s cannot estimate an error", c.o.Method)
		}
		e.Points[l] = Point{Lambda: lambda, Error: means[0].Value().Value, Pairs: int64(means[0].Den), Metric: means[n-1].Value()}
	}
	e.choose(c.o.Metric)
	return e, nil
}

// choose sets Best by the metric, or by the error when it is nil.
func (e *Estimate) choose(m *metric.Metric) {
	value := func(p Point) float64 {
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
	for l, p := range e.Points {
		b := e.Points[e.Best]
		if value(p) < value(b) || value(p) == value(b) && p.Lambda > b.Lambda {
			e.Best = l
		}
	}
}
