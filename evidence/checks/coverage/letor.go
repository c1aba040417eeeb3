package main

import (
	"context"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/synth"
	"pairrank/pref"
)

// population is the differences of two rankings on many queries, of which a
// simulation draws some: d[j][g] is that of metric j on query g.
type population struct {
	metrics []metric.Metric
	d       [][]float64
}

// measured are the metrics of the population, which are much alike.
var measured = []metric.Metric{metric.NDCGAt(10), metric.MAP, metric.PrecisionAt(5), metric.MRR, metric.Concordance}

// Two linear rankers are learnt from the first queries, one from all of these
// and one from a third, both by RankRLS with λ = 1; the others are the population.
const learnt, learntByB, rowsOfQuery, features = 60, 20, 12, 20

// letor makes the population. Queries that lack a value of a metric are left out.
func letor(ctx context.Context, s settings) (*population, error) {
	set, err := synth.LETOR{
		Rows: rowsOfQuery * (learnt + s.population), Features: features, Queries: learnt + s.population, Seed: s.seed,
	}.Set()
	if err != nil {
		return nil, err
	}
	test := queriesOf(set, learnt, set.Queries.Len())
	var reports [2]*metric.Report
	for k, n := range []int{learnt, learntByB} {
		w, err := weights(ctx, queriesOf(set, 0, n))
		if err != nil {
			return nil, err
		}
		scores := make([]float64, len(test.Y))
		test.X.MulVecTo(scores, w)
		if reports[k], err = metric.Evaluate(metric.Input{
			Labels: test.Y, Scores: scores, Queries: test.Queries,
		}, measured, metric.Options{}); err != nil {
			return nil, err
		}
	}
	p := &population{metrics: measured, d: make([][]float64, len(measured))}
	for g, a := range reports[0].PerQuery {
		b := reports[1].PerQuery[g]
		if !allDefined(a.Values) || !allDefined(b.Values) {
			continue
		}
		for j := range measured {
			p.d[j] = append(p.d[j], a.Values[j].Value-b.Values[j].Value)
		}
	}
	return p, nil
}

// queriesOf is the rows of the queries from lo to hi.
func queriesOf(set *data.Set, lo, hi int) *data.Set {
	var rows []int
	for i, g := range set.Queries.Of() {
		if lo <= int(g) && int(g) < hi {
			rows = append(rows, i)
		}
	}
	return set.Subset(rows)
}

func weights(ctx context.Context, set *data.Set) ([]float64, error) {
	goal, err := goals.Scored(set.Y, 1, set.Queries, pref.Options{})
	if err != nil {
		return nil, err
	}
	path, err := rls.Factor(ctx, rls.Primal(set.X), goal)
	if err != nil {
		return nil, err
	}
	return path.At(1).Coef.Data, nil
}

func allDefined(values []metric.Value) bool {
	for _, v := range values {
		if !v.Defined {
			return false
		}
	}
	return true
}

// law is to draw a query and take the difference of metric j.
func (p *population) law(j int) law {
	d := p.d[j]
	sum := 0.0
	for _, x := range d {
		sum += x
	}
	least, most := p.metrics[j].Range()
	return law{"LETOR, " + p.metrics[j].String(), sum / float64(len(d)), most - least,
		func(rng *rand.Rand) float64 { return d[rng.IntN(len(d))] }}
}

// laws are those by formula and three metrics of the population.
func laws(ctx context.Context, s settings) ([]law, error) {
	p, err := letor(ctx, s)
	if err != nil {
		return nil, err
	}
	all := append([]law{}, madeLaws...)
	for j, m := range p.metrics {
		if m == metric.NDCGAt(10) || m == metric.PrecisionAt(5) || m == metric.Concordance {
			all = append(all, p.law(j))
		}
	}
	return all, nil
}
