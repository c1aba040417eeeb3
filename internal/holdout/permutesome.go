package holdout

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/learn/rls"
)

// somePairs is how many pairs of rows, the same for all permutations and λ, are left out first. With half of them wrong
// the standard error by drawing is 0.004.
const somePairs = 1 << 14

// leastShort is the share of the pairs of a list below which somePairs takes less time than all of them.
const leastShort = 1.0 / 4

// drawPairs draws n pairs of m rows by seed, with replacement, and sorts them.
func drawPairs(m, n int, seed uint64) [][2]int32 {
	r := rand.New(rand.NewPCG(seed, 0x736f6d65))
	pairs := make([][2]int32, n)
	for k := range pairs {
		i, j := r.IntN(m), r.IntN(m-1)
		if j >= i {
			j++
		}
		pairs[k] = [2]int32{int32(min(i, j)), int32(max(i, j))}
	}
	slices.SortFunc(pairs, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return pairs
}

// leastOfSome estimates the least error of each output from somePairs. open lists the outputs whose least error may be
// on either side of bound. It lists all outputs if the pairs of one list cannot be drawn, or are few in all.
func leastOfSome(ctx context.Context, f Factored, labels Labels, o Options, bound float64) (least []float64, open []int,
	err error) {
	v, m := labels.outputs(), labels.rows()
	least = make([]float64, v)
	var counter *rls.PairCounter
	all := float64(m) * float64(m-1) / 2
	if path, can := f.(countsPairs); can && o.leavesListPairs(labels) && somePairs < leastShort*all {
		counter = path.PairCounter(labels.Y, nil)
	}
	if counter == nil {
		for c := range v {
			open = append(open, c)
		}
		return least, open, nil
	}
	from, to := make([]float64, v), make([]float64, v) // between which the least error is
	for c := range v {
		least[c], from[c], to[c] = math.Inf(1), math.Inf(1), math.Inf(1)
	}
	err = counter.CountSome(ctx, o.Candidates, drawPairs(m, somePairs, o.Seed), func(_ int, of []rls.PairSums) {
		for c, s := range of {
			p := pointOfSome(s)
			margin := drawingMargin(p, p.Pairs)
			least[c], from[c], to[c] = min(least[c], p.Error), min(from[c], p.Error-margin), min(to[c], p.Error+margin)
		}
	})
	for c := range v {
		if !(from[c] > bound || to[c] < bound) {
			open = append(open, c)
		}
	}
	return least, open, err
}

// leavesListPairs reports whether the estimate leaves out the pairs of one list, and may draw them.
func (o Options) leavesListPairs(labels Labels) bool {
	return o.Splits == nil && o.Method.Kind == cv.LeavePairOut && labels.Queries.Len() == 1 && o.Pairs == cv.PairsAuto
}

// pointOfSome is the estimate from pairs that were drawn from all, without its Candidate: the mean of independent
// draws, whose standard error is that of a mean. Without a pair of different labels nothing is known.
func pointOfSome(s rls.PairSums) cv.Point {
	n := float64(s.Pairs)
	if s.Pairs == 0 {
		return cv.Point{Error: 0.5, Drawn: 1, Pairs: 1, DrawErr: metric.Value{Value: 1, Defined: true}}
	}
	e := float64(s.Wrong) / 2 / n
	squares := (float64(s.Wrong) - float64(s.Ties)/2) / 2 // a tie is ½, and a quarter squared
	return cv.Point{Error: e, Drawn: s.Pairs, Pairs: s.Pairs,
		DrawErr: metric.Value{Value: math.Sqrt(max(0, squares/n-e*e) / n), Defined: true}}
}
