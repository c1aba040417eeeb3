package cv

import (
	"math"
	"slices"
	"testing"
)

// TestLambdasSpanTheEigenvalues: the largest value leaves every eigenvalue below an
// eighth of it; the least is below an eighth of the least eigenvalue, or at
// rounding; and a problem times a constant has the grid times a power of two near it.
func TestLambdasSpanTheEigenvalues(t *testing.T) {
	wide := []float64{0, 1e-9, 0.3, 5, 1000}
	narrow := []float64{0, 0.2, 0.3, 5, 100}
	for _, c := range []struct {
		d            []float64
		step         float64
		top, nearest float64
	}{
		{wide, 1.5, 8192, 1e-9}, {narrow, 1, 1024, 0.2},
		{[]float64{1}, 1, 8, 1}, {[]float64{1e300, 1e299}, 1, math.Exp2(1000), 1e299},
		{nil, 1, 1 << 15, math.Inf(1)}, {[]float64{0}, 1, 1 << 15, math.Inf(1)}, {[]float64{math.NaN()}, 1, 1 << 15, math.Inf(1)},
	} {
		got := Lambdas(c.d)
		if len(got) != 31 || !slices.IsSorted(got) || got[30] != c.top {
			t.Fatalf("%v: %v", c.d, got)
		}
		for l := range 30 {
			if ratio := math.Log2(got[l+1] / got[l]); math.Abs(ratio-c.step) > 1e-9 {
				t.Errorf("%v: step 2^%g, want 2^%g", c.d, ratio, c.step)
			}
		}
		if rounding := 0x1p-41 * slices.Max(append(c.d, 0)); got[0] > max(c.nearest/8, rounding) {
			t.Errorf("%v: the least value is %g", c.d, got[0])
		}
	}
	if got := Lambdas([]float64{5e-310}); !(got[0] > 0) || len(got) != 31 {
		t.Errorf("of a tiny eigenvalue: %v", got)
	}
}

func TestOtherPaths(t *testing.T) {
	if got := IterativeLambdas(100); len(got) != 16 || got[15] != 1024 || got[0] != math.Exp2(-5) {
		t.Errorf("%v", got)
	}
	if got := HingeLambdas(4); len(got) != 12 || got[11] != 4 || got[0] != math.Exp2(-20) {
		t.Errorf("%v", got) // the distance of two rows of mean 0 and variance 1 in two features
	}
	for _, bad := range []float64{0, math.Inf(1), math.NaN()} {
		if got := HingeLambdas(bad); len(got) != 12 || !(got[0] > 0) {
			t.Errorf("%g: %v", bad, got)
		}
	}
}
