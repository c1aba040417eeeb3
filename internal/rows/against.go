package rows

import (
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
)

// Against is Estimated.Against of package pairrank.
func (e *Estimated) Against(other *Estimated, output int) (cv.Difference, *cv.Difference, error) {
	a, b := e.source().task, other.source().task
	if !slices.Equal(a.y, b.y) || !samePartition(a.queries, b.queries) || !samePartition(a.groups, b.groups) ||
		!samePartition(a.givenFolds, b.givenFolds) || !slices.Equal(a.edges, b.edges) {
		return cv.Difference{}, nil, fault.Dataf("the procedures that are compared are to be of the same rows, with the " +
			"same labels, queries and groups")
	}
	return e.Run.Against(other.Run, output)
}

// samePartition reports whether two partitions, or nil, have the same parts in the same order.
func samePartition(a, b *data.Partition) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Of(), b.Of())
}
