package report

import (
	"cmp"
	"fmt"

	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Against is another procedure that was judged by the same held-out pairs, and how the first differs from it.
type Against struct {
	Options string `json:"options"` // of the other procedure
	Facts
	Best   *Result `json:"best"`
	Nested *Nested `json:"nested,omitempty"`
	// Difference is that of the best errors, and NestedDifference that of the nested errors.
	Difference       Difference  `json:"difference"`
	NestedDifference *Difference `json:"nested_difference,omitempty"`
}

// Difference is a number of the first procedure less that of the other.
type Difference struct {
	Of    string `json:"of"` // auc or error
	Value Number `json:"value"`
	CI95  *Range `json:"ci95"` // by half-samples; null if there are none
	Pairs int64  `json:"pairs"`
	// Draws is the number of draws of outer folds that both made, if there are several, and Splits that of the splits
	// into halves, 0 without.
	Draws  int `json:"draws,omitempty"`
	Splits int `json:"splits,omitempty"`
}

// areaKeys are the names of areas in documents.
var areaKeys = map[string]string{"AUC": "auc", "c-index": "c_index"}

// newDifference is the difference of errors, or of areas if the estimates have these.
func newDifference(d cv.Difference, auc, c *AUC) Difference {
	out := Difference{Of: "error", Value: Number(d.Error), CI95: newRange(d.Interval), Pairs: d.Pairs}
	if name, a := area(auc, c); a != nil {
		out.Of, out.Value = areaKeys[name], 0-out.Value // not -0
		if ci := out.CI95; ci != nil {
			out.CI95 = &Range{0 - ci[1], 0 - ci[0]}
		}
	}
	if d.Draws > 1 {
		out.Draws = d.Draws
	}
	if d.Halves != nil {
		out.Splits = d.Halves.Splits
	}
	return out
}

// AddAgainst adds another procedure, with its options, its estimate and the differences from it.
func (d *Estimate) AddAgainst(options string, other *Estimate, difference cv.Difference, nested *cv.Difference) {
	d.Against = &Against{Options: options, Facts: other.Facts, Best: other.Best, Nested: other.Nested,
		Difference: newDifference(difference, d.Best.AUC, d.Best.CIndex)}
	if nested != nil {
		d.Against.NestedDifference = new(newDifference(*nested, d.Nested.AUC, d.Nested.CIndex))
	}
}

// text is the difference with its interval, or why there is none.
func (d *Difference) text() string {
	name := cmp.Or(map[string]string{"auc": "AUC", "c_index": "c-index"}[d.Of], d.Of)
	text := name + " " + difference(d.Value, d.CI95)
	switch {
	case d.CI95 != nil:
	case d.Splits > 0:
		text += ", without an interval, since the difference is the same in all halves"
	default:
		text += ", without an interval, since one has no half-samples"
	}
	text += " over " + spell.Plural(int(d.Pairs), "pair")
	if d.Draws > 0 {
		text += fmt.Sprintf(" of the %d draws that both made", d.Draws)
	}
	return text
}

// facts adds the other procedure and the differences, nothing of nil.
func (a *Against) facts(v *View) {
	if a == nil {
		return
	}
	v.state("against", "%s", a.Options)
	v.state("", "%s", a.Best.text("held-out pair"))
	v.state("difference", "%s", a.Difference.text())
	if a.NestedDifference != nil {
		v.state("", "nested: %s", a.Nested.text())
		v.state("", "nested: %s", a.NestedDifference.text())
	}
}
