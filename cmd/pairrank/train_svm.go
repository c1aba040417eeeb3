package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
	"pairrank/model"
	"pairrank/pref"
	"pairrank/relation/kron"
)

// svmFlags are the flags of ranksvm alone.
type svmFlags struct {
	loss, counter string
	precision     string
	epsilon       float64
	timeLimit     time.Duration
	warmStart     string
}

var precisionNames = []string{"float64", "float32"}

// named turns names of a type of their own into text.
func named[S ~string](names []S) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}

func (f *svmFlags) register(cmd *cobra.Command) {
	enumFlag(cmd, &f.loss, "loss", string(ranksvm.Hinge), append(named(ranksvm.Losses), string(kron.Ranking), string(kron.Regression)), "what a pair costs in ranksvm; of edges between nodes, pairs of a row (the default there) or each edge")
	enumFlag(cmd, &f.counter, "counter", string(ranksvm.Counters[0]), named(ranksvm.Counters), "how ranksvm counts pairs; only the time differs, and last digits of the squared hinge; pairs takes as long as there are pairs")
	enumFlag(cmd, &f.precision, "precision", "float64", precisionNames, "how ranksvm keeps the values of sparse features; with float32 an iteration reads a third less, and sums are of double precision still")
	numberFlag(cmd, &f.epsilon, "epsilon", 1e-3, "where ranksvm stops: gap to the optimum, or relative gradient of the squared hinge")
}

// registerStops adds the flags of train alone.
func (f *svmFlags) registerStops(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.timeLimit, "time-limit", 0, "time after which ranksvm stops with the best so far, as in 90s or 10m (default: none)")
	cmd.Flags().StringVar(&f.warmStart, "warm-start", "", "linear MODEL whose weights ranksvm starts from")
}

// planIterative checks the flags of ranksvm and rankboost.
func planIterative(p *trainPlan) error {
	if p.learner == rankBoost {
		p.solver = "boosting"
	} else if p.solver = "bundle"; p.loss == string(ranksvm.SquaredHinge) {
		p.solver = "newton"
	}
	switch {
	case p.learner == rankSVM && p.loss != string(ranksvm.Hinge) && p.loss != string(ranksvm.SquaredHinge):
		return usagef("--loss %s is for edges between nodes; ranksvm has hinge and squared-hinge", p.loss)
	case p.learner == rankSVM && p.goal.Weight == pref.Size:
		return usagef("--query-weight size is not for ranksvm: its loss is a mean over pairs, or over queries with edges")
	case !(p.epsilon > 0):
		return usagef("--epsilon is greater than 0, not %v", p.epsilon)
	case p.changed("time-limit") && p.timeLimit <= 0:
		return usagef("--time-limit is greater than 0, not %v", p.timeLimit)
	case p.precision == "float32" && p.mapped():
		return usagef("--precision float32 is for the linear kernel without --basis")
	case p.warmStart != "" && p.mapped():
		return usagef("--warm-start is for the linear kernel without --basis")
	}
	return planBasis(p)
}

// mapped reports whether ranksvm is trained on the kernel map of basis rows.
func (p *trainPlan) mapped() bool {
	linear := p.kernel == kernel.Linear{}
	return p.learner == rankSVM && (!linear || p.changed("basis") || p.changed("basis-rows"))
}

// svmOptions are those of the library.
func (p *trainPlan) svmOptions() ranksvm.Options {
	return ranksvm.Options{
		Loss: ranksvm.Loss(p.loss), Counter: ranksvm.Counter(p.counter), Weight: p.goal.Weight,
		Epsilon: p.epsilon, MaxIterations: p.iterations,
	}
}

// space is the rows that ranksvm is linear in: the features, or the kernel map of
// the basis rows.
func (p *trainProblem) space() (data.Matrix, error) {
	if !p.plan.mapped() {
		return p.x, nil
	}
	if p.image == nil {
		if p.origin != nil {
			whole, err := p.origin.space()
			if err != nil {
				return nil, err
			}
			p.image, p.lift = data.Select(whole, p.within).(*data.Dense), p.origin.lift
		} else {
			m := kernel.NewMap(p.amongBasis())
			if m.Lift.Cols == 0 {
				return nil, errZeroKernel()
			}
			p.image, p.lift, p.doubt = m.Rows(p.crossKernel()), m.Lift, m.Warning
		}
	}
	return p.image, nil
}

func errZeroKernel() error {
	return asData(fmt.Errorf("the kernel of the basis rows is 0 everywhere, so every row would get the same score"))
}

// compared is the queries within which rows are compared.
func (p *trainProblem) compared() *pref.Partition {
	if p.plan.pairs == "all" {
		return pref.OneList(p.rows())
	}
	return p.queries
}

// comparedPart is the labels and queries of some rows.
func (p *trainProblem) comparedPart(rows []int) (y []float64, queries *pref.Partition) {
	of, y := make([]int32, len(rows)), make([]float64, len(rows))
	whole := p.compared()
	for k, i := range rows {
		of[k], y[k] = whole.Of()[i], p.y[i]
	}
	return y, pref.NewPartition(of, whole.Len())
}

// learnSVM trains for one λ. Where it is stopped there is a fit all the same.
func (a *app) learnSVM(t *trained, lambda float64) error {
	p := t.problem
	x, err := awaitFor(t.ctx, p.space)
	if err != nil {
		return err
	}
	t.doubt = p.doubt
	o := p.plan.svmOptions()
	o.Start = t.start
	meter := a.progress(fmt.Sprintf("%s, λ = %s", p.plan.solver, power(lambda)), 0)
	defer meter.End()
	o.Progress = func(s ranksvm.Progress) {
		meter.Set(int64(s.Iteration))
		meter.Describe(map[string]any{"objective": s.Objective, "gap": s.Gap, "planes": s.Planes, "left": s.Left},
			fmt.Sprintf("iteration %d, J %.6g, gap %.2g", s.Iteration, s.Objective, s.Gap))
	}
	solver, err := ranksvm.New(x, p.y, p.compared(), o)
	if err != nil {
		return svmError(err)
	}
	fit, err := solver.Train(t.ctx, lambda)
	if fit == nil || err != nil && fit.Iterations == 0 && t.start == nil {
		return err // nothing was learnt yet that is worth keeping
	}
	t.svm = fit
	t.fit = fitted{lambda: lambda, objective: fit.Objective, pairs: fit.Pairs, coef: p.liftWeights(column(fit.Weights))}
	what, hint := "", ""
	switch {
	case err == nil && fit.Converged || errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		what = "--time-limit " + p.plan.timeLimit.String()
	case fit.Iterations >= p.plan.iterations:
		what = "--max-iterations " + strconv.Itoa(p.plan.iterations)
	default:
		what, hint = "what rounding lets it reach", "scale the features (--normalize zscore), take a larger --epsilon, or --loss squared-hinge"
		if p.plan.loss == string(ranksvm.SquaredHinge) {
			hint = "scale the features (--normalize zscore), or take a larger --epsilon"
		}
	}
	return withHint(asNumerical(fmt.Errorf("stopped at %s: the objective %.6g may be %.2g above the optimum; the model is the best so far", what, fit.Objective, fit.Gap)), "%s", hint)
}

// liftWeights turns weights of space into those of the features, or coefficients
// of the basis rows.
func (p *trainProblem) liftWeights(w *data.Dense) *data.Dense {
	if !p.plan.mapped() {
		return w
	}
	coef := data.NewDense(p.lift.Rows, 1, nil)
	p.lift.MulVecTo(coef.Data, w.Data)
	return coef
}

// column is values as a matrix of one column.
func column(values []float64) *data.Dense {
	return &data.Dense{Rows: len(values), Cols: 1, Stride: 1, Data: values}
}

// svmError gives an error of making a solver its kind: what is not about the data
// is about the flags.
func svmError(err error) error {
	if errors.Is(err, pref.ErrNothingToLearn) {
		return err
	}
	return asUsage(err)
}

// startWeights are those of --warm-start, or nil.
func (a *app) startWeights(t *loaded) ([]float64, error) {
	path := t.problem.plan.warmStart
	if path == "" {
		return nil, nil
	}
	saved, err := a.readModel(path)
	if err != nil {
		return nil, err
	}
	_, n := t.problem.x.Dims()
	m, linear := saved.rows, (*model.Linear)(nil)
	if m != nil {
		linear, _ = m.Scorer.(*model.Linear)
	}
	if linear == nil || linear.Weights.Rows != 1 || linear.Weights.Cols > n {
		return nil, asData(fmt.Errorf("%s is not a linear model of one output and at most %d features, so training cannot start from it", path, n))
	}
	if names := t.set.Names; m.Names != nil && names != nil && !slices.Equal(m.Names, names[:len(m.Names)]) {
		return nil, asData(fmt.Errorf("%s has other features than the data, or in another order", path))
	}
	if (m.Normalizer == nil) != (t.norm == nil) || t.norm != nil && m.Normalizer.Kind != t.norm.Kind {
		a.note("%s was trained on features normalised in another way: its weights are a start, and no more", path)
	}
	start := make([]float64, n)
	copy(start, linear.Weights.Row(0))
	return start, nil
}

// retrainSVM is retrain for ranksvm.
func (p *trainProblem) retrainSVM(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error {
	x, err := p.space()
	if err != nil {
		return err
	}
	y, queries := p.comparedPart(train)
	held := data.Select(x, test)
	return p.pathSVM(ctx, data.Select(x, train), y, queries, lambdas, func(l int, weights *data.Dense) {
		f := multiply(held, weights)
		if constant := p.constant(); constant != nil {
			addConstant(f, p.liftWeights(weights), constant)
		}
		emit(l, f)
	})
}

// pathSVM trains ranksvm, from the largest λ down, with the planes or the weights
// of one λ as the start of the next, and then emits the weights of each.
func (p *trainProblem) pathSVM(ctx context.Context, x data.Matrix, y []float64, queries *pref.Partition, lambdas []float64, emit func(l int, weights *data.Dense)) error {
	solver, err := ranksvm.New(x, y, queries, p.plan.svmOptions())
	if err != nil {
		return svmError(err)
	}
	results := make([]*data.Dense, len(lambdas))
	for l := len(lambdas) - 1; l >= 0; l-- {
		fit, err := solver.Train(ctx, lambdas[l])
		if err != nil {
			return err
		}
		if !fit.Converged {
			*p.unconverged++
		}
		results[l] = column(fit.Weights)
	}
	for l, weights := range results {
		emit(l, weights)
	}
	return nil
}

// svmFormula is the objective of ranksvm on one line.
func (p *trainPlan) svmFormula() string {
	loss := "max(0, 1 - (f_i - f_j))"
	if p.loss == string(ranksvm.SquaredHinge) {
		loss += "^2"
	}
	mean, over := "mean", "pairs of a query with y_i > y_j"
	if p.pairs == "all" {
		over = "all pairs with y_i > y_j"
	}
	if p.goal.Weight == pref.Edges && p.pairs != "all" {
		mean = "mean over queries of the mean"
	}
	return mean + " " + loss + " + lambda |f|^2 over " + over
}

// planRounds reads the rounds of rankboost, which stand where other learners
// have values of λ.
func planRounds(p *trainPlan) error {
	for field := range strings.SplitSeq(p.rounds, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 || n > math.MaxInt32 {
			return usagef("--rounds is a whole number from 1 up, or a list of them, not %q", field)
		}
		p.lambdas = append(p.lambdas, float64(n))
	}
	slices.Sort(p.lambdas)
	if len(slices.Compact(slices.Clone(p.lambdas))) < len(p.lambdas) {
		return usagef("a number stands twice in --rounds %s", p.rounds)
	}
	p.single = len(p.lambdas) == 1
	return nil
}
