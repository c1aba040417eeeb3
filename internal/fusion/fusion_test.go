package fusion_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/fusion"
)

// naiveHalves is the mean of two by its definition, query by query.
func naiveHalves(a, b []float64, queries *data.Partition) []float64 {
	out := make([]float64, len(a))
	for g := range queries.Len() {
		for _, scores := range [][]float64{a, b} {
			n, mean, square, alike := 0.0, 0.0, 0.0, true
			for _, i := range queries.Part(g) {
				n, mean, alike = n+1, mean+scores[i], alike && scores[i] == scores[queries.Part(g)[0]]
			}
			mean /= n
			for _, i := range queries.Part(g) {
				square += (scores[i] - mean) * (scores[i] - mean) / n
			}
			for _, i := range queries.Part(g) {
				if !alike {
					out[i] += (scores[i] - mean) / math.Sqrt(square) / 2
				}
			}
		}
	}
	return out
}

// scoredQueries are random queries, some of one row, with scores of two tools that are full of ties.
func scoredQueries(rng *rand.Rand) (a, b []float64, queries *data.Partition) {
	var of []int32
	q := 1 + rng.IntN(5)
	for g := range q {
		for range 1 + rng.IntN(7) {
			of = append(of, int32(g))
			a, b = append(a, float64(rng.IntN(4))), append(b, float64(rng.IntN(3))-1)
		}
	}
	rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return a, b, data.NewPartition(of, q)
}

// sameOrder reports whether two lists of scores order the rows of each query alike, with the same ties.
func sameOrder(a, b []float64, queries *data.Partition) bool {
	for g := range queries.Len() {
		for _, i := range queries.Part(g) {
			for _, j := range queries.Part(g) {
				if a[i] < a[j] != (b[i] < b[j]) {
					return false
				}
			}
		}
	}
	return true
}

// The mean of two is what its definition says. It does not depend on the unit and the zero of either tool within a
// query, nor on the order of the rows, and with oneself it is one's own ranking. What ties by the definition ties.
func TestMean(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 46))
		a, b, queries := scoredQueries(rng)
		got, _ := fusion.Mean(queries, a, b)
		want := naiveHalves(a, b, queries)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-8*max(1, math.Abs(want[i])) {
				t.Fatalf("seed %d, row %d: %v, want %v", seed, i, got[i], want[i])
			}
			for j := range want {
				if apart := math.Abs(want[i]-want[j]) > 1e-9; apart != (got[i] != got[j]) {
					t.Fatalf("seed %d: rows %d and %d have %v and %v", seed, i, j, got[i], got[j])
				}
			}
		}
		other, scale := make([]float64, len(a)), math.Exp(4*rng.NormFloat64())
		for i, x := range a {
			g := float64(queries.Of()[i])
			other[i] = (scale+g)*x + 100*g
		}
		if scaled, _ := fusion.Mean(queries, other, b); !sameOrder(got, scaled, queries) {
			t.Fatalf("seed %d: in another unit %v, not %v", seed, scaled, got)
		}
		if swapped, _ := fusion.Mean(queries, b, a); !slices.Equal(got, swapped) {
			t.Fatalf("seed %d: the other way round %v, not %v", seed, swapped, got)
		}
		if own, _ := fusion.Mean(queries, a, a); !sameOrder(a, own, queries) {
			t.Fatalf("seed %d: beside itself %v has the order of %v", seed, a, own)
		}
		order := rng.Perm(len(a))
		p, r, of := make([]float64, len(a)), make([]float64, len(a)), make([]int32, len(a))
		for to, from := range order {
			p[to], r[to], of[to] = a[from], b[from], queries.Of()[from]
		}
		moved, _ := fusion.Mean(data.NewPartition(of, queries.Len()), p, r)
		for to, from := range order {
			if moved[to] != got[from] {
				t.Fatalf("seed %d: in another order row %d has %v, not %v", seed, from, moved[to], got[from])
			}
		}
	}
}

// Scores near the ends of double precision are standardised, too.
func TestMeanAtTheEnds(t *testing.T) {
	const huge, least = math.MaxFloat64, math.SmallestNonzeroFloat64
	for _, scores := range [][]float64{{huge, 0, -huge}, {2 * least, least, 0}, {1 + 2e-16, 1 + 2e-16, 1}, {0, -huge}} {
		got, tied := fusion.Mean(data.OneList(len(scores)), scores, scores)
		if !sameOrder(scores, got, data.OneList(len(scores))) || !slices.Equal(tied, []int{0, 0}) || math.IsNaN(got[0]) {
			t.Errorf("%v become %v", scores, got)
		}
	}
	if got, tied := fusion.Mean(data.OneList(2), []float64{3, 3}, []float64{1, 2}); !slices.Equal(tied, []int{1, 0}) ||
		!slices.Equal(got, []float64{-0.5, 0.5}) {
		t.Errorf("beside ties %v, %v", got, tied)
	}
}
