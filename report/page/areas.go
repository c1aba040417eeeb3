package page

import (
	"fmt"

	"pairrank/internal/figure"
	"pairrank/report"
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
