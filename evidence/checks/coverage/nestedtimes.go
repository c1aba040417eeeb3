package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/model"
)

// timedNest are studies of patients with features: the first is the score that their times follow, and the others are
// standard normal and say nothing. With uno λ is chosen by Uno's C over ten folds.
type timedNest struct {
	timedStudy
	features int
	cost     int // simulations are so many times fewer; 0 is 1
	uno      bool
}

// timedNests are the populations of the section on nested estimates of the c-index, those of 200 patients, of weights
// and of Uno's C last.
func timedNests() (all []timedNest) {
	costs := []int{1, 2}
	for _, slope := range []float64{0, 0.7} {
		for _, censored := range []float64{0.3, 0.7} {
			for k, patients := range []int{40, 80} {
				all = append(all, timedNest{timedStudy{patients, 1, slope, censored, false}, 5, costs[k], false})
			}
		}
	}
	for _, censored := range []float64{0.3, 0.7} {
		for k, patients := range []int{40, 80} {
			all = append(all, timedNest{timedStudy{patients, []int{8, 10}[k], 0, censored, false}, 5, costs[k], false})
		}
	}
	const large = 20 // times as much
	for _, slope := range []float64{0, 0.7} {
		for _, censored := range []float64{0.3, 0.7} {
			all = append(all, timedNest{timedStudy{200, 1, slope, censored, false}, 5, large, false})
		}
	}
	for _, censored := range []float64{0.3, 0.7} {
		all = append(all, timedNest{timedStudy{200, 20, 0, censored, false}, 5, large, false})
	}
	for _, weighted := range []bool{true, false} {
		for _, censored := range []float64{0.3, 0.7} {
			for _, patients := range []int{40, 80} {
				all = append(all, timedNest{timedStudy{patients, 1, 0.7, censored, weighted}, 5, 1, !weighted})
			}
		}
	}
	return all
}

// cell names a population.
func (t timedNest) cell() string {
	name := t.name()
	if t.uno {
		name += ", λ by uno-c"
	}
	return fmt.Sprintf("%s | %g %% | %d", name, 100*t.censored, t.patients)
}

// procedure is training with its choice of λ.
func (t timedNest) procedure() pairrank.Options {
	o := procedure
	if t.uno {
		o.Method, o.Metric = &cv.Method{Kind: cv.KFold, Folds: 10}, &metric.UnoC
	}
	return o
}

// set draws a study.
func (t timedNest) set(rng *rand.Rand) *data.Set {
	d := t.draw(rng, 1)
	x := data.NewDense(len(d.z), t.features, nil)
	for i, z := range d.z {
		row := x.Row(i)
		row[0] = z
		for j := range row[1:] {
			row[1+j] = rng.NormFloat64()
		}
	}
	s := &data.Set{X: x, Y: d.in.Labels, Censored: d.in.Censored, Weights: d.in.Weights, Queries: data.OneList(len(d.z))}
	if t.strata > 1 {
		s.Queries, s.HasQID = d.in.Queries, true
	}
	return s
}

// smaller is the population of the trainings that a nested estimate holds out from: without one of ten folds.
func (t timedNest) smaller() timedNest {
	if t.strata == 1 {
		t.patients -= t.patients / 10
		return t
	}
	left := t.strata - max(1, t.strata/10)
	t.patients, t.strata = t.patients*left/t.strata, left
	return t
}

// options are those of an estimate of the c-index, nested over ten folds of the patients or strata.
func (t timedNest) options() pairrank.EstimateOptions {
	nested := cv.Method{Kind: cv.KFold, Folds: 10}
	if t.strata > 1 {
		nested.Folds = min(nested.Folds, t.strata)
	}
	return pairrank.EstimateOptions{Options: t.procedure(), Nested: &nested, Intervals: cv.IntervalsHalves}
}

// concordances is the c-index of linear scores in the population, by the share of the first feature in the norm of
// their weights.
func (t timedNest) concordances(rng *rand.Rand) (func(w []float64) float64, error) {
	const population, parts = 200_000, 64
	large := t.draw(rng, population/t.patients)
	noise := make([]float64, len(large.z))
	for i := range noise {
		noise[i] = rng.NormFloat64()
	}
	m, err := metric.Parse("c-index")
	if err != nil {
		return nil, err
	}
	angle := func(k int) float64 { return math.Pi * float64(k) / parts }
	var values []float64
	large.in.Scores = make([]float64, len(noise))
	for k := range parts + 1 {
		for i, z := range large.z {
			large.in.Scores[i] = math.Cos(angle(k))*z + math.Sin(angle(k))*noise[i]
		}
		r, err := metric.Evaluate(large.in, []metric.Metric{m}, metric.Options{})
		if err != nil {
			return nil, err
		}
		values = append(values, r.Results[0].Mean.Value)
	}
	return func(w []float64) float64 {
		at := math.Acos(w[0]/norm(w)) / math.Pi * parts
		k := min(int(at), parts-1)
		return values[k] + (at-float64(k))*(values[k+1]-values[k])
	}, nil
}

// check simulates a study. The truth is the mean concordance of the procedure on other, smaller studies.
func (t timedNest) check(ctx context.Context, rng *rand.Rand, of func(w []float64) float64) (out nestResult,
	err error) {
	e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: t.set(rng)}, t.options())
	if err != nil {
		return out, err
	}
	out.best, out.nested = 1-e.Choice.Error, 1-e.Nested.Error
	if e.Nested.Halves != nil {
		out.halves = e.Nested.Interval.Complement()
	}
	out.given = e.Interval(0).Complement()
	smaller := t.smaller()
	for range again {
		trained, err := pairrank.Train(ctx, pairrank.Problem{Set: smaller.set(rng)}, t.procedure())
		if err != nil {
			return out, err
		}
		out.truth += of(trained.Model.Scorer.(*model.Linear).Weights.Row(0)) / again
	}
	return out, nil
}

// nestedTimesTable is the section on the nested c-index.
func nestedTimesTable(ctx context.Context, s settings) (string, error) {
	populations := timedNests()
	populations = populations[:min(len(populations), s.timed)]
	values := make(map[timedNest]func(w []float64) float64)
	cost := func(t timedNest) int {
		if !strings.Contains(t.cell(), s.cells) {
			return skipped
		}
		return t.cost
	}
	for k, t := range populations {
		var err error
		if cost(t) == skipped {
			continue
		}
		if values[t], err = t.concordances(rand.New(rand.NewPCG(s.seed, uint64(8_950_000+k)))); err != nil {
			return "", err
		}
	}
	return tableOf(ctx, s, populations, 8_970_000, "score | censored | patients | simulations | "+
		"c-index of the procedure | mean of nested, of the best λ | coverage in %: nested, best λ | "+
		"width: nested, best λ, ideal | no interval: nested, best λ", cost,
		func(t timedNest, ctx context.Context, rng *rand.Rand) (nestResult, error) {
			return t.check(ctx, rng, values[t])
		}, timedNest.row)
}

// row is a line of the table. The ideal width is that of the middle 95 % of the nested estimates.
func (t timedNest) row(results []nestResult) string {
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
	ofBest, bestWidth, bestNone := coverageOf(results, truth, func(r nestResult) cv.Interval { return r.given })
	return fmt.Sprintf("| %s | %d | %.3f | %.3f, %.3f | **%s**, %s | %s, %s, %.2f | %d, %d |\n", t.cell(),
		len(results), truth, nested, best, coverage, ofBest, width, bestWidth, high-low, none, bestNone)
}
