package comparison

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// featured is a random problem with features and without covariates.
func featured(r *rand.Rand) *Problem {
	for {
		if p := made(r); p.Features != nil {
			p.X, p.Covariates = nil, nil
			return p
		}
	}
}

// alike reports whether two estimates agree, margin by margin, within a tolerance.
func alike(got, want *HeldOut, tolerance float64) bool {
	same := func(a, b float64) bool {
		return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance*(1+math.Abs(b))
	}
	for c := range want.Margins {
		for k := range want.Margins[c] {
			if !same(got.Margins[c][k], want.Margins[c][k]) {
				return false
			}
		}
	}
	for c := range want.Sides {
		if !same(got.Sides[c][0], want.Sides[c][0]) || !same(got.Sides[c][1], want.Sides[c][1]) {
			return false
		}
	}
	return got.Sets == want.Sets && got.Error.Defined == want.Error.Defined &&
		got.StdErr.Defined == want.StdErr.Defined && same(got.Error.Value, want.Error.Value) &&
		same(got.StdErr.Value, want.StdErr.Value) && got.Independent == want.Independent &&
		same(got.Loss.Value, want.Loss.Value)
}

// exact is the tolerance for the same margins by another way. The inverse of a board has entries that cancel in
// differences, so that its margins have fewer digits than those of a path, which takes differences first.
const exact, ofInverse = 1e-8, 1e-6

// TestPath: every λ of one factorisation, and training again without each unit, predict as the board of that λ, whose
// predictions are held against the naive definition.
func TestPath(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 26))
	checked, rest := 0, 0
	for trial := range 80 {
		p := featured(r)
		f, err := NewPath(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, lambda := range []float64{1e-3, 0.4, 30} {
			b, err := Fit(context.Background(), p, Options{Lambda: lambda})
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range f.board(lambda).Scores {
				if !near(s, b.Scores[i]) {
					t.Fatalf("trial %d, λ %v: score %v, want %v", trial, lambda, s, b.Scores[i])
				}
			}
			for _, u := range []Unit{{Kind: "comparison"}, {Kind: "line"}, {Kind: "pair"}, {Kind: "annotator"},
				{Kind: "stratum"}, {Kind: "item"}, {"kfold", 2}} {
				want, err := b.Predict(t.Context(), u, 3)
				got, failed := f.Predict(t.Context(), lambda, u, 3)
				if (err == nil) != (failed == nil) {
					t.Fatalf("trial %d, %s: %v, and of the path %v", trial, u, err, failed)
				}
				if err != nil {
					continue
				}
				checked++
				if !alike(got, want, ofInverse) {
					t.Errorf("trial %d, λ %v, %s: the path has error %v, want %v", trial, lambda, u, got.Error, want.Error)
				}
				again, err := p.PredictAgain(u, 3, true, 1, retrains(p, lambda))
				if u.Kind == "comparison" && err != nil {
					continue // some line counts more than one outcome
				}
				if err != nil {
					t.Fatal(err)
				}
				rest++
				if u.Kind != "comparison" && !alike(got, again[0], exact) {
					t.Errorf("trial %d, λ %v, %s: again error %v, want %v", trial, lambda, u, again[0].Error, want.Error)
				}
			}
		}
	}
	if checked < 1000 || rest < 1000 {
		t.Errorf("only %d and %d estimates were checked", checked, rest)
	}
}

// retrains fits a board to some lines.
func retrains(p *Problem, lambda float64) func(lines []int, emit func(int, []float64)) error {
	return func(lines []int, emit func(int, []float64)) error {
		if len(lines) == 0 {
			emit(0, make([]float64, len(p.Items)))
			return nil
		}
		b, err := Fit(context.Background(), p.Of(lines), Options{Lambda: lambda})
		if err == nil {
			emit(0, b.Scores)
		}
		return err
	}
}

// TestJudge: scores are judged by the weight of the wins that they order wrongly, over clusters where there are any.
func TestJudge(t *testing.T) {
	p := &Problem{Items: []string{"a", "b", "c"}, Lines: []Line{
		{Left: 0, Right: 1, Wins: 3, Losses: 1, Ties: 5, Annotator: -1, Stratum: -1},
		{Left: 2, Right: 1, Wins: 1, Weight: 2, Annotator: -1, Stratum: -1},
		{Left: 0, Right: 2, Losses: 4, Annotator: -1, Stratum: -1},
	}}
	h := p.Judge([]float64{2, 1, 1}) // a right of four, one tied pair of weight 2, and four wrong
	if want := (1 + 1 + 4) / 10.; !near(h.Error.Value, want) || h.Independent != 3 || !h.StdErr.Defined {
		t.Errorf("error %+v ± %+v over %d, want %v over 3 pairs", h.Error, h.StdErr, h.Independent, want)
	}
	p.Annotators = []string{"u", "v"}
	for c, by := range []int{0, 1, 0} {
		p.Lines[c].Annotator = by
	}
	if h := p.Judge([]float64{2, 1, 1}); h.Independent != 3 || h.Over != "pair" {
		t.Errorf("the standard error is over %d %ss, of 3 pairs with too few annotators", h.Independent, h.Over)
	}
	p.Clusters = []string{"q", "r", "s", "t"}
	for c := range p.Lines {
		p.Lines[c].Cluster = 3 - c
	}
	if h := p.Judge([]float64{2, 1, 1}); h.Independent != 3 || h.Over != "cluster" {
		t.Errorf("the standard error is over %d %ss, of 3 clusters", h.Independent, h.Over)
	}
	tied := &Problem{Items: p.Items, Lines: []Line{{Right: 1, Ties: 2, Annotator: -1, Stratum: -1}}}
	if h := tied.Judge([]float64{1, 2, 3}); h.Error.Defined {
		t.Errorf("ties alone have the error %v", h.Error.Value)
	}
}
