package comparison

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/comparison/internal/outcome"
)

// A rater's numbers are those of the definition, with a board that is fitted without it: for the squared loss by the
// closed form of β, for the logistic one (whose held-out margins are a step) by the derivative at β.
func TestRaters(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for trial := range 40 {
		p := made(r)
		p.Features, p.Residual = nil, 0
		o := losses(0.3)[trial%4]
		grade(p, o, trial)
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		raters := b.raters(nil)
		if !slices.IsSortedFunc(raters, func(x, y Rater) int { return -int(math.Copysign(1, x.Reliability-y.Reliability)) }) {
			t.Errorf("trial %d: not in order", trial)
		}
		held := map[int][]float64{}
		for h, set := range p.ByAnnotator() {
			w := b.f.Without(p.ByAnnotator()[h], false)
			held[set[0]] = append(w.Margins, w.Eta)
			if o.Loss == Squared { // against retraining
				out := map[int]bool{}
				for _, c := range set {
					out[c] = true
				}
				v := naiveOf(p, o, out)
				theta := v.step(make([]float64, v.n))
				for a, c := range set {
					l := &p.Lines[c]
					f := theta[l.Left] - theta[l.Right]
					for j, x := range p.covariates(c) {
						f += x * theta[v.k+j]
					}
					if !near(w.Margins[a], f) {
						t.Fatalf("trial %d: margin %v, retrained %v", trial, w.Margins[a], f)
					}
				}
			}
		}
		spread, n := 0.0, 0.0
		for _, set := range p.ByAnnotator() {
			for a, c := range set {
				l, f := &p.Lines[c], held[set[0]][a]
				for k, count := range l.Counts() {
					z := outcome.Target(l.WinMagnitude(), outcome.Kind(k))
					spread, n = spread+count*l.Weight*(z-f)*(z-f), n+count*l.Weight
				}
			}
		}
		for _, x := range raters {
			var set []int
			for c := range p.Lines {
				if p.Lines[c].Annotator == x.Annotator {
					set = append(set, c)
				}
			}
			margins := held[set[0]]
			eta := margins[len(set)]
			fz, ff, slope, curve, right, wins, loss, weight, count := 0.0, 0.0, 1-x.Reliability, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0
			for a, c := range set {
				l, f := &p.Lines[c], margins[a]
				count += l.Count()
				for k, m := range l.Counts() {
					if m == 0 || outcome.Kind(k) == outcome.Tied && o.Ties == Drop && o.Loss == Logistic {
						continue
					}
					w, z := m*l.Weight, outcome.Target(l.WinMagnitude(), outcome.Kind(k))
					fz, ff = fz+w*f*z, ff+w*f*f
					terms := o.loss().Of(l, x.Reliability*f, eta, outcome.Kind(k))
					slope, curve = slope+w*f*terms.G[0], curve+w*f*f*terms.V[0]
					loss, weight = loss+w*o.loss().Of(l, f, eta, outcome.Kind(k)).Loss, weight+w
					if z != 0 {
						wins += w
						if f*z > 0 {
							right += w
						}
					}
				}
			}
			if o.Loss == Squared {
				s := spread / n
				beta, se := (fz/s+1)/(ff/s+1), 1/math.Sqrt(ff/s+1)
				if !near(x.Reliability, beta) || !near(x.SE, se) || !near(x.Expected, s) {
					t.Errorf("trial %d: %+v, want reliability %v, standard error %v, expected %v", trial, x, beta, se, s)
				}
			} else if math.Abs(slope) > 1e-8 || !near(x.SE, 1/math.Sqrt(curve)) {
				t.Errorf("trial %d, %+v: derivative %v at %+v", trial, o, slope, x)
			}
			if wins > 0 && !near(x.Right, right/wins) || !near(x.Loss, loss/weight) || x.Comparisons != count {
				t.Errorf("trial %d: %+v, want right %v, loss %v, %v comparisons", trial, x, right/wins, loss/weight, count)
			}
		}
	}
}

// Annotators who judge as the board does, toss a coin, and judge the other way, have reliabilities of about 1, 0 and
// −1.
func TestReliability(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	p := &Problem{Items: []string{"a", "b", "c", "d", "e", "f"}}
	s := []float64{-1.5, -1, -0.4, 0.3, 1, 1.6}
	for h := range 12 {
		p.Annotators = append(p.Annotators, string(rune('A'+h)))
		slope := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, -1}[h]
		for range 600 {
			i, j := r.IntN(6), r.IntN(5)
			if j >= i {
				j++
			}
			l := Line{Left: i, Right: j, Annotator: h, Stratum: -1}
			if r.Float64() < outcome.Logistic(slope*(s[i]-s[j])) {
				l.Wins = 1
			} else {
				l.Losses = 1
			}
			p.Lines = append(p.Lines, l)
		}
	}
	b, err := Fit(context.Background(), p, Options{Loss: Logistic})
	if err != nil {
		t.Fatal(err)
	}
	raters := b.raters(nil)
	last := raters[len(raters)-2:]
	if last[0].Annotator != 10 || last[1].Annotator != 11 {
		t.Fatalf("the last are %+v", last)
	}
	// The board of the others has smaller margins: two of them draw it together.
	if math.Abs(last[0].Reliability) > 4*last[0].SE || last[1].Reliability > -0.8 || raters[0].Reliability < 0.8 {
		t.Errorf("reliabilities %v to %v, %v", raters[0], last[0], last[1])
	}
	if c := last[0]; math.Abs(c.Right-0.5) > 0.1 || c.Loss < c.Expected {
		t.Errorf("who tosses a coin: %+v", c)
	}
}
