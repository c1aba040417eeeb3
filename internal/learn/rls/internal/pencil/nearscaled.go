package pencil

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/ostat"
	"pairrank/internal/pick"
)

// scaledNear orders near pairs of rows with weights at one λ: as OrderPairs where that can tell, else as LeavePairs at
// the λ of the pair.
// The bounds of near pairs are of rows over the roots of their weights a', of mean 1, in which the Laplacian
// c'(I − √a'√a'ᵀ/m), or c'I of regression, is that of rows without weights but for its entries off the diagonal. They
// hold at each λ c of the pairs: with |log c − middle| ≤ T a resolvent changes by at most the factor e^T, and, with
// X = λ‖D^½x‖, row i of WDC by at most T e^3T √s_i X.
type scaledNear struct {
	of     *ScaledPairs
	lambda float64
	orders *orderWork // nil where these are too rough
}

// mostReach is the largest T of the bounds.
const mostReach = 0.5

// NewPairCounter is that of the Pencil for the rows of ScaledPairs, with weights that are whole numbers: a pair counts
// the weight of the other row. Draws are not for it, nor is CountSome. It returns nil unless L is that of a list or of
// regression, and the λ of the pairs are so near to one another that the bounds hold.
func (s *ScaledPairs) NewPairCounter(y []float64, whole []int64) *PairCounter {
	if s.orders == nil || s.reach > mostReach {
		return nil
	}
	c := &PairCounter{rows: s.rows, scaled: s}
	c.setLabels(y, whole)
	return c
}

// setLabels counts labels y, m×v, of rows with weights, nil for none.
func (c *PairCounter) setLabels(y []float64, whole []int64) {
	m := c.rows.p.L.Dim()
	c.y = make([]*ostat.Concordance, c.rows.p.Outputs())
	column := make([]float64, m)
	for o := range c.y {
		for i := range column {
			column[i] = y[i*len(c.y)+o]
		}
		if c.y[o] = ostat.NewConcordance(column); whole != nil {
			c.y[o].SetWeights(whole)
		}
	}
}

// Middle is the factor of λ at which At and Each count.
func (s *ScaledPairs) Middle() float64 { return s.center }

// scaledAt prepares to order pairs at the λ of a solver, once for all outputs.
func (a *PairsAt) scaledAt() *scaledNear {
	n := &a.ordered
	if a.scaled == nil {
		return nil
	}
	if lambda := a.s.lambda / a.scaled.Middle(); n.of == nil || n.lambda != lambda {
		work := n.orders
		if work == nil {
			work = &orderWork{}
		}
		*n = scaledNear{of: a.scaled, lambda: lambda}
		if a.scaled.orders.serves(lambda) && work.prepare(a.scaled.orders, lambda) {
			n.orders = work
		}
	}
	return n
}

// scaledMemory is the memory of a goroutine that orders pairs.
type scaledMemory struct {
	orderWorker
	q    []float64
	rows [2]int32
}

// countScaled is count for rows with weights.
func (w *pairWorker) countScaled(i int) {
	n, memory := w.n, &w.scaled
	at, rows, f := n.ordered, n.s.pairRows, n.s.f.Row(n.c)
	var own orderRow
	if at.orders != nil {
		own = at.orders.rowOf(i, n.c)
		memory.q, memory.product = grown(memory.q, len(w.rows)), grown(memory.product, len(n.s.inv))
		linalg.DotRows(at.orders.shaped.Row(i), w.rows, at.orders.shaped, memory.q)
	}
	for k, j := range w.rows {
		now, known := 0.0, rows.duplicateOf[i] == rows.duplicateOf[j] ||
			n.degenerate != nil && n.degenerate(int32(i), j)
		if !known && at.orders != nil {
			var near bool
			memory.rows = [2]int32{int32(i), j}
			now, near = at.orders.difference(&own, &memory.orderWorker, int(j), at.of.placeOf(memory.rows[:]),
				at.orders.sign()*memory.q[k])
			known = !near
		}
		if !known {
			now = at.exactly(int32(i), j, n.c)
		}
		d := sign(now, 0) - sign(f[i], f[j])
		if n.y.Level(i) < n.y.Level(int(j)) {
			d = -d
		}
		w.signed[i] += d * n.y.Weight(int(j))
		w.signed[j] += d * n.y.Weight(i)
	}
}

// placeOf is t of a pair, in digits enough for difference: log x = 2 artanh((x−1)/(x+1)) of x near 1.
func (s *ScaledPairs) placeOf(pair []int32) float64 {
	if s.reach == 0 {
		return 0
	}
	c := s.scale(pair...)
	z := (c - s.center) / (c + s.center)
	if square := z * z; square < 1e-4 {
		return 2 * z * (1 + square*(1.0/3+square*(1.0/5+square/7))) / s.half
	}
	return (math.Log(c) - s.middle) / s.half
}

// exactly is the difference of the predictions of a pair at its λ, in O(kv).
func (a *scaledNear) exactly(i, j int32, c int) float64 {
	s := a.of.rows.some([]int32{i, j}).at(a.lambda * a.of.scale(i, j))
	fi, fj := s.pair(0, 1, c)
	return fi - fj
}

// some are the numbers of some rows with weights, no two of which are a component.
func (r *pairRows) some(rows []int32) *pairRows {
	m, t := len(rows), *r.list
	s := &pairRows{p: r.p, v: linalg.NewMat(m, r.v.Cols), w: linalg.NewMat(m, r.w.Cols),
		right: linalg.NewMat(m, r.right.Cols), partner: make([]int32, m),
		duplicateOf: pick.Rows(r.duplicateOf, rows), omega: pick.Rows(r.omega, rows), list: &t}
	t.mass, t.per = pick.Rows(t.mass, rows), pick.Rows(t.per, rows)
	if r.diagonal != nil {
		s.diagonal, s.kappa = pick.Rows(r.diagonal, rows), pick.Rows(r.kappa, rows)
	}
	for a, i := range rows {
		s.partner[a] = -1
		copy(s.v.Row(a), r.v.Row(int(i)))
		copy(s.w.Row(a), r.w.Row(int(i)))
		copy(s.right.Row(a), r.right.Row(int(i)))
	}
	return s
}

// pair is what LeavePairs predicts for a pair of rows with weights, no partners, in O(k).
func (s *pairSolver) pair(i, j, c int) (fi, fj float64) {
	q, g, gt := 0.0, 0.0, 0.0
	vi, vj, wi, wj := s.v.Row(i), s.v.Row(j), s.w.Row(i), s.w.Row(j)
	for l, d := range s.inv {
		q, g, gt = q+wi[l]*d*wj[l], g+vi[l]*d*wj[l], gt+vj[l]*d*wi[l]
	}
	if !s.p.dual {
		q = -s.list.share*s.list.mass[i]*s.list.mass[j] - q
	}
	alpha, beta, gamma, delta := leftOut(s.qii[i], s.qii[j], q, s.gii[i], s.gii[j], g, gt)
	f, a, fsize, asize := s.f.Row(c), s.a.Row(c), s.fsize.Row(c), s.asize.Row(c)
	fi, fj = f[i]-alpha*a[i]-beta*a[j], f[j]-gamma*a[i]-delta*a[j]
	apart := math.Abs(fi - fj)
	if s.duplicateOf[i] == s.duplicateOf[j] || apart <= nearShare*(fsize[i]+fsize[j]+
		(math.Abs(alpha)+math.Abs(gamma))*asize[i]+(math.Abs(beta)+math.Abs(delta))*asize[j]) &&
		s.ties(apart, pairSystem{i, j, c, q, [4]float64{alpha, beta, gamma, delta}}) {
		return fi, fi
	}
	return fi, fj
}

// setMasses sets what rows with weights need for the bounds of output c: a', c', e^T, and T e^3T X.
func (b *pairBounds) setMasses(s *pairSolver, c int) {
	l := s.list
	if b.mass = b.mass[:0]; l == nil {
		return
	}
	mean, heaviest := 0.0, 0.0
	for _, a := range l.mass {
		mean, heaviest = mean+a/float64(len(l.mass)), max(heaviest, a)
	}
	for _, a := range l.mass {
		b.mass = append(b.mass, a/mean)
	}
	b.share = l.share * mean * mean
	b.whole, b.off = l.c*mean, l.share*heaviest*mean
	b.grow = math.Exp(b.reach)
	x := 0.0
	for j, d := range s.inv {
		own := s.p.C.Row(j)[c]
		x += d * d * d * own * own
	}
	b.drift = b.reach * b.grow * b.grow * b.grow * s.lambda * sqrt(x)
}
