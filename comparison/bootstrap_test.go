package comparison

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/outcome"
)

// The scores of a sample are those of a fit of its masses, where bias is not reduced. Steps end at 1e-11 here, since
// those of chords shorten by a factor and leave more than the last step.
func TestRefitIsFitOfMasses(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for trial := range 200 {
		p := made(r)
		o := losses(0)[trial%4]
		grade(p, o, trial)
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			continue // components without a finite fit
		}
		f := dense.NewRefitter(b.f)
		f.Within = 1e-12
		m := make([]outcome.Mass, len(p.Lines))
		b.weigh(m, nil, 0, rand.New(rand.NewPCG(uint64(trial), 3)))
		x := f.NewSample()
		if !f.Fit(m, x) {
			t.Fatalf("trial %d, %+v: did not settle", trial, o)
		}
		other := *p
		other.Lines = append([]Line(nil), p.Lines...)
		for c := range other.Lines {
			l := &other.Lines[c]
			l.Weight = 1
			l.Wins, l.Losses, l.Ties = m[c][0], m[c][1], m[c][2]
			if l.Count() == 0 {
				l.Ties = 1 // dropped
			}
		}
		want, err := Fit(context.Background(), &other, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want.place() {
			if !near(x.Place[i], v) {
				t.Fatalf("trial %d, %+v: entry %d is %v, fitted %v", trial, o, i, x.Place[i], v)
			}
		}
	}
}

// The steps of a sample of bias-reduced scores end where the score with the board's leverages is 0.
func TestRefitOfReducedBias(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	p := made(r)
	p.Features, p.Residual = nil, 0
	b, err := Fit(context.Background(), p, Options{Loss: Logistic, BiasReduced: true})
	if err != nil {
		t.Fatal(err)
	}
	f := dense.NewRefitter(b.f)
	f.Within = 1e-12
	m, x := make([]outcome.Mass, len(p.Lines)), f.NewSample()
	for c := range p.Lines {
		for k, n := range p.Lines[c].Counts() {
			m[c][k] = n * p.Lines[c].OutcomeWeight()
		}
	}
	if !f.Fit(m, x) {
		t.Fatal("did not settle")
	}
	for i, v := range b.place() {
		if !near(x.Place[i], v) {
			t.Fatalf("the board's own masses: entry %d is %v, fitted %v", i, x.Place[i], v)
		}
	}
	b.weigh(m, nil, 0, rand.New(rand.NewPCG(1, 3)))
	if !f.Fit(m, x) {
		t.Fatal("did not settle")
	}
	for i := range p.Items {
		sum := 0.0
		for c := range p.Lines {
			l := &p.Lines[c]
			sign := map[int]float64{l.Left: 1, l.Right: -1}[i]
			q := outcome.Logistic(x.Margins[c])
			sum += sign * (m[c][outcome.Won]*(1-q) - m[c][outcome.Lost]*q + (m[c][outcome.Tied]+f.Bias[c])*(0.5-q))
		}
		if math.Abs(sum) > 1e-8 {
			t.Errorf("item %d: the score is %v", i, sum)
		}
	}
}

// Of two items that only meet one another the variance of a bootstrap has a closed form: the share of wins with weights
// of the gamma distribution has the beta distribution.
func TestBootstrapOfOnePair(t *testing.T) {
	p := &Problem{Items: []string{"a", "b"}, Lines: []Line{{Left: 0, Right: 1, Wins: 30, Losses: 20, Annotator: -1,
		Stratum: -1}}}
	b, err := Fit(context.Background(), p, Options{Loss: Logistic})
	if err != nil {
		t.Fatal(err)
	}
	const samples = 40_000
	v, err := b.Bootstrap(context.Background(), samples, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := v.Of(0, 1)
	// The logit of a beta variable has the variance ψ'(30) + ψ'(20).
	trigamma := func(x float64) float64 {
		sum := 0.0
		for ; x < 1e4; x++ {
			sum += 1 / (x * x)
		}
		return sum + 1/x + 1/(2*x*x)
	}
	want := math.Sqrt(trigamma(30) + trigamma(20))
	if math.Abs(got/want-1) > 4/math.Sqrt(2*samples) { // four standard errors
		t.Errorf("standard error %v, in closed form %v", got, want)
	}
}
