package rls

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// mostStarRows bounds the numbers of rows in coordinates, m×k, of which the stars of censored times are taken.
const mostStarRows = 1 << 27

// hasStars reports whether any rows are held out by their stars: those of censored times; see pencil.Stars.
func (p *Path) hasStars() bool {
	return p.goal.Kind == goals.Censored && p.Rows()*len(p.Eigenvalues()) <= mostStarRows
}

// largestAsBound is the rounding of some predictions by their size.
type largestAsBound float64

// At and Most make largestAsBound a Rounding.
func (b largestAsBound) At(_, _ int) float64 { return float64(b) }
func (b largestAsBound) Most() float64       { return float64(b) }

// holdOutStars is HoldOutSome by stars.
func (p *Path) holdOutStars(ctx context.Context, groups *data.Partition, wanted func(g int) bool, lambdas []float64,
	emit func(g, l int, held Held)) error {
	over := overflow{}
	err := p.stars().HoldOut(ctx, groups, wanted, p.effectiveAll(lambdas), func(g, l int, f linalg.Mat, most float64) {
		over.check(groups.Part(g), f, lambdas[l])
		emit(g, l, Held{F: dense(f), Rounding: largestAsBound(most)})
	})
	if err != nil {
		return err
	}
	return over.err
}

// LeaveStarsOut leaves out every two rows of censored times for which wanted returns true, for all λ at once. emit
// receives, for row i and λ number l, the scores of row i and of each row after it without the two, 0 for pairs that
// are not wanted, as LeavePairOut gives them. A pair costs O(4k³/3) where a single stratum without weights by censoring
// lets both stars be taken off (see pencil.Stars), else O(mk²) more. It returns a *NotExactError for other goals,
// ErrNumerical where a prediction is not finite, and the error of ctx. It panics unless every λ is positive and finite.
func (p *Path) LeaveStarsOut(ctx context.Context, lambdas []float64, wanted func(i, j int32) bool,
	emit func(worker, l, i int, fi, fj []float64)) error {
	for _, lambda := range lambdas {
		checkLambda(lambda)
	}
	if !p.hasStars() {
		return p.goal.CanHoldOutAny()
	}
	over := overflow{}
	err := p.stars().LeavePairs(ctx, p.effectiveAll(lambdas), wanted, func(worker, l, i int, fi, fj []float64) {
		for b := range fi {
			if math.IsNaN(fi[b]-fi[b]) || math.IsNaN(fj[b]-fj[b]) {
				over.check([]int32{int32(i)}, linalg.Column([]float64{math.NaN()}), lambdas[l])
			}
		}
		emit(worker, l, i, fi, fj)
	})
	if err != nil {
		return err
	}
	return over.err
}

// OrderStars is LeaveStarsOut whose scores have the right order only. emit receives, for a row i, the wanted rows after
// it, and for each of them a number for each λ: above 0 where the score of row i is the higher one without the two, 0
// where both are equal. It is called once for each row i. Of up to 16 columns a pair costs O(4k³/3), and O(k) for each
// λ, without a division.
func (p *Path) OrderStars(ctx context.Context, lambdas []float64, wanted func(i, j int32) bool,
	emit func(worker, i int, others []int32, apart *data.Dense)) error {
	for _, lambda := range lambdas {
		checkLambda(lambda)
	}
	if !p.hasStars() {
		return p.goal.CanHoldOutAny()
	}
	over := overflow{}
	err := p.stars().OrderPairs(ctx, p.effectiveAll(lambdas), wanted,
		func(worker, i int, others []int32, apart linalg.Mat) {
			for a := range apart.Rows {
				for l, d := range apart.Row(a) {
					if math.IsNaN(d - d) {
						over.check([]int32{int32(i)}, linalg.Column([]float64{math.NaN()}), lambdas[l])
					}
				}
			}
			emit(worker, i, others, dense(apart))
		})
	if err != nil {
		return err
	}
	return over.err
}

// StarWork estimates the multiplications of OrderStars of some pairs of m rows with k columns, for some values of λ.
// It is that of few rows: a pair takes as long as some thousand of them at least.
func StarWork(pairs, m, k, lambdas float64) float64 {
	const least = 4000
	return m*m*k*k + pairs*(least+2*k*k*k/3+4*k*k+lambdas*6*k)
}
