package rls_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
)

// TestFactorOnceIsFactor: at the λ of FactorOnce the pairs have the predictions and counts of Factor, and all else,
// other λ and other labels are those of Factor.
func TestFactorOnceIsFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for trial := range 24 {
		m := 20 + r.IntN(200)
		x, y := longList(r, m, 1+r.IntN(5), trial)
		goal := scored(t, y, data.OneList(m))
		if trial%3 == 1 {
			goal = goals.Regression(y, 1)
		}
		basis := rls.Dual(kernel.Matrix(kernel.Gaussian{Gamma: 0.3}, x, x))
		whole, err := rls.Factor(ctx, basis, goal)
		if err != nil {
			t.Fatal(err)
		}
		lambda := whole.Eigenvalues()[m-1] * math.Exp2(float64(r.IntN(24)-22))
		path, err := rls.FactorOnce(ctx, basis, goal, lambda, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		if path.Columns() != 0 {
			t.Fatalf("trial %d: no inverse at λ = %g", trial, lambda)
		}
		shuffled := append([]float64(nil), y...)
		r.Shuffle(m, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		other := scored(t, shuffled, data.OneList(m))
		if trial%3 == 1 {
			other = goals.Regression(shuffled, 1)
		}
		samePairs(t, path.Retarget(other), whole.Retarget(other), shuffled, lambda)
		samePairs(t, path, whole, y, lambda)
		if got, want := path.At(lambda).Coef.Data, whole.At(lambda).Coef.Data; apartBy(got, want) > 0 {
			t.Errorf("trial %d: At is off by %g", trial, apartBy(got, want))
		}
	}
}

// TestFactorOnceHoldsOut: at its λ queries, rows, and folds of one size or of many, have the predictions of Factor,
// also of other labels; other λ have its bits.
func TestFactorOnceHoldsOut(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	for trial := range 30 {
		m := 20 + r.IntN(60)
		x, y := longList(r, m, 1+r.IntN(5), trial)
		of, folds, sizes := make([]int32, m), make([]int32, m), make([]int32, m)
		for i := range m {
			of[i], folds[i], sizes[i] = int32(r.IntN(6)), int32(i%5), int32(min(i/3, r.IntN(6)))
		}
		list, queries := data.OneList(m), data.NewPartition(of, 6)
		for name, c := range map[string]struct {
			goal   *goals.Goal
			groups *data.Partition
		}{
			"queries":       {scored(t, y, queries), queries},
			"folds":         {scored(t, y, list), data.NewPartition(folds, 5)},
			"folds by size": {scored(t, y, list), data.NewPartition(sizes, 6)},
			"rows":          {goals.Regression(y, 1), data.Singletons(m)},
		} {
			basis := rls.Dual(kernel.Matrix(kernel.Gaussian{Gamma: 0.3}, x, x))
			whole, err := rls.Factor(ctx, basis, c.goal)
			if err != nil {
				t.Fatal(err)
			}
			lambda := whole.Eigenvalues()[m-1] * math.Exp2(float64(r.IntN(24)-22))
			path, err := rls.FactorOnce(ctx, basis, c.goal, lambda, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []float64{lambda, 2 * lambda} {
				for _, two := range [][2]*rls.Path{{path, whole}, {path.Retarget(c.goal), whole.Retarget(c.goal)}} {
					got, err := two[0].PredictHeldOut(ctx, c.groups, at)
					if err != nil {
						t.Fatal(err)
					}
					want, err := two[1].PredictHeldOut(ctx, c.groups, at)
					if err != nil {
						t.Fatal(err)
					}
					if d := apartBy(got.Data, want.Data); d > 1e-8 || at != lambda && d > 0 {
						t.Errorf("%s, trial %d, λ = %g: the predictions are off by %.2g", name, trial, at, d)
					}
				}
			}
		}
	}
}

// apartBy is the largest difference, relative to the largest number of want.
func apartBy(got, want []float64) float64 {
	most, size := 0.0, 0.0
	for i, v := range want {
		most, size = max(most, math.Abs(got[i]-v)), max(size, math.Abs(v))
	}
	return most / max(size, math.SmallestNonzeroFloat64)
}

// samePairs compares the predictions of all pairs at λ, and the counts of their orders.
func samePairs(t *testing.T, path, whole *rls.Path, y []float64, lambda float64) {
	t.Helper()
	m := len(y)
	predictions := func(p *rls.Path, lambda float64) []float64 {
		var mu sync.Mutex
		all := make([]float64, 2*m*m)
		if err := p.LeavePairOut(ctx, lambda, func(_, i, _ int, fi, fj []float64) {
			mu.Lock()
			defer mu.Unlock()
			copy(all[i*m+i+1:], fi)
			copy(all[m*m+i*m+i+1:], fj)
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	if d := apartBy(predictions(path, lambda), predictions(whole, lambda)); d > 1e-8 {
		t.Errorf("%d rows, λ = %g: predictions are off by %.2g", m, lambda, d)
	}
	if d := apartBy(predictions(path, 2*lambda), predictions(whole, 2*lambda)); d > 0 {
		t.Errorf("%d rows: predictions at another λ are off by %.2g", m, d)
	}
	signed := func(p *rls.Path) []int64 {
		near, err := p.PairCounter(y, nil).At(lambda)
		if err != nil {
			t.Fatal(err)
		}
		counts, err := near[0].Count(ctx, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		return counts.Signed
	}
	if got, want := fmt.Sprint(signed(path)), fmt.Sprint(signed(whole)); got != want {
		t.Errorf("%d rows, λ = %g: the counts are %s, want %s", m, lambda, got, want)
	}
}

func BenchmarkFactorOnceHoldsOut(b *testing.B) {
	for _, m := range []int{1000, 2000} {
		x, y, queries := rows(m, 50, m/20)
		goal, basis := scored(b, y, queries), rls.Dual(kernel.Matrix(kernel.Gaussian{Gamma: 0.02}, x, x))
		b.Run(fmt.Sprintf("m=%d/queries", m), func(b *testing.B) {
			for b.Loop() {
				path, err := rls.FactorOnce(ctx, basis, goal, 20, false, nil)
				if err == nil {
					_, err = path.PredictHeldOut(ctx, queries, 20)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFactorOnce(b *testing.B) {
	for _, m := range []int{1000, 2000} {
		x, y, _ := rows(m, 50, 1)
		goal, basis := scored(b, y, data.OneList(m)), rls.Dual(kernel.Matrix(kernel.Gaussian{Gamma: 0.02}, x, x))
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			for b.Loop() {
				path, err := rls.FactorOnce(ctx, basis, goal, float64(m), true, nil)
				if err == nil {
					err = path.LeavePairOut(ctx, float64(m), func(int, int, int, []float64, []float64) {})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
