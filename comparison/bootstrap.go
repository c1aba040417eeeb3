package comparison

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/draw"
	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/linalg"
)

// ErrFewSamples reports that fewer than half of the samples of a bootstrap converge.
var ErrFewSamples = errors.New("most samples have no fit")

// Bootstrap is the covariance of the scores of n ≥ 2 samples. In a sample every single outcome, or every unit of
// Problem.Independent, has a weight drawn from the exponential distribution with mean 1 (Rubin 1981, The Bayesian
// bootstrap; Præstgaard and Wellner 1993, Exchangeably weighted bootstraps of the general empirical process). The
// weights of the n outcomes of one kind of a line add up to a draw of the gamma distribution of shape n, so a sample
// costs O(C) draws. No weight is 0: unlike a sample with replacement, a sample connects the same items, and has a
// finite fit if the board has one. With H units the covariance of the samples is multiplied by (H+1)/(H−1), which
// makes the variance of a mean unbiased.
//
// If bias is reduced, the leverages of Firth's term are those of the board. Outcomes that all agree vary too little, so
// with bias-reduced scores, with the squared loss and where outcomes lie between wins and losses, a variance is at
// least that of Sandwich. Samples that do not converge are left out; Replicates counts the others. A sample takes about
// ten steps of O(C p + E²); seed makes the draws. progress receives how many samples are done, from several goroutines;
// nil discards it. Bootstrap returns ErrFewSamples, and the error of ctx.
func (b *Board) Bootstrap(ctx context.Context, n int, seed uint64, progress func(done, total int)) (*Covariance,
	error) {
	s := b.s
	kind, sets := b.p.independent(FewUnits)
	unitOf, units := b.p.setOf(sets), len(sets)
	r := dense.NewRefitter(b.f)
	places := linalg.NewMat(n, s.Dims())
	settled := make([]bool, n)
	progress = begun(progress, n)
	var done atomic.Int64
	err := r.Each(ctx, 0, n, func(k int, m []outcome.Mass) {
		b.weigh(m, unitOf, units, rand.New(rand.NewPCG(seed, 0x626f6f740000+uint64(k))))
	}, func(k int, _ []outcome.Mass, x *dense.Sample) {
		if x != nil {
			copy(places.Row(k), x.Place)
			settled[k] = true
		}
		progress(int(done.Add(1)), n)
	})
	if err != nil {
		return nil, err
	}
	v := b.spread(places, settled)
	if v == nil || 2*v.Replicates < n {
		return nil, ErrFewSamples
	}
	if units > 1 {
		linalg.Scal(float64(units+1)/float64(units-1), v.cov.Data)
		v.overUnits(kind, sets, b.p)
	}
	if units == 0 && b.o.Loss == Squared {
		v.freeOf(b)
	}
	if b.o.BiasReduced || b.o.Loss == Squared || incidence.Graded(b.p.source()) {
		b.atLeastSandwich(v.cov)
	}
	return v.known(b), nil
}

// begun tells progress that nothing is done, and returns it, or for nil a function that does nothing.
func begun(progress func(done, total int), total int) func(done, total int) {
	if progress == nil {
		return func(int, int) {}
	}
	progress(0, total)
	return progress
}

// weigh draws the masses of a sample, whose sum is that of the board.
func (b *Board) weigh(m []outcome.Mass, unitOf []int, units int, rng *rand.Rand) {
	lines := b.p.Lines
	weights := make([]float64, units)
	for h := range weights {
		weights[h] = rng.ExpFloat64()
	}
	drawn, all := 0.0, 0.0
	for c := range lines {
		l := &lines[c]
		for k, count := range l.Counts() {
			m[c][k] = 0
			if count == 0 || b.s.Loss.Silent(outcome.Kind(k)) {
				continue
			}
			g := count
			if units > 0 {
				g *= weights[unitOf[c]]
			} else {
				g = draw.Gamma(rng, count)
			}
			drawn, all = drawn+g, all+count
			m[c][k] = l.OutcomeWeight() * g
		}
	}
	for c := range m {
		for k := range m[c] {
			m[c][k] *= all / drawn
		}
	}
}

// spread is the covariance of the rows that settled, each with mean 0 in its components.
func (b *Board) spread(places linalg.Mat, settled []bool) *Covariance {
	n, e := 0, b.s.Dims()
	mean := make([]float64, e)
	for k, is := range settled {
		if is {
			n++
			linalg.Axpy(1, places.Row(k), mean)
		}
	}
	if n < 2 {
		return nil
	}
	linalg.Scal(1/float64(n), mean)
	for k, is := range settled {
		if is {
			linalg.Axpy(-1, mean, places.Row(k))
		} else {
			clear(places.Row(k))
		}
	}
	v := b.covariance(linalg.NewMat(e, e))
	v.Replicates = n
	linalg.Syrk(linalg.Lower, linalg.T, 1/float64(n-1), places, 0, v.cov)
	linalg.Symmetrize(linalg.Lower, v.cov)
	return v
}
