package pencil

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"sort"

	"pairrank/internal/linalg"
	"pairrank/internal/ostat"
	"pairrank/internal/parallel"
)

// PairUnit is the unit of the counts of PairCounts: one pair.
const PairUnit = 1 << 20

// PairCounts say how the pairs of a list are ordered when each is left out.
type PairCounts struct {
	// Signed is Σ_j sgn(y_i − y_j) sgn(f_i − f_j) of each row, with f_i and f_j the
	// predictions without rows i and j, in units of 1/PairUnit.
	Signed []int64
	// Near is the number of pairs that were looked at, or from which Drawn were drawn; all
	// others are ordered as by the predictions with all rows in the loss.
	Near, Drawn int64
	// Variance is that of Σ_i Signed_i/2 by drawing, in pairs, and Noise the sum of those of
	// each Signed_i; 0 where all near pairs were looked at.
	Variance, Noise float64
}

// PairCounter counts, at one λ after another, how the pairs of a single list are ordered
// when each is left out of the loss: LeavePairs with the pairs counted. It is exact, and
// looks at few of the pairs where the leverages are small: leaving a pair out moves the
// difference of its predictions by no more than a bound, that of row i times that of row j,
// and pairs whose predictions are farther apart are counted by sorting. It is safe for
// concurrent use.
type PairCounter struct {
	rows *pairRows
	y    []*ostat.Concordance // of each output
	// Lone returns the rows of an output without which there may be nothing to learn, and
	// Degenerate whether there is nothing without two rows, one of them lone: these tie. nil
	// where there are none.
	Lone       func(c int) []int32
	Degenerate func(i, j int32, c int) bool
}

// NewPairCounter prepares for labels y, m×v, in O(mk²) in the primal form. It returns nil
// unless L is that of a single list of at least three rows, or of regression.
func (p *Pencil) NewPairCounter(y []float64) *PairCounter {
	rows := p.newPairRows()
	if rows.weight == 0 || p.L.Dim() < 3 {
		return nil
	}
	c := &PairCounter{rows: rows, y: make([]*ostat.Concordance, p.Outputs())}
	column := make([]float64, p.L.Dim())
	for o := range c.y {
		for i := range column {
			column[i] = y[i*len(c.y)+o]
		}
		c.y[o] = ostat.NewConcordance(column)
	}
	return c
}

// PairsAt are the pairs at one λ.
type PairsAt struct {
	s *pairSolver
	*PairCounter
	near []NearPairs // of each output
}

// At prepares one λ, in O(mk) for each output. It returns an *OverflowError where a
// prediction is not finite.
func (c *PairCounter) At(lambda float64) (*PairsAt, error) {
	s := c.rows.at(lambda)
	return c.pairsAt(s), s.overflow()
}

func (c *PairCounter) pairsAt(s *pairSolver) *PairsAt {
	return &PairsAt{s: s, PairCounter: c, near: make([]NearPairs, len(c.y))}
}

// Each calls body with the pairs at each λ, which are valid until it returns, and ends with
// its error, or an *OverflowError where a prediction is not finite. The sums over the rows are
// those of several λ at a time, as many as take a quarter of the memory of W.
func (c *PairCounter) Each(lambdas []float64, body func(l int, at *PairsAt) error) error {
	const least = 4 // for which W is read once
	size := max(least, len(c.rows.p.Eigenvalues)/(16*len(c.y)))
	blocks := max(1, (len(lambdas)+size-1)/size)
	at := c.pairsAt(&pairSolver{})
	for b := range blocks {
		lo, hi := b*len(lambdas)/blocks, (b+1)*len(lambdas)/blocks
		sums := c.rows.blockOf(lambdas[lo:hi])
		for l := lo; l < hi; l++ {
			sums.solverTo(at.s, l-lo)
			if err := at.s.overflow(); err != nil {
				return err
			}
			if err := body(l, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// pairEnd is what a row brings to its pairs.
type pairEnd struct {
	f, a, fsize, asize            float64 // prediction, a, and the sizes of their terms
	q, g, constant                float64
	level, row, duplicate, lo, hi int32 // that of its label, its row, the first that equals it, and the ends whose pairs it may own
}

// NearPairs are the pairs of one output at one λ whose order may be another when they are
// left out.
type NearPairs struct {
	s      *pairSolver
	ends   []pairEnd // by prediction, ascending
	f      []float64 // of the ends
	sides  []pairSide
	order  []int32 // the rows of them
	signed []int64 // of each row, as by the predictions with all rows in the loss
	whole  bool    // every end owns the pairs with those before it
	size   int64
	// degenerate is whether there is nothing to learn without two rows; nil where there
	// always is.
	degenerate func(i, j int32) bool

	memory          ostat.ConcordanceMemory
	bounds          pairBounds
	workers         []*pairWorker
	variance, noise []float64
}

// Near finds the near pairs of output c, in O(m log m). They are valid until the PairsAt are
// those of another λ.
func (a *PairsAt) Near(c int) *NearPairs {
	s, m, y := a.s, a.s.w.Rows, a.y[c]
	n := &a.near[c]
	n.s, n.degenerate = s, nil
	n.signed, n.ends, n.f, n.sides = grown(n.signed, m), grown(n.ends, m), grown(n.f, m), grown(n.sides, m)
	n.order, _ = y.CountTo(n.signed, s.f.Row(c), &n.memory) // those that are not finite were refused
	bounds := n.bounds.of(s, c)
	n.whole = bounds == nil
	if a.Degenerate != nil {
		n.degenerate = func(i, j int32) bool { return a.Degenerate(i, j, c) }
		for _, i := range a.Lone(c) {
			if !n.whole {
				bounds[i] = math.Inf(1)
			}
		}
	}
	f, aOf, fsize, asize := s.f.Row(c), s.a.Row(c), s.fsize.Row(c), s.asize.Row(c)
	parallel.Chunks(m, rowsOfPiece, func(_, lo, hi int) {
		for at := lo; at < hi; at++ {
			i := n.order[at]
			n.f[at] = f[i]
			e := &n.ends[at]
			*e = pairEnd{f: f[i], a: aOf[i], fsize: fsize[i], asize: asize[i], hi: int32(at),
				q: s.qii[i], g: s.gii[i], constant: s.columnConstant[i], level: y.Level(int(i)), row: i, duplicate: s.duplicateOf[i]}
			if !n.whole {
				n.sides[at] = n.bounds.side(s, c, i, e.level)
			} else {
				n.sides[at].level = e.level
			}
		}
	})
	n.findRanges()
	return n
}

// rowsOfPiece is how many rows a goroutine takes at a time.
const rowsOfPiece = 2048

// findRanges sets the ends whose pairs each may own.
func (n *NearPairs) findRanges() {
	m := len(n.ends)
	if !n.whole {
		parallel.Chunks(m, rowsOfPiece, func(_, lo, hi int) {
			for at := lo; at < hi; at++ {
				e, apart := &n.ends[at], 2*n.sides[at].bound
				e.lo, e.hi = n.firstFrom(at, e.f-apart), n.firstPast(at, e.f+apart)
			}
		})
	}
	n.size = 0
	for at := range n.ends {
		n.size += int64(n.ends[at].hi - n.ends[at].lo)
	}
}

// firstFrom is the first end with a prediction of at least least, which that of end at is, and
// firstPast the first with one above most, which it is not: by steps that double, O(log n)
// for n ends between.
func (n *NearPairs) firstFrom(at int, least float64) int32 {
	known, step := at, 1 // not below least
	for known-step >= 0 && n.f[known-step] >= least {
		known -= step
		step *= 2
	}
	lo := max(0, known-step+1)
	return int32(lo + sort.Search(known-lo, func(b int) bool { return n.f[lo+b] >= least }))
}

func (n *NearPairs) firstPast(at int, most float64) int32 {
	known, step := at, 1 // not above most
	for known+step < len(n.f) && n.f[known+step] <= most {
		known += step
		step *= 2
	}
	hi := min(len(n.f), known+step)
	return int32(known + 1 + sort.Search(hi-known-1, func(b int) bool { return n.f[known+1+b] > most }))
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Size is how many pairs Count looks at, some of them twice.
func (n *NearPairs) Size() int64 { return n.size }

// Share is about the share of them for which Count computes products, O(k) each, by some
// hundred of the pairs; the others take O(1).
func (n *NearPairs) Share() float64 {
	const rows, ofEach = 256, 4
	near, products := 0.0, 0.0
	for r := range rows {
		at := r * len(n.ends) / rows
		e := &n.ends[at]
		each := float64(e.hi-e.lo) / ofEach
		near += ofEach * each
		for q := range ofEach {
			if b := int(e.lo) + int((float64(q)+0.5)*each); b < int(e.hi) && n.mayChange(at, b) {
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
	m := len(n.ends)
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

// sum adds what the workers counted, and the variances in the order of the ends.
func (n *NearPairs) sum() *PairCounts {
	out := &PairCounts{Signed: make([]int64, len(n.ends)), Near: n.size}
	for i, v := range n.signed {
		out.Signed[i] = v * PairUnit
	}
	for _, w := range n.workers {
		if w != nil {
			out.Drawn += w.looked
			for at, v := range w.signed {
				out.Signed[n.order[at]] += v
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
	signed []int64 // by place in the order
	looked int64
	x, y   []float64 // a row of W times a diagonal
	places []int32   // of the ends that are drawn
	rows   []int32
	taken  []uint64 // bits of the numbers that are drawn
	q, g   []float64
}

// own looks at the pairs that end at owns, or draws from them, and returns the variance of
// their sum by drawing and that of the sums of each row.
func (w *pairWorker) own(at int, share float64, seed uint64) (variance, noise float64) {
	e := &w.n.ends[at]
	all := int(e.hi - e.lo)
	if all == 0 {
		return 0, 0
	}
	if draw := max(2, int(math.Round(share*float64(all)))); share < 1 && draw < all {
		return w.draw(at, draw, rand.New(rand.NewPCG(seed, 0x6e6561720000+uint64(e.row))))
	}
	const panel = 1024
	for lo := int(e.lo); lo < int(e.hi); lo += panel {
		w.places = w.places[:0]
		for b := lo; b < min(lo+panel, int(e.hi)); b++ {
			if w.n.mayChange(at, b) {
				w.places = append(w.places, int32(b))
			}
		}
		w.count(at, PairUnit)
	}
	w.looked += int64(all)
	return 0, 0
}

// draw looks at some of the pairs of an end.
func (w *pairWorker) draw(at, draw int, r *rand.Rand) (variance, noise float64) {
	e := &w.n.ends[at]
	all := int(e.hi - e.lo)
	drawn := w.sample(all, draw, r)
	w.places = drawn[:0]
	for _, b := range drawn {
		if w.n.mayChange(at, int(e.lo+b)) {
			w.places = append(w.places, e.lo+b)
		}
	}
	weight := float64(all) / float64(draw)
	sum, squares := w.count(at, int64(math.Round(weight*PairUnit)))
	w.looked += int64(draw)
	n := float64(draw)
	spread := max(0, squares-sum*sum/n) / (n - 1)
	variance = float64(all) * float64(all) * (1 - n/float64(all)) * spread / n
	return variance, variance + (weight*weight-weight)*squares
}

// count adds the pairs of an end with places, in units, and returns the sum of their
// corrections and that of the squares.
func (w *pairWorker) count(at int, unit int64) (sum, squares float64) {
	if len(w.places) == 0 {
		return 0, 0
	}
	w.rows = w.rows[:0]
	for _, b := range w.places {
		w.rows = append(w.rows, w.n.order[b])
	}
	w.products(int(w.n.ends[at].row))
	for k, b := range w.places {
		if d := w.n.correction(at, int(b), w.q[k], w.g[k]); d != 0 {
			w.signed[at] += d * unit
			w.signed[b] += d * unit
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
	w.places = w.places[:0]
	for k, word := range taken {
		for ; word != 0; word &= word - 1 {
			w.places = append(w.places, int32(64*k+bits.TrailingZeros64(word)))
		}
	}
	clear(taken)
	return w.places
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

// mayChange tells whether a pair of two ends may add to what the predictions with all rows in
// the loss say. It does not where the labels are equal, or end at does not own the pair.
func (n *NearPairs) mayChange(at, b int) bool {
	i, j := &n.sides[at], &n.sides[b]
	if i.level == j.level || n.whole {
		return i.level != j.level
	}
	return (j.bound < i.bound || j.bound == i.bound && b < at) && !n.bounds.keeps(i, j)
}

// correction is how much the pair of two ends adds to what the predictions with all rows in
// the loss say: 0, ±1 or ±2. Their labels are not equal.
func (n *NearPairs) correction(at, b int, qij, g float64) int64 {
	i, j := &n.ends[at], &n.ends[b]
	gij, gji := g+j.constant, g+i.constant
	det := 1 / (i.q*j.q - qij*qij)
	alpha, beta := (i.g*j.q-gij*qij)*det, (gij*i.q-i.g*qij)*det
	gamma, delta := (gji*j.q-j.g*qij)*det, (j.g*i.q-gji*qij)*det
	x := i.f - alpha*i.a - beta*j.a
	y := j.f - gamma*i.a - delta*j.a
	tie := 16 * epsilon * (i.fsize + j.fsize + (math.Abs(alpha)+math.Abs(gamma))*i.asize + (math.Abs(beta)+math.Abs(delta))*j.asize)
	now := sign(x, y)
	if math.Abs(x-y) <= tie || i.duplicate == j.duplicate || n.degenerate != nil && n.degenerate(i.row, j.row) {
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
