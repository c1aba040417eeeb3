package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/model"
	"pairrank/papers/experiment"
)

// patients are rows of a study, half of them with label 1. Their features are standard normal, and the first is shifted
// by strength where the label is 1, so that weights w have the AUC Φ(strength·w₁/(√2‖w‖)).
type patients struct {
	rows, features int
	strength       float64
}

// auc is that of weights.
func (p patients) auc(w []float64) float64 { return normal(p.strength * w[0] / (math.Sqrt2 * norm(w))) }

// set draws so many patients, with the two labels in turn.
func (p patients) set(rng *rand.Rand, rows int) *data.Set {
	x, y := data.NewDense(rows, p.features, nil), make([]float64, rows)
	for i := range rows {
		for j := range p.features {
			x.Row(i)[j] = rng.NormFloat64()
		}
		y[i] = float64(i % 2)
		x.Row(i)[0] += p.strength * y[i]
	}
	return &data.Set{X: x, Y: y, Queries: data.OneList(rows)}
}

// nests are the populations of the section on nested leave-pair-out.
var nests = []patients{
	{40, 5, 0}, {40, 5, 0.7416}, {40, 5, 2.3262}, {40, 500, 0}, {40, 500, 0.7416}, {40, 500, 2.3262},
	{80, 5, 0}, {80, 5, 0.7416}, {80, 5, 2.3262}, {80, 500, 0}, {80, 500, 0.7416}, {80, 500, 2.3262},
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
	e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: p.set(rng, p.rows)}, pairrank.EstimateOptions{
		Options: procedure, Nested: &cv.Method{Kind: cv.LeavePairOut}, Intervals: cv.IntervalsHalves})
	if err != nil {
		return out, err
	}
	n := e.Nested
	out.best, out.nested = 1-e.Choice.Error, 1-n.Error
	if n.Halved && n.Interval.Defined {
		out.halves = cv.Interval{Lo: 1 - n.Interval.Hi, Hi: 1 - n.Interval.Lo, Defined: true}
	}
	if lo, hi, ok := cv.AUCInterval(out.nested, n.StdErr.Value); ok && n.StdErr.Defined {
		out.given = cv.Interval{Lo: lo, Hi: hi, Defined: true}
	}
	for range again {
		t, err := pairrank.Train(ctx, pairrank.Problem{Set: p.set(rng, p.rows-2)}, procedure)
		if err != nil {
			return out, err
		}
		out.truth += p.auc(t.Model.Scorer.(*model.Linear).Weights.Row(0)) / again
	}
	return out, nil
}

// nestTable is the section on the interval of nested leave-pair-out.
func nestTable(ctx context.Context, s settings) (string, error) {
	var b strings.Builder
	b.WriteString("| rows | features | best AUC | simulations | AUC of the procedure | mean of nested, of the best λ | " +
		"coverage in %: printed, *DeLong* | width: printed, *DeLong*, ideal | no interval: printed, *DeLong* |\n")
	b.WriteString(strings.Repeat("|---", 9) + "|\n")
	for cell, p := range s.nests {
		results, failed := make([]nestResult, s.simulations), make([]error, s.simulations)
		err := simulate(ctx, s, uint64(300+cell),
			func(k int, rng *rand.Rand) { results[k], failed[k] = p.draw(ctx, rng) })
		if i := slices.IndexFunc(failed, func(err error) bool { return err != nil }); err == nil && i >= 0 {
			err = failed[i]
		}
		if err != nil {
			return "", err
		}
		row := p.row(results)
		b.WriteString(row)
		fmt.Fprint(os.Stderr, row)
	}
	return b.String(), nil
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
	of := func(pick func(nestResult) cv.Interval) (coverage, width string, none int) {
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
	coverage, width, none := of(func(r nestResult) cv.Interval { return r.halves })
	givenCoverage, givenWidth, givenNone := of(func(r nestResult) cv.Interval { return r.given })
	return fmt.Sprintf("| %d | %d | %.2f | %d | %.3f | %.3f, %.3f | **%s**, *%s* | %s, *%s*, %.2f | %d, *%d* |\n", p.rows,
		p.features, normal(p.strength/math.Sqrt2), len(results), truth, nested, best, coverage, givenCoverage, width,
		givenWidth, high-low, none, givenNone)
}
