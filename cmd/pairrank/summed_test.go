package main

import (
	"maps"
	"slices"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/option"
	"pairrank/kernel"
	"pairrank/pref"
	"pairrank/stream"
)

// The manifest of units has a value of every option that decides sums, and the table of options says which these are.
func TestSummedOptionsAreThoseOfTheTable(t *testing.T) {
	threshold := 1.0
	all := stream.Options{
		Learner:   pairrank.LeastSquares{Pairs: pref.Options{CensoringWeights: true}},
		Threshold: &threshold, Times: true, Folds: 3, Names: []string{"bm25"}, KeepQueries: true,
		Map: &stream.Mapping{Kernel: kernel.Gaussian{Gamma: 1}, Basis: data.NewDense(1, 1, []float64{1})},
	}
	bent := all
	bent.Map = &stream.Mapping{Kernel: kernel.Spline{Knots: 1, Bends: 1}, Knots: [][]float64{{1}}}
	flags := summedOptions(all)
	maps.Copy(flags, summedOptions(bent))
	have := slices.Sorted(maps.Keys(flags))
	want := slices.Sorted(slices.Values(option.Deciding(option.Summed)))
	if !slices.Equal(have, want) {
		t.Errorf("sums have the options %v, the table %v", have, want)
	}
}
