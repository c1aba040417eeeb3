package rls

import (
	"context"

	"pairrank/internal/learn/rls/internal/pencil"
)

// PairCounter counts how the pairs of a single list are ordered when each is left out of training.
// It does not predict every pair, and so replaces LeavePairOut for long lists. It is safe for
// concurrent use.
type PairCounter struct {
	path  *Path
	pairs *pencil.PairCounter
}

// PairUnit is the unit of PairCounts.Signed: one pair.
const PairUnit = pencil.PairUnit

// PairCounts are the counts of one output and λ; see PairCounter.
type PairCounts = pencil.PairCounts

// NearPairs are the pairs whose order may change when they are left out. Count predicts all of
// them, Size pairs, or a sample.
type NearPairs = pencil.NearPairs

// PairCounter prepares to count pairs by labels y, m×v, in O(mk²) in the primal form. It returns
// nil where only LeavePairOut serves: unless any pair can be held out, and the goal compares a
// single list of at least eight rows or is regression. Rows with weights need the same as whole numbers; none may have
// so much of the weight that the λ of their pairs differ by a factor of e. Their pairs are counted without draws and
// CountSome. That of FactorOnce with pairs panics at another λ.
func (p *Path) PairCounter(y []float64, whole []int64) *PairCounter {
	const least = 8 // so that two lone rows are not the majority
	if p.goal.CanHoldOutAny() != nil || p.Rows() < least || (whole == nil) != (p.goal.RowWeights == nil) {
		return nil
	}
	var pairs *pencil.PairCounter
	switch {
	case whole != nil:
		pairs = p.scaled().NewPairCounter(y, whole)
	case p.hasPairs():
		pairs = p.inverse.pairs.NewPairCounter(y)
	default:
		pairs = p.factored().NewPairCounter(y)
	}
	if pairs == nil {
		return nil
	}
	if degenerate := p.labels.pairs(); degenerate != nil {
		pairs.Degenerate, pairs.Lone = degenerate.without, p.loneRows
	}
	return &PairCounter{p, pairs}
}

// loneRows returns the rows whose linear term r for output c differs from that of most rows.
func (p *Path) loneRows(c int) (rows []int32) {
	all := make([]int32, p.Rows())
	for i := range all {
		all[i] = int32(i)
	}
	usual := mostFrequent(p.labels.frequencies(all, c))[0].value
	for _, i := range all {
		if p.labels.at(i, c) != usual {
			rows = append(rows, i)
		}
	}
	return rows
}

// At finds, for each output, the pairs whose order may change when they are left out at one λ:
// those whose predictions are no farther apart than the leverages of the two rows allow. It costs
// O(mk + m log m) for each output. It returns ErrNumerical where a prediction is not finite, and
// panics unless λ is positive and finite.
func (c *PairCounter) At(lambda float64) ([]*NearPairs, error) {
	at, err := c.pairs.At(c.effective(lambda))
	if err != nil {
		return nil, pairError(err, lambda)
	}
	return c.near(at), nil
}

// Each calls body with the result of At for each λ, valid until body returns. It takes less time
// and memory than At: it sums over the rows for several λ at a time, and reuses the memory of one λ
// for the next. It returns the first error of body, or of At, and panics unless every λ is positive
// and finite.
func (c *PairCounter) Each(lambdas []float64, body func(l int, near []*NearPairs) error) error {
	var stopped error
	l := 0
	err := c.pairs.Each(c.allEffective(lambdas), func(at int, pairs *pencil.PairsAt) error {
		stopped = body(at, c.near(pairs))
		l = at + 1
		return stopped
	})
	if err != nil && stopped == nil {
		return pairError(err, lambdas[l])
	}
	return err
}

// PairSums say how some pairs are ordered; see PairCounter.CountSome.
type PairSums = pencil.PairSums

// CountSome leaves out each of some pairs of rows i ≠ j at each λ, as LeavePairOut does, and emits the sums of every
// output for λ number l, valid until emit returns. What does not depend on the labels is computed once for all outputs:
// a λ costs O(mk) for each output, O(k) for each pair and O(1) for each pair of an output; pairs with the same first
// row should follow one another. CountSome returns ErrNumerical where a prediction is not finite, and the error of ctx.
// It panics unless every λ is positive and finite.
func (c *PairCounter) CountSome(ctx context.Context, lambdas []float64, pairs [][2]int32,
	emit func(l int, of []PairSums)) error {
	l := 0
	err := c.pairs.CountSome(ctx, c.allEffective(lambdas), pairs, func(at int, of []PairSums) {
		emit(at, of)
		l = at + 1
	})
	if err != nil && ctx.Err() == nil {
		return pairError(err, lambdas[l])
	}
	return err
}

// effective is the λ of the factored problem.
func (c *PairCounter) effective(lambda float64) float64 {
	if c.path.hasPairs() && !c.path.inverts(lambda) {
		panic("rls: a PairCounter of FactorOnce at another λ")
	}
	if c.path.goal.RowWeights != nil {
		checkLambda(lambda)
		return c.path.effective(lambda) * c.path.scaled().Middle()
	}
	return c.path.ofPairs(lambda)
}

func (c *PairCounter) allEffective(lambdas []float64) []float64 {
	effective := make([]float64, len(lambdas))
	for l, lambda := range lambdas {
		effective[l] = c.effective(lambda)
	}
	return effective
}

func (c *PairCounter) near(at *pencil.PairsAt) []*NearPairs {
	near := make([]*NearPairs, c.path.Outputs())
	for o := range near {
		near[o] = at.Near(o)
	}
	return near
}

// Columns returns k, the number of eigenvalues: each near pair costs k multiplications, or in the dual form 2k where λ
// is far above all of them. It is 0 for FactorOnce, which with pairs has the products of all.
func (p *Path) Columns() int {
	if p.hasPairs() {
		return 0
	}
	return p.basis.Rank()
}
