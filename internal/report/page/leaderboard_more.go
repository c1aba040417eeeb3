package page

import (
	"fmt"
	"math"
	"strings"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// endsShown is how many of the first annotators, and of the last, the figure has; mostTriangles is how many triangles.
const endsShown, mostTriangles = 15, 20

// annotatorsItem is the figure of the reliability of annotators, nil without any.
func annotatorsItem(d *report.Leaderboard) *item {
	all := d.Raters
	if len(all) == 0 {
		return nil
	}
	plot := &figure.Rows{Label: "reliability, ± 1.96 standard errors", Axis: true, Rules: []float64{0, 1}}
	t := table{caption: "The annotators by reliability", head: []string{"annotator", "reliability", "standard error",
		"right", d.LossName(), "expected", "comparisons"}}
	for k, r := range all {
		if k < mostListed {
			t.rows = append(t.rows, []string{r.ID, fixed(r.Reliability, 2), fixed(r.SE, 2), fixed(r.Right, 3),
				fixed(r.Loss, 3), fixed(r.Expected, 3), short(r.Comparisons)})
		}
		if k >= endsShown && k < len(all)-endsShown {
			continue
		}
		row := figure.Row{Name: r.ID, Value: float64(r.Reliability), Text: fixed(r.Reliability, 2)}
		if half := 1.96 * float64(r.SE); !math.IsInf(half, 0) {
			row.Lo, row.Hi = row.Value-half, row.Value+half
		}
		if row.Hi < 1 {
			row.Style = 1
		}
		plot.Rows = append(plot.Rows, row)
	}
	i := &item{table: t}
	i.Title = "Annotators beside the board of the others"
	i.Desc, i.Body = "A point for each annotator, the most reliable first. "+t.caption+".", plot
	i.text = []string{"Reliability is the slope of an annotator's outcomes on the margins of the board of all others: 1 " +
		"for who judges as they do, 0 for who tosses a coin, negative for who judges the other way. Who compared little " +
		"is drawn towards 1. The second colour is of annotators who are surely below 1, each by itself.",
		"Right is the share of the annotator's wins that the others' board orders rightly; expected is the loss of an " +
			"annotator who judges as that board says."}
	if n := len(all) - 2*endsShown; n > 0 {
		i.left = fmt.Sprintf("The figure has the first %d and the last %d of %s.", endsShown, endsShown,
			spell.Plural(len(all), "annotator"))
		if len(all) > mostListed {
			i.left += fmt.Sprintf(" The table has the first %d; --annotators FILE writes all.", mostListed)
		}
	}
	return i
}

// trianglesItem is the figure of the triangles: the least share of wins of their sides, nil without any.
func trianglesItem(d *report.Leaderboard) *item {
	if d.Cycles == nil || len(d.Cycles.Triangles) == 0 {
		return nil
	}
	plot := &figure.Rows{Label: "share of wins of the weakest side", Axis: true, Bars: true, Rules: []float64{0.5}}
	t := table{caption: "Triangles whose three sides are sure", head: []string{"triangle", "weakest side",
		"first beats second", "second beats third", "third beats first"}}
	for k, x := range d.Cycles.Triangles {
		var sides []string
		least := 1.0
		for j := range 3 {
			sides = append(sides, short(x.Wins[j])+":"+short(x.Losses[j]))
			least = min(least, float64(x.Wins[j]/(x.Wins[j]+x.Losses[j])))
		}
		name, text := strings.Join(x.Items[:], ", "), fmt.Sprintf("%.2f", least)
		t.rows = append(t.rows, append([]string{name, text}, sides...))
		if k < mostTriangles {
			plot.Rows = append(plot.Rows, figure.Row{Name: name, Value: least, Text: text})
		}
	}
	i := &item{table: t}
	i.Title = spell.Plural(d.Cycles.Found, "triangle") + ": each item beats the next, the last the first"
	i.Desc, i.Body = "A bar for each triangle. "+t.caption+".", plot
	what := "outcomes"
	if d.Cycles.Units > 0 {
		what = d.Cycles.Unit + "s, each with one vote"
	}
	i.text = []string{"Counts are of " + what + ". The exact test of signs of each side is corrected over all pairs " +
		"(Holm), " +
		"so that all sides are right together in 95 % of samples."}
	if n := d.Cycles.Found; n > len(plot.Rows) {
		i.left = fmt.Sprintf("The figure has the first %d of %d triangles, the table the first %d.", len(plot.Rows), n,
			len(t.rows))
	}
	return i
}

// fixed is a number with so many decimals, – for NaN.
func fixed(v report.Number, decimals int) string {
	if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
		return "–"
	}
	return minus(fmt.Sprintf("%.*f", decimals, float64(v)))
}

// chance is a probability, – for NaN.
func chance(p report.Number) string {
	if math.IsNaN(float64(p)) {
		return "–"
	}
	return report.ChanceText(p)
}
