package serve

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// A request of a spline whose missing values have levels: rows with null, as lists and by names, have the scores of
// the model; a gap that no row of the training had is refused, and so is another treatment.
func TestServesLevels(t *testing.T) {
	nan := math.NaN()
	x := data.NewDense(6, 2, []float64{1, 5, 2, nan, 3, 7, 4, 8, 5, nan, 6, 1})
	set := &data.Set{X: x, Names: []string{"a", "b"}}
	if err := set.GiveLevels(nil); err != nil {
		t.Fatal(err)
	}
	m := &model.Model{Info: model.Info{Learner: "rankrls"}, Names: set.Names}
	if err := m.Info.SetSubstitutes(set.Substitutes); err != nil {
		t.Fatal(err)
	}
	bent := kernel.NewSplineMap(kernel.Spline{Knots: 2, Bends: 1}, nil, set.X, nil, set.Substitutes.Levels()...)
	w := data.NewDense(1, bent.Features(), nil)
	for k := range w.Data {
		w.Data[k] = 0.5 + float64(k)
	}
	m.Scorer = &model.Spline{Map: bent, Weights: w}
	path := filepath.Join(t.TempDir(), "m.txt")
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	want, err := m.Score(set)
	if err != nil {
		t.Fatal(err)
	}
	l, err := load(Source{Name: "m", File: path}, limits{rows: 100, cells: 1000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`[[1,5],[2,null],[3,7],[4,8],[5,null],[6,1]]`,
		`[{"a":1,"b":5},{"a":2},{"b":7,"a":3},{"a":4,"b":8},{"a":5,"b":null},{"a":6,"b":1}]`,
	} {
		j := &job{}
		got, p := l.readRows(j, &request{}, []byte(text), rowRules{missing: data.MissingModel})
		if p != nil {
			t.Fatal(p)
		}
		scores, err := l.rows.Score(got)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			if scores[i] != v {
				t.Errorf("%s: row %d has %v, want %v", text, i, scores[i], v)
			}
		}
	}
	for _, c := range []struct {
		text string
		by   data.Missing
	}{{`[[null,5]]`, data.MissingModel}, {`[{"b":5}]`, data.MissingModel}, {`[[1,null]]`, data.MissingZero},
		{`[[1,null]]`, data.MissingError}, {`[[1,2,3]]`, data.MissingModel}, {`[{"a":1,"b=missing":1}]`,
			data.MissingModel}} {
		if _, p := l.readRows(&job{}, &request{}, []byte(c.text), rowRules{missing: c.by}); p == nil {
			t.Errorf("%s by %s is read", c.text, c.by)
		}
	}
}
