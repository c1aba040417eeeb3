package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
)

// chance is the permutation test of some sets, over all λ, and the control: the mean
// and standard deviation of each estimate at λ = 2^15 over shuffled labels; the mean of a fair estimate is ½.
func chance(ctx context.Context, s settings) (found experiment.Result, err error) {
	t := experiment.NewTable("set, linear kernel", "%s", "permutations with no less AUC", "%.0f", "of", "%.0f",
		"p", "%.2g",
		"shuffled labels, λ = 2^15: leave-pair-out", "%.3f", "±", "%.3f", "pairs of a fold", "%.3f", "±", "%.3f",
		"averaged", "%.3f", "±", "%.3f",
		"pooled", "%.3f", "±", "%.3f", "pooled, with a constant", "%.3f", "±", "%.3f")
	for _, c := range s.chosenSets() {
		if !c.chance {
			continue
		}
		set, err := c.load(ctx, s.dir)
		if err != nil {
			return found, err
		}
		row, err := c.chances(ctx, set, s)
		if err != nil {
			return found, fmt.Errorf("%s: %w", c.name, err)
		}
		t.Row(row...)
	}
	found.Add(t)
	return found, nil
}

// chances is the row of a set.
func (c collection) chances(ctx context.Context, set *data.Set, s settings) ([]any, error) {
	whole, err := standardised(set)
	if err != nil {
		return nil, err
	}
	list := data.OneList(len(set.Y))
	retarget := func(y []float64, v int) (*goals.Goal, error) { return goals.Scored(y, v, list, pref.Options{}) }
	goal, err := retarget(set.Y, 1)
	if err != nil {
		return nil, err
	}
	path, err := rls.Factor(ctx, basis(kernel.Linear{}, whole.X), goal)
	if err != nil {
		return nil, err
	}
	o := pairrank.EstimateOptions{Permutations: s.permutations, Intervals: cv.IntervalsNone}
	o.Lambdas, o.Method, o.Seed = lambdas, &leavePairOut, s.seed
	estimated, err := pairrank.Estimate(ctx, pairrank.Problem{Set: whole}, o)
	if err != nil {
		return nil, err
	}
	test := estimated.Permutation

	v := s.permutations
	y := shuffled(set.Y, v, s.seed)
	if goal, err = retarget(y, v); err != nil {
		return nil, err
	}
	auc, err := control(ctx, path.Retarget(goal), holdout.Labels{Y: y, Outputs: v, Queries: list}, s.seed)
	if err != nil {
		return nil, err
	}
	row := []any{c.name, test.Below, test.N, test.P}
	for _, of := range auc {
		mean, sd := experiment.Moments(of)
		row = append(row, mean, sd)
	}
	return row, nil
}

// control is the AUC of each output at λ = 2^15 by leave-pair-out, by the pairs of
// the rows of a fold, averaged over folds, pooled, and pooled
// with the constants of ridge regression.
func control(ctx context.Context, path *rls.Path, labels holdout.Labels, seed uint64) ([5][]float64, error) {
	var auc [5][]float64
	for k, method := range []cv.Method{leavePairOut, tenFold} {
		estimates, err := holdout.EstimatePath(ctx, path, labels,
			holdout.Options{Method: method, Candidates: []float64{controlLambda}, Seed: seed})
		if err != nil {
			return auc, err
		}
		for _, e := range estimates {
			auc[k] = append(auc[k], 1-e.Points[0].Error)
		}
	}
	splits, err := holdout.MethodSplits(tenFold, labels.Queries, seed)
	if err != nil {
		return auc, err
	}
	held, err := holdout.HeldOut(ctx, holdout.OfPath(path, nil).HoldOut, labels,
		holdout.Options{Method: tenFold, Seed: seed},
		controlLambda)
	if err != nil {
		return auc, err
	}
	m := held.Rows
	scores, y := make([]float64, m), make([]float64, m)
	for c := range labels.Outputs {
		for i := range m {
			scores[i], y[i] = held.Row(i)[c], labels.Y[i*labels.Outputs+c]
		}
		roc, err := cv.NewROC(scores, y)
		if err != nil {
			return auc, err
		}
		mean, _, _ := averaged(splits.Groups(), scores, y)
		auc[2], auc[3] = append(auc[2], mean), append(auc[3], roc.AUC)
		addConstants(splits.Groups(), scores, y)
		if roc, err = cv.NewROC(scores, y); err != nil {
			return auc, err
		}
		auc[4] = append(auc[4], roc.AUC)
	}
	return auc, nil
}

// addConstants adds to the scores of each fold the constant that regression of
// the other rows would have: the mean of their y − f. The features have mean 0
// over all rows, so that the sum of f = ⟨w,x⟩ over the other rows is that over
// the fold with the sign turned.
func addConstants(groups *data.Partition, scores, y []float64) {
	total := 0.0
	for _, label := range y {
		total += label
	}
	for g := range groups.Len() {
		rows := groups.Part(g)
		sum := total
		for _, i := range rows {
			sum += scores[i] - y[i]
		}
		for _, i := range rows {
			scores[i] += sum / float64(len(y)-len(rows))
		}
	}
}

// shuffled are v permutations of y, m×v.
func shuffled(y []float64, v int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 0x636f6e74726f6c))
	out := make([]float64, len(y)*v)
	for c := range v {
		for i, from := range r.Perm(len(y)) {
			out[i*v+c] = y[from]
		}
	}
	return out
}

// controlLambda is the largest λ, at which the constant weighs most.
const controlLambda = 1 << 15
