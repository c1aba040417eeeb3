package comparison

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/large"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/linalg"
	"pairrank/internal/student"
)

// sparseOptions fit a board of any size as a large one, to a residual at which scores agree to 1e-8.
func sparseOptions(o Options) Options {
	o.dense, o.tolerance = 1, 1e-13
	return o
}

// TestLargeFit: a large board has the scores, coefficients, margins and objective of the dense one.
func TestLargeFit(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	checked, refused := 0, 0
	for trial := range 400 {
		p := made(r)
		p.Features, p.Residual = nil, 0
		o := losses([]float64{0, 0.3, 5}[trial%3])[trial/3%4]
		grade(p, o, trial)
		want, wantErr := Fit(context.Background(), p, o)
		got, err := Fit(context.Background(), p, sparseOptions(o))
		var separated *SeparatedError
		if wantErr != nil {
			if errors.Is(err, large.ErrSingular) != errors.Is(wantErr, large.ErrSingular) ||
				errors.As(err, &separated) != errors.As(wantErr, &separated) {
				t.Errorf("trial %d, %+v: error %v, want %v", trial, o, err, wantErr)
			}
			refused++
			continue
		}
		if err != nil {
			t.Errorf("trial %d, %+v: %v", trial, o, err)
			continue
		}
		for i, s := range got.place() {
			if w := want.place()[i]; math.Abs(s-w) > 1e-8*(1+math.Abs(w)) {
				t.Errorf("trial %d, %+v: entry %d is %v, want %v (residual %v)", trial, o, i, s, w, got.Residual)
			}
		}
		for c, f := range got.Margins {
			if !near(f, want.Margins[c]) {
				t.Errorf("trial %d: margin %v, want %v", trial, f, want.Margins[c])
			}
		}
		if !near(got.Objective, want.Objective) {
			t.Errorf("trial %d: objective %v, want %v", trial, got.Objective, want.Objective)
		}
		checked++
	}
	if checked < 300 {
		t.Errorf("only %d boards, %d refused", checked, refused)
	}
}

// TestLargeFolds: folds of a large board are dealt as those of the dense one, and each margin is that of the dense
// board of the other lines.
func TestLargeFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	checked := 0
	for trial := range 60 {
		p := made(r)
		p.Features, p.Residual = nil, 0
		o := losses(0.4)[trial%4]
		grade(p, o, trial)
		if trial%8 < 4 {
			o.Lambda, o.Loss = 0, Squared
		}
		dense, err := Fit(context.Background(), p, o)
		if err != nil {
			continue
		}
		b, err := Fit(context.Background(), p, sparseOptions(o))
		if err != nil {
			t.Fatal(err)
		}
		checked += foldsAsDense(t, b, dense)
	}
	if checked < 1000 {
		t.Errorf("only %d margins", checked)
	}
}

// foldsAsDense compares the folds, and what is measured of them, with those of dense boards, and returns how many
// margins.
func foldsAsDense(t *testing.T, b, dense *Board) (checked int) {
	t.Helper()
	p, o, u := b.p, *dense.o, Unit{Kind: "kfold", Folds: 3}
	h, err := b.Predict(t.Context(), u, 5)
	if err != nil {
		t.Fatal(err)
	}
	sets, _ := dense.sets(u, 5)
	want := &HeldOut{Unit: u}
	v := newView(len(p.Lines))
	for _, set := range sets {
		out := map[int]bool{}
		for _, c := range set {
			out[c] = true
		}
		rest := p.Of(incidence.Others(len(p.Lines), set))
		again, err := Fit(context.Background(), rest, o)
		if err != nil {
			t.Fatal(err)
		}
		apart := naiveOf(p, o, out)
		for _, c := range set {
			f := dense.s.Row(c).Dot(again.f.Place)
			if apart.apart(c) {
				f = math.NaN()
			}
			v.set(c, f, again.eta())
			if got := h.Margins[c][0]; math.IsNaN(got) != math.IsNaN(f) || !math.IsNaN(f) && !near(got, f) {
				t.Errorf("%+v: margin %v of line %d, want %v", o, got, c, f)
			}
			checked++
		}
	}
	dense.measure(want, sets, []view{v})
	if !near(h.Error.Value, want.Error.Value) || !near(h.StdErr.Value, want.StdErr.Value) ||
		!near(h.Loss.Value, want.Loss.Value) || !near(h.Undetermined, want.Undetermined) || h.Sets != 3 ||
		!near(h.Weight, want.Weight) {
		h.Margins = nil
		t.Errorf("%+v: %+v, want %+v", o, h, want)
	}
	residual, cyclic := b.unexplained(context.Background())
	wantR, wantC := dense.unexplained(context.Background())
	if o.Lambda == 0 && !(near(residual, wantR) && near(cyclic, wantC)) {
		t.Errorf("%+v: shares %v and %v, want %v and %v", o, residual, cyclic, wantR, wantC)
	}
	return checked
}

// TestLargeFactored: a chain of items, with a few leaps, needs the factor; folds tear it into components.
func TestLargeFactored(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	p := &Problem{}
	for i := range 500 {
		p.Items = append(p.Items, "i")
		if i > 0 {
			p.Lines = append(p.Lines, Line{Left: i - 1, Right: i, Wins: float64(1 + r.IntN(3)), Losses: 1, Ties: 1,
				Annotator: -1, Stratum: -1})
		}
		if i > 50 && i%50 == 0 {
			p.Lines = append(p.Lines, Line{Left: i, Right: i - 10 - r.IntN(30), Losses: 2, Wins: 1, Annotator: -1, Stratum: -1})
		}
	}
	for _, o := range slices.Concat(losses(0), losses(1e-4)) {
		dense, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		from := sparseOptions(o)
		least := math.Inf(1)
		from.Progress = func(residual float64) { least = min(least, residual) }
		b, err := Fit(context.Background(), p, from)
		if err != nil {
			t.Fatal(err)
		}
		if !b.l.Factored() || least > 1e-10 {
			t.Errorf("%+v: no factor, or no progress: the least residual was %v", o, least)
		}
		for i, s := range b.Scores {
			if w := dense.Scores[i]; math.Abs(s-w) > 1e-8*(1+linalg.MaxAbs(dense.Scores)) {
				t.Errorf("%+v: score %v of item %d, want %v; residual %v", o, s, i, w, b.Residual)
			}
		}
		if o.Loss == Squared {
			foldsAsDense(t, b, dense)
		}
		v, err := b.sandwichOf(context.Background(), []int{3, 400})
		if err != nil {
			t.Fatal(err)
		}
		all := &Covariance{cov: dense.sandwichBy(0), items: dense.s.Items} // without leverages
		if !near(v.Of(3, -1), all.Of(3, -1)) || !near(v.Of(3, 400), all.Of(3, 400)) {
			t.Errorf("%+v: standard errors %v and %v, want %v and %v", o, v.Of(3, -1), v.Of(3, 400), all.Of(3, -1),
				all.Of(3, 400))
		}
	}
}

// TestLargeAbout: standard errors, sets of ranks and next pairs of named items are those of the dense board.
func TestLargeAbout(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 8))
	checked := 0
	for trial := range 80 {
		p := made(r)
		p.Features, p.Residual = nil, 0
		o := losses([]float64{0, 0.4}[trial/4%2])[trial%4]
		grade(p, o, trial)
		dense, err := Fit(context.Background(), p, o)
		if err != nil {
			continue
		}
		b, err := Fit(context.Background(), p, sparseOptions(o))
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Predict(t.Context(), Unit{Kind: "kfold", Folds: 2}, 1) // which moves the system
		if separated := (*SeparatedError)(nil); err != nil && (!errors.As(err, &separated) || separated.Fold == 0) {
			t.Fatal(err)
		}
		about := []int{2, 0, 3}
		v, err := b.sandwichOf(context.Background(), about)
		if err != nil {
			t.Fatal(err)
		}
		all := &Covariance{cov: dense.sandwichBy(0), Quantile: student.Normal975, items: dense.s.Items} // without leverages
		if v.Residual > 1e-12 || v.cov.Rows != len(about)+b.s.Rest || !math.IsNaN(v.Of(1, 0)) {
			t.Errorf("trial %d: residual %v, %d rows", trial, v.Residual, v.cov.Rows)
		}
		entries := append(slices.Clone(about), 0)
		for k := range b.s.Rest {
			entries[len(about)] = len(p.Items) + k
			for _, i := range entries {
				if !near(v.Of(i, -1), all.Of(i, -1)) || !near(v.Of(i, 2), all.Of(i, 2)) {
					t.Errorf("trial %d, %+v: standard errors %v and %v of %d, want %v and %v", trial, o, v.Of(i, -1),
						v.Of(i, 2), i, all.Of(i, -1), all.Of(i, 2))
				}
				checked++
			}
		}
		got, want := b.RanksOf(v, 1), dense.RanksOf(all.of(about), 1)
		if !slices.Equal(got.Rank, want.Rank) || !slices.Equal(got.Lo, want.Lo) || !slices.Equal(got.Hi, want.Hi) ||
			!near(got.Critical, want.Critical) {
			t.Errorf("trial %d: ranks %+v, want %+v", trial, got, want)
		}
		if p.Components().Len() > 1 && o.Lambda == 0 {
			continue // differences between components have no variance
		}
		next, err := b.NextOf(context.Background(), 2, about, nil)
		if err != nil {
			t.Fatal(err)
		}
		some := linalg.NewMat(len(about), len(about))
		for a, i := range about {
			for c, j := range about {
				some.Row(a)[c] = dense.inverse().Row(i)[j]
			}
		}
		pairs, err := dense.choose(context.Background(), 2, some, about, incidence.All(len(about)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, w := range pairs {
			if !near(next[k].Fall, w.Fall) {
				t.Errorf("trial %d: next %+v, want %+v", trial, next[k], w)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d standard errors", checked)
	}
}

// TestLargeRefuses: what needs the inverse is an error with facts, or says that it is not there.
func TestLargeRefuses(t *testing.T) {
	p := league(30, 4)
	b, err := Fit(context.Background(), p, sparseOptions(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var large *fault.Error
	for _, kind := range []string{"comparison", "line", "pair", "annotator", "stratum", "item"} {
		if _, err := b.Predict(t.Context(), Unit{Kind: kind}, 1); !errors.As(err, &large) ||
			large.Code != codes.FaultLargeHoldOut || !strings.Contains(err.Error(), "30 items") {
			t.Errorf("%s: %v", kind, err)
		}
	}
	b.p.Added = true // lines that were outcomes
	_, err = b.Predict(t.Context(), Unit{Kind: "comparison"}, 1)
	if err == nil || !strings.Contains(err.Error(), "each line") {
		t.Errorf("lines of one outcome: %v", err)
	}
	if err := b.HoldOut(p.ByPair(), nil); !errors.As(err, &large) {
		t.Errorf("sets: %v", err)
	}
	if _, err := b.NextOf(context.Background(), 1, nil, nil); !errors.As(err, &large) {
		t.Errorf("next: %v", err)
	}
	if ranks := b.RanksOf(nil, 1); slices.Min(ranks.Rank) != 1 || slices.Max(ranks.Lo) != 0 {
		t.Errorf("ranks without a covariance: %+v", ranks)
	}
	if b.Sandwich() != nil || b.Jackknife() != nil || !math.IsNaN(b.Single(0)[0]) || !b.Large() {
		t.Error("a large board has what needs its inverse")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.sandwichOf(ctx, []int{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled variance: %v", err)
	}
	if _, err := Fit(ctx, p, sparseOptions(Options{})); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit: %v", err)
	}
}

// TestManyUnknowns: a dense board of so many items that its products leave out what is zero has the variances of the
// large one, in two components.
func TestManyUnknowns(t *testing.T) {
	const items, lines = 1030, 6000
	r := rand.New(rand.NewPCG(9, 1))
	p := &Problem{Items: make([]string, items)}
	for range lines {
		i, part := r.IntN(items), items-30 // the last 30 are a component
		j := r.IntN(part)
		if i >= part {
			j = part + r.IntN(30)
		}
		if i != j {
			p.Lines = append(p.Lines, Line{Left: i, Right: j, Wins: float64(r.IntN(3)), Losses: 1, Ties: 1, Annotator: -1,
				Stratum: -1, Cluster: -1})
		}
	}
	ctx, about := context.Background(), []int{3, 500, 999, 1001, 1029}
	for _, o := range losses(0) {
		dense, err := Fit(ctx, p, o)
		if err != nil {
			t.Fatal(err)
		}
		sparse, err := Fit(ctx, p, sparseOptions(o))
		if err != nil {
			t.Fatal(err)
		}
		v, err := sparse.sandwichOf(ctx, about)
		if err != nil {
			t.Fatal(err)
		}
		all := &Covariance{cov: dense.sandwichBy(0), Quantile: student.Normal975, items: dense.s.Items}
		for _, i := range about {
			for _, j := range about {
				if got, want := all.Of(i, j), v.Of(i, j); i != j && math.Abs(got-want) > 1e-8*want {
					t.Errorf("%+v: the standard error of items %d and %d is %v, want %v", o, i, j, got, want)
				}
			}
		}
	}
}
