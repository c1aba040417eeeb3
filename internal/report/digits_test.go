package report

import (
	"math"
	"testing"
)

// Numbers have the digits that their uncertainty leaves.
func TestDigits(t *testing.T) {
	none := Number(math.NaN())
	for _, test := range []struct{ got, want string }{
		{estimated(0.122875, 0.018851, nil), "0.123 ± 0.019"},
		{estimated(0.122875, 0.0188, &Range{0.0859, 0.1727}), "0.123 ± 0.019 (95 % 0.086 to 0.173)"},
		{estimated(0.5, 0.0996, nil), "0.50 ± 0.10"}, // two digits of what is printed
		{estimated(1523.41, 23.4, nil), "1523 ± 23"}, // no decimals
		{estimated(0.25, 0, nil), "0.2500"},          // no ± of zero
		{estimated(0.25, none, nil), "0.2500"},       // none at all
		{estimated(0.25, none, nil, 0.31), "0.25"},   // the digits of what stands beside it
		{within(0.79398, &Range{0.5994, 0.9085}), "0.79 (95 % 0.60 to 0.91)"},
		{within(1, &Range{1, 1}), "1.0000"}, // no interval without a width
		{difference(-0.009809, &Range{-0.030487, 0.010499}), "-0.010 (95 % -0.030 to +0.010)"},
		{difference(0.0003, &Range{-0.03, 0.03}), "+0.0003 (95 % -0.030 to +0.030)"}, // not 0, and not printed as 0
		{Number(1e-17).to(2), "0.00"},
		{Number(math.Copysign(0, -1)).to(2), "0.00"},
		{none.to(2), "-"},
		{Number(math.Inf(1)).to(2), "-"},
		{Number(0.45128).to(apart(3, 0.45128, 0.45131)), "0.45128"}, // told apart
		{Number(0.45).to(apart(3, 0.45, 0.45, none)), "0.450"},
		{pText(0.0312), "0.0312"},
		{pText(0.00012), "1.2e-04"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
