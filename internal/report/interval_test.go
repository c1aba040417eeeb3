package report

import (
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/relation"
	"pairrank/relation/edge"
)

// An interval names the split units and the sources of its variances, each once for several outputs.
func TestIntervalText(t *testing.T) {
	i := newInterval(&cv.Halves{Splits: 59, Units: 12, Of: "query"})
	const made = "from 59 random splits of the 12 queries into halves, with every choice made again in each"
	halves, given := "; variance from the halves", " or from the standard error, which is larger"
	for want, variances := range map[string][]cv.VarianceSource{
		made:                  nil,
		made + halves:         {cv.VarianceHalves, "", cv.VarianceHalves},
		made + halves + given: {cv.VarianceHalves, cv.VarianceGiven, cv.VarianceHalves},
	} {
		if got := i.text(variances...); got != want {
			t.Errorf("%q: %q, want %q", variances, got, want)
		}
	}
	if newInterval(nil) != nil {
		t.Error("an interval of nothing")
	}
}

// A relation with enough nodes for halves has the same text.
func TestIntervalOfRelation(t *testing.T) {
	rows, cols := data.NewDense(20, 2, nil), data.NewDense(4, 1, []float64{-1, 0, 1, 2})
	p := &relation.Problem{Rows: &relation.Nodes{X: rows}, Cols: &relation.Nodes{X: cols}}
	for i := range 20 {
		p.Rows.X.Row(i)[0], p.Rows.X.Row(i)[1] = float64(i%5)-2, float64(i%7)-3
		for j := range 4 {
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
			p.Y = append(p.Y, float64((i%5-2)*j+(i*i+j)%3))
		}
	}
	o := &relation.Options{Setting: edge.Rows, Lambdas: []float64{0.5, 2}}
	e, err := relation.Estimate(t.Context(), *p, relation.EstimateOptions{Options: *o})
	if err != nil {
		t.Fatal(err)
	}
	d := NewRelationEstimate(e, p, o, About{})
	var text strings.Builder
	if err := d.View().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if d.Best.CI95 == nil || d.Best.Variance != e.IntervalSource() ||
		!strings.Contains(text.String(), "\ninterval   from 60 random splits of the 20 row nodes into halves, ") ||
		!strings.Contains(text.String(), " made again in each; variance from the ") {
		t.Errorf("%+v\n%s", d.Best, text.String())
	}
}
