package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pairrank/eval/compare"
)

// level is the nominal level of the tests.
const level = 0.05

// tests are the p-values of compare.
var tests = []struct {
	name string
	p    func(d []float64, s settings, seed uint64) float64
}{
	{"Wilcoxon", func(d []float64, _ settings, _ uint64) float64 { return compare.Wilcoxon(d, compare.DropZeros).P }},
	{"Wilcoxon, zeros ranked",
		func(d []float64, _ settings, _ uint64) float64 { return compare.Wilcoxon(d, compare.RankZeros).P }},
	{"sign flips",
		func(d []float64, s settings, seed uint64) float64 { return compare.SignFlip(d, s.resamples, seed).P }},
}

// levels is the table of how often each test rejects that two rankings are alike
// when they are, and at its end where only their means are.
func levels(ctx context.Context, s settings) (string, error) {
	all, err := laws(ctx, s)
	if err != nil {
		return "", err
	}
	for i := range all {
		all[i] = all[i].exchanged()
	}
	skewed := madeLaws[2]
	all = append(all, law{"not symmetric, mean 0: log-normal", 0, skewed.most,
		func(rng *rand.Rand) float64 { return logNormal(rng) - skewed.mean }})
	table := newGrid("differences", "test")
	for i, l := range all {
		rows := make([][]string, len(tests))
		for j, t := range tests {
			rows[j] = []string{l.name, t.name}
		}
		for _, q := range counts {
			rejected := make([][]bool, len(tests))
			for j := range tests {
				rejected[j] = make([]bool, s.simulations)
			}
			err := simulate(ctx, s, uint64(1_000_000+i*1000+q), func(k int, rng *rand.Rand) {
				d, seed := compare.FlushRounding(l.drawn(rng, q)), rng.Uint64()
				for j, t := range tests {
					rejected[j][k] = t.p(d, s, seed) <= level
				}
			})
			if err != nil {
				return "", err
			}
			for j := range tests {
				rows[j] = append(rows[j], share(rejected[j]))
			}
		}
		for _, r := range rows {
			table.row(r...)
		}
	}
	return fmt.Sprintf("Rejections (p ≤ %g) in %%, by number of queries; %d simulations per cell, %d sign patterns "+
		"where they are drawn,\nseed %d:\n\n%s",
		level, s.simulations, s.resamples, s.seed, table.String()), nil
}
