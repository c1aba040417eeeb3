package model

import (
	"errors"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
)

// Rows with features that training never saw score as the rows without them do.
func TestWithoutExtraScoresAsWithout(t *testing.T) {
	const rows = 5
	known, extra := data.NewDense(rows, 2, nil), data.NewDense(rows, 4, nil)
	for i := range rows {
		known.Row(i)[0], known.Row(i)[1] = float64(i), float64(i*i%3)
		copy(extra.Row(i), []float64{known.Row(i)[0], 7, known.Row(i)[1], float64(i)})
	}
	behind := data.SelectColumns(extra, []int{0, 2, 3}).(*data.Dense)
	linear := &Linear{Weights: &data.Dense{Rows: 1, Cols: 2, Stride: 2, Data: []float64{1, -2}}}
	for _, c := range []struct {
		what         string
		names, named []string // of the model and of the rows
		x            data.Matrix
	}{
		{"by name", []string{"a", "b"}, []string{"a", "x", "b", "y"}, extra},
		{"behind the last", nil, nil, behind},
		{"behind the last, sparse", []string{"a", "b"}, nil, allStored(behind)},
		{"sparse by name", []string{"a", "b"}, []string{"a", "x", "b", "y"}, allStored(extra)},
	} {
		m := &Model{Info: Info{Learner: "rankrls"}, Names: c.names, Scorer: linear}
		want, err := m.Score(&data.Set{X: known, Queries: data.OneList(rows)})
		if err != nil {
			t.Fatal(err)
		}
		set := &data.Set{X: c.x, Names: c.named, Queries: data.OneList(rows)}
		var feature *fault.FeatureError
		if _, err := m.Score(set); !errors.As(err, &feature) || !feature.Extra {
			t.Errorf("%s: with all features: %v", c.what, err)
		}
		got, err := m.Score(m.WithoutExtra(set))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: scores %v, want %v; %v", c.what, got, want, err)
		}
		if set.X != c.x || len(set.Names) != len(c.named) {
			t.Errorf("%s: the set was changed", c.what)
		}
	}
}

// A column in another place, or missing, is no extra one.
func TestWithoutExtraKeepsTheOrder(t *testing.T) {
	m := &Model{Info: Info{Learner: "rankrls"}, Names: []string{"a", "b"},
		Scorer: &Linear{Weights: data.NewDense(1, 2, nil)}}
	for _, names := range [][]string{{"b", "a"}, {"b", "x"}, {"a", "a", "b"}} {
		set := &data.Set{X: data.NewDense(1, len(names), nil), Names: names, Queries: data.OneList(1)}
		var feature *fault.FeatureError
		if _, err := m.Score(m.WithoutExtra(set)); !errors.As(err, &feature) {
			t.Errorf("columns %v: %v, want a *fault.FeatureError", names, err)
		}
	}
	given := &Model{Scorer: &Kernel{Kernel: kernel.Precomputed{}, SupportRows: []int{1},
		Coef: data.NewDense(1, 1, nil)}, Info: Info{Learner: "rankrls", Rows: 1}}
	set := &data.Set{X: data.NewDense(1, 3, nil), Queries: data.OneList(1)}
	if given.WithoutExtra(set) != set {
		t.Error("columns of a kernel matrix are left out")
	}
}
