package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"

	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/survival"
)

// timedStudy is a population of patients whose times are exponential, of mean exp(slope z) by their standard normal
// scores z, and are censored at an exponential time. The second scores are z and noise. Strata are of a tenth as many
// patients and more: their hazards differ, and in small ones the score says more. Weights are exp((z + noise)/2): the
// rows count as about .6 of their number, and those of high scores count more.
type timedStudy struct {
	patients, strata int
	slope, censored  float64
	weighted         bool
}

// timedStudies are those of the table.
func timedStudies() (all []timedStudy) {
	for _, slope := range []float64{0, 0.7, 2} {
		for _, censored := range []float64{0.3, 0.7} {
			for _, patients := range []int{40, 80, 200} {
				all = append(all, timedStudy{patients, 1, slope, censored, false})
			}
		}
	}
	for _, censored := range []float64{0.3, 0.7} {
		for k, patients := range []int{40, 80, 200} {
			all = append(all, timedStudy{patients, []int{8, 10, 20}[k], 0, censored, false})
		}
	}
	for _, censored := range []float64{0.3, 0.7} {
		for _, patients := range []int{40, 80, 200} {
			all = append(all, timedStudy{patients, 1, 0.7, censored, true})
		}
	}
	return all
}

// drawnTimes are the rows of a study, its scores, and the times without censoring.
type drawnTimes struct {
	in         metric.Input
	z, noisy   []float64
	uncensored []float64
}

// draw draws a study of so many times the strata, or patients of one stratum. The means of times are so that the named
// share is censored where the score tells nothing.
func (t timedStudy) draw(rng *rand.Rand, times int) (d drawnTimes) {
	patients, strata := t.patients, t.strata*times
	if t.strata == 1 {
		patients, strata = t.patients*times, 1
	}
	var of []int32
	for s := range strata {
		n, slope, level := patients, t.slope, 0.0
		if t.strata > 1 {
			half := float64(2*(s%2) - 1)
			n = int(math.Round(float64(t.patients) / float64(t.strata) * (1 + 0.4*half)))
			slope, level = 0.9-0.6*half, rng.NormFloat64()
		}
		for range n {
			z := rng.NormFloat64()
			time := rng.ExpFloat64() * math.Exp(level+slope*z)
			limit := rng.ExpFloat64() * (1 - t.censored) / t.censored * math.Exp(level)
			d.in.Labels, d.in.Censored = append(d.in.Labels, min(time, limit)), append(d.in.Censored, limit < time)
			d.uncensored = append(d.uncensored, time)
			d.z, d.noisy = append(d.z, z), append(d.noisy, z+2*rng.NormFloat64())
			if of = append(of, int32(s)); t.weighted {
				d.in.Weights = append(d.in.Weights, math.Exp((z+rng.NormFloat64())/2))
			}
		}
	}
	if t.strata > 1 {
		d.in.Queries = data.NewPartition(of, strata)
	}
	return d
}

// timedTruth is what a study estimates: metrics in their order, of both scores, and the survival of the thirds.
type timedTruth struct {
	metrics []metric.Metric
	values  [2][]float64
	until   [2]func(last float64) float64 // uno-c of times until the last event; nil with strata
	horizon float64
	scores  []float64 // of the population, ascending
	beyond  []int     // [k]: of the k lowest, the rows whose time is beyond the horizon
}

// survival is the share of the population beyond the horizon, of those with scores from lo to hi.
func (t *timedTruth) survival(lo, hi float64) float64 {
	a, b := sort.SearchFloat64s(t.scores, lo), sort.SearchFloat64s(t.scores, hi)
	return float64(t.beyond[b]-t.beyond[a]) / float64(b-a)
}

// truth measures a large population: c-index as it is censored, the others without censoring. With strata it is what
// the metrics are of many strata, with the curve of each: G of few patients is an estimate itself.
func (t timedStudy) truth(rng *rand.Rand) (timedTruth, error) {
	const population = 200_000
	large := t.draw(rng, population/t.patients)
	sorted := append([]float64(nil), large.in.Labels...)
	sort.Float64s(sorted)
	out := timedTruth{horizon: sorted[len(sorted)*3/4]}
	at := fmt.Sprint("@", out.horizon)
	for _, name := range []string{"c-index", "uno-c", "c-index" + at, "uno-c" + at, "time-auc" + at} {
		m, err := metric.Parse(name)
		if err != nil {
			return out, err
		}
		out.metrics = append(out.metrics, m)
	}
	free := large.in
	free.Labels, free.Censored = large.uncensored, make([]bool, len(large.uncensored))
	for k, f := range [][]float64{large.z, large.noisy} {
		large.in.Scores, free.Scores = f, f
		seen, err := metric.Evaluate(large.in, out.metrics, metric.Options{})
		if err != nil {
			return out, err
		}
		all, err := metric.Evaluate(free, out.metrics, metric.Options{})
		if err != nil {
			return out, err
		}
		for j, r := range all.Results {
			v := r.Mean.Value
			if j == 0 || j == 2 || t.strata > 1 {
				v = seen.Results[j].Mean.Value
			}
			out.values[k] = append(out.values[k], v)
		}
		if t.strata == 1 {
			if out.until[k], err = concordanceUntil(free); err != nil {
				return out, err
			}
		}
	}
	order := data.OneList(len(large.z)).Rows
	sort.Slice(order, func(a, b int) bool { return large.z[order[a]] < large.z[order[b]] })
	out.beyond = []int{0}
	for k, i := range order {
		n := out.beyond[k]
		if large.uncensored[i] > out.horizon {
			n++
		}
		out.scores, out.beyond = append(out.scores, large.z[i]), append(out.beyond, n)
	}
	return out, nil
}

// concordanceUntil is the concordance of events until a time, by those until each of some quantiles.
func concordanceUntil(free metric.Input) (func(last float64) float64, error) {
	const parts = 400
	sorted := append([]float64(nil), free.Labels...)
	sort.Float64s(sorted)
	var times []float64
	var metrics []metric.Metric
	for k := 1; k <= parts; k++ {
		times = append(times, sorted[k*len(sorted)/parts-1])
		m, err := metric.Parse(fmt.Sprint("c-index@", times[k-1]))
		if err != nil {
			return nil, err
		}
		metrics = append(metrics, m)
	}
	r, err := metric.Evaluate(free, metrics, metric.Options{})
	if err != nil {
		return nil, err
	}
	return func(last float64) float64 {
		return r.Results[min(sort.SearchFloat64s(times, last), parts-1)].Mean.Value
	}, nil
}

// timedFound says of each column of a study whether an interval holds, and whether there is one.
type timedFound struct{ held, defined []float64 }

// add adds whether an interval holds a value, if there is one.
func (f *timedFound) add(i cv.Interval, v float64) {
	held, defined := 0.0, 0.0
	if i.Defined {
		defined = 1
		if i.Lo <= v && v <= i.Hi {
			held = 1
		}
	}
	f.held, f.defined = append(f.held, held), append(f.defined, defined)
}

// check draws a study, and asks which intervals hold.
func (t timedStudy) check(rng *rand.Rand, truth *timedTruth) (out timedFound, err error) {
	d := t.draw(rng, 1)
	found, err := compare.Times(d.in, nil, truth.metrics, d.z, d.noisy)
	if err != nil {
		return out, err
	}
	last := 0.0
	for i, at := range d.in.Labels {
		if !d.in.Censored[i] {
			last = max(last, at)
		}
	}
	for j := range truth.metrics {
		v := [2]float64{truth.values[0][j], truth.values[1][j]}
		if j == 1 && truth.until[0] != nil {
			for k := range v {
				v[k] = truth.until[k](last)
			}
		}
		out.add(found.Values[2*j].Interval, v[0])
		out.add(found.Differences[j].Interval, v[0]-v[1])
	}
	if t.thirds() {
		out.addThirds(&d, truth)
	}
	return out, nil
}

// thirds reports whether survival is measured: it promises nothing of strata, and knows no weights.
func (t timedStudy) thirds() bool { return t.strata == 1 && !t.weighted }

// addThirds asks which intervals of the survival of the thirds hold that of the population between their scores.
func (f *timedFound) addThirds(d *drawnTimes, truth *timedTruth) {
	held, defined := 0.0, 0.0
	from := math.Inf(-1)
	for _, rows := range survival.Thirds(d.z, [][]int32{data.OneList(len(d.z)).Part(0)}) {
		to := d.z[rows[len(rows)-1]] // ascending
		c := survival.New(d.in.Labels, d.in.Censored, rows)
		if lo, hi, ok := c.At(truth.horizon).Interval(); ok && c.AtRisk(truth.horizon) > 0 {
			defined++
			if v := truth.survival(from, to); lo <= v && v <= hi {
				held++
			}
		}
		from = to
	}
	f.held, f.defined = append(f.held, held), append(f.defined, defined)
}

// name is that of the population in tables.
func (t timedStudy) name() string {
	if t.strata > 1 {
		return fmt.Sprintf("%d strata", t.strata)
	}
	if t.weighted {
		return fmt.Sprintf("slope %g, weights", t.slope)
	}
	return fmt.Sprintf("slope %g", t.slope)
}

// timesTable is the section on censored times.
func timesTable(ctx context.Context, s settings) (string, error) {
	text := fmt.Sprintf("Coverage in %% of 95 %% intervals, and of those of the difference to the noisy scores; "+
		"%d simulations per cell, seed %d:\n\n| score | censored | patients | c-index | uno-c | c-index@T | uno-c@T | "+
		"time-auc@T | survival at T |\n|---|---|---|---|---|---|---|---|---|\n", s.simulations, s.seed)
	for cell, t := range timedStudies()[:min(len(timedStudies()), s.timed)] {
		if !strings.Contains(t.name(), s.cells) {
			continue
		}
		truth, err := t.truth(rand.New(rand.NewPCG(s.seed, uint64(8_900_000+cell))))
		if err != nil {
			return "", err
		}
		all, err := results(ctx, s, uint64(8_000_000+cell), func(_ int, rng *rand.Rand) (timedFound, error) {
			return t.check(rng, &truth)
		})
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("| %s | %g %% | %d |", t.name(), 100*t.censored, t.patients)
		for column := range all[0].held {
			held, defined := 0.0, 0.0
			for _, f := range all {
				held, defined = held+f.held[column], defined+f.defined[column]
			}
			between := " |"
			if column%2 == 0 && column < 2*len(truth.metrics) {
				between = " /"
			}
			text += fmt.Sprintf(" %.1f%s", 100*held/defined, between)
		}
		if !t.thirds() {
			text += " – |"
		}
		text += "\n"
	}
	return text, nil
}
