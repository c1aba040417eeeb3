package procedure

import (
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/event"
)

// Plan is what options of every kind of data ask for, beside what is learnt.
type Plan struct {
	Journal *event.Journal
	Seed    uint64
	// Metric chooses; nil is the error.
	Metric *metric.Metric
	// Chooses says that Train holds something out first: there are several candidates, or a method was
	// asked for.
	Chooses bool

	// Of Estimate: its interval, whether the whole procedure is estimated over outer folds, and the number of
	// permutations of the labels, 0 for no test.
	Intervals    cv.Intervals
	Nested       bool
	Permutations int
}
