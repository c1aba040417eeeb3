package page

import (
	"cmp"
	"fmt"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// aboutRounds explains the counts of selected features.
const aboutRounds = "Each round selected from the rows that it did not hold out. A feature that comes up in few " +
	"rounds " +
	"can be replaced by others with the same information: those that came up instead are in the table. Rounds share " +
	"most of their rows, so the interval of the stability is one over rounds, and not over further data."

// mostOthers is the number of other features in the table.
const mostOthers = 10

// featuresItem is the figure of the selected features with their counts in rounds, nil if there are no rounds.
func featuresItem(d *report.Chosen) *item {
	r := d.Again
	if r == nil || len(r.Features) == 0 {
		return nil
	}
	plot := &figure.Rows{Label: "rounds that selected the feature, of " + fmt.Sprint(r.Rounds), Rules: []float64{0,
		float64(r.Rounds)}, Axis: true}
	t := table{caption: "The selected features, in the order in which they came in, and the most frequent others",
		head: []string{"feature", "rounds", "in rounds without it"}}
	row := func(c report.ChosenCount, style int, instead string) {
		name := featureName(c.Name, c.Feature)
		plot.Rows = append(plot.Rows, figure.Row{Name: name, Value: float64(c.Count), Text: fmt.Sprint(c.Count),
			Style: style})
		t.rows = append(t.rows, []string{name, fmt.Sprint(c.Count), cmp.Or(instead, "–")})
	}
	for _, f := range r.Features[:min(len(r.Features), mostWeights)] {
		row(f.ChosenCount, 0, f.Instead())
	}
	for _, c := range r.Others[:min(len(r.Others), mostOthers)] {
		row(c, 1, "")
	}
	often := 0
	for _, f := range r.Features {
		if 2*f.Count > r.Rounds {
			often++
		}
	}
	i := &item{table: t, text: []string{fmt.Sprintf("Counts over %s. Features of the second colour are not selected "+
		"from all rows.", r.Of()), aboutRounds}}
	if r.Stability != nil {
		i.text = append(i.text, "Stability: "+r.Stability.Text()+".")
	}
	if d.Criterion != nil {
		i.text = append(i.text, "What the search minimised: "+d.Criterion.Text()+".")
	}
	i.Title = fmt.Sprintf("%d of %s came up in more than half of the rounds", often,
		spell.Plural(len(r.Features), "selected feature"))
	i.Desc, i.Body = "A point for each feature between 0 and the number of rounds. "+t.caption+".", plot
	left := max(0, len(r.Others)-mostOthers) + max(0, len(r.Features)-mostWeights)
	if left > 0 {
		i.left = fmt.Sprintf("Not shown: %s that came up; the JSON document has all.", spell.Plural(left, "more feature"))
	}
	return i
}
