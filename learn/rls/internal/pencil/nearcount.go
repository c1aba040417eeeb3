package pencil

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Size is how many pairs Count looks at, some of them twice.
func (n *NearPairs) Size() int64 { return n.size }

// Share is about the share of them for which Count computes products, O(k) each, by some
// hundred of the pairs; the others take O(1).
func (n *NearPairs) Share() float64 {
	const rows, ofEach = 256, 4
	near, products := 0.0, 0.0
	for r := range rows {
		at := r * len(n.order) / rows
		each := float64(n.hi[at]-n.lo[at]) / ofEach
		near += ofEach * each
		for q := range ofEach {
			if b := int(n.lo[at]) + int((float64(q)+0.5)*each); b < int(n.hi[at]) && n.mayChange(at, b) {
				products += each
			}
		}
	}
	if near == 0 {
		return 0
	}
	return products / near
}

// Count looks at all near pairs, or at about draw of them, drawn by seed without replacement
// and stratified over the rows that own them, where draw is above 0 and fewer: at least two
// of each. It costs O(k) for each pair. It returns the error of ctx.
func (n *NearPairs) Count(ctx context.Context, draw int64, seed uint64) (*PairCounts, error) {
	m := len(n.order)
	share := 1.0
	if draw > 0 && draw < n.size {
		share = float64(draw) / float64(n.size)
	}
	n.variance, n.noise = grown(n.variance, m), grown(n.noise, m)
	for len(n.workers) < parallel.Workers() {
		n.workers = append(n.workers, nil)
	}
	for _, w := range n.workers {
		if w != nil {
			w.looked = 0
			clear(w.signed)
		}
	}
	parallel.Chunks(m, 32, func(worker, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		w := n.workers[worker]
		if w == nil {
			w = &pairWorker{n: n, signed: make([]int64, m), x: make([]float64, len(n.s.inv)), y: make([]float64, len(n.s.inv))}
			n.workers[worker] = w
		}
		for at := lo; at < hi; at++ {
			n.variance[at], n.noise[at] = w.own(at, share, seed)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return n.sum(), nil
}

// sum adds what the workers counted, and the variances in the order of the places.
func (n *NearPairs) sum() *PairCounts {
	out := &PairCounts{Signed: make([]int64, len(n.order)), Near: n.size}
	for i, v := range n.signed {
		out.Signed[i] = v * PairUnit
	}
	for _, w := range n.workers {
		if w != nil {
			out.Drawn += w.looked
			for i, v := range w.signed {
				out.Signed[i] += v
			}
		}
	}
	for at, v := range n.variance {
		out.Variance += v
		out.Noise += n.noise[at]
	}
	return out
}

// pairWorker is the memory of one goroutine.
type pairWorker struct {
	n      *NearPairs
	signed []int64 // of each row
	looked int64
	x, y   []float64 // a row of W times a diagonal
	drawn  []int32   // places that are drawn, from the first on
	rows   []int32   // whose pairs with one row are looked at
	taken  []uint64  // bits of the numbers that are drawn
	q, g   []float64
}

// own looks at the pairs that the row at a place owns, or draws from them, and returns the
// variance of their sum by drawing and that of the sums of each row.
func (w *pairWorker) own(at int, share float64, seed uint64) (variance, noise float64) {
	n := w.n
	lo, hi := int(n.lo[at]), int(n.hi[at])
	all := hi - lo
	if all == 0 {
		return 0, 0
	}
	if draw := max(2, int(math.Round(share*float64(all)))); share < 1 && draw < all {
		return w.draw(at, draw, rand.New(rand.NewPCG(seed, 0x6e6561720000+uint64(n.order[at]))))
	}
	const panel = 1024
	for ; lo < hi; lo += panel {
		w.rows = w.rows[:0]
		for b := lo; b < min(lo+panel, hi); b++ {
			w.take(at, b)
		}
		w.count(int(n.order[at]), PairUnit)
	}
	w.looked += int64(all)
	return 0, 0
}

// take adds the row at place b where its pair with that at place at may change.
func (w *pairWorker) take(at, b int) {
	if w.n.mayChange(at, b) {
		w.rows = append(w.rows, w.n.order[b])
	}
}

// draw looks at some of the pairs of the row at a place.
func (w *pairWorker) draw(at, draw int, r *rand.Rand) (variance, noise float64) {
	lo := int(w.n.lo[at])
	all := int(w.n.hi[at]) - lo
	w.rows = w.rows[:0]
	for _, b := range w.sample(all, draw, r) {
		w.take(at, lo+int(b))
	}
	weight := float64(all) / float64(draw)
	sum, squares := w.count(int(w.n.order[at]), int64(math.Round(weight*PairUnit)))
	w.looked += int64(draw)
	n := float64(draw)
	spread := max(0, squares-sum*sum/n) / (n - 1)
	variance = float64(all) * float64(all) * (1 - n/float64(all)) * spread / n
	return variance, variance + (weight*weight-weight)*squares
}

// count adds the pairs of row i with w.rows, in units, and returns the sum of their
// corrections and that of the squares.
func (w *pairWorker) count(i int, unit int64) (sum, squares float64) {
	if len(w.rows) == 0 {
		return 0, 0
	}
	w.products(i)
	for k, j := range w.rows {
		if d := w.n.correction(int32(i), j, w.q[k], w.g[k]); d != 0 {
			w.signed[i] += d * unit
			w.signed[j] += d * unit
			sum, squares = sum+float64(d), squares+float64(d*d)
		}
	}
	return sum, squares
}

// sample is n of the numbers below all, without replacement, ascending, in O(n + all/64): the
// method of Floyd (Bentley and Floyd 1987, A sample of brilliance).
func (w *pairWorker) sample(all, n int, r *rand.Rand) []int32 {
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
	w.drawn = w.drawn[:0]
	for k, word := range taken {
		for ; word != 0; word &= word - 1 {
			w.drawn = append(w.drawn, int32(64*k+bits.TrailingZeros64(word)))
		}
	}
	clear(taken)
	return w.drawn
}

// products fills q and g with the entries of Q, λQ in the primal form, and GL − 1gᵀ of row i
// and w.rows. Each is read once, a few at a time, for both.
func (w *pairWorker) products(i int) {
	s, rows := w.n.s, w.rows
	for len(w.q) < len(rows) {
		w.q, w.g = make([]float64, max(1024, len(rows))), make([]float64, max(1024, len(rows)))
	}
	own := s.w.Row(i)
	for j, v := range s.inv[:len(own)] {
		w.x[j] = own[j] * v
	}
	q, g := w.q[:len(rows)], w.g[:len(rows)]
	if s.p.dual {
		for j, v := range s.ratio[:len(own)] {
			w.y[j] = own[j] * v
		}
		const few = 4 // rows, which stay in the cache
		for lo := 0; lo < len(rows); lo += few {
			hi := min(lo+few, len(rows))
			linalg.DotRows(w.x, rows[lo:hi], s.w, q[lo:hi])
			linalg.DotRows(w.y, rows[lo:hi], s.w, g[lo:hi])
		}
		return
	}
	linalg.DotRows(w.x, rows, s.w, q)
	off := 0.0
	if s.p.Centred {
		off = -s.weight / float64(s.w.Rows)
	}
	for k, v := range q {
		g[k], q[k] = v/s.weight, off-v
	}
}

// mayChange tells whether the pair of two places may add to what the predictions with all rows
// in the loss say. It does not where the labels are equal, or place at does not own the pair.
func (n *NearPairs) mayChange(at, b int) bool {
	i, j := &n.sides[at], &n.sides[b]
	if i.level == j.level || n.whole {
		return i.level != j.level
	}
	return (j.bound < i.bound || j.bound == i.bound && b < at) && !n.bounds.keeps(i, j)
}

// correction is how much a pair of rows adds to what the predictions with all rows in the loss
// say: 0, ±1 or ±2. Their labels are not equal.
func (n *NearPairs) correction(row, other int32, qij, g float64) int64 {
	i, j := &n.ends[row], &n.ends[other]
	gij, gji := g+j.constant, g+i.constant
	det := 1 / (i.q*j.q - qij*qij)
	alpha, beta := (i.g*j.q-gij*qij)*det, (gij*i.q-i.g*qij)*det
	gamma, delta := (gji*j.q-j.g*qij)*det, (j.g*i.q-gji*qij)*det
	x := i.f - alpha*i.a - beta*j.a
	y := j.f - gamma*i.a - delta*j.a
	tie := 16 * epsilon * (i.fsize + j.fsize + (math.Abs(alpha)+math.Abs(gamma))*i.asize + (math.Abs(beta)+math.Abs(delta))*j.asize)
	now := sign(x, y)
	if math.Abs(x-y) <= tie || i.duplicate == j.duplicate || n.degenerate != nil && n.degenerate(row, other) {
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
