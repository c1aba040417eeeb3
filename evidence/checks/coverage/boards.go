package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"pairrank/comparison"
)

// board is a population of leaderboards: items whose scores are standard normal, comparisons of random
// pairs, so many an item, and annotators, each with tastes of its own, or none.
type board struct{ items, each, annotators int }

// taste is the standard deviation of what an annotator adds to the score of each item.
const taste = 0.7

// boards are the cells of the table.
var boards = func() (all []board) {
	for _, annotators := range []int{0, 8, 30, 100} {
		for _, items := range []int{5, 20, 100} {
			for _, each := range []int{3, 10, 40} {
				all = append(all, board{items, each, annotators})
			}
		}
	}
	return all
}()

// league is a board with its true scores: with annotators, those of the board of infinitely many.
type league struct {
	scores, truth []float64
	names         []string
	deviation     [][]float64 // of margins from the scores; nil without
}

// league draws a population, with its true scores by a loss.
func (b board) league(ctx context.Context, rng *rand.Rand, loss comparison.Loss) (*league, error) {
	p := b.scored(rng)
	truth, err := b.trueScores(ctx, p, loss)
	p.truth = truth
	return p, err
}

// scored is a league with its scores alone.
func (b board) scored(rng *rand.Rand) *league {
	p := &league{scores: make([]float64, b.items)}
	for i := range p.scores {
		p.scores[i] = rng.NormFloat64()
		p.names = append(p.names, strconv.Itoa(i))
	}
	return p
}

// probability is that of a win over all annotators, by a sum over their tastes at steps of a fifth of a deviation.
func (b board) probability(margin float64) float64 {
	if b.annotators == 0 {
		return 1 / (1 + math.Exp(-margin))
	}
	sum, weight := 0.0, 0.0
	for k := -30; k <= 30; k++ {
		z := float64(k) / 5
		w := math.Exp(-z * z / 2)
		sum += w / (1 + math.Exp(-margin-taste*math.Sqrt2*z))
		weight += w
	}
	return sum / weight
}

// draw makes comparisons of random pairs, drawn again until they connect all items.
func (b board) draw(p *league, rng *rand.Rand) *comparison.Problem {
	out := &comparison.Problem{Items: p.names}
	tastes := make([][]float64, b.annotators)
	for h := range tastes {
		out.Annotators = append(out.Annotators, strconv.Itoa(h))
		tastes[h] = make([]float64, b.items)
		for i := range tastes[h] {
			tastes[h][i] = taste * rng.NormFloat64()
		}
	}
	for out.Lines == nil || out.Components().Len() > 1 {
		out.Lines = nil
		for c := range b.items * b.each / 2 {
			i, j := c%b.items, rng.IntN(b.items-1)
			if j >= i {
				j++
			}
			out.Lines = append(out.Lines, b.outcome(p, i, j, tastes, rng))
		}
	}
	return out
}

// outcome is a comparison of two items by a random annotator, where there are any.
func (b board) outcome(p *league, i, j int, tastes [][]float64, rng *rand.Rand) comparison.Line {
	l := comparison.Line{Left: i, Right: j, Annotator: -1, Stratum: -1}
	margin := p.margin(i, j)
	if b.annotators > 0 {
		l.Annotator = rng.IntN(b.annotators)
		margin += tastes[l.Annotator][i] - tastes[l.Annotator][j]
	}
	if rng.Float64()*(1+math.Exp(-margin)) < 1 {
		l.Wins = 1
	} else {
		l.Losses = 1
	}
	return l
}

// covered is what is found of one fit of one board.
type covered struct {
	fitted  bool
	scores  float64 // the share of the intervals that hold
	without float64 // the share of the items without an interval
	ranks   bool    // whether all sets of ranks hold
	width   float64 // the mean width of the intervals
}

// check fits a board, and compares its intervals and sets of ranks with the truth.
func (b board) check(ctx context.Context, p *league, problem *comparison.Problem, way boardWay, seed uint64) (covered,
	error) {
	fitted, err := comparison.Fit(ctx, problem, way.options)
	var separated *comparison.SeparatedError
	if errors.As(err, &separated) {
		return covered{}, nil
	} else if err != nil {
		return covered{}, err
	}
	v, err := way.covariance(ctx, fitted, b.annotators, seed)
	if err != nil {
		return covered{}, err
	}
	return p.covered(fitted, v, seed), nil
}

// covered compares the intervals and sets of ranks of a board with the truth.
func (p *league) covered(fitted *comparison.Board, v *comparison.Covariance, seed uint64) covered {
	n, shift := 0.0, 0.0
	for i, at := range fitted.Scores {
		if sure(v, i) {
			n, shift = n+1, shift+at-p.truth[i]
		}
	}
	out := covered{fitted: true, ranks: true, without: 1 - n/float64(len(p.truth))}
	ranks := fitted.RanksOf(v, seed)
	for i, at := range fitted.Scores {
		if se := v.Of(i, -1); math.Abs(at-p.truth[i]-shift/n) <= v.Quantile*se {
			out.scores += 1 / n
		}
		if se := v.Of(i, -1); sure(v, i) {
			out.width += 2 * v.Quantile * se / n
		}
		rank := 1
		for _, s := range p.truth {
			if s > p.truth[i] {
				rank++
			}
		}
		out.ranks = out.ranks && ranks.Lo[i] <= rank && rank <= ranks.Hi[i]
	}
	return out
}

// boardTable is the section on leaderboards. Its cost is mostly that of boards of 100 items.
func boardTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals of centred scores, and of all sets of ranks together; %d simulations "+
		"per cell, seed %d:\n\n", s.simulations, s.seed)
	text.WriteString("| annotators | items | comparisons an item | separated | no interval | scores, finite | " +
		"scores, bias-reduced | ranks, finite | ranks, bias-reduced |\n" + strings.Repeat("|---", 9) + "|\n")
	for number, b := range s.boards {
		found, err := results(ctx, s, uint64(9_000_000+number), func(k int, rng *rand.Rand) (both [2]covered, err error) {
			p, err := b.league(ctx, rng, comparison.Logistic)
			if err != nil {
				return both, err
			}
			problem := b.draw(p, rng)
			for way, reduced := range []bool{false, true} { // finite, bias-reduced
				if err == nil {
					o := comparison.Options{Loss: comparison.Logistic, BiasReduced: reduced}
					both[way], err = b.check(ctx, p, problem, boardWay{options: o}, uint64(k))
				}
			}
			return both, err
		})
		if err != nil {
			return "", err
		}
		text.WriteString(b.row(found))
	}
	return text.String(), nil
}

// fewBoards is the least number of finite boards of which coverage is told.
const fewBoards = 30

// row is the row of a cell.
func (b board) row(found [][2]covered) string {
	var n, scores, ranks, without [2]float64
	for _, f := range found {
		for way, c := range f {
			if c.fitted {
				n[way]++
				scores[way] += c.scores
				without[way] += c.without
				if c.ranks {
					ranks[way]++
				}
			}
		}
	}
	part := func(sum [2]float64, way int) string {
		if n[way] < fewBoards {
			return "–"
		}
		return fmt.Sprintf("%.1f", 100*sum[way]/n[way])
	}
	return fmt.Sprintf("| %s | %d | %d | %.1f | %.1f | %s | %s | %s | %s |\n", b.whose(), b.items, b.each,
		100*(1-n[0]/float64(len(found))), 100*without[1]/max(n[1], 1), part(scores, 0), part(scores, 1), part(ranks, 0),
		part(ranks, 1))
}
