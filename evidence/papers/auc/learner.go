package main

import (
	"context"
	"fmt"
	"math"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
)

// lambdas are 2^-15 … 2^15.
var lambdas = experiment.Powers(-15, 15, 1)

var leavePairOut = cv.Method{Kind: cv.LeavePairOut}

// learners choose a kernel and λ by leaving every pair out, for n features, which the rows of training scale to mean 0
// and variance 1.
func learners(n int) []study.Learner {
	var gaussians []kernel.Kernel
	for e := -10; e <= 4; e += 2 {
		gaussians = append(gaussians, kernel.Gaussian{Gamma: math.Ldexp(1, e) / float64(n)})
	}
	choosing := func(kernels ...kernel.Kernel) []pairrank.Options {
		return []pairrank.Options{{Kernels: kernels, Lambdas: lambdas, Method: &leavePairOut,
			Normalize: data.NormalizeZScore}}
	}
	return []study.Learner{
		{Name: "linear", Options: choosing(kernel.Linear{})},
		{Name: gaussian, Options: choosing(gaussians...)},
	}
}

const gaussian = "Gaussian"

// describe is the λ that was chosen and, of a Gaussian kernel, γ times the number of features.
func describe(c cv.Choice, features int) string {
	text := fmt.Sprintf("λ 2^%d", math.Ilogb(c.Lambda))
	if g, ok := c.Kernel.(kernel.Gaussian); ok {
		text += fmt.Sprintf(", γ 2^%.0f/%d", math.Log2(g.Gamma*float64(features)), features)
	}
	return text
}

// basis is primal for the linear kernel with no more features than rows.
func basis(k kernel.Kernel, x data.Matrix) *rls.Basis {
	if m, n := x.Dims(); k == (kernel.Linear{}) && n <= m {
		return rls.Primal(x)
	}
	return rls.Dual(kernel.Matrix(k, x, x))
}

// standardised is a copy of a set with features of mean 0 and variance 1.
func standardised(set *data.Set) (*data.Set, error) {
	norm, err := data.FitNormalizer(data.NormalizeZScore, set)
	if err != nil {
		return nil, err
	}
	rows := make([]int, len(set.Y))
	for i := range rows {
		rows[i] = i
	}
	out := set.Subset(rows)
	return out, norm.Apply(out)
}

// outer is what ten outer folds say of a learner with its choices.
type outer struct {
	pairs    cv.Point // of the pairs of rows of one fold, whatever the fold
	averaged float64  // the mean of the AUC of the folds that have both labels
	spread   float64  // the standard error of that mean, over the folds
	pooled   float64  // the AUC of all rows in one ranking
}

var tenFold = cv.Method{Kind: cv.KFold, Folds: 10}

// nested predicts each outer fold by choosing and training on the other rows,
// which alone give the means and variances of the features.
func nested(ctx context.Context, l study.Learner, set *data.Set, seed uint64) (*outer, error) {
	out := &outer{}
	scores := make([]float64, len(set.Y))
	choose := func(ctx context.Context, train, test []int) (*data.Dense, error) {
		split := study.Split{Test: set.Subset(test)}
		split.Set = set.Subset(train)
		t, err := l.Train(ctx, split)
		if err != nil {
			return nil, err
		}
		for a, i := range test {
			scores[i] = t.Scores[a]
		}
		return data.NewDense(len(test), 1, t.Scores), nil
	}
	queries := data.OneList(len(set.Y))
	var err error
	out.pairs, err = holdout.Nested(ctx, choose, holdout.Labels{Y: set.Y, Queries: queries},
		holdout.Options{Method: tenFold, Seed: seed})
	if err != nil {
		return nil, err
	}
	splits, err := holdout.MethodSplits(tenFold, queries, seed)
	if err != nil {
		return nil, err
	}
	out.averaged, out.spread, _ = averaged(splits.Groups(), scores, set.Y)
	roc, err := cv.NewROC(scores, set.Y)
	if err != nil {
		return nil, err
	}
	out.pooled = roc.AUC
	return out, nil
}

// averaged is the mean of the AUC of the folds that have both labels, with its
// standard error, and the part of their pairs that is ordered as the labels are. NaN
// where no fold has both.
func averaged(groups *data.Partition, scores, y []float64) (mean, stderr, ordered float64) {
	var sum, squares, n, right, pairs float64
	for g := range groups.Len() {
		var s, labels []float64
		for _, i := range groups.Part(g) {
			s, labels = append(s, scores[i]), append(labels, y[i])
		}
		roc, err := cv.NewROC(s, labels)
		if err != nil {
			continue // one label: no AUC
		}
		sum, squares, n = sum+roc.AUC, squares+roc.AUC*roc.AUC, n+1
		both := float64(positives(labels) * (len(labels) - positives(labels)))
		right, pairs = right+roc.AUC*both, pairs+both
	}
	mean = sum / n
	return mean, math.Sqrt(max(0, squares-n*mean*mean) / (n - 1) / n), right / pairs
}
