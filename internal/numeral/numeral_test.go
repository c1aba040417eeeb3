package numeral

import (
	"math"
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]float64{
		"0.5": 0.5, "-3": -3, "2^-3": 0.125, "2^0.5": math.Sqrt2, "-2^3": -8, "1e-3": 1e-3, "10^2": 100, "0^0": 1,
	} {
		// Pow is right to an ulp or two
		if got, err := Parse(text); err != nil || math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "inf", "NaN", "2^", "^2", "2^x", "2^2^2", "10^400",
		"0^-1", "-1^0.5", "inf^-1", "1:2"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestParseGrid(t *testing.T) {
	got, err := ParseGrid("2^-2:2^2:5")
	if want := []float64{0.25, 0.5, 1, 2, 4}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if got, err = ParseGrid("3:7:2"); err != nil || !slices.Equal(got, []float64{3, 7}) {
		t.Errorf("%v, %v: the ends are as they were written", got, err)
	}
	if got, err = ParseGrid("-1"); err != nil || !slices.Equal(got, []float64{-1}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = ParseGrid("1:2:10000"); err != nil || len(got) != MaxGrid || !slices.IsSorted(got) {
		t.Errorf("%d values, %v", len(got), err)
	}
	for _, text := range []string{"", "1:2", "1:2:3:4", "0:1:3", "2:1:3", "1:1:3", "1:2:1",
		"1:2:10001", "1:2:x", "1:x:3", "-1:1:3"} {
		if got, err := ParseGrid(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Values of λ are read as lists and grids.
func TestParseLambdas(t *testing.T) {
	grid, err := ParseLambdas("2^-15:2^15:31")
	if err != nil || len(grid) != 31 {
		t.Fatalf("%v, %v", grid, err)
	}
	for e := -15; e <= 15; e++ {
		if grid[e+15] != math.Exp2(float64(e)) {
			t.Errorf("λ %d of the grid is %v", e+15, grid[e+15])
		}
	}
	if list, err := ParseLambdas("10, 1,2^-1"); err != nil || !slices.Equal(list, []float64{0.5, 1, 10}) {
		t.Errorf("%v, %v", list, err)
	}
	for _, text := range []string{"", "0", "-1", "1,1", "1:2", "1:2:1", "2:1:3", "0:1:3", "1:2:3:4", "nan", "inf", "a",
		"1,,2"} {
		if got, err := ParseLambdas(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
