package main

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
	"pairrank/internal/parallel"
	"pairrank/kernel"
	"pairrank/pref"
)

// trial is one draw of the training documents.
type trial struct {
	x, rest  *data.CSR // of training, and all others
	y, truth []float64 // their labels, m×v, 1 and 0
	v        int       // topics
	k        *data.Dense
	list     *data.Partition
	folds    *holdout.Splits // ten, their predictions ranked together
	// The values of λ: the paper's, 2^-15 … 2^15, are of losses that are sums over pairs.
	// RankSVM's loss here is their mean, so that it has as many octaves lower down.
	sums, means []float64
	refused     int // draws before this one that had too few positive documents
}

// newTrial draws size documents to train on by a seed, which deals the folds, too.
// There are so many octaves from each λ to the next.
func newTrial(x *data.CSR, y []float64, v, size, octaves int, seed uint64) (*trial, error) {
	train, rest, refused := draw(y, v, size, leastPositive, seed)
	t := &trial{refused: refused, x: data.Select(x, train).(*data.CSR), rest: data.Select(x, rest).(*data.CSR),
		y: some(y, v, train), truth: some(y, v, rest), v: v, list: data.OneList(len(train))}
	t.k = kernel.Matrix(kernel.Linear{}, t.x, t.x)
	splits, err := holdout.MethodSplits(cv.Method{Kind: cv.KFold, Folds: 10}, t.list, seed)
	if err != nil {
		return nil, err
	}
	t.folds = splits.Together()
	t.sums, t.means = experiment.Powers(-15, 15, octaves), experiment.Powers(-23, 7, octaves)
	return t, nil
}

// reached is what a learner reaches for one topic: the λ that was chosen, the held-out
// AUC there, and that of the test documents.
type reached struct {
	lambda, held float64
	tested
}

// tested is the AUC of test documents with its 95 % interval.
type tested struct {
	auc       float64
	interval  cv.Interval
	positives int // of the documents
}

// newTested measures the AUC of scores of the test documents for topic k.
func (t *trial) newTested(scores []float64, k int) (tested, error) {
	roc, err := cv.NewROC(scores, column(t.truth, t.v, k))
	if err != nil {
		return tested{}, err
	}
	return tested{roc.AUC, roc.Interval, roc.Positives}, nil
}

// learner learns all topics of a trial.
type learner struct {
	name  string
	learn func(ctx context.Context, t *trial) ([]reached, error)
}

// The learners of tables 4 and 5, each with λ by the pooled folds, and regression of
// labels in other numbers.
var (
	rankRLS = learner{"RankRLS", func(ctx context.Context, t *trial) ([]reached, error) {
		goal, err := compared(t)
		if err != nil {
			return nil, err
		}
		return t.leastSquares(ctx, goal)
	}}
	signedRLS  = regression("RLS, labels ±1", signs)
	plainRLS   = regression("RLS, labels 0 and 1", asTheyAre)
	centredRLS = regression("RLS, labels of mean 0",
		func(y []float64, v int) { goals.Centre(data.OneList(len(y)/v), y, v) })
	rankSVM = learner{"RankSVM", func(ctx context.Context, t *trial) ([]reached, error) { return t.hinge(ctx) }}
)

// compared is the goal of RankRLS: all pairs, of equal labels, too, so that it is the same
// for all topics but for the labels.
func compared(t *trial) (*goals.Goal, error) { return goals.Scored(t.y, t.v, t.list, pref.Options{}) }

// signed is the goal of RLS with labels ±1.
func signed(t *trial) (*goals.Goal, error) {
	return goals.Regression(changed(t.y, t.v, signs), t.v), nil
}

// regression is RLS of changed labels. It has no intercept.
func regression(name string, change func(y []float64, v int)) learner {
	return learner{name, func(ctx context.Context, t *trial) ([]reached, error) {
		return t.leastSquares(ctx, goals.Regression(changed(t.y, t.v, change), t.v))
	}}
}

// changed is a copy of labels that was changed.
func changed(y []float64, v int, change func(y []float64, v int)) []float64 {
	y = append([]float64(nil), y...)
	change(y, v)
	return y
}

func asTheyAre([]float64, int) {}

// signs makes −1 of labels 0.
func signs(y []float64, _ int) {
	for i := range y {
		y[i] = 2*y[i] - 1
	}
}

// leastSquares learns all topics by one factorisation.
func (t *trial) leastSquares(ctx context.Context, goal *goals.Goal) ([]reached, error) {
	path, err := rls.Factor(ctx, rls.Dual(t.k), goal)
	if err != nil {
		return nil, err
	}
	estimates, err := holdout.EstimateFactored(ctx, holdout.OfPath(path, nil),
		holdout.Labels{Y: t.y, Outputs: t.v, Queries: t.list},
		holdout.Options{Splits: t.folds, Candidates: t.sums})
	if err != nil {
		return nil, err
	}
	return t.test(estimates,
		func(k int, lambda float64) ([]float64, error) { return t.weights(path.At(lambda), k), nil })
}

// weights are those of the words for a topic.
func (t *trial) weights(fit *rls.Fit, k int) []float64 {
	w := make([]float64, t.x.Cols)
	t.x.MulTransVecTo(w, column(fit.Coef.Data, t.v, k))
	return w
}

// score measures the AUC of weights of the words for topic k.
func (t *trial) score(w []float64, k int) (tested, error) {
	scores := make([]float64, t.rest.Rows)
	t.rest.MulVecTo(scores, w)
	return t.newTested(scores, k)
}

// test scores the test documents by the weights of each topic at the λ that was chosen.
func (t *trial) test(estimates []*cv.Estimate,
	weights func(k int, lambda float64) ([]float64, error)) ([]reached, error) {
	out := make([]reached, t.v)
	return out, eachTopic(t.v, func(k int) error {
		p := estimates[k].Points[estimates[k].Best]
		w, err := weights(k, p.Candidate)
		if err != nil {
			return err
		}
		out[k] = reached{lambda: p.Candidate, held: 1 - p.Error}
		out[k].tested, err = t.score(w, k)
		return err
	})
}

// eachTopic does something for every topic, on all cores.
func eachTopic(v int, do func(k int) error) error {
	errs := make([]error, v)
	parallel.For(v, func(_, k int) {
		if err := do(k); err != nil {
			errs[k] = fmt.Errorf("topic %d: %w", k+1, err)
		}
	})
	return errors.Join(errs...)
}

// hinge learns each topic by RankSVM, for every fold and λ again.
func (t *trial) hinge(ctx context.Context) ([]reached, error) {
	x := used(t.x)
	estimates := make([]*cv.Estimate, t.v)
	err := eachTopic(t.v, func(k int) error {
		y := column(t.y, t.v, k)
		trainer := holdout.Trainer(func(ctx context.Context, train, test []int, lambdas []float64,
			emit func(l int, f *data.Dense)) error {
			return hingeFold(ctx, data.Select(x.of, train), data.Select(x.of, test), some(y, 1, train), lambdas, emit)
		})
		e, err := holdout.Measure(ctx, trainer.Predict, holdout.Labels{Y: y, Queries: t.list},
			holdout.Options{Splits: t.folds, Candidates: t.means})
		if err == nil {
			estimates[k] = e[0]
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return t.test(estimates, func(k int, lambda float64) ([]float64, error) {
		svm, err := ranksvm.New(x.of, column(t.y, t.v, k), t.list, svmOptions)
		if err != nil {
			return nil, err
		}
		fit, err := svm.Train(ctx, lambda)
		if err != nil {
			return nil, err
		}
		return x.widen(fit.Weights), nil
	})
}

// hingeFold trains RankSVM on some documents and predicts others, for one λ after the
// other.
func hingeFold(ctx context.Context, x, held data.Matrix, y, lambdas []float64, emit func(l int, f *data.Dense)) error {
	h, _ := held.Dims()
	svm, err := ranksvm.New(x, y, data.OneList(len(y)), svmOptions)
	if errors.Is(err, goals.ErrNothingToLearn) { // all positive documents are held out: f = 0, as of least squares
		for l := range lambdas {
			emit(l, data.NewDense(h, 1, nil))
		}
		return nil
	}
	if err != nil {
		return err
	}
	for l, lambda := range lambdas {
		fit, err := svm.Train(ctx, lambda)
		if err != nil {
			return err
		}
		f := data.NewDense(h, 1, nil)
		held.MulVecTo(f.Data, fit.Weights)
		emit(l, f)
	}
	return nil
}

// columns are those features that some row has.
type columns struct {
	of   data.Matrix
	from []int // their numbers
	n    int   // of all features
}

// used leaves out the features that no row has, whose weight is 0.
func used(x *data.CSR) columns {
	has := make([]bool, x.Cols)
	for i := range x.Rows {
		cols, _ := x.Row(i)
		for _, j := range cols {
			has[j] = true
		}
	}
	c := columns{n: x.Cols}
	for j, some := range has {
		if some {
			c.from = append(c.from, j)
		}
	}
	c.of = data.SelectColumns(x, c.from)
	return c
}

// widen gives weights of the columns their places among all.
func (c columns) widen(w []float64) []float64 {
	out := make([]float64, c.n)
	for a, j := range c.from {
		out[j] = w[a]
	}
	return out
}

// column is column k of labels, m×v.
func column(y []float64, v, k int) []float64 {
	out := make([]float64, 0, len(y)/v)
	for i := k; i < len(y); i += v {
		out = append(out, y[i])
	}
	return out
}

// svmOptions end a training nearer to the optimum than by default: at the largest λ
// the objective falls by less than 1e-3 from w = 0.
var svmOptions = ranksvm.Options{Epsilon: 1e-4}

// As in the paper: 500 documents to train on. Each of its topics has two positive
// ones among them, or more.
const (
	trainingSize  = 500
	leastPositive = 2
)
