package comparison

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pairrank/event"
	"pairrank/fault"
)

// A residual above the tolerance is a numerical fault that says of what it is.
func TestUnsolved(t *testing.T) {
	for _, c := range []struct {
		r    Ranking
		want string
	}{
		{Ranking{Board: &Board{Residual: 1e-10}}, ""},
		{Ranking{Board: &Board{Residual: 2e-5}}, "the scores have a relative residual of 2.0e-05"},
		{Ranking{Board: &Board{}, Variance: &Covariance{Residual: 3e-5}}, "the standard errors"},
		{Ranking{Board: &Board{}, HeldOut: &HeldOut{Residual: 1e-3}}, "the scores of the folds"},
	} {
		err := c.r.Unsolved()
		if f := new(fault.Error); (err != nil) != (c.want != "") || err != nil && (!errors.As(err, &f) ||
			f.Kind != fault.Numerical || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// What cannot be answered is a fault of the option that asks, or of the data.
func TestRankRefuses(t *testing.T) {
	line := func(i, j int, wins, losses float64) Line {
		return Line{Left: i, Right: j, Wins: wins, Losses: losses, Annotator: -1, Stratum: -1, Cluster: -1}
	}
	p := &Problem{Items: []string{"a", "b", "c", "d"}, Lines: []Line{line(0, 1, 2, 1), line(2, 3, 1, 1)}}
	one := &Problem{Items: []string{"a", "b", "c"}, Lines: []Line{line(0, 1, 2, 0), line(1, 2, 3, 1), line(0, 2, 1, 0)}}
	logistic := Options{Loss: Logistic}
	for _, c := range []struct {
		p    *Problem
		o    RankOptions
		kind fault.Kind
		want string
	}{
		{p, RankOptions{Anchor: "e"}, fault.Use, `Anchor: no item is called "e"`},
		{p, RankOptions{About: []string{"e"}}, fault.Use, `About: no item is called "e"`},
		{p, RankOptions{Variance: "halves"}, fault.Use, "Variance is sandwich"},
		{p, RankOptions{Variance: ByJackknife}, fault.Use, "Variance jackknife needs three annotators"},
		{p, RankOptions{Versus: [2]string{"a", "a"}}, fault.Use, "Versus takes two items"},
		{p, RankOptions{Next: 1}, fault.Data, "Next: the comparisons have 2 components"},
		{p, RankOptions{HoldOut: &Unit{Kind: "stratum"}}, fault.Use, "fewer than two strata"},
		{p, RankOptions{Options: Options{Lambda: -1}}, fault.Data, "λ is -1"},
		{one, RankOptions{Options: logistic}, fault.Data, `that one only wins against another: "a" only wins`},
	} {
		_, err := Rank(context.Background(), *c.p, c.o)
		if f := new(fault.Error); !errors.As(err, &f) || f.Kind != c.kind ||
			!strings.Contains(strings.Replace(err.Error(), "of which one", "that one", 1), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	r, err := Rank(context.Background(), *one, RankOptions{Options: Options{Loss: Logistic, Lambda: 1}, EqualPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.FreeBy != FreeReduced || r.Variance == nil || r.Items()[0].Unpenalised == nil {
		t.Errorf("beside penalised scores the board is %q", r.FreeBy)
	}
	if !slices.ContainsFunc(r.Notes, func(n event.Note) bool { return strings.Contains(n.Text, "with reduced bias") }) {
		t.Errorf("the notes are %v", r.Notes)
	}
	if one.Lines[0].Weight != 0 {
		t.Error("equal weights of pairs change the problem of the caller")
	}
}
