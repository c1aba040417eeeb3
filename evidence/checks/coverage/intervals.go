package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank/eval/compare"
	"pairrank/evidence/papers/experiment"
)

// intervals are the tables of how often each interval holds the mean, and of how
// long it is.
func intervals(ctx context.Context, s settings) (string, error) {
	all, err := laws(ctx, s)
	if err != nil {
		return "", err
	}
	holds, lengths := newGrid("differences", "interval"), newGrid("differences", "interval")
	for i, l := range all {
		held, long := make([][]string, len(methods)), make([][]string, len(methods))
		for j, m := range methods {
			held[j], long[j] = []string{l.name, m.name}, []string{l.name, m.name}
		}
		for _, q := range counts {
			c, err := measure(ctx, s, l, q, uint64(i*1000+q))
			if err != nil {
				return "", err
			}
			for j := range methods {
				held[j] = append(held[j], share(c.held[j]))
				long[j] = append(long[j], digits(experiment.Median(c.long[j])))
			}
		}
		for j := range methods {
			holds.row(held[j]...)
			lengths.row(long[j]...)
		}
	}
	return fmt.Sprintf("Coverage of the mean in %%, by number of queries; %d simulations per cell, %d resamples, "+
		"seed %d:\n\n%s\nMedian length, in the same simulations:\n\n%s",
		s.simulations, s.resamples, s.seed, holds.String(), lengths.String()), nil
}

// cell is what was found of each method in each simulation.
type cell struct {
	held [][]bool
	long [][]float64
}

func measure(ctx context.Context, s settings, l law, q int, number uint64) (*cell, error) {
	c := &cell{}
	for range methods {
		c.held, c.long = append(c.held, make([]bool, s.simulations)), append(c.long, make([]float64, s.simulations))
	}
	err := simulate(ctx, s, number, func(k int, rng *rand.Rand) {
		d := compare.FlushRounding(l.drawn(rng, q))
		means, seed := bootstrapMeans(d, s.resamples, rng), rng.Uint64()
		for j, m := range methods {
			lo, hi := m.interval(d, means, l.most, s, seed)
			c.held[j][k] = lo <= l.mean+rounding && l.mean-rounding <= hi
			c.long[j][k] = hi - lo
		}
	})
	return c, err
}

func digits(x float64) string {
	if math.IsInf(x, 0) {
		return "∞"
	}
	return experiment.Digits(x)
}
