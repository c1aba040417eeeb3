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

// unitBoard is a population of leaderboards whose comparisons depend on one another, and the ways to find intervals.
type unitBoard struct {
	name string
	draw func(ctx context.Context, rng *rand.Rand) (*league, *comparison.Problem, error)
	ways []unitWay
}

// unitWay is a unit that intervals take as independent: by prepares the problem, find finds the variance.
type unitWay struct {
	name string
	by   func(p *comparison.Problem)
	find func(b *comparison.Board) *comparison.Covariance
}

var (
	byOutcomes = unitWay{"outcomes", func(*comparison.Problem) {}, (*comparison.Board).Sandwich}
	byUnits    = unitWay{"units", func(*comparison.Problem) {}, (*comparison.Board).Jackknife}
	byLines    = unitWay{"lines", func(p *comparison.Problem) { p.ByLine = true }, (*comparison.Board).Jackknife}
	byEqual    = unitWay{"outcomes, equal pair weights", func(p *comparison.Problem) { p.EqualPairs(comparison.Half) },
		(*comparison.Board).Sandwich}
)

// unitBoards are the cells: ten items, whose scores are standard normal.
var unitBoards = append([]unitBoard{
	{"100 votes, each three times", thrice, []unitWay{byOutcomes, byUnits}},
	{"60 questions, each about five pairs", questioned, []unitWay{byOutcomes, byUnits}},
	{"60 lines of 20 outcomes, ρ = 0.2", overdispersed(60, 0.2), []unitWay{byOutcomes, byLines}},
	{"30 lines of 20 outcomes, ρ = 0.2", overdispersed(30, 0.2), []unitWay{byOutcomes, byLines}},
	{"60 lines of 20 outcomes, ρ = 0", overdispersed(60, 0), []unitWay{byOutcomes, byLines}},
	{"2 annotators, of these alone", annotated(2), []unitWay{byOutcomes}},
	{"3 annotators, of these alone", annotated(3), []unitWay{byOutcomes}},
	{"4 annotators, of these alone", annotated(4), []unitWay{byOutcomes}},
	{"5 annotators", board{10, 40, 5}.votes, []unitWay{byUnits}},
	{"10 annotators, one with 70 %", uneven, []unitWay{byUnits}},
	{"pairs of 1 to 30 outcomes", unequal, []unitWay{byOutcomes, byEqual}},
}, gradedBoards()...)

// unitItems is the number of items of these boards.
const unitItems = 10

// votes draws a board, and its votes.
func (b board) votes(ctx context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
	p, err := b.league(ctx, rng, comparison.Logistic)
	if err != nil {
		return nil, nil, err
	}
	return p, b.draw(p, rng), nil
}

// thrice has each vote as three lines of one cluster.
func thrice(ctx context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
	p, problem, err := board{unitItems, 20, 0}.votes(ctx, rng)
	if err != nil {
		return nil, nil, err
	}
	var lines []comparison.Line
	for c, l := range problem.Lines {
		l.Cluster = c
		problem.Clusters = append(problem.Clusters, strconv.Itoa(c))
		lines = append(lines, l, l, l)
	}
	problem.Lines = lines
	return p, problem, nil
}

// questioned has votes about questions: each adds a part of its own to the scores of items, as an annotator does.
func questioned(ctx context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
	p, problem, err := board{unitItems, 60, 60}.votes(ctx, rng)
	if err != nil {
		return nil, nil, err
	}
	problem.Clusters, problem.Annotators = problem.Annotators, nil
	for c := range problem.Lines {
		l := &problem.Lines[c]
		l.Cluster, l.Annotator = l.Annotator, -1
	}
	return p, problem, nil
}

// overdispersed has lines of 20 outcomes of random pairs, whose probability varies by a correlation ρ of outcomes.
func overdispersed(lines int, rho float64) func(context.Context, *rand.Rand) (*league, *comparison.Problem, error) {
	return func(_ context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
		p := board{items: unitItems}.scored(rng)
		p.centre()
		problem := &comparison.Problem{Items: p.names}
		for problem.Lines == nil || problem.Components().Len() > 1 {
			problem.Lines = nil
			for c := range lines {
				i := c % unitItems
				j := (i + 1 + rng.IntN(unitItems-1)) % unitItems
				chance := 1 / (1 + math.Exp(p.scores[j]-p.scores[i]))
				if rho > 0 {
					chance = betaOf(rng, chance*(1/rho-1), (1-chance)*(1/rho-1))
				}
				l := comparison.Line{Left: i, Right: j, Annotator: -1, Stratum: -1}
				for range 20 {
					if rng.Float64() < chance {
						l.Wins++
					} else {
						l.Losses++
					}
				}
				problem.Lines = append(problem.Lines, l)
			}
		}
		return p, problem, nil
	}
}

// centre makes the scores the truth, with mean 0.
func (p *league) centre() {
	mean := 0.0
	for _, s := range p.scores {
		mean += s / float64(len(p.scores))
	}
	p.truth = nil
	for _, s := range p.scores {
		p.truth = append(p.truth, s-mean)
	}
}

// betaOf draws from a beta distribution: the share of the first of two gamma variables, by Jöhnk's rejection for shapes
// that are small, and by sums of exponential variables for whole parts.
func betaOf(rng *rand.Rand, a, b float64) float64 {
	x, y := gamma(rng, a), gamma(rng, b)
	return x / (x + y)
}

// gamma draws from the gamma distribution (Marsaglia and Tsang 2000).
func gamma(rng *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(rng, shape+1) * math.Pow(1-rng.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	for {
		z := rng.NormFloat64()
		v := math.Pow(1+z/math.Sqrt(9*d), 3)
		if v > 0 && math.Log(1-rng.Float64()) < z*z/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// annotated has votes of a few annotators. The truth is that of these alone, each with as many votes.
func annotated(n int) func(context.Context, *rand.Rand) (*league, *comparison.Problem, error) {
	return func(ctx context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
		b := board{unitItems, 40, n}
		p := b.scored(rng)
		tastes := make([][]float64, n)
		problem := &comparison.Problem{Items: p.names}
		for h := range tastes {
			problem.Annotators = append(problem.Annotators, strconv.Itoa(h))
			for range unitItems {
				tastes[h] = append(tastes[h], taste*rng.NormFloat64())
			}
		}
		all := &comparison.Problem{Items: p.names}
		for i := range unitItems {
			for j := range i {
				wins := 0.0
				for h := range tastes {
					wins += 1 / (1 + math.Exp(p.scores[j]-p.scores[i]+tastes[h][j]-tastes[h][i])) / float64(n)
				}
				all.Lines = append(all.Lines, comparison.Line{Left: i, Right: j, Wins: wins, Losses: 1 - wins, Annotator: -1,
					Stratum: -1})
			}
		}
		truth, err := comparison.Fit(ctx, all, comparison.Options{Loss: comparison.Logistic})
		if err != nil {
			return nil, nil, err
		}
		p.truth = truth.Scores
		for c := range unitItems * 20 {
			i := c % unitItems
			j := (i + 1 + rng.IntN(unitItems-1)) % unitItems
			problem.Lines = append(problem.Lines, b.outcome(p, i, j, tastes, rng))
		}
		return p, problem, nil
	}
}

// uneven has ten annotators, of whom the first has 70 % of the votes.
func uneven(ctx context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
	b := board{unitItems, 40, 10}
	p, err := b.league(ctx, rng, comparison.Logistic)
	if err != nil {
		return nil, nil, err
	}
	problem := b.draw(p, rng)
	tastes := make([][]float64, 10)
	for h := range tastes {
		for range unitItems {
			tastes[h] = append(tastes[h], taste*rng.NormFloat64())
		}
	}
	for c := range problem.Lines {
		who := 0
		if rng.Float64() > 0.7 {
			who = 1 + rng.IntN(9)
		}
		l := &problem.Lines[c]
		*l = board{unitItems, 40, 1}.outcome(p, l.Left, l.Right, tastes[who:who+1], rng)
		l.Annotator = who
	}
	return p, problem, nil
}

// unequal has pairs that were compared once to thirty times.
func unequal(_ context.Context, rng *rand.Rand) (*league, *comparison.Problem, error) {
	p := board{items: unitItems}.scored(rng)
	p.centre()
	problem := &comparison.Problem{Items: p.names}
	for i := range unitItems {
		for j := range i {
			for range 1 + int(30*math.Pow(rng.Float64(), 3)) {
				problem.Lines = append(problem.Lines, board{}.outcome(p, i, j, nil, rng))
			}
		}
	}
	return p, problem, nil
}

// boardUnitTable is the section on what is independent.
func boardUnitTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals of centred scores, and of all sets of ranks together; ten items, "+
		"logistic loss; %d simulations per cell, seed %d:\n\n| board | taken as independent | scores | mean width | "+
		"ranks |\n%s|\n",
		s.simulations, s.seed, strings.Repeat("|---", 5))
	for number, u := range unitBoards {
		if !strings.Contains(u.name, s.cells) {
			continue
		}
		found, err := results(ctx, s, uint64(9_300_000+number), func(k int, rng *rand.Rand) ([]covered, error) {
			return u.check(ctx, rng, uint64(k))
		})
		if err != nil {
			return "", err
		}
		for w, way := range u.ways {
			n, scores, width, ranks := 0.0, 0.0, 0.0, 0.0
			for _, f := range found {
				if f != nil && f[w].fitted {
					n, scores, width = n+1, scores+100*f[w].scores, width+f[w].width
					if f[w].ranks {
						ranks += 100
					}
				}
			}
			fmt.Fprintf(&text, "| %s | %s | %.1f | %.3f | %.1f |\n", u.name, way.name, scores/n, width/n, ranks/n)
		}
	}
	return text.String(), nil
}

// check draws a board, and finds its intervals in all ways; nil where an item only wins.
func (u unitBoard) check(ctx context.Context, rng *rand.Rand, seed uint64) (found []covered, err error) {
	p, problem, err := u.draw(ctx, rng)
	if err != nil {
		return nil, err
	}
	for _, w := range u.ways {
		q := *problem
		q.Lines = append([]comparison.Line(nil), problem.Lines...)
		w.by(&q)
		fitted, err := comparison.Fit(ctx, &q, comparison.Options{Loss: comparison.Logistic})
		var separated *comparison.SeparatedError
		if errors.As(err, &separated) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		c := covered{}
		if v := w.find(fitted); v != nil {
			c = p.covered(fitted, v, seed)
		}
		found = append(found, c)
	}
	return found, nil
}
