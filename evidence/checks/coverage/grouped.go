package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/model"
)

// grouped are patients with several rows each. The features of a row are standard normal: a share of
// their variance is the patient's. They are shifted by strength along a fixed direction where the
// patient has label 1. Weights w have the AUC Φ(strength·w₁/(√2‖w‖)) over rows of two patients.
type grouped struct {
	patients, rows, features int
	share, strength          float64
	method                   *cv.Method // nil is the default, leave-pair-out of groups
}

// set draws the rows of all patients.
func (g grouped) set(rng *rand.Rand) *data.Set {
	m := g.patients * g.rows
	x, y, of := data.NewDense(m, g.features, nil), make([]float64, m), make([]int32, m)
	for p := range g.patients {
		centre := make([]float64, g.features)
		for j := range centre {
			centre[j] = math.Sqrt(g.share) * rng.NormFloat64()
		}
		for i := p * g.rows; i < (p+1)*g.rows; i++ {
			of[i], y[i] = int32(p), float64(p%2)
			for j := range centre {
				x.Row(i)[j] = centre[j] + math.Sqrt(1-g.share)*rng.NormFloat64()
			}
			x.Row(i)[0] += g.strength * y[i]
		}
	}
	return &data.Set{X: x, Y: y, Queries: data.OneList(m), Groups: data.NewPartition(of, g.patients)}
}

func (g grouped) study() study {
	by := "lpo of groups"
	if g.method != nil {
		by = g.method.String() + " of groups"
	}
	return study{
		name: fmt.Sprintf("AUC by %s: %d patients of %d rows, %d features, best AUC %.2f", by, g.patients, g.rows,
			g.features, normal(g.strength/math.Sqrt2)),
		cost: 20,
		draw: func(ctx context.Context, rng *rand.Rand) (estimated, error) {
			p := pairrank.Problem{Set: g.set(rng)}
			o := pairrank.EstimateOptions{Intervals: cv.IntervalsHalves,
				Options: pairrank.Options{Learner: pairrank.LeastSquares{}, Method: g.method, Seed: 1}}
			e, err := pairrank.Estimate(ctx, p, o)
			if err != nil {
				return estimated{}, err
			}
			trained, err := pairrank.Train(ctx, p, pairrank.Options{Learner: pairrank.LeastSquares{},
				Lambdas: []float64{e.Choice.Lambda}})
			if err != nil {
				return estimated{}, err
			}
			w := trained.Model.Scorer.(*model.Linear).Weights.Row(0)
			out := estimated{error: e.Choice.Error, truth: 1 - normal(g.strength*w[0]/(math.Sqrt2*norm(w)))}
			out.measured(e.Choice.BestPoint(0, nil), e.Halves)
			return out, nil
		},
	}
}
