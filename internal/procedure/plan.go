package procedure

import (
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/journal"
)

// The names of tasks of Train that hold something out: to choose λ, or only to measure.
const (
	ChoosingLambda = "choosing λ"
	HoldingOut     = "holding out"
)

// Plan holds the options that every kind of data has.
type Plan struct {
	Journal *journal.Journal
	Seed    uint64
	// Metric chooses; nil is the error.
	Metric *metric.Metric
	// Choosing names the task in which Train holds something out first, since there are several candidates or a
	// method is given: ChoosingLambda, HoldingOut or another. "" holds nothing out.
	Choosing string

	// Intervals, Nested and Permutations are options of Estimate: the interval, whether to estimate the whole
	// procedure over outer folds, and the number of permutations of the labels, 0 for no test.
	Intervals    cv.Intervals
	Nested       bool
	Permutations int
}
