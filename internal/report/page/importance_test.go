package page

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pairrank/internal/report"
)

// mostWeights is how many features a figure has.
const mostWeights = 30

// The page shows thirty features, and counts those not shown and those not left out. A feature without a number
// has a dash.
func TestImportance(t *testing.T) {
	d := &report.Estimate{Metric: "map", Importance: &report.Importance{Choice: report.Choice{Rounds: 7}, Value: 0.9,
		Left: 1}}
	for k := range mostWeights + 3 {
		f := report.ImportanceFeature{Feature: k + 1, Without: report.Number(0.5 + float64(k)/100),
			Worse: report.Number(0.1 - float64(k)/100), StdErr: 0.02, Size: report.Number(math.NaN())}
		f.Again = &report.ImportanceAgain{Choice: report.Choice{Rounds: k + 1}, Value: 0.25}
		d.Importance.Features = append(d.Importance.Features, f)
	}
	d.Importance.Features[20].Worse, d.Importance.Features[20].Again = report.Number(math.NaN()), nil
	text := render(t, d)
	page := checkPage(t, "importance", text)
	for _, want := range []string{"feature 1 is the most important feature: without it the map is worse by 0.100",
		"Not shown: 3 less important features", "Not tested: 1 more feature.", "at 7 rounds", "± one standard error"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	rows := page.all("tbody")[0].all("tr")
	if len(rows) != mostWeights {
		t.Fatalf("%d rows", len(rows))
	}
	cells := func(k int) (out []string) {
		for _, c := range rows[k].all("td") {
			out = append(out, c.String())
		}
		return out
	}
	if got := fmt.Sprint(cells(11)); got != "[0.610 −0.010 0.020 12 rounds 0.2500]" {
		t.Errorf("the row of feature 12 is %s", got)
	}
	if got := fmt.Sprint(cells(20)); got != "[0.700 – 0.020 – –]" {
		t.Errorf("the row of feature 21 is %s", got)
	}
	for k := range d.Importance.Features {
		d.Importance.Features[k].Worse, d.Importance.Features[k].StdErr = 0, 0
	}
	if text = render(t, d); !strings.Contains(text, "is not worse without any single one of the tested features") ||
		strings.Contains(text, "one standard error") {
		t.Error("nothing is worth anything, and the page does not say so")
	}
}

// The title of a learning curve says how its numbers change.
func TestLearningTitles(t *testing.T) {
	for want, ends := range map[string][2]float64{
		"the error stays at 0.5000":             {0.5, 0.5},
		"the error falls from 0.5000 to 0.4000": {0.5, 0.4},
		"the error rises from 0.4000 to 0.5000": {0.4, 0.5},
		"the error stays at 0.3000":             {0.3, 0.3 - 1e-9},
	} {
		c := &report.LearningCurve{Of: "row", Points: []report.LearningPoint{
			{Units: 8, Error: report.Number(ends[0])}, {Units: 16, Error: report.Number(ends[1])}}}
		d := report.Estimate{Learning: c}
		if got := d.View().Figures[0].Title; got != "From 8 to 16 rows "+want {
			t.Errorf("%v has the title %q", ends, got)
		}
	}
}
