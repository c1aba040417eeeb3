package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/model"
)

// patients are those of a study, half of them with label 1. Their features are standard normal, and the first is
// shifted by strength where the label is 1, so that weights w have the AUC Φ(strength·w₁/(√2‖w‖)).
type patients struct {
	rows, features int
	strength       float64
	// repeats is the number of rows of each patient, which share half of the variance of each feature, and leave
	// together; 0 is one row.
	repeats int
	cost    int // simulations are so many times fewer; 0 is 1
}

// populationHead are the heads of the columns about a population and its simulations.
const populationHead = "rows | features | best AUC | simulations | "

func (p patients) costs() int { return p.cost }

// auc is that of weights.
func (p patients) auc(w []float64) float64 { return normal(p.strength * w[0] / (math.Sqrt2 * norm(w))) }

// set draws the rows of so many patients, with the two labels in turn.
func (p patients) set(rng *rand.Rand, count int) *data.Set {
	if p.repeats > 1 {
		return grouped{patients: count, rows: p.repeats, features: p.features, share: 0.5, strength: p.strength}.set(rng)
	}
	x, y := data.NewDense(count, p.features, nil), make([]float64, count)
	for i := range count {
		for j := range p.features {
			x.Row(i)[j] = rng.NormFloat64()
		}
		y[i] = float64(i % 2)
		x.Row(i)[0] += p.strength * y[i]
	}
	return &data.Set{X: x, Y: y, Queries: data.OneList(count)}
}

// options are those of an estimate with everything that has an interval.
func (p patients) options() pairrank.EstimateOptions {
	nested := &cv.Method{Kind: cv.LeavePairOut}
	if p.repeats > 1 {
		nested = &cv.Method{Kind: cv.KFold, Folds: 10} // groups leave in folds
	}
	return pairrank.EstimateOptions{Options: procedure, Nested: nested, Intervals: cv.IntervalsHalves}
}

// size names the rows of a study.
func (p patients) size() string {
	if p.repeats > 1 {
		return fmt.Sprintf("%d × %d", p.rows, p.repeats)
	}
	return fmt.Sprint(p.rows)
}

// nests are the populations of the section on nested leave-pair-out.
var nests = []patients{
	{rows: 40, features: 5}, {rows: 40, features: 5, strength: 0.7416}, {rows: 40, features: 5, strength: 2.3262},
	{rows: 40, features: 500}, {rows: 40, features: 500, strength: 0.7416}, {rows: 40, features: 500, strength: 2.3262},
	{rows: 80, features: 5}, {rows: 80, features: 5, strength: 0.7416}, {rows: 80, features: 5, strength: 2.3262},
	{rows: 80, features: 500}, {rows: 80, features: 500, strength: 0.7416}, {rows: 80, features: 500, strength: 2.3262},
	{rows: 200, features: 5, cost: 20}, {rows: 200, features: 5, strength: 0.7416, cost: 20},
	{rows: 200, features: 5, strength: 2.3262, cost: 20}, {rows: 200, features: 500, cost: 20},
	{rows: 200, features: 500, strength: 0.7416, cost: 20}, {rows: 200, features: 500, strength: 2.3262, cost: 20},
	{rows: 40, features: 5, strength: 0.7416, repeats: 3, cost: 10},
	{rows: 40, features: 500, strength: 2.3262, repeats: 3, cost: 10},
}

// nestLambdas are the λ that a training chooses from, from hardly any to much more than the largest eigenvalue. The
// default grid has four times as many of the same range.
var nestLambdas = experiment.Powers(2, 18, 2)

// procedure is training with a choice of λ by leave-pair-out.
var procedure = pairrank.Options{Lambdas: nestLambdas, Seed: 1}

// again is the number of trainings for each simulated study whose mean AUC is the truth.
const again = 5

// nestResult is what one study says: areas under the curve, and the mean AUC of models that the procedure trained on
// other studies of two patients fewer.
type nestResult struct {
	best, nested, truth float64
	halves, given       cv.Interval
}

// draw simulates a study.
func (p patients) draw(ctx context.Context, rng *rand.Rand) (out nestResult, err error) {
	o := p.options()
	e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: p.set(rng, p.rows)}, o)
	if err != nil {
		return out, err
	}
	n := e.Nested
	out.best, out.nested = 1-e.Choice.Error, 1-n.Error
	if n.Halves != nil {
		out.halves = n.Interval.Complement()
	}
	if n.StdErr.Defined {
		out.given.Lo, out.given.Hi, out.given.Defined = cv.AUCInterval(out.nested, n.StdErr.Value)
	}
	out.truth, err = p.truth(ctx, rng)
	return out, err
}

// plain simulates a study without a nest: nested and its intervals are of the best λ, too.
func (p patients) plain(ctx context.Context, rng *rand.Rand) (out nestResult, err error) {
	o := p.options()
	o.Nested = nil
	e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: p.set(rng, p.rows)}, o)
	if err != nil {
		return out, err
	}
	out.best = 1 - e.Choice.Error
	out.nested, out.halves = out.best, e.Interval(0).Complement()
	if s := e.Choice.BestPoint(0, nil).StdErr; s.Defined {
		out.given.Lo, out.given.Hi, out.given.Defined = cv.AUCInterval(out.best, s.Value)
	}
	out.truth, err = p.truth(ctx, rng)
	return out, err
}

// truth is the mean AUC of the procedure on other patients, two fewer.
func (p patients) truth(ctx context.Context, rng *rand.Rand) (auc float64, err error) {
	for range again {
		t, err := pairrank.Train(ctx, pairrank.Problem{Set: p.set(rng, p.rows-2)}, procedure)
		if err != nil {
			return 0, err
		}
		auc += p.auc(t.Model.Scorer.(*model.Linear).Weights.Row(0)) / again
	}
	return auc, nil
}

// plainTable is the section on the interval of the AUC of the best λ.
func plainTable(ctx context.Context, s settings) (string, error) {
	return tableOf(ctx, s, s.contrasts, 500, populationHead+"AUC of the procedure | mean of the best λ | "+
		"coverage in %: printed, *DeLong* | width: printed, *DeLong*, ideal | no interval: printed, *DeLong*",
		patients.costs, patients.plain, patients.row)
}

// nestTable is the section on the interval of nested leave-pair-out.
func nestTable(ctx context.Context, s settings) (string, error) {
	return tableOf(ctx, s, s.nests, 300, populationHead+"AUC of the procedure | mean of nested, of the best λ | "+
		"coverage in %: printed, *DeLong* | width: printed, *DeLong*, ideal | no interval: printed, *DeLong*",
		patients.costs, patients.draw, patients.row)
}

// row is a line of the table. The ideal width is that of the middle 95 % of the estimates.
func (p patients) row(results []nestResult) string {
	n := float64(len(results))
	var best, nested, truth float64
	var estimates []float64
	for _, r := range results {
		best, nested, truth = best+r.best/n, nested+r.nested/n, truth+r.truth/n
		estimates = append(estimates, r.nested)
	}
	slices.Sort(estimates)
	low, high := percentile(estimates)
	coverage, width, none := coverageOf(results, truth, func(r nestResult) cv.Interval { return r.halves })
	givenCoverage, givenWidth, givenNone := coverageOf(results, truth, func(r nestResult) cv.Interval { return r.given })
	means := fmt.Sprintf("%.3f, %.3f", nested, best)
	if nested == best { // without a nest
		means = fmt.Sprintf("%.3f", best)
	}
	return fmt.Sprintf("| %s | %d | %.2f | %d | %.3f | %s | **%s**, *%s* | %s, *%s*, %.2f | %d, *%d* |\n", p.size(),
		p.features, normal(p.strength/math.Sqrt2), len(results), truth, means, coverage, givenCoverage, width, givenWidth,
		high-low, none, givenNone)
}

// coverageOf is the share of the intervals that hold the truth, their mean width, and how many results have none.
func coverageOf[T any](results []T, truth float64, pick func(T) cv.Interval) (coverage, width string, none int) {
	var held []bool
	wide := 0.0
	for _, r := range results {
		i := pick(r)
		if !i.Defined {
			none++
			continue
		}
		held = append(held, i.Lo <= truth && truth <= i.Hi)
		wide += i.Hi - i.Lo
	}
	if len(held) == 0 {
		return "–", "–", none
	}
	return share(held), fmt.Sprintf("%.2f", wide/float64(len(held))), none
}
