package comparison

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/comparison/internal/outcome"
	"pairrank/data"
)

// sums are what naive predictions add up to.
type sums struct{ loss, weight, wrong, wins float64 }

// add counts outcomes of line c with weight w, predicted by a step of the others.
func (s *sums) add(v *naive, theta []float64, c int, k outcome.Kind, w float64) {
	p := v.p
	place := v.place(p, v.step(theta))
	f := place[p.Lines[c].Left] - place[p.Lines[c].Right]
	for j, x := range p.covariates(c) {
		f += x * place[len(p.Items)+j]
	}
	eta := 0.0
	if v.o.Ties == Davidson && v.o.Loss == Logistic {
		eta = place[len(place)-1]
	}
	if v.o.Loss == Logistic && v.o.Ties != Davidson {
		y := gradeOf(&p.Lines[c], int(k))
		s.loss -= w * (y*math.Log(outcome.Logistic(f)) + (1-y)*math.Log(outcome.Logistic(-f)))
	} else {
		s.loss += w * v.o.loss().Of(&p.Lines[c], f, eta, k).Loss
	}
	s.weight += w
	if k == outcome.Tied {
		return
	}
	s.wins += w
	if (f > 0) == (k == outcome.Lost) {
		s.wrong += w
	}
}

// TestPredict: error and loss of each unit are those of the naive definition, which trains or steps without it. An item
// predicts each of its lines, so that a line counts once for either item.
func TestPredict(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 5))
	for trial := range 60 {
		p := made(r)
		o := losses(0.4)[trial%4]
		grade(p, o, trial)
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"comparison", "line", "pair", "annotator", "stratum", "item"} {
			h, err := b.Predict(t.Context(), Unit{Kind: kind}, 1)
			if kind == "item" && p.Features == nil {
				if err == nil {
					t.Error("items without features are predicted")
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			want, sets, count := sums{}, map[string][][]int{"line": nil, "pair": p.ByPair(), "annotator": p.ByAnnotator(),
				"stratum": p.ByStratum(), "item": p.ByItem()}[kind], 0
			if kind == "line" {
				for c := range p.Lines {
					sets = append(sets, []int{c})
				}
			}
			count = len(sets)
			for _, set := range sets {
				out := map[int]bool{}
				for _, c := range set {
					out[c] = true
				}
				v := naiveOf(p, o, out)
				for _, c := range set {
					for k, n := range p.Lines[c].Counts() {
						if n > 0 && !b.s.Loss.Silent(outcome.Kind(k)) {
							want.add(v, b.unknown, c, outcome.Kind(k), n*p.Lines[c].OutcomeWeight())
						}
					}
				}
			}
			if kind == "comparison" {
				count = want.singles(b, p, o)
			}
			if h.Undetermined > 0 || h.Sets != count || !near(h.Error.Value, want.wrong/want.wins) ||
				!near(h.Loss.Value, want.loss/want.weight) {
				t.Errorf("trial %d, %+v, %s: %d sets, error %v, loss %v, want %d, %v, %v", trial, o, kind, h.Sets,
					h.Error.Value, h.Loss.Value, count, want.wrong/want.wins, want.loss/want.weight)
			}
		}
	}
}

// singles leaves out each single outcome.
func (s *sums) singles(b *Board, p *Problem, o Options) (count int) {
	for c := range p.Lines {
		for k, n := range p.Lines[c].Counts() {
			if n == 0 || b.s.Loss.Silent(outcome.Kind(k)) {
				continue
			}
			rest := *p
			rest.Lines = append([]Line(nil), p.Lines...)
			l := &rest.Lines[c]
			*[]*float64{&l.Wins, &l.Losses, &l.Ties}[k]--
			s.add(naiveOf(&rest, o, nil), b.unknown, c, outcome.Kind(k), n*l.OutcomeWeight())
			count += int(n)
		}
	}
	return count
}

// TestStdErrOfComparisons: single outcomes are independent, however they are folded into lines.
func TestStdErrOfComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	p := made(r)
	p.Annotators, p.Features, p.Residual, p.X, p.Covariates = nil, nil, 0, nil, nil
	one := *p
	one.Lines = nil
	for c := range p.Lines {
		l := p.Lines[c]
		l.Annotator = -1
		p.Lines[c] = l
		for k, n := range p.Lines[c].Counts() {
			for range int(n) {
				single := l
				single.Wins, single.Losses, single.Ties = 0, 0, 0
				*[]*float64{&single.Wins, &single.Losses, &single.Ties}[k] = 1
				one.Lines = append(one.Lines, single)
			}
		}
	}
	var got [2]*HeldOut
	for k, p := range []*Problem{p, &one} {
		b, err := Fit(context.Background(), p, Options{Loss: Logistic, Lambda: 0.1})
		if err == nil {
			got[k], err = b.Predict(t.Context(), Unit{Kind: "comparison"}, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got[0].Sets != got[1].Sets || !near(got[0].StdErr.Value, got[1].StdErr.Value) ||
		!near(got[0].Error.Value, got[1].Error.Value) || !near(got[0].Loss.Value, got[1].Loss.Value) {
		t.Errorf("folded %+v, single %+v", got[0], got[1])
	}
}

// TestShares: the shares are of the squared loss at λ = 0, whatever the board is of.
func TestShares(t *testing.T) {
	p := &Problem{Items: []string{"a", "b", "c"}, Lines: []Line{{Left: 0, Right: 1, Wins: 3, Losses: 1},
		{Left: 1, Right: 2, Wins: 3, Losses: 1}, {Left: 2, Right: 0, Wins: 3, Losses: 1}}}
	for _, o := range []Options{{}, {Lambda: 2}, {Loss: Logistic}} {
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		if residual, cyclic := b.unexplained(context.Background()); !near(residual, 1) || !near(cyclic, 1) { // equal scores
			t.Errorf("%+v: a cycle leaves %v and %v unexplained", o, residual, cyclic)
		}
		p.Lines[2] = Line{Left: 0, Right: 2, Wins: 9, Losses: 0}
		b, _ = Fit(context.Background(), p, o)
		// z̄ = ½, ½, 1, so that the scores 1, ½, 0 less their mean leave nothing of the means.
		if residual, cyclic := b.unexplained(context.Background()); !near(residual, 6.0/17) || !near(cyclic+1, 1) {
			t.Errorf("%+v: %v and %v are unexplained, want %v and 0", o, residual, cyclic, 6.0/17)
		}
		p.Lines[2] = Line{Left: 2, Right: 0, Wins: 3, Losses: 1}
	}
}

// TestBiasReducedHoldOut: without some lines, the step is that of the score of the others with their own terms of
// Firth.
func TestBiasReducedHoldOut(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	checked := 0
	for range 20 {
		p := made(r)
		p.Features, p.Residual, p.X, p.Covariates = nil, 0, nil, nil
		b, err := Fit(context.Background(), p, Options{Loss: Logistic, BiasReduced: true})
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Loss: Logistic, Ties: Half}
		_, h := withOpen(naiveOf(p, o, nil), b.Scores)
		inv := invert(h)
		for _, set := range p.ByPair() {
			out := map[int]bool{}
			for _, c := range set {
				out[c] = true
			}
			rest := naiveOf(p, o, out)
			g, h := withOpen(rest, b.Scores)
			for c := range p.Lines {
				if l := &p.Lines[c]; !out[c] {
					f := b.Scores[l.Left] - b.Scores[l.Right]
					v := l.Count() * l.OutcomeWeight() * outcome.Logistic(f) * outcome.Logistic(-f)
					q := v * (inv[l.Left][l.Left] + inv[l.Right][l.Right] - 2*inv[l.Left][l.Right]) * (0.5 - outcome.Logistic(f))
					g[l.Left] -= q
					g[l.Right] += q
				}
			}
			if rest.apart(set[0]) {
				continue
			}
			d := eliminate(h, g)
			b.HoldOut([][]int{set}, func(_ int, margins, _ []float64) {
				for a, c := range set {
					l := &p.Lines[c]
					if want := b.Scores[l.Left] - d[l.Left] - b.Scores[l.Right] + d[l.Right]; !near(margins[a], want) {
						t.Errorf("margin %v, want %v", margins[a], want)
					}
					checked++
				}
			})
		}
	}
	if checked < 200 {
		t.Errorf("only %d margins", checked)
	}
}

// withOpen are the derivatives with the means of components held.
func withOpen(v *naive, theta []float64) (g []float64, h [][]float64) {
	g, h = v.derivatives(theta)
	for _, set := range v.open {
		for _, i := range set {
			for _, j := range set {
				h[i][j]++
			}
		}
	}
	return g, h
}

// TestJackknifeAlone: an item that only one annotator compares has no variance by annotators; the others have that of
// the comparisons without it.
func TestJackknifeAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	p := &Problem{Items: []string{"a", "b", "c", "d", "e"}, Annotators: []string{"u", "v", "w", "x"}}
	for h := range 4 {
		for i := range 4 {
			for j := range i {
				p.Lines = append(p.Lines, Line{Left: i, Right: j, Wins: float64(r.IntN(3)), Losses: float64(1 + r.IntN(2)),
					Annotator: h, Stratum: -1})
			}
		}
	}
	without, err := Fit(context.Background(), &Problem{Items: p.Items[:4], Annotators: p.Annotators, Lines: p.Lines},
		Options{Loss: Squared})
	if err != nil {
		t.Fatal(err)
	}
	few := *p
	few.Lines = append(few.Lines[:len(p.Lines):len(p.Lines)], Line{Left: 4, Right: 1, Wins: 1, Annotator: 2, Stratum: -1})
	b, err := Fit(context.Background(), &few, Options{Loss: Squared})
	if err != nil {
		t.Fatal(err)
	}
	got, want := b.Jackknife(), without.Jackknife()
	for i := range 4 {
		if !near(got.Of(i, -1), want.Of(i, -1)) || !near(got.Of(i, (i+1)%4), want.Of(i, (i+1)%4)) {
			t.Errorf("item %d: standard errors %v and %v, want %v and %v", i, got.Of(i, -1), got.Of(i, (i+1)%4),
				want.Of(i, -1), want.Of(i, (i+1)%4))
		}
	}
	if !math.IsNaN(got.Of(4, -1)) || !math.IsNaN(got.Of(0, 4)) {
		t.Errorf("the item that one annotator compared has standard errors %v, %v", got.Of(4, -1), got.Of(0, 4))
	}
	if ranks := b.RanksOf(got, 1); ranks.Lo[4] != 1 || ranks.Hi[4] != 5 || math.IsNaN(ranks.Critical) {
		t.Errorf("ranks %+v", ranks)
	}
}

// TestUnfit: what has no finite optimum is said by its reason.
func TestUnfit(t *testing.T) {
	p := &Problem{Items: []string{"a", "b"}, Lines: []Line{{Left: 0, Right: 1, Wins: 2, Losses: 1}}}
	if _, err := Fit(context.Background(), p, Options{Loss: Logistic, Ties: Davidson}); err == nil ||
		!strings.Contains(err.Error(), "need wins and ties") {
		t.Errorf("Davidson's ν without ties: %v", err)
	}
	p.Lines[0].Losses = 0
	p.AddSide()
	var separated *SeparatedError
	_, err := Fit(context.Background(), p, Options{Loss: Logistic})
	if !errors.As(err, &separated) || separated.Sets == nil {
		t.Errorf("error %v", err)
	}
	// A feature that orders all outcomes.
	p = &Problem{Items: []string{"a", "b", "c"}, Features: data.NewDense(3, 1, []float64{1, 2, 4}),
		Lines: []Line{{Left: 1, Right: 0, Wins: 2}, {Left: 0, Right: 2, Losses: 3}}}
	if _, err := Fit(context.Background(), p, Options{Loss: Logistic}); !errors.As(err, &separated) {
		t.Errorf("error %v", err)
	}
	// A chain of items is badly conditioned: its steps end at rounding, not at the limit.
	p = &Problem{}
	for i := range 400 {
		p.Items = append(p.Items, "i")
		if i > 0 {
			p.Lines = append(p.Lines, Line{Left: i - 1, Right: i, Wins: float64(1 + i%7), Losses: 1})
		}
	}
	for _, o := range losses(0)[:2] {
		if b, err := Fit(context.Background(), p, o); err != nil || b.Iterations > 15 {
			t.Errorf("%+v: %+v, %v", o, b.Iterations, err)
		}
	}
}
