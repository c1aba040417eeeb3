package scores

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// Where lower scores are better, the ranking is that of the negated scores, and has the table's signs.
func TestLowerIsBetter(t *testing.T) {
	p := drawn(rand.New(rand.NewPCG(4, 43)), 4, 20, 1, .1)
	turned := drawn(rand.New(rand.NewPCG(4, 43)), 4, 20, 1, .1)
	for k, y := range turned.Y.Data {
		turned.Y.Data[k] = -y
	}
	turned.LowerIsBetter()
	o := Options{Against: "A", Claims: []Claim{{System: "B", Margin: .1}}}
	one, err := Rank(t.Context(), *p, o)
	two, other := Rank(t.Context(), *turned, o)
	if err != nil || other != nil {
		t.Fatal(err, other)
	}
	for k, a := range one.Systems {
		b := two.Systems[k]
		if a.Name != b.Name || a.Score != -b.Score || a.Lo != -b.Hi || a.Mean != -b.Mean || a.GapLo != -b.GapHi ||
			a.Better != b.Better || a.Rank != b.Rank {
			t.Errorf("%+v\n%+v", a, b)
		}
	}
	if one.Gates[0] != two.Gates[0] {
		t.Errorf("%+v, not %+v", two.Gates[0], one.Gates[0])
	}
}

// A claim about two systems is kept or missed where sign flips of the differences less the margin, counted one by one,
// say so.
func TestGates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 43))
	var seen [3]int
	for range 60 {
		p := drawn(r, 2, 9, 1, 0)
		margin := []float64{0, .5, 2}[r.IntN(3)]
		ranking, err := Rank(t.Context(), *p, Options{Claims: []Claim{{System: "A", Than: "B", Margin: margin}}})
		if err != nil {
			t.Fatal(err)
		}
		sum, largest := 0.0, 0
		for i := range p.Y.Rows {
			sum += p.Y.Row(i)[1] - p.Y.Row(i)[0] - margin
		}
		for pattern := range 1 << p.Y.Rows {
			s := 0.0
			for i := range p.Y.Rows {
				s += (p.Y.Row(i)[1] - p.Y.Row(i)[0] - margin) * float64(1-2*(pattern>>i&1))
			}
			if math.Abs(s) >= math.Abs(sum)*(1-1e-10) {
				largest++
			}
		}
		sure := float64(largest) <= level*float64(int(1)<<p.Y.Rows)
		g := ranking.Gates[0]
		if g.Failed != (sure && sum > 0) || g.Passed != (sure && sum < 0) {
			t.Errorf("%+v, and the sum is %g, of %d patterns", g, sum, largest)
		}
		switch {
		case g.Failed:
			seen[0]++
		case g.Passed:
			seen[1]++
		default:
			seen[2]++
		}
	}
	if slices.Min(seen[:]) == 0 {
		t.Errorf("failed, passed and undecided: %v", seen)
	}
}

// Fewer than three units, an item that holds the table together, and a table that falls apart say so.
func TestWithoutIntervals(t *testing.T) {
	none := math.NaN()
	table := func(rows ...[]float64) *Problem {
		p := &Problem{Systems: []string{"A", "B", "C"}, Y: data.NewDense(len(rows), 3, slices.Concat(rows...))}
		for i := range rows {
			p.Items = append(p.Items, string(rune('a'+i)))
		}
		return p
	}
	for _, test := range []struct {
		p    *Problem
		says string
	}{
		{table([]float64{1, 2, 3}, []float64{2, 2, 4}), "2 items: an error is over three or more"},
		{table([]float64{1, 2, none}, []float64{2, 2, none}, []float64{none, 1, 2}, []float64{1, 3, none}),
			`without the item of item "c" the systems fall apart`},
	} {
		r, err := Rank(t.Context(), *test.p, Options{Claims: []Claim{{System: "A", Margin: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		if r.NoIntervals != test.says || !math.IsNaN(r.Systems[0].Lo) || r.Systems[0].RankLo != 0 || r.Top != 0 ||
			r.Gates[0].Failed || r.Gates[0].Passed || !math.IsNaN(r.Gates[0].Lo) {
			t.Errorf("%q: %+v", r.NoIntervals, r)
		}
	}
	_, err := Rank(t.Context(), *table([]float64{1, 2, none}, []float64{none, none, 2}), Options{})
	if err == nil || !strings.Contains(err.Error(), `2 parts that have no item in common: "A" and "B"; "C"`) {
		t.Error(err)
	}
}
