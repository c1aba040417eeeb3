package holdout

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
		{nil, 1, 1 << 15, math.Inf(1)}, {[]float64{0}, 1, 1 << 15, math.Inf(1)},
		{[]float64{math.NaN()}, 1, 1 << 15, math.Inf(1)},
	} {
		got := Lambdas(c.d, 1)
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
	if got := Lambdas([]float64{5e-310}, 1); !(got[0] > 0) || len(got) != 31 {
		t.Errorf("of a tiny eigenvalue: %v", got)
	}
}

// Without a positive eigenvalue the paths by eigenvalues and by their extent are the same.
func TestLambdasOfNothing(t *testing.T) {
	want := Lambdas(nil, 1)
	if want[0] != 0x1p-15 || want[30] != 0x1p15 {
		t.Errorf("without eigenvalues: %v", want)
	}
	for _, least := range []float64{0, math.Inf(1)} {
		if got := LambdasBetween(least, 0, 1); !slices.Equal(got, want) {
			t.Errorf("between %g and 0: %v", least, got)
		}
	}
	if got := LambdasToRounding(3, 1); got[0] > 3*0x1p-40 || !slices.Equal(got, LambdasBetween(1e-300, 3, 1)) {
		t.Errorf("down to rounding of 3: %v", got)
	}
}

func TestOtherPaths(t *testing.T) {
	if got := IterativeLambdas(100, 1); len(got) != 16 || got[15] != 1024 || got[0] != math.Exp2(-5) {
		t.Errorf("%v", got)
	}
	if got := HingeLambdas(4, 1); len(got) != 12 || got[11] != 4 || got[0] != math.Exp2(-20) {
		t.Errorf("%v", got) // the distance of two rows of mean 0 and variance 1 in two features
	}
	for _, bad := range []float64{0, math.Inf(1), math.NaN()} {
		if got := HingeLambdas(bad, 1); len(got) != 12 || !(got[0] > 0) {
			t.Errorf("%g: %v", bad, got)
		}
	}
}

// TestPathsGoFurtherDown where features differ in size: as far below the size of most
// features as without the large one, with no more than 31 values.
func TestPathsGoFurtherDown(t *testing.T) {
	for _, spread := range []float64{1, 50, 1e4, 1e9, 1e18} {
		more := math.Log2(spread)
		if spread < 64 {
			more = 0
		}
		for name, got := range map[string][]float64{
			"factored": Lambdas([]float64{1, spread}, spread), "iterative": IterativeLambdas(spread, spread),
			"hinge": HingeLambdas(8*spread, spread),
		} {
			least := map[string]float64{"factored": 27, "iterative": 12, "hinge": 19}[name] // octaves below 1
			if down := math.Log2(got[len(got)-1] / got[0]); len(got) > 31 || down < least+more ||
				down > 3*(least+more+6) {
				t.Errorf("%s, spread %g: %d values over %g octaves", name, spread, len(got), down)
			}
		}
	}
	if s := Spread([]float64{1, 1, 1, 0}); s != 1 {
		t.Errorf("equal features spread %g", s)
	}
	if s := Spread([]float64{1, 1, 3e12, 1}); s < 7e11 || s > 8e11 {
		t.Errorf("a large feature spreads %g", s)
	}
	if Spread(nil) != 1 || Spread([]float64{0}) != 1 {
		t.Error("no feature spreads a problem")
	}
}
