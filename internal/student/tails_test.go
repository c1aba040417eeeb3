package student

import (
	"math"
	"testing"
)

// The tails are those of closed forms: χ² with 1, 2 and 4 degrees of freedom, F with 2 above, and t² as F with 1.
func TestTails(t *testing.T) {
	near := func(got, want float64, what string, x float64) {
		if math.Abs(got-want) > 1e-12*(1+want) && math.Abs(got-want) > 1e-10*want {
			t.Errorf("%s at %v: %v, want %v", what, x, got, want)
		}
	}
	for _, x := range []float64{1e-9, 0.01, 0.3, 1, 2.5, 4, 7, 20, 60, 300} {
		near(ChiSquareAbove(x, 1), math.Erfc(math.Sqrt(x/2)), "1 degree", x)
		near(ChiSquareAbove(x, 2), math.Exp(-x/2), "2 degrees", x)
		near(ChiSquareAbove(x, 4), math.Exp(-x/2)*(1+x/2), "4 degrees", x)
		for _, df := range []int{1, 3, 10, 77} {
			d := float64(df)
			near(FAbove(x, 2, d), math.Pow(1+2*x/d, -d/2), "F with 2", x)
			near(FAbove(x, 1, d), 2*(1-Below(math.Sqrt(x), df)), "F with 1", x)
			near(FAbove(x, d, 9), 1-FAbove(1/x, 9, d), "F turned", x)
		}
	}
	for _, x := range []float64{0, -1} {
		if ChiSquareAbove(x, 3) != 1 || FAbove(x, 3, 3) != 1 {
			t.Errorf("the tail above %v is not 1", x)
		}
	}
}
