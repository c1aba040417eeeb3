package comparison

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/comparison/internal/cycles"
	"pairrank/comparison/internal/outcome"
)

// naiveT is the statistic by its definition: all products of different outcomes, or of outcomes of different
// annotators, of a pair.
func naiveT(q *Problem, p []float64, annotators bool) (sum float64) {
	for _, set := range q.ByPair() {
		var e []float64
		var who []int
		v := 0.0
		for k, c := range set {
			l := &q.Lines[c]
			sign := 1.0
			if l.Left > l.Right {
				sign = -1
			}
			unit := l.Annotator
			if unit < 0 {
				unit = -1 - k
			}
			for range int(l.Wins) {
				e, who = append(e, sign*(1-p[c])), append(who, unit)
			}
			for range int(l.Losses) {
				e, who = append(e, -sign*p[c]), append(who, unit)
			}
			v += (l.Wins + l.Losses) * p[c] * (1 - p[c])
		}
		for i := range e {
			for j := range e {
				if i != j && (!annotators || who[i] != who[j]) {
					sum += e[i] * e[j] / (1 + v/4)
				}
			}
		}
	}
	return sum
}

// The statistic is that of the definition, for outcomes and for annotators; a draw of signs that turns all annotators
// has the statistic of the board.
func TestStatisticOfCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for trial := range 40 {
		p := made(r)
		p.Features, p.Residual = nil, 0
		for _, annotators := range []bool{false, true} {
			if !annotators {
				p.Annotators = nil
				for c := range p.Lines {
					p.Lines[c].Annotator = -1
				}
			} else {
				p.Annotators = []string{"u", "v", "w"}
				for c := range p.Lines {
					p.Lines[c].Annotator = r.IntN(4) - 1
				}
			}
			q, err := p.decided()
			if err != nil {
				t.Fatal(err)
			}
			b, err := Fit(context.Background(), q, Options{Loss: Logistic, Ties: Drop, BiasReduced: true})
			if err != nil {
				t.Fatal(err)
			}
			_, units := q.independent(2)
			wins := make([]float64, len(q.Lines)) // their probabilities
			for c, f := range b.Margins {
				wins[c] = outcome.Logistic(f)
			}
			want := naiveT(q, wins, annotators)
			if got := cycles.New(b.f, q.ByPair(), units).Observed(); math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
				t.Errorf("trial %d, annotators %v: T is %v, not %v", trial, annotators, got, want)
			}
		}
	}
}

// circle is a board of a strong item against three of which each beats the next, all compared often.
func circle(strength float64, each int, r *rand.Rand) *Problem {
	p := &Problem{Items: []string{"top", "rock", "scissors", "paper"}}
	for i := range p.Items {
		for j := range i {
			f := -1.0 // top is the left one
			switch {
			case j == 0:
			case i-j == 1: // rock beats scissors, scissors beat paper
				f = -strength
			default: // paper beats rock
				f = strength
			}
			l := Line{Left: i, Right: j, Annotator: -1, Stratum: -1, Ties: 1}
			for range each {
				if r.Float64() < outcome.Logistic(f) {
					l.Wins++
				} else {
					l.Losses++
				}
			}
			p.Lines = append(p.Lines, l)
		}
	}
	return p
}

// A circle is found and named, in order from the item with the highest score; a ranking is not refused, and the draws
// end early. The same seed gives the same test.
func TestCycles(t *testing.T) {
	for _, c := range []struct {
		strength float64
		cyclic   bool
	}{{1.2, true}, {0, false}} {
		p := circle(c.strength, 60, rand.New(rand.NewPCG(4, 4)))
		got, err := runCycles(p)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := runCycles(p)
		if again.P != got.P || again.Expected != got.Expected {
			t.Errorf("twice with one seed: %+v and %+v", got, again)
		}
		if cyclic := got.P <= 0.05; cyclic != c.cyclic {
			t.Errorf("strength %v: P is %v", c.strength, got.P)
		}
		if c.cyclic != (got.Replicates == 999) {
			t.Errorf("strength %v: %d draws", c.strength, got.Replicates)
		}
		if n := got.Triangles.Found; (n == 1) != c.cyclic || n != len(got.Triangles.List) {
			t.Fatalf("strength %v: %d triangles", c.strength, n)
		}
		if !c.cyclic {
			continue
		}
		tri := got.Triangles.List[0]
		at := slices.Index(tri.Items[:], 1)
		if at < 0 || tri.Items[(at+1)%3] != 2 || tri.Items[(at+2)%3] != 3 {
			t.Errorf("the triangle is %v", tri.Items)
		}
		for k := range 3 {
			if !(tri.Wins[k] > tri.Losses[k]) || !(tri.P[k] <= 0.05) || tri.Wins[k]+tri.Losses[k] != 60 {
				t.Errorf("side %d of %+v", k, tri)
			}
		}
	}
}

func runCycles(p *Problem) (*Cycles, error) { return FindCycles(context.Background(), p, 1, nil) }
