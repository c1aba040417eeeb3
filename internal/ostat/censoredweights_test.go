package ostat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// weighedTimed is the definition with weights: all pairs, and G by all rows.
func weighedTimed(times []float64, censored []bool, f, w []float64, by Timing) []TimedPairs {
	each := make([]TimedPairs, len(times))
	for i, t := range times {
		if censored[i] || t > by.Until {
			continue
		}
		g, done := 1.0, map[float64]bool{}
		for k, u := range times {
			if u >= t || !censored[k] || done[u] {
				continue
			}
			done[u] = true
			risk, left := 0.0, 0.0
			for l, v := range times {
				if v > u || v == u && censored[l] {
					risk += w[l]
				}
				if v == u && censored[l] {
					left += w[l]
				}
			}
			g *= 1 - left/risk
		}
		for j, v := range times {
			weight, counts := w[i]*w[j], t < v || t == v && censored[j]
			switch by.Weighing {
			case Squared:
				weight /= g * g
			case Dynamic:
				weight, counts = weight/g, v > by.Until
			}
			if !counts {
				continue
			}
			right := 0.0
			if f[i] == f[j] {
				right = 0.5
			} else if f[i] < f[j] {
				right = 1
			}
			for _, r := range []int{i, j} {
				each[r].Pairs, each[r].Right = each[r].Pairs+weight, each[r].Right+weight*right
			}
		}
	}
	return each
}

// TestWeightedTimes compares weights with the definition, whole ones with copies, and ones with none.
func TestWeightedTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var c, other Censored
	for trial := range 1500 {
		m := r.IntN(25)
		times, censored, f := make([]float64, m), make([]bool, m), make([]float64, m)
		for i := range m {
			times[i], censored[i], f[i] = float64(r.IntN(12)), r.IntN(2) == 0, float64(r.IntN(8))
		}
		w := drawWeights(r, m, trial%3)
		for i := range w {
			w[i] = max(w[i], 1e-3) // above 0
		}
		c.SetTimes(times, censored)
		c.SetWeights(w)
		if !c.Place(f) {
			t.Fatal("not ok")
		}
		each := make([]TimedPairs, m)
		for _, by := range timings(4, math.Inf(1)) {
			var all TimedPairs
			want := weighedTimed(times, censored, f, w, by)
			c.EachTo(each, by)
			for i := range want {
				if !nearTimed(each[i], want[i]) {
					t.Fatalf("row %d: %+v, want %+v", i, each[i], want[i])
				}
				all.Pairs, all.Right = all.Pairs+want[i].Pairs/2, all.Right+want[i].Right/2
			}
			if got := c.Sum(by); !nearTimed(got, all) || got.Right > got.Pairs {
				t.Fatalf("%+v, want %+v", got, all)
			}
		}
		if trial%3 == 0 {
			other.SetTimes(times, censored)
			other.Place(f)
			for _, by := range timings(4, math.Inf(1)) {
				if got, want := c.Sum(by), other.Sum(by); got != want {
					t.Fatalf("weights of 1: %+v, none %+v", got, want)
				}
			}
		}
		if trial%3 == 1 {
			copies(t, &other, &c, times, censored, f, w)
		}
	}
}

// copies compares whole weights with copies of rows.
func copies(t *testing.T, copied, weighed *Censored, times []float64, censored []bool, f, w []float64) {
	t.Helper()
	var ct, cf []float64
	var cc []bool
	for i, v := range w {
		if v < 1 {
			return
		}
		for range int(v) {
			ct, cf, cc = append(ct, times[i]), append(cf, f[i]), append(cc, censored[i])
		}
	}
	copied.SetTimes(ct, cc)
	copied.Place(cf)
	for _, by := range timings(4, math.Inf(1)) {
		if got, want := weighed.Sum(by), copied.Sum(by); !nearTimed(got, want) {
			t.Fatalf("%+v by weights, %+v by copies", got, want)
		}
	}
}
