package greedy

import (
	"cmp"
	"math"
	"slices"
)

// pairs is leave-pair-out of a single list. Removing h rows of a list of m rows leaves a multiple m − h of the
// projector, so that P is that of λ/(m−2); see package rls. Pairs without which the other rows do not determine the
// baseline are not judged.
type pairs struct {
	of []pair // by their margins, ascending: those that are likely to be wrong come first
	// The largest entry of M, residual and noise.
	largest, residual, noise float64
}

// pair is a pair H = {i, j} of rows with y_i > y_j: the inverse M = P_HH⁻¹, the residuals δ, and the margin f_i − f_j
// of the held-out scores with a bound of its rounding.
type pair struct {
	i, j                  int32
	mii, mij, mjj, di, dj float64
	margin, noise         float64
}

// newPairs are the pairs without features. P is I − 11ᵀ/m, or I for regression, so that M is I + 11ᵀ/(m−2), or I.
func newPairs(of *columns) *pairs {
	p, beside := &pairs{}, 0.0
	if !of.p.Regression {
		beside = 1 / float64(of.m-2)
	}
	for a, ci := range of.y { // P₀y
		for b, cj := range of.y {
			if ci > cj {
				p.of = append(p.of, pair{i: int32(a), j: int32(b), mii: 1 + beside, mij: beside, mjj: 1 + beside,
					di: ci + beside*(ci+cj), dj: cj + beside*(ci+cj)})
			}
		}
	}
	p.prepare()
	return p
}

// prepare sorts the pairs and finds the largest numbers.
func (p *pairs) prepare() {
	slices.SortStableFunc(p.of, func(a, b pair) int { return cmp.Compare(a.margin, b.margin) })
	p.largest, p.residual, p.noise = 0, 0, 0
	for k := range p.of {
		e := &p.of[k]
		p.largest = max(p.largest, e.mii, e.mjj, math.Abs(e.mij))
		p.residual, p.noise = max(p.residual, math.Abs(e.di), math.Abs(e.dj)), max(p.noise, e.noise)
	}
}

// step is what adding a feature does to a pair: δ changes by −(u, w) left/reduced. The conversions keep products from
// being fused with sums, so that two rows with equal features have equal u and w on every machine.
func (e *pair) step(c []float64, pivot, toward, lambda float64) (u, w, reduced, left float64) {
	ci, cj := c[e.i], c[e.j]
	u = float64(e.mii*ci) + float64(e.mij*cj)
	w = float64(e.mjj*cj) + float64(e.mij*ci)
	reduced = max(lambda, pivot-(ci*u+cj*w)) // λ at least, in exact arithmetic
	return u, w, reduced, toward - (ci*e.di + cj*e.dj)
}

// rounding bounds the rounding of (u − w) left, for a feature of the given size. It is 0 for equal rows.
func rounding(u, w, left, size float64) float64 {
	if u == w {
		return 0
	}
	return relativeRounding * (math.Abs(u-w)*size + math.Abs(left)*(math.Abs(u)+math.Abs(w)))
}

func (p *pairs) add(s *state, at int, lambda float64) {
	pivot, toward := s.pivot(at, lambda)
	c, size := s.product(at), s.size(at)
	if lambda == 0 {
		p.of = slices.DeleteFunc(p.of, func(e pair) bool {
			_, _, reduced, _ := e.step(c, pivot, toward, lambda)
			return s.determined(at, reduced) // the other rows say nothing about the feature
		})
	}
	for k := range p.of {
		e := &p.of[k]
		u, w, reduced, left := e.step(c, pivot, toward, lambda)
		by := left / reduced
		e.di -= u * by
		e.dj -= w * by
		e.margin += (u - w) * by
		e.noise += rounding(u, w, left, size) / reduced
		e.mii += float64(u*u) / reduced
		e.mij += float64(u*w) / reduced
		e.mjj += float64(w*w) / reduced
	}
	p.prepare()
}

// judge compares most margins with a bound of rounding that is one for all pairs.
func (p *pairs) judge(s *state, at int, most int64, _ *memory) int64 {
	const between = 16 // looks at most
	pivot, toward := s.pivot(at, s.lambda)
	c, size, lambda := s.product(at), s.size(at), s.lambda
	widest := 0.0
	for _, v := range c {
		widest = max(widest, math.Abs(v))
	}
	bound := p.noise*pivot +
		relativeRounding*4*p.largest*widest*(size+math.Abs(toward)+2*widest*p.residual)
	halves := int64(0)
	for lo := 0; lo < len(p.of) && halves <= most; lo += between {
		some := p.of[lo:min(lo+between, len(p.of))]
		for k := range some {
			e := &some[k]
			u, w, reduced, left := e.step(c, pivot, toward, lambda)
			margin := e.margin*reduced + (u-w)*left
			switch {
			case margin > bound:
			case margin < -bound:
				halves += 2
			default:
				halves += halvesOf(margin, e.noise*reduced+rounding(u, w, left, size))
			}
		}
	}
	return halves
}

func (p *pairs) loss(s *state, at int, _ *memory) float64 {
	pivot, toward := s.pivot(at, s.lambda)
	c, y, sum := s.product(at), s.of.y, 0.0
	for k := range p.of {
		e := &p.of[k]
		u, w, reduced, left := e.step(c, pivot, toward, s.lambda)
		rest := y[e.i] - y[e.j] - (e.margin + (u-w)*left/reduced)
		sum += rest * rest
	}
	return s.of.loss(sum / float64(len(p.of)))
}

func (p *pairs) score(s *state) (found score) {
	y, sum := s.of.y, 0.0
	for _, e := range p.of {
		found.halves += halvesOf(e.margin, e.noise)
		rest := y[e.i] - y[e.j] - e.margin
		sum += rest * rest
	}
	found.loss = s.of.loss(sum / float64(len(p.of)))
	return found
}

// halvesOf is 0 for a pair in the right order, 1 for a tie within a bound of rounding, and 2 for the wrong order.
func halvesOf(margin, bound float64) int64 {
	switch {
	case margin > bound:
		return 0
	case margin < -bound:
		return 2
	}
	return 1
}

func (p *pairs) judged() int64 { return int64(len(p.of)) }

func (p *pairs) part(*state, []int) held {
	other := *p
	other.of = slices.Clone(p.of)
	return &other
}
