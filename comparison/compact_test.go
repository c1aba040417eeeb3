package comparison

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"pairrank/data"
)

// compacted are lines in columns.
func compacted(lines []Line) *data.Comparisons {
	s := &data.Comparisons{}
	for _, l := range lines {
		s.Append(l)
	}
	return s
}

// TestCompact: lines in columns have the ranking of the same lines in rows, or are refused for the same reason: on
// samePaths compares the paths and the tests of features of two problems.
func samePaths(t *testing.T, got, want *Problem) {
	t.Helper()
	var tests [2]*FeatureTest
	var held [2]*HeldOut
	for k, p := range []*Problem{got, want} {
		var err error
		if tests[k], err = TestFeatures(context.Background(), p, Options{Loss: Squared}); err != nil {
			t.Fatal(err)
		}
		if path, err := NewPath(p); err == nil {
			if held[k], err = path.Predict(context.Background(), 1, Unit{Kind: "line"}, 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !reflect.DeepEqual(tests[0], tests[1]) || !reflect.DeepEqual(held[0], held[1]) {
		t.Errorf("%v %v, want %v %v", tests[0], held[0], tests[1], held[1])
	}
}

// dense and large boards, whatever is left out and asked for.
func TestCompact(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 3))
	ranked, refused := 0, 0
	for trial := range 240 {
		p := made(r)
		o := RankOptions{Options: losses([]float64{0, 0.4}[trial%2])[trial/2%4]}
		grade(p, o.Options, trial/2)
		if trial%3 == 0 {
			p.Features, p.Residual = nil, 0
			o.dense, o.About = 1, p.Items[:2]
			o.HoldOut = &Unit{Kind: "kfold", Folds: 2}
		} else {
			o.HoldOut = &[]Unit{{Kind: "line"}, {Kind: "pair"}, {Kind: "annotator"}, {Kind: "comparison"}}[trial/3%4]
		}
		o.EqualPairs = trial%5 == 0 && o.HoldOut.Kind == "pair"
		o.Variance = []string{"", BySandwich, ByLine}[trial/2%3]
		for c := range p.Lines {
			p.Lines[c].Trusted = trial%30 == 1 && c%2 == 0
		}
		compact := *p
		compact.Lines, compact.Compact = nil, compacted(p.Lines)
		if got, want := compact.Doubts(), p.Doubts(); !reflect.DeepEqual(got, want) {
			t.Errorf("trial %d: doubts %q, want %q", trial, got, want)
		}
		if p.Features != nil && p.Residual == 0 {
			samePaths(t, &compact, p)
		}
		want, wantErr := Rank(context.Background(), *p, o)
		got, err := Rank(context.Background(), compact, o)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("trial %d: error %v, want %v", trial, err, wantErr)
		}
		if err != nil {
			refused++
			continue
		}
		ranked++
		told := func(r *Ranking) string {
			items, penalised := r.Items(), []Score(nil)
			for i := range items {
				if u := items[i].Unpenalised; u != nil {
					penalised = append(penalised, *u)
					items[i].Unpenalised = nil
				}
			}
			return fmt.Sprint(items, penalised, r.Tried, r.HeldOut, r.Distance, r.Next, r.Raters, r.Unexplained, r.Cyclic,
				r.Notes, r.Board.Margins, r.Board.Objective)
		}
		if told(got) != told(want) {
			t.Fatalf("trial %d: %s\nwant %s", trial, told(got), told(want))
		}
	}
	if ranked < 100 {
		t.Errorf("%d rankings, %d refused", ranked, refused)
	}
	both := &Problem{Items: []string{"a", "b"}, Lines: []Line{{Left: 0, Right: 1, Wins: 1}}}
	both.Compact = compacted(both.Lines)
	if _, err := Rank(context.Background(), *both, RankOptions{}); err == nil {
		t.Error("lines twice are accepted")
	}
}
