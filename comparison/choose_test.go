package comparison

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/event"
)

// Rank chooses the least loss of every Fit and Predict, of which the largest λ.
func TestRankChoosesTheLeastHeldOutLoss(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0x63686f6f))
		p := made(rng)
		p.Features = data.NewDense(len(p.Items), 2, nil)
		for i := range p.Items {
			p.Features.Row(i)[0], p.Features.Row(i)[1] = rng.NormFloat64(), rng.NormFloat64()
		}
		o := Options{Loss: []Loss{Squared, Logistic}[seed%2]}
		unit := Unit{Kind: "item"}
		asked := RankOptions{Options: o, Lambdas: []float64{0.1, 1, 10}, Residuals: []float64{0.5, 4}, HoldOut: &unit}
		steps := 0
		asked.Monitor.Progress = func(p event.Progress) {
			if p.Task == "learning scores" {
				steps = int(p.Done)
			}
		}
		got, err := Rank(ctx, *p, asked)
		if err != nil {
			t.Fatal(err)
		}
		best, at := math.Inf(1), Candidate{}
		for _, tau := range asked.Residuals {
			for _, lambda := range asked.Lambdas {
				q, with := *p, o
				q.Residual, with.Lambda = tau, lambda
				b, err := Fit(ctx, &q, with)
				if err != nil {
					t.Fatal(err)
				}
				h, err := b.Predict(ctx, unit, 0)
				if err != nil {
					t.Fatal(err)
				}
				if v := h.Loss.Value; v < best {
					best, at = v, Candidate{Lambda: lambda, Residual: tau}
				}
			}
		}
		if got.Options.Lambda != at.Lambda || got.Problem.Residual != at.Residual || got.HeldOut.Loss.Value != best ||
			len(got.Tried) != 6 || got.Tried[got.Best].HeldOut.Loss.Value != best {
			t.Errorf("problem %d: λ = %v, τ = %v with %v, not %v, %v with %v", seed, got.Options.Lambda, got.Problem.Residual,
				got.HeldOut.Loss.Value, at.Lambda, at.Residual, best)
		}
		if steps != 6 {
			t.Errorf("problem %d: the last progress is %d of 6", seed, steps)
		}
	}
}
