package table

import (
	"fmt"
	"strings"

	"pairrank/internal/cellfault"
)

// What Options.Decimal says that points are. Without one of these, a comma between semicolons is a decimal comma, and a
// point a decimal point.
const (
	decimalPoint = "point" // decimal points; a number has no commas
	decimalComma = "comma" // they separate thousands, and a comma is the decimal sign: 1.207,5
)

// decimal is what the options say, or the model.
func (o *Options) decimal() string {
	if o.Decimal == "" && o.Schema != nil {
		return o.Schema.Decimal
	}
	return o.Decimal
}

// parseCommas reads a finite number with a decimal comma, and with points between thousands, as 1.207,5.
func parseCommas(text string) (float64, bool) {
	whole, _, _ := strings.Cut(text, ",")
	if strings.IndexByte(whole, '.') >= 0 {
		if !separates(whole) {
			return 0, false
		}
		text = strings.ReplaceAll(whole, ".", "") + text[len(whole):]
	}
	return parseDecimal(text)
}

// separates reports whether points in a number may stand between thousands; 0.207 has a decimal point.
func separates(text string) bool {
	return isGrouped(text) && !strings.HasPrefix(strings.TrimLeft(text, "+-"), "0")
}

// doubtPoint looks at a number between semicolons. Three digits behind a point may be thousands: 1.207 beside 712.
func (l *lines) doubtPoint(f *field) {
	at := strings.IndexByte(f.text, '.')
	if at < 0 || l.pointed || l.decimal != "" {
		return
	}
	if _, is := parseNumber(f.text); !is {
		return
	}
	if l.pointed = !separates(f.text); !l.pointed && l.grouped == nil {
		l.grouped = l.faultOf(*f, cellfault.New(cellfault.Thousands,
			fmt.Sprintf("the point is a decimal point, or separates "+
				"thousands: all numbers with a point have three digits behind it, so this is %s or %s%s", f.text,
				f.text[:at], f.text[at+1:])))
	}
}

// undecided is the error about points that may separate thousands, in a table of which no model knows what they are.
func (r *setReader) undecided() error {
	if s := r.opts.Schema; r.pointed || r.commas || s != nil && !s.Commas {
		return nil
	}
	return r.grouped
}
