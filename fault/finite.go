package fault

import (
	"fmt"
	"math"
)

// Overflow is the code of a score that is not finite.
const Overflow Code = "overflow"

// Finite returns a numerical fault that names the first of some scores that is NaN or infinite, nil
// where there is none; name returns the owner of the i-th score.
func Finite(scores []float64, name func(i int) string) error {
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return As(Numerical, Overflow,
				fmt.Errorf("the score of %s overflows double precision: it is %v", name(i), s))
		}
	}
	return nil
}
