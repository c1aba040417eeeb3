package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
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

// results are what draw makes in every simulation of a cell, or the first error.
func results[T any](ctx context.Context, s settings, cell uint64, draw func(k int, rng *rand.Rand) (T, error)) ([]T,
	error) {
	all, failed := make([]T, s.simulations), make([]error, s.simulations)
	err := simulate(ctx, s, cell, func(k int, rng *rand.Rand) { all[k], failed[k] = draw(k, rng) })
	return all, cmp.Or(err, cmp.Or(failed...))
}

// skipped is the cost of a population that is not asked for.
const skipped = -1

// tableOf is a table with a line for each population. row makes the line from the results of its simulations. A
// population of cost c has 1/c of the simulations. The numbers of the cells begin with first.
func tableOf[P, T any](ctx context.Context, s settings, populations []P, first int, head string, cost func(p P) int,
	draw func(p P, ctx context.Context, rng *rand.Rand) (T, error), row func(p P, all []T) string) (string, error) {
	var b strings.Builder
	b.WriteString("| " + head + " |\n" + strings.Repeat("|---", 1+strings.Count(head, "|")) + "|\n")
	for cell, p := range populations {
		if cost(p) == skipped {
			continue
		}
		of := s
		of.simulations = max(2, s.simulations/max(1, cost(p)))
		all, err := results(ctx, of, uint64(first+cell), func(_ int, rng *rand.Rand) (T, error) { return draw(p, ctx, rng) })
		if err != nil {
			return "", err
		}
		line := row(p, all)
		b.WriteString(line)
		fmt.Fprint(os.Stderr, line)
	}
	return b.String(), nil
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
