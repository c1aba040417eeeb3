package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/model"
)

// documentTo runs the program, and reads the JSON document that it prints.
func documentTo(t *testing.T, d any, args ...string) {
	t.Helper()
	code, out, errs := program(t, args...)
	if code != 0 {
		t.Fatalf("%q: exit %d, %s", args, code, errs)
	}
	if err := json.Unmarshal([]byte(out), d); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
}

// A model, its inspection and its page name every number of the choice by what it is.
func TestChoiceByMetricIsNamed(t *testing.T) {
	dir := t.TempDir()
	file, html := filepath.Join(dir, "m.txt"), filepath.Join(dir, "m.html")
	var trained struct {
		Lambda    float64
		Selection []struct{ Lambda, Error, Value float64 }
	}
	var inspected struct {
		Selection struct {
			Metric, Measure string
			Error, Value    float64
			Count           int
		}
	}
	letor := filepath.Join("..", "..", "examples", "letor", "train.txt")
	documentTo(t, &trained, "train", letor, "-o", file, "--metric", "ndcg@10", "--lambdas", "1,100,10000", "--json")
	documentTo(t, &inspected, "inspect", file, "--json")
	got := inspected.Selection
	for _, s := range trained.Selection {
		if s.Lambda == trained.Lambda && (got.Error != s.Error || got.Value != s.Value || s.Error == s.Value) {
			t.Errorf("inspect has %+v, training had %+v", got, s)
		}
	}
	if got.Metric != "ndcg@10" || got.Measure != "error" || got.Count != 3 {
		t.Errorf("selection %+v", got)
	}
	want := fmt.Sprintf("ndcg@10 %.4f, error %.4f by lqo, best of 3 by ndcg@10", got.Value, got.Error)
	code, text, _ := program(t, "inspect", file)
	if code != 0 || !strings.Contains(text, "selection     "+want+"\n") {
		t.Errorf("exit %d: inspect says\n%s\nwant %s", code, text, want)
	}
	if code, _, errs := program(t, "report", file, "-o", html); code != 0 {
		t.Fatal(errs)
	}
	if page, err := os.ReadFile(html); err != nil || !strings.Contains(string(page), "<dt>selection</dt><dd>"+want) {
		t.Errorf("%v: the page does not say %s", err, want)
	}
	// a file of an earlier version, which names the error by the metric
	old := &model.Model{Scorer: &model.Linear{Weights: data.NewDense(1, 2, nil)}}
	old.Info.Learner, old.Info.Lambda = "rankrls", 1
	old.Info.Selection = &model.Selection{Method: "lqo", Metric: "ndcg@10", Error: 0.25, Count: 31}
	if err := old.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	want = "error 0.2500 by lqo, best of 31 by ndcg@10, whose value is not in the model"
	if code, text, _ = program(t, "inspect", file); code != 0 || !strings.Contains(text, want) {
		t.Errorf("exit %d: of an earlier file inspect says\n%s", code, text)
	}
}
