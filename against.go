package pairrank

import (
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/pref"
)

// Against compares an output with that of another procedure: another learner, other kernels, values of λ or
// normalisation, estimated on the same Problem with the same Method, Nested, Seed and Intervals. It returns the
// difference of the best errors and, if both estimates are nested, of the nested errors, this one less the other. Both
// held out the same pairs. Where both have half-samples, these are the same halves, and give the difference a 95 %
// interval; see cv.Minus. Against returns an *Error if the rows, their labels, queries or groups, what was held out, or
// the seeds differ. It costs O(rows).
func (e *Estimated) Against(other *Estimated, output int) (cv.Difference, *cv.Difference, error) {
	a, b := e.source().sample, other.source().sample
	if !slices.Equal(a.y, b.y) || !samePartition(a.queries, b.queries) || !samePartition(a.groups, b.groups) ||
		!samePartition(a.givenFolds, b.givenFolds) || !slices.Equal(a.edges, b.edges) {
		return cv.Difference{}, nil, fault.Dataf("the procedures that are compared are to be of the same rows, with the " +
			"same labels, queries and groups")
	}
	return e.run.Against(other.run, output)
}

// samePartition reports whether two partitions, or nil, have the same parts in the same order.
func samePartition(a, b *pref.Partition) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Of(), b.Of())
}
