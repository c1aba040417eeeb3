package comparison

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pairrank/comparison/internal/large"
)

// TestFitAndHoldOut: the optimum has no gradient in the naive definition; every set left out is the optimum
// of the others for the squared loss, and one Newton step of the others for the logistic loss.
func TestFitAndHoldOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	worst, checked, singular, open := 0.0, 0, 0, 0
	var mu sync.Mutex
	for trial := range 250 {
		p := made(r)
		o := losses([]float64{0, 0.3, 5}[trial%3])[trial/3%4]
		grade(p, o, trial)
		b, err := Fit(context.Background(), p, o)
		var separated *SeparatedError
		if errors.As(err, &separated) || errors.Is(err, large.ErrSingular) {
			singular++
			continue
		}
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		all := naiveOf(p, o, nil)
		theta := b.unknown
		g, h := all.derivatives(theta)
		for j := range g {
			if math.Abs(g[j]) > 1e-9*(1+h[j][j]) {
				t.Fatalf("trial %d, %+v: gradient %v of unknown %d", trial, o, g[j], j)
			}
		}
		for _, sets := range [][][]int{p.ByPair(), p.ByAnnotator(), p.ByStratum(), p.ByItem()} {
			b.HoldOut(sets, func(g int, margins, _ []float64) {
				mu.Lock()
				defer mu.Unlock()
				if len(sets[g]) == 0 {
					return
				}
				out := map[int]bool{}
				for _, c := range sets[g] {
					out[c] = true
				}
				rest := naiveOf(p, o, out)
				if len(rest.rows) == 0 || p.Features != nil && math.IsNaN(margins[0]) {
					return
				}
				want := rest.place(p, rest.step(theta))
				for a, c := range sets[g] {
					if rest.apart(c) != math.IsNaN(margins[a]) && !allNaN(margins) {
						t.Errorf("trial %d, %+v: margin %v of items apart: %v", trial, o, margins[a], rest.apart(c))
					}
					if math.IsNaN(margins[a]) {
						open++
						continue
					}
					row := b.s.Row(c)
					d := math.Abs(margins[a]-row.Dot(want)) / (1 + math.Abs(row.Dot(want)))
					if d > 1e-8 {
						t.Errorf("trial %d, %+v, set %d of %d lines: margin %v, want %v", trial, o, g, len(sets[g]), margins[a],
							row.Dot(want))
					}
					worst = max(worst, d)
					checked++
				}
			})
		}
	}
	t.Logf("%d margins, largest relative difference %.2g, and %d not determined; %d without an optimum", checked, worst,
		open, singular)
	if checked < 5000 {
		t.Errorf("only %d margins were checked", checked)
	}
}

func allNaN(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return !math.IsNaN(v) })
}

// TestSingle: one outcome of a line that is left out is the optimum, or the step, of all others.
func TestSingle(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	checked := 0
	for trial := range 60 {
		p := made(r)
		o := losses(0.4)[trial%4]
		grade(p, o, trial)
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		for c := range p.Lines {
			got := b.Single(c)
			for k, n := range p.Lines[c].Counts() {
				if n == 0 {
					if !math.IsNaN(got[k]) {
						t.Errorf("line %d has no outcome %d, and a margin %v", c, k, got[k])
					}
					continue
				}
				rest := *p
				rest.Lines = append([]Line(nil), p.Lines...)
				l := &rest.Lines[c]
				*[]*float64{&l.Wins, &l.Losses, &l.Ties}[k] -= 1
				v := naiveOf(&rest, o, nil)
				want := b.s.Row(c).Dot(v.place(p, v.step(b.unknown)))
				if math.Abs(got[k]-want) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("trial %d, %+v, line %d, outcome %d: %v, want %v", trial, o, c, k, got[k], want)
				}
				checked++
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d outcomes", checked)
	}
}
