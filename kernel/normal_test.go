package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// quantileTolerance is the relative error that AS 241, the logarithm and Erfc, with which it is
// measured, may have together: some units of the last place of z.
const quantileTolerance = 1e-15

// TestNormalQuantile: Φ of it is u, from the least u to the largest.
func TestNormalQuantile(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 41))
	bits := []uint64{0, 1 << 12, 1 << 30, 1 << 63, 1<<63 - 1, math.MaxUint64, 0x1333333333333333, 0xeccccccccccccccc}
	for k := range 5000 {
		bits = append(bits, r.Uint64(), r.Uint64()>>(k%50))
	}
	for _, b := range bits {
		z, mirrored := normalQuantile(b), normalQuantile(^b)
		if z != -mirrored {
			t.Fatalf("%x: %v, and %v of the other side", b, z, mirrored)
		}
		u := (float64(min(b, ^b)>>12) + 0.5) * 0x1p-52
		// at most z² times as much in the tail
		if got := math.Erfc(math.Abs(z)/math.Sqrt2) / 2; math.Abs(got/u-1) > quantileTolerance*(1+z*z) {
			t.Fatalf("u = %v: z = %v, whose tail is %v", u, z, got)
		}
	}
	if z := normalQuantile(1 << 63); !(z > 0 && z < 1e-15) {
		t.Errorf("the median is %v", z)
	}
}

func TestLogOf(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 42))
	for range 10000 {
		x := math.Ldexp(r.Float64(), -r.IntN(60)) + 0x1p-100
		// 4 units of the last place
		if got, want := logOf(x), math.Log(x); math.Abs(got-want) > 4e-16*(math.Abs(want)+math.Abs(want)) {
			t.Fatalf("log %v is %v, not %v", x, got, want)
		}
	}
}
