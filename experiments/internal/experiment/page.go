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

// Publish prints a section, and puts it into the page where there is one.
func Publish(page, name, text string) error {
	fmt.Printf("<!-- %s -->\n\n%s\n<!-- /%s -->\n\n", name, text, name)
	if page == "" {
		return nil
	}
	return Splice(page, name, text)
}

// Splice replaces what a page has between the lines <!-- name --> and
// <!-- /name -->.
func Splice(page, name, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, opened := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return fmt.Errorf("%s has no lines %q and %q", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(page, []byte(before+begin+"\n"+text+"\n"+end+after), 0o666)
}
