package pencil

import (
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// Degenerate reports whether the rows that L compares are equal up to rounding. RᵀLR is then 0, and
// so is every difference of predictions; without this check rounding divided by λ would make them
// large. It is false for regression, where a constant has an effect. Cost O(mk).
func (p *Pencil) Degenerate() bool {
	if !p.Centred || len(p.Eigenvalues) == 0 {
		return false
	}
	most := p.Eigenvalues[len(p.Eigenvalues)-1]
	if most == 0 {
		return true
	}
	if r, ok := p.rows.(*dualRows); ok {
		// An entry of FKF has a rounding error of ε max|K| L_ii, where L_ii is the square of row i
		// of W = FU.
		weight := 0.0
		for i := range r.k.Rows {
			weight = max(weight, linalg.Dot(r.w.Row(i), r.w.Row(i)))
		}
		return most <= 16*epsilon*sqrt(float64(r.k.Rows))*p.largest*weight
	}
	const piece = 256 // rows at a time
	source, weights := p.rows.(*primalRows).source, goals.Diagonal(p.L)
	buffer, numbers, size := linalg.Mat{}, all(len(weights)), 0.0
	for lo := 0; lo < len(numbers); lo += piece {
		h := numbers[lo:min(lo+piece, len(numbers))]
		rows, ok := source.RowsView(h)
		if !ok {
			rows = sized(&buffer, len(h), len(p.Eigenvalues))
			source.RowsTo(rows, h)
		}
		for a, i := range h {
			size += weights[i] * linalg.Dot(rows.Row(a), rows.Row(a))
		}
	}
	return WithinRounding(most, size)
}

// WithinRounding reports whether the largest eigenvalue of RᵀLR, most, is rounding alone. size is Σ
// L_ii ‖x_i‖²: a centred row has a rounding error of ε times its size, and RᵀLR the square of that.
func WithinRounding(most, size float64) bool {
	const rounding = 32 * epsilon
	return most <= rounding*rounding*size
}

// emitZeros emits the predictions of a degenerate problem: 0 for every row.
func (p *Pencil) emitZeros(ho HoldOut) {
	for g := range ho.Groups.Len() {
		n := len(ho.Groups.Part(g))
		if !ho.leavesOut(g) {
			continue
		}
		none := &Rounding{each: linalg.NewMat(n, p.Outputs())}
		for l := range ho.Lambdas {
			ho.Emit(g, l, linalg.NewMat(n, p.Outputs()), none)
		}
	}
}
