package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// exactRanks is the largest number of differences other than 0 for which the
// signed-ranks test is exact. The counts of sign patterns, at most 2^50, are
// then whole numbers that float64 holds.
const exactRanks = 50

// Zeros says how the signed-ranks test treats differences of 0.
type Zeros uint8

const (
	// DropZeros leaves them out before ranking (Wilcoxon 1945).
	DropZeros Zeros = iota
	// RankZeros ranks them with the others and then leaves their ranks out, so
	// that many zeros make a small difference count less (Pratt, Remarks on zeros
	// and ties in the Wilcoxon signed rank procedures, JASA 54, 1959).
	RankZeros
)

// zerosNames are the names of Zeros.
var zerosNames = []string{"drop", "rank"}

// ZerosNames lists what ParseZeros knows.
func ZerosNames() []string { return slices.Clone(zerosNames) }

// ParseZeros reads "drop" or "rank". It returns an error that lists these for any other
// name.
func ParseZeros(name string) (Zeros, error) {
	at := slices.Index(zerosNames, name)
	if at < 0 {
		return 0, fmt.Errorf("unknown treatment of zeros %q: known are %s", name, strings.Join(zerosNames, ", "))
	}
	return Zeros(at), nil
}

// String is the name, which ParseZeros reads back.
func (z Zeros) String() string { return zerosNames[z] }

// SignedRanks is the outcome of Wilcoxon's signed-ranks test.
type SignedRanks struct {
	Plus, Minus float64 // sums of the ranks of positive and of negative differences
	NonZero     int     // n, differences that have a sign
	Exact       bool    // whether P is from the null distribution itself
	P           float64 // two-sided; 1 when n = 0
}

// Wilcoxon is the signed-rank test of the hypothesis that q differences are symmetric
// about 0. The |d| are ranked, equal ones sharing the mean of their ranks, and W₊ is the
// sum of the ranks with d > 0. Given the ranks r, each of the 2ⁿ patterns of signs of the
// n ranked differences is equally likely under the null hypothesis; W has mean Σr/2 and
// variance Σr²/4, which account for ties and zeros.
//
// For n ≤ exactRanks P = Pr(|W − Σr/2| ≥ |W₊ − Σr/2|) is exact, with ties too. For more
// it is the normal approximation with that variance and a continuity correction of ½: P =
// erfc((|W₊ − Σr/2| − ½)/√(Σr²/2)).
//
// Differences are equal, or 0, only if they are exactly so; apply [FlushRounding] first to rounded
// differences. The cost is a sort, O(q log q), and when exact O(n·Σr). It panics for a NaN.
// Sources: Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1, 1945; the
// variance with ties: Lehmann, Nonparametrics: statistical methods based on ranks, 1975, chapter 3.
func Wilcoxon(d []float64, zeros Zeros) SignedRanks {
	doubled, positive := signedRanks(d, zeros)
	t := SignedRanks{NonZero: len(doubled), Exact: len(doubled) <= exactRanks, P: 1}
	plus, total, squares := 0, 0, 0.0
	for i, r := range doubled {
		total += r
		squares += float64(r) * float64(r)
		if positive[i] {
			plus += r
		}
	}
	t.Plus, t.Minus = float64(plus)/2, float64(total-plus)/2
	switch {
	case t.NonZero == 0:
	case t.Exact:
		t.P = exactSignedRanks(doubled, min(plus, total-plus))
	default:
		// doubled ranks double the mean and quadruple the variance
		away := math.Abs(float64(plus)-float64(total)/2)/2 - 0.5
		t.P = math.Erfc(max(0, away) / math.Sqrt(squares/8))
	}
	return t
}

// signedRanks are twice the ranks of the differences that are not 0, so that
// shared ranks are whole, and whether each is positive.
func signedRanks(d []float64, zeros Zeros) (doubled []int, positive []bool) {
	sorted := slices.Clone(d)
	slices.SortFunc(sorted, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
	if len(sorted) > 0 && math.IsNaN(sorted[0]) { // NaN sorts first
		panic("compare: a difference is NaN")
	}
	first := slices.IndexFunc(sorted, func(x float64) bool { return x != 0 })
	if first < 0 {
		return nil, nil
	}
	if zeros == DropZeros {
		sorted, first = sorted[first:], 0
	}
	for lo := first; lo < len(sorted); {
		hi := lo + 1
		for hi < len(sorted) && math.Abs(sorted[hi]) == math.Abs(sorted[lo]) {
			hi++
		}
		for _, x := range sorted[lo:hi] { // ranks lo+1 … hi
			doubled = append(doubled, lo+1+hi)
			positive = append(positive, x > 0)
		}
		lo = hi
	}
	return doubled, positive
}

// exactSignedRanks is the two-sided p-value of the smaller of the two sums: the
// share of sign patterns whose sum is at most smaller or at least the mirror
// image of that.
func exactSignedRanks(doubled []int, smaller int) float64 {
	total := 0
	for _, r := range doubled {
		total += r
	}
	if 2*smaller >= total {
		return 1
	}
	// patterns[s] is how many patterns have a sum of s; more than smaller is
	// not needed
	patterns := make([]float64, smaller+1)
	patterns[0] = 1
	for _, r := range doubled {
		for s := smaller; s >= r; s-- {
			patterns[s] += patterns[s-r]
		}
	}
	count := 0.0
	for _, c := range patterns {
		count += c
	}
	return math.Ldexp(count, 1-len(doubled))
}
