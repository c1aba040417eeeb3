package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
)

// rankings are how many rankings are compared, every two of them.
var rankings = []int{3, 6}

// valuesOf are laws of the value of one ranking on a query, whatever the others have.
var valuesOf = []struct {
	name string
	draw func(rng *rand.Rand) float64
}{
	{"normal", func(rng *rand.Rand) float64 { return 0.1 * rng.NormFloat64() }},
	{"p@1: 30 % 1, else 0", func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.3 {
			return 1
		}
		return 0
	}},
	{"skewed: log-normal", logNormal},
}

// several is the tables of comparisons of more than two rankings, and of folds.
func several(ctx context.Context, s settings) (string, error) {
	table := newGrid("values", "rankings", "that differ")
	for i, l := range valuesOf {
		for j, k := range rankings {
			for _, shifted := range []int{0, 1} {
				row := []string{l.name, fmt.Sprint(k), []string{"none", "one, from all others"}[shifted]}
				for _, q := range counts {
					wrong := make([]bool, s.simulations)
					err := simulate(ctx, s, uint64(3_000_000+i*100_000+j*10_000+shifted*1000+q), func(at int,
						rng *rand.Rand) {
						wrong[at] = toldApart(valuesDrawn(rng, l.draw, k, q), shifted, s, rng.Uint64())
					})
					if err != nil {
						return "", err
					}
					row = append(row, share(wrong))
				}
				table.row(row...)
			}
		}
	}
	folds, err := pooledFolds(ctx, s)
	return fmt.Sprintf("Simulations in %% where two rankings that do not differ share no letter, by number of "+
		"queries; "+
		"%d simulations per cell,\n%d sign patterns where they are drawn, seed %d:\n\n%s\n%s",
		s.simulations, s.resamples, s.seed, table.String(), folds), err
}

// valuesDrawn are the values of k rankings on q queries.
func valuesDrawn(rng *rand.Rand, draw func(rng *rand.Rand) float64, k, q int) [][]float64 {
	values := make([][]float64, k)
	for r := range values {
		for range q {
			values[r] = append(values[r], draw(rng))
		}
	}
	return values
}

// toldApart reports whether some two rankings, but for the first so many, which are better by much, are
// told apart as letters do.
func toldApart(values [][]float64, better int, s settings, seed uint64) bool {
	var p []float64
	var alike []bool
	for a := range values {
		for b := a + 1; b < len(values); b++ {
			d := make([]float64, len(values[a]))
			for g := range d {
				if d[g] = values[a][g] - values[b][g]; a < better {
					d[g] += shift
				}
			}
			p = append(p, compare.SignFlip(compare.FlushRounding(d), s.resamples, seed).P)
			alike = append(alike, a >= better)
		}
	}
	for k, corrected := range compare.Holm(p) {
		if alike[k] && corrected <= compare.Level {
			return true
		}
	}
	return false
}

// The rankers of folds are learnt by RankRLS with λ = 1 from halves of the features, which are alike.
const mostFolds, foldFeatures, foldRows = 5, 6, 10

// pooledFolds is the table of two learners that are alike, each trained on the other folds.
func pooledFolds(ctx context.Context, s settings) (string, error) {
	table := newGrid("test")
	rows := make([][]string, len(tests))
	for j, t := range tests {
		rows[j] = []string{t.name}
	}
	for _, q := range counts {
		rejected := make([][]bool, len(tests))
		for j := range tests {
			rejected[j] = make([]bool, s.simulations)
		}
		_, err := results(ctx, s, uint64(4_000_000+q), func(k int, rng *rand.Rand) ([]float64, error) {
			d, err := foldDifferences(ctx, rng, q)
			if err != nil {
				return nil, err
			}
			seed := rng.Uint64()
			for j, t := range tests {
				rejected[j][k] = t.p(d, s, seed) <= level
			}
			return d, nil
		})
		if err != nil {
			return "", err
		}
		for j := range tests {
			rows[j] = append(rows[j], share(rejected[j]))
		}
	}
	for _, r := range rows {
		table.row(r...)
	}
	return fmt.Sprintf("Rejections (p ≤ %g) in %% for two equally good learners: ndcg@10 over the pooled "+
		"queries of %d "+
		"folds, or of as many\nfolds as queries:\n\n%s", level, mostFolds, table.String()), nil
}

// foldDifferences are the differences on q queries of the rankers of two learners, each trained without
// the fold of the query: one on the first half of the features, one on the second. Labels depend on both
// in the same way.
func foldDifferences(ctx context.Context, rng *rand.Rand, q int) ([]float64, error) {
	sides := [2]*data.Dense{data.NewDense(q*foldRows, foldFeatures/2, nil), data.NewDense(q*foldRows, foldFeatures/2,
		nil)}
	y, bounds := make([]float64, q*foldRows), []int{0}
	for i := range y {
		sum := rng.NormFloat64()
		for _, x := range sides {
			for f := range x.Row(i) {
				x.Row(i)[f] = rng.NormFloat64()
				sum += 0.5 * x.Row(i)[f]
			}
		}
		y[i] = min(2, max(0, float64(int(sum+1))))
		if (i+1)%foldRows == 0 {
			bounds = append(bounds, i+1)
		}
	}
	var reports [2]*metric.Report
	for side, x := range sides {
		set := &data.Set{X: x, Y: y, Queries: data.Consecutive(bounds)}
		scores, err := foldScores(ctx, set, q)
		if err != nil {
			return nil, err
		}
		in := metric.Input{Labels: y, Scores: scores, Queries: set.Queries}
		if reports[side], err = metric.Evaluate(in, []metric.Metric{metric.NDCGAt(10)}, metric.Options{}); err != nil {
			return nil, err
		}
	}
	var d []float64
	for g, a := range reports[0].PerQuery {
		if b := reports[1].PerQuery[g].Values[0]; a.Values[0].Defined && b.Defined {
			d = append(d, a.Values[0].Value-b.Value)
		}
	}
	return compare.FlushRounding(d), nil
}

// foldScores are the scores of the rows, each by a ranker that was learnt from the other folds.
func foldScores(ctx context.Context, set *data.Set, q int) ([]float64, error) {
	scores, folds := make([]float64, len(set.Y)), min(mostFolds, q)
	for f := range folds {
		var learn, test []int
		for i, g := range set.Queries.Of() {
			if int(g)%folds == f {
				test = append(test, i)
			} else {
				learn = append(learn, i)
			}
		}
		w, err := weights(ctx, set.Subset(learn))
		if err != nil {
			return nil, err
		}
		own := make([]float64, len(test))
		set.Subset(test).X.MulVecTo(own, w)
		for k, i := range test {
			scores[i] = own[k]
		}
	}
	return scores, nil
}
