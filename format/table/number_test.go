package table

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Numbers are those of strconv, to the last bit, whichever way they are read.
func TestParseNumber(t *testing.T) {
	check := func(text string) {
		t.Helper()
		want, err := strconv.ParseFloat(text, 64)
		valid := err == nil && !math.IsInf(want, 0) && !strings.ContainsAny(text, "_xXpPnNiI")
		got, ok := parseNumber(text)
		if ok != valid || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%q is %v, %v; want %v, %v", text, got, ok, want, err)
		}
	}
	for _, text := range []string{"", "-", "+", ".", "-.", "0", "-0", "+0", "-0.0", "5.", ".5", "-.5", "1.2.3", "1-2",
		"--1",
		"999999999999999", "9999999999999999", "0.000000000000001", "0.0000000000000001", "1e5", "1_0", "0x1", "inf", "nan",
		"9007199254740993", "00000000000000000001", " 1", "1 "} {
		check(text)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		digits := []byte(strconv.FormatUint(r.Uint64()>>r.IntN(64), 10))
		if at := r.IntN(len(digits) + 3); at <= len(digits) {
			digits = append(digits[:at], append([]byte("."), digits[at:]...)...)
		}
		check([]string{"", "-", "+"}[r.IntN(3)] + string(digits))
	}
}
