package compare

import (
	"math"
	"math/rand/v2"

	"pairrank/internal/parallel"
)

// exactFlips is the largest number of differences other than 0 for which the
// sign-flip test goes over all patterns of signs.
const exactFlips = 40

// defaultResamples is the default number of random draws.
const defaultResamples = 10_000

// Flips is the outcome of the sign-flip test.
type Flips struct {
	NonZero int     // n, differences that have a sign
	Exact   bool    // whether all patterns were looked at
	P       float64 // two-sided; 1 when n = 0
}

// SignFlip is Fisher's randomisation test of the hypothesis that A and B are exchangeable in every
// query. Then each of the 2ⁿ patterns of signs of the n differences in d that are not 0 is equally
// likely. P is the share of patterns with |Σ±d| ≥ |Σd|.
//
// For n ≤ exactFlips all patterns are counted, in O(2^(n/2)): the sums of each half of
// the differences are merged in order, and pairs of them counted. For more, N = resamples
// patterns are drawn, in O(N·n), and P = (1 + those that reach |Σd|) / (1 + N), which
// keeps the test valid (Phipson and Smyth, Permutation p-values should never be zero,
// SAGMB 9, 2010). resamples 0 means 10,000. It panics for a negative number, and for a
// NaN in d.
//
// Sums that differ by less than 10⁻¹² Σ|d|, the rounding errors of adding in another order, count
// as equal; apply [FlushRounding] first to differences that are 0 up to rounding. The result
// depends on seed alone, not on the number of threads. Sources: Fisher, The design of experiments,
// 1935, section 21; Smucker, Allan and Carterette 2007, section 3.
func SignFlip(d []float64, resamples int, seed uint64) Flips {
	resamples = draws(resamples)
	var signed []float64
	sum, size := 0.0, 0.0
	for _, x := range d {
		if math.IsNaN(x) {
			panic("compare: a difference is NaN")
		}
		if x != 0 {
			signed = append(signed, math.Abs(x))
			sum += x
			size += math.Abs(x)
		}
	}
	f := Flips{NonZero: len(signed), Exact: len(signed) <= exactFlips, P: 1}
	least := math.Abs(sum) - sameSum*size // sums from here on count
	switch {
	case least <= 0:
	case f.Exact:
		f.P = min(1, math.Ldexp(float64(patternsFrom(signed, least)), 1-len(signed)))
	default:
		f.P = float64(1+drawnFrom(signed, least, resamples, seed)) / float64(1+resamples)
	}
	return f
}

// draws is the number of random draws that resamples stands for.
func draws(resamples int) int {
	if resamples < 0 {
		panic("compare: a negative number of resamples")
	}
	if resamples == 0 {
		return defaultResamples
	}
	return resamples
}

// patternsFrom counts the patterns of signs of d whose sum is at least least.
func patternsFrom(d []float64, least float64) (count int64) {
	low, high := patternSums(d[:len(d)/2]), patternSums(d[len(d)/2:])
	j := len(high) // high[j:] reach least together with the sum at hand
	for _, s := range low {
		for j > 0 && s+high[j-1] >= least {
			j--
		}
		count += int64(len(high) - j)
	}
	return count
}

// patternSums are the sums of all patterns of signs of d, ascending.
func patternSums(d []float64) []float64 {
	sums := []float64{0}
	for _, x := range d {
		next := make([]float64, 0, 2*len(sums))
		i, j := 0, 0 // into the sums with −x and with +x
		for j < len(sums) {
			if i < len(sums) && sums[i]-x <= sums[j]+x {
				next = append(next, sums[i]-x)
				i++
			} else {
				next = append(next, sums[j]+x)
				j++
			}
		}
		sums = next
	}
	return sums
}

// perDraw is the number of draws that share a generator. It does not depend on the number of
// threads, so neither do the draws.
const perDraw = 256

// flipsAtOnce is the number of patterns that are summed in parallel in one loop, so that a sum does
// not wait for its last addition. Each is still summed in the order of the differences.
const flipsAtOnce = 4

// drawnFrom counts, of drawn patterns of signs, those whose sum is at least
// least in magnitude.
func drawnFrom(d []float64, least float64, resamples int, seed uint64) int {
	counts := make([]int, (resamples+perDraw-1)/perDraw)
	parallel.Chunks(resamples, perDraw, func(_, lo, hi int) {
		rng := generator(seed, flipSequence, lo)
		signs := make([][flipsAtOnce]uint64, (len(d)+63)/64)
		for k := lo; k < hi; k += flipsAtOnce {
			patterns := min(flipsAtOnce, hi-k)
			for a := range patterns {
				for at := range signs {
					signs[at][a] = rng.Uint64()
				}
			}
			sums := flippedSums(d, signs)
			for _, sum := range sums[:patterns] {
				if math.Abs(sum) >= least {
					counts[lo/perDraw]++
				}
			}
		}
	})
	total := 0
	for _, c := range counts {
		total += c
	}
	return total
}

// flippedSums adds up d, which is not negative, under patterns of signs, a bit for each
// difference from the highest of a word down; 1 is minus.
func flippedSums(d []float64, signs [][flipsAtOnce]uint64) (sums [flipsAtOnce]float64) {
	const minus = 1 << 63
	s0, s1, s2, s3 := 0.0, 0.0, 0.0, 0.0
	for at, words := range signs {
		w0, w1, w2, w3 := words[0], words[1], words[2], words[3]
		for _, x := range d[64*at : min(64*at+64, len(d))] {
			b := math.Float64bits(x)
			s0 += math.Float64frombits(b | w0&minus)
			s1 += math.Float64frombits(b | w1&minus)
			s2 += math.Float64frombits(b | w2&minus)
			s3 += math.Float64frombits(b | w3&minus)
			w0, w1, w2, w3 = w0<<1, w1<<1, w2<<1, w3<<1
		}
	}
	return [flipsAtOnce]float64{s0, s1, s2, s3}
}

// The sequences of random numbers that one seed gives.
const (
	flipSequence = 1 + iota
	bootstrapSequence
)

// generator is the source of random numbers of the draws from lo on.
func generator(seed uint64, sequence, lo int) *rand.ChaCha8 {
	var key [32]byte
	for k := range 8 {
		key[k] = byte(seed >> (8 * k))
		key[8+k] = byte(uint64(lo) >> (8 * k))
	}
	key[16] = byte(sequence)
	return rand.NewChaCha8(key)
}
