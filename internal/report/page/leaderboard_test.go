package page

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/comparison"
	"pairrank/internal/report"
)

// How many items, and how many of the first and of the last annotators, a figure has.
const mostItems, endsShown = 40, 15

// board is the leaderboard of some items, each compared with the next ones.
func board(t *testing.T, items int, o comparison.Options) *report.Leaderboard {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(items), 6))
	p := &comparison.Problem{}
	for i := range items {
		p.Items = append(p.Items, fmt.Sprint(evil, i))
		for k := range min(items-1, 4) {
			wins := float64(1 + r.IntN(4+3*i/items))
			p.Lines = append(p.Lines, comparison.Line{Left: i, Right: (i + k + 1) % items, Wins: wins,
				Losses: float64(1 + r.IntN(4)), Ties: float64(r.IntN(2)), Annotator: -1, Stratum: -1})
		}
	}
	p.AddSide()
	rated, err := comparison.Rank(t.Context(), *p, comparison.RankOptions{Options: o, Next: 2,
		HoldOut: &comparison.Unit{Kind: "pair"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if o.Lambda > 0 {
		rated.Free, rated.Variance, rated.Ranks = nil, nil, nil
	}
	return report.NewLeaderboard(evil, rated)
}

// The figure of a leaderboard has the first items with their intervals, and says how many it leaves out; the
// table has all.
func TestLeaderboard(t *testing.T) {
	for _, items := range []int{2, 5, 60, 500} {
		d := board(t, items, comparison.Options{Loss: comparison.Logistic, Ties: comparison.Half})
		page := checkPage(t, "leaderboard", render(t, d))
		figures := page.all("figure")
		if len(figures) != 1 {
			t.Fatalf("%d figures", len(figures))
		}
		tables := figures[0].all("table")
		if n := len(tables[0].all("tbody")[0].all("tr")); n != items || len(tables) != 2 {
			t.Errorf("%d items: %d rows, %d tables", items, n, len(tables))
		}
		svg, err := Figure(d, report.ScoresFigure)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(svg, "class=\"bar s"); n != min(items, mostItems) {
			t.Errorf("%d items: %d intervals", items, n)
		}
		if says := strings.Contains(figures[0].String(), fmt.Sprintf("first %d of %d items", mostItems, items)); says !=
			(items > mostItems) {
			t.Errorf("%d items: the page says what it leaves out: %v", items, says)
		}
	}
	d := board(t, 5, comparison.Options{Loss: comparison.Squared, Lambda: 1})
	text := render(t, d)
	checkPage(t, "penalised", text)
	if !strings.Contains(text, "intervals around them do not hold") || strings.Contains(text, "class=\"bar s") {
		t.Error("penalised scores have intervals")
	}
}

// judged is a leaderboard of a circle of three items, and of annotators.
func judged(t *testing.T, annotators int) *report.Leaderboard {
	t.Helper()
	p := &comparison.Problem{Items: []string{evil, "b", "c"}}
	for h := range annotators {
		p.Annotators = append(p.Annotators, fmt.Sprint(evil, h))
		for k := range 3 {
			l := comparison.Line{Left: k, Right: (k + 1) % 3, Wins: float64(3 + k*h%2), Losses: float64(h % 3), Annotator: h,
				Stratum: -1}
			p.Lines = append(p.Lines, l)
		}
	}
	rated, err := comparison.Rank(t.Context(), *p, comparison.RankOptions{Options: comparison.Options{
		Loss: comparison.Logistic}, Cycles: true, Versus: [2]string{evil, "b"}, Scale: comparison.RawScale, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return report.NewLeaderboard(evil, rated)
}

// The page has a figure of the first and the last annotators, whose table has all, and one of the triangles.
func TestJudgedLeaderboard(t *testing.T) {
	for _, annotators := range []int{12, 50} {
		d := judged(t, annotators)
		page := checkPage(t, "judged", render(t, d))
		figures := page.all("figure")
		if len(figures) != 3 {
			t.Fatalf("%d figures", len(figures))
		}
		if n := len(figures[1].all("tbody")[0].all("tr")); n != annotators {
			t.Errorf("%d annotators: %d rows", annotators, n)
		}
		svg, err := Figure(d, report.AnnotatorsFigure)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(svg, "class=\"bar s"); n != min(annotators, 2*endsShown) {
			t.Errorf("%d annotators: %d intervals", annotators, n)
		}
		says := fmt.Sprintf("first %d and the last %d of %d", endsShown, endsShown, annotators)
		left := strings.Contains(figures[1].String(), says)
		if left != (annotators > 2*endsShown) {
			t.Errorf("%d annotators: the page says what it leaves out: %v", annotators, left)
		}
		if n := len(figures[2].all("tbody")[0].all("tr")); n != 1 {
			t.Errorf("%d triangles", n)
		}
		text := page.String()
		for _, says := range []string{"1 triangle; the better item is sure in 3 of 3 pairs", "is above b with probability"} {
			if !strings.Contains(text, says) {
				t.Errorf("the page does not say %q", says)
			}
		}
	}
}
