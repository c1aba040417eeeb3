package rls_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// precise is a number of 300 bits.
func precise(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }

func times(a, b *big.Float) *big.Float { return precise(0).Mul(a, b) }
func minus(a, b *big.Float) *big.Float { return precise(0).Sub(a, b) }

// eliminatePrecisely solves a symmetric positive definite system.
func eliminatePrecisely(a [][]*big.Float, b []*big.Float) []*big.Float {
	for k := range b {
		for r := range b {
			if r == k {
				continue
			}
			by := precise(0).Quo(a[r][k], a[k][k])
			for c := k; c < len(b); c++ {
				a[r][c] = minus(a[r][c], times(by, a[k][c]))
			}
			b[r] = minus(b[r], times(by, b[k]))
		}
	}
	for k := range b {
		b[k].Quo(b[k], a[k][k])
	}
	return b
}

// trainedWithout is the prediction of row h by training without it: features are those of the rows, and penalty is the
// matrix of ‖f‖² in their weights.
func trainedWithout(h int, features, penalty func(i, j int) float64, dim int, y, w []float64, lambda float64) float64 {
	vectors, total, mean := make([][]*big.Float, len(y)), precise(0), make([]*big.Float, dim+1)
	for c := range mean {
		mean[c] = precise(0)
	}
	for i := range y {
		vectors[i] = make([]*big.Float, dim+1)
		for c := range dim {
			vectors[i][c] = precise(features(i, c))
		}
		if vectors[i][dim] = precise(y[i]); i != h {
			total.Add(total, precise(w[i]))
			for c, v := range vectors[i] {
				mean[c].Add(mean[c], times(precise(w[i]), v))
			}
		}
	}
	a, b := make([][]*big.Float, dim), make([]*big.Float, dim)
	for r := range a {
		a[r], b[r] = make([]*big.Float, dim), precise(0)
		for c := range a[r] {
			a[r][c] = times(precise(lambda), precise(penalty(r, c)))
		}
	}
	for i := range y {
		if i == h {
			continue
		}
		off := make([]*big.Float, dim+1)
		for c, v := range vectors[i] {
			off[c] = minus(v, precise(0).Quo(mean[c], total))
		}
		for r := range a {
			weighted := times(precise(w[i]), off[r])
			for c := range a[r] {
				a[r][c].Add(a[r][c], times(weighted, off[c]))
			}
			b[r].Add(b[r], times(weighted, off[dim]))
		}
	}
	f := precise(0)
	for c, weight := range eliminatePrecisely(a, b) {
		f.Add(f, times(weight, vectors[h][c]))
	}
	value, _ := f.Float64()
	return value
}

// TestLostWeightsIsABound compares predictions without each row with retraining in 300 bits: they differ by at most
// LostWeights of the largest one, for one and two heavy rows, weights of all sizes and one light row, of features, a
// kernel with a direction of its own for each row, and a smooth kernel.
func TestLostWeightsIsABound(t *testing.T) {
	const kept = 1e-7 // what a smooth kernel and λ lose without weights
	r := rand.New(rand.NewPCG(5, 6))
	told := 0
	for trial := range gen.Count(t, 120) {
		m, n, heavy := 6+r.IntN(8), 1+r.IntN(3), math.Pow(10, float64(4+2*r.IntN(5)))
		x, y, w := data.NewDense(m, n, nil), make([]float64, m), make([]float64, m)
		for i := range y {
			for j := range n {
				x.Row(i)[j] = r.NormFloat64()
			}
			if y[i], w[i] = float64(r.IntN(3)), 1; trial%4 == 2 {
				w[i] = math.Pow(heavy, r.Float64())
			}
		}
		switch y[0], y[1], y[2] = 0, 2, 1; trial % 4 {
		case 0:
			w[0] = heavy
		case 1:
			w[0], w[1] = heavy, heavy
		case 3:
			w[0] = 1 / heavy
		}
		goal, err := goals.WeightedScored(y, 1, data.OneList(m), w,
			pref.Options{Weight: pref.Size, Cost: pref.Magnitude, Ties: pref.IncludeTies})
		if err != nil {
			t.Fatal(err)
		}
		basis, dim, k := rls.Primal(x), n, gram(x)
		features := func(i, j int) float64 { return x.Row(i)[j] }
		penalty := func(i, j int) float64 { return float64(max(0, 1-max(i-j, j-i))) }
		if trial/4%3 > 0 {
			for i := range m * m * (trial / 4 % 3 / 2) {
				square := 0.0
				for j, v := range x.Row(i / m) {
					square += (v - x.Row(i % m)[j]) * (v - x.Row(i % m)[j])
				}
				k.Row(i / m)[i%m] = math.Exp(-0.3 * square)
			}
			basis, dim = rls.Dual(k), m
			features = func(i, j int) float64 { return k.Row(i)[j] }
			penalty = features
		}
		path, err := rls.Factor(ctx, basis, goal)
		if err != nil {
			t.Fatal(err)
		}
		lambda := []float64{1e-6, 1e-2, 1, 100}[r.IntN(4)]
		got, err := path.PredictHeldOut(ctx, data.Singletons(m), lambda)
		if err != nil {
			t.Fatal(err)
		}
		off, size := 0.0, 0.0
		for h := range m {
			want := trainedWithout(h, features, penalty, dim, y, w, lambda)
			off, size = max(off, math.Abs(got.Row(h)[0]-want)), max(size, math.Abs(want))
		}
		lost := path.LostWeights(lambda)
		if off > size*max(lost, kept) {
			t.Errorf("trial %d, %d rows, λ = %g, heavy rows %.0e: predictions are wrong by %.1e of %.1e, told %.1e", trial, m,
				lambda, heavy, off, size, lost)
		}
		if off > 1e-6*size {
			told++
		}
	}
	if told == 0 {
		t.Error("no prediction has lost much")
	}
}
