package pairrank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/fault"
	"pairrank/internal/memory"
	"pairrank/internal/procedure"
	"pairrank/kernel"
	"pairrank/learn/rls"
	"pairrank/model"
)

// RelativeSquaredError is the Measure of a Choice by Statistics: Σ w_ij (target_ij − (f_i−f_j))²
// over the pairs of a fold that was held out, or Σ (y_i−f_i)² for regression, divided by that
// of f = 0, the mean over the folds. 1 is what equal scores have.
const RelativeSquaredError = "relative-squared-error"

// Train chooses λ of lambdas, ascending, and trains on all queries. None are the default
// path of the problem, cv.Lambdas. The choice is by the RelativeSquaredError of the folds of the
// queries, each left out exactly; among values that differ by less than their rounding the
// largest λ is chosen. With a single λ nothing is held out. Several outputs have a λ each.
// The statistics keep their value.
//
// It costs O(n³) for n features, and as much for each fold, whatever the number of rows. It
// returns an *Error where there is nothing to learn, or to choose by, and for a solution
// that leaves double precision, and the error of ctx.
func (s *Statistics) Train(ctx context.Context, lambdas []float64, monitor Monitor) (*Result, error) {
	t := &statisticsTraining{s: s, journal: &journal{Monitor: monitor}, lambdas: slices.Clone(lambdas)}
	if err := t.check(); err != nil {
		return nil, err
	}
	tell, end := monitor.Task("training", 0)
	defer end()
	tell(0, 0)
	if len(lambdas) == 1 {
		if err := t.solve(ctx); err != nil {
			return nil, conclude(err)
		}
	} else if err := t.choose(ctx); err != nil {
		return nil, conclude(err)
	}
	return t.result()
}

// statisticsTraining is a training from Statistics.
type statisticsTraining struct {
	s       *Statistics
	journal *journal
	lambdas []float64 // to choose from

	choice    cv.Choice
	chosen    []float64   // λ of each output
	coef      *data.Dense // n×v
	objective float64
}

// check refuses what cannot be trained, or not chosen.
func (t *statisticsTraining) check() error {
	s := t.s
	rows, n := s.Rows(), s.width()
	const matrices = 8 // of n×n, those of a factorisation and of a fold beside
	need := 8 * matrices * float64(n) * float64(n)
	free, beyond := memory.Beyond(need)
	switch {
	case !ascend(t.lambdas):
		return fault.Optionf("Lambdas", "are greater than 0 and ascend, not %v", t.lambdas)
	case rows == 0:
		return fault.Dataf("there are no rows")
	case s.Features() == 0:
		return fault.Dataf("the data has no features, so every row gets the same score")
	case len(s.options.Names) > s.Features():
		return fault.Dataf("there are names of %d features, and the data has %d", len(s.options.Names), s.Features())
	case len(t.lambdas) != 1 && s.options.Folds < 2:
		return fault.Optionf("Folds", "is 1, which holds nothing out, and there is more than one λ to choose from")
	case rows == 1:
		return &fault.Error{Kind: fault.Data, Code: FaultOneRow, Err: errors.New("there is only one row, so nothing can be learnt about an order")}
	case slices.Max(s.moments.Informed()) == 0:
		return &fault.Error{Kind: fault.Data, Code: FaultNothing, Err: errors.New("no two compared rows have different labels, so nothing can be learnt")}
	case beyond:
		return &fault.Error{Kind: fault.Memory, Code: FaultStatisticsMemory,
			Err: fmt.Errorf("training with %d features would take about %s of memory, and %s are free", n, memory.Size(need), memory.Size(free))}
	}
	if c := s.idle; c.Single+c.Alike > 0 {
		t.journal.Note(NoteIdleQueries, "%d of %d queries have nothing to compare: %d with one row, %d with one label", c.Single+c.Alike, s.Queries(), c.Single, c.Alike)
	}
	return nil
}

// solve trains for the λ that was given.
func (t *statisticsTraining) solve(ctx context.Context) error {
	lambda := t.lambdas[0]
	fit, err := t.s.moments.Solve(ctx, lambda)
	if err != nil {
		return err
	}
	t.choice = cv.Choice{Lambda: lambda, Kernel: t.kernel(), Error: math.NaN()}
	for c := range t.s.options.Outputs {
		t.take(c, fit)
	}
	return nil
}

// choose chooses λ by the folds and trains.
func (t *statisticsTraining) choose(ctx context.Context) error {
	path, err := t.s.moments.Factor(ctx)
	if err != nil {
		return err
	}
	if len(t.lambdas) == 0 {
		t.lambdas = cv.Lambdas(path.Eigenvalues(), cv.Spread(path.Squares()))
	}
	folds, err := t.s.moments.HeldOut(ctx, t.lambdas)
	if err != nil {
		return err
	}
	outputs := make([]*cv.Estimate, t.s.options.Outputs)
	fits := map[float64]*rls.MomentsFit{}
	for c := range outputs {
		if outputs[c], err = t.estimate(folds, c); err != nil {
			return err
		}
		lambda := outputs[c].Points[outputs[c].Best].Candidate
		if fits[lambda] == nil {
			if fits[lambda], err = path.Refit(lambda); err != nil {
				return err
			}
		}
		t.take(c, fits[lambda])
	}
	t.choice = t.chosenOf(outputs)
	procedure.NoteEnds(t.journal, t.choice.Chosen())
	return ctx.Err()
}

// take takes output c of a fit.
func (t *statisticsTraining) take(c int, fit *rls.MomentsFit) {
	if t.coef == nil {
		t.coef = data.NewDense(t.s.width(), t.s.options.Outputs, nil)
	}
	for j := range fit.Coef.Rows {
		t.coef.Row(j)[c] = fit.Coef.Row(j)[c]
	}
	t.chosen = append(t.chosen, fit.Lambda)
	t.objective += fit.Objectives[c]
}

// estimate is the relative squared error of output c for every λ.
func (t *statisticsTraining) estimate(folds []rls.FoldLoss, c int) (*cv.Estimate, error) {
	e := &cv.Estimate{Points: make([]cv.Point, len(t.lambdas))}
	rounding := make([]float64, len(t.lambdas))
	for l, lambda := range t.lambdas {
		ratios, pairs := []float64{}, int64(0)
		for _, f := range folds {
			if f.Zero[c] == 0 {
				continue // nothing in it has two labels
			}
			ratios, pairs = append(ratios, f.Loss[l][c]/f.Zero[c]), pairs+f.Pairs
			rounding[l] = max(rounding[l], f.Rounding[l][c]/f.Zero[c])
		}
		if len(ratios) < 2 {
			return nil, &fault.Error{Kind: fault.Data, Code: FaultFewFolds, Err: fmt.Errorf("of %d folds of queries %d have rows with different labels to compare, and two are needed to choose λ by what is held out", len(folds), len(ratios))}
		}
		mean, stderr := foldMean(ratios)
		e.Points[l] = cv.Point{Candidate: lambda, Error: mean, StdErr: metric.Value{Value: stderr, Defined: true}, Pairs: pairs}
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

// foldMean is the mean of numbers, two or more, and its standard error.
func foldMean(x []float64) (mean, stderr float64) {
	k := float64(len(x))
	for _, v := range x {
		mean += v / k
	}
	for _, v := range x {
		stderr += (v - mean) * (v - mean) / (k - 1) / k
	}
	return mean, math.Sqrt(stderr)
}

// chosenOf is the choice by estimates.
func (t *statisticsTraining) chosenOf(outputs []*cv.Estimate) cv.Choice {
	method := cv.Method{Kind: cv.KFold, Folds: t.s.options.Folds}
	e := cv.KernelEstimate{Kernel: t.kernel(), Method: method, Parameter: cv.Lambda, Candidates: t.lambdas, Outputs: outputs}
	c := cv.Choice{Kernel: e.Kernel, Method: method, Measure: RelativeSquaredError, Error: e.Error(), Kernels: []cv.KernelEstimate{e}}
	if len(outputs) == 1 {
		best := outputs[0].Points[outputs[0].Best]
		c.StdErr, c.Pairs = best.StdErr, best.Pairs
	}
	c.Lambda = t.common()
	return c
}

// kernel is that of the map.
func (t *statisticsTraining) kernel() kernel.Kernel {
	if m := t.s.options.Map; m != nil {
		return m.Kernel
	}
	return kernel.Linear{}
}

// common is the λ of all outputs, 0 where they differ.
func (t *statisticsTraining) common() float64 {
	if slices.Min(t.chosen) < slices.Max(t.chosen) {
		return 0
	}
	return t.chosen[0]
}

// result is what was learnt.
func (t *statisticsTraining) result() (*Result, error) {
	s := t.s
	l, o := s.options.Learner, &s.options
	n := s.Features()
	f := Training{
		Learner: l.Name(), Solution: Solution{Primal, "sums over queries, whose rows are not in memory"}, Kernel: t.kernel(),
		Objective: l.objective(&task{o: &Options{}}), Rows: int(s.Rows()), Features: n, Queries: s.Queries(), Outputs: o.Outputs,
		Parameter: cv.Lambda, Lambda: t.common(), Minimum: t.objective, Pairs: float64(s.Pairs()),
		Residual: math.NaN(), Gap: math.NaN(), Converged: true,
	}
	if o.Outputs > 1 && t.choice.Estimated() {
		f.Lambdas = t.chosen
	}
	t.warn()
	m, err := t.model(&f)
	if err != nil {
		return nil, err
	}
	return &Result{Model: m, Choice: t.choice, Training: f, Notes: t.journal.Notes()}, nil
}

// warn warns of weights that are all 0.
func (t *statisticsTraining) warn() {
	switch {
	case t.s.moments.Alike() && t.s.options.Map != nil:
		t.journal.Warn(NoteAlike, "kernel %s has the same values for all rows within each query, so the compared rows all get the same score and nothing is learnt about their order", t.kernel())
	case t.s.moments.Alike():
		t.journal.Warn(NoteAlike, "every feature (%d) is constant within each query, so the compared rows all get the same score and nothing is learnt about their order", t.s.Features())
	case allZero(t.coef.Data):
		t.journal.Warn(NoteZeroWeights, "all weights are 0, so every row gets the same score: no feature goes with the labels, or λ is too large for double precision beside the features")
	}
}

// model is the model that is saved.
func (t *statisticsTraining) model(f *Training) (m *model.Model, err error) {
	s := t.s
	m = &model.Model{}
	if s.options.Map != nil {
		if m.Scorer, err = s.options.Map.scorer(f.Features, t.coef); err != nil {
			return nil, err
		}
	} else {
		m.Scorer = &model.Linear{Weights: transposed(t.coef)}
	}
	if names := s.options.Names; names != nil {
		m.Names = append(slices.Clone(names), make([]string, f.Features-len(names))...)
	}
	if s.options.Normalize != data.NormalizeNone {
		m.Normalizer = &data.Normalizer{Kind: s.options.Normalize}
	}
	m.Info = model.Info{Learner: f.Learner, Solver: string(f.Solution.Solver), Objective: f.Objective.String(), Lambda: f.Lambda,
		Rows: f.Rows, Queries: f.Queries, Pairs: f.Pairs}
	if p := s.options.Learner.Pairs; !s.options.Learner.Regression {
		m.Info.Cost, m.Info.Ties, m.Info.QueryWeight = string(p.Cost), p.Ties, string(p.Weight)
	}
	if c := &t.choice; c.Estimated() {
		m.Info.Selection = &model.Selection{Method: c.Method.String(), Metric: c.Measure, Error: c.Error, Count: len(t.lambdas)}
	}
	shown := &task{o: &Options{Threshold: s.options.Threshold}}
	m.Info.Facts = shown.savedFacts(&fit{lambda: f.Lambda, lambdas: f.Lambdas})
	return m, nil
}
