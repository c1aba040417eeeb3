package holdout

import (
	"math"
	"testing"

	"pairrank/data"
)

// tieAll is tieWithin with a bound from the largest score.
func tieAll(f []float64) {
	bound := newUnbounded(&data.Dense{Rows: len(f), Cols: 1, Stride: 1, Data: f}, 0)
	tieWithin(f, bound.Most(), func(int) float64 { return bound.Most() })
}

// TestScoresTieAlike: scores that differ by rounding become equal, others stay different, wherever
// they lie.
func TestScoresTieAlike(t *testing.T) {
	for _, scale := range []float64{1e-300, 1e-12, 1, 3e7, 1e300} {
		f := []float64{0.3 * scale, (0.1 + 0.2) * scale, 0.3 * scale * (1 + 1e-11), -scale, 0}
		tieAll(f)
		if f[0] != f[1] || f[0] == f[2] || math.Abs(f[0]-0.3*scale) > 1e-12*scale ||
			math.Abs(f[3]+scale) > 1e-12*scale || f[4] != 0 {
			t.Errorf("scale %g: %v", scale, f)
		}
	}
	for i := range 1000 { // there is no grid that parts them
		v := 1 + float64(i)*0x1p-43
		if f := []float64{v, v * (1 + 0x1p-50), -2}; true {
			if tieAll(f); f[0] != f[1] {
				t.Errorf("%v stay apart", f)
			}
		}
	}
	// Most scores are rounding errors of a few large ones: they tie.
	few := []float64{0.7, 3e-17, -2e-17, 1e-17, 0, 5e-18, 0.2}
	if tieAll(few); few[1] != few[2] || few[2] != few[3] || few[4] != few[5] || few[1] != few[4] || few[6] != 0.2 {
		t.Errorf("rounding stays apart: %v", few)
	}
	none := []float64{0, 0}
	if tieAll(none); none[0] != 0 || none[1] != 0 {
		t.Errorf("zeros become %v", none)
	}
	tieAll(nil)
}
