package pairrank

import (
	"slices"

	"pairrank/data"
)

// unlessOnes is the set, without weights that are all 1.
func unlessOnes(set *data.Set) *data.Set {
	if set == nil || set.Weights == nil || slices.ContainsFunc(set.Weights, func(w float64) bool { return w != 1 }) {
		return set
	}
	plain := *set
	plain.Weights = nil
	return &plain
}

// present are the rows of a set with a weight above 0; rows is nil where these are all.
func present(set *data.Set) (of *data.Set, rows []int) {
	if set == nil || !slices.Contains(set.Weights, 0) {
		return set, nil
	}
	for i, w := range set.Weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	if set.X != nil {
		return set.Subset(rows), rows
	}
	bare := *set
	bare.X = data.NewDense(len(set.Y), 0, nil)
	of = bare.Subset(rows)
	of.X = nil
	return of, rows
}

// mostWeighted is the largest number of rows with weights of which every pair is left out by default: each has a λ of
// its own, and all of them are predicted.
const mostWeighted = 1000
