package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/learn/ranksvm"
	"pairrank/relation"
)

// followers are queries of ten rows whose labels follow weights of their own, those of the population and a deviation.
type followers struct {
	features         int
	noise, deviation float64
}

func (f followers) direction(rng *rand.Rand) []float64 {
	b := make([]float64, f.features)
	for j := range b {
		b[j] = f.deviation * rng.NormFloat64()
	}
	b[0]++
	return b
}

// draw draws so many queries of ten rows.
func (f followers) draw(rng *rand.Rand, queries int) (x *data.Dense, y []float64, query []int32) {
	return f.drawUneven(rng, queries, 10)
}

// drawUneven draws so many queries of ten rows, but for the first.
func (f followers) drawUneven(rng *rand.Rand, queries, first int) (x *data.Dense, y []float64, query []int32) {
	const rows = 10
	m := first + (queries-1)*rows
	x, y, query = data.NewDense(m, f.features, nil), make([]float64, m), make([]int32, m)
	end := 0
	for q := range queries {
		b, begin := f.direction(rng), end
		if end += rows; q == 0 {
			end = first
		}
		for i := begin; i < end; i++ {
			query[i] = int32(q)
			for j := range f.features {
				x.Row(i)[j] = rng.NormFloat64()
				y[i] += b[j] * x.Row(i)[j]
			}
			y[i] += f.noise * rng.NormFloat64()
		}
	}
	return x, y, query
}

// trained is a learner without a shortcut, that trains five folds again.
type trained struct {
	what    string
	learner pairrank.Learner
	lambdas []float64 // nil are the default ones, or those of the rounds
	queries int
}

// followed are the queries that are drawn.
var followed = followers{features: 20, noise: 1, deviation: 0.3}

// many are queries on which the error of models is measured.
var many = sync.OnceValue(func() *data.Set { return followed.set(rand.New(rand.NewPCG(3, 4)), 4000) })

func (f followers) set(rng *rand.Rand, queries int) *data.Set {
	x, y, query := f.draw(rng, queries)
	return &data.Set{X: x, Y: y, Queries: data.NewPartition(query, queries), HasQID: true}
}

func (t trained) study() study {
	folds := &cv.Method{Kind: cv.KFold, Folds: 5}
	o := pairrank.EstimateOptions{Intervals: cv.IntervalsHalves,
		Options: pairrank.Options{Learner: t.learner, Lambdas: t.lambdas, Method: folds, Seed: 1}}
	return study{
		name: fmt.Sprintf("error by kfold:5: %s, %d queries of 10 rows, 20 features", t.what, t.queries),
		draw: func(ctx context.Context, rng *rand.Rand) (estimated, error) {
			p := pairrank.Problem{Set: followed.set(rng, t.queries)}
			e, err := pairrank.Estimate(ctx, p, o)
			if err != nil {
				return estimated{}, err
			}
			model, err := pairrank.Train(ctx, p, o.Options)
			if err != nil {
				return estimated{}, err
			}
			scores, err := model.Model.Score(many())
			if err != nil {
				return estimated{}, err
			}
			truth, err := relation.RowError(many().Queries.Of(), many().Y)(scores)
			out := estimated{error: e.Choice.Error, truth: truth.Value}
			out.measured(e.Choice.BestPoint(0, nil), e.Halves)
			return out, err
		},
	}
}

// squared is RankSVM with the squared hinge, and boosted RankBoost that chooses how long.
var (
	squared = pairrank.RankSVM{Loss: ranksvm.SquaredHinge}
	boosted = pairrank.RankBoost{Rounds: []int{5, 20, 50}}
)
