package pencil

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"pairrank/internal/parallel"
)

// Size is the number of pairs that Count examines, some of them twice.
func (n *NearPairs) Size() int64 { return n.size }

// Signed is PairCounts.Signed by the predictions with all rows in the loss, in pairs. It is valid
// as long as n; the caller must not change it.
func (n *NearPairs) Signed() []int64 { return n.signed }

// Share estimates, from some hundred pairs, the share of near pairs for which Count computes
// products, O(k) each; the others take O(1).
func (n *NearPairs) Share() float64 {
	const rows, ofEach = 256, 4
	near, products := 0.0, 0.0
	var memory [2]pairSide
	for r := range rows {
		at := r * len(n.order) / rows
		each := float64(n.hi[at]-n.lo[at]) / ofEach
		near += ofEach * each
		for q := range ofEach {
			if b := int(n.lo[at]) + int((float64(q)+0.5)*each); b < int(n.hi[at]) &&
				n.mayChange(n.side(at, &memory[0]), n.side(b, &memory[1]), b < at) {
				products += each
			}
		}
	}
	if near == 0 {
		return 0
	}
	return products / near
}

// Count examines all near pairs, or, where draw is above 0 and below their number, about draw of
// them, drawn by seed without replacement. The sample is stratified: a stratum is the pairs that
// one row owns, or those of several rows with neighbouring predictions where one row would have
// less than two draws. Cost O(k) for each pair. It returns the error of ctx.
func (n *NearPairs) Count(ctx context.Context, draw int64, seed uint64) (*PairCounts, error) {
	share := 1.0
	if draw > 0 && draw < n.size {
		share = float64(draw) / float64(n.size)
	}
	const fewEnds, fewSides = 0.5, 1.0 / 16 // pairs for each row, below which they are not computed for all rows
	each := share * float64(n.size) / float64(len(n.order))
	if len(n.ends) == 0 && each > fewEnds {
		n.fillEnds()
	}
	if len(n.sides) == 0 && each > fewSides {
		n.fillSides()
	}
	n.cutStrata(share)
	strata := len(n.strata) - 1
	n.variance, n.noise = grown(n.variance, strata), grown(n.noise, strata)
	for len(n.workers) < parallel.Workers() {
		n.workers = append(n.workers, nil)
	}
	for _, w := range n.workers {
		if w != nil {
			w.looked = 0
			clear(w.signed)
		}
	}
	parallel.Chunks(strata, 32, func(worker, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		w := n.workers[worker]
		if w == nil {
			w = &pairWorker{n: n, signed: make([]int64, len(n.order))}
			n.workers[worker] = w
		}
		for h := lo; h < hi; h++ {
			n.variance[h], n.noise[h] = w.stratum(int(n.strata[h]), int(n.strata[h+1]), share, seed)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return n.sum(), nil
}

// cutStrata sets the strata, from each of the places up to the next: one place where all pairs are
// examined, else as many places as own two draws at this share.
func (n *NearPairs) cutStrata(share float64) {
	least, pairs := int64(math.Ceil(leastOfStratum/share)), int64(0)
	n.strata = append(n.strata[:0], 0)
	for at, hi := range n.hi {
		pairs += int64(hi - n.lo[at])
		if share == 1 || pairs >= least {
			n.strata = append(n.strata, int32(at+1))
			pairs = 0
		}
	}
	if m := int32(len(n.hi)); n.strata[len(n.strata)-1] < m {
		n.strata = append(n.strata, m)
	}
}

// leastOfStratum is the least number of pairs to draw from a stratum; its variance needs two.
const leastOfStratum = 2

// sum adds the counts of the workers, and the variances in the order of the places.
func (n *NearPairs) sum() *PairCounts {
	out := &PairCounts{Signed: make([]int64, len(n.order)), Near: n.size}
	for _, w := range n.workers {
		if w != nil {
			out.Drawn += w.looked
		}
	}
	parallel.Chunks(len(n.order), 1<<14, func(_, lo, hi int) {
		signed := out.Signed[lo:hi]
		unit := int64(PairUnit)
		if n.ordered != nil {
			unit = 1
		}
		for i, v := range n.signed[lo:hi] {
			signed[i] = v * unit
		}
		for _, w := range n.workers {
			if w == nil {
				continue
			}
			for i, v := range w.signed[lo:hi] {
				signed[i] += v
			}
		}
	})
	for h, v := range n.variance {
		out.Variance += v
		out.Noise += n.noise[h]
	}
	return out
}

// pairWorker is the memory of one goroutine.
type pairWorker struct {
	n      *NearPairs
	signed []int64 // of each row
	looked int64
	of     pairProducts
	scaled scaledMemory
	drawn  []int    // numbers of the pairs of a stratum that are drawn, ascending
	rows   []int32  // whose pairs with one row are examined
	taken  []uint64 // bits of the numbers that are drawn
	ends   [2]pairEnd
	sides  [2]pairSide
}

// stratum examines the pairs that the rows at the places [first,last) own, or a sample of them. It
// returns the variance by drawing of their sum, and the sum of those of each row.
func (w *pairWorker) stratum(first, last int, share float64, seed uint64) (variance, noise float64) {
	n := w.n
	all := 0
	for at := first; at < last; at++ {
		all += int(n.hi[at] - n.lo[at])
	}
	if all == 0 {
		return 0, 0
	}
	if draw := max(leastOfStratum, int(math.Round(share*float64(all)))); share < 1 && draw < all {
		return w.draw(first, all, draw, rand.New(rand.NewPCG(seed, 0x6e6561720000+uint64(n.order[first]))))
	}
	for at := first; at < last; at++ {
		w.own(at)
	}
	w.looked += int64(all)
	return 0, 0
}

// own examines all pairs that the row at a place owns.
func (w *pairWorker) own(at int) {
	const panel = 1024
	n := w.n
	side := n.side(at, &w.sides[0])
	for lo, hi := int(n.lo[at]), int(n.hi[at]); lo < hi; lo += panel {
		w.rows = w.rows[:0]
		for b := lo; b < min(lo+panel, hi); b++ {
			w.take(side, at, b)
		}
		w.count(int(n.order[at]), PairUnit)
	}
}

// take adds the row at place b where its pair with that at place at, of this side, may change.
func (w *pairWorker) take(side *pairSide, at, b int) {
	if w.n.mayChange(side, w.n.side(b, &w.sides[1]), b < at) {
		w.rows = append(w.rows, w.n.order[b])
	}
}

// draw examines draw of the all pairs of a stratum, of the rows at the places from at on. It
// returns the variance of a sum and the variance of the part of one row, estimated from a sample
// without replacement (Cochran 1977, Sampling techniques, sections 2.6 and 2.13). For a row that is
// another's partner it assumes one pair per stratum.
func (w *pairWorker) draw(at, all, draw int, r *rand.Rand) (variance, noise float64) {
	n := float64(draw)
	weight := float64(all) / n
	unit := int64(math.Round(weight * PairUnit))
	ofSum := func(sum, squares float64) float64 {
		spread := max(0, squares-sum*sum/n) / (n - 1)
		return float64(all) * float64(all) * (1 - n/float64(all)) * spread / n
	}
	drawn := w.sample(all, draw, r)
	sum, squares, before := 0.0, 0.0, 0 // pairs of the places before at
	for ; len(drawn) > 0; at++ {
		lo := int(w.n.lo[at])
		end := before + int(w.n.hi[at]) - lo
		w.rows = w.rows[:0]
		if drawn[0] < end {
			side := w.n.side(at, &w.sides[0])
			for ; len(drawn) > 0 && drawn[0] < end; drawn = drawn[1:] {
				w.take(side, at, lo+drawn[0]-before)
			}
		}
		before = end
		if own, square := w.count(int(w.n.order[at]), unit); square > 0 {
			sum, squares, noise = sum+own, squares+square, noise+ofSum(own, square)
		}
	}
	w.looked += int64(draw)
	return ofSum(sum, squares), noise + (weight*weight-weight)*squares
}

// count adds the pairs of row i with w.rows, in units, and returns the sum of their
// corrections and that of the squares.
func (w *pairWorker) count(i int, unit int64) (sum, squares float64) {
	if len(w.rows) == 0 {
		return 0, 0
	}
	if w.n.ordered != nil {
		w.countScaled(i)
		return 0, 0
	}
	q, g := w.of.row(w.n.s, i, w.rows)
	own := w.n.end(int32(i), &w.ends[0])
	for k, j := range w.rows {
		other := w.n.end(j, &w.ends[1])
		if d := w.n.correction(own, other, int32(i), j, q[k], g[k]); d != 0 {
			w.signed[i] += d * unit
			w.signed[j] += d * unit
			sum, squares = sum+float64(d), squares+float64(d*d)
		}
	}
	return sum, squares
}

// sample is n of the numbers below all, without replacement, ascending, in O(n + all/64), or
// where they are few O(n²): the method of Floyd (Bentley and Floyd 1987, A sample of brilliance).
func (w *pairWorker) sample(all, n int, r *rand.Rand) []int {
	const few = 16
	w.drawn = w.drawn[:0]
	if n <= few {
		for top := all - n; top < all; top++ {
			v := r.IntN(top + 1)
			if slices.Contains(w.drawn, v) {
				v = top
			}
			w.drawn = append(w.drawn, v)
		}
		slices.Sort(w.drawn)
		return w.drawn
	}
	words := (all + 63) / 64
	for len(w.taken) < words {
		w.taken = make([]uint64, 2*words)
	}
	taken := w.taken[:words]
	for top := all - n; top < all; top++ {
		v := r.IntN(top + 1)
		if taken[v/64]>>(v%64)&1 == 1 {
			v = top
		}
		taken[v/64] |= 1 << (v % 64)
	}
	for k, word := range taken {
		for ; word != 0; word &= word - 1 {
			w.drawn = append(w.drawn, 64*k+bits.TrailingZeros64(word))
		}
	}
	clear(taken)
	return w.drawn
}

// mayChange reports whether the pair of two sides may change the count by the predictions with all
// rows in the loss. It is false where the labels are equal, or i does not own the pair: of equal
// bounds, the one that is not before owns it.
func (n *NearPairs) mayChange(i, j *pairSide, before bool) bool {
	if i.level == j.level || n.whole {
		return i.level != j.level
	}
	return (j.bound < i.bound || j.bound == i.bound && before) && !n.bounds.keeps(i, j)
}

// correction is the change that a pair of rows, with their ends, makes to the count by the
// predictions with all rows in the loss: 0, ±1 or ±2. Their labels differ.
func (n *NearPairs) correction(i, j *pairEnd, row, other int32, qij, g float64) int64 {
	alpha, beta, gamma, delta := leftOut(i.q, j.q, qij, i.g, j.g, g+j.constant, g+i.constant)
	x := i.f - alpha*i.a - beta*j.a
	y := j.f - gamma*i.a - delta*j.a
	onI, onJ := math.Abs(alpha)+math.Abs(gamma), math.Abs(beta)+math.Abs(delta)
	apart, now := math.Abs(x-y), sign(x, y)
	tie := apart <= nearShare*(i.fsize+j.fsize+onI*i.asize+onJ*j.asize) &&
		n.s.ties(apart, pairSystem{int(row), int(other), n.c, qij, [4]float64{alpha, beta, gamma, delta}})
	if tie || i.duplicate == j.duplicate || n.degenerate != nil && n.degenerate(row, other) {
		now = 0
	}
	d := now - sign(i.f, j.f)
	if i.level < j.level {
		return -d
	}
	return d
}

// sign is that of x − y, 0 where one is NaN.
func sign(x, y float64) int64 {
	switch {
	case x > y:
		return 1
	case x < y:
		return -1
	}
	return 0
}
