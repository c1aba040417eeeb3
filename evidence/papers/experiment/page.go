// Package experiment is what the programs of experiments share: where their data
// is, the sections of their pages, and numbers as their tables have them.
package experiment

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Digits is a number with three significant digits and no exponent, – for NaN.
func Digits(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	decimals := 2
	if v != 0 {
		decimals = 2 - int(math.Floor(math.Log10(math.Abs(v))))
	}
	return strconv.FormatFloat(v, 'f', max(0, decimals), 64)
}

// Powers are 2^lo, 2^(lo+step) … up to 2^hi.
func Powers(lo, hi, step int) (all []float64) {
	for e := lo; e <= hi; e += step {
		all = append(all, math.Ldexp(1, e))
	}
	return all
}

// Mean is the mean of the numbers, NaN of none.
func Mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// Moments are the mean of the numbers and their standard deviation, which is NaN of one.
func Moments(v []float64) (mean, deviation float64) {
	mean = Mean(v)
	for _, x := range v {
		deviation += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(v)-1))
}

// StdErr is the standard error of the mean of the numbers, NaN of one.
func StdErr(v []float64) float64 {
	_, deviation := Moments(v)
	return deviation / math.Sqrt(float64(len(v)))
}

// Median is the middle one of the numbers, or the mean of the two; NaN of none.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// Sections are those that a flag chooses, with commas, of the known ones; all for
// "".
func Sections(chosen string, known []string) ([]string, error) {
	if chosen == "" {
		return known, nil
	}
	names := strings.Split(chosen, ",")
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown section %q: known are %s", name, strings.Join(known, ", "))
		}
	}
	return names, nil
}

// Splice replaces what a page has between the lines <!-- name --> and
// <!-- /name -->, and puts it at the end of a page that has neither.
func Splice(page, name, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	spliced, err := splice(string(old), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(spliced), 0o666)
}

func splice(page, name, text string) (string, error) {
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, opened := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened && !strings.Contains(page, end) {
		return page + "\n" + begin + "\n" + text + "\n" + end, nil
	}
	if !opened || !closed {
		return "", fmt.Errorf("of the lines %q and %q one is missing", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + "\n" + text + "\n" + end + after, nil
}

// Spliced is what a page has between the lines <!-- name --> and <!-- /name -->.
func Spliced(page, name string) (text string, found bool) {
	_, rest, opened := strings.Cut(page, "<!-- "+name+" -->\n\n")
	text, _, closed := strings.Cut(rest, "\n<!-- /"+name+" -->\n")
	return text, opened && closed
}
