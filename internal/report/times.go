package report

import (
	"fmt"
	"slices"

	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/internal/figure"
	"pairrank/internal/ratio"
	"pairrank/internal/spell"
)

// Times are measures of the order of censored times, with standard errors, and the differences of rankings, which are
// given by their letters.
type Times struct {
	compare.Concordances
	Values      []TimesValue      `json:"values"`
	Differences []TimesDifference `json:"differences,omitempty"`
	// Survival is by ranking.
	Survival []Survival `json:"survival,omitempty"`
}

// TimesValue is a metric of a ranking.
type TimesValue struct {
	Score string `json:"ranking"`
	compare.Concordance
}

// TimesDifference is a metric of ranking A less that of ranking B.
type TimesDifference struct {
	A string `json:"a"`
	B string `json:"b"`
	compare.ConcordanceDifference
}

// NewTimes is the document of what compare.Times found.
func NewTimes(found *compare.Concordances) *Times {
	t := &Times{Concordances: *found}
	for _, one := range found.Values {
		t.Values = append(t.Values, TimesValue{spell.Letter(one.Score), one})
	}
	for _, d := range found.Differences {
		t.Differences = append(t.Differences, TimesDifference{spell.Letter(d.A), spell.Letter(d.B), d})
	}
	return t
}

// text says what is measured, and over what standard errors are.
func (t *Times) text() string {
	return fmt.Sprintf("times of %s, %s: right is a score that grows with the time; standard errors leave out each of %s",
		spell.Plural(t.Rows, "row"), spell.Plural(t.Events, "event"), spell.Plural(t.Units, t.Of))
}

// tell adds the measures and their differences.
func (t *Times) tell(v *View) {
	if t == nil {
		return
	}
	v.line("")
	v.line("%s", t.text())
	shown := listed("The order of censored times", "", "value", "standard error", "95 % interval", "p-value", "Holm")
	shown.Columns[0].Head, shown.Columns[0].Page, shown.Bare = " ", "metric", true
	of := func(m metric.Metric, which string) string {
		if len(t.Differences) == 0 {
			return m.String()
		}
		return m.String() + " " + which
	}
	for _, one := range t.Values {
		p := Spot{Value: one.Value.Value}
		if one.Interval.Defined {
			p.Lo, p.Hi = one.Interval.Lo, one.Interval.Hi
		}
		digits := decimals(valueNumber(one.StdErr))
		shown.drawn(p, of(one.Metric, one.Score), valueNumber(one.Value).to(digits),
			valueNumber(one.StdErr).unsure(digits), newRange(one.Interval).to(digits))
	}
	for _, d := range t.Differences {
		digits, difference, p, holm := decimals(valueNumber(d.StdErr)), "-", "-", "-"
		if d.Difference.Defined {
			difference = valueNumber(d.Difference).signed(digits)
		}
		if d.P.Defined {
			p, holm = pText(d.P.Value), pText(d.PHolm.Value)
		}
		shown.row(of(d.Metric, d.A+" - "+d.B), difference, valueNumber(d.StdErr).unsure(digits),
			newRange(d.Interval).signed(digits), p, holm)
	}
	shown.Columns = shown.Columns[:4+min(2, 2*len(t.Differences))]
	v.tell(shown)
	if len(t.Values) == 0 { // in a document that others have written
		return
	}
	if one := t.Values[0]; one.Value.Defined && !one.StdErr.Defined {
		v.line("no standard error: it takes %s that differ, none with nearly all of the pairs",
			spell.Plural(ratio.LeastUnits, t.Of))
	}
	if text := t.untilLast(); text != "" {
		v.line("%s", text)
		v.Notes = append(v.Notes, text+".")
	}
	v.draw("", &Figure{Title: fmt.Sprintf("%s is %s", shown.cell(0, 0), shown.cell(0, 1)), Table: shown,
		Desc: "The share of pairs in the order of their times, with 95 % intervals.",
		Rows: &Rows{Label: "share of comparable pairs in order, with its 95 % interval", Some: upTo(len(t.Values))},
		Text: []string{"The " + t.text() + ". They take the models as given. A score of risk falls with the time: turn its " +
			"sign round. The p-values are two-sided, by Student's distribution; Holm's correction is over " +
			"the differences of a metric."}})
	t.tellSurvival(v)
}

// untilLast says what Uno's C without a horizon says nothing about, "" where nearly all rows had the event.
func (t *Times) untilLast() string {
	const many = 0.1
	uno := func(v TimesValue) bool { return v.Metric == metric.UnoC }
	if t.WithoutEvent < many || !slices.ContainsFunc(t.Values, uno) {
		return ""
	}
	return fmt.Sprintf("%s is of events until the last one, at %s, when %s had none: it says nothing of longer times",
		metric.UnoC, figure.Short(t.LastEvent), percent(t.WithoutEvent))
}

// tellSurvival adds a figure for each ranking; the text has the table of a single one.
func (t *Times) tellSurvival(v *View) {
	for _, s := range t.Survival {
		table, of := s.table(), ""
		if len(t.Survival) > 1 {
			of = ": " + s.Score
		} else if table.Len > 0 {
			v.line("")
			v.line("survival by thirds of the score")
			v.tell(table)
		}
		v.draw(SurvivalFigure, s.figure(table, of))
	}
}

// find adds findings about the differences, and reports whether there are any.
func (t *Times) find(v *View) bool {
	if t == nil || len(t.Differences) == 0 {
		return false
	}
	d := t.Differences[0]
	if !d.P.Defined {
		v.fact(Headline, "choice", "not tested: the difference in %s has no variance over %s", d.Metric,
			spell.Plural(t.Units, t.Of))
		return true
	}
	which := "not significant at 5 %"
	if d.P.Value <= significant {
		which = "significant at 5 %"
	}
	v.fact(Headline, "choice", "%s of %s − %s = %s, p = %s over %s: %s", d.Metric, d.A, d.B,
		typeset(difference(valueNumber(d.Difference), newRange(d.Interval))), pText(d.P.Value),
		spell.Plural(t.Units, t.Of), which)
	return true
}
