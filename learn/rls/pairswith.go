package rls

import "pairrank/learn/rls/internal/pencil"

// PairsOut computes the held-out predictions of LeavePairOut at one λ, for one row with a list of
// others at a time. It is safe for concurrent use.
type PairsOut struct {
	pairs      *pencil.PairsWith
	degenerate *pairDegeneracy
}

// LeavePairsWith prepares, for one λ, the predictions of chosen pairs, each pair left out of
// training: those that LeavePairOut computes for all pairs. It is exact where LeavePairOut is, and
// returns a *NotExactError elsewhere. It returns ErrNumerical where a prediction is not finite. The
// cost is O(mk²) in the primal and sparse forms and O(mk) in the dual one, or O(m³) there for
// several queries. It panics unless λ is positive and finite.
func (p *Path) LeavePairsWith(lambda float64) (*PairsOut, error) {
	checkLambda(lambda)
	if err := p.goal.CanHoldOutAny(); err != nil {
		return nil, err
	}
	pairs, err := p.pencil.PairsWith(p.effective(lambda) * p.goal.LambdaScale(2))
	if err != nil {
		return nil, pairError(err, lambda)
	}
	return &PairsOut{pairs, p.labels.pairs()}, nil
}

// RowTo fills fi and fj, as long as others, with the predictions of output c for row i and for each
// of the others, as if the two rows had been left out of training. It costs O(k) for each pair, in
// products of vectors only. It panics when a length does not fit or i is among the others.
func (o *PairsOut) RowTo(fi, fj []float64, i int, others []int32, c int) {
	o.pairs.RowTo(fi, fj, i, others, c)
	if o.degenerate == nil {
		return
	}
	for b, j := range others {
		if o.degenerate.without(int32(i), j, c) {
			fi[b], fj[b] = 0, 0
		}
	}
}
