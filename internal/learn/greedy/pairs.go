package greedy

import (
	"cmp"
	"math"
	"slices"

	"pairrank/internal/linalg"
)

// pairs is leave-pair-out of a single list. Removing h rows of a list of m rows leaves a multiple m − h of the
// projector, so that P is that of λ/(m−2); see package rls. Pairs without which the other rows do not determine the
// baseline are not judged.
type pairs struct {
	sign   float64   // −1 if all labels are negated, so that there are fewer groups
	lower  []int32   // the rows, in ascending order of their labels
	groups []group   // by the sums of their margins: those that are likely to be wrong come first
	runs   []run     // of the groups
	blocks []float64 // of the groups, in their order
	judges int64     // the number of pairs that judge
	weight float64   // of these
	mass   []float64 // the weights of the rows, nil where each is 1
	// The largest entry of M, residual and noise.
	largest, residual, noise float64
}

// group is the pairs of row i with the n rows of smaller labels, the first ones of pairs.lower. Its block has vectors
// of what linalg.PairMargins needs of each pair, the inverse M = P_HH⁻¹, the residuals δ and the margin f_i − f_j of
// the held-out scores, and then bounds of the rounding of the margins. A pair that is not judged has M = 0, δ = 0 and
// the margin y_i − y_j, so that it is in the right order without loss; so are pairs that fill the vectors.
type group struct {
	i, n, at int
	gap      []float64 // y_i − y_j, one slice for all rows of a label
	sum      float64   // of the margins
}

// run is groups with the same rows of smaller labels, which are judged at once.
type run struct{ lo, hi int }

// mostGroups is the largest number of groups of a run: before another run a feature may be known to be worse.
const mostGroups = 4

// The vectors of a block.
const (
	ofII = iota
	ofIJ
	ofJJ
	ofI
	ofJ
	ofMargin
	ofNoise
	vectors
)

// vector is one of the block of a group.
func (p *pairs) vector(g *group, of int) []float64 {
	width := len(g.gap)
	return p.blocks[g.at+of*width:][:width]
}

// newPairs are the pairs without features. P is I − 11ᵀ/m, or I for regression, so that M is I + 11ᵀ/(m−2), or I.
func newPairs(of *columns) *pairs {
	p, size := &pairs{sign: 1, lower: make([]int32, of.m), mass: of.mass}, 0
	least, most := slices.Min(of.y), slices.Max(of.y)
	excess := 0 // of rows with the largest label
	for a, y := range of.y {
		p.lower[a] = int32(a)
		if y == most {
			excess++
		} else if y == least {
			excess--
		}
	}
	if excess > 0 {
		p.sign = -1
	}
	y := make([]float64, of.m) // P₀y
	for a := range y {
		y[a] = p.sign * of.y[a]
	}
	slices.SortStableFunc(p.lower, func(a, b int32) int { return cmp.Compare(y[a], y[b]) })
	n, gap := 0, []float64(nil)
	for a, i := range p.lower {
		if a > 0 && y[i] > y[p.lower[a-1]] {
			n, gap = a, p.gaps(y, y[i], a)
		}
		if n > 0 {
			p.groups = append(p.groups, group{i: int(i), n: n, at: size, gap: gap})
			size += vectors * len(gap)
			p.judges += int64(n)
			for _, j := range p.lower[:n] {
				p.weight += of.massOf(int(i)) * of.massOf(int(j))
			}
		}
	}
	p.blocks = make([]float64, size)
	for k := range p.groups {
		g := &p.groups[k]
		copy(p.vector(g, ofMargin)[g.n:], g.gap[g.n:])
		ii, ij, jj, di, dj := p.vector(g, ofII), p.vector(g, ofIJ), p.vector(g, ofJJ), p.vector(g, ofI), p.vector(g, ofJ)
		ci := y[g.i]
		for b, j := range p.lower[:g.n] {
			wi, wj := of.massOf(g.i), of.massOf(int(j))
			cj, beside := y[j], beside(of, wi+wj)
			ii[b], ij[b], jj[b] = 1/wi+beside, beside, 1/wj+beside
			di[b], dj[b] = ci+beside*(wi*ci+wj*cj), cj+beside*(wi*ci+wj*cj)
		}
	}
	p.prepare()
	return p
}

// beside is what M has beside the inverse weights, without rows of weight h.
func beside(of *columns, h float64) float64 {
	switch {
	case of.p.Regression:
		return 0
	case of.mass == nil:
		return 1 / (float64(of.m) - h)
	}
	return 1 / (linalg.Sum(of.mass) - h)
}

// weightOf is the weight of pair b of group k.
func (p *pairs) weightOf(k, b int) float64 {
	if p.mass == nil {
		return 1
	}
	return p.mass[p.groups[k].i] * p.mass[p.lower[b]]
}

// gaps are the differences of a label and those of the first n rows of lower, filled with 1 up to a multiple of four.
func (p *pairs) gaps(y []float64, label float64, n int) []float64 {
	const lanes = 4
	gap := make([]float64, (n+lanes-1)/lanes*lanes)
	for b := range gap {
		if gap[b] = 1; b < n {
			gap[b] = label - y[p.lower[b]]
		}
	}
	return gap
}

// prepare sorts the groups and finds the largest numbers.
func (p *pairs) prepare() {
	p.largest, p.residual, p.noise = 0, 0, 0
	for k := range p.groups {
		g := &p.groups[k]
		g.sum = linalg.Sum(p.vector(g, ofMargin))
		for b := range g.n {
			at := func(of int) float64 { return p.vector(g, of)[b] }
			p.largest = max(p.largest, at(ofII), at(ofJJ), math.Abs(at(ofIJ)))
			p.residual = max(p.residual, math.Abs(at(ofI)), math.Abs(at(ofJ)))
			p.noise = max(p.noise, at(ofNoise))
		}
	}
	slices.SortStableFunc(p.groups, func(a, b group) int { return cmp.Compare(a.sum, b.sum) })
	before, at := p.blocks, 0
	p.runs, p.blocks = nil, make([]float64, len(before))
	for k := range p.groups {
		g := &p.groups[k]
		g.at, at = at, at+copy(p.blocks[at:], before[g.at:][:vectors*len(g.gap)])
		if n := len(p.runs); n == 0 || p.groups[k-1].n != g.n || k-p.runs[n-1].lo == mostGroups {
			p.runs = append(p.runs, run{lo: k})
		}
		p.runs[len(p.runs)-1].hi = k + 1
	}
}

// addition is a feature that is added: its column Pv, of the rows in the order of their labels and of those of the
// groups; its pivot and vᵀPy; its size and largest entry, to which rounding is relative.
type addition struct {
	low, of                           []float64
	pivot, toward, lambda, size, most float64
}

// addition is that of the feature at a position, in memory.
func (p *pairs) addition(s *state, at int, lambda float64, memory *memory) addition {
	const filling = 3
	memory.low, memory.of = grown(memory.low, len(p.lower)+filling), grown(memory.of, len(p.groups))
	a, c := addition{low: memory.low, of: memory.of, lambda: lambda, size: s.size(at), most: s.most(at)},
		s.product(at)
	a.pivot, a.toward = s.pivot(at, lambda)
	a.toward *= p.sign
	clear(a.low[len(p.lower):])
	for b, j := range p.lower {
		a.low[b] = c[j]
	}
	for k := range p.groups {
		a.of[k] = c[p.groups[k].i]
	}
	return a
}

// step is what an addition does to pair b of group k: δ changes by −(u, w) left/reduced. The conversions keep products
// from being fused with sums, so that two rows with equal features have equal u and w on every machine.
func (p *pairs) step(k, b int, a *addition) (u, w, reduced, left float64) {
	g, ci, cj := &p.groups[k], a.of[k], a.low[b]
	ij := p.vector(g, ofIJ)[b]
	u = float64(p.vector(g, ofII)[b]*ci) + float64(ij*cj)
	w = float64(p.vector(g, ofJJ)[b]*cj) + float64(ij*ci)
	reduced = max(a.lambda, a.pivot-(ci*u+cj*w)) // λ at least, in exact arithmetic
	return u, w, reduced, a.toward - (ci*p.vector(g, ofI)[b] + cj*p.vector(g, ofJ)[b])
}

// rounding bounds the rounding of (u − w) left for pair b of group k. The entries of Pv have that of the largest entry
// of v, even where they are 0 in exact arithmetic. It is 0 for equal rows without weights; with weights u and w of
// equal rows differ by rounding.
func (p *pairs) rounding(k, b int, u, w, left float64, a *addition) float64 {
	if u == w {
		return 0
	}
	g, wi, wj := &p.groups[k], 1.0, 1.0
	if p.mass != nil {
		wi, wj = p.mass[g.i], p.mass[p.lower[b]]
	}
	ij := math.Abs(p.vector(g, ofIJ)[b])
	of := a.most * ((p.vector(g, ofII)[b]+ij)*wi + (p.vector(g, ofJJ)[b]+ij)*wj)
	return relativeRounding * (math.Abs(u-w)*a.size + math.Abs(left)*(math.Abs(u)+math.Abs(w)+of))
}

func (p *pairs) add(s *state, at int, lambda float64) {
	a := p.addition(s, at, lambda, &memory{})
	for k := range p.groups {
		g := &p.groups[k]
		ii, ij, jj, di, dj := p.vector(g, ofII), p.vector(g, ofIJ), p.vector(g, ofJJ), p.vector(g, ofI), p.vector(g, ofJ)
		margin, noise := p.vector(g, ofMargin), p.vector(g, ofNoise)
		for b := range g.n {
			u, w, reduced, left := p.step(k, b, &a)
			if lambda == 0 && s.determined(at, reduced) { // the other rows say nothing about the feature
				ii[b], ij[b], jj[b], di[b], dj[b], margin[b], noise[b] = 0, 0, 0, 0, 0, g.gap[b], 0
				p.judges--
				p.weight -= p.weightOf(k, b)
				continue
			}
			by := left / reduced
			di[b] -= u * by
			dj[b] -= w * by
			margin[b] += (u - w) * by
			noise[b] += p.rounding(k, b, u, w, left, &a) / reduced
			ii[b] += float64(u*u) / reduced
			ij[b] += float64(u*w) / reduced
			jj[b] += float64(w*w) / reduced
		}
	}
	p.prepare()
}

// judge compares most margins with a bound of rounding that is one for all pairs.
func (p *pairs) judge(s *state, at int, best score, memory *memory) (found score) {
	a := p.addition(s, at, s.lambda, memory)
	if p.mass != nil {
		return p.judgeWeighed(s, &a, best)
	}
	near, count := p.near(&a), float64(p.judges)
	most := max(best.loss, s.of.perfect) * (1 + 2*equalLosses) * count
	for _, r := range p.runs {
		first := &p.groups[r.lo]
		width := len(first.gap)
		margins := grown(memory.scores, (r.hi-r.lo)*width)
		memory.scores = margins
		least, squares := linalg.PairMargins(margins, a.of[r.lo:r.hi], a.low, first.gap, p.blocks[first.at:], vectors*width,
			a.pivot, a.toward, a.lambda)
		found.loss += squares
		if !(least > near) || math.IsNaN(squares) {
			for k := r.lo; k < r.hi; k++ {
				found.halves += p.halves(k, &a, margins[(k-r.lo)*width:], near)
			}
		}
		if found.halves > best.halves || found.halves == best.halves && found.loss > most {
			return worst
		}
	}
	found.loss = s.of.loss(found.loss / count)
	return found
}

// judgeWeighed is judge of rows with weights, pair by pair.
func (p *pairs) judgeWeighed(s *state, a *addition, best score) (found score) {
	for k := range p.groups {
		g := &p.groups[k]
		margins, noise := p.vector(g, ofMargin), p.vector(g, ofNoise)
		for b, gap := range g.gap[:g.n] {
			u, w, reduced, left := p.step(k, b, a)
			margin, of := margins[b]+(u-w)*left/reduced, p.weightOf(k, b)
			found.halves += of * halvesOf(margin, noise[b]+p.rounding(k, b, u, w, left, a)/reduced)
			found.loss += of * (gap - margin) * (gap - margin)
		}
		if beyond(found.halves, best.halves) {
			return worst
		}
	}
	found.loss = s.of.loss(found.loss / p.weight)
	return found
}

// near bounds the rounding of all margins with an addition: beyond it they are in one order. A first bound takes the
// norm for the largest number of the column, and λ for the least ρ.
func (p *pairs) near(a *addition) float64 {
	bound := func(widest float64) float64 {
		return p.noise*a.pivot + relativeRounding*4*p.largest*(widest*a.size+
			max(widest, a.most)*2*(math.Abs(a.toward)+2*widest*p.residual))
	}
	const small = 0x1p-20 // beside the differences of labels
	if first := bound(math.Sqrt(linalg.Dot(a.low, a.low))) / a.lambda; first <= small*p.groups[0].gap[0] {
		return first
	}
	widest := 0.0
	for _, v := range a.low {
		widest = max(widest, math.Abs(v))
	}
	const slack = 1 - 0x1p-20 // of the rounding of ρ
	return bound(widest) / max(a.lambda, (a.pivot-4*p.largest*widest*widest)*slack)
}

// halves counts the halves of pairs of group k that are wrong, by margins that are exact beyond near.
func (p *pairs) halves(k int, a *addition, margins []float64, near float64) (halves float64) {
	g, right, wrong := &p.groups[k], uint64(0), uint64(0)
	for _, m := range margins[:g.n] { // by the sign bits, since branches on them are mispredicted
		right += math.Float64bits(near-m) >> 63
		wrong += math.Float64bits(m+near) >> 63
	}
	if int(right+wrong) == g.n {
		return 2 * float64(wrong)
	}
	for b, m := range margins[:g.n] {
		switch {
		case m > near:
		case m < -near:
			halves += 2
		default:
			u, w, reduced, left := p.step(k, b, a)
			halves += halvesOf(p.vector(g, ofMargin)[b]*reduced+(u-w)*left,
				p.vector(g, ofNoise)[b]*reduced+p.rounding(k, b, u, w, left, a))
		}
	}
	return halves
}

func (p *pairs) score(s *state) (found score) {
	for k := range p.groups {
		g := &p.groups[k]
		noise := p.vector(g, ofNoise)
		for b, margin := range p.vector(g, ofMargin)[:g.n] {
			w := p.weightOf(k, b)
			found.halves += w * halvesOf(margin, noise[b])
			found.loss += w * (g.gap[b] - margin) * (g.gap[b] - margin)
		}
	}
	found.loss = s.of.loss(found.loss / p.weight)
	return found
}

// halvesOf is 0 for a pair in the right order, 1 for a tie within a bound of rounding, and 2 for the wrong order.
func halvesOf(margin, bound float64) float64 {
	switch {
	case margin > bound:
		return 0
	case margin < -bound:
		return 2
	}
	return 1
}

func (p *pairs) judged() (pairs int64, weight float64) { return p.judges, p.weight }

func (p *pairs) part(*state, []int) held {
	other := *p
	other.groups, other.blocks = slices.Clone(p.groups), slices.Clone(p.blocks) // runs are made anew, never changed
	return &other
}
