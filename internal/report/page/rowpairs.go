package page

import (
	"fmt"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// rowPairsItem is the figure of the rows with most held-out pairs in the wrong order, nil if there are none.
func rowPairsItem(d *report.Estimate) *item {
	if len(d.RowPairs) == 0 || !(d.RowPairs[0].Wrong > 0) {
		return nil
	}
	plot := &figure.Rows{Label: "share of held-out pairs in the wrong order", Bars: true, Axis: true}
	t := table{caption: "The rows by their pairs in the wrong order", head: []string{"row", "share",
		"wrong", "pairs", "number"}}
	wrong := 0
	for _, r := range d.RowPairs {
		if r.Wrong > 0 {
			wrong++
		}
	}
	shown := min(wrong, mostWeights)
	for _, r := range d.RowPairs[:shown] {
		label := d.Columns.LabelText(r.Label)
		row := figure.Row{Name: fmt.Sprintf("%s, %s", r.Name(), label), Value: r.Share(), Text: percent(r.Share())}
		if d.Columns != nil && d.Columns.Positive != "" && r.Label == 0 {
			row.Style = 1
		}
		plot.Rows = append(plot.Rows, row)
		t.rows = append(t.rows, []string{row.Name, row.Text, figure.Short(float64(r.Wrong)), fmt.Sprint(r.Pairs),
			fmt.Sprint(r.Row)})
	}
	first := d.RowPairs[0]
	i := &item{table: t, text: []string{
		"Each pair of a row and a row of another label was scored by a model that was trained without both. A bar is " +
			"the share of a row's pairs in the wrong order, ties counting one half; chance is 50 %.",
		"Look at the first rows: a wrong label, a mixed-up sample or an unusual case looks like this. To leave rows " +
			"out because of it makes the error too good.",
	}}
	i.Title = fmt.Sprintf("%s is in the wrong order most often: in %s of its %s", first.Name(), percent(first.Share()),
		spell.Plural(int(first.Pairs), "pair"))
	i.Desc, i.Body = "A bar for each row. "+t.caption+".", plot
	if n := wrong - shown; n > 0 {
		i.left = fmt.Sprintf("Not shown: %s with pairs in the wrong order; the JSON document has all.",
			spell.Plural(n, "more row"))
	}
	return i
}
