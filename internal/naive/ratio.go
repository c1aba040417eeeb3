package naive

import "math"

// RatioError is the standard error of a ratio over queries, each with its numerator and its denominator: it leaves out
// each query, of three or more; 0 where that changes nothing.
func RatioError(perQuery map[int32][2]float64, ratio float64) float64 {
	const tiny = 1e-14 // of a share
	q, squares := float64(len(perQuery)), 0.0
	for left := range perQuery {
		right, pairs := 0.0, 0.0
		for g, of := range perQuery {
			if g != left {
				right, pairs = right+of[0], pairs+of[1]
			}
		}
		if d := right/pairs - ratio; math.Abs(d) > tiny && q > 2 {
			squares += d * d
		}
	}
	return math.Sqrt((q - 1) / q * squares)
}
