package rls_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// graph is a random multigraph of preferences over the rows of p: several edges
// between two rows, weights of 0, rows without an edge.
func graph(r *rand.Rand, p gen.Problem) ([]pref.Edge, []naive.Pair) {
	var edges []pref.Edge
	var pairs []naive.Pair
	for range 1 + r.IntN(2*p.M) {
		i, j := r.IntN(p.M), r.IntN(p.M)
		if i == j {
			continue
		}
		e := pref.Edge{I: i, J: j, Magnitude: r.ExpFloat64(), Weight: r.ExpFloat64()}
		if r.IntN(8) == 0 {
			e.Weight = 0
		}
		edges = append(edges, e)
		pairs = append(pairs, naive.Pair{I: i, J: j, Target: e.Magnitude, Weight: e.Weight})
	}
	return edges, pairs
}

// without are the pairs that touch none of the rows out, renumbered.
func without(pairs []naive.Pair, in []int) []naive.Pair {
	place := map[int]int{}
	for a, i := range in {
		place[i] = a
	}
	left := []naive.Pair{}
	for _, p := range pairs {
		i, ok := place[p.I]
		if j, both := place[p.J]; ok && both {
			left = append(left, naive.Pair{I: i, J: j, Target: p.Target, Weight: p.Weight})
		}
	}
	return left
}

// TestPreferencesAgainstDefinition trains on explicit graphs, solved and on a
// path, and leaves each of their components out.
func TestPreferencesAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	var worst, held tally
	for trial := range problems(t, 300) {
		p := gen.New(r, gen.Options{})
		for i := range p.X {
			p.X[i] = r.NormFloat64()
		}
		edges, pairs := graph(r, p)
		goal, err := goals.Preferences(p.M, goals.Weighted(edges), pref.Magnitude)
		if errors.Is(err, goals.ErrNothingToLearn) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if trial%3 == 0 { // the same by its entries, as a Laplacian of another package
			goal.L = entriesOf(goal.L)
		}
		lambda := gen.Lambda(r, -15, 15)
		s := setting{Problem: p, goal: goal}
		for _, sp := range s.spaces() {
			k := sp.k
			if k == nil {
				k = p.Linear()
			}
			_, want := naive.Dual(k, pairs, nil, lambda)
			path, err := rls.Factor(ctx, sp.basis, goal)
			if err != nil {
				t.Fatal(err)
			}
			fit, err := rls.Solve(ctx, sp.basis, goal, lambda)
			if err != nil {
				t.Fatal(err)
			}
			scale := 0.0
			for _, v := range want {
				scale = max(scale, math.Abs(v))
			}
			d := max(relative(fit.Predictions().Data, want, 0), relative(path.At(lambda).Predictions().Data, want, 0))
			worst.add(d, lambda, 1)
			if d > allowed(lambda, 1) {
				t.Errorf("%s λ=%g: trained relative difference %.2g", sp.name, lambda, d)
			}
			parts := goal.L.Components()
			got := heldOut(t, path, parts, lambda)
			for g := range parts.Len() {
				out := ints(parts.Part(g))
				in := naive.Without(p.M, out)
				f := make([]float64, len(out))
				if left := without(pairs, in); len(left) > 0 {
					a, _ := naive.Dual(naive.Submatrix(k, p.M, in, in), left, nil, lambda)
					f = naive.Product(naive.Submatrix(k, p.M, out, in), a)
				}
				d := relative(naive.Pick(got.Data, out), f, scale)
				held.add(d, lambda, 1)
				if d > allowed(lambda, 1) {
					t.Errorf("%s λ=%g: held-out relative difference %.2g", sp.name, lambda, d)
				}
			}
		}
	}
	t.Logf("trained: %s", &worst)
	t.Logf("held out: %s", &held)
}
