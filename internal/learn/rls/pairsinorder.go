package rls

import (
	"cmp"
	"context"
	"math"

	"pairrank/data"
)

// PairsInOrder is LeavePairOut with the orders of OrderPairs or, of censored times, of OrderStars, of which the error
// of pairs is. Both round: where they do not agree on the order of two predictions, these become their mean and, unless
// they tie, the number next to it. It costs both, and m² bytes for each output.
func (p *Path) PairsInOrder(ctx context.Context, lambda float64, emit func(worker, i, c int, fi, fj []float64)) error {
	if !p.ordersPairs() && !p.hasStars() {
		return p.LeavePairOut(ctx, lambda, emit)
	}
	m := p.Rows()
	orders := make([][]int8, p.goal.Outputs*m) // of each output and row, with the rows after it
	for at := range orders {
		orders[at] = make([]int8, m-1-at%m)
	}
	var err error
	if p.hasStars() {
		err = p.OrderStars(ctx, []float64{lambda}, func(_, _ int32) bool { return true },
			func(_, i int, others []int32, apart *data.Dense) {
				for a, j := range others {
					orders[i][int(j)-i-1] = int8(cmp.Compare(apart.Row(a)[0], 0))
				}
			})
	} else {
		err = p.OrderPairs(ctx, lambda, func(_, i, c int, fi, fj []float64) {
			for b, f := range fi {
				orders[c*m+i][b] = int8(cmp.Compare(f, fj[b]))
			}
		})
	}
	if err != nil {
		return err
	}
	return p.LeavePairOut(ctx, lambda, func(worker, i, c int, fi, fj []float64) {
		for b, order := range orders[c*m+i] {
			if cmp.Compare(fi[b], fj[b]) == int(order) {
				continue
			}
			fi[b] = fi[b]/2 + fj[b]/2
			fj[b] = fi[b]
			if order != 0 {
				fj[b] = math.Nextafter(fi[b], math.Inf(-int(order)))
			}
		}
		emit(worker, i, c, fi, fj)
	})
}
