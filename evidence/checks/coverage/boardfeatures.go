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
	"pairrank/eval/cv"
)

// featured is a population of boards of 20 items with three features, whose scores have parts of items' own with a
// deviation.
type featured struct {
	each int
	own  float64
	loss comparison.Loss
}

var featuredBoards = func() (all []featured) {
	for _, each := range []int{10, 40} {
		for _, own := range []float64{0, 0.5} {
			all = append(all, featured{each, own, comparison.Logistic}, featured{each, own, comparison.Squared})
		}
	}
	return all
}()

// featuredFound is what is found of one board: by features, and by scores of items' own.
type featuredFound struct {
	linear, own covered
	best        covered // of the scores by features that fit all pairs best, by the intervals of linear
	p           float64
}

// check draws a board.
func (f featured) check(ctx context.Context, rng *rand.Rand, seed uint64) (out featuredFound, err error) {
	const features = 3
	b := board{items: 20, each: f.each}
	p := b.scored(rng)
	x := data.NewDense(b.items, features, nil)
	for i := range p.scores {
		p.scores[i] *= f.own
		for j := range features {
			x.Row(i)[j] = rng.NormFloat64() / math.Sqrt(features)
			p.scores[i] += x.Row(i)[j]
		}
	}
	if p.centre(); f.loss == comparison.Squared {
		if p.truth, err = b.trueScores(ctx, p, f.loss); err != nil {
			return out, err
		}
	}
	problem := b.draw(p, rng)
	problem.Features = x
	o := comparison.Options{Loss: f.loss}
	test, err := comparison.TestFeatures(ctx, problem, o)
	if err != nil {
		return out, err
	}
	out.p = test.P
	for _, q := range []*comparison.Problem{problem, problem.WithoutFeatures()} {
		fitted, err := comparison.Fit(ctx, q, o)
		var separated *comparison.SeparatedError
		if errors.As(err, &separated) { // as the command does
			o.BiasReduced = true
			fitted, err = comparison.Fit(ctx, q, o)
		}
		if err != nil {
			return out, err
		}
		c := p.covered(fitted, fitted.Sandwich(), seed)
		if q == problem {
			of := *p
			if of.truth, err = b.trueBy(ctx, p, f.loss, x); err != nil {
				return out, err
			}
			out.linear, out.best = c, of.covered(fitted, fitted.Sandwich(), seed)
		} else {
			out.own = c
		}
	}
	return out, nil
}

// boardFeatureTable is the section on boards with features.
func boardFeatureTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals of centred scores, and in brackets of all sets of ranks together, "+
		"and boards in %% that the test of features rejects at 0.05; 20 items with three features; %d simulations per "+
		"cell, seed %d:\n\n| loss | comparisons an item | deviation of own parts | by features | of the best by features | "+
		"by `--residual` | rejected |\n%s|\n",
		s.simulations, s.seed, strings.Repeat("|---", 7))
	for number, f := range featuredBoards {
		found, err := results(ctx, s, uint64(9_400_000+number), func(k int, rng *rand.Rand) (featuredFound, error) {
			return f.check(ctx, rng, uint64(k))
		})
		if err != nil {
			return "", err
		}
		rejected, scores, ranks := make([]bool, len(found)), [3]float64{}, [3]float64{}
		for k, x := range found {
			rejected[k] = x.p <= level
			for w, c := range []covered{x.linear, x.own, x.best} {
				scores[w] += 100 * c.scores / float64(len(found))
				if c.ranks {
					ranks[w] += 100 / float64(len(found))
				}
			}
		}
		fmt.Fprintf(&text, "| %s | %d | %g | %.1f (%.1f) | %.1f (%.1f) | %.1f (%.1f) | %s |\n", f.loss, f.each, f.own,
			scores[0], ranks[0], scores[2], ranks[2], scores[1], ranks[1], share(rejected))
	}
	return text.String(), nil
}

// heldBoards are the boards whose held-out error has a standard error.
var heldBoards = []board{{10, 4, 0}, {10, 20, 0}, {30, 4, 0}, {30, 20, 0}, {10, 20, 8}, {30, 20, 30}}

// boardHeldTable is the section on the ± of the error of pairs that were left out.
func boardHeldTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals of the error of pairs left out (Student's t on the logit scale): of "+
		"its mean over boards of other items; squared loss; %d simulations per cell, seed %d:\n\n"+
		"| annotators | items | comparisons an item | mean error | deviation | mean ± | covered |\n%s|\n", s.simulations,
		s.seed, strings.Repeat("|---", 7))
	for number, b := range heldBoards {
		found, err := results(ctx, s, uint64(9_500_000+number), func(k int, rng *rand.Rand) (*comparison.HeldOut, error) {
			p := b.scored(rng)
			fitted, err := comparison.Fit(ctx, b.draw(p, rng), comparison.Options{Loss: comparison.Squared})
			if err != nil {
				return nil, err
			}
			return fitted.Predict(ctx, comparison.Unit{Kind: "pair"}, 1)
		})
		if err != nil {
			return "", err
		}
		mean, squares, stderr, n := 0.0, 0.0, 0.0, float64(len(found))
		for _, h := range found {
			mean, stderr = mean+h.Error.Value/n, stderr+h.StdErr.Value/n
		}
		held := make([]bool, len(found))
		for k, h := range found {
			squares += (h.Error.Value - mean) * (h.Error.Value - mean) / n
			held[k] = heldCovers(h, mean)
		}
		fmt.Fprintf(&text, "| %s | %d | %d | %.3f | %.3f | %.3f | %s |\n", b.whose(), b.items, b.each, mean,
			math.Sqrt(squares), stderr, share(held))
	}
	return text.String(), nil
}

// heldCovers reports whether the interval of a held-out error holds a value.
func heldCovers(h *comparison.HeldOut, value float64) bool {
	if !h.StdErr.Defined {
		return false
	}
	i := cv.ShareInterval(h.Error.Value, h.StdErr.Value*h.StdErr.Value, h.Independent)
	return i.Defined && i.Lo <= value && value <= i.Hi
}
