package student

import "math"

// Effective adds up rows with weights. The zero value has none.
type Effective struct{ Sum, Squares float64 }

// Add adds a row.
func (e *Effective) Add(w float64) { e.Sum, e.Squares = e.Sum+w, e.Squares+w*w }

// Rows is how many rows of equal weight would be as precise, (Σw)²/Σw² (Kish 1965, Survey sampling, section 11.7):
// their number where weights are equal, 0 of none.
func (e Effective) Rows() float64 {
	if e.Squares == 0 {
		return 0
	}
	return e.Sum * e.Sum / e.Squares
}

// Whole rounds a number of rows down, and up where only rounding keeps it from being whole.
func Whole(rows float64) int { return int(rows + 1e-9) }

// Moderate are weights of which products of two, and sums of many, are finite: times a power of 2 where the largest is
// far from 1, which changes no share.
func Moderate(weights []float64) []float64 {
	const far = 200 // a product of two and 2^53 of them
	most := 0.0
	for _, w := range weights {
		most = max(most, w)
	}
	_, digits := math.Frexp(most)
	if -far < digits && digits < far {
		return weights
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = math.Ldexp(w, -digits)
	}
	return out
}
