package rls_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
)

// longList is m rows of n features with outliers, duplicates and ties, and labels that
// depend on them.
func longList(r *rand.Rand, m, n, trial int) (x *data.Dense, y []float64) {
	x, y = data.NewDense(m, n, nil), make([]float64, m)
	for i := range m {
		row := x.Row(i)
		for j := range row {
			row[j] = r.NormFloat64()
			if trial%4 == 1 {
				row[j] = float64(r.IntN(3))
			}
		}
		if trial%5 == 2 && i%17 == 0 {
			row[r.IntN(n)] *= 30
		}
		if i > 0 && i%7 == 0 {
			copy(row, x.Row(r.IntN(i)))
		}
		y[i] = row[0] + float64(trial%3)*r.NormFloat64()
		switch trial % 4 {
		case 2:
			y[i] = math.Round(2 * y[i])
		case 3:
			y[i] = float64(cmp.Compare(y[i], float64(trial%6-2)/2))
		}
		if trial%11 == 5 && i%13 == 0 {
			y[i] *= 100
		}
	}
	return x, y
}

// TestPairCounterIsLeavePairOut: every row has as many pairs in order as LeavePairOut predicts, for
// ranking and regression, primal and dual, over λ from nearly no to overwhelming regularisation,
// and few pairs are examined.
func TestPairCounterIsLeavePairOut(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	few := 0
	for trial := range 60 {
		m, n := 20+r.IntN(300), 1+r.IntN(5)
		x, y := longList(r, m, n, trial)
		if trial%9 == 7 { // one or two rows that differ
			clear(y)
			y[r.IntN(m)] = 1
			if trial%2 == 0 {
				y[r.IntN(m)] = 2
			}
		}
		goal := scored(t, y, data.OneList(m))
		if trial%3 == 1 {
			goal = goals.Regression(y, 1)
		}
		basis := rls.Primal(x)
		if trial%6 == 4 {
			basis = rls.Dual(gram(x))
		}
		path, err := rls.Factor(t.Context(), basis, goal)
		if err != nil {
			t.Fatal(err)
		}
		counter := path.PairCounter(y, nil)
		if counter == nil {
			t.Fatalf("trial %d: no counter", trial)
		}
		for _, lambda := range []float64{1e-6, 0.1, 3, 1e3, 1e8} {
			if trial%6 == 4 && lambda < 0.1 {
				continue // the smallest eigenvalue is 0.1: rounding in Q decides some pairs
			}
			near, err := counter.At(lambda)
			if err != nil {
				t.Fatal(err)
			}
			got, err := near[0].Count(t.Context(), 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			want := signedPairs(t, path, lambda, y)
			for i, w := range want {
				if got.Signed[i] != w*rls.PairUnit {
					t.Fatalf("trial %d (m=%d, n=%d), λ=%g, row %d: %v, want %d",
						trial, m, n, lambda, i, float64(got.Signed[i])/rls.PairUnit, w)
				}
			}
			if near[0].Size() < int64(m*(m-1)/8) {
				few++
			}
		}
	}
	if few < 60 {
		t.Errorf("few pairs were looked at in %d cases only", few)
	}
}

// TestPairsOfEachLambda: λ after λ, in the same memory, the counts are those of each alone, and
// an error ends it.
func TestPairsOfEachLambda(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	lambdas := []float64{1e-3, 0.1, 1, 7, 50, 1e3, 1e7}
	for trial := range 8 {
		const m, n = 90, 3
		x, y := longList(r, m, n, trial)
		basis := rls.Primal(x)
		if trial%4 == 3 {
			basis = rls.Dual(gram(x))
		}
		path, err := rls.Factor(t.Context(), basis, scored(t, y, data.OneList(m)))
		if err != nil {
			t.Fatal(err)
		}
		counter := path.PairCounter(y, nil)
		seen := 0
		err = counter.Each(lambdas, func(l int, near []*rls.NearPairs) error {
			alone, err := counter.At(lambdas[l])
			if err != nil {
				return err
			}
			for _, draw := range []int64{0, 400} {
				got, err := near[0].Count(t.Context(), draw, 3)
				if err != nil {
					return err
				}
				want, err := alone[0].Count(t.Context(), draw, 3)
				if err != nil {
					return err
				}
				if !slices.Equal(got.Signed, want.Signed) || got.Near != want.Near || got.Drawn != want.Drawn {
					t.Errorf("trial %d, λ=%g, %d drawn: %d of %d near, alone %d of %d",
						trial, lambdas[l], draw, got.Drawn, got.Near, want.Drawn, want.Near)
				}
			}
			if share := near[0].Share(); share < 0 || share > 1 {
				t.Errorf("trial %d, λ=%g: a share of %g", trial, lambdas[l], share)
			}
			seen++
			return nil
		})
		if err != nil || seen != len(lambdas) {
			t.Fatalf("trial %d: %d λ, %v", trial, seen, err)
		}
		if err := counter.Each(lambdas,
			func(l int, _ []*rls.NearPairs) error { return context.Canceled }); err != context.Canceled {
			t.Fatalf("trial %d: %v after an error", trial, err)
		}
	}
}

// signedPairs counts by LeavePairOut.
func signedPairs(t *testing.T, path *rls.Path, lambda float64, y []float64) []int64 {
	t.Helper()
	m := len(y)
	all := make([][]int64, m)
	err := path.LeavePairOut(t.Context(), lambda, func(_, i, _ int, fi, fj []float64) {
		all[i] = make([]int64, m)
		for b := range fi {
			all[i][i+1+b] = int64(cmp.Compare(y[i], y[i+1+b]) * cmp.Compare(fi[b], fj[b]))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int64, m)
	for i, row := range all {
		for j, v := range row {
			out[i] += v
			out[j] += v
		}
	}
	return out
}

// TestDrawnPairs: the counts of drawn pairs are unbiased, with the stated variance, and the same
// for a seed: with several pairs of each row, and with two of several rows.
func TestDrawnPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for _, kind := range []struct {
		dual bool
		part int64 // of the near pairs
	}{{false, 5}, {true, 5}, {false, 150}, {true, 150}} {
		const m, n, draws = 150, 6, 2000
		dual := kind.dual
		x, y := longList(r, m, n, 1)
		basis := rls.Primal(x)
		if dual {
			basis = rls.Dual(gram(x))
		}
		path, err := rls.Factor(t.Context(), basis, scored(t, y, data.OneList(m)))
		if err != nil {
			t.Fatal(err)
		}
		near, err := path.PairCounter(y, nil).At(0.5)
		if err != nil {
			t.Fatal(err)
		}
		total := func(c *rls.PairCounts) (sum float64) {
			for _, v := range c.Signed {
				sum += float64(v) / rls.PairUnit / 2
			}
			return sum
		}
		exact, err := near[0].Count(t.Context(), 0, 0)
		if err != nil || exact.Variance != 0 || exact.Drawn != near[0].Size() {
			t.Fatalf("%+v, %v", exact, err)
		}
		want := total(exact)
		var sum, squares, stated, rowError, rowStated float64
		for seed := range uint64(draws) {
			c, err := near[0].Count(t.Context(), near[0].Size()/kind.part, seed)
			if err != nil {
				t.Fatal(err)
			}
			d := total(c) - want
			sum, squares, stated = sum+d, squares+d*d, stated+c.Variance
			for i, v := range c.Signed {
				e := float64(v-exact.Signed[i]) / rls.PairUnit
				rowError += e * e
			}
			rowStated += c.Noise
			if size := near[0].Size(); c.Drawn >= size/2+2 || kind.part > 5 && c.Drawn > 3*size/kind.part {
				t.Fatalf("seed %d: %d of %d drawn", seed, c.Drawn, size)
			}
			if seed%20 > 0 {
				continue
			}
			again, _ := near[0].Count(t.Context(), near[0].Size()/kind.part, seed)
			if !slices.Equal(again.Signed, c.Signed) {
				t.Fatalf("seed %d: other counts", seed)
			}
		}
		if mean := sum / draws; math.Abs(mean) > 4*math.Sqrt(squares/draws/draws) {
			t.Errorf("%+v: the mean is off by %g", kind, mean)
		}
		if ratio := stated / squares; ratio < 0.88 || ratio > 1.12 { // √(2/2000) is 0.03
			t.Errorf("%+v: the variance stated is %.3f of that of the draws", kind, ratio)
		}
		if ratio := rowStated / rowError; ratio < 0.93 || ratio > 1.07 {
			t.Errorf("%+v: the noise stated of the rows is %.3f of it", kind, ratio)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	x, y := longList(r, 50, 3, 0)
	path, err := rls.Factor(t.Context(), rls.Primal(x), scored(t, y, data.OneList(50)))
	if err != nil {
		t.Fatal(err)
	}
	near, err := path.PairCounter(y, nil).At(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := near[0].Count(ended, 0, 0); err == nil {
		t.Error("counted after the end")
	}
}

// gram is the linear kernel of all rows.
func gram(x *data.Dense) *data.Dense {
	k := data.NewDense(x.Rows, x.Rows, nil)
	for i := range x.Rows {
		for j := range x.Rows {
			k.Row(i)[j] = x.DotRow(i, x.Row(j)) + 0.1*float64(max(0, 1-max(i-j, j-i)))
		}
	}
	return k
}

// BenchmarkPairCounter is one λ of a single list: the near pairs found and counted.
func BenchmarkPairCounter(b *testing.B) {
	for _, size := range []struct{ m, n int }{{5000, 8}, {20_000, 8}, {100_000, 8}, {20_000, 100}} {
		x, y := longList(rand.New(rand.NewPCG(1, 1)), size.m, size.n, 0)
		path, err := rls.Factor(b.Context(), rls.Primal(x), scored(b, y, data.OneList(size.m)))
		if err != nil {
			b.Fatal(err)
		}
		counter := path.PairCounter(y, nil)
		b.Run(fmt.Sprintf("m=%d/n=%d", size.m, size.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				near, err := counter.At(1)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := near[0].Count(b.Context(), 0, 1); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(near[0].Size()), "near/op")
			}
		})
	}
}

// TestFewDrawnPairs: a few drawn pairs, whose bounds are computed when they are needed, have the
// counts that they have once the bounds of all rows are there.
func TestFewDrawnPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	const m, draw = 400, 20 // below a sixteenth of the rows
	for trial := range 6 {
		x, y := longList(r, m, 3, trial)
		path, err := rls.Factor(t.Context(), rls.Primal(x), scored(t, y, data.OneList(m)))
		if err != nil {
			t.Fatal(err)
		}
		near, err := path.PairCounter(y, nil).At(0.5)
		if err != nil {
			t.Fatal(err)
		}
		count := func(draw int64) *rls.PairCounts {
			counts, err := near[0].Count(t.Context(), draw, 5)
			if err != nil {
				t.Fatal(err)
			}
			return counts
		}
		few := count(draw)
		share := near[0].Share()
		count(0)
		if again := count(draw); !reflect.DeepEqual(few, again) || few.Drawn == 0 || near[0].Share() != share {
			t.Errorf("trial %d: %d of %d drawn, share %g; with all bounds %d, share %g",
				trial, few.Drawn, few.Near, share, again.Drawn, near[0].Share())
		}
	}
}
