// Package numeral reads numbers as people write parameters: 0.5, 2^-3, and geometric
// grids of them, 2^-10:2^4:15.
package numeral

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// MaxGrid is the largest number of values of a grid.
const MaxGrid = 10_000

// Parse reads a finite number, or a power of two numbers such as 2^-3.
func Parse(text string) (float64, error) {
	base, exponent, power := strings.Cut(text, "^")
	v, err := strconv.ParseFloat(base, 64)
	if err == nil && power && !math.IsNaN(v) && !math.IsInf(v, 0) {
		var e float64
		if e, err = strconv.ParseFloat(exponent, 64); err == nil {
			v = math.Pow(v, e)
		}
	}
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("not a finite number: %q", text)
	}
	return v, nil
}

// ParseGrid reads one number, or a geometric grid LO:HI:N of N numbers from LO to HI,
// 0 < LO < HI and 2 ≤ N ≤ MaxGrid, as in 2^-10:2^4:15.
func ParseGrid(text string) ([]float64, error) {
	fields := strings.Split(text, ":")
	if len(fields) == 1 {
		v, err := Parse(text)
		return []float64{v}, err
	}
	if len(fields) == 3 {
		lo, err1 := Parse(fields[0])
		hi, err2 := Parse(fields[1])
		n, err3 := strconv.Atoi(fields[2])
		if err1 == nil && err2 == nil && err3 == nil && lo > 0 && hi > lo && n >= 2 && n <= MaxGrid {
			return geometric(lo, hi, n), nil
		}
	}
	return nil, fmt.Errorf("a grid is LO:HI:N with 0 < LO < HI and N from 2 to %d, as in 2^-10:2^4:15, not %q",
		MaxGrid, text)
}

// ParseLambdas reads values of λ, a list a,b,c or a geometric grid LO:HI:N of numbers greater than 0 that differ, and
// sorts them.
func ParseLambdas(text string) ([]float64, error) {
	if strings.Contains(text, ":") {
		return ParseGrid(text)
	}
	var out []float64
	for field := range strings.SplitSeq(text, ",") {
		v, err := Parse(strings.TrimSpace(field))
		if err != nil || !(v > 0) {
			return nil, fmt.Errorf("λ is a number greater than 0, not %q", field)
		}
		out = append(out, v)
	}
	slices.Sort(out)
	if len(slices.Compact(slices.Clone(out))) < len(out) {
		return nil, fmt.Errorf("a λ stands twice in %q", text)
	}
	return out, nil
}

// geometric is n numbers from lo to hi with equal ratios; powers of two come out
// exactly where the steps are whole.
func geometric(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		t := float64(i) / float64(n-1)
		out[i] = math.Exp2(math.Log2(lo) + t*(math.Log2(hi)-math.Log2(lo)))
	}
	out[0], out[n-1] = lo, hi
	return out
}
