package student

import (
	"math"
	"testing"
)

// Values of the tables in textbooks (Pearson and Hartley, Biometrika tables for statisticians,
// 1966, table 12), and of 60 and 61, where the method changes.
func TestQuantile975(t *testing.T) {
	for df, want := range map[int]float64{
		1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 9: 2.2622, 10: 2.2281, 20: 2.0860,
		30: 2.0423, 60: 2.0003, 120: 1.9799, 1_000_000_000: 1.9600,
	} {
		if got := Quantile975(df); math.Abs(got-want) > 0.00005 {
			t.Errorf("df = %d: %v, want %v", df, got, want)
		}
	}
	for _, df := range []int{61, 80, 200} {
		// to ten digits, of a density of 0.06 there, on both sides
		if in := within(Quantile975(df), df); math.Abs(in-0.95) > 1e-10 {
			t.Errorf("df = %d: %v within the quantile", df, in)
		}
	}
}

// Below is the distribution function in closed form for 1 and 2 degrees of freedom, and that of Quantile975.
func TestBelow(t *testing.T) {
	for _, x := range []float64{-30, -1.5, 0, 0.2, 4} {
		for df, want := range map[int]float64{1: 0.5 + math.Atan(x)/math.Pi, 2: 0.5 + x/(2*math.Sqrt(2+x*x))} {
			if got := Below(x, df); math.Abs(got-want) > 1e-14 {
				t.Errorf("%v with df = %d: %v, want %v", x, df, got, want)
			}
		}
	}
	for _, df := range []int{3, 8, 200} {
		if got := Below(Quantile975(df), df); math.Abs(got-0.975) > 1e-10 {
			t.Errorf("df = %d: %v below the quantile", df, got)
		}
	}
}
