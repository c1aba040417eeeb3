package relation

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/journal"
	"pairrank/internal/kron"
	"pairrank/internal/krylov"
	"pairrank/internal/procedure"
	"pairrank/internal/spell"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
)

// Estimated has the error of ranking held-out edges for each λ. Error of a point is the share of pairs in the
// wrong order, ties ½, over all pairs of edges of a row node with different labels; StdErr is over the nodes
// that are left out: row nodes, column nodes, or for edges and both ends over both, whose variances are added. It is
// undefined over fewer than ratio.LeastUnits nodes, and where all agree.
//
// Two edges are compared by scores of one training that has not seen what is new in either. Leave-pair-out
// leaves out the two edges, both columns, or the row with both columns; folds compare within a test set.
// Leave-one-out of edges, of columns, or of rows with columns compares scores of different trainings, so it is
// used only if Options.Method is set to it. Pooled, for folds, is the error over all pairs of edges of a test
// set, across rows.
type Estimated struct {
	Choice Choice

	Nested      *cv.NestedEstimate  // the error of the whole procedure; nil if it was not requested
	Permutation *cv.PermutationTest // nil if it was not requested
	Halves      *cv.Halves          // nil if there are no intervals; see Interval
	// Folds is how well folds rank at the best λ; nil if there are no folds. See Measures.
	Folds *Measures
	// HeldOut is the held-out score of every edge at the best λ, NaN for an edge that was not held out. Scores
	// that differ only by rounding are made equal. For leave-pair-out they come from leaving out one edge,
	// column, or row and column after another. nil if it was not requested.
	HeldOut []float64
	Notes   []event.Note

	run *procedure.Run
}

// Choice is the λ with the best held-out error, and how edges were held out.
type Choice struct {
	cv.Choice
	Setting edge.Setting
	Why     string // why folds were retrained; "" if the estimate is exact
	Held    int    // held-out edges; 0 for leave-pair-out, whose points count pairs
	// Rows and Cols are the learnt sums of kernels, nil for a side that has one kernel; in one domain they are the same.
	// The name of a term is its kernel or the source of its similarities.
	Rows, Cols []pairmodel.Term
	// Unconverged counts the trainings, one for each fold and λ, that stopped at the limit of iterations.
	Unconverged int
}

// Points are the estimates of every λ. It panics if nothing was held out.
func (c *Choice) Points() []cv.Point { return c.Chosen().Outputs[0].Points }

// Point is the estimate of the chosen λ. It panics if nothing was held out.
func (c *Choice) Point() cv.Point { return c.BestPoint(0, nil) }

// Interval returns the 95 % interval of the error of the best point by cv.Halves, in O(1). Without Halves it is
// not Defined.
func (e *Estimated) Interval() cv.Interval { return e.run.Interval(0) }

// IntervalSource is the source of the variance that Interval uses, "" without Halves.
func (e *Estimated) IntervalSource() cv.VarianceSource { return e.run.IntervalSource(0) }

// Estimate returns, for every λ, how well the trained function ranks the edges that the setting holds out: by
// the exact shortcuts of the closed forms, or by retraining without each fold (Pahikkala, Airola, Stock, De
// Baets and Waegeman 2013; Stock et al. 2018). For p row and r column nodes the shortcuts cost an eigenproblem
// for each kernel matrix, O(p³ + r³), some products of p×r matrices for each λ, and the cost of
// kron.Path.Margins for each pair of edges, or for each sampled pair. Estimate returns an *Error if the
// options, the labels or the kernel matrices do not allow the estimate, and the error of ctx. It panics when
// the shapes of p do not fit.
func Estimate(ctx context.Context, p Problem, o EstimateOptions) (*Estimated, error) {
	note := &journal.Journal{Monitor: o.Monitor}
	if err := o.Check(p); err != nil {
		return nil, err
	}
	o.Options = o.Options.Resolved()
	p.checkShapes()
	if err := p.checkData(nil); err != nil {
		return nil, err
	}
	if err := p.checkRelevant(o.Metric); err != nil {
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
	if err := ready.checkMethodOf(ready.graph()); err != nil {
		return nil, err
	}
	s := ready.source()
	run, err := procedure.Estimate(ctx, s, ready.plan())
	if err != nil {
		return nil, classify(err)
	}
	e := &Estimated{Choice: s.chosen(&run.Choice.Choice), Nested: run.Nested, Permutation: run.Permutation,
		Halves: run.Halves, run: run}
	if e.Folds, err = ready.measure(ctx, run.Choice, s.most); err != nil {
		return nil, classify(err)
	}
	if o.HeldOut {
		f, err := run.HeldOut(ctx)
		if err != nil {
			return nil, classify(err)
		}
		e.HeldOut = f.Data[:ready.given]
	}
	e.Notes = note.Notes()
	run.Choice.Source = nil // do not keep its matrices
	return e, nil
}

// plan converts the options to those of the procedure.
func (p *problem) plan() procedure.Plan {
	return procedure.Plan{Journal: p.note, Seed: p.o.Seed, Metric: p.o.Metric, Choosing: p.o.choosing(),
		Intervals: p.o.Intervals, Nested: p.o.Nested != nil, Permutations: p.o.Permutations}
}

// noteHeldOut notes how edges were held out, if it is special.
func (p *problem) noteHeldOut(c *procedure.Choice, most int) {
	if most > 0 {
		p.note.Add(event.Note{Code: codes.NoteEdgesNoFolds, Text: fmt.Sprintf("left out only %s of %s: training without "+
			"each of them would take a while", spell.Plural(most, "fold"), c.Method), Remedy: c.Method.String() + " trains all"})
	}
	if p.o.PairsSample == cv.PairsAuto && c.Drawn() {
		b := c.BestPoint(0, nil)
		p.note.Add(event.Note{Code: codes.NoteEdgesDrawn,
			Text: fmt.Sprintf("%d of %s of edges are left out, drawn by the seed: all "+
				"would take a while", b.Drawn, spell.Plural(int(b.Pairs), "pair")),
			Remedy: "all of them is an option"})
	}
	if s := p.o.scheme(c.Method); s.pools() {
		p.note.Add(event.Note{Warning: true, Code: codes.NoteEdgesPooled,
			Text:   "loo compares scores of different trainings with one another, which moves the error to either side",
			Remedy: "lpo and kfold compare scores of one training"})
	}
}

// doubtNodes warns of a standard error over few nodes of a side.
func (p *problem) doubtNodes(c *procedure.Choice) {
	if !c.BestPoint(0, nil).StdErr.Defined {
		return
	}
	if p.o.Setting != edge.Cols {
		procedure.DoubtUnits(p.note, "the error", metric.Over{N: p.rows.Len(), Of: "row node"})
	}
	if p.o.Setting != edge.Rows {
		procedure.DoubtUnits(p.note, "the error", metric.Over{N: p.cols.Len(), Of: "column node"})
	}
}

// scheme is the scheme of the options with a method.
func (o *Options) scheme(m cv.Method) scheme {
	return scheme{setting: o.Setting, method: m, seed: o.Seed, sample: int(max(0, o.PairsSample)),
		auto: o.PairsSample == cv.PairsAuto, races: o.PairsSample == cv.PairsAuto}
}

// inexact returns why a graph has no shortcut for the edges left out, nil if it has one.
func (g *graph) inexact(y *data.Dense) error {
	switch {
	case g.inTwoSteps():
		return nil // refused elsewhere if it is not complete
	case g.closedForm(y) != nil:
		return g.closedForm(y)
	case g.mirrored():
		return fmt.Errorf("the edges (u,v) and (v,u) of a %s relation have to be left out together", g.learn.Relation)
	}
	return nil
}

// defaultMethod is leave-one-out for rows, else leave-pair-out, if that is exact and orders what the metric
// needs; else five folds, and then why.
func (o *Options) defaultMethod(g *graph) (m cv.Method, why error) {
	if why = g.inexact(g.complete()); why != nil {
		return g.folds(o.Setting, 5), why
	}
	switch {
	case o.Setting == edge.Rows:
		return cv.Method{Kind: cv.LeaveOneOut}, nil
	case !onlyOrders(o.Metric):
		return g.folds(o.Setting, 5), fmt.Errorf("pairs have no %s", o.Metric)
	}
	return cv.Method{Kind: cv.LeavePairOut}, nil
}

// folds is the given number of folds, or fewer if the edges or nodes are so few that a fold would have no two
// edges of a row.
func (g *graph) folds(s edge.Setting, most int) cv.Method {
	rows, cols := g.rows.Rows, g.cols.Rows
	units := map[edge.Setting]int{edge.Pairs: len(g.y) / 2, edge.Rows: rows, edge.Cols: cols / 2,
		edge.Both: min(rows, cols/2)}[s]
	return cv.Method{Kind: cv.KFold, Folds: max(2, min(most, units))}
}

// mostFolds is how many folds of a default method are trained, 0 for all: those that take some ten seconds of one core,
// at least one, where a training takes a hundred iterations. The error of one fifth of many edges is as good as that of
// all for choosing λ, and its standard error is larger. Where folds of rows meet folds of columns, it is at most the
// folds of a side.
func (g *graph) mostFolds(o scheme) int {
	if o.method.Kind != cv.KFold {
		return 0
	}
	p, n, folds := float64(g.rows.Rows), float64(g.cols.Rows), o.method.Folds
	iteration := min(p*n*(p+n)/4, float64(len(g.y))*(p+n))
	most, all := int(min(holdout.PairsBudget/(100*iteration), 1000)), folds
	if o.setting == edge.Both && !g.mirrored() {
		all *= folds
	}
	if most >= all {
		return 0
	}
	return max(1, min(most, folds))
}

// onlyOrders reports whether a metric depends only on the order of pairs; nil is their error.
func onlyOrders(m *metric.Metric) bool { return m == nil || *m == metric.PooledDisagreement }

// checkMethodOf refuses, before any work, options that need the shortcut if there is none.
func (p *problem) checkMethodOf(g *graph) error {
	m, why := p.o.method(), error(nil)
	if p.o.Method == nil {
		m, why = p.o.defaultMethod(g)
	}
	if m.Kind != cv.KFold {
		if p.o.HeldOut && p.o.Setting == edge.Both && p.o.orders() {
			return fault.Optionf("HeldOut", "has no shortcut for single edges in the setting both with the "+
				"ranking loss: hold out by kfold")
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
	case p.o.PairsSample != cv.PairsAuto:
		return &fault.Error{Kind: fault.Use, Code: codes.FaultEdgesNotExact, Option: "PairsSample",
			Err: fmt.Errorf("is for what is exact%s", because)}
	}
	return nil
}

// budget is the number of multiplications that leave-pair-out may take by default: a third of some ten seconds of one
// core, since a nested estimate and permutations may take as long, and about the time of the factorisation.
func (g *graph) budget() float64 {
	p, n := float64(g.rows.Rows), float64(g.cols.Rows)
	return holdout.PairsBudget/3 + 0.6*(p*p*p+n*n*n)
}

// checkFolds refuses folds that the closed form cannot train.
func (o *Options) checkFolds(m cv.Method) error {
	if o.Solver != Closed || m.Kind != cv.KFold || o.Setting != edge.Pairs {
		return nil
	}
	code := codes.FaultEdgesMirrorFolds
	if o.Relation == edge.Arbitrary {
		code = codes.FaultEdgesOpenFolds
	}
	return fault.As(fault.Use, code, errOpenFolds)
}

// errOpenFolds is why the closed form trains no folds of edges.
var errOpenFolds = errors.New("folds of edges leave graphs that are not complete, which have no closed form")

// labels are the labels of the edges, with the row nodes as queries.
func (g *graph) labels() holdout.Labels {
	return holdout.Labels{Y: g.y, Queries: data.NewPartition(g.edges.Row, g.rows.Rows)}
}

// defaultLambdas is the path of λ for folds of a setting.
func (g *graph) defaultLambdas(ctx context.Context, s edge.Setting) ([]float64, error) {
	y := g.complete()
	if y != nil && g.inTwoSteps() {
		step, err := g.factor(ctx, y)
		if err != nil {
			return nil, err
		}
		least, largest := step.extent()
		return holdout.LambdasBetween(least, largest, 1), nil // kernels have no features
	}
	largest := kron.Largest(g.system(), g.learn.Loss)
	if g.closedForm(y) == nil && s != edge.Pairs {
		return holdout.LambdasToRounding(largest, 1), nil
	}
	return holdout.IterativeLambdas(largest, 1), ctx.Err()
}

// warnUnconverged warns of a fit whose iteration ended too early, by what was to stop it.
func (p *problem) warnUnconverged(f *kron.EdgeFit) {
	what, reached, asked := "a relative residual", f.Residual, p.o.tolerance()
	if p.o.stopsByScores(len(p.Y)) {
		what, reached = "a bound of the error of the scores, relative to their length,", f.ScoreError
		asked = krylov.DefaultScores
	}
	p.note.Warn(codes.NoteEdgesUnconverged,
		"the solver stopped after %d iterations at %s of %.2g, above %g; the model is the last iterate", f.Iterations, what,
		reached, asked)
}
