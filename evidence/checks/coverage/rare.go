package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"pairrank/comparison"
	"pairrank/event"
	"pairrank/internal/codes"
)

// rareBoard is a league of items with 36 comparisons each, and of rare ones with two each, as guests of a season.
type rareBoard struct{ items, rare int }

var rareBoards = []rareBoard{{20, 0}, {20, 3}, {20, 8}, {60, 20}, {10, 30}}

// rareFound is what is found of a board by one reference, of the regular items and of the rare ones.
type rareFound struct {
	told           bool // that rare items widen the intervals
	covered, width [2]float64
}

// draw makes a board: rare items are the last.
func (b rareBoard) draw(rng *rand.Rand) (*league, *comparison.Problem) {
	p := board{items: b.items + b.rare}.scored(rng)
	p.centre()
	problem := &comparison.Problem{Items: p.names}
	for c := range b.items * 18 {
		i := c % b.items
		j := (i + 1 + rng.IntN(b.items-1)) % b.items
		problem.Lines = append(problem.Lines, board{}.outcome(p, i, j, nil, rng))
	}
	for c := range 2 * b.rare {
		problem.Lines = append(problem.Lines, board{}.outcome(p, b.items+c/2, rng.IntN(b.items), nil, rng))
	}
	return p, problem
}

// check finds intervals by both references: the mean of the items, and the mean over comparisons.
func (b rareBoard) check(ctx context.Context, rng *rand.Rand) (found [2]rareFound, err error) {
	p, problem := b.draw(rng)
	for reference := range found {
		r, err := comparison.Rank(ctx, *problem, comparison.RankOptions{ByComparisons: reference == 1,
			Options:  comparison.Options{Loss: comparison.Logistic, BiasReduced: true},
			Variance: comparison.BySandwich})
		if err != nil {
			return found, err
		}
		v, f, shift := r.Variance, &found[reference], 0.0
		f.told = slices.ContainsFunc(r.Notes, func(n event.Note) bool { return n.Code == codes.NoteRareItems })
		if reference == 1 {
			f.told, shift = found[0].told, b.meanOver(problem, p.truth)
		}
		for i, at := range r.Board.Scores {
			kind, n := 0, b.items
			if i >= b.items {
				kind, n = 1, b.rare
			}
			half := v.Width(i, -1)
			f.width[kind] += 2 * half / float64(n)
			if math.Abs(at-(p.truth[i]-shift)) <= half {
				f.covered[kind] += 100 / float64(n)
			}
		}
	}
	return found, nil
}

// meanOver is the mean of scores over comparisons, each of which counts both of its items.
func (rareBoard) meanOver(p *comparison.Problem, scores []float64) (mean float64) {
	for _, l := range p.Lines {
		mean += (scores[l.Left] + scores[l.Right]) / 2 / float64(len(p.Lines))
	}
	return mean
}

// rareTable is the section on rarely compared items.
func rareTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% and mean width of intervals, of regular items and of rare ones; bias-reduced "+
		"scores; %d simulations per cell, seed %d:\n\n| items | rare | `--reference` | regular | width | rare | width | "+
		"told |\n%s|\n",
		s.simulations, s.seed, strings.Repeat("|---", 8))
	for number, b := range rareBoards {
		found, err := results(ctx, s, uint64(9_820_000+number), func(_ int, rng *rand.Rand) ([2]rareFound, error) {
			return b.check(ctx, rng)
		})
		if err != nil {
			return "", err
		}
		for reference, name := range []string{"items", "comparisons"} {
			var covered, width [2]float64
			told := make([]bool, len(found))
			for k, f := range found {
				told[k] = f[reference].told
				for kind := range covered {
					covered[kind] += f[reference].covered[kind] / float64(len(found))
					width[kind] += f[reference].width[kind] / float64(len(found))
				}
			}
			rare := "– | –"
			if b.rare > 0 {
				rare = fmt.Sprintf("%.1f | %.2f", covered[1], width[1])
			}
			fmt.Fprintf(&text, "| %d | %d | %s | %.1f | %.2f | %s | %s |\n", b.items+b.rare, b.rare, name, covered[0], width[0],
				rare, share(told))
		}
	}
	return text.String(), nil
}
