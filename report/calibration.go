package report

import "pairrank/eval/metric"

// Calibration is how often the pairs of a model's ranking are in the right order, by the
// difference of their scores.
type Calibration struct {
	Model string // the file
	*metric.Calibration
}

// NodeScores are the scores of row nodes with column nodes by a model of edges: of all of
// them, or of some.
type NodeScores struct {
	Model          string // the file
	Rows, Cols     []string
	Scores         [][]float64 // by row
	OfRows, OfCols int         // how many there are
}

// Spaced are at most most of n things, evenly spaced, from the first to the last: what a
// figure shows of many. The cost is that of the result.
func Spaced(n, most int) []int {
	k := max(0, min(n, most))
	places := make([]int, k)
	for a := range places {
		if k > 1 {
			places[a] = int(float64(a)*float64(n-1)/float64(k-1) + 0.5)
		}
	}
	return places
}
