package scores

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/fault"
)

// Scores that are multiplied by a number have the same ranks, notes and gates, and intervals that are multiplied by it;
// or, where squares are no numbers, an error with the place.
func TestSizeOfScores(t *testing.T) {
	for seed, missing := range []float64{0, .2} {
		of := func(power int) *Problem {
			p := drawn(rand.New(rand.NewPCG(uint64(seed), 44)), 5, 30, 1, missing)
			for k, y := range p.Y.Data {
				p.Y.Data[k] = math.Ldexp(math.Exp(3*y), power)
			}
			return p
		}
		want, err := Rank(t.Context(), *of(0), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, power := range []int{-400, -60, 60, 400} {
			got, err := Rank(t.Context(), *of(power), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Notes) != len(want.Notes) || len(want.Notes) == 0 || got.Critical != want.Critical {
				t.Errorf("times 2^%d: %v and %g, not %v and %g", power, got.Notes, got.Critical, want.Notes, want.Critical)
			}
			for k, s := range got.Systems {
				w := want.Systems[k]
				if s.Name != w.Name || s.RankLo != w.RankLo || s.RankHi != w.RankHi || s.Hi != math.Ldexp(w.Hi, power) {
					t.Errorf("times 2^%d: %+v, not %+v", power, s, w)
				}
			}
		}
		for _, power := range []int{-1000, 600, 1000} {
			p := of(power)
			var refused *fault.Error
			if _, err := Rank(t.Context(), *p, Options{}); !errors.As(err, &refused) || refused.Kind != fault.Data ||
				!strings.Contains(err.Error(), " on item ") {
				t.Errorf("times 2^%d: %v", power, err)
			}
			p.Standardize()
			one := of(0)
			if one.Standardize(); one.Y.Data[7] != p.Y.Data[7] {
				t.Errorf("times 2^%d: a standardised score is %g, not %g", power, p.Y.Data[7], one.Y.Data[7])
			}
		}
	}
}

// A scale that loses the share of repeats says so, and only then.
func TestLostRepeats(t *testing.T) {
	for name, change := range map[string]func(*Problem){"": func(*Problem) {}, "standardize": (*Problem).Standardize,
		"ranks": (*Problem).Ranked} {
		for _, repeats := range []float64{0, .1} {
			p := drawn(rand.New(rand.NewPCG(9, 44)), 4, 20, 1, 0)
			p.Repeats = repeats
			change(p)
			r, err := Rank(t.Context(), *p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			told := false
			for _, n := range r.Notes {
				told = told || n.Code == "repeats-share"
			}
			if told != (name != "" && repeats > 0) || math.IsNaN(r.Repeats) != (name != "" || repeats == 0) {
				t.Errorf("%q of repeats %g: told %v, share %g", name, repeats, told, r.Repeats)
			}
		}
	}
}
