package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"pairrank/internal/parallel"
)

// simulate calls body for every simulation of a cell, on all cores, each with
// random numbers that depend on seed, cell and simulation alone.
func simulate(ctx context.Context, s settings, cell uint64, body func(k int, rng *rand.Rand)) error {
	parallel.For(s.simulations, func(_, k int) {
		if ctx.Err() == nil {
			body(k, rand.New(rand.NewPCG(s.seed, cell<<32|uint64(k))))
		}
	})
	return ctx.Err()
}

// drawn are q differences of a law.
func (l law) drawn(rng *rand.Rand, q int) []float64 {
	d := make([]float64, q)
	for i := range d {
		d[i] = l.draw(rng)
	}
	return d
}

// share is how many of 100 simulations hold what is counted.
func share(held []bool) string {
	n := 0
	for _, h := range held {
		if h {
			n++
		}
	}
	return fmt.Sprintf("%.1f", 100*float64(n)/float64(len(held)))
}

// grid is a table whose columns are numbers of queries.
type grid struct{ strings.Builder }

func newGrid(heads ...string) *grid {
	g := &grid{}
	for _, q := range counts {
		heads = append(heads, fmt.Sprint(q))
	}
	g.row(heads...)
	g.WriteString(strings.Repeat("|---", len(heads)) + "|\n")
	return g
}

func (g *grid) row(cells ...string) { g.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
