package table

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pairrank/data"
)

// Points of which the numbers do not say whether they separate thousands are an error at the first of them, which
// Options.Decimal, another number, or the model decides.
func TestPointsBetweenSemicolons(t *testing.T) {
	point := &data.Schema{Label: "y", Decimal: "point"}
	for _, c := range []struct {
		name, text string
		opts       Options
		want       string // of the feature a, or the place of the error
	}{
		{"undecided", "y;a\n1;712\n0;1.207\n1;-2.450\n", Options{}, "3:3"},
		{"said to be points", "y;a\n1;712\n0;1.207\n", Options{Decimal: decimalPoint}, "[712 1.207]"},
		{"said to be thousands", "y;a\n1;712\n0;1.207\n1;-1.207,5\n", Options{Decimal: decimalComma},
			"[712 1207 -1207.5]"},
		{"millions", "y;a\n1;1.000.207\n0;5\n", Options{Decimal: decimalComma}, "[1.000207e+06 5]"},
		{"another number", "y;a\n1;1.207\n0;1.5\n", Options{}, "[1.207 1.5]"},
		{"of another column", "y;a;b\n1;1.207;2\n0;2;0.5\n", Options{Only: []string{"a", "b"}}, "[1.207 2]"},
		{"below 1", "y;a\n1;1.207\n0;0.750\n", Options{}, "[1.207 0.75]"},
		{"four digits", "y;a\n1;1.207\n0;1207.125\n", Options{}, "[1.207 1207.125]"},
		{"in the label", "y;a\n1.207;1\n712;2\n", Options{}, "2:1"},
		{"in a column that is left out", "y;a;b\n1;1;1.207\n0;2;5\n", Options{Ignore: []string{"b"}}, "[1 2]"},
		{"by the model", "y;a\n1;1.207\n0;2\n", Options{Schema: point, Names: []string{"a"}, Features: 1}, "[1.207 2]"},
		{"by a model of whole numbers", "y;a\n1;1.207\n0;2\n", Options{Schema: &data.Schema{Label: "y"},
			Names: []string{"a"}, Features: 1}, "[1.207 2]"},
		{"a model of decimal commas", "y;a\n1;1.207\n0;2\n", Options{Schema: &data.Schema{Label: "y", Commas: true},
			Names: []string{"a"}, Features: 1}, "2:3"},
		{"a model of thousands", "y;a\n1;1.207\n0;2\n", Options{Schema: &data.Schema{Label: "y", Decimal: "comma"},
			Names: []string{"a"}, Features: 1}, "[1207 2]"},
		{"commas alone", "y;a\n1;1,207\n0;712\n", Options{}, "[1.207 712]"},
		{"tabs", "y\ta\n1\t1.207,5\n0\t712\n", Options{Decimal: decimalComma}, "[1207.5 712]"},
		{"quotes", "y,a\n1,\"1.207,5\"\n0,712\n", Options{Decimal: decimalComma}, "[1207.5 712]"},
		{"no thousands", "y;a\n1;1.5\n0;712\n", Options{Decimal: decimalComma}, "2:3"},
		{"below 1 as thousands", "y;a\n1;0.207\n0;712\n", Options{Decimal: decimalComma}, "2:3"},
		{"a comma in points", "y;a\n1;1,5\n0;712\n", Options{Decimal: decimalPoint}, "2:3"},
	} {
		set, err := ReadSetFrom(strings.NewReader(c.text), "f", c.opts)
		var at *data.SyntaxError
		got := ""
		switch {
		case errors.As(err, &at):
			got = fmt.Sprintf("%d:%d", at.Line, at.Col)
		case err == nil:
			var a []float64
			for i := range set.Y {
				a = append(a, set.X.(*data.Dense).Row(i)[0])
			}
			got = fmt.Sprint(a)
		}
		if got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, c.want)
		}
	}
}
