package pairrank

import (
	"math/rand/v2"

	"pairrank/eval/cv"
)

// units are what random parts of the data are made of: its queries, which are independent
// of one another, or the rows of a single list.
type units struct {
	n     int
	of    string // what they are: query or row
	least int    // the fewest that a part of a learning curve has

	// rows are the rows of some units.
	rows func(some []int) []int
	// halves returns a function that draws two halves of some units, by their places
	// among these.
	halves func(some []int) func(r *rand.Rand) [2][]int
}

// units are those of a task.
func (t *task) units() units {
	if t.queries.Len() == 1 {
		return units{n: t.rows(), of: "row", least: cv.LeastUnits,
			rows:   func(some []int) []int { return some },
			halves: func(some []int) func(r *rand.Rand) [2][]int { return cv.SplitRows(t.dealtBy(some)) },
		}
	}
	return units{n: t.queries.Len(), of: "query", least: 4,
		rows:   func(some []int) []int { return cv.RowsOfQueries(t.queries, some) },
		halves: func(some []int) func(r *rand.Rand) [2][]int { return cv.SplitQueries(len(some)) },
	}
}

// dealtBy are the labels by which some rows are dealt to halves: those of the only output;
// of several none, since each has its own.
func (t *task) dealtBy(some []int) []float64 {
	labels := make([]float64, len(some))
	if t.outputs == 1 {
		for k, i := range some {
			labels[k] = t.y[i]
		}
	}
	return labels
}
