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
	"pairrank/internal/student"
	"pairrank/model"
)

// fewLambdas are those that both procedures choose from.
var fewLambdas = experiment.Powers(2, 18, 8)

// contrasts are the populations of the section on differences of two procedures. The other procedure has as many more
// features that say nothing.
var contrasts = []patients{
	{rows: 40, features: 5}, {rows: 40, features: 5, strength: 0.7416}, {rows: 40, features: 5, strength: 2.3262},
	{rows: 40, features: 500}, {rows: 40, features: 500, strength: 0.7416}, {rows: 40, features: 500, strength: 2.3262},
	{rows: 80, features: 5}, {rows: 80, features: 5, strength: 0.7416}, {rows: 80, features: 5, strength: 2.3262},
	{rows: 80, features: 500}, {rows: 80, features: 500, strength: 0.7416}, {rows: 80, features: 500, strength: 2.3262},
	{rows: 200, features: 5, cost: 2}, {rows: 200, features: 5, strength: 0.7416, cost: 2},
	{rows: 200, features: 5, strength: 2.3262, cost: 2}, {rows: 200, features: 500, cost: 4},
	{rows: 200, features: 500, strength: 0.7416, cost: 4}, {rows: 200, features: 500, strength: 2.3262, cost: 4},
	{rows: 40, features: 5, strength: 0.7416, repeats: 3, cost: 4},
	{rows: 40, features: 500, strength: 2.3262, repeats: 3, cost: 4},
}

// contrast is what one study says of two procedures: the differences of their areas, one by the best λ and one nested,
// with their intervals, and the difference of two models trained on other patients, two fewer.
type contrast struct {
	best, nested, truth float64
	printed, whole      cv.Interval // by half-samples, of best and of nested
	given               cv.Interval // of best by DeLong
}

// widened is a set with as many features more, which say nothing. Rows of a patient share nothing of them.
func widened(set *data.Set, rng *rand.Rand) *data.Set {
	x := set.X.(*data.Dense)
	wide := data.NewDense(x.Rows, 2*x.Cols, nil)
	for i := range x.Rows {
		for j := range x.Cols {
			wide.Row(i)[x.Cols+j] = rng.NormFloat64()
		}
		copy(wide.Row(i), x.Row(i))
	}
	other := *set
	other.X = wide
	return &other
}

// contrasted simulates a study.
func (p patients) contrasted(ctx context.Context, rng *rand.Rand) (out contrast, err error) {
	o, set := p.options(), p.set(rng, p.rows)
	o.Lambdas = fewLambdas
	if p.rows >= 80 || p.repeats > 1 {
		o.Nested = nil // twice the nest takes too long
	}
	var both [2]*pairrank.Estimated
	for k, set := range []*data.Set{set, widened(set, rng)} {
		if both[k], err = pairrank.Estimate(ctx, pairrank.Problem{Set: set}, o); err != nil {
			return out, err
		}
	}
	d, nested, err := both[0].Against(both[1], 0)
	if err != nil {
		return out, err
	}
	out.best, out.printed, out.nested = -d.Error, mirrored(d.Interval), math.NaN()
	if nested != nil {
		out.nested, out.whole = -nested.Error, mirrored(nested.Interval)
	}
	if out.given, err = deLongOf(ctx, both, -d.Error); err != nil {
		return out, err
	}
	other := p.set(rng, p.rows-2)
	for k, set := range []*data.Set{other, widened(other, rng)} {
		t, err := pairrank.Train(ctx, pairrank.Problem{Set: set}, o.Options)
		if err != nil {
			return out, err
		}
		out.truth += float64(1-2*k) * p.auc(t.Model.Scorer.(*model.Linear).Weights.Row(0))
	}
	return out, nil
}

// mirrored is the interval of the number with the opposite sign.
func mirrored(i cv.Interval) cv.Interval {
	return cv.Interval{Lo: -i.Hi, Hi: -i.Lo, Defined: i.Defined}
}

// deLongOf is ± 1.96 standard errors of the difference by DeLong, with the held-out scores as given; not Defined where
// rows leave in groups, or all rows agree.
func deLongOf(ctx context.Context, both [2]*pairrank.Estimated, difference float64) (out cv.Interval, err error) {
	if !both[0].HasRowPairs() {
		return out, nil
	}
	squares, pairs, apart := 0.0, 0.0, map[int][2]float64{}
	for k, e := range both {
		counts, err := e.RowPairs(ctx)
		if err != nil {
			return out, err
		}
		for _, c := range counts {
			of := apart[c.Row]
			of[0], of[1] = of[0]+float64(1-2*k)*(float64(c.Pairs)-c.Wrong), float64(c.Pairs)
			apart[c.Row] = of
		}
	}
	for _, of := range apart {
		d := of[0] - difference*of[1]
		squares, pairs = squares+d*d, pairs+of[1]/2
	}
	half := student.Normal975 * math.Sqrt(squares) / pairs
	return cv.Interval{Lo: difference - half, Hi: difference + half, Defined: half > 0}, nil
}

// differenceTable is the section on the difference of two procedures.
func differenceTable(ctx context.Context, s settings) (string, error) {
	return tableOf(ctx, s, s.contrasts, 400, populationHead+"difference of the procedures | mean of the best λ, nested | "+
		"coverage in %: best λ, *DeLong*, nested | width: best λ, *DeLong*, ideal; nested | "+
		"no interval: best λ, *DeLong*, nested", patients.costs, patients.contrasted, patients.contrastRow)
}

// contrastRow is a line of the table.
func (p patients) contrastRow(results []contrast) string {
	n := float64(len(results))
	var truth, best, nested float64
	var estimates []float64
	for _, r := range results {
		truth, best, nested = truth+r.truth/n, best+r.best/n, nested+r.nested/n
		estimates = append(estimates, r.best)
	}
	slices.Sort(estimates)
	low, high := percentile(estimates)
	coverage, width, none := coverageOf(results, truth, func(r contrast) cv.Interval { return r.printed })
	givenCoverage, givenWidth, givenNone := coverageOf(results, truth, func(r contrast) cv.Interval { return r.given })
	wholeCoverage, wholeWidth, wholeNone := coverageOf(results, truth, func(r contrast) cv.Interval { return r.whole })
	mean := fmt.Sprintf("%.3f, %.3f", best, nested)
	if math.IsNaN(nested) {
		mean, wholeNone = fmt.Sprintf("%.3f, –", best), 0
	}
	return fmt.Sprintf("| %s | %d | %.2f | %d | %.3f | %s | **%s**, *%s*, **%s** | %s, *%s*, %.2f; %s | %d, *%d*, %d |\n",
		p.size(), p.features, normal(p.strength/math.Sqrt2), len(results), truth, mean, coverage, givenCoverage,
		wholeCoverage, width, givenWidth, high-low, wholeWidth, none, givenNone, wholeNone)
}
