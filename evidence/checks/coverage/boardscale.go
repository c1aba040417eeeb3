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

// scaled is a population of leaderboards of annotators of unequal worth: eight items whose scores are standard normal,
// and annotators with so many votes each on random pairs, whose factors on the margins are even between 0.2 and 2; two
// of them are turned round.
type scaled struct {
	loss              comparison.Loss
	annotators, votes int
}

// scaledBoards are the cells of the table.
var scaledBoards = func() (all []scaled) {
	for _, loss := range []comparison.Loss{comparison.Logistic, comparison.Squared} {
		for _, annotators := range []int{20, 60} {
			for _, votes := range []int{10, 30, 100} {
				all = append(all, scaled{loss, annotators, votes})
			}
		}
	}
	return all
}()

// scaledItems is the number of items, turned how many annotators vote against the board, and low and high the factors.
const (
	scaledItems = 8
	turned      = 2
	low, high   = 0.2, 2
)

// draw makes the votes.
func (b scaled) draw(p *league, rng *rand.Rand) *comparison.Problem {
	out := &comparison.Problem{Items: p.names}
	for k := range b.annotators {
		out.Annotators = append(out.Annotators, strconv.Itoa(k))
		c := low + (high-low)*rng.Float64()
		if k < turned {
			c = -c
		}
		for range b.votes {
			i := rng.IntN(scaledItems)
			j := (i + 1 + rng.IntN(scaledItems-1)) % scaledItems
			l := comparison.Line{Left: i, Right: j, Annotator: k, Stratum: -1, Cluster: -1}
			if rng.Float64()*(1+math.Exp(-c*(p.scores[i]-p.scores[j]))) < 1 {
				l.Wins = 1
			} else {
				l.Losses = 1
			}
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}

// truth is the board of infinitely many votes on each pair by annotators of all factors.
func (b scaled) truth(ctx context.Context, p *league) error {
	const grid, many = 15, 1e7
	all := &comparison.Problem{Items: p.names}
	share := turned / float64(b.annotators)
	for k := range 2 * grid {
		c, w := low+(high-low)*(float64(k/2)+0.5)/grid, 1-share
		if k%2 > 0 {
			c, w = -c, share
		}
		all.Annotators = append(all.Annotators, strconv.Itoa(k))
		for i := range scaledItems {
			for j := range i {
				wins := 1 / (1 + math.Exp(c*(p.scores[j]-p.scores[i])))
				all.Lines = append(all.Lines, comparison.Line{Left: i, Right: j, Wins: wins, Losses: 1 - wins, Annotator: k,
					Stratum: -1, Cluster: -1, Weight: many * w})
			}
		}
	}
	r, err := comparison.Rank(ctx, *all, comparison.RankOptions{Options: comparison.Options{Loss: b.loss},
		AnnotatorScale: true, Seed: 1})
	if err == nil {
		p.truth = r.Board.Scores
	}
	return err
}

// scaledFound is what is found of one board.
type scaledFound struct {
	covered
	spread float64
	found  float64 // the share of the turned annotators whose factor is below 0
	false  float64 // the share of the others
}

// check draws a board and finds its intervals; nothing is fitted where it has no finite optimum.
func (b scaled) check(ctx context.Context, rng *rand.Rand, seed uint64) (out scaledFound, err error) {
	p := board{items: scaledItems}.scored(rng)
	if err := b.truth(ctx, p); err != nil {
		return out, err
	}
	r, err := comparison.Rank(ctx, *b.draw(p, rng), comparison.RankOptions{Options: comparison.Options{Loss: b.loss},
		AnnotatorScale: true, Seed: seed})
	if separated := new(comparison.SeparatedError); errors.As(err, &separated) {
		return out, nil
	} else if err != nil {
		return out, err
	}
	s := r.Board.Scaling
	out.spread = s.Spread
	for k, c := range s.Factors {
		switch {
		case c < 0 && k < turned:
			out.found += 1.0 / turned
		case c < 0:
			out.false += 1 / float64(b.annotators-turned)
		}
	}
	if r.Variance != nil {
		out.covered = p.covered(r.Free, r.Variance, seed)
	}
	return out, nil
}

// scaledTable is the section on factors of annotators.
func scaledTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals of centred scores, and of all sets of ranks together, and the share "+
		"of annotators whose factor is below 0; %d simulations per cell, seed %d:\n\n| loss | annotators | votes each | "+
		"finite | no factors | mean spread | scores | mean width | ranks | turned found | others |\n%s|\n", s.simulations,
		s.seed, strings.Repeat("|---", 11))
	for number, b := range s.scaled {
		found, err := results(ctx, s, uint64(9_900_000+number), func(k int, rng *rand.Rand) (scaledFound, error) {
			return b.check(ctx, rng, uint64(k))
		})
		if err != nil {
			return "", err
		}
		var n, none, spread, scores, width, ranks, turned, others float64
		for _, f := range found {
			if !f.fitted {
				continue
			}
			n, spread, scores, width = n+1, spread+f.spread, scores+100*f.scores, width+f.width
			turned, others = turned+100*f.found, others+100*f.false
			if f.spread == 0 {
				none += 100
			}
			if f.ranks {
				ranks += 100
			}
		}
		fmt.Fprintf(&text, "| %s | %d | %d | %.1f | %.1f | %.2f | %.1f | %.3f | %.1f | %.1f | %.1f |\n", b.loss, b.annotators,
			b.votes, 100*n/float64(len(found)), none/n, spread/n, scores/n, width/n, ranks/n, turned/n, others/n)
	}
	return text.String(), nil
}
