package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"pairrank/comparison"
)

// gradedBoard is a population of leaderboards whose outcomes are probabilities: the logistic function of the margin
// with normal noise and the tastes of the annotator, rounded to steps, 0 for none.
type gradedBoard struct {
	board
	noise, step float64
}

// gradedBoards are the cells of boards with graded outcomes.
func gradedBoards() (all []unitBoard) {
	for _, g := range []gradedBoard{{board{unitItems, 5, 0}, 1, 0}, {board{unitItems, 10, 0}, 1, 0},
		{board{unitItems, 40, 0}, 1, 0}, {board{unitItems, 10, 0}, 0.3, 0}, {board{unitItems, 10, 0}, 1, 0.25},
		{board{unitItems, 40, 0}, 1, 0.25}, {board{unitItems, 40, 8}, 1, 0}, {board{unitItems, 40, 30}, 1, 0},
		{board{unitItems, 40, 8}, 1, 0.25}, {board{unitItems, 40, 30}, 1, 0.25}} {
		name, ways := fmt.Sprintf("graded, noise %v, %d an item", g.noise, g.each), []unitWay{byOutcomes}
		if g.step > 0 {
			name = fmt.Sprintf("%s, steps of %v", name, g.step)
		}
		if g.annotators > 0 {
			name, ways = fmt.Sprintf("%s, %d annotators", name, g.annotators), append(ways, byUnits)
		}
		all = append(all, unitBoard{name, g.draw, ways})
	}
	return all
}

// outcome is the graded outcome of a margin.
func (g gradedBoard) outcome(margin float64) float64 {
	y := 1 / (1 + math.Exp(-margin))
	if g.step > 0 {
		y = math.Round(y/g.step) * g.step
	}
	return y
}

// mean is that of the outcomes of a margin, by a sum over steps of a twentieth of a deviation of noise and tastes.
func (g gradedBoard) mean(margin float64) float64 {
	deviation := g.noise
	if g.annotators > 0 {
		deviation = math.Sqrt(g.noise*g.noise + 2*taste*taste)
	}
	sum, weight := 0.0, 0.0
	for k := -120; k <= 120; k++ {
		z := float64(k) / 20
		w := math.Exp(-z * z / 2)
		sum, weight = sum+w*g.outcome(margin+deviation*z), weight+w
	}
	return sum / weight
}

// draw draws a population, whose truth is the board of infinitely many outcomes, and comparisons of random pairs.
func (g gradedBoard) draw(ctx context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
	p := g.scored(rng)
	all, problem := &comparison.Problem{Items: p.names}, &comparison.Problem{Items: p.names}
	for i := range g.items {
		for j := range i {
			y := g.mean(p.scores[i] - p.scores[j])
			all.Lines = append(all.Lines, comparison.Line{Left: i, Right: j, Wins: y, Losses: 1 - y, Annotator: -1, Stratum: -1})
		}
	}
	truth, err := comparison.Fit(ctx, all, comparison.Options{Loss: comparison.Logistic})
	if err != nil {
		return nil, nil, err
	}
	p.truth = truth.Scores
	tastes := make([]float64, g.annotators*g.items)
	for k := range tastes {
		tastes[k] = taste * rng.NormFloat64()
	}
	for h := range g.annotators {
		problem.Annotators = append(problem.Annotators, strconv.Itoa(h))
	}
	for problem.Lines == nil || problem.Components().Len() > 1 {
		problem.Lines = nil
		for c := range g.items * g.each / 2 {
			i := c % g.items
			j := (i + 1 + rng.IntN(g.items-1)) % g.items
			l := comparison.Line{Left: i, Right: j, Annotator: -1, Stratum: -1}
			margin := p.scores[i] - p.scores[j] + g.noise*rng.NormFloat64()
			if g.annotators > 0 {
				l.Annotator = rng.IntN(g.annotators)
				margin += tastes[l.Annotator*g.items+i] - tastes[l.Annotator*g.items+j]
			}
			switch y := g.outcome(margin); {
			case y > 0.5:
				l.Wins, l.Rest = 1, 1-y
			case y < 0.5:
				l.Losses, l.Rest = 1, y
			default:
				l.Ties = 1
			}
			problem.Lines = append(problem.Lines, l)
		}
	}
	return p, problem, nil
}
