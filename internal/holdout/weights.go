package holdout

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/internal/learn/rls"
	"pairrank/internal/ostat"
)

// fixedWeights are weights of rows whose products are whole numbers of a unit, a power of two: their sums over pairs
// are the same in any order, so that they do not depend on the number of threads. The products of whole weights are
// exact; others are rounded by at most half a unit, 2⁻⁶¹ of the square of the sum of the weights.
type fixedWeights struct {
	of    []float64
	scale float64 // units in a weight of 1
}

// newFixedWeights returns nil of none.
func newFixedWeights(of []float64) *fixedWeights {
	if of == nil {
		return nil
	}
	sum := 0.0
	for _, w := range of {
		sum += w
	}
	const bits = 60 // of the largest sum, with one more for halves
	_, exponent := math.Frexp(max(sum*sum, sum))
	return &fixedWeights{of, math.Ldexp(1, bits-exponent)}
}

// row is the weight of a row, in units.
func (w *fixedWeights) row(i int) int64 { return int64(math.RoundToEven(w.of[i] * w.scale)) }

// pair is the weight of two rows, in units; of nil it is 1.
func (w *fixedWeights) pair(i, j int) int64 {
	if w == nil {
		return 1
	}
	return int64(math.RoundToEven(w.of[i] * w.scale * w.of[j]))
}

// value is a number of units; of nil the unit is one pair.
func (w *fixedWeights) value(units int64) float64 {
	if w == nil {
		return float64(units)
	}
	return float64(units) / w.scale
}

// takeWeighted is take of rows with weights.
func (n *pairCount) takeWeighted(worker, i, c int, fi, fj []float64) {
	y, of, w := n.y[c], n.query[i], n.weights
	rows := n.workers[worker][c*len(y) : (c+1)*len(y)]
	yi, after, others := y[i], y[i+1:][:len(fi)], rows[i+1:][:len(fi)]
	queries, fj, weights, scale := n.query[i+1:][:len(fi)], fj[:len(fi)], w.of[i+1:][:len(fi)], w.of[i]*w.scale
	var own rowPairs
	for b, f := range fi {
		if queries[b] != of {
			continue
		}
		label := sign(yi, after[b])
		pair := label * label * int64(math.RoundToEven(scale*weights[b]))
		wrong := pair - pair*label*sign(f, fj[b])
		own.halves += wrong
		own.pairs += pair
		others[b].halves += wrong
		others[b].pairs += pair
	}
	rows[i].halves += own.halves
	rows[i].pairs += own.pairs
}

// wholeWeights are weights of rows as whole numbers of a unit, which ostat.Concordance and rls.PairCounter sum exactly:
// where no pair is in the wrong order, the error is 0.
type wholeWeights struct {
	of   []int64
	unit float64
}

// newWholeWeights has none of none.
func newWholeWeights(of []float64) (w wholeWeights) {
	if of != nil {
		w.of, w.unit = ostat.Wholes(of)
	}
	return w
}

// weighted sets the points of λ number l from all near pairs of rows with weights.
func (n *listCount) weighted(ctx context.Context, l int, near []*rls.NearPairs) error {
	n.count.clear()
	for c, p := range near {
		counts, err := p.Count(ctx, 0, 0)
		if err != nil {
			return err
		}
		compared, of := n.compared[c], n.count.weights
		rows := n.count.workers[0][c*len(compared):][:len(compared)]
		for i, all := range compared {
			pair := of.of[i] * of.scale * n.whole.unit
			rows[i] = rowPairs{int64(math.RoundToEven(pair * float64(all-counts.Signed[i]))),
				int64(math.RoundToEven(pair * float64(all)))}
		}
		n.estimates[c].Points[l] = n.count.point(n.o.Candidates[l], c)
	}
	return nil
}

// pairsWithin counts, for each output, the pairs of rows of a list and a query with different labels.
func (c *collector) pairsWithin() []int64 {
	of := make([]int32, 0, c.labels.rows())
	var rows []int32
	number := map[[2]int32]int32{}
	for g, list := range c.lists {
		for _, i := range list {
			key := [2]int32{int32(g), c.labels.Queries.Of()[i]}
			k, known := number[key]
			if !known {
				k = int32(len(number))
				number[key] = k
			}
			of, rows = append(of, k), append(rows, i)
		}
	}
	parts, counts := data.NewPartition(of, len(number)), make([]int64, c.labels.outputs())
	for o := range counts {
		var some list
		for a, i := range rows {
			some.add(c.labels, i, a, o)
		}
		counts[o] = CountPairs(some.y, some.censored, parts)
	}
	return counts
}
