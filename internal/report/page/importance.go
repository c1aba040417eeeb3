package page

import (
	"cmp"
	"fmt"
	"math"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// aboutWorse explains the lines of the figure of importance.
const aboutWorse = "The lines are ± one standard error of the difference over the same held-out pairs. The standard " +
	"error takes the held-out predictions as given and is not a confidence interval: its coverage was not measured, " +
	"and selection biases the largest of many differences upwards."

// importanceItem is the figure of the importance of features, nil if it was not requested.
func importanceItem(d *report.Estimate) *item {
	m := d.Importance
	if m == nil || len(m.Features) == 0 {
		return nil
	}
	what := cmp.Or(d.Metric, "error")
	plot := &figure.Rows{Label: fmt.Sprintf("how much worse the held-out %s is without the feature", what),
		Rules: []float64{0}, Axis: true}
	t := table{caption: "The features by importance",
		head: []string{"feature", "worse", "standard error", what + " without", "|w| sd"}}
	again := m.Features[0].Again != nil
	if again {
		t.head = append(t.head, "chosen again", what)
	}
	lines := false
	for _, f := range m.Features[:min(len(m.Features), mostWeights)] {
		worse, se := float64(f.Worse), float64(f.StdErr)
		row := figure.Row{Name: featureName(f.Name, f.Feature), Value: worse, Text: signed(worse)}
		if se > 0 && !math.IsInf(se, 0) && !math.IsNaN(worse) {
			row.Lo, row.Hi, lines = worse-se, worse+se, true
		}
		if worse < 0 {
			row.Style = 1
		}
		plot.Rows = append(plot.Rows, row)
		line := []string{row.Name, row.Text, number(f.StdErr), number(f.Without), short(f.Size)}
		if again {
			line = append(line, chosenAgain(f.Again)...)
		}
		t.rows = append(t.rows, line)
	}
	i := &item{table: t, text: []string{
		fmt.Sprintf("With all features the held-out %s is %s, at %s. Each feature is left out alone, at the same "+
			"value. If two features carry the same information, both have importance 0, since the other one "+
			"remains.", what, number(m.Value),
			candidate(m.Choice)),
	}}
	if lines {
		i.text = append(i.text, aboutWorse)
	}
	i.Title = importanceTitle(plot.Rows[0], what)
	i.Desc, i.Body = "A point for each feature, and a vertical line at 0. "+t.caption+".", plot
	i.left = importanceLeft(m, len(plot.Rows))
	return i
}

// importanceTitle names the most important feature, if there is one.
func importanceTitle(first figure.Row, what string) string {
	if !(first.Value > 0) {
		return fmt.Sprintf("The %s is not worse without any single one of the tested features", what)
	}
	return fmt.Sprintf("%s is the most important feature: without it the %s is worse by %s",
		first.Name, what, number(report.Number(first.Value)))
}

// importanceLeft counts the features that are not shown, and those that were not left out.
func importanceLeft(m *report.Importance, shown int) (text string) {
	if n := len(m.Features) - shown; n > 0 {
		text = fmt.Sprintf("Not shown: %s; cv --json prints all.", spell.Plural(n, "less important feature"))
	}
	if m.Left > 0 {
		if text != "" {
			text += " "
		}
		text += fmt.Sprintf("Not tested: %s.", spell.Plural(m.Left, "more feature"))
	}
	return text
}

// chosenAgain are the cells of the choice without a feature.
func chosenAgain(a *report.ImportanceAgain) []string {
	if a == nil {
		return []string{"–", "–"}
	}
	return []string{candidate(a.Choice), number(a.Value)}
}

// short is a number with few digits, or a dash.
func short(n report.Number) string {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return "–"
	}
	return figure.Short(float64(n))
}
