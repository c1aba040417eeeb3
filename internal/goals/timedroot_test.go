package goals_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// TestTimedRoot holds the root of censored times, its inverses and its congruence against products of dense matrices:
// F Fᵀ = L, F x = L y and Fᵀ x = Fᵀ y have solutions, and Fᵀ K F is the product of three.
func TestTimedRoot(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	wide := 0
	for trial := range 500 {
		times, censored, strata := study(r)
		m := len(times)
		var weights []float64
		for range m * (trial % 2) {
			weights = append(weights, math.Exp(3*r.NormFloat64()))
		}
		for _, o := range timedOptions() {
			goal, err := goals.WeightedTimes(times, censored, strata, weights, o)
			if err != nil {
				continue
			}
			root := goal.L.(*goals.Timed).Root()
			f := linalg.NewMat(m, m)
			for i := range m {
				f.Row(i)[i] = 1
			}
			ft := f.Clone()
			root.MulTo(f.Data, f.Data, m)
			root.MulTransTo(ft.Data, ft.Data, m)
			l, made := linalg.NewMat(m, m), linalg.NewMat(m, m)
			for i := range m {
				l.Row(i)[i] = 1
			}
			goal.L.MulTo(l.Data, l.Data, m)
			linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, f, ft, 0, made)
			near(t, "F Fᵀ", made.Data, l.Data, 1e-13)
			transposed := linalg.NewMat(m, m)
			linalg.TransposeTo(transposed, f)
			near(t, "Fᵀ", ft.Data, transposed.Data, 1e-14)

			solved := l.Clone()
			root.SolveTo(solved.Data, solved.Data, m)
			root.MulTo(solved.Data, solved.Data, m)
			near(t, "F F⁻ L", solved.Data, l.Data, 1e-9)
			solved = ft.Clone()
			root.SolveTransTo(solved.Data, solved.Data, m)
			root.MulTransTo(solved.Data, solved.Data, m)
			near(t, "Fᵀ F⁻ᵀ Fᵀ", solved.Data, ft.Data, 1e-9)

			k := linalg.NewMat(m, m)
			for i := range m {
				for j := range i + 1 {
					k.Row(i)[j] = r.NormFloat64()
					k.Row(j)[i] = k.Row(i)[j]
				}
			}
			half, want, got := linalg.NewMat(m, m), linalg.NewMat(m, m), k.Clone()
			linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, ft, k, 0, half)
			linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, half, f, 0, want)
			root.UpperCongruence(got.Data, got.Stride)
			for i := range m {
				if !slices.Equal(got.Row(i)[:i], k.Row(i)[:i]) {
					t.Fatal("a congruence writes below the diagonal")
				}
				copy(got.Row(i)[:i], want.Row(i))
			}
			near(t, "FᵀKF", got.Data, want.Data, 1e-12)
			if bound := root.NormBound(); bound*bound < linalg.Nrm2(l.Data)/float64(m) {
				t.Errorf("the norm is bounded by %v", bound)
			}
			if m > 5 {
				wide++
			}
		}
	}
	if wide < 1000 {
		t.Errorf("only %d problems of more than five rows", wide)
	}
}

// near compares numbers, relative to the largest one that is wanted.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	largest := 0.0
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	for i, v := range want {
		if math.Abs(got[i]-v) > tolerance*largest {
			t.Fatalf("%s: entry %d is %v, want %v", what, i, got[i], v)
		}
	}
}
