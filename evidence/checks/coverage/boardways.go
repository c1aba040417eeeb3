package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"pairrank/comparison"
	"pairrank/data"
)

// boardSamples is the number of samples of each bootstrap of the table.
const boardSamples = 200

// wayBoards are the cells of the tables of ways to find intervals and of the test of cycles: boards of 100 items or
// annotators cost too much.
var wayBoards = func() (all []board) {
	for _, b := range boards {
		if b.items <= 20 && b.annotators < 100 {
			all = append(all, b)
		}
	}
	return all
}()

// boardWay is a fit with a way to find its intervals.
type boardWay struct {
	name      string
	options   comparison.Options
	bootstrap bool
}

var boardWays = []boardWay{
	{"bootstrap, finite", comparison.Options{Loss: comparison.Logistic}, true},
	{"bootstrap, bias-reduced", comparison.Options{Loss: comparison.Logistic, BiasReduced: true}, true},
	{"squared", comparison.Options{Loss: comparison.Squared}, false},
	{"bootstrap, squared", comparison.Options{Loss: comparison.Squared}, true},
}

// boardWayTable is the section on the bootstrap, and on the squared loss.
func boardWayTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals of centred scores, and in brackets of all sets of ranks together; %d "+
		"simulations per cell, %d samples of a bootstrap, seed %d:\n\n", s.simulations, boardSamples, s.seed)
	text.WriteString("| annotators | items | comparisons an item |")
	for _, w := range boardWays {
		text.WriteString(" " + w.name + " |")
	}
	text.WriteString("\n" + strings.Repeat("|---", 3+len(boardWays)) + "|\n")
	for number, b := range s.ways {
		found, err := results(ctx, s, uint64(9_100_000+number), func(k int, rng *rand.Rand) ([]covered, error) {
			return b.ways(ctx, rng, uint64(k))
		})
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "| %s | %d | %d |", b.whose(), b.items, b.each)
		for w := range boardWays {
			n, scores, ranks := 0.0, 0.0, 0.0
			for _, f := range found {
				if f[w].fitted {
					n++
					scores += 100 * f[w].scores
					if f[w].ranks {
						ranks += 100
					}
				}
			}
			if n < fewBoards {
				text.WriteString(" – |")
			} else {
				fmt.Fprintf(&text, " %.1f (%.1f) |", scores/n, ranks/n)
			}
		}
		text.WriteString("\n")
	}
	return text.String(), nil
}

// ways draws a board, and checks it in all ways.
func (b board) ways(ctx context.Context, rng *rand.Rand, seed uint64) (found []covered, err error) {
	p, err := b.league(ctx, rng, comparison.Logistic)
	if err != nil {
		return nil, err
	}
	squared, err := b.trueScores(ctx, p, comparison.Squared)
	if err != nil {
		return nil, err
	}
	problem := b.draw(p, rng)
	for _, w := range boardWays {
		of := *p
		if w.options.Loss == comparison.Squared {
			of.truth = squared
		}
		c, err := b.check(ctx, &of, problem, w, seed)
		if err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, nil
}

// planted is by how much the margin of each side of a planted circle is changed, and scattered the standard deviation
// of margins around the ranking.
const planted, scattered = 1.5, 0.7

// cyclesTable is the section on the test of cycles: false alarms, and power against two ways in which no ranking is
// true.
func cyclesTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Boards in %% with p at most 0.05, and in brackets those that name a triangle; %d simulations per "+
		"cell, seed %d:\n\n", s.simulations, s.seed)
	text.WriteString("| annotators | items | comparisons an item | a ranking is true | a circle in five items | " +
		"all pairs deviate |\n" + strings.Repeat("|---", 6) + "|\n")
	for number, b := range s.ways {
		fmt.Fprintf(&text, "| %s | %d | %d |", b.whose(), b.items, b.each)
		for kind := range 3 {
			rejected, named := make([]bool, s.simulations), make([]bool, s.simulations)
			all, err := results(ctx, s, uint64(9_200_000+10*number+kind),
				func(k int, rng *rand.Rand) (*comparison.Cycles, error) {
					p, err := b.league(ctx, rng, comparison.Logistic)
					if err != nil {
						return nil, err
					}
					p.deviate(kind, rng)
					return comparison.FindCycles(ctx, b.draw(p, rng), uint64(k), nil)
				})
			if err != nil {
				return "", err
			}
			for k, c := range all {
				rejected[k], named[k] = c.P <= 0.05, c.Triangles.Found > 0
			}
			fmt.Fprintf(&text, " %s (%s) |", share(rejected), share(named))
		}
		text.WriteString("\n")
	}
	return text.String(), nil
}

// deviate makes margins that no scores have: of circles of three in every five items, or of all pairs.
func (p *league) deviate(kind int, rng *rand.Rand) {
	n := len(p.scores)
	if kind == 0 {
		return
	}
	p.deviation = make([][]float64, n)
	for i := range p.deviation {
		p.deviation[i] = make([]float64, n)
	}
	set := func(i, j int, d float64) { p.deviation[i][j], p.deviation[j][i] = d, -d }
	for i := range n {
		for j := range i {
			if kind == 2 {
				set(i, j, scattered*rng.NormFloat64())
			}
		}
	}
	for g := 0; kind == 1 && g+2 < n; g += 5 {
		for k := range 3 {
			set(g+k, g+(k+1)%3, planted)
		}
	}
}

// margin is that of two items without annotators.
func (p *league) margin(i, j int) float64 {
	m := p.scores[i] - p.scores[j]
	if p.deviation != nil {
		m += p.deviation[i][j]
	}
	return m
}

// whose is the cell of the annotators.
func (b board) whose() string {
	if b.annotators == 0 {
		return "none"
	}
	return fmt.Sprint(b.annotators)
}

// trueScores are those of all pairs at the probabilities of the population.
func (b board) trueScores(ctx context.Context, p *league, loss comparison.Loss) ([]float64, error) {
	return b.trueBy(ctx, p, loss, nil)
}

// trueBy are the scores, by features where there are any, that fit all pairs at their true probabilities.
func (b board) trueBy(ctx context.Context, p *league, loss comparison.Loss, x *data.Dense) ([]float64, error) {
	all := &comparison.Problem{Items: p.names, Features: x}
	for i := range p.scores {
		for j := range i {
			wins := b.probability(p.scores[i] - p.scores[j])
			all.Lines = append(all.Lines, comparison.Line{Left: i, Right: j, Wins: wins, Losses: 1 - wins, Annotator: -1,
				Stratum: -1})
		}
	}
	fitted, err := comparison.Fit(ctx, all, comparison.Options{Loss: loss})
	if err != nil {
		return nil, err
	}
	return fitted.Scores, nil
}

// covariance is that of a way, as the command finds it.
func (w boardWay) covariance(ctx context.Context, fitted *comparison.Board, annotators int, seed uint64) (
	*comparison.Covariance, error) {
	if w.bootstrap {
		v, err := fitted.Bootstrap(ctx, boardSamples, seed, nil)
		if !errors.Is(err, comparison.ErrFewSamples) {
			return v, err
		}
	} else if annotators > 0 {
		if v := fitted.Jackknife(); v != nil {
			return v, nil
		}
	}
	return fitted.Sandwich(), nil
}

// sure reports whether a standard error is known.
func sure(v *comparison.Covariance, i int) bool { return !math.IsNaN(v.Of(i, -1)) }
