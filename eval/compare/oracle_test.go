package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// rankOf is the mid-rank of |d[i]| among the differences, by counting.
func rankOf(d []float64, i int) float64 {
	less, same := 0, 0
	for _, x := range d {
		switch {
		case math.Abs(x) < math.Abs(d[i]):
			less++
		case math.Abs(x) == math.Abs(d[i]):
			same++
		}
	}
	return float64(less) + float64(same+1)/2
}

// naiveSignedRanks goes over all patterns of signs.
func naiveSignedRanks(d []float64, zeros Zeros) SignedRanks {
	var ranked []float64
	for _, x := range d {
		if x != 0 || zeros == RankZeros {
			ranked = append(ranked, x)
		}
	}
	t := SignedRanks{Exact: true}
	var ranks []float64
	for i, x := range ranked {
		switch r := rankOf(ranked, i); {
		case x > 0:
			t.Plus += r
			ranks = append(ranks, r)
		case x < 0:
			t.Minus += r
			ranks = append(ranks, r)
		}
	}
	t.NonZero = len(ranks)
	t.P = shareOfPatterns(ranks, math.Abs(t.Plus-t.Minus))
	return t
}

// shareOfPatterns is the share of patterns with |Σ±x| ≥ least. The tests use
// numbers whose sums are exact.
func shareOfPatterns(x []float64, least float64) float64 {
	count := 0
	for pattern := range 1 << len(x) {
		sum := 0.0
		for i, v := range x {
			if pattern>>i&1 == 1 {
				v = -v
			}
			sum += v
		}
		if math.Abs(sum) >= least {
			count++
		}
	}
	return math.Ldexp(float64(count), -len(x))
}

// problem is n whole differences between −levels and levels, so that there are
// ties, and zeros, and sums are exact.
func problem(rng *rand.Rand, n, levels int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = float64(rng.IntN(2*levels+1) - levels)
	}
	return d
}

// With up to 12 differences the exact tests agree with all patterns of signs.
func TestExactTestsAgreeWithAllPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for n := range 13 {
		for range 60 {
			d := problem(rng, n, 1+rng.IntN(12))
			for _, zeros := range []Zeros{DropZeros, RankZeros} {
				if got, want := Wilcoxon(d, zeros), naiveSignedRanks(d, zeros); got != want {
					t.Fatalf("%v, zeros %s: %+v, want %+v", d, zeros, got, want)
				}
			}
			sum := 0.0
			for _, x := range d {
				sum += x
			}
			got := SignFlip(d, 0, 1)
			if want := shareOfPatterns(d, math.Abs(sum)); got.P != want || !got.Exact {
				t.Fatalf("%v: %+v, want %v", d, got, want)
			}
		}
	}
}

// The test by normal approximation and the exact one meet where one takes over
// from the other.
func TestNormalApproximationMeetsExact(t *testing.T) {
	// of 51 ranks the approximation is off by 0.003 at most, near P = ½
	const tolerance = 0.004
	rng := rand.New(rand.NewPCG(2, 0))
	for range 200 {
		d := problem(rng, exactRanks+40, 30)
		for i := range d {
			if rng.IntN(4) == 0 {
				d[i] = math.Abs(d[i])
			}
		}
		normal := Wilcoxon(d, DropZeros)
		if normal.Exact || normal.NonZero <= exactRanks {
			continue
		}
		doubled, _ := signedRanks(d, DropZeros)
		exact := exactSignedRanks(doubled, int(2*min(normal.Plus, normal.Minus)))
		if math.Abs(normal.P-exact) > tolerance {
			t.Errorf("normal %v, exact %v", normal.P, exact)
		}
	}
}

// Drawn patterns of signs come near to counted ones.
func TestDrawnFlipsMeetCounted(t *testing.T) {
	const resamples = 40_000
	rng := rand.New(rand.NewPCG(3, 0))
	for range 10 {
		d := make([]float64, 30)
		for i := range d {
			d[i] = rng.NormFloat64() + 0.2
		}
		counted := SignFlip(d, 0, 1)
		sum, signed := 0.0, make([]float64, len(d))
		for i, x := range d {
			sum += x
			signed[i] = math.Abs(x)
		}
		p := float64(1+drawnFrom(signed, math.Abs(sum), resamples, 7)) / (1 + resamples)
		// five standard errors of a share of N draws, and the draw that is added
		tolerance := 5*math.Sqrt(counted.P*(1-counted.P)/resamples) + 1.0/resamples
		if math.Abs(p-counted.P) > tolerance {
			t.Errorf("drawn %v, counted %v", p, counted.P)
		}
	}
}
