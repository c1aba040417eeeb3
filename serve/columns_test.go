package serve

import (
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/model"
)

// A row of the table of the training is taken as it is: its id names it, its factors have texts, and the label
// and ignored columns are skipped.
func TestRowsOfTable(t *testing.T) {
	m := &model.Model{Info: info("rankrls", 9), Names: []string{"age", "sex=f", "sex=m"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 3, []float64{1, 10, 100})}}
	schema := &data.Schema{Label: "outcome", ID: "sample", Ignored: []string{"notes"},
		Factors: []data.Factor{{Column: "sex", Levels: []string{"f", "m"}}}}
	if err := m.Info.SetSchema(schema); err != nil {
		t.Fatal(err)
	}
	s := made(t, Options{Models: []Source{saved(t, t.TempDir(), "table", m)}})
	type answer struct {
		Model, Version string
		IDs            []string
		Scores         []float64
	}
	var got answer
	rows := `{"rows":[{"sample":"P1","sex":"m","outcome":"ill","notes":null,"age":2},{"age":1,"sex":"f","sample":7}]`
	send(s, "POST", "/v1/models/table/score", rows+`}`).into(t, 200, &got)
	if !slices.Equal(got.IDs, []string{"P1", "7"}) || !slices.Equal(got.Scores, []float64{102, 11}) {
		t.Errorf("ids %q, scores %v", got.IDs, got.Scores)
	}
	send(s, "POST", "/v1/models/table/score", rows+`,"ids":["a","b"]}`).into(t, 200, &got)
	if !slices.Equal(got.IDs, []string{"a", "b"}) {
		t.Errorf("ids %q, want those of the request", got.IDs)
	}
	var why explained
	send(s, "POST", "/v1/models/table/explain", rows+`,"compare":[[1,0]]}`).into(t, 200, &why)
	if e := why.Explanations; len(e) != 1 || e[0].ID != "7" || e[0].AgainstID != "P1" {
		t.Errorf("explanations %+v", e)
	}
	got = answer{}
	send(s, "POST", "/v1/models/table/score", `{"rows":[{"age":1,"sex":"f"},{"age":1,"sex":"f","sample":"P2"}]}`).
		into(t, 200, &got)
	if got.IDs != nil {
		t.Errorf("ids %q of rows of which one has none", got.IDs)
	}
	send(s, "POST", "/v1/models/table/score", `{"rows":[{"age":1,"sex":"x"}]}`).problem(t, 422, "unknown-level")
	send(s, "POST", "/v1/models/table/score", `{"rows":[{"age":1,"sex":"x"}],"extra_features":"ignore"}`).
		into(t, 200, &got)
	if !slices.Equal(got.Scores, []float64{1}) {
		t.Errorf("scores %v", got.Scores)
	}
	send(s, "POST", "/v1/models/table/score", `{"rows":[{"age":1}]}`).problem(t, 422, "missing")
}

// The names of rows may be a factor, and other texts of an open one are none of its levels.
func TestNamesAreFactors(t *testing.T) {
	m := &model.Model{Info: info("leaderboard", 3), Names: []string{"age", "item=ada", "item=bob"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 3, []float64{1, 10, 100})}}
	items := data.Factor{Column: "item", Levels: []string{"ada", "bob"}, Open: true}
	schema := &data.Schema{ID: "item", Factors: []data.Factor{items}}
	if err := m.Info.SetSchema(schema); err != nil {
		t.Fatal(err)
	}
	s := made(t, Options{Models: []Source{saved(t, t.TempDir(), "board", m)}})
	var got struct {
		Model, Version string
		IDs            []string
		Scores         []float64
	}
	rows := `{"rows":[{"item":"bob","age":2},{"age":3,"item":"eve"}]}`
	send(s, "POST", "/v1/models/board/score", rows).into(t, 200, &got)
	if !slices.Equal(got.IDs, []string{"bob", "eve"}) || !slices.Equal(got.Scores, []float64{102, 3}) {
		t.Errorf("ids %q, scores %v", got.IDs, got.Scores)
	}
}
