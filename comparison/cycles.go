package comparison

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/draw"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/linalg"
)

// Cycles is the test whether one ranking explains the comparisons, and the significant triangles.
type Cycles struct {
	// P is the probability of a statistic at least as large where scores explain the pairs. It is 1 where no pair was
	// compared twice.
	P float64
	// Statistic is T of the board, and Expected its mean over the draws of outcomes.
	Statistic, Expected float64
	// Replicates is how many draws of all outcomes there were, and Turns how many of the signs of units.
	Replicates, Turns int
	// Unit is what is independent, as Problem.Independent names it, and Units how many there are; "" and 0 are outcomes.
	Unit  string
	Units int
	// Triangles are the cycles that are sure, by themselves.
	Triangles *Triangles
}

// CyclesLevel is the level of a test of cycles, and of all its triangles together.
const CyclesLevel = 0.05

// spreadOfMargins is the standard deviation of margins around the ranking against which the test has the most power.
const spreadOfMargins = 0.5

// A test ends when enough draws are at least as large, or after mostDraws; a large board draws no more than the work
// allows, but leastDraws.
const (
	mostDraws, leastDraws, enough, drawsAtOnce = 999, 99, 50, 50
	mostWork                                   = 2e10
)

// FindCycles tests whether scores explain how often each item of a pair wins. The null hypothesis is the model of
// Bradley and Terry, whatever loss ranks the board: a squared fit of its data is not linear, and would look cyclic.
// Ties are left out. Under Davidson's model the decided outcomes have Bradley and Terry's probabilities with the same
// scores, so that the test needs no model of how often a pair ties. Weights and features of items do not count;
// covariates do. The scores are bias-reduced, which are finite.
//
// With the residuals e of single outcomes, each 1 − p or −p as the left item wins or loses, T sums over pairs the
// products of different outcomes,
//
//	T = Σ_pairs [(Σ e)² − Σ e²] / (1 + σ²V)        V = Σ p(1 − p), σ = ½
//
// which are 0 on average where the scores explain the pair, and positive where its margin is another one; the weights
// are those of the most powerful test against margins that deviate by σ (as Dean 1992, Testing for overdispersion in
// Poisson and binomial regression models). A single outcome says nothing about its pair. P is (k + 1)/(B + 1) where k
// of B = 999 draws from the board's own probabilities, each fitted anew, have at least this T, or as soon as k is 50,
// k/B (Besag and Clifford 1991, Sequential Monte Carlo p-values).
//
// Votes of an annotator depend on one another: draws of single outcomes failed 4.5 to 7 % of 200 boards with tastes of
// items (evidence/checks/coverage/boards.go), and would fail more where annotators repeat themselves on a pair. Where
// there are units of Problem.Independent, T has only the products of different units, and P is the larger of two: that
// of the draws, and that of turning the signs of all residuals of a unit together, with the residuals left after one
// step to the scores of the turned ones (Cameron, Gelbach and Miller 2008, Bootstrap-based improvements for inference
// with clustered errors). H units have 2^(H−1) patterns of signs. All are taken, or B of them; fewer than six units
// cannot have a P of 0.05. The signs alone failed 30 to 38 % of 400 boards with 3 comparisons an item, where few pairs
// have two annotators.
//
// A draw costs O(C p + E²) a step and the board O(C p² + E³) a step; a large board has fewer draws, but 99. progress
// receives how much of the drawing is done, from several goroutines; nil discards it. FindCycles returns the errors of
// Fit, and one where there are only ties or a count is not whole.
func FindCycles(ctx context.Context, p *Problem, seed uint64, progress func(done, total int)) (*Cycles, error) {
	q, err := p.decided()
	if err != nil {
		return nil, err
	}
	b, err := Fit(ctx, q, Options{Loss: Logistic, Ties: Drop, BiasReduced: true})
	if err != nil {
		return nil, err
	}
	t := newCycleTest(b)
	out := &Cycles{P: 1, Unit: t.unit, Units: len(t.units), Triangles: q.triangles(b.Scores, CyclesLevel)}
	if out.Statistic = t.observed(); t.twice == 0 {
		return out, nil
	}
	draws := t.draws()
	turns, all := t.turns()
	steps := fitSteps*draws + turns
	progress = begun(progress, steps)
	out.P, out.Expected, out.Replicates, err = tail(out.Statistic, draws, func(done int) {
		progress(fitSteps*done, steps)
	}, func(lo, hi int, see func(float64)) ([]float64, error) { return t.fitted(ctx, lo, hi, seed, see) })
	if err != nil || t.units == nil {
		return out, err
	}
	turned, _, turns, err := tail(out.Statistic, turns, func(done int) {
		progress(fitSteps*draws+done, steps)
	}, func(lo, hi int, see func(float64)) ([]float64, error) {
		return t.turned(lo, hi, all, seed, see), ctx.Err()
	})
	out.P, out.Turns = max(out.P, turned), turns
	return out, err
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

// decided is the problem of the outcomes that are no ties, each of weight 1, without features.
func (p *Problem) decided() (*Problem, error) {
	var at []int
	for c, l := range p.Lines {
		if l.Wins != math.Trunc(l.Wins) || l.Losses != math.Trunc(l.Losses) {
			return nil, fmt.Errorf("comparison %d: a test of cycles needs whole counts, not %v and %v", c+1, l.Wins, l.Losses)
		}
		if l.Wins+l.Losses > 0 {
			at = append(at, c)
		}
	}
	if len(at) == 0 {
		return nil, errors.New("a test of cycles needs wins, and there are only ties")
	}
	out := p.WithoutFeatures().Of(at)
	out.Strata = nil
	for k := range out.Lines {
		l := &out.Lines[k]
		l.Ties, l.Weight, l.Magnitude, l.Stratum = 0, 1, 1, -1
	}
	return out, nil
}

// cycleTest is a board of decided outcomes, and its pairs.
type cycleTest struct {
	b      *Board
	fit    *dense.Refitter
	pairOf []int
	sign   []float64 // of the lines, beside the first of their pair
	pairs  int
	twice  int       // pairs with two outcomes or more, or units
	unit   string    // what the units are
	units  [][]int   // the lines of each unit; nil where outcomes are drawn
	cellOf []int     // of the lines: those of one unit and pair are a cell
	inPair []int     // of the cells
	p      []float64 // of the lines
}

func newCycleTest(b *Board) *cycleTest {
	q := b.p
	t := &cycleTest{b: b, fit: dense.NewRefitter(b.f), pairOf: make([]int, len(q.Lines)), sign: make([]float64, len(q.Lines)),
		p: make([]float64, len(q.Lines))}
	var unitOf []int
	if t.unit, t.units = q.Independent(2); t.units != nil {
		unitOf = q.setOf(t.units)
		t.cellOf = make([]int, len(q.Lines))
	}
	for g, set := range q.ByPair() {
		t.pairs++
		count, cells := 0.0, map[int]int{}
		for _, c := range set {
			t.pairOf[c], t.sign[c] = g, 1
			if q.Lines[c].Left != q.Lines[set[0]].Left {
				t.sign[c] = -1
			}
			count += q.Lines[c].Count()
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
	for c, f := range b.Margins {
		t.p[c] = outcome.Logistic(f)
	}
	return t
}

// fitSteps is about how many steps a fit takes. The signs of units take one.
const fitSteps = 8

// draws is the most draws that the work allows.
func (t *cycleTest) draws() int {
	e, c := float64(t.b.s.Dims()), float64(len(t.p))
	const line = 40 // operations
	return max(leastDraws, int(min(mostDraws, mostWork/(fitSteps*(2*e*e+line*c)))))
}

// turns is the most draws of the signs of units, and whether these are all patterns.
func (t *cycleTest) turns() (most int, all bool) {
	switch n := len(t.units); {
	case n == 0:
		return 0, true
	case n <= 10:
		return 1<<(n-1) - 1, true
	}
	return t.draws(), false
}

// observed is T of the board.
func (t *cycleTest) observed() float64 {
	lines := t.b.p.Lines
	m := make([]outcome.Mass, len(lines))
	for c := range lines {
		m[c] = outcome.Mass{lines[c].Wins, lines[c].Losses}
	}
	return t.newSums().of(m, t.p)
}

// fitted are T of draws lo to hi−1 from the board's probabilities, NaN where one has no fit.
func (t *cycleTest) fitted(ctx context.Context, lo, hi int, seed uint64, see func(float64)) ([]float64, error) {
	out, lines := make([]float64, hi-lo), t.b.p.Lines
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
func (t *cycleTest) turned(lo, hi int, all bool, seed uint64, see func(float64)) []float64 {
	s := t.b.s
	out, sums, e := make([]float64, hi-lo), t.newSums(), make([]float64, len(t.p))
	for c := range e {
		l := &t.b.p.Lines[c]
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
		linalg.Gemv(linalg.NoTrans, 1, t.b.inverse(), sum, 0, step)
		for c := range drawn {
			n := t.b.p.Lines[c].Wins + t.b.p.Lines[c].Losses
			drawn[c] -= n * t.p[c] * (1 - t.p[c]) * s.Row(c).Dot(step)
		}
		out[k-lo] = sums.between(drawn, t.p)
		see(out[k-lo])
	}
	return out
}

// pairSums are Σ e, Σ e² and V of the pairs, and the sums of cells.
type pairSums struct {
	t               *cycleTest
	e, own, v, cell []float64
}

func (t *cycleTest) newSums() *pairSums {
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
		l, x := &s.t.b.p.Lines[c], s.t.sign[c]*e[c]
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
