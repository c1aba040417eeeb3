package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pairrank/internal/figure"
)

// Texts and pages print numbers as one says them. A value with a standard error has the decimals that leave two
// significant digits of the error, as 0.123 ± 0.019; one with an interval alone those of the width, as 0.79 (95 % 0.60
// to 0.91); and one without either has fewDecimals. JSON and files have all digits.

const (
	fewDecimals  = 4     // of a number whose uncertainty is not known
	moreDecimals = 6     // at most, so that two numbers do not look alike
	dust         = 1e-12 // rounding: nothing that is smaller is told from 0
)

// decimals leave two significant digits of the first uncertainty that is known: a standard error, or the width of an
// interval.
func decimals(of ...Number) int {
	for _, u := range of {
		if u > dust && !math.IsInf(float64(u), 1) {
			_, power, _ := strings.Cut(strconv.FormatFloat(float64(u), 'e', 1, 64), "e")
			exponent, _ := strconv.Atoi(power)
			return max(0, 1-exponent)
		}
	}
	return fewDecimals
}

// apart is so many decimals, or more where one of the others is not the number and would look like it.
func apart(decimals int, n Number, others ...Number) int {
	for _, other := range others {
		for math.Abs(float64(n-other)) > 1e-6 && decimals < moreDecimals && n.to(decimals) == other.to(decimals) {
			decimals++
		}
	}
	return decimals
}

// digits are those that the least uncertainty of a column leaves, and more where the marked row would look like one
// that it is not.
func (t *Table) digits(of func(l int) (n, unsure Number)) int {
	least := Number(math.NaN())
	for l := range t.Len {
		if _, u := of(l); u > dust && !(u >= least) {
			least = u
		}
	}
	digits := decimals(least)
	for l := range t.Len {
		if t.Mark > 0 {
			n, _ := of(l)
			marked, _ := of(t.Mark - 1)
			digits = apart(digits, marked, n)
		}
	}
	return digits
}

// to is the number with so many decimals, with more where it would look like 0, - where there is none.
func (n Number) to(decimals int) string {
	switch v := float64(n); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case math.Abs(v) >= 1e7:
		return fmt.Sprintf("%.6g", v)
	case math.Abs(v) < dust:
		return strconv.FormatFloat(0, 'f', decimals, 64)
	default:
		text := strconv.FormatFloat(v, 'f', decimals, 64)
		for decimals < moreDecimals && strings.Trim(text, "-0.") == "" {
			decimals++
			text = strconv.FormatFloat(v, 'f', decimals, 64)
		}
		return text
	}
}

// String is the number without an uncertainty.
func (n Number) String() string { return n.to(fewDecimals) }

// signed is a difference with its sign.
func (n Number) signed(decimals int) string {
	text := n.to(decimals)
	if text[0] == '-' {
		return text
	}
	return "+" + text
}

// number is a number of a page, to the digits that the first known uncertainty leaves.
func number(n Number, unsure ...Number) string { return typeset(n.to(decimals(unsure...))) }

// signed is a difference on a page.
func signed(n Number, unsure ...Number) string { return typeset(n.signed(decimals(unsure...))) }

// plusMinus is the text of a standard error after its estimate, "" where there is none.
func plusMinus(n Number) string {
	if text := n.unsure(decimals(n)); text != "-" {
		return " ± " + text
	}
	return ""
}

// unsure is a standard error, - where there is none: of things that are all alike it is 0, and says nothing of others.
func (n Number) unsure(decimals int) string {
	if !(n > dust) {
		return "-"
	}
	return n.to(decimals)
}

// width is that of the interval, NaN for nil.
func (r *Range) width() Number {
	if r == nil {
		return Number(math.NaN())
	}
	return r[1] - r[0]
}

// to is the interval with so many decimals, - for nil and for one without a width, as of things that are all alike.
func (r *Range) to(decimals int) string {
	if !(r.width() > dust) {
		return "-"
	}
	return r[0].to(decimals) + " to " + r[1].to(decimals)
}

// signed is the interval of a difference.
func (r *Range) signed(decimals int) string {
	if !(r.width() > dust) {
		return "-"
	}
	return r[0].signed(decimals) + " to " + r[1].signed(decimals)
}

// in95 is the interval behind its estimate, "" where there is none.
func in95(ends string) string {
	if ends == "-" {
		return ""
	}
	return " (95 % " + ends + ")"
}

// estimated is an estimate with its standard error and its interval, those that it has, or to the digits that another
// uncertainty leaves.
func estimated(n, stderr Number, r *Range, unsure ...Number) string {
	d := decimals(append([]Number{stderr, r.width()}, unsure...)...)
	return n.to(d) + plusMinus(stderr) + in95(r.to(d))
}

// within is an estimate with its interval, or to the digits that another uncertainty leaves.
func within(n Number, r *Range, unsure ...Number) string {
	d := decimals(append([]Number{r.width()}, unsure...)...)
	return n.to(d) + in95(r.to(d))
}

// difference is one with its interval, or to the digits that another uncertainty leaves.
func difference(n Number, r *Range) string {
	d := decimals(r.width())
	return n.signed(d) + in95(r.signed(d))
}

// plainText is a number with four digits, - for NaN.
func plainText(v Number) string {
	switch x := float64(v); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "-"
	case math.Abs(x) < 1e-12: // the rest of rounding
		return "0"
	default:
		return fmt.Sprintf("%.4g", x)
	}
}

// shortNumber is a number with five digits.
func shortNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e5 {
		return strconv.FormatFloat(v+0, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}

// pText is a p-value with three digits, or two when it is small, - for NaN, in O(1).
func pText[P float64 | Number](p P) string {
	switch v := float64(p); {
	case math.IsNaN(v):
		return "-"
	case v > 0 && v < 0.001:
		return fmt.Sprintf("%.1e", v)
	default:
		return fmt.Sprintf("%.3g", v)
	}
}

// chanceText is a probability with three digits, - for NaN.
func chanceText(p Number) string {
	switch {
	case p != p:
		return "-"
	case p > 0.9995:
		return ">0.999"
	case p < 0.0005:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", float64(p))
}

// percent is a share in percent.
func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// short is a number with few digits, or a dash.
func short(n Number) string {
	if math.IsInf(float64(n), 0) {
		return "–"
	}
	return figure.Short(float64(n))
}

// countText is a number of comparisons.
func countText(n Number) string { return fmt.Sprint(float64(n)) }

// unitsText is a mean number of queries or rows, with a half if sizes differ by one.
func unitsText(n Number) string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }
