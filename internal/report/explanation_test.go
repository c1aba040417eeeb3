package report

import (
	"encoding/json"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/model"
	"pairrank/model/contribution"
)

func explained(t *testing.T, scorer model.Scorer, norm *data.Normalizer, a, b []float64) *contribution.Sum {
	t.Helper()
	m := &model.Model{Info: model.Info{Learner: "rankrls"}, Names: []string{"age", "sh\x1bort", "dose"},
		Scorer: scorer, Normalizer: norm}
	s, err := contribution.Between(m, a, b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestExplanationText(t *testing.T) {
	weights := &model.Linear{Weights: data.NewDense(1, 3, []float64{2, -3, 0.25})}
	stumps := &model.Stumps{Features: 3, Terms: []model.Stump{{Feature: 0, Threshold: 0.5, Weight: 1.5},
		{Feature: 2, Threshold: 0, Weight: 1}, {Feature: 2, Threshold: 2, Weight: 0.25}}}
	norm := &data.Normalizer{Kind: data.NormalizeMinMax, Shift: []float64{0, 0, 0}, Scale: []float64{1, 0.5, 1}}
	a, b := []float64{1, 0, 4}, []float64{0, 1, 0}
	e := &Explanation{LeftOut: 3, Alone: 1, Explained: []Explained{
		{Query: "q1", Of: []ExplainedRow{{Row: 3, ID: "d1"}, {Row: 7}}, Sum: explained(t, weights, norm, a, b).Top(2)},
		{Of: []ExplainedRow{{Row: 7}, {Row: 3}}, Sum: explained(t, stumps, nil, b, a)},
		{Of: []ExplainedRow{{Row: 3}, {Row: 3}}, Sum: explained(t, stumps, nil, a, a)},
	}}
	var text strings.Builder
	if err := e.View().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `query q1: row 3 (d1) stands 4.5 above row 7: 3 and -1.5

  feature   adds  weight  d1  row 7  normalised  normalised
  1 age        2       2   1      0           1           0
  2 sh�ort   1.5      -3   0      1           0         0.5
  1 other      1
  sum        4.5

row 7 stands 2.75 below row 3: 0 and 2.75

  feature   adds  row 7  row 3     thresholds
  1 age     -1.5      0      1       0.5: 1.5
  3 dose   -1.25      0      4  0: 1, 2: 0.25
  sum      -2.75

row 3 is level with row 3: 2.75 and 2.75

  feature  adds  row 3  row 3
  sum         0

3 more queries not shown, 1 with a single row
`
	if text.String() != want {
		t.Errorf("%s\nwant\n%s", &text, want)
	}
	if _, err := json.Marshal(e); err != nil {
		t.Error(err)
	}
}

func TestExplanationOfPairs(t *testing.T) {
	sum := &contribution.Sum{Kind: contribution.Edge, Scores: []float64{1.5}, Total: 1.5, Parts: []contribution.Part{
		{Number: 1, Name: "d1", ColumnNumber: 2, ColumnName: "t2", Contribution: 1.5,
			Weight: 3, Values: []float64{0.5}}}}
	e := &Explanation{Explained: []Explained{{Given: "d9", Of: []ExplainedRow{{ID: "t7"}}, Sum: sum}}}
	var text strings.Builder
	if err := e.View().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `given d9: t7 scores 1.5

  edge     adds  coefficient  kernel t7
  d1 – t2   1.5            3        0.5
  sum       1.5
`
	if text.String() != want {
		t.Errorf("%s\nwant\n%s", &text, want)
	}
}

// A name stays on its line, and unprintable characters in it are visible.
func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{"a b\u00a0c": "a b c", "a\tb\nc": "a b c",
		"a\x1b[31m": "a\ufffd[31m", "\u202ea": "\ufffda", "e\u0301": "e\u0301"} {
		if got := strings.Map(printable, name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
