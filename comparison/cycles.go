package comparison

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/comparison/internal/cycles"
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

// FindCycles tests whether scores explain how often each item of a pair wins. The null hypothesis is the model of
// Bradley and Terry, whatever loss ranks the board: a squared fit of its data is not linear, and would look cyclic.
// Ties are left out, and an outcome between a win and a loss is that of the side that it favours. Under Davidson's
// model the decided outcomes have Bradley and Terry's probabilities with the same scores, so that the test needs no
// model of how often a pair ties. Weights and features of items do not count; covariates do. The scores are
// bias-reduced, which are finite.
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
	unit, units := q.independent(2)
	out := &Cycles{P: 1, Unit: unit, Units: len(units), Triangles: q.triangles(b.Scores, CyclesLevel)}
	t := cycles.New(b.f, q.ByPair(), units)
	if out.Statistic = t.Observed(); !t.Twice() {
		return out, nil
	}
	found, err := t.Run(ctx, out.Statistic, seed, progress)
	out.P, out.Expected, out.Replicates, out.Turns = found.P, found.Expected, found.Replicates, found.Turns
	return out, err
}

// decided is the problem of the outcomes that are no ties, each of weight 1, without features.
func (p *Problem) decided() (*Problem, error) {
	var at []int
	for c := range p.count() {
		l := p.source().At(c)
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
		l.Ties, l.Weight, l.Magnitude, l.Rest, l.Stratum = 0, 1, 1, 0, -1
	}
	return out, nil
}
