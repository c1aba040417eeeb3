package rls_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// TestNestPairsIsChoosingAgain compares each outer pair with choosing λ by leaving every pair out of the others,
// trained by the definition, and with training on the others.
func TestNestPairsIsChoosingAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 18))
	outer, inner, ties, worst := 0, 0, 0, 0.0
	for trial := range problems(t, 30) {
		p := gen.New(r, gen.Options{OneQuery: true, MaxRows: 8, MaxFeatures: 12})
		if p.M < 5 {
			continue
		}
		s := newSetting(t, p, trial%4 == 3, []pref.Options{{}, {Weight: pref.Size}, {Weight: pref.Edges}, {}}[trial%4])
		lambdas := []float64{0.5, 2, 8, 64}
		for l := range lambdas {
			lambdas[l] *= s.pairWeight()
		}
		for _, sp := range s.spaces()[:2] {
			path, err := rls.Factor(ctx, sp.basis, s.goal)
			if err != nil {
				t.Fatal(err)
			}
			done := 0
			got, err := path.NestPairs(ctx, p.Y, lambdas, func(d, total int) { done = d })
			if err != nil {
				t.Fatal(err)
			}
			if done != len(lambdas)*p.M {
				t.Errorf("the last progress is %d of %d", done, len(lambdas)*p.M)
			}
			k := 0
			for i := range p.M {
				for j := i + 1; j < p.M; j++ {
					if p.Y[i] == p.Y[j] {
						continue
					}
					if k == len(got) || int(got[k].I) != i || int(got[k].J) != j {
						t.Fatalf("pair %d is not of rows %d and %d", k, i, j)
					}
					want := s.chosenWithout(sp.k, i, j, lambdas)
					f, floor := s.retrained(sp.k, []int{i, j}, lambdas[want.Lambda])
					d := math.Abs(got[k].Difference-(f[0]-f[1])) / max(1, math.Abs(f[0])+math.Abs(f[1]), floor)
					if got[k].Lambda != want.Lambda || got[k].Halves != want.Halves || got[k].Pairs != want.Pairs || d > 1e-8 {
						t.Errorf("trial %d, %s, rows %d and %d of %d: %+v, want %+v and %v", trial, sp.name, i, j, p.M, got[k], want,
							f[0]-f[1])
					}
					outer, inner, worst = outer+1, inner+int(want.Pairs), max(worst, d)
					if want.Halves%2 == 1 {
						ties++
					}
					k++
				}
			}
			if k != len(got) {
				t.Errorf("%d pairs, want %d", len(got), k)
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d outer pairs, %d inner ones, an odd number of ties in %d; largest relative difference %.2g", outer, inner,
		ties, worst)
}

// chosenWithout chooses λ by leaving every pair out of the rows without two.
func (s setting) chosenWithout(k []float64, i, j int, lambdas []float64) (best rls.NestedPair) {
	best.Halves = math.MaxInt64
	for l, lambda := range lambdas {
		n := rls.NestedPair{Lambda: int32(l)}
		for a := range s.M {
			for b := range a {
				if a == i || a == j || b == i || b == j || s.Y[a] == s.Y[b] {
					continue
				}
				n.Pairs++
				f, floor := s.retrained(k, []int{i, j, a, b}, lambda)
				d := f[2] - f[3]
				switch {
				case math.Abs(d) <= 1e-11*max(math.Abs(f[2])+math.Abs(f[3]), floor, 1):
					n.Halves++
				case (d > 0) != (s.Y[a] > s.Y[b]):
					n.Halves += 2
				}
			}
		}
		if n.Halves <= best.Halves {
			best = n
		}
	}
	return best
}

// Other losses have no shortcut.
func TestNestPairsIsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 18))
	for range 20 {
		p := gen.New(r, gen.Options{MaxRows: 8})
		s := newSetting(t, p, false, pref.Options{Ties: "exclude"})
		path, err := rls.Factor(ctx, s.spaces()[0].basis, s.goal)
		if err != nil {
			t.Fatal(err)
		}
		var reason *rls.NotExactError
		if p.M < 5 {
			continue
		}
		if _, err := path.NestPairs(ctx, p.Y, []float64{1}, nil); !errors.As(err, &reason) {
			t.Errorf("pairs without ties: %v", err)
		}
	}
}

func BenchmarkNestPairs(b *testing.B) {
	for _, m := range []int{60, 200} {
		b.Run(fmt.Sprintf("rows=%d/lambdas=31", m), func(b *testing.B) {
			set := gen.Set(m, 500, 1, 1)
			for i := range set.Y {
				set.Y[i] = float64(i % 2)
			}
			goal, err := goals.Scored(set.Y, 1, set.Queries, pref.Options{})
			if err != nil {
				b.Fatal(err)
			}
			path, err := rls.Factor(ctx, rls.Primal(set.X), goal)
			if err != nil {
				b.Fatal(err)
			}
			lambdas := make([]float64, 31)
			for l := range lambdas {
				lambdas[l] = math.Ldexp(1, l-15)
			}
			for b.Loop() {
				if _, err := path.NestPairs(ctx, set.Y, lambdas, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
