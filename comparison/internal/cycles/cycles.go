// Package cycles tests whether scores explain how often each item of a pair wins; comparison.FindCycles has the formulas.
package cycles

import (
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/draw"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/linalg"
)

// spreadOfMargins is the standard deviation of margins around the ranking against which the test has the most power.
const spreadOfMargins = 0.5

// A test ends when enough draws are at least as large, or after mostDraws; a large board draws no more than the work
// allows, but leastDraws.
const (
	mostDraws, leastDraws, enough, drawsAtOnce = 999, 99, 50, 50
	mostWork                                   = 2e10
)

// equal is the difference of statistics, beside them, that rounding leaves of equal ones.
const equal = 1e-12

// Result is a P, the mean of T over the draws, and how many draws there were, of outcomes and of signs.
type Result struct {
	P, Expected       float64
	Replicates, Turns int
}

// Run draws, and returns the larger P of the outcomes and of the signs of units. progress receives how much of it is
// done, from several goroutines; nil discards it. It returns the error of ctx.
func (t *Test) Run(ctx context.Context, statistic float64, seed uint64, progress func(done, total int)) (r Result,
	err error) {
	draws := t.draws()
	turns, all := t.turns()
	steps := fitSteps*draws + turns
	tell := func(done int) {
		if progress != nil {
			progress(done, steps)
		}
	}
	tell(0)
	r.P, r.Expected, r.Replicates, err = tail(statistic, draws, func(done int) { tell(fitSteps * done) },
		func(lo, hi int, see func(float64)) ([]float64, error) { return t.fitted(ctx, lo, hi, seed, see) })
	if err != nil || t.units == nil {
		return r, err
	}
	turned, _, turns, err := tail(statistic, turns, func(done int) { tell(fitSteps*draws + done) },
		func(lo, hi int, see func(float64)) ([]float64, error) {
			return t.turned(lo, hi, all, seed, see), ctx.Err()
		})
	r.P, r.Turns = max(r.P, turned), turns
	return r, err
}

// tail is the P of a statistic beside those of draws, their mean, and how many were taken. draw calls see with each
// statistic that it draws, and tell receives how near the draws are to their end, in draws of most.
func tail(statistic float64, most int, tell func(done int),
	draw func(lo, hi int, see func(drawn float64)) ([]float64, error)) (p, mean float64, n int, err error) {
	least, exceeded := statistic-equal*math.Abs(statistic), 0
	var seen, large atomic.Int64
	see := func(drawn float64) {
		n, k := int(seen.Add(1)), int(large.Load())
		if !(drawn < least) {
			k = int(large.Add(1))
		}
		tell(min(most, max(n, k*most/enough)))
	}
	for n < most && exceeded < enough {
		values, err := draw(n, min(most, n+drawsAtOnce), see)
		if err != nil {
			return 0, 0, 0, err
		}
		for _, drawn := range values {
			if n++; !(drawn < least) { // a draw without a fit, NaN, does not speak against the ranking
				exceeded++
			}
			if !math.IsNaN(drawn) {
				mean += drawn
			}
			if exceeded == enough {
				return float64(enough) / float64(n), mean / float64(n), n, nil
			}
		}
	}
	return float64(exceeded+1) / float64(n+1), mean / float64(max(n, 1)), n, nil
}

// Test is a fit of decided outcomes, and its pairs.
type Test struct {
	f      *dense.Fit
	fit    *dense.Refitter
	pairOf []int
	sign   []float64 // of the lines, beside the first of their pair
	pairs  int
	twice  int       // pairs with two outcomes or more, or units
	units  [][]int   // the lines of each unit; nil where outcomes are drawn
	cellOf []int     // of the lines: those of one unit and pair are a cell
	inPair []int     // of the cells
	p      []float64 // of the lines
}

// New is the test of a fit of wins and losses, of weight 1, with the lines of each pair of items, and of each unit; nil
// where outcomes are independent.
func New(f *dense.Fit, pairs, units [][]int) *Test {
	lines := f.Lines
	t := &Test{f: f, fit: dense.NewRefitter(f), units: units, pairOf: make([]int, len(lines)),
		sign: make([]float64, len(lines)), p: make([]float64, len(lines))}
	var unitOf []int
	if units != nil {
		unitOf, t.cellOf = make([]int, len(lines)), make([]int, len(lines))
		for h, set := range units {
			for _, c := range set {
				unitOf[c] = h
			}
		}
	}
	for g, set := range pairs {
		t.pairs++
		count, cells := 0.0, map[int]int{}
		for _, c := range set {
			t.pairOf[c], t.sign[c] = g, 1
			if lines[c].Left != lines[set[0]].Left {
				t.sign[c] = -1
			}
			count += lines[c].Count()
			if t.units == nil {
				continue
			}
			cell, is := cells[unitOf[c]]
			if !is {
				cell = len(t.inPair)
				cells[unitOf[c]] = cell
				t.inPair = append(t.inPair, g)
			}
			t.cellOf[c] = cell
		}
		if t.units != nil && len(cells) >= 2 || t.units == nil && count >= 2 {
			t.twice++
		}
	}
	for c, f := range f.Margins {
		t.p[c] = outcome.Logistic(f)
	}
	return t
}

// fitSteps is about how many steps a fit takes. The signs of units take one.
const fitSteps = 8

// draws is the most draws that the work allows.
func (t *Test) draws() int {
	e, c := float64(t.f.Dims()), float64(len(t.p))
	const line = 40 // operations
	return max(leastDraws, int(min(mostDraws, mostWork/(fitSteps*(2*e*e+line*c)))))
}

// turns is the most draws of the signs of units, and whether these are all patterns.
func (t *Test) turns() (most int, all bool) {
	switch n := len(t.units); {
	case n == 0:
		return 0, true
	case n <= 10:
		return 1<<(n-1) - 1, true
	}
	return t.draws(), false
}

// Twice reports whether any pair has two outcomes or more, or two units.
func (t *Test) Twice() bool { return t.twice > 0 }

// Observed is T of the board.
func (t *Test) Observed() float64 {
	lines := t.f.Lines
	m := make([]outcome.Mass, len(lines))
	for c := range lines {
		m[c] = outcome.Mass{lines[c].Wins, lines[c].Losses}
	}
	return t.newSums().of(m, t.p)
}

// fitted are T of draws lo to hi−1 from the board's probabilities, NaN where one has no fit.
func (t *Test) fitted(ctx context.Context, lo, hi int, seed uint64, see func(float64)) ([]float64, error) {
	out, lines := make([]float64, hi-lo), t.f.Lines
	err := t.fit.Each(ctx, lo, hi, func(k int, m []outcome.Mass) {
		rng := rand.New(rand.NewPCG(seed, 0x6379636c0000+uint64(k)))
		for c := range m {
			n := lines[c].Wins + lines[c].Losses
			wins := draw.Binomial(rng, n, t.p[c])
			m[c] = outcome.Mass{wins, n - wins}
		}
	}, func(k int, m []outcome.Mass, x *dense.Sample) {
		if out[k-lo] = math.NaN(); x != nil {
			for c, f := range x.Margins {
				x.Odds[c] = outcome.Logistic(f)
			}
			out[k-lo] = t.newSums().of(m, x.Odds)
		}
		see(out[k-lo])
	})
	return out, err
}

// turned are T of draws lo to hi−1 of the signs of units; all takes every pattern but that of the board, in turn.
func (t *Test) turned(lo, hi int, all bool, seed uint64, see func(float64)) []float64 {
	s := t.f
	out, sums, e := make([]float64, hi-lo), t.newSums(), make([]float64, len(t.p))
	for c := range e {
		l := &t.f.Lines[c]
		e[c] = residual(l.Wins, l.Losses, t.p[c])
	}
	drawn, sum, step := make([]float64, len(e)), make([]float64, s.Dims()), make([]float64, s.Dims())
	for k := lo; k < hi; k++ {
		rng := rand.New(rand.NewPCG(seed, 0x7475726e0000+uint64(k)))
		clear(sum)
		for h, set := range t.units {
			turn := rng.IntN(2)
			if all {
				turn = (k + 1) >> h & 1
			}
			sign := float64(1 - 2*turn)
			for _, c := range set {
				drawn[c] = sign * e[c]
				s.Row(c).Axpy(drawn[c], sum)
			}
		}
		linalg.Gemv(linalg.NoTrans, 1, t.f.Inverse(), sum, 0, step)
		for c := range drawn {
			n := t.f.Lines[c].Wins + t.f.Lines[c].Losses
			drawn[c] -= n * t.p[c] * (1 - t.p[c]) * s.Row(c).Dot(step)
		}
		out[k-lo] = sums.between(drawn, t.p)
		see(out[k-lo])
	}
	return out
}

// pairSums are Σ e, Σ e² and V of the pairs, and the sums of cells.
type pairSums struct {
	t               *Test
	e, own, v, cell []float64
}

func (t *Test) newSums() *pairSums {
	return &pairSums{t, make([]float64, t.pairs), make([]float64, t.pairs), make([]float64, t.pairs),
		make([]float64, len(t.inPair))}
}

func (s *pairSums) clear() {
	for _, x := range [][]float64{s.e, s.own, s.v, s.cell} {
		clear(x)
	}
}

// residual is the sum of those of some wins and losses.
func residual(wins, losses, p float64) float64 { return wins*(1-p) - losses*p }

// of is T of masses with the probabilities p of the lines.
func (s *pairSums) of(m []outcome.Mass, p []float64) float64 {
	if s.t.units != nil {
		e := make([]float64, len(m))
		for c := range m {
			e[c] = residual(m[c][outcome.Won], m[c][outcome.Lost], p[c])
		}
		return s.between(e, p)
	}
	s.clear()
	for c, g := range s.t.pairOf {
		q := 1 - p[c]
		s.e[g] += s.t.sign[c] * residual(m[c][outcome.Won], m[c][outcome.Lost], p[c])
		s.own[g] += m[c][outcome.Won]*q*q + m[c][outcome.Lost]*p[c]*p[c]
		s.v[g] += (m[c][outcome.Won] + m[c][outcome.Lost]) * p[c] * q
	}
	return s.total()
}

// between is T of the residuals of the lines, of products between units.
func (s *pairSums) between(e, p []float64) float64 {
	s.clear()
	for c, g := range s.t.pairOf {
		l, x := &s.t.f.Lines[c], s.t.sign[c]*e[c]
		s.e[g] += x
		s.v[g] += (l.Wins + l.Losses) * p[c] * (1 - p[c])
		s.cell[s.t.cellOf[c]] += x
	}
	for k, x := range s.cell {
		s.own[s.t.inPair[k]] += x * x
	}
	return s.total()
}

func (s *pairSums) total() (sum float64) {
	for g, e := range s.e {
		sum += (e*e - s.own[g]) / (1 + spreadOfMargins*spreadOfMargins*s.v[g])
	}
	return sum
}
