package comparison

import (
	"context"
	"math"

	"pairrank/eval/metric"
)

// unit is what a standard error takes as independent: the weight of wins that are ordered wrongly, of all wins,
// and how many such units there are.
type unit struct{ wrong, wins, times float64 }

// equal is the largest margin, beside the largest score, that rounding leaves of equal scores.
const equal = 1e-12

// measure fills in the error, its standard error, and the loss of some views of the lines.
func (b *Board) measure(h *HeldOut, sets [][]int, views []view) {
	h.measure(b.s.p, b.s.o, sets, views, equal*(largest(b.Scores)+largest(b.Gamma)))
}

// measure is Board.measure of margins from anywhere; those of at most least are equal.
func (h *HeldOut) measure(p *Problem, o *Options, sets [][]int, views []view, least float64) {
	byLine := make([]unit, len(p.Lines))
	var singles []unit
	loss, weight := 0.0, 0.0
	for c := range p.Lines {
		l := &p.Lines[c]
		byLine[c].times = 1
		for k, count := range l.counts() {
			if count == 0 || o.silent(outcome(k)) {
				continue
			}
			w := l.weight() / float64(len(views))
			for _, v := range views {
				f := v.margins[c][k]
				h.Weight += count * w
				if math.IsNaN(f) {
					h.Undetermined += count * w
				} else {
					loss += count * w * o.of(f, v.etas[c][k], l.magnitude(), outcome(k)).loss
					weight += count * w
				}
				if outcome(k) == tied {
					continue
				}
				wrong := w * wrongly(f, outcome(k), least)
				byLine[c].wrong += count * wrong
				byLine[c].wins += count * w
				if h.Unit.Kind == "comparison" {
					singles = append(singles, unit{wrong, w, count})
				}
			}
		}
	}
	if weight > 0 {
		h.Loss = metric.Value{Value: loss / weight, Defined: true}
	}
	h.Over = h.Unit.Kind
	switch {
	case len(p.Annotators) >= 2:
		h.Error, h.StdErr, h.Independent = ratio(grouped(byLine, p.ByAnnotator()))
		h.Over = "annotator"
		if h.Unit.Kind == "item" {
			if d := dyadic(byLine, h.Error, sets, p.ByPair()); d.Value > h.StdErr.Value {
				h.StdErr, h.Over = d, "item"
				_, _, h.Independent = ratio(grouped(byLine, sets))
			}
		}
	case h.Unit.Kind == "comparison":
		h.Error, h.StdErr, h.Independent = ratio(singles)
	case h.Unit.Kind == "item":
		h.Error, _, _ = ratio(byLine)
		_, _, h.Independent = ratio(grouped(byLine, sets))
		h.StdErr = dyadic(byLine, h.Error, sets, p.ByPair())
	default:
		h.Error, h.StdErr, h.Independent = ratio(grouped(byLine, sets))
	}
}

// wrongly is whether a margin orders a win wrongly: 0, 1, or ½ where it is undetermined or equal.
func wrongly(f float64, k outcome, least float64) float64 {
	if k == lost {
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

// ratio is Σ wrong / Σ wins over independent units, with its standard error, and how many of them have wins.
func ratio(units []unit) (share, stderr metric.Value, independent int) {
	wrong, wins, n, squares := 0.0, 0.0, 0.0, 0.0
	for _, u := range units {
		wrong, wins = wrong+u.times*u.wrong, wins+u.times*u.wins
	}
	if wins == 0 {
		return share, stderr, 0
	}
	share = metric.Value{Value: wrong / wins, Defined: true}
	for _, u := range units {
		if u.wins > 0 {
			d := u.wrong - share.Value*u.wins
			n, squares = n+u.times, squares+u.times*d*d
		}
	}
	if n > 1 {
		stderr = metric.Value{Value: math.Sqrt(squares*n/(n-1)) / wins, Defined: true}
	}
	return share, stderr, int(math.Ceil(n))
}

// dyadic is the standard error of a ratio over lines of which those that share an item depend on one another: the
// sum of squares over items less that over pairs, which has both items, and at least that over pairs.
func dyadic(byLine []unit, share metric.Value, items, pairs [][]int) metric.Value {
	if !share.Defined {
		return metric.Value{}
	}
	sum := func(sets [][]int) (squares, wins float64) {
		for _, u := range grouped(byLine, sets) {
			d := u.wrong - share.Value*u.wins
			squares, wins = squares+d*d, wins+u.wins
		}
		return squares, wins
	}
	ofItems, _ := sum(items)
	ofPairs, wins := sum(pairs)
	if len(pairs) < 2 {
		return metric.Value{}
	}
	return metric.Value{Value: math.Sqrt(max(ofItems-ofPairs, ofPairs)) / wins, Defined: true}
}

// Shares are what the scores leave unexplained, of the board of the squared loss at λ = 0, which it fits if this is
// another one. residual is Σ w (z − f)² / Σ w z² over single outcomes: mostly the coin. cyclic is Σ W (z̄ − f)² / Σ W z̄²
// over the pairs of items, with the mean z̄ and the weight W of each: what no ranking explains, and what few
// comparisons leave to chance. Both are NaN where there are only ties, or no such board. Cost O(C p), and that of a fit.
func (b *Board) Shares() (residual, cyclic float64) {
	if o := b.s.o; o.Loss != Squared || o.Lambda > 0 {
		var err error
		if b, err = Fit(context.Background(), b.s.p, Options{Loss: Squared}); err != nil {
			return math.NaN(), math.NaN()
		}
	}
	p := b.s.p
	var left, all, leftMeans, allMeans float64
	for _, set := range p.ByPair() {
		first := &p.Lines[set[0]]
		var weight, sum, fitted float64
		for _, c := range set {
			l := &p.Lines[c]
			sign := 1.0
			if l.Left != first.Left {
				sign = -1
			}
			for k, n := range l.counts() {
				z, w := target(l.magnitude(), outcome(k)), n*l.weight()
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
