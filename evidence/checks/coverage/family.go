package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"pairrank/eval/compare"
)

// shift is what is added to the differences of the metrics that really differ.
const shift = 0.1

// families are how many of the metrics, from the first on, differ.
var families = []int{0, 2}

// family is the table of how often some metric that does not differ is said to,
// by the p-values as they are and by Holm's correction of them.
func family(ctx context.Context, s settings) (string, error) {
	p, err := letor(ctx, s)
	if err != nil {
		return "", err
	}
	table := newGrid("what differs", "test", "p-values")
	for i, different := range families {
		names := make([]string, different)
		for c := range names {
			names[c] = p.metrics[c].String()
		}
		name := strings.Join(names, ", ")
		if different == 0 {
			name = "none"
		}
		plain, holm := make([][]string, len(tests)), make([][]string, len(tests))
		for j, t := range tests {
			plain[j], holm[j] = []string{name, t.name, "as they are"}, []string{name, t.name, "Holm"}
		}
		for _, q := range counts {
			wrong, err := p.falseRejections(ctx, s, different, q, uint64(2_000_000+i*1000+q))
			if err != nil {
				return "", err
			}
			for j := range tests {
				plain[j] = append(plain[j], share(wrong[j][0]))
				holm[j] = append(holm[j], share(wrong[j][1]))
			}
		}
		for j := range tests {
			table.row(plain[j]...)
			table.row(holm[j]...)
		}
	}
	return fmt.Sprintf("Simulations in %% with a p ≤ %g among the metrics that do not differ, by number of queries; "+
		"%d simulations per cell,\nseed %d:\n\n%s",
		level, s.simulations, s.seed, table.String()), nil
}

// falseRejections says of every test and simulation whether a metric that does
// not differ was rejected, by the p-values and by Holm's. The names of the
// rankings are exchanged by a coin in every query, for all metrics alike.
func (p *population) falseRejections(ctx context.Context, s settings, different, q int,
	number uint64) ([][2][]bool, error) {
	wrong := make([][2][]bool, len(tests))
	for j := range wrong {
		wrong[j] = [2][]bool{make([]bool, s.simulations), make([]bool, s.simulations)}
	}
	err := simulate(ctx, s, number, func(k int, rng *rand.Rand) {
		d := p.drawn(rng, q, different)
		seed := rng.Uint64()
		for j, t := range tests {
			values := make([]float64, len(d))
			for c := range d {
				values[c] = t.p(d[c], s, seed)
			}
			for c, corrected := range compare.Holm(values)[different:] {
				wrong[j][0][k] = wrong[j][0][k] || values[different+c] <= level
				wrong[j][1][k] = wrong[j][1][k] || corrected <= level
			}
		}
	})
	return wrong, err
}

// drawn are the differences of every metric on q queries.
func (p *population) drawn(rng *rand.Rand, q, different int) [][]float64 {
	d := make([][]float64, len(p.d))
	for range q {
		g, sign := rng.IntN(len(p.d[0])), 1.0
		if rng.Uint64()&1 == 0 {
			sign = -1
		}
		for c := range d {
			x := sign * p.d[c][g]
			if c < different {
				x += shift
			}
			d[c] = append(d[c], x)
		}
	}
	for c := range d {
		d[c] = compare.FlushRounding(d[c])
	}
	return d
}
