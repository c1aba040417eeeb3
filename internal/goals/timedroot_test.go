package goals_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/internal/goals"
	"pairrank/internal/naive"
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
			f, ft, l := identity(m), identity(m), identity(m)
			root.MulTo(f, f, m)
			root.MulTransTo(ft, ft, m)
			goal.L.MulTo(l, l, m)
			near(t, "F Fᵀ", product(f, ft, m), l, 1e-13)
			near(t, "Fᵀ", ft, transposed(f, m), 1e-14)

			solved := slices.Clone(l)
			root.SolveTo(solved, solved, m)
			root.MulTo(solved, solved, m)
			near(t, "F F⁻ L", solved, l, 1e-9)
			solved = slices.Clone(ft)
			root.SolveTransTo(solved, solved, m)
			root.MulTransTo(solved, solved, m)
			near(t, "Fᵀ F⁻ᵀ Fᵀ", solved, ft, 1e-9)

			k := make([]float64, m*m)
			for i := range m {
				for j := range i + 1 {
					k[i*m+j] = r.NormFloat64()
					k[j*m+i] = k[i*m+j]
				}
			}
			sorted := goal.L.(*goals.Timed).Sorted()
			order, sl := goal.L.(*goals.Timed).Order(), identity(m)
			sorted.MulTo(sl, sl, m)
			for a, i := range order {
				for b, j := range order {
					sl[a*m+b] -= l[int(i)*m+int(j)]
				}
			}
			if d := slices.Max(append(sl, 0)) - min(0, slices.Min(append(sl, 0))); d > 1e-13*slices.Max(append(l, 1)) {
				t.Fatalf("L of the sorted rows is off by %v", d)
			}
			f, ft = identity(m), identity(m)
			sorted.Root().MulTo(f, f, m)
			sorted.Root().MulTransTo(ft, ft, m)
			got, want := slices.Clone(k), product(product(ft, k, m), f, m)
			for i := range m { // what is below the diagonal is not read
				for j := range i {
					got[i*m+j] = math.NaN()
				}
			}
			sorted.Root().UpperCongruence(got, m)
			for i := range m {
				if slices.ContainsFunc(got[i*m:i*m+i], func(v float64) bool { return !math.IsNaN(v) }) {
					t.Fatal("a congruence writes below the diagonal")
				}
				copy(got[i*m:i*m+i], want[i*m:])
			}
			near(t, "FᵀKF", got, want, 1e-12)
			square := 0.0
			for _, v := range l {
				square += v * v
			}
			if bound := root.NormBound(); bound*bound < math.Sqrt(square)/float64(m) {
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

func identity(m int) []float64 {
	a := make([]float64, m*m)
	for i := range m {
		a[i*m+i] = 1
	}
	return a
}

func transposed(a []float64, m int) []float64 {
	b := make([]float64, m*m)
	for i := range m {
		for j := range m {
			b[j*m+i] = a[i*m+j]
		}
	}
	return b
}

// product is A B of m×m matrices.
func product(a, b []float64, m int) (all []float64) {
	columns := transposed(b, m)
	for j := range m {
		all = append(all, naive.Product(a, columns[j*m:j*m+m])...)
	}
	return transposed(all, m)
}
