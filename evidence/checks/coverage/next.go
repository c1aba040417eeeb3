package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"pairrank/comparison"
)

// nextBoard is a study of which comparison is made next: items whose scores are standard normal, random comparisons to
// start with, and how many there are in the end.
type nextBoard struct{ items, begin, end, batch, asked int }

// nextBoards are the cells of the table: asked is how many of the best items the widths are of.
var nextBoards = []nextBoard{{10, 40, 240, 10, 10}, {20, 80, 480, 20, 20}, {20, 80, 480, 20, 5},
	{50, 200, 1200, 50, 50}, {50, 200, 1200, 50, 5}}

// widths are the mean widths of the intervals of differences as comparisons are added, of random pairs or of those that
// NextOf returns.
func (n nextBoard) widths(ctx context.Context, rng *rand.Rand, random bool) (out []float64, err error) {
	b := board{items: n.items, each: 2 * n.begin / n.items}
	p := b.scored(rng)
	problem := b.draw(p, rng)
	for len(problem.Lines) <= n.end {
		fitted, err := comparison.Fit(ctx, problem, comparison.Options{Loss: comparison.Logistic, BiasReduced: true})
		if err != nil {
			return nil, err
		}
		among := n.among(p)
		v := fitted.Sandwich()
		sum, count := 0.0, 0.0
		for i := range among {
			for j := range i {
				sum, count = sum+2*v.Quantile*v.Of(among[i], among[j]), count+1
			}
		}
		out = append(out, sum/count)
		var pairs [][2]int
		if random {
			for range n.batch {
				i, j := rng.IntN(n.items), rng.IntN(n.items-1)
				if j >= i {
					j++
				}
				pairs = append(pairs, [2]int{i, j})
			}
		} else {
			chosen, err := fitted.NextOf(ctx, n.batch, among, nil)
			if err != nil {
				return nil, err
			}
			for _, next := range chosen {
				pairs = append(pairs, [2]int{next.A, next.B})
			}
		}
		for _, pair := range pairs {
			problem.Lines = append(problem.Lines, b.outcome(p, pair[0], pair[1], nil, rng))
		}
	}
	return out, nil
}

// among are the items that are asked about: the truly best.
func (n nextBoard) among(p *league) []int {
	order := make([]int, n.items)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if p.scores[i] > p.scores[j] {
			return -1
		}
		return 1
	})
	return order[:n.asked]
}

// needed is how many comparisons of NextOf have the width that random pairs have in the end, by interpolation.
func (n nextBoard) needed(next []float64, width float64) float64 {
	for k, w := range next {
		if w > width {
			continue
		}
		at := float64(n.begin + k*n.batch)
		if k > 0 {
			at -= float64(n.batch) * (width - w) / (next[k-1] - w)
		}
		return at
	}
	return float64(n.end)
}

// nextTable is the section on which comparison is made next.
func nextTable(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	boards := min(s.simulations, 100)
	fmt.Fprintf(&text, "%d boards a line, seed %d. Both begin with the same number of random pairs.\n\n", boards, s.seed)
	text.WriteString("| items | widths of | random pairs | mean width of an interval | as many by `--next` " +
		"| median share |\n" + strings.Repeat("|---", 6) + "|\n")
	for number, n := range s.next {
		shares, needed, width := make([]float64, boards), 0.0, 0.0
		type found struct{ width, needed float64 }
		few := s
		few.simulations = boards
		of, err := results(ctx, few, uint64(9_600_000+number), func(_ int, rng *rand.Rand) (found, error) {
			seed := rng.Uint64()
			random, err := n.widths(ctx, rand.New(rand.NewPCG(seed, 1)), true)
			if err != nil {
				return found{}, err
			}
			next, err := n.widths(ctx, rand.New(rand.NewPCG(seed, 1)), false)
			if err != nil {
				return found{}, err
			}
			last := random[len(random)-1]
			return found{last, n.needed(next, last)}, nil
		})
		if err != nil {
			return "", err
		}
		for k, f := range of {
			shares[k] = f.needed / float64(n.end)
			needed, width = needed+f.needed/float64(boards), width+f.width/float64(boards)
		}
		slices.Sort(shares)
		asked := "all"
		if n.asked < n.items {
			asked = fmt.Sprintf("the best %d", n.asked)
		}
		fmt.Fprintf(&text, "| %d | %s | %d | %.3f | %.0f | %.2f |\n", n.items, asked, n.end, width, needed,
			quantile(shares, 0.5))
	}
	return text.String(), nil
}
