package report

import (
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/relation"
)

// The documents of a problem with default options name the defaults.
func TestRelationOfDefaults(t *testing.T) {
	p := &relation.Problem{Rows: &relation.Nodes{X: data.NewDense(6, 1, nil)},
		Cols: &relation.Nodes{X: data.NewDense(3, 1, nil)}}
	for i := range 6 {
		p.Rows.X.Row(i)[0] = float64(i) - 2
		for j := range 3 {
			p.Cols.X.Row(j)[0] = float64(j) - 1
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
			p.Y = append(p.Y, float64((i-2)*(j-1)))
		}
	}
	o := &relation.Options{}
	e, err := relation.Estimate(t.Context(), *p, relation.EstimateOptions{Options: *o})
	if err != nil {
		t.Fatal(err)
	}
	r, err := relation.Train(t.Context(), *p, *o)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Relation{"estimate": NewRelationEstimate(e, p, o, About{}),
		"training": NewRelationTraining(r, p, o, About{})} {
		if d.Learner != "rankrls" || d.Loss != "ranking" || d.Relation != "arbitrary" || d.Kernel != "kronecker" ||
			d.RowKernel != "linear" || d.ColKernel != "linear" || d.Rows != 6 || d.Cols != 3 {
			t.Errorf("%s: %+v", name, d)
		}
		var text strings.Builder
		if err := d.View().WriteText(&text); err != nil || !strings.HasPrefix(text.String(), "learner    rankrls, "+
			"kronecker of kernels linear and linear\ndata       18 edges between 6 row nodes and 3 column nodes\n") {
			t.Errorf("%s: %v\n%s", name, err, text.String())
		}
	}
	if o.Learner != "" {
		t.Error("the options were changed")
	}
	one := &relation.Problem{Rows: p.Rows, Cols: p.Rows}
	if d := newRelation(&relation.Choice{}, one, o, About{}); d.ColKernel != "" || d.Cols != 6 {
		t.Errorf("one domain: %+v", d)
	}
}
