package pencil

import "math"

// nearShare is the difference of the two predictions of a pair, relative to the sizes behind their
// rounding, below which a tie is checked. Rounding exceeds it only where the system has fewer than
// six digits; then it decides.
const nearShare = 0x1p-20

// pairTerms are the sizes of an output, with all rows in the loss: ‖x‖, E and γ of the bounds of
// rounding.
type pairTerms struct{ x, right, gamma float64 }

// setTerms sets the terms of each output at λ.
func (s *pairSolver) setTerms() {
	p := s.p
	s.movedMean = grown(s.movedMean, len(s.inv))
	clear(s.movedMean)
	for l, x := range s.mean {
		s.movedMean[l] = s.inv[l] * x
	}
	s.terms = make([]pairTerms, p.Outputs())
	for c := range s.terms {
		x, gamma := 0.0, 0.0
		for j, d := range s.inv {
			own := p.C.Row(j)[c]
			x = math.Hypot(x, d*own)
			gamma += d * own * own
		}
		t := pairTerms{x, p.sizes.right[c] + (p.sizes.system+s.lambda)*x, sqrt(gamma)}
		if !p.dual {
			t.gamma = p.sizes.zero[c]
		}
		s.terms[c] = t
	}
}

// inner is q_i of the bounds of rounding, of row i.
func (s *pairSolver) inner(i int) float64 {
	if s.p.dual {
		return sqrt(s.qii[i])
	}
	return sqrt(s.diagonal[i])
}

// own is κ of row i.
func (s *pairSolver) own(i int) float64 {
	if s.kappa == nil {
		return s.p.sizes.row
	}
	return s.kappa[i]
}

// setSizes sets fsize and asize of row i by the norms of DV_i and DW_i: the bounds with all
// rows in the loss, over η.
func (s *pairSolver) setSizes(i int, dv, dw float64) {
	s.dv[i], s.dw[i] = dv, dw
	own, inner := s.own(i), s.inner(i)
	s.inners[i] = inner
	for c, t := range s.terms {
		s.fsize.Row(c)[i], s.asize.Row(c)[i] = own*t.x+dv*t.right, s.omega[i]*t.x+inner*t.gamma
	}
}

// pairSystem is the system of a pair: rows i and j, output c, entry q of Q or λQ, and X of
// both rows, on i and j of each.
type pairSystem struct {
	i, j, c int
	q       float64
	on      [4]float64
}

// ties reports whether the predictions without the rows of a pair, which differ by apart, are
// within rounding of each other, by the bounds of HoldOut: first with bounds on ‖x‖ and ‖g_h‖ by
// the norms of their terms, in O(1), then exactly, in O(k).
func (s *pairSolver) ties(apart float64, h pairSystem) bool {
	i, j, ai, aj, qi, qj := h.i, h.j, s.a.Row(h.c)[h.i], s.a.Row(h.c)[h.j], s.qii[h.i], s.qii[h.j]
	det := 1 / (qi*qj - h.q*h.q)
	di, dj := (ai*qj-aj*h.q)*det, (aj*qi-ai*h.q)*det
	if int(s.partner[i]) == j {
		di = (ai - aj) / (qi + qj - 2*h.q)
		dj = -di
	}
	on := h.on
	for l, v := range on {
		on[l] = math.Abs(v)
	}
	x := s.terms[h.c].x + s.dw[i]*math.Abs(di) + s.dw[j]*math.Abs(dj)
	g := s.dv[i] + s.dv[j] + (on[0]+on[2])*s.dw[i] + (on[1]+on[3])*s.dw[j]
	if apart > errorUnit*s.pairSize(h, on, di, dj, x, g) {
		return false
	}
	x, g = s.pairNorms(h, di, dj)
	return apart <= errorUnit*s.pairSize(h, on, di, dj, x, g)
}

// pairSize is the sum of the two bounds over η, of ‖x‖ and the sum of both ‖g_h‖.
func (s *pairSolver) pairSize(h pairSystem, on [4]float64, di, dj, x, g float64) float64 {
	i, j, sizeI, sizeJ := h.i, h.j, math.Abs(di), math.Abs(dj)
	right := s.p.sizes.right[h.c] + (s.p.sizes.system+s.lambda)*x + s.omega[i]*sizeI + s.omega[j]*sizeJ
	qi, qj := s.inners[i], s.inners[j]
	inner := s.terms[h.c].gamma + qi*sizeI + qj*sizeJ
	ei, ej := s.omega[i]*x+qi*inner, s.omega[j]*x+qj*inner
	return (s.own(i)+s.own(j))*x + g*right + (on[0]+on[2])*ei + (on[1]+on[3])*ej
}

// pairNorms are ‖x‖ and the sum of both ‖g_h‖.
func (s *pairSolver) pairNorms(h pairSystem, di, dj float64) (x, g float64) {
	if o := s.p.inverted; o != nil {
		return o.pairNorms(s, h, di, dj)
	}
	sign := 1.0
	if s.p.dual {
		sign = -1
	}
	k, null := len(s.inv), s.p.nullCount(s.lambda)
	vi, vj, ratio, mean := s.moving(h.i, h.j)
	wi, wj, right := s.w.Row(h.i)[:k], s.w.Row(h.j)[:k], s.p.C
	xx, gi, gj := 0.0, 0.0, 0.0
	for l, d := range s.inv {
		of := d * (right.Data[l*right.Stride+h.c] - wi[l]*di - wj[l]*dj)
		xx += of * of
		if l < null {
			continue
		}
		of = ratio[l]*vi[l] + mean[l] + sign*d*(h.on[0]*wi[l]+h.on[1]*wj[l])
		gi += of * of
		of = ratio[l]*vj[l] + mean[l] + sign*d*(h.on[2]*wi[l]+h.on[3]*wj[l])
		gj += of * of
	}
	return sqrt(xx), sqrt(gi) + sqrt(gj)
}

// moving are the parts of DV_i and DV_j: rows v_i and v_j times ratio, plus mean.
func (s *pairSolver) moving(i, j int) (vi, vj, ratio, mean []float64) {
	k := len(s.inv)
	if s.weight == 0 {
		return s.v.Row(i)[:k], s.v.Row(j)[:k], s.inv, s.movedMean[:k]
	}
	return s.w.Row(i)[:k], s.w.Row(j)[:k], s.ratio[:k], s.movedMean[:k]
}
