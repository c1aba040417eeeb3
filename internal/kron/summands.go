package kron

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/pairterms"
)

// Summands returns the size of the numbers that held-out scores for a λ are made of: the labels, as far as a function
// of this norm can learn them, and some bits of the means that the ranking loss takes off. Where they cancel, as for a
// node without a kernel value to others, the scores that are left are rounding compared with them. HoldOutBoth
// subtracts from labels, with an error of more bits. It costs O(pr).
func (p *Path) Summands(lambda float64, s Setting) float64 {
	if resolved(s) == Both {
		return lostOfBoth / rounding * widest(linalg.Mat(*p.y))
	}
	own := widest(p.centredLabels()) + lastBits*widest(linalg.Mat(*p.y))
	return own * part(p.rows.size*p.cols.size, lambda, true)
}

// lastBits is the rounding of labels relative to that of scores: of 2⁻⁵⁰ to 2⁻⁴².
const lastBits = 1.0 / 256

// Summands returns the size of the numbers that held-out scores for two λ are made of, in O(pr).
func (t *TwoStep) Summands(lambdaRows, lambdaCols float64) float64 {
	return widest(linalg.Mat(*t.y)) * part(t.rows.size, lambdaRows, true) * part(t.cols.size, lambdaCols, true)
}

// Summands returns the size of the numbers that scores of conjugate gradients for a λ are made of, as for a Path, in
// O(m + p² + r²).
func (s System) Summands(lambda float64, loss Loss) float64 {
	y, all := append([]float64(nil), s.Y...), 0.0
	newMeans(s.Edges.Row, s.Rows.Rows, loss).takeOff(y)
	largest, own := max(widest(linalg.Mat(*s.Rows)), widest(linalg.Mat(*s.Cols))), 0.0
	for _, t := range pairterms.TermsOf(s.Kernel) {
		size := math.Abs(t.Weight)
		for _, l := range []pairterms.Link{t.A, t.B} {
			switch l.As {
			case pairterms.Value:
				size *= largest
			case pairterms.Square:
				size *= largest * largest
			}
		}
		all += size
	}
	for e, v := range y {
		own = max(own, math.Abs(v)+lastBits*math.Abs(s.Y[e]))
	}
	return own * part(all*float64(len(y)), lambda, true)
}
