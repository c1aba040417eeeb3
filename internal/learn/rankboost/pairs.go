package rankboost

import (
	"math"
	"slices"

	"pairrank/internal/goals"
	"pairrank/internal/parallel"
)

// pairs is the distribution D over the compared pairs: the scores H of the
// places, from which weigh makes the potentials.
//
// The exponentials of H are taken relative to the scores that they are compared with, so that none
// overflows however far H has spread: with a the largest score of the lower levels up to l and b the
// smallest of those above,
//
//	e^(H_j − H_i) = e^(H_j − a) · e^(a − b) · e^(b − H_i)     j up to l, i above
//
// where the outer factors are at most 1, and so is the inner one when the
// largest a − b of all queries is subtracted in the exponent, which changes no ratio of D.
type pairs struct {
	count   float64 // N
	rows    []int32 // the row of each place
	queries []query
	levels  []level
	pieces  []int // piece k of the work is the queries pieces[k] … pieces[k+1]−1

	h    []float64 // scores H
	a    []float64 // weights of the rows; nil where each is 1
	u, v []float64 // a_i times e^(H_i − top) except for the top level, e^(low − H_i) except for the bottom one
	pi   []float64 // potentials π, up to a common factor

	sums []sums // of each piece
}

// query is the levels first…end−1 of a query, by ascending label, at least two,
// and the weight of one of its pairs.
type query struct {
	first, end int
	weight     float64
}

// level is the places lo…hi−1 of one label in a query. Levels above are compared with it where it is lower: each but
// the last one and those of censored times. The first one is.
type level struct {
	lo, hi int
	lower  bool
	top    float64 // a: the largest score of this level, if it is lower, and those below that are
	low    float64 // b: the smallest score of this level and those above
	rise   float64 // e^(a of the level below − a)
	cut    float64 // weight · e^(a − b of the level above − the largest of these), 0 for the top level
}

// pieceRows is about how many places a piece of work has.
const pieceRows = 2048

// newPairs takes levels and weights from a goal of unit cost, of rows with weights, or nil.
func newPairs(goal *goals.Goal, weights []float64) *pairs {
	p := &pairs{count: goal.Pairs, pieces: []int{0}}
	begun, last := 0, -1 // the first place of the piece, and the component
	goal.L.(goals.Levels).EachLevel(func(g int, rows []int32, weight float64) {
		at := len(p.rows)
		if g != last {
			if last = g; at-begun >= pieceRows {
				p.pieces, begun = append(p.pieces, len(p.queries)), at
			}
			p.queries = append(p.queries, query{first: len(p.levels), weight: weight})
		}
		p.rows = append(p.rows, rows...)
		slices.Sort(p.rows[at:])
		p.levels = append(p.levels, level{lo: at, hi: len(p.rows), lower: weight > 0})
		p.queries[len(p.queries)-1].end = len(p.levels)
	})
	for _, q := range p.queries {
		p.levels[q.end-1].lower = false
	}
	if begun < len(p.rows) {
		p.pieces = append(p.pieces, len(p.queries))
	}
	m := len(p.rows)
	p.h, p.u, p.v, p.pi = make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
	p.sums = make([]sums, len(p.pieces)-1)
	if weights != nil {
		p.a = make([]float64, m)
		for k, i := range p.rows {
			p.a[k] = weights[i]
		}
		p.count = max(p.count, p.copies())
	}
	return p
}

// copies is the number of pairs with as many copies of each row as its weight says.
func (p *pairs) copies() (count float64) {
	for _, q := range p.queries {
		below := 0.0
		for _, l := range p.levels[q.first:q.end] {
			sum := 0.0
			for _, a := range p.a[l.lo:l.hi] {
				sum += a
			}
			if count += sum * below; l.lower {
				below += sum
			}
		}
	}
	return count
}

// weighed is the weight of the row at a place times x.
func (p *pairs) weighed(place int, x float64) float64 {
	if p.a == nil {
		return x
	}
	return p.a[place] * x
}

// sums are summed over queries: the outcome of a stump and the weight of all pairs; gap is a
// maximum.
type sums struct {
	outcome
	mass, gap float64
}

// each calls f for every query, in parallel over pieces, and returns the sums in
// an order that the sizes alone decide.
func (p *pairs) each(f func(q query, s *sums)) sums {
	parallel.For(len(p.sums), func(_, k int) {
		s := sums{gap: math.Inf(-1)}
		for _, q := range p.queries[p.pieces[k]:p.pieces[k+1]] {
			f(q, &s)
		}
		p.sums[k] = s
	})
	all := sums{gap: math.Inf(-1)}
	for _, s := range p.sums {
		all.right += s.right
		all.wrong += s.wrong
		all.same += s.same
		all.mass += s.mass
		all.gap = max(all.gap, s.gap)
	}
	return all
}

// weigh makes the potentials from the scores in O(m) and returns the sum of D
// in the same units, which is above 0.
func (p *pairs) weigh() (mass float64) {
	gap := p.each(func(q query, s *sums) { s.gap = max(s.gap, p.extremes(q)) }).gap
	return p.each(func(q query, s *sums) {
		p.relate(q, gap)
		s.mass += p.climb(q)
		p.descend(q)
	}).mass
}

// extremes sets top and low of the levels and returns the largest a − b over a
// pair of them: by how much the worst pair is ordered wrongly.
func (p *pairs) extremes(q query) (gap float64) {
	levels := p.levels[q.first:q.end]
	top := math.Inf(-1)
	for k := range levels {
		l := &levels[k]
		for _, h := range p.h[l.lo:l.hi] {
			if l.lower {
				top = max(top, h)
			}
		}
		l.top = top
	}
	low := math.Inf(1)
	gap = math.Inf(-1)
	for k := len(levels) - 1; k >= 0; k-- {
		l := &levels[k]
		gap = max(gap, l.top-low)
		for _, h := range p.h[l.lo:l.hi] {
			low = min(low, h)
		}
		l.low = low
	}
	return gap
}

// relate sets rise and cut of the levels.
func (p *pairs) relate(q query, gap float64) {
	levels := p.levels[q.first:q.end]
	for k := 1; k < len(levels); k++ {
		below, l := &levels[k-1], &levels[k]
		l.rise = expNotAbove(below.top, l.top)
		below.cut = q.weight * math.Exp(below.top-l.low-gap)
	}
}

// expNotAbove is e^(x−y) for x ≤ y, which are often equal.
func expNotAbove(x, y float64) float64 {
	if x == y {
		return 1
	}
	return math.Exp(x - y)
}

// climb walks from the lowest level up. It sets u and v, and π_i to the sum of
// D(i,j) over the levels below; it returns the sum of those.
func (p *pairs) climb(q query) (mass float64) {
	sum := 0.0 // Σ e^(H_j − top) over the levels below, top that of the one below
	for k := q.first; k < q.end; k++ {
		l := &p.levels[k]
		if k == q.first {
			clear(p.pi[l.lo:l.hi])
		} else {
			reach := sum * p.levels[k-1].cut
			sum *= l.rise
			all := 0.0
			for i := l.lo; i < l.hi; i++ {
				v := p.weighed(i, math.Exp(l.low-p.h[i]))
				p.v[i], p.pi[i] = v, v*reach
				all += v
			}
			mass += all * reach
		}
		if l.lower {
			for i := l.lo; i < l.hi; i++ {
				u := p.weighed(i, math.Exp(p.h[i]-l.top))
				p.u[i] = u
				sum += u
			}
		}
	}
	return mass
}

// descend walks from the highest level down and subtracts the sum of D(k,i) over the levels above
// from π_i.
func (p *pairs) descend(q query) {
	sum := 0.0 // Σ e^(low − H_k) over the levels above, low that of the one above
	for k := q.end - 1; k >= q.first; k-- {
		l := &p.levels[k]
		if k < q.end-1 {
			reach := sum * l.cut
			sum *= expNotAbove(l.low, p.levels[k+1].low)
			for i := l.lo; i < l.hi && l.lower; i++ {
				p.pi[i] -= p.u[i] * reach
			}
		}
		if k > q.first {
			for _, v := range p.v[l.lo:l.hi] {
				sum += v
			}
		}
	}
}

// add moves the places of a stump by its weight.
func (p *pairs) add(alpha float64, in []float64) {
	for i, one := range in {
		p.h[i] += alpha * one
	}
}
