package cv

import (
	"math"

	"pairrank/kernel"
)

// OfDraws returns the mean error over the pairs of some draws. Several draws share rows and pairs, so they have no
// standard error. Cost O(draws).
func OfDraws(draws []Point) Point {
	if len(draws) == 1 {
		return draws[0]
	}
	wrong, pairs := 0.0, int64(0)
	for _, p := range draws {
		wrong, pairs = wrong+p.Error*float64(p.Pairs), pairs+p.Pairs
	}
	return Point{Candidate: math.NaN(), Error: wrong / float64(pairs), Pairs: pairs}
}

// NestedEstimate is the error of a whole procedure, with its choices.
type NestedEstimate struct {
	// Point has the error over the pairs of the outer folds. Its StdErr is undefined where the
	// folds were drawn more than once, hold fewer than FewPairs pairs, or have exactly the same
	// error.
	Point
	// Outer is the method of the outer folds. Draws are the points of the draws of the folds: those of a
	// single list hold few of its pairs in each draw.
	Outer Method
	Draws []Point
	// All is the number of pairs in the data.
	All int64
	// Interval is the 95 % interval of Error. Halves are the half-samples of the whole nest that it is by; where
	// they are nil it is by those of the estimate, and Defined where there are any, and the folds of a single
	// list hold as many pairs as the data.
	Interval Interval
	Halves   *Halves
	// Chosen is what the outer rounds chose, and how often.
	Chosen    []NestedChoice
	Parameter Parameter // of their candidates
}

// NestedChoice is a kernel and a candidate that outer rounds chose, a λ where these are numbers of features, and how
// many of them.
type NestedChoice struct {
	Kernel    kernel.Kernel
	Candidate float64
	Features  int // 0 where features are not selected
	Times     int
}
