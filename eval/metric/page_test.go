package metric

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// The query that docs/metrics.md evaluates by hand.
var (
	pageLabels = []float64{2, 0, 1, 0, 1, 0}
	pageScores = []float64{.8, .9, .5, .5, .2, .1}
)

// TestPage finds in docs/metrics.md every number that it must show: those of the
// query by hand, computed here by their definitions, and the table of styles.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, line := range append(handLines(t), styleLines(t)...) {
		if !strings.Contains(page, line) {
			t.Errorf("docs/metrics.md lacks: %s", line)
		}
	}
	for _, name := range Names() {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/metrics.md does not have metric %s", name)
		}
	}
}

// handLines is the steps and values of the query by hand.
func handLines(t *testing.T) (lines []string) {
	d := func(i int) float64 { return 1 / math.Log2(float64(i)+1) }
	dcg := 3*d(2) + 0.5*(d(3)+d(4)) + d(5)
	cut := 3*d(2) + 0.5*d(3)
	ideal := 3 + d(2) + d(3)
	s1, s2 := 31./32, 15./16 // mean products of 1 − R over one and both of C and D
	ap := 1./2 + (1./3 + 1./4) + 3./5
	for i := 1; i <= 5; i++ {
		lines = append(lines, fmt.Sprintf("| %d | %.4f |", i, d(i)))
	}
	lines = append(lines,
		"11 comparable pairs: 6 concordant, 4 discordant, 1 tied by score",
		fmt.Sprintf("DCG = 3·%.4f + ½·(%.4f + %.4f) + 1·%.4f = %.4f", d(2), d(3), d(4), d(5), dcg),
		fmt.Sprintf("DCG@3 = 3·%.4f + ½·%.4f = %.4f", d(2), d(3), cut),
		fmt.Sprintf("ideal DCG = 3·%.4f + 1·%.4f + 1·%.4f = %.4f", d(1), d(2), d(3), ideal),
		fmt.Sprintf("1/2 + (1/3 + 1/4) + 3/5 = %.4f", ap),
	)
	least := 1.0
	e, err := NewEvaluator(defaultMetrics, Options{MinRelevant: &least})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetQuery(Query{Labels: pageLabels}); err != nil {
		t.Fatal(err)
	}
	terms := make([]Term, len(defaultMetrics))
	if err := e.TermsTo(terms, pageScores); err != nil {
		t.Fatal(err)
	}
	want := map[Metric]float64{
		Disagreement: 4.5 / 11, DisagreementError: 5. / 11, Concordance: 6.5 / 11, AUC: 4.5 / 9,
		TauB:        2 / math.Sqrt(11*14),
		RecallAt(3): 0.5, ERR: 3./16/2 + 13./16*(1-s1)/3 + 13./16*(s1-s2)/4 + 13./16*15./16*1./16/5,
		PrecisionAt(3): 0.5, MAP: ap / 3, MRR: 0.5, NDCG: dcg / ideal, NDCGAt(3): cut / ideal,
	}
	for j, m := range defaultMetrics {
		if v, ok := want[m]; ok {
			if got := terms[j].Value(); !near(got.Value, v) {
				t.Errorf("%s of the page's query: %v, by hand %v", m, got, v)
			}
			lines = append(lines, fmt.Sprintf("= **%.4f** (`%s`)", v, m))
		}
	}
	return lines
}

// styleLines is the table of styles for labels (2,0,1), scores (.1,.9,.3).
func styleLines(t *testing.T) (lines []string) {
	metrics := []Metric{NDCG, NDCGAt(2), NDCGAt(3), NDCGAt(5), MeanNDCG, PrecisionAt(5), MAP, MRR}
	for s := range numStyles {
		line := fmt.Sprintf("| `%s` |", s)
		for _, m := range metrics {
			if s.check(m) != nil {
				line += " – |"
				continue
			}
			line += fmt.Sprintf(" %.4f |",
				value(t, s, m, Query{Labels: []float64{2, 0, 1}}, []float64{.1, .9, .3}).Value)
		}
		lines = append(lines, line)
	}
	return lines
}
