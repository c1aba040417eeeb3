// Package cellfault has the kinds of what may be wrong with a table, which its errors wrap.
package cellfault

import "errors"

// Kind is a kind of fault of a table.
type Kind int

const (
	Columns    Kind = iota // the columns: which is the label or the id, or one without a name
	Fields                 // a line has another number of fields than the first
	Quotes                 // quotes do not end at the end of a field
	Header                 // the header again
	Blank                  // a row without a value
	Missing                // a value is missing, and no rule fills it in
	Unlabelled             // a label is missing
	Unnamed                // the name of a query, group or fold is missing
	Mark                   // a text that may stand for a missing value, as "?"
	Amount                 // a number that is not plain, as 1,234 and 5 %
	Date                   // a date or a time
	Text                   // another text where a number stands
	Infinite               // a number that is not finite
	Signs                  // decimal commas and points
	Thousands              // points that may separate thousands
	Encoding               // bytes that are not UTF-8
	Digits                 // a name that is a rounded number
	Labels                 // labels are texts, and which one is 1 is not known
	Foreign                // a file that is no text
	Other                  // any other
	Kinds                  // how many there are
)

// String is what the faults of the kind are, for a count.
func (f Kind) String() string {
	return [...]string{"about the columns", "lines with more or fewer fields", "quotes that do not end",
		"headers among the rows", "rows without values", "missing values", "missing labels", "missing names",
		"marks of missing values", "numbers that are not plain", "dates", "texts", "infinite numbers",
		"decimal commas and points", "points that may separate thousands", "texts that are not UTF-8",
		"names that have lost digits",
		"about text labels", "about the format", "others"}[f]
}

// Reason is why a cell, a line or a table is refused.
type Reason struct {
	Kind Kind
	Text string
}

// New is the reason of a kind.
func New(kind Kind, text string) *Reason { return &Reason{kind, text} }

func (r *Reason) Error() string { return r.Text }

// Of is the kind of the Reason that an error wraps, Other if there is none.
func Of(err error) Kind {
	var reason *Reason
	if errors.As(err, &reason) {
		return reason.Kind
	}
	return Other
}
