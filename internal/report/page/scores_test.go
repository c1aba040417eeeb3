package page

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/report"
	"pairrank/scores"
)

// scored is the document of systems with scores on some items, a few of which are missing.
func scored(t *testing.T, systems, items int, o scores.Options) *report.Scores {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(systems), 43))
	p := &scores.Problem{Y: data.NewDense(items, systems, nil), Repeats: 0.1}
	for k := range systems {
		p.Systems = append(p.Systems, fmt.Sprint(evil, k))
	}
	for i := range items {
		p.Items = append(p.Items, fmt.Sprint(i))
		for k := range systems {
			p.Y.Row(i)[k] = float64(k%7) + r.NormFloat64()
			if r.IntN(9) == 0 && items > 9 {
				p.Y.Row(i)[k] = math.NaN()
			}
		}
	}
	ranking, err := scores.Rank(t.Context(), *p, o)
	if err != nil {
		t.Fatal(err)
	}
	return report.NewScores(evil, "", ranking)
}

// scoredDocuments are those of the kinds of rankings of tables of scores.
func scoredDocuments(t *testing.T) map[string]report.Document {
	claim := []scores.Claim{{System: evil + "0", Margin: 0.5}, {System: evil + "1", Than: evil + "2"}}
	return map[string]report.Document{
		"scores":         scored(t, 12, 40, scores.Options{Claims: claim}),
		"scores against": scored(t, 9, 30, scores.Options{Against: evil + "1", Claims: claim}),
		"few scores":     scored(t, 4, 2, scores.Options{Claims: claim}),
	}
}

// The figure of scores has the first systems with their intervals, and says how many it leaves out; the table has all.
// With a baseline there is a figure of the differences from it.
func TestScores(t *testing.T) {
	for _, systems := range []int{3, 60} {
		d := scored(t, systems, 30, scores.Options{})
		page := checkPage(t, "scores", render(t, d))
		figures := page.all("figure")
		if len(figures) != 1 {
			t.Fatalf("%d figures", len(figures))
		}
		if n := len(figures[0].all("table")[0].all("tbody")[0].all("tr")); n != systems {
			t.Errorf("%d systems: %d rows", systems, n)
		}
		svg, err := Figure(d, report.ScoresFigure)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(svg, "class=\"bar s"); n != min(systems, mostItems) {
			t.Errorf("%d systems: %d intervals", systems, n)
		}
		if says := strings.Contains(figures[0].String(), fmt.Sprintf("first %d of %d systems", mostItems, systems)); says !=
			(systems > mostItems) {
			t.Errorf("%d systems: the page says what it leaves out: %v", systems, says)
		}
	}
	d := scored(t, 9, 30, scores.Options{Against: evil + "1"})
	if n := len(checkPage(t, "against", render(t, d)).all("figure")); n != 2 {
		t.Errorf("%d figures with a baseline", n)
	}
	svg, err := Figure(d, report.DifferenceFigure)
	if n := strings.Count(svg, "class=\"bar s"); err != nil || n != 8 {
		t.Errorf("%d differences: %v", n, err)
	}
	if svg, err = Figure(scored(t, 4, 2, scores.Options{}), ""); err != nil || strings.Contains(svg, "class=\"bar s") {
		t.Errorf("two items give intervals: %v", err)
	}
}
