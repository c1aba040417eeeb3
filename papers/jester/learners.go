package main

import (
	"context"
	"errors"
	"slices"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
	"pairrank/learn/rls"
	"pairrank/papers/experiment"
	"pairrank/pref"
)

// training trains on the kernel matrix k of some jokes and their ratings y, for each λ. It emits
// scores of the jokes whose kernel values with them are the rows of cross. It may destroy both
// matrices.
type training func(ctx context.Context, k, cross *data.Dense, y, lambdas []float64,
	emit func(l int, scores []float64) error) error

// learner is a row of the table. It is not one of package study: one kernel matrix of the jokes
// serves all users, and the entrance takes no rows for validation with a kernel matrix.
type learner struct {
	name    string
	paper   [4]float64 // table 6, by band; 0 is not in the paper
	lambdas []float64
	learn   training
}

// The values of λ of the paper, 2^-15 … 2^15, are of losses that are sums over pairs.
// RankSVM's loss here is their mean, over some 2^9 pairs of a user: the lowest octaves,
// where a training takes longest, are left out.
var sums, means = experiment.Powers(-15, 15, 1), experiment.Powers(-15, 5, 1)

// learners are the rows of table 6; then what its text tells of, that pairs with equal
// ratings change nothing, and (22) with weights 1/y instead of 1/y².
var learners = []learner{
	{"RankRLS (20)", [4]float64{0.413, 0.400, 0.378, 0.371}, sums, squares(pref.Options{Cost: pref.Unit})},
	{"RankRLS (21)", [4]float64{0.413, 0.400, 0.379, 0.371}, sums, squares(pref.Options{Ties: pref.ExcludeTies})},
	{"RankRLS (22)", [4]float64{0.445, 0.426, 0.388, 0.379}, sums, squares(pref.Options{Cost: pref.Relative})},
	{rankSVM, [4]float64{0.413, 0.400, 0.378, 0.371}, means, hinge},
	{"RLS regressor", [4]float64{0.414, 0.401, 0.378, 0.371}, sums, regression},
	{"RankRLS (21), tied pairs, too", [4]float64{}, sums, squares(pref.Options{})},
	{"RankRLS (22), weights 1/y", [4]float64{}, sums, inverse},
}

// rankSVM is the name of the one that does not learn by least squares.
const rankSVM = "RankSVM"

// leastSquares are the learners without RankSVM.
func leastSquares() []learner {
	return slices.DeleteFunc(slices.Clone(learners), func(l learner) bool { return l.name == rankSVM })
}

// squares is RankRLS, from one factorisation for all λ.
func squares(o pref.Options) training {
	return func(ctx context.Context, k, cross *data.Dense, y, lambdas []float64,
		emit func(int, []float64) error) error {
		goal, err := pref.Scored(y, 1, data.OneList(len(y)), o)
		if err != nil {
			return err
		}
		return path(ctx, k, cross, goal, lambdas, emit)
	}
}

// inverse is RankRLS with the ratings' differences y as targets, which weigh 1/y.
func inverse(ctx context.Context, k, cross *data.Dense, y, lambdas []float64, emit func(int, []float64) error) error {
	var pairs []pref.Edge
	for i := range y {
		for j := range y {
			if d := y[i] - y[j]; d > 0 {
				pairs = append(pairs, pref.Edge{I: i, J: j, Magnitude: d, Weight: 1 / d})
			}
		}
	}
	goal, err := pref.Preferences(len(y), pairs, pref.Magnitude)
	if err != nil {
		return err
	}
	return path(ctx, k, cross, goal, lambdas, emit)
}

// regression is regularised least squares of the ratings less their mean.
func regression(ctx context.Context, k, cross *data.Dense, y, lambdas []float64,
	emit func(int, []float64) error) error {
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	centred := make([]float64, len(y))
	for i, v := range y {
		centred[i] = v - mean
	}
	return path(ctx, k, cross, pref.Regression(centred, 1), lambdas, emit)
}

func path(ctx context.Context, k, cross *data.Dense, goal *pref.Goal, lambdas []float64,
	emit func(int, []float64) error) error {
	factored, err := rls.Factor(ctx, rls.Dual(k), goal)
	if err != nil {
		return err
	}
	scores := make([]float64, cross.Rows)
	for l, lambda := range lambdas {
		cross.MulVecTo(scores, factored.At(lambda).Coef.Data)
		if err := emit(l, scores); err != nil {
			return err
		}
	}
	return nil
}

// hinge is RankSVM through the kernel map of the jokes, from the largest λ down, each
// from the planes of the last.
func hinge(ctx context.Context, k, cross *data.Dense, y, lambdas []float64, emit func(int, []float64) error) error {
	m := kernel.NewMap(k)
	known, unseen := m.Rows(k), m.Rows(cross)
	solver, err := ranksvm.New(known, y, data.OneList(len(y)), ranksvm.Options{})
	if err != nil {
		return err
	}
	scores := make([]float64, cross.Rows)
	for l := len(lambdas) - 1; l >= 0; l-- {
		fit, err := solver.Train(ctx, lambdas[l])
		if err != nil {
			return err
		}
		if !fit.Converged {
			return errors.New("RankSVM stopped before the optimum")
		}
		unseen.MulVecTo(scores, fit.Weights)
		if err := emit(l, scores); err != nil {
			return err
		}
	}
	return nil
}
