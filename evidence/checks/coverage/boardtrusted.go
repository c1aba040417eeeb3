package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"pairrank/comparison"
)

// trustedBoard is a league that a judge votes on, and people on a random part of its comparisons. The judge votes as a
// person does, but in a share of comparisons by tastes of its own.
type trustedBoard struct {
	own    float64 // the share
	people int     // votes
}

// The items of these boards, and the votes of the judge.
const (
	trustedItems = 12
	judgedVotes  = 6000
)

var trustedBoards = []trustedBoard{{0.2, 100}, {0.2, 300}, {0.2, 1000}, {0.48, 100}, {0.48, 300}, {0.48, 1000},
	{0.7, 100}, {0.7, 300}, {0.7, 1000}}

// draw makes a board, whose truth is the least squares scores of infinitely many votes of people on random pairs, and
// the share of votes of the judge that agree with those of people.
func (b trustedBoard) draw(rng *rand.Rand) (p *league, problem *comparison.Problem, agree float64) {
	p = board{items: trustedItems}.scored(rng)
	tastes := make([]float64, trustedItems)
	p.truth = make([]float64, trustedItems)
	for i := range tastes {
		tastes[i] = rng.NormFloat64()
		for j := range tastes {
			p.truth[i] += (2/(1+math.Exp(p.scores[j]-p.scores[i])) - 1) / trustedItems
		}
	}
	problem = &comparison.Problem{Items: p.names}
	voted := func(margin float64) bool { return rng.Float64()*(1+math.Exp(-margin)) < 1 }
	add := func(i, j, c int, wins, trusted bool) {
		l := comparison.Line{Left: i, Right: j, Annotator: -1, Stratum: -1, Cluster: c, Trusted: trusted}
		if l.Wins = 1; !wins {
			l.Wins, l.Losses = 0, 1
		}
		problem.Lines = append(problem.Lines, l)
	}
	for c := range judgedVotes {
		problem.Clusters = append(problem.Clusters, strconv.Itoa(c))
		i := rng.IntN(trustedItems)
		j := (i + 1 + rng.IntN(trustedItems-1)) % trustedItems
		person := voted(p.scores[i] - p.scores[j])
		judge := person
		if rng.Float64() < b.own {
			judge = voted(2 * (tastes[i] - tastes[j]))
		}
		if judge == person {
			agree += 1.0 / judgedVotes
		}
		add(i, j, c, judge, false)
		if c < b.people {
			add(i, j, c, person, true)
		}
	}
	return p, problem, agree
}

// trustedFound is what is found of a board by one way: the judge alone, people alone, or both.
type trustedFound struct{ covered, width, ranks float64 }

// check finds intervals by the three ways.
func (b trustedBoard) check(ctx context.Context, rng *rand.Rand) (found [3]trustedFound, agree, gain float64,
	err error) {
	p, problem, agree := b.draw(rng)
	for way := range found {
		q := *problem
		q.Lines = nil
		for _, l := range problem.Lines {
			if way == 2 || l.Trusted == (way == 1) {
				l.Trusted = way == 2 && l.Trusted
				q.Lines = append(q.Lines, l)
			}
		}
		r, err := comparison.Rank(ctx, q, comparison.RankOptions{})
		if err != nil {
			return found, 0, 0, err
		}
		f := &found[way]
		f.ranks = 100
		for i, at := range r.Board.Scores {
			half := r.Variance.Width(i, -1)
			f.width += 2 * half / trustedItems
			if math.Abs(at-p.truth[i]) <= half {
				f.covered += 100.0 / trustedItems
			}
			rank := 1
			for _, s := range p.truth {
				if s > p.truth[i] {
					rank++
				}
			}
			if rank < r.Ranks.Lo[i] || rank > r.Ranks.Hi[i] {
				f.ranks = 0
			}
		}
		if way == 2 {
			gain = r.Board.Trusted.Effective / r.Board.Trusted.Votes
		}
	}
	return found, 100 * agree, gain, nil
}

// trustedTable is the section on boards of few votes of people and many of a judge.
func trustedTable(ctx context.Context, s settings) (string, error) {
	type cell struct {
		found       [3]trustedFound
		agree, gain float64
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Coverage in %% of intervals, and in brackets of all sets of ranks together; %d items, %d votes "+
		"of the judge; %d simulations per cell, seed %d:\n\n"+
		"| agreement | votes of people | judge alone | people alone "+
		"| both | width, of people alone | effective votes, of people's |\n%s|\n", trustedItems, judgedVotes, s.simulations,
		s.seed, strings.Repeat("|---", 7))
	for number, b := range s.trusted {
		all, err := results(ctx, s, uint64(9_860_000+number), func(_ int, rng *rand.Rand) (c cell, err error) {
			c.found, c.agree, c.gain, err = b.check(ctx, rng)
			return c, err
		})
		if err != nil {
			return "", err
		}
		var mean cell
		n := float64(len(all))
		for _, c := range all {
			mean.agree, mean.gain = mean.agree+c.agree/n, mean.gain+c.gain/n
			for way := range c.found {
				f, of := &mean.found[way], c.found[way]
				f.covered, f.width, f.ranks = f.covered+of.covered/n, f.width+of.width/n, f.ranks+of.ranks/n
			}
		}
		fmt.Fprintf(&text, "| %.0f %% | %d |", mean.agree, b.people)
		for _, f := range mean.found {
			fmt.Fprintf(&text, " %.1f (%.1f) |", f.covered, f.ranks)
		}
		fmt.Fprintf(&text, " %.2f | %.2f |\n", mean.found[2].width/mean.found[1].width, mean.gain)
	}
	return text.String(), nil
}
