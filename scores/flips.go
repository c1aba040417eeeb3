package scores

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// flips are signs of units: draws of what the differences of systems would be, were they 0.
//
// Where systems s and t are alike and what unit g contributes to their difference, w_g = q_g d_st + r_gs − r_gt with
// Σ_g w_g = d_st, is as likely as −w_g, all signs of units are equally likely. So is each value of
//
//	R_st = |Σ_g ε_g w_g| / √(Σ_g w_g²),
//
// which grows with the t statistic of the difference; q_g is the block's share in what is known of it. All differences
// have the same signs, so that the largest R of a set of differences has the distribution of the largest R of those
// that are 0 (Westfall and Young 1993, Resampling-based multiple testing; Romano and Wolf 2005, Exact and approximate
// stepdown methods for multiple hypothesis testing).
type flips struct {
	f *fit
	// drawn has Σ_g ε_g r_g of each draw, a row each, and lean Σ_g ε_g q_g. The first draw has no sign turned.
	drawn linalg.Mat
	lean  []float64
	// square is Σ_g r_g r_gᵀ, cross Σ_g q_g r_g, and even Σ_g q_g².
	square linalg.Mat
	cross  []float64
	even   float64
	// leans, crosses and evens are lean, cross and even of the shares U in place of q: Σ_g ε_g U_g of each draw, a row
	// each, Σ_g U_g r_gᵀ and Σ_g U_g U_gᵀ. They are empty where there are no shares.
	leans, crosses, evens linalg.Mat
	// exact says that each pattern of signs is a draw.
	exact bool
}

// pair is two systems, of which the second may be worth more than the first by less than a margin.
type pair struct {
	s, t   int
	margin float64 // that is taken from a_s − a_t
}

// drawsOfSigns is how many patterns of signs are drawn, and about how many are enumerated: fewer are taken one by one.
const drawsOfSigns = 4095

// flipsOf draws the signs of a fit. It costs O(D B S), of D draws and B blocks.
func flipsOf(f *fit, seed uint64) *flips {
	blocks, s := f.parts.Rows, f.parts.Cols
	d := &flips{f: f, exact: blocks-1 < bits.Len(drawsOfSigns), square: linalg.NewMat(s, s), cross: make([]float64, s)}
	draws := drawsOfSigns
	if d.exact {
		draws = 1 << (blocks - 1)
	}
	d.drawn, d.lean = linalg.NewMat(draws, s), make([]float64, draws)
	if f.shares != nil {
		d.leans = linalg.NewMat(draws, s)
	}
	const some = 256 // draws at a time
	r := rand.New(rand.NewPCG(seed, 0x5c0fe5))
	all := linalg.NewMat(min(some, draws), blocks)
	for lo := 0; lo < draws; lo += some {
		n := min(some, draws-lo)
		signs := all.Slice(0, n, 0, blocks)
		for k := range n {
			d.turn(signs.Row(k), lo+k, r)
		}
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, signs, f.parts, 0, d.drawn.Slice(lo, lo+n, 0, s))
		linalg.Gemv(linalg.NoTrans, 1, signs, f.share, 0, d.lean[lo:lo+n])
		if h := f.shares; h != nil {
			linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, signs, h.of, 0, d.leans.Slice(lo, lo+n, 0, s))
		}
	}
	linalg.Syrk(linalg.Upper, linalg.T, 1, f.parts, 0, d.square)
	linalg.Symmetrize(linalg.Upper, d.square)
	linalg.Gemv(linalg.T, 1, f.parts, f.share, 0, d.cross)
	d.even = linalg.Dot(f.share, f.share)
	if h := f.shares; h != nil {
		d.crosses, d.evens = linalg.NewMat(s, s), linalg.NewMat(s, s)
		linalg.Gemm(linalg.T, linalg.NoTrans, 1, h.of, f.parts, 0, d.crosses)
		linalg.Syrk(linalg.Upper, linalg.T, 1, h.of, 0, d.evens)
		linalg.Symmetrize(linalg.Upper, d.evens)
	}
	return d
}

// turn sets the signs of draw k.
func (d *flips) turn(signs []float64, k int, r *rand.Rand) {
	for b := range signs {
		turned := false
		switch {
		case d.exact:
			turned = b > 0 && k>>(b-1)&1 == 1
		case k > 0:
			turned = r.Uint64()&1 == 1
		}
		if signs[b] = 1; turned {
			signs[b] = -1
		}
	}
}

// known are Σ_g q_g² and Σ_g q_g (r_gs − r_gt) of a pair.
func (d *flips) known(p pair) (even, cross float64) {
	if d.f.shares == nil {
		return d.even, d.cross[p.s] - d.cross[p.t]
	}
	s, t := p.s, p.t
	a := d.f.shares.weight(p)
	b := 1 - a
	even = a*a*d.evens.Row(s)[s] + 2*a*b*d.evens.Row(s)[t] + b*b*d.evens.Row(t)[t]
	return even, a*(d.crosses.Row(s)[s]-d.crosses.Row(s)[t]) + b*(d.crosses.Row(t)[s]-d.crosses.Row(t)[t])
}

// scale is 1/√(Σ_g w_g²) of a pair, 0 where no unit contributes anything.
func (d *flips) scale(p pair) float64 {
	gap := d.gap(p)
	even, cross := d.known(p)
	sum := d.square.Row(p.s)[p.s] + d.square.Row(p.t)[p.t] - 2*d.square.Row(p.s)[p.t]
	all := gap*gap*even + 2*gap*cross + sum
	size := math.Abs(d.f.worth[p.s]) + math.Abs(d.f.worth[p.t]) + math.Abs(p.margin)
	if all <= 1e-28*size*size {
		return 0
	}
	return 1 / math.Sqrt(all)
}

// gap is a_s − a_t less the margin.
func (d *flips) gap(p pair) float64 { return d.f.worth[p.s] - d.f.worth[p.t] - p.margin }

// level is the share of true hypotheses of which some may be rejected.
const level = 0.05

// bundle is pairs with one first system.
type bundle struct {
	s       int
	pairs   []pair
	scale   []float64
	largest float64 // of scale
	margin  float64 // the largest
	// first and second are the gap of a pair times the weights of the shares of its systems, and gap is the largest; they
	// are empty where there are no shares.
	first, second []float64
	gap           float64
}

// bundles are the pairs that are not told apart by their first systems, which follow one another, with their scales.
func (d *flips) bundles(pairs []pair, scale []float64, apart []bool) (all []bundle) {
	for k, p := range pairs {
		if apart[k] {
			continue
		}
		if len(all) == 0 || p.s != all[len(all)-1].s {
			all = append(all, bundle{s: p.s})
		}
		b := &all[len(all)-1]
		b.pairs, b.scale = append(b.pairs, p), append(b.scale, scale[k])
		b.largest, b.margin = max(b.largest, scale[k]), max(b.margin, math.Abs(p.margin))
		if h := d.f.shares; h != nil {
			gap, a := d.gap(p), h.weight(p)
			b.first, b.second, b.gap = append(b.first, a*gap), append(b.second, (1-a)*gap), max(b.gap, math.Abs(gap))
		}
	}
	return all
}

// largest is the largest R of a draw, or most where that is larger. value and further are for as many numbers as there
// are systems.
func (d *flips) largest(k int, all []bundle, value, further []float64, most float64) float64 {
	lean := d.lean[k]
	low, high := math.Inf(1), math.Inf(-1)
	for s, x := range d.drawn.Row(k) {
		value[s] = x + lean*d.f.worth[s]
		low, high = min(low, value[s]), max(high, value[s])
	}
	furthest := 0.0 // by how much the lean of a pair differs from that of all units, at most
	if d.f.shares != nil {
		for s, x := range d.leans.Row(k) {
			further[s] = x - lean
			furthest = max(furthest, math.Abs(further[s]))
		}
	}
	for i := range all {
		b := &all[i]
		v := value[b.s]
		if (max(v-low, high-v)+math.Abs(lean)*b.margin+furthest*b.gap)*b.largest <= most {
			continue
		}
		for j, scale := range b.scale {
			p := &b.pairs[j]
			x := v - value[p.t] - lean*p.margin
			if furthest > 0 {
				x += b.first[j]*further[p.s] + b.second[j]*further[p.t]
			}
			if r := math.Abs(x) * scale; r > most {
				most = r
			}
		}
	}
	return most
}

// critical is the R above which a pair of some is told apart: no more than 5 % of the draws have a pair above. It is
// +Inf where one draw is more than that. above are bounds of the largest R of the draws, which it lowers: it looks at
// draws in their order, the largest first, until as many as 5 % have an R that no other one can reach. It costs O(S)
// and the pairs of the outermost systems for each draw that it looks at.
func (d *flips) critical(all []bundle, above []float64) float64 {
	const batch = 256
	most, critical := int(level*float64(len(above))), 0.0
	if most < 1 {
		return math.Inf(1)
	}
	order := pick.All[int](len(above))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(above[b], above[a]) })
	var seen []float64
	for at := 0; at < len(order) && (len(seen) <= most || above[order[at]] > critical); at += batch {
		some := order[at:min(at+batch, len(order))]
		parallel.Chunks(len(some), batch/4, func(_, lo, hi int) {
			value, further := make([]float64, d.drawn.Cols), make([]float64, d.drawn.Cols)
			for _, k := range some[lo:hi] {
				above[k] = d.largest(k, all, value, further, critical)
			}
		})
		seen = append(seen, pick.Rows(above, some)...)
		slices.SortFunc(seen, func(a, b float64) int { return cmp.Compare(b, a) })
		if len(seen) > most {
			critical = seen[most]
		}
	}
	return critical * (1 + 1e-12)
}

// apart tells which pairs are told apart, by steps: those that are leave, and the largest R of the others gets smaller.
// All are right together in 95 % of samples. It returns the t statistics from which all pairs, and those that are left
// after the last step, are told apart; NaN where d is nil, and nothing is.
func (d *flips) apart(pairs []pair) (apart []bool, first, last float64) {
	if apart = make([]bool, len(pairs)); d == nil {
		return apart, math.NaN(), math.NaN()
	}
	scale, above := make([]float64, len(pairs)), slices.Repeat([]float64{math.Inf(1)}, d.drawn.Rows)
	for k, p := range pairs {
		scale[k] = d.scale(p)
	}
	for left, still := len(pairs), 0; left > 0 && left != still; {
		critical := d.critical(d.bundles(pairs, scale, apart), above)
		if last = tOf(critical, d.f.parts.Rows); left == len(pairs) {
			first = last
		}
		still, left = left, 0
		for k, p := range pairs {
			apart[k] = apart[k] || math.Abs(d.gap(p))*scale[k] > critical
			if !apart[k] {
				left++
			}
		}
	}
	return apart, first, last
}

// tOf is the t statistic over G units of which R is a function, t² = R² (G − 1) / (G − R²).
func tOf(r float64, units int) float64 {
	g := float64(units)
	if r*r >= g*(1-1e-12) {
		return math.Inf(1)
	}
	return r * math.Sqrt((g-1)/(g-r*r))
}
