package scores

import (
	"math"

	"pairrank/internal/linalg"
)

// shares are how much of what is known of each system each block of units says: of system s, with the normal equations
// L_g of block g,
//
//	U_gs = (L⁺ L_g L⁺)_ss / α_s,  α_s = (L⁺)_ss,  Σ_g U_gs = 1.
//
// The worths with a_s = a_t are a − d_st L⁺δ/(δᵀL⁺δ), with d_st = a_s − a_t and δ = e_s − e_t, so that block g has
// δᵀL⁺L_gL⁺δ/(δᵀL⁺δ) of d_st. But for (L⁺L_gL⁺)_st and (L⁺)_st, which are smaller by the number of systems, this is
// the mean of U_gs and U_gt with the weights α_s and α_t. In a complete table it is the block's share of the units,
// whatever s and t are, and there are no shares.
type shares struct {
	of    linalg.Mat // U
	alpha []float64
}

// sharesOf are those of a table with missing cells, nil of a complete one. It costs O(I S²).
func (v *leaving) sharesOf() *shares {
	s := len(v.worth)
	if v.complete {
		return nil
	}
	squares := v.inverse.Clone()
	for k, x := range squares.Data {
		squares.Data[k] = x * x
	}
	h := &shares{of: linalg.NewMat(v.blocks, s), alpha: make([]float64, s)}
	for k := range s {
		h.alpha[k] = v.inverse.Row(k)[k]
	}
	unit := 0
	for lo := 0; lo < len(v.items); lo += unitBlock {
		n := min(unitBlock, len(v.items)-lo)
		is, square, sum := linalg.NewMat(n, s), linalg.NewMat(n, s), linalg.NewMat(n, s)
		for r := range n {
			for k, y := range v.p.Y.Row(v.items[lo+r]) {
				if !math.IsNaN(y) {
					is.Row(r)[k] = 1
				}
			}
		}
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, is, squares, 0, square)
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, is, v.inverse, 0, sum)
		for r := range n {
			for v.start[unit+1] <= lo+r {
				unit++
			}
			to, count := h.of.Row(unit%v.blocks), linalg.Sum(is.Row(r))
			for k, x := range sum.Row(r) {
				to[k] += (square.Row(r)[k] - x*x/count) / h.alpha[k]
			}
		}
	}
	return h
}

// weight is that of the first system of a pair.
func (h *shares) weight(p pair) float64 { return h.alpha[p.s] / (h.alpha[p.s] + h.alpha[p.t]) }
