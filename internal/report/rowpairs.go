package report

import (
	"fmt"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// RowPairs are the held-out pairs of a row with rows of other labels.
type RowPairs struct {
	Row   int    `json:"row"`          // from 1
	ID    string `json:"id,omitempty"` // its name, if it has one
	Label Number `json:"label"`
	Pairs int64  `json:"pairs"`
	Wrong Number `json:"wrong"` // of them in the wrong order, ties ½
}

// name is the name of the row, or row and its number.
func (r RowPairs) name() string {
	if r.ID != "" {
		return strings.Map(printable, r.ID)
	}
	return fmt.Sprintf("row %d", r.Row)
}

// share is the share of the pairs that are in the wrong order.
func (r RowPairs) share() float64 { return float64(r.Wrong) / float64(max(r.Pairs, 1)) }

// AddRowPairs adds the held-out pairs of each row of a set.
func (d *Estimate) AddRowPairs(set *data.Set, pairs []cv.RowPairs) {
	d.RowPairs = []RowPairs{}
	for _, p := range pairs {
		d.RowPairs = append(d.RowPairs, RowPairs{set.Number(p.Row) + 1, set.DocID(p.Row), Number(set.Y[p.Row]), p.Pairs,
			Number(p.Wrong)})
	}
}

// labelText is a label as the table has it.
func (c *Columns) labelText(label Number) string {
	switch {
	case c != nil && c.Positive != "" && label == 1:
		return strings.Map(printable, c.Positive)
	case c != nil && c.Negative != "" && label == 0:
		return strings.Map(printable, c.Negative)
	}
	return shortNumber(float64(label))
}

// rowsFigure adds the rows with most pairs in the wrong order, and returns their figure, nil where no pair is.
func (d *Estimate) rowsFigure(v *View) *Figure {
	rows := slices.DeleteFunc(slices.Clone(d.RowPairs), func(r RowPairs) bool { return !(r.Wrong > 0) })
	if len(rows) == 0 {
		return nil
	}
	const few = 3
	var said []string
	t := listed("The rows by their pairs in the wrong order", "row", "share", "wrong", "pairs", "number")
	for k, r := range rows[:min(len(rows), mostWeights)] {
		label, p := d.Columns.labelText(r.Label), Spot{Value: r.share()}
		if k < few {
			said = append(said, fmt.Sprintf("%s (%s) %s of %s", r.name(), label, shortNumber(float64(r.Wrong)),
				spell.Plural(int(r.Pairs), "pair")))
		}
		if d.Columns != nil && d.Columns.Positive != "" && r.Label == 0 {
			p.Style = 1
		}
		t.drawn(p, fmt.Sprintf("%s, %s", r.name(), label), percent(r.share()), shortNumber(float64(r.Wrong)),
			fmt.Sprint(r.Pairs), fmt.Sprint(r.Row))
	}
	v.fact(Detail, "worst rows", "in the wrong order: %s", strings.Join(said, ", "))
	f := &Figure{Title: fmt.Sprintf("%s is in the wrong order most often: in %s of its %s", rows[0].name(),
		percent(rows[0].share()), spell.Plural(int(rows[0].Pairs), "pair")), Desc: "A bar for each row.", Table: t,
		Rows: &Rows{Label: "share of held-out pairs in the wrong order", Bars: true},
		Text: []string{"Each pair of a row and a row of another label was scored by a model that was trained without both. " +
			"A bar is the share of a row's pairs in the wrong order, ties counting one half; chance is 50 %.",
			"Look at the first rows: a wrong label, a mixed-up sample or an unusual case looks like this. To leave rows out " +
				"because of it makes the error too good."}}
	if n := len(rows) - t.Len; n > 0 {
		f.Left = fmt.Sprintf("Not shown: %s with pairs in the wrong order; the JSON document has all.",
			spell.Plural(n, "more row"))
	}
	return f
}
