package rls_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// TestSomePairsAreLeavePairOut: the sums over some pairs, also drawn twice or in the other order, are those of the
// predictions of LeavePairOut, for every output, ranking and regression, primal and dual, with ties, equal rows and
// labels of one row.
func TestSomePairsAreLeavePairOut(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	lambdas := []float64{0.1, 3, 1e3, 1e8}
	tied := int64(0)
	for trial := range 40 {
		const v = 3
		m, n := 20+r.IntN(80), 1+r.IntN(5)
		x, first := longList(r, m, n, trial)
		y := make([]float64, m*v)
		for i, label := range first {
			y[i*v], y[i*v+1] = label, float64(r.IntN(2))
		}
		y[r.IntN(m)*v+2] = 1 // the only row of its label
		goal, err := goals.Scored(y, v, data.OneList(m), pref.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if trial%3 == 1 {
			goal = goals.Regression(y, v)
		}
		basis := rls.Primal(x)
		if trial%2 == 1 {
			basis = rls.Dual(gram(x))
		}
		path, err := rls.Factor(t.Context(), basis, goal)
		if err != nil {
			t.Fatal(err)
		}
		pairs := make([][2]int32, 1+r.IntN(3000))
		for k := range pairs {
			i := r.IntN(m)
			pairs[k] = [2]int32{int32(i), int32((i + 1 + r.IntN(m-1)) % m)}
		}
		seen := 0
		err = path.PairCounter(y, nil).CountSome(t.Context(), lambdas, pairs, func(l int, of []rls.PairSums) {
			seen++
			want := sumsOfPairs(t, path, lambdas[l], y, pairs, v)
			for c, got := range of {
				tied += got.Ties
				if got != want[c] {
					t.Fatalf("trial %d (m=%d, n=%d), λ=%g, output %d: %+v, want %+v", trial, m, n, lambdas[l], c+1, got, want[c])
				}
			}
		})
		if err != nil || seen != len(lambdas) {
			t.Fatalf("trial %d: %d λ, %v", trial, seen, err)
		}
	}
	if tied == 0 {
		t.Error("no pair was tied")
	}
}

// sumsOfPairs are the sums of some pairs by LeavePairOut.
func sumsOfPairs(t *testing.T, path *rls.Path, lambda float64, y []float64, pairs [][2]int32, v int) []rls.PairSums {
	t.Helper()
	m := len(y) / v
	order := make([][]int, v*m) // of row i in output c, with all later rows
	err := path.LeavePairOut(t.Context(), lambda, func(_, i, c int, fi, fj []float64) {
		order[c*m+i] = make([]int, m)
		for b := range fi {
			order[c*m+i][i+1+b] = cmp.Compare(fi[b], fj[b])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	sums := make([]rls.PairSums, v)
	for _, p := range pairs {
		i, j := int(min(p[0], p[1])), int(max(p[0], p[1]))
		for c := range sums {
			label := cmp.Compare(y[i*v+c], y[j*v+c])
			if label == 0 {
				continue
			}
			got := order[c*m+i][j]
			sums[c].Pairs++
			sums[c].Wrong += int64(1 - label*got)
			if got == 0 {
				sums[c].Ties++
			}
		}
	}
	return sums
}

// TestSomePairsEnd: a cancelled count is an error. Labels whose predictions overflow do not come so far.
func TestSomePairsEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	const m = 50
	x, y := longList(r, m, 3, 0)
	path, err := rls.Factor(t.Context(), rls.Primal(x), scored(t, y, data.OneList(m)))
	if err != nil {
		t.Fatal(err)
	}
	none := func(int, []rls.PairSums) {}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := path.PairCounter(y, nil).CountSome(ended, []float64{1}, [][2]int32{{0, 1}}, none); err != context.Canceled {
		t.Errorf("a cancelled count returns %v", err)
	}
	for i := range y {
		y[i] *= math.MaxFloat64 / 1e3
	}
	if _, err = rls.Factor(t.Context(), rls.Primal(x), scored(t, y, data.OneList(m))); err == nil {
		t.Error("labels whose predictions overflow are not refused")
	}
}
