package goals_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// L, r, the constants and the pairs of a query are the same to the last bit alone and
// among others.
func TestSummandIsItsPartOfScored(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 30))
	for range 300 {
		p := gen.New(r, gen.Options{})
		for _, o := range allOptions {
			v := 1
			if o.Ties == "" && o.Cost == "" {
				v = 1 + r.IntN(3)
			}
			y := make([]float64, p.M*v)
			for i := range y {
				y[i] = p.Y[i/v] * float64(1+i%v)
			}
			goal, err := goals.Scored(y, v, partition(p), o)
			if err != nil {
				t.Fatal(err)
			}
			constants, pairs := sumOfSummands(t, p, y, v, o, goal)
			for c := range v {
				if d := math.Abs(constants[c]-goal.Constants[c]) / goal.Constant(); d > 1e-14 {
					t.Fatalf("%+v: constant %v, want %v", o, constants[c], goal.Constants[c])
				}
			}
			if pairs != goal.Pairs {
				t.Fatalf("%+v: %v pairs, want %v", o, pairs, goal.Pairs)
			}
		}
	}
}

// sumOfSummands adds the constants and pairs of the queries, and compares L and r of each
// with its part of the goal.
func sumOfSummands(t *testing.T, p gen.Problem, y []float64, v int, o pref.Options,
	goal *goals.Goal) (constants []float64, pairs float64) {
	t.Helper()
	whole := dense(goal.L)
	constants = make([]float64, v)
	for q := range p.Queries {
		rows := p.RowsOf(q)
		part, err := goals.Summand(naive.Submatrix(y, v, rows, naive.Without(v, nil)), v, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		pairs += part.Pairs
		for c := range v {
			constants[c] += part.Constants[c]
		}
		if d := difference(dense(part.L), naive.Submatrix(whole, p.M, rows, rows)); d != 0 {
			t.Fatalf("%+v: L differs by %g", o, d)
		}
		const rounding = 1e-12 // in r of a query without two labels, which is exactly 0 alone
		want := naive.Submatrix(goal.R, v, rows, naive.Without(v, nil))
		for i, r := range part.R {
			if r != want[i] && (part.Informs(0, 0) || r != 0 || math.Abs(want[i]) > rounding) {
				t.Fatalf("%+v: r is %v, want %v", o, part.R, want)
			}
		}
	}
	return constants, pairs
}

// A query without two labels is a part as any other, which says nothing, exactly.
func TestSummandWithoutTwoLabels(t *testing.T) {
	for _, o := range allOptions {
		part, err := goals.Summand([]float64{0.1, 0.1, 0.1}, 1, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		o, err := o.Resolved()
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		if o.Ties == pref.IncludeTies {
			want = 3
		}
		if part.Pairs != want || part.Constant() != 0 || part.R[0] != 0 || part.R[1] != 0 || part.R[2] != 0 {
			t.Errorf("%+v: %v pairs, r = %v, constant %v", o, part.Pairs, part.R, part.Constants)
		}
	}
	if _, err := goals.Summand([]float64{1, 2, 3, 4}, 2, nil, pref.Options{Cost: pref.Unit}); err == nil {
		t.Error("two outputs compare other pairs each")
	}
	if _, err := goals.Summand([]float64{1, 2}, 1, nil, pref.Options{Weight: "other"}); err == nil {
		t.Error("a weight that is not known")
	}
}
