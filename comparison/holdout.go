package comparison

import (
	"math"

	"pairrank/internal/codes"
	"pairrank/internal/parallel"
)

// HoldOut predicts each of some sets of lines as if it had been left out of training. emit receives, for
// set g, the margins of its lines in their order, and the scores of all items without it. It must not keep
// them, and may be called from several goroutines. Sets may overlap. Without features and at λ = 0, where the other
// lines fall into several components, each of these has scores of mean 0; the margin between two of them, and
// the score of an item that no other line compares, is NaN. Where the others do not determine coefficients of features
// or covariates, all are NaN.
//
// With the rows T of the set, its terms g and V at the optimum, and G = T A⁻¹ Tᵀ,
//
//	e = (I − VG)⁻¹ g        f' = f − G e        s' = s − A⁻¹ Tᵀ e
//
// which is exact for the squared loss. For the logistic loss it is one Newton step from the optimum of all,
// with the curvature of the other lines: an approximation, in which ν takes the same step, and Firth's
// terms of the other lines stay as they are. A set of h lines costs O(h³ + h²p), or where that is more than the
// unknowns O(k³), and O(E h) for the scores. It returns an error of a
// large board.
func (b *Board) HoldOut(sets [][]int, emit func(g int, margins, scores []float64)) error {
	if err := b.needs("leaving out sets of lines", codes.FaultLargeHoldOut); err != nil {
		return err
	}
	parallel.For(len(sets), func(_, g int) {
		w := b.f.Without(sets[g], true)
		emit(g, w.Margins, w.Place[:len(b.Scores)])
	})
	return nil
}

// Single returns the three margins of line c without one of its outcomes: a win of the left side, one of the right
// side, or a tie. A margin is NaN if the line has no such outcome, the others do not determine the margin, or the board
// is large. A count below 1 leaves as a whole. Single is HoldOut of a part of a line, in O(p²).
func (b *Board) Single(c int) (margins [3]float64) {
	if b.l != nil {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	margins, _ = b.f.Single(c)
	return margins
}
