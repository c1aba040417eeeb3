package main

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/learn/rankboost"
	"pairrank/pref"
)

// learnBoost boosts stumps for so many rounds. Where it is stopped there is a fit
// all the same.
func (a *app) learnBoost(t *trained, rounds int) error {
	p := t.problem
	meter := a.progress("boosting", int64(rounds))
	defer meter.End()
	fit, err := rankboost.Train(t.ctx, p.x, p.y, p.compared(), rankboost.Options{
		Rounds: rounds, Weight: p.plan.goal.Weight,
		Progress: func(round int, loss float64) {
			meter.Set(int64(round))
			meter.Describe(map[string]any{"loss": loss}, fmt.Sprintf("loss %.4g", loss))
		},
	})
	if fit == nil || err != nil && len(fit.Loss) == 0 {
		return err
	}
	t.boost = fit
	t.fit = fitted{objective: 1, pairs: fit.Pairs}
	if n := len(fit.Loss); n > 0 {
		t.fit.objective = fit.Loss[n-1]
	}
	return err
}

// retrainBoost is retrain for rankboost.
func (p *trainProblem) retrainBoost(ctx context.Context, train, test []int, rounds []float64, emit func(l int, f *data.Dense)) error {
	y, queries := p.comparedPart(train)
	return p.pathBoost(ctx, data.Select(p.x, train), y, queries, data.Select(p.x, test), rounds, emit)
}

// pathBoost boosts once for the most rounds, whose first rounds are the trainings
// of fewer, and predicts the rows held.
func (p *trainProblem) pathBoost(ctx context.Context, x data.Matrix, y []float64, queries *pref.Partition, held data.Matrix, rounds []float64, emit func(l int, f *data.Dense)) error {
	fit, err := rankboost.Train(ctx, x, y, queries, rankboost.Options{Rounds: int(largest(rounds)), Weight: p.plan.goal.Weight})
	if err != nil {
		return err
	}
	m, _ := held.Dims()
	scores := data.NewDense(m, 1, nil)
	done := 0
	for l, r := range rounds {
		next := min(int(r), len(fit.Stumps.Terms))
		fit.Stumps.Part(done, next).AddTo(scores.Data, held)
		done = next
		emit(l, clone(scores))
	}
	return nil
}

// boostFormula is the objective of rankboost on one line.
func (p *trainPlan) boostFormula() string {
	over := "pairs of a query with y_i > y_j"
	if p.pairs == "all" {
		over = "all pairs with y_i > y_j"
	}
	mean := "mean"
	switch {
	case p.pairs == "all":
	case p.goal.Weight == pref.Edges:
		mean = "mean over queries of the mean"
	case p.goal.Weight == pref.Size:
		mean = "mean, weighted by 1/m_q,"
	}
	return mean + " exp(f_j - f_i) over " + over + ", f a sum of stumps"
}
