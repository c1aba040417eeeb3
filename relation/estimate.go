package relation

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
	"pairrank/pref"
	"pairrank/relation/kron"
)

// Estimated is how well what is learnt with each λ ranks held-out edges. The edges of a
// row node are what a query is of rows: Error of a point is the share of the pairs of a row's edges
// with different labels that are ordered wrongly, ties ½, over all rows, and StdErr is over
// the row nodes. Two edges are compared by scores of one training, that knows nothing of what is
// new of both: leave-pair-out leaves out two edges, both columns, or the row with both columns, and
// folds compare within a test set. Leave-one-out of edges, columns, or rows with columns compares
// scores of different trainings, and so is used only where Options.Method asks for it. Pooled, of
// folds, is the error over all pairs of edges of a test set, across rows.
type Estimated struct {
	*cv.Estimate
	Setting kron.Setting
	Method  cv.Method // that was used
	Why     string    // folds were trained again; "" where the estimate is exact
	Held    int       // edges that were held out, 0 of leave-pair-out, whose points count pairs
	// Unconverged is how many trainings, of a fold and a λ each, stopped at the limit of
	// iterations.
	Unconverged int

	Nested      *cv.Point           // the error of the whole procedure, where asked for
	Outer       cv.Method           // its folds
	Permutation *cv.PermutationTest // where asked for
	Halves      *cv.Halves          // nil where there are no intervals; see Intervals
	// Folds is how folds rank at the best λ, nil where there are none; see Measures.
	Folds *Measures
	// HeldOut is the score of every edge at the best λ, NaN where it was not held out: scores
	// within rounding of one another are equal. Of leave-pair-out they are those of leaving out
	// one edge, column, or row and column after another. nil where not asked for.
	HeldOut []float64
	Notes   []Note

	measured *measured
}

// measured is what an estimate was measured of, for what else is asked of it. It is not
// kept with results.
type measured struct {
	predict cv.Predictor
	splits  *cv.Splits
	exact   *exact // the factored problem, nil where folds were trained
}

// Drawn reports whether the pairs that are compared were drawn, in O(1).
func (e *Estimated) Drawn() bool { return e.BestPoint().Drawn > 0 }

// BestPoint is the point of the chosen λ.
func (e *Estimated) BestPoint() cv.Point { return e.Points[e.Best] }

// Estimate returns, for every λ, how well what is learnt from the problem ranks the edges
// that the setting holds out: by the exact shortcuts of the closed forms, or by training
// again without each fold (Pahikkala, Airola, Stock, De Baets and Waegeman 2013; Stock et
// al. 2018). For p row and r column nodes the shortcuts cost an eigenproblem for each
// kernel matrix, O(p³ + r³), some products of p×r matrices for each λ, and what
// kron.Path.Margins says for each pair of edges, or those that are drawn. It returns an *Error
// where the options, the labels or the kernel matrices do not allow what is asked for, and the
// error of ctx. It panics when the shapes of p do not fit.
func Estimate(ctx context.Context, p Problem, o Options) (*Estimated, error) {
	note := &event.Journal{Monitor: o.Monitor}
	if err := Check(p, o); err != nil {
		return nil, err
	}
	o = o.Resolved()
	switch {
	case o.Learner == Similarity:
		return nil, fault.Optionf("Learner", "similarity learns nothing: evaluate its scores instead")
	case o.Solver == Primal:
		return nil, fault.Optionf("Solver", "primal is for training; estimates work with kernel matrices")
	}
	p.checkShapes()
	if err := p.checkData(nil); err != nil {
		return nil, err
	}
	ready, err := prepare(&p, o, note, false)
	if err != nil {
		return nil, err
	}
	if o.Solver == Closed {
		g := ready.graph()
		if err := checkClosed(g, g.complete()); err != nil {
			return nil, err
		}
	}
	e, err := ready.choose(ctx, "cross-validating")
	if err != nil {
		return nil, err
	}
	for _, more := range []func(context.Context, *Estimated) error{ready.halve, ready.permute, ready.nest,
		ready.measure, ready.keepHeldOut} {
		if err := more(ctx, e); err != nil {
			return nil, classify(err)
		}
	}
	ready.warnConstant()
	e.Notes, e.measured = note.Notes(), nil
	return e, nil
}

// choose estimates every λ of the problem.
func (p *problem) choose(ctx context.Context, task string) (*Estimated, error) {
	if err := p.checkMethodOf(p.graph()); err != nil {
		return nil, err
	}
	tell, end := p.o.Monitor.Task(task, 0)
	e, err := p.estimateGraph(ctx, p.graph(), 1, p.o.HeldOut, tell)
	end()
	if err != nil {
		return nil, classify(err)
	}
	if e.Unconverged > 0 {
		p.note.Warn(NoteUnconverged, "%s of folds stopped at Options.MaxIterations, before Options.Tolerance was reached", spell.Plural(e.Unconverged, "training"))
	}
	if p.o.Sample == SampleAuto && e.Drawn() {
		b := e.BestPoint()
		p.note.Add(Note{Code: NoteDrawn, Text: fmt.Sprintf("%d of %s of edges are left out, drawn by the seed: all "+
			"would take a while", b.Drawn, spell.Plural(int(b.Pairs), "pair")),
			Remedy: "Options.Sample SampleAll leaves out all"})
	}
	if s := p.o.scheme(e.Method); s.pools() {
		p.note.Add(Note{Warning: true, Code: NotePooled,
			Text:   "loo compares scores of different trainings with one another, which moves the error to either side",
			Remedy: "Options.Method lpo and kfold compare scores of one training"})
	}
	const few = 3 // values of which most are an end
	p.warnOneSided()
	if n := len(e.Points); n >= few && (e.Best == 0 || e.Best == n-1) {
		p.note.Note(NoteEnd, "the chosen lambda = %s is at the end of the values tried", spell.Power(e.BestPoint().Candidate))
	}
	return e, nil
}

// scheme is what the options hold out by a method.
func (o *Options) scheme(m cv.Method) scheme {
	return scheme{setting: o.Setting, method: m, seed: o.Seed, sample: max(0, o.Sample), auto: o.Sample == SampleAuto}
}

// inexact is why a graph has no shortcut for what is left out, nil where it has.
func (g *graph) inexact(y *data.Dense) error {
	switch {
	case g.twoStep > 0:
		return nil // which is refused where it is not complete
	case g.closedForm(y) != nil:
		return g.closedForm(y)
	case g.mirrored():
		return fmt.Errorf("the edges (u,v) and (v,u) of a %s relation have to be left out together", g.learn.Relation)
	}
	return nil
}

// method is that of the options, or where they have none leave-one-out of rows, else
// leave-pair-out, where that is exact and orders what is asked for, else five folds, and then why.
func (p *problem) method(g *graph) (m cv.Method, why error) {
	if p.o.Method != (cv.Method{}) {
		return p.o.Method, nil
	}
	if why = g.inexact(g.complete()); why != nil {
		return g.folds(p.o.Setting, 5), why
	}
	switch {
	case p.o.Setting == kron.Rows:
		return cv.Method{Kind: cv.LeaveOneOut}, nil
	case !onlyOrders(p.o.Metric):
		return g.folds(p.o.Setting, 5), fmt.Errorf("pairs have no %s", p.o.Metric)
	}
	return cv.Method{Kind: cv.LeavePairOut}, nil
}

// folds are as many as asked for, or fewer where there are so few edges or nodes that a fold would
// have no two edges of a row.
func (g *graph) folds(s kron.Setting, most int) cv.Method {
	rows, cols := g.rows.Rows, g.cols.Rows
	units := map[kron.Setting]int{kron.Pairs: len(g.y) / 2, kron.Rows: rows, kron.Cols: cols / 2,
		kron.Both: min(rows, cols/2)}[s]
	return cv.Method{Kind: cv.KFold, Folds: max(2, min(most, units))}
}

// onlyOrders reports whether a metric is of the order of pairs, nil being their error.
func onlyOrders(m *metric.Metric) bool { return m == nil || *m == metric.PooledDisagreement }

// checkMethodOf refuses, before any work, what needs the shortcut where there is none.
func (p *problem) checkMethodOf(g *graph) error {
	m, why := p.method(g)
	if m.Kind != cv.KFold {
		if p.o.HeldOut && p.o.Setting == kron.Both && p.o.Loss == kron.Ranking && p.o.Learner == RankRLS {
			return fault.Optionf("HeldOut", "single edges have no shortcut with Options.Setting both and the "+
				"ranking loss: Options.Method kfold")
		}
		return nil
	}
	because := ""
	if why != nil {
		because = ", as " + why.Error()
	}
	switch {
	case p.o.Permutations > 0:
		return fault.Optionf("Permutations", "needs the exact shortcut, and %s trains each fold again%s", m, because)
	case p.o.Intervals == IntervalsHalves:
		return fault.Optionf("Intervals", "halves is not for this estimate: %s%s", cv.WhyRetrained, because)
	case p.o.Sample != SampleAuto:
		return &Error{Kind: Use, Code: FaultNotExact, Option: "Sample", Err: fmt.Errorf("is for what is exact%s",
			because)}
	}
	return nil
}

// estimateGraph estimates by the method asked for, or the default, with this share of the
// multiplications that leave-pair-out takes by itself. keep says that the held-out scores are
// asked for.
func (p *problem) estimateGraph(ctx context.Context, g *graph, share float64, keep bool,
	tell func(done, total int)) (*Estimated, error) {
	method, why := p.method(g)
	if err := p.o.checkFolds(method); err != nil {
		return nil, err
	}
	m := measuring{lambdas: p.o.lambdas(), metric: p.o.Metric, also: p.o.Also, keep: keep, tell: tell}
	s := p.o.scheme(method)
	s.budget = share * g.budget()
	e, err := g.estimate(ctx, s, m)
	if e != nil && why != nil {
		e.Why += ", as " + why.Error()
	}
	var inexact *kron.NotExactError
	known := errors.As(err, &inexact) || errors.Is(err, kron.ErrNotPSD) || errors.Is(err, kron.ErrNumerical) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if err != nil && !known {
		err = fault.As(Data, "", err) // about what there is to hold out
	}
	return e, err
}

// budget is the multiplications that leave-pair-out takes by itself: some ten seconds of one
// core, and about the time of the factorisation.
func (g *graph) budget() float64 {
	p, n := float64(g.rows.Rows), float64(g.cols.Rows)
	return cv.PairsBudget + 0.6*(p*p*p+n*n*n)
}

// checkFolds refuses folds that the closed form cannot train.
func (o *Options) checkFolds(m cv.Method) error {
	if o.Solver != Closed || m.Kind != cv.KFold || o.Setting != kron.Pairs {
		return nil
	}
	code := FaultMirrorFolds
	if o.Relation == kron.Arbitrary {
		code = FaultOpenFolds
	}
	return fault.As(Use, code, errors.New("folds of edges leave graphs that are not complete, which have no closed form"))
}

// measuring is what is measured of the held-out edges.
type measuring struct {
	lambdas []float64 // nil: those of the problem
	metric  *metric.Metric
	also    []metric.Metric
	keep    bool                  // the predictions of folds are asked for again
	tell    func(done, total int) // or nil
}

// options are those of cv for a scheme with its splits.
func (m measuring) options(s scheme, splits *cv.Splits) cv.Options {
	return cv.Options{Method: s.method, Splits: splits, Candidates: m.lambdas, Metric: m.metric, Also: m.also,
		Pooled: s.method.Kind == cv.KFold || s.pools(), ByQuery: true}
}

// labels are those of the edges, with the row nodes as queries.
func (g *graph) labels() cv.Labels {
	return cv.Labels{Y: g.y, Queries: pref.NewPartition(g.edges.Row, g.rows.Rows)}
}

// estimate measures what a scheme holds out: by folds, or by the exact shortcuts, where it
// never trains again unasked.
func (g *graph) estimate(ctx context.Context, s scheme, m measuring) (*Estimated, error) {
	if s.method.Kind == cv.KFold {
		return g.estimateFolds(ctx, s, m)
	}
	out := &Estimated{Setting: s.setting, Method: s.method}
	if s.method.Kind == cv.LeavePairOut && s.setting == kron.Rows {
		s.method.Kind = cv.LeaveOneOut // the row that both edges have
	}
	x, err := newExact(ctx, g, s, m)
	if err != nil {
		return nil, err
	}
	if out.measured = (&measured{exact: x}); x.splits == nil {
		if m.lambdas == nil {
			m.lambdas = cv.LambdasBetween(x.Extent())
		}
		y := x.labels(g.y, 0, 1)
		out.Estimate, err = x.pairsOut(s, m.lambdas, y).estimate(ctx, x.paths[0], m.lambdas, m.tell)
		return out, noPairs(err, nil)
	}
	out.measured.predict, out.measured.splits = x.silent().HoldOut, x.splits
	estimates, err := cv.EstimateFactored(ctx, x, g.labels(), m.options(s, x.splits))
	return out.of(estimates, err)
}

// estimateFolds trains each fold again.
func (g *graph) estimateFolds(ctx context.Context, s scheme, m measuring) (*Estimated, error) {
	splits, err := g.splits(s)
	if err != nil {
		return nil, err
	}
	if m.lambdas == nil {
		if m.lambdas, err = g.defaultLambdas(ctx, s.setting); err != nil {
			return nil, err
		}
	}
	out := &Estimated{Setting: s.setting, Method: s.method, Why: "each fold trained again"}
	predict := g.trainer(&out.Unconverged).Predict
	if m.keep { // iterative trainings begin at that of a larger λ, and would end elsewhere with another path
		predict = cv.Recorded(predict)
	}
	out.measured = &measured{predict: predict, splits: splits}
	o := m.options(s, splits)
	o.Progress = m.tell
	estimates, err := cv.Retrained(ctx, predict, g.labels(), o)
	return out.of(estimates, err)
}

// defaultLambdas is the path of λ for folds of a setting.
func (g *graph) defaultLambdas(ctx context.Context, s kron.Setting) ([]float64, error) {
	y := g.complete()
	if y != nil && g.twoStep > 0 {
		step, err := kron.FactorTwoStep(ctx, g.rows, g.cols, y)
		if err != nil {
			return nil, err
		}
		least, largest := step.Extent()
		return cv.LambdasBetween(least, largest, 1), nil // kernels have no features
	}
	largest := kron.Largest(g.system(), g.learn.Loss)
	if g.closedForm(y) == nil && s != kron.Pairs {
		return cv.LambdasToRounding(largest, 1), nil
	}
	return cv.IterativeLambdas(largest, 1), ctx.Err()
}

// of takes the estimate of the only output.
func (e *Estimated) of(estimates []*cv.Estimate, err error) (*Estimated, error) {
	e.Held = len(e.measured.splits.Held())
	if err != nil {
		return nil, noPairs(err, e.measured.splits)
	}
	e.Estimate = estimates[0]
	return e, nil
}

// keepHeldOut keeps the held-out scores of the best λ, in the problem that was factored
// or as the folds predicted them.
func (p *problem) keepHeldOut(ctx context.Context, e *Estimated) error {
	if !p.o.HeldOut {
		return nil
	}
	m, method := e.measured, e.Method
	if m.splits == nil {
		method = cv.Method{Kind: cv.LeaveOneOut}
		x := m.exact.silent()
		x.pools = true
		var err error
		if x.splits, err = x.g.splits(p.o.scheme(method)); err != nil {
			return err
		}
		m = &measured{predict: x.HoldOut, splits: x.splits}
	}
	f, err := cv.HeldOut(ctx, m.predict, cv.Labels{Y: p.Y}, cv.Options{Method: method, Splits: m.splits},
		e.BestPoint().Candidate)
	if err == nil {
		e.HeldOut = f.Data[:p.given]
	}
	return err
}
