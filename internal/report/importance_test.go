package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank"
)

// The text lists thirty features and counts the others. The document has all.
func TestImportanceText(t *testing.T) {
	const m, n = 24, mostWeights + 4
	r := rand.New(rand.NewPCG(3, 1))
	x, y := make([][]float64, m), make([]float64, m)
	for i := range x {
		x[i], y[i] = make([]float64, n), float64(i%3)
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
		}
	}
	set, err := pairrank.Rows(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for leave, want := range map[int]string{
		mostWeights + 2: "2 less important features not listed; the JSON document has all\n  2 more features not tested",
		mostWeights:     "4 more features not tested",
	} {
		e, err := pairrank.Estimate(t.Context(), pairrank.Problem{Set: set},
			pairrank.EstimateOptions{Options: pairrank.Options{Lambdas: []float64{1}}, Importance: true})
		if err != nil {
			t.Fatal(err)
		}
		worth, err := e.Importance(t.Context(), leave)
		if err != nil {
			t.Fatal(err)
		}
		d := NewEstimate(e, "rankrls", About{})
		d.AddImportance(worth)
		var text strings.Builder
		if err := d.View().WriteText(&text); err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(text.String(), "|w| sd\n")
		if !strings.Contains(table, want) {
			t.Errorf("%d left out: the text does not say %q:\n%s", leave, want, text.String())
		}
		table, _, _ = strings.Cut(table, "\n\n")
		lines := strings.Split(table, "\n")
		least := d.Importance.Features[0].StdErr
		for _, f := range d.Importance.Features[:mostWeights] {
			if f.StdErr < least {
				least = f.StdErr
			}
		}
		for k, f := range d.Importance.Features[:mostWeights] {
			if fields := strings.Fields(lines[k]); fields[0] != fmt.Sprint(f.Feature) ||
				fields[1] != f.Without.to(decimals(least)) {
				t.Errorf("line %d is %q, want feature %d", k+1, lines[k], f.Feature)
			}
		}
		if len(d.Importance.Features) != leave || strings.Count(table, ".") < 3*mostWeights ||
			len(lines) != mostWeights+strings.Count(want, "\n")+1 {
			t.Errorf("%d features and %d lines of %d left out", len(d.Importance.Features), len(lines), leave)
		}
	}
}
