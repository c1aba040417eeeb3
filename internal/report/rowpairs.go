package report

import (
	"fmt"
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

// Name is the name of the row, or row and its number.
func (r RowPairs) Name() string {
	if r.ID != "" {
		return strings.Map(printable, r.ID)
	}
	return fmt.Sprintf("row %d", r.Row)
}

// Share is the share of the pairs that are in the wrong order.
func (r RowPairs) Share() float64 { return float64(r.Wrong) / float64(max(r.Pairs, 1)) }

// AddRowPairs adds the held-out pairs of each row of a set.
func (d *Estimate) AddRowPairs(set *data.Set, pairs []cv.RowPairs) {
	d.RowPairs = []RowPairs{}
	for _, p := range pairs {
		d.RowPairs = append(d.RowPairs, RowPairs{p.Row + 1, set.DocID(p.Row), Number(set.Y[p.Row]), p.Pairs,
			Number(p.Wrong)})
	}
}

// LabelText is a label as the table has it.
func (c *Columns) LabelText(label Number) string {
	switch {
	case c != nil && c.Positive != "" && label == 1:
		return strings.Map(printable, c.Positive)
	case c != nil && c.Negative != "" && label == 0:
		return strings.Map(printable, c.Negative)
	}
	return shortNumber(float64(label))
}

// worstText names the rows with most pairs in the wrong order; "" where no pair is.
func (d *Estimate) worstText() string {
	const few = 3
	var texts []string
	for _, r := range d.RowPairs[:min(few, len(d.RowPairs))] {
		if r.Wrong > 0 {
			texts = append(texts, fmt.Sprintf("%s (%s) %s of %s", r.Name(), d.Columns.LabelText(r.Label),
				shortNumber(float64(r.Wrong)), spell.Plural(int(r.Pairs), "pair")))
		}
	}
	if texts == nil {
		return ""
	}
	return "in the wrong order: " + strings.Join(texts, ", ")
}
