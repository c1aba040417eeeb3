package comparison

import (
	"context"
	"math"

	"pairrank/comparison/internal/outcome"
	"pairrank/eval/metric"
	"pairrank/internal/parallel"
	"pairrank/internal/ratio"
)

// unit is what a standard error takes as independent: the weight of wins that are ordered wrongly, of all wins,
// and how many such units there are.
type unit struct{ wrong, wins, times float64 }

// equal is the largest margin, beside the largest score, that rounding leaves of equal scores, and equalSolved that
// which a residual of Tolerance leaves.
const (
	equal       = 1e-12
	equalSolved = 1e-7
)

// tally adds up how outcomes are predicted.
type tally struct {
	o                   *Options
	h                   *HeldOut
	least, loss, weight float64
}

// add counts outcome k of a line, so often with weight w each, predicted by a margin and η. It returns w if it is a win
// that the margin orders wrongly, and w if it is a win.
func (t *tally) add(l *Line, k outcome.Kind, count, w, margin, eta float64) (wrong, wins float64) {
	t.h.Weight += count * w
	if math.IsNaN(margin) {
		t.h.Undetermined += count * w
	} else {
		t.loss += count * w * t.o.loss().Of(l, margin, eta, k).Loss
		t.weight += count * w
	}
	if k == outcome.Tied {
		return 0, 0
	}
	return w * wrongly(margin, k, t.least), w
}

// end keeps the mean loss.
func (t *tally) end() {
	if t.weight > 0 {
		t.h.Loss = metric.Value{Value: t.loss / t.weight, Defined: true}
	}
}

// measure fills in the error, its standard error, and the loss of some views of the lines.
func (b *Board) measure(h *HeldOut, sets [][]int, views []view) {
	h.measure(b.p, b.o, sets, views, b.least())
}

// measure is Board.measure of margins from anywhere; those of at most least are equal.
func (h *HeldOut) measure(p *Problem, o *Options, sets [][]int, views []view, least float64) {
	t := &tally{o: o, h: h, least: least}
	byLine := make([]unit, p.count())
	var singles []unit
	for c := range p.count() {
		l := p.source().At(c)
		byLine[c].times = 1
		for k, count := range l.Counts() {
			if count == 0 || o.loss().Silent(outcome.Kind(k)) {
				continue
			}
			for _, v := range views {
				w := l.OutcomeWeight() / float64(len(views))
				wrong, wins := t.add(l, outcome.Kind(k), count, w, v.margins[c][k], v.etas[c][k])
				byLine[c].wrong += count * wrong
				byLine[c].wins += count * wins
				if wins > 0 && h.Unit.Kind == "comparison" {
					singles = append(singles, unit{wrong, wins, count})
				}
			}
		}
	}
	t.end()
	switch h.Unit.Kind {
	case "comparison":
		h.over(h.Unit.Kind, singles)
	case "item", "pair":
		items, pairs := grouped(byLine, p.ByItem()), grouped(byLine, p.ByPair())
		if h.over("item", items); h.Unit.Kind == "pair" {
			if _, _, over := shareOf(pairs); over.N <= h.Independent {
				h.over("pair", pairs)
			}
		}
		h.Error, _, _ = shareOf(byLine)
		h.StdErr = dyadic(items, pairs, h.Error)
	default:
		h.over(h.Unit.Kind, grouped(byLine, sets))
	}
	if kind, sets := p.independent(FewUnits); kind != "" {
		h.orOver(kind, grouped(byLine, sets))
	}
}

// Units is what the standard error is over.
func (h *HeldOut) Units() metric.Over {
	return metric.Over{N: h.Independent, Of: h.Over, Effective: h.Effective}
}

// over takes the standard error over some units.
func (h *HeldOut) over(kind string, units []unit) {
	share, stderr, over := shareOf(units)
	h.Error, h.StdErr, h.Independent = share, stderr, over.N
	h.Over, h.Effective = kind, over.Effective
}

// orOver is over where that is no smaller, or the other is unknown.
func (h *HeldOut) orOver(kind string, units []unit) {
	other := *h
	other.over(kind, units)
	if !h.StdErr.Defined || !other.StdErr.Defined || other.StdErr.Value >= h.StdErr.Value {
		*h = other
	}
}

// wrongly is whether a margin orders a win wrongly: 0, 1, or ½ where it is dense.Undetermined or equal.
func wrongly(f float64, k outcome.Kind, least float64) float64 {
	if k == outcome.Lost {
		f = -f
	}
	switch {
	case f > least:
		return 0
	case f < -least:
		return 1
	}
	return 0.5
}

// grouped are the sums over sets of lines.
func grouped(byLine []unit, sets [][]int) []unit {
	out := make([]unit, len(sets))
	for g, set := range sets {
		out[g].times = 1
		for _, c := range set {
			out[g].wrong, out[g].wins = out[g].wrong+byLine[c].wrong, out[g].wins+byLine[c].wins
		}
	}
	return out
}

// shareOf is Σ wrong / Σ wins over independent units, with its standard error by leaving out each, and what it is over.
func shareOf(units []unit) (share, stderr metric.Value, over metric.Over) {
	terms, times := make([]metric.Term, len(units)), make([]float64, len(units))
	wrong, wins := 0.0, 0.0
	for k, u := range units {
		terms[k], times[k] = metric.Term{Num: u.wrong, Den: u.wins}, u.times
		wrong, wins = wrong+u.times*u.wrong, wins+u.times*u.wins
	}
	if wins == 0 {
		return share, stderr, over
	}
	stderr, over = ratio.CountedError(terms, times)
	return metric.Value{Value: wrong / wins, Defined: true}, stderr, over
}

// dyadic is the standard error of a ratio over lines of which those that share an item depend on one another: the
// sum of squares over items less that over pairs, which has both items, and at least that over pairs, each times
// n/(n−1) for the n that have a win. It is no ratio.CrossedError, which adds up what items and pairs both have.
func dyadic(items, pairs []unit, share metric.Value) metric.Value {
	if !share.Defined {
		return metric.Value{}
	}
	sum := func(units []unit) (squares, wins, n float64) {
		for _, u := range units {
			d := u.wrong - share.Value*u.wins
			squares, wins = squares+d*d, wins+u.wins
			if u.wins > 0 {
				n++
			}
		}
		return squares, wins, n
	}
	ofItems, _, m := sum(items)
	ofPairs, wins, n := sum(pairs)
	square := max((ofItems-ofPairs)*m/(m-1), ofPairs*n/(n-1))
	return ratio.StandardError(square/wins/wins, int(n))
}

// unexplained are Unexplained and Cyclic of a Ranking, of another board where b is not of the squared loss at λ = 0
// without features. Cost O(C p), and that of a fit.
func (b *Board) unexplained(ctx context.Context) (residual, cyclic float64) {
	if o := b.o; o.Loss != Squared || o.Lambda > 0 || b.p.Features != nil {
		if b.l != nil {
			return math.NaN(), math.NaN()
		}
		var err error
		if b, err = Fit(ctx, b.p.WithoutFeatures(), Options{Loss: Squared}); err != nil {
			return math.NaN(), math.NaN()
		}
	}
	if b.l != nil {
		left, total := b.pairMeans()
		return b.Objective / b.l.Null, left / total
	}
	p := b.p
	var left, all, leftMeans, allMeans float64
	for _, set := range p.ByPair() {
		first, _ := p.source().Items(set[0])
		var weight, sum, fitted float64
		for _, c := range set {
			l := p.source().At(c)
			sign := 1.0
			if l.Left != first {
				sign = -1
			}
			for k, n := range l.Counts() {
				z, w := outcome.Target(l.WinMagnitude(), outcome.Kind(k)), n*l.OutcomeWeight()
				left += w * (z - b.Margins[c]) * (z - b.Margins[c])
				all += w * z * z
				weight, sum, fitted = weight+w, sum+w*sign*z, fitted+w*sign*b.Margins[c]
			}
		}
		mean := sum / weight
		d := mean - fitted/weight
		leftMeans += weight * d * d
		allMeans += weight * mean * mean
	}
	return left / all, leftMeans / allMeans
}

// pairMeans are sums over the pairs of items of a large board: W (z̄ − f)² with the weight W of the outcomes of a pair,
// their mean z̄ and the mean margin f, and W z̄². Cost O(C).
func (b *Board) pairMeans() (left, total float64) {
	const size = 1 << 14 // items of a piece
	pieces := make([][2]float64, (len(b.Scores)+size-1)/size)
	parallel.Chunks(len(b.Scores), size, func(_, lo, hi int) {
		var sums [2]float64
		var weight, rest, all float64 // of a pair: W, W (z̄ − f) and W z̄
		end := func() {
			if weight > 0 {
				sums[0] += rest * rest / weight
				sums[1] += all * all / weight
			}
			weight, rest, all = 0, 0, 0
		}
		for i := lo; i < hi; i++ {
			for _, e := range b.l.Incidence().Above(i) {
				if e.First() {
					end()
				}
				sign, f := 1.0, b.Margins[e.Line()]
				if e.Right() {
					sign = -1
				}
				g, v := b.l.Slope(e.Line())
				weight, rest, all = weight+v, rest+sign*g, all+sign*(g+v*f)
			}
		}
		end()
		pieces[lo/size] = sums
	})
	for _, sums := range pieces {
		left, total = left+sums[0], total+sums[1]
	}
	return left, total
}
