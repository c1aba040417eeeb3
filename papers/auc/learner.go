package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/learn/rls"
	"pairrank/papers/experiment"
	"pairrank/pref"
)

// learner is a family of kernels to choose from, for n features.
type learner struct {
	name    string
	kernels func(n int) []kernel.Kernel
}

var learners = []learner{
	{"linear", func(int) []kernel.Kernel { return []kernel.Kernel{kernel.Linear{}} }},
	{"Gaussian", func(n int) (grid []kernel.Kernel) {
		for e := -10; e <= 4; e += 2 {
			grid = append(grid, kernel.Gaussian{Gamma: math.Ldexp(1, e) / float64(n)})
		}
		return grid
	}},
}

// lambdas are 2^-15 … 2^15.
var lambdas = experiment.Powers(-15, 15, 1)

var leavePairOut = cv.Method{Kind: cv.LeavePairOut}

// choice is the kernel and λ of the least leave-pair-out error.
type choice struct {
	kernel   kernel.Kernel
	features int
	path     *rls.Path
	point    cv.Point
}

// String is λ and, of a Gaussian kernel, γ times the number of features.
func (c *choice) String() string {
	text := fmt.Sprintf("λ 2^%d", math.Ilogb(c.point.Candidate))
	if g, ok := c.kernel.(kernel.Gaussian); ok {
		text += fmt.Sprintf(", γ 2^%.0f/%d", math.Log2(g.Gamma*float64(c.features)), c.features)
	}
	return text
}

// choose tries every kernel and λ; among equals the first kernel, that with the
// least γ, and the largest λ.
func (l learner) choose(ctx context.Context, set *data.Set) (*choice, error) {
	goal, err := pref.Scored(set.Y, 1, data.OneList(len(set.Y)), pref.Options{})
	if err != nil {
		return nil, err
	}
	labels := cv.Labels{Y: set.Y, Queries: data.OneList(len(set.Y))}
	_, n := set.X.Dims()
	var best *choice
	for _, k := range l.kernels(n) {
		path, err := rls.Factor(ctx, basis(k, set.X), goal)
		if err != nil {
			return nil, err
		}
		estimates, err := cv.EstimatePath(ctx, path, labels, cv.Options{Method: leavePairOut, Candidates: lambdas})
		if err != nil {
			return nil, err
		}
		point := estimates[0].Points[estimates[0].Best]
		if best == nil || point.Error < best.point.Error {
			best = &choice{kernel: k, features: n, path: path, point: point}
		}
	}
	return best, nil
}

// basis is primal for the linear kernel with no more features than rows.
func basis(k kernel.Kernel, x data.Matrix) *rls.Basis {
	if m, n := x.Dims(); k == (kernel.Linear{}) && n <= m {
		return rls.Primal(x)
	}
	return rls.Dual(kernel.Matrix(k, x, x))
}

// predict trains with the choice on the rows it was made on, train, and scores
// those of test.
func (c *choice) predict(train, test data.Matrix) []float64 {
	m, _ := test.Dims()
	scores := make([]float64, m)
	weights := c.path.At(c.point.Candidate).Coef
	if rows, n := train.Dims(); c.kernel == (kernel.Linear{}) && n <= rows {
		test.MulVecTo(scores, weights.Data)
	} else {
		kernel.Matrix(c.kernel, test, train).MulVecTo(scores, weights.Data)
	}
	return scores
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
func (l learner) nested(ctx context.Context, set *data.Set, seed uint64) (*outer, error) {
	out := &outer{}
	scores := make([]float64, len(set.Y))
	choose := func(ctx context.Context, train, test []int) (*data.Dense, error) {
		norm, err := data.FitNormalizer(data.NormalizeZScore, set.Subset(train))
		if err != nil {
			return nil, err
		}
		known, unseen := set.Subset(train), set.Subset(test)
		if err := errors.Join(norm.Apply(known), norm.Apply(unseen)); err != nil {
			return nil, err
		}
		c, err := l.choose(ctx, known)
		if err != nil {
			return nil, err
		}
		f := c.predict(known.X, unseen.X)
		for a, i := range test {
			scores[i] = f[a]
		}
		return data.NewDense(len(f), 1, f), nil
	}
	queries := data.OneList(len(set.Y))
	var err error
	out.pairs, err = cv.Nested(ctx, choose, cv.Labels{Y: set.Y, Queries: queries}, cv.Options{Method: tenFold, Seed: seed})
	if err != nil {
		return nil, err
	}
	splits, err := tenFold.Splits(queries, seed)
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
