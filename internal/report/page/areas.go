package page

import (
	"fmt"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// areas adds the areas under the ROC curves of fixed rankings and their differences, or why there are none.
func (s *section) areas(a *report.Areas) {
	if a == nil {
		return
	}
	if a.Without != "" {
		s.notes = append(s.notes, "There is "+a.Text()+".")
		return
	}
	if len(a.Areas) == 0 { // in a document that others have written
		return
	}
	head, rows := a.Rows()
	plot := &figure.Rows{Label: "area under the ROC curve, with its 95 % interval", Axis: true}
	for k, one := range a.Areas {
		row := figure.Row{Name: rows[k][0], Value: one.AUC, Lo: one.AUC, Hi: one.AUC, Text: rows[k][1]}
		if one.Interval.Defined {
			row.Lo, row.Hi = one.Interval.Lo, one.Interval.Hi
		}
		plot.Rows = append(plot.Rows, row)
	}
	for k := range rows {
		for len(rows[k]) < len(head) {
			rows[k] = append(rows[k], "")
		}
	}
	i := &item{table: table{caption: "Areas under the ROC curves", head: head, rows: rows}}
	i.Title, i.Body = "The area under the ROC curve is "+plot.Rows[0].Text, plot
	if n := len(a.Areas); n > 1 {
		i.Title = fmt.Sprintf("The areas under the %d ROC curves", n)
	}
	i.Desc = "The areas under the ROC curves with their 95 % intervals. " + i.table.caption + "."
	i.text = append(i.text, "The "+a.Text()+". The standard errors take the models as given and the rows as independent. "+
		"The p-values are two-sided, by the normal distribution.")
	s.add("", i)
}

// findAreas adds findings about the differences of areas, and reports whether there are any. They are of a single list,
// so that the tests over queries have one query and find nothing.
func (s *section) findAreas(a *report.Areas) bool {
	if a == nil || len(a.Areas) == 0 || len(a.Differences) == 0 {
		return false
	}
	best := 0
	for k, one := range a.Areas {
		if one.AUC > a.Areas[best].AUC {
			best = k
		}
	}
	letter, alike := spell.Letter(best), []string(nil)
	for _, d := range a.Differences {
		switch {
		case d.PHolm.Defined && d.PHolm.Value <= significant:
		case d.A == letter:
			alike = append(alike, d.B)
		case d.B == letter:
			alike = append(alike, d.A)
		}
	}
	text := ", significantly larger than every other one"
	if len(alike) > 0 {
		text = ", not significantly larger than " + spell.List(alike)
	}
	s.find("choice", "%s has the largest area under the ROC curve%s", letter, text)
	s.find("AUC of "+letter, "%.6f over %d positive and %d negative rows", a.Areas[best].AUC, a.Positives, a.Negatives)
	d := a.Differences[0]
	switch n := len(a.Differences); {
	case n > 1:
		s.find("test", "DeLong's at 5 %%, with Holm's correction over %s", spell.Plural(n, "pair"))
	case d.P.Defined:
		s.find("test", "p = %.4g by DeLong, of %s − %s = %s, 95 %% interval %s to %s", d.P.Value, d.A, d.B,
			signed(d.Difference), signed(d.Interval.Lo), signed(d.Interval.Hi))
	default:
		s.find("test", "none: the areas have no variance")
	}
	return true
}
