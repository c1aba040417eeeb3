package stream

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/journal"
	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
	"pairrank/internal/procedure"
	"pairrank/internal/ratio"
	"pairrank/internal/rows"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/training"
)

// relativeSquaredError is the Measure of the Choice: Σ w_ij (target_ij − (f_i−f_j))² over the pairs of a
// held-out fold, or Σ (y_i−f_i)² for regression, divided by the same sum for f = 0, averaged over the folds.
// Equal scores have 1.
const relativeSquaredError = "relative-squared-error"

// TrainOptions say how statistics are trained.
type TrainOptions struct {
	// Lambdas are the values of λ, ascending; nil is the default path of the problem, holdout.Lambdas.
	Lambdas []float64
	// Monitor receives progress, and every note of the Result at once.
	Monitor event.Monitor
}

// Train chooses λ from o.Lambdas and trains on all queries. It chooses by the RelativeSquaredError of the folds of the
// queries, each left out exactly. If values differ by less than their rounding, it takes the largest λ. With a single λ
// it holds nothing out. Several outputs have one λ each. Train does not change the statistics.
//
// It costs O(n³) for n features, and as much for each fold, for any number of rows. It returns a *fault.Error if there
// is nothing to learn, or to choose by, and for a solution that overflows double precision, and the error of ctx.
func (s *Statistics) Train(ctx context.Context, o TrainOptions) (*pairrank.Result, error) {
	l := s.options.Learner
	options := pairrank.Options{Learner: l, Kernels: []kernel.Kernel{(&source{s: s}).kernel()}, Lambdas: o.Lambdas,
		Threshold: s.options.Threshold}
	if err := options.Check(pairrank.Problem{}); err != nil {
		return nil, err
	}
	t := &source{s: s, lambdas: slices.Clone(o.Lambdas), journal: &journal.Journal{Monitor: o.Monitor}}
	if err := t.begin(); err != nil {
		return nil, err
	}
	plan := procedure.Plan{Journal: t.journal}
	if len(o.Lambdas) != 1 {
		plan.Choosing = procedure.ChoosingLambda
	}
	learnt, c, err := procedure.Train(ctx, t, plan)
	if err != nil {
		return nil, rows.Conclude(err)
	}
	r, err := t.result(learnt.(*fit), c)
	if err != nil {
		return nil, rows.Conclude(err)
	}
	return r, nil
}

// source is Statistics as a procedure.Source.
type source struct {
	s       *Statistics
	journal *journal.Journal
	lambdas []float64 // to choose from
	path    *rls.StatisticsPath
}

// fit is the solution for one λ of each output.
type fit struct {
	lambdas   []float64
	coef      *data.Dense // n×v
	objective float64
}

// begin refuses statistics that cannot be trained on, or chosen by.
func (t *source) begin() error {
	t.tellKnots()
	s := t.s
	m, n := s.Rows(), s.width()
	const matrices = 8 // n×n, for a factorisation and a fold at the same time
	need := 8 * matrices * float64(n) * float64(n)
	free, beyond := memory.Beyond(need)
	switch {
	case m == 0:
		return fault.Dataf("there are no rows")
	case s.Features() == 0:
		return fault.Dataf("the data has no features, so every row gets the same score")
	case len(s.options.Names) > s.Features():
		return fault.Dataf("there are names of %d features, and the data has %d", len(s.options.Names), s.Features())
	case len(t.lambdas) != 1 && s.options.Folds < 2:
		return fault.Optionf("Folds", "is 1, which holds nothing out, and there is more than one λ to choose from")
	case m == 1:
		return &fault.Error{Kind: fault.Data, Code: codes.FaultOneRow,
			Err: errors.New("there is only one row, so nothing can be learnt about an order")}
	case slices.Max(s.statistics.Informed()) == 0:
		return &fault.Error{Kind: fault.Data, Code: codes.FaultNothing,
			Err: fmt.Errorf("no two compared rows have different %s, so nothing can be learnt", s.options.labels())}
	case beyond:
		return &fault.Error{Kind: fault.Memory, Code: codes.FaultStatisticsMemory,
			Err: fmt.Errorf("training with %d features would take about %s of memory, and %s are free", n,
				memory.Size(need), memory.Size(free))}
	}
	if s.options.Times {
		t.journal.Note(codes.NoteTimes, "labels are times until an event: the score grows with the time")
	}
	if c := s.idle; c.Single+c.Alike > 0 {
		alike := "with one label"
		if s.options.Times {
			alike = "without two times that can be compared"
		}
		t.journal.Note(codes.NoteIdleQueries,
			"%d of %d queries have nothing to compare: %d with one row, %d %s", c.Single+c.Alike,
			s.Queries(), c.Single, c.Alike, alike)
	}
	if text := s.repeated(); text != "" && len(t.lambdas) != 1 { // else nothing is held out
		t.journal.Warn(codes.NoteRepeatedQuery, "%s", text)
	}
	return nil
}

// noteKnots is the code of the note on how knots were found.
const noteKnots event.Code = "knots"

// tellKnots notes how the knots of a spline were found, and that held-out rows may be among those they were found in.
func (t *source) tellKnots() {
	if t.s.told != "" {
		t.journal.Note(noteKnots, "%s", t.s.told)
	}
	some := func(knots []float64) bool { return len(knots) > 0 }
	if slices.ContainsFunc(t.s.options.Map.knots(), some) && len(t.lambdas) != 1 {
		t.journal.Note(codes.NoteHelped, "held-out rows may have helped, by their features and not their labels: the "+
			"knots of splines are quantiles of rows, and not of those of the other folds alone")
	}
}

// labels are what rows have.
func (o *Options) labels() string {
	if o.Times {
		return "times"
	}
	return "labels"
}

// Kernels is 1: the kernel of the map.
func (*source) Kernels() int { return 1 }

// Under is the source itself.
func (t *source) Under(int) procedure.Source { return t }

// Ready is for sources of several kernels.
func (*source) Ready(context.Context) error { return nil }

// Unconverged is 0, since the sums are factored.
func (*source) Unconverged() int { return 0 }

// Estimate leaves out each fold for every λ.
func (t *source) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	if progress != nil {
		progress(0, 0) // the total work is not known
	}
	if t.path, err = t.s.statistics.Factor(ctx); err != nil {
		return e, err
	}
	if len(t.lambdas) == 0 {
		t.lambdas = holdout.Lambdas(t.path.Eigenvalues(), holdout.Spread(t.path.Squares()))
	}
	folds, err := t.s.statistics.HeldOut(ctx, t.lambdas)
	if err != nil {
		return e, err
	}
	e = cv.KernelEstimate{Kernel: t.kernel(), Method: cv.Method{Kind: cv.KFold, Folds: t.s.options.Folds},
		Measure: relativeSquaredError, Parameter: cv.Lambda, Candidates: t.lambdas}
	for c := range t.s.options.Outputs {
		estimate, err := t.estimate(folds, c)
		if err != nil {
			return e, err
		}
		e.Outputs = append(e.Outputs, estimate)
	}
	return e, ctx.Err()
}

// Fit trains with the chosen λ of each output, or with the only one.
func (t *source) Fit(ctx context.Context, c *procedure.Choice) (procedure.Fit, error) {
	tell, end := t.journal.Monitor.Task("training", 0)
	defer end()
	tell(0, 0)
	f := &fit{coef: data.NewDense(t.s.width(), t.s.options.Outputs, nil)}
	if c == nil {
		found, err := t.s.statistics.Solve(ctx, t.lambdas[0])
		if err != nil {
			return nil, err
		}
		for o := range t.s.options.Outputs {
			f.take(o, found)
		}
		return f, nil
	}
	fits := map[float64]*rls.StatisticsFit{}
	for o, e := range c.Chosen().Outputs {
		lambda := e.Points[e.Best].Candidate
		if fits[lambda] == nil {
			var err error
			if fits[lambda], err = t.path.Refit(lambda); err != nil {
				return nil, err
			}
		}
		f.take(o, fits[lambda])
	}
	return f, ctx.Err()
}

// take stores output o of a solution.
func (f *fit) take(o int, found *rls.StatisticsFit) {
	for j := range found.Coef.Rows {
		f.coef.Row(j)[o] = found.Coef.Row(j)[o]
	}
	f.lambdas = append(f.lambdas, found.Lambda)
	f.objective += found.Objectives[o]
}

// estimate returns the relative squared error of output c for every λ.
func (t *source) estimate(folds []rls.FoldLoss, c int) (*cv.Estimate, error) {
	e := &cv.Estimate{Points: make([]cv.Point, len(t.lambdas))}
	rounding := make([]float64, len(t.lambdas))
	for l, lambda := range t.lambdas {
		ratios, pairs := []float64{}, int64(0)
		for _, f := range folds {
			if f.Zero[c] == 0 {
				continue // no two labels in it differ
			}
			ratios, pairs = append(ratios, f.Loss[l][c]/f.Zero[c]), pairs+f.Pairs
			rounding[l] = max(rounding[l], f.Rounding[l][c]/f.Zero[c])
		}
		if len(ratios) < 2 {
			return nil, &fault.Error{Kind: fault.Data, Code: codes.FaultFewFolds,
				Err: fmt.Errorf("of %d folds of queries %d have rows with different %s to compare, and two are "+
					"needed to choose λ by what is held out", len(folds), len(ratios), t.s.options.labels())}
		}
		mean, variance := foldMean(ratios)
		e.Points[l] = cv.Point{Candidate: lambda, Error: mean, StdErr: ratio.StandardError(variance, len(ratios)),
			Over: metric.Over{N: len(ratios), Of: "fold"}, Pairs: pairs}
	}
	least := slices.IndexFunc(e.Points, func(p cv.Point) bool {
		return !slices.ContainsFunc(e.Points, func(q cv.Point) bool { return q.Error < p.Error })
	})
	for l, p := range e.Points {
		if p.Error-e.Points[least].Error <= rounding[l]+rounding[least] {
			e.Best = l
		}
	}
	return e, nil
}

// foldMean is the mean of numbers, two or more, and its variance.
func foldMean(x []float64) (mean, variance float64) {
	k := float64(len(x))
	for _, v := range x {
		mean += v / k
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / (k - 1) / k
	}
	return mean, variance
}

// kernel is the kernel of the map.
func (t *source) kernel() kernel.Kernel {
	if m := t.s.options.Map; m != nil {
		return m.Kernel
	}
	return kernel.Linear{}
}

// result is a fit with its facts.
func (t *source) result(f *fit, c *cv.Choice) (*pairrank.Result, error) {
	s, l := t.s, t.s.options.Learner
	m, err := t.model(f)
	if err != nil {
		return nil, err
	}
	r := &pairrank.Result{Model: m,
		Choice: procedure.Summary(c, cv.Choice{Lambda: f.lambdas[0], Kernel: t.kernel()})}
	squares := rows.Squares{Regression: l.Regression, Pairs: l.Pairs, Times: s.options.Times}
	weight, some := s.statistics.Weighed()
	if some {
		squares.Weights = []float64{weight} // of which the sum is told
	} else {
		weight = 0
	}
	r.Training = pairrank.Training{
		Facts: training.Facts{Learner: l.Name(), Solver: string(pairrank.Primal), Objective: squares.Objective(),
			Lambda: r.Choice.Lambda, Rows: int(s.Rows()), Queries: s.Queries(), Pairs: float64(s.Pairs())},
		Why: "sums over queries, whose rows are not in memory", Kernel: t.kernel(), Features: s.Features(),
		Weight:  weight,
		Outputs: s.options.Outputs, Parameter: cv.Lambda, Minimum: f.objective, Residual: math.NaN(), Gap: math.NaN(),
		Converged: true,
	}
	if c != nil && s.options.Outputs > 1 { // else one is that of all outputs
		r.Training.Lambdas = f.lambdas
	}
	facts := &r.Training.Facts
	squares.Describe(facts)
	facts.Further = slices.Concat(facts.Further, rows.Labels(s.options.Threshold, s.options.Times),
		rows.Lambdas(facts.Lambda, r.Training.Lambdas))
	rows.Chosen(facts, &r.Choice, nil)
	r.Model.Info = *facts
	_ = r.Model.Info.SetSchema(t.s.options.Schema) // of texts alone
	r.Notes = t.journal.Notes()
	return r, nil
}

// Doubt warns if all weights are 0.
func (t *source) Doubt(_ context.Context, learnt procedure.Fit, _ *procedure.Choice) {
	switch {
	case t.s.statistics.Alike() && t.s.options.Map != nil:
		procedure.WarnAlike(t.journal, fmt.Sprintf("kernel %s has the same values for all rows within each query",
			t.kernel()))
	case t.s.statistics.Alike():
		procedure.WarnAlike(t.journal, fmt.Sprintf("every feature (%d) is constant within each query", t.s.Features()))
	case !slices.ContainsFunc(learnt.(*fit).coef.Data, func(w float64) bool { return w != 0 }):
		procedure.WarnZero(t.journal)
	}
}

// model returns the model to be saved, without its Info.
func (t *source) model(f *fit) (m *model.Model, err error) {
	o, n := &t.s.options, t.s.Features()
	m = &model.Model{}
	if o.Map != nil {
		if m.Scorer, err = o.Map.scorer(n, f.coef); err != nil {
			return nil, err
		}
	} else {
		m.Scorer = &model.Linear{Weights: f.coef.T()}
	}
	if o.Names != nil {
		m.Names = append(slices.Clone(o.Names), make([]string, n-len(o.Names))...)
	}
	if o.Normalize != data.NormalizeNone {
		m.Normalizer = &data.Normalizer{Kind: o.Normalize}
	}
	return m, nil
}
