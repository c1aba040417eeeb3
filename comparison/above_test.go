package comparison

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/student"
)

// The probability that an item is above another is that of the normal or of Student's distribution at the difference in
// standard errors; the quantile of the interval has 97.5 %. It is not known between components.
func TestAbove(t *testing.T) {
	p := &Problem{Items: []string{"a", "b", "c", "x", "y"}, Lines: []Line{{Left: 0, Right: 1, Wins: 7, Losses: 4},
		{Left: 1, Right: 2, Wins: 5, Losses: 3}, {Left: 2, Right: 0, Wins: 2, Losses: 6},
		{Left: 3, Right: 4, Wins: 2, Losses: 1}}}
	for c := range p.Lines {
		p.Lines[c].Annotator, p.Lines[c].Stratum = -1, -1
	}
	b, err := Fit(context.Background(), p, Options{Loss: Logistic})
	if err != nil {
		t.Fatal(err)
	}
	v := b.Sandwich()
	q := b.above(v, 0, 1)
	want := 0.5 + math.Erf((b.Scores[0]-b.Scores[1])/v.Of(0, 1)/math.Sqrt2)/2
	if !near(q, want) || !near(b.above(v, 1, 0), 1-want) {
		t.Errorf("probability %v, want %v", q, want)
	}
	if !math.IsNaN(b.above(v, 0, 3)) || !math.IsNaN(b.above(v, 2, 2)) {
		t.Errorf("between components %v, with itself %v", b.above(v, 0, 3), b.above(v, 2, 2))
	}
	v.Freedom = 3
	if want := student.Below((b.Scores[0]-b.Scores[1])/v.Of(0, 1), 3); b.above(v, 0, 1) != want {
		t.Errorf("probability %v, want %v", b.above(v, 0, 1), want)
	}
	v.Quantile = student.Quantile975(3)
	b.Scores[0] = b.Scores[1] + v.Quantile*v.Of(0, 1)
	if got := b.above(v, 0, 1); math.Abs(got-0.975) > 1e-10 {
		t.Errorf("at the end of the interval %v", got)
	}
}

// With equal pairs the weights of each pair add up to the same, the sum of all stays, and scores of the squared loss
// are those of a board with the means of pairs; the sandwich is that of the weights.
func TestEqualPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 6))
	for trial := range 40 {
		p := made(r)
		ties := []Ties{Half, Drop, Davidson}[trial%3]
		equal := *p
		equal.Lines = append([]Line(nil), p.Lines...)
		equal.EqualPairs(ties)
		weigh := func(q *Problem, c int) float64 {
			l := &q.Lines[c]
			if ties == Drop {
				return (l.Wins + l.Losses) * l.Weight
			}
			return l.Count() * l.Weight
		}
		first, before, after, pairs := -1.0, 0.0, 0.0, 0.0
		for _, set := range p.ByPair() {
			sum := 0.0
			for _, c := range set {
				before, sum = before+weigh(p, c), sum+weigh(&equal, c)
				if a, z := p.Lines[c].Weight/p.Lines[set[0]].Weight, equal.Lines[c].Weight/equal.Lines[set[0]].Weight; !near(a, z) {
					t.Errorf("trial %d: weights within a pair are %v and become %v", trial, a, z)
				}
			}
			if sum == 0 {
				continue // only ties that are dropped
			}
			if after, pairs = after+sum, pairs+1; first < 0 {
				first = sum
			}
			if !near(sum, first) {
				t.Errorf("trial %d: pairs weigh %v and %v", trial, first, sum)
			}
		}
		if !near(after, before) {
			t.Errorf("trial %d: all weigh %v, before %v", trial, after, before)
		}
	}
}
