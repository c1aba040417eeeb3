package pencil

import (
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// massList is a single list of rows with weights a, of the sum s: L = c(A − aaᵀ/s), or L = A of regression, with c = 1
// and an infinite s. Then V = A⁻¹WE/c + 1v̄ᵀ with E of pairSolver, so that one product has Q, GL and its transpose, as
// of rows without weights. In regression ties at a small λ need the products apart.
type massList struct {
	c     float64
	mass  []float64 // a
	per   []float64 // 1/(c a_i)
	share float64   // c/s
	mean  []float64 // v̄, the mean of V by the weights
}

// newMassList is nil for any other L.
func newMassList(l *goals.Blocks, v linalg.Mat) *massList {
	c, sum, list := l.List()
	if !list || l.Weights() == nil {
		return nil
	}
	t := &massList{c: c, mass: l.Weights(), per: make([]float64, v.Rows), share: c / sum, mean: make([]float64, v.Cols)}
	for i, a := range t.mass {
		t.per[i] = 1 / (c * a)
		linalg.Axpy(a/sum, v.Row(i), t.mean)
	}
	return t
}

// comparesList reports whether the rows are a list with weights, not of regression.
func (r *pairRows) comparesList() bool { return r.list != nil && r.p.Centred }

// listed are c and v̄, nil where there is none, of a single list or of regression, with weights or without.
func (r *pairRows) listed() (c float64, mean []float64) {
	switch {
	case r.list == nil:
		return r.weight, r.mean
	case r.p.Centred:
		mean = r.list.mean
	}
	return r.list.c, mean
}

// setConstants sets columnConstant to gᵀ = v̄ᵀDWᵀ.
func (s *pairSolver) setConstants() {
	moved := make([]float64, len(s.inv))
	for l, x := range s.list.mean {
		moved[l] = s.inv[l] * x
	}
	parallel.Chunks(len(s.qii), 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.columnConstant[i] = linalg.Dot(moved, s.w.Row(i)[:len(moved)])
		}
	})
}

// learntFromList sets the panels of GL − 1gᵀ and of its transpose for rows from lo on, off the diagonal, from that of
// WDWᵀ: in the primal form it turns this into λQ; in the dual one W(ED)Wᵀ is L − λQ, and a product where λ is so large
// that the difference would lose digits.
func (s *pairSolver) learntFromList(lo, hi int) {
	few := s.fewDigits()
	if s.p.dual && !few {
		for l, d := range s.p.Eigenvalues {
			s.ratio[l] = d * s.inv[l]
		}
		s.times(&s.g, s.w, s.ratio, s.w, lo, hi)
	}
	g, gt, t := sized(&s.g, s.q.Rows, s.q.Cols), sized(&s.gt, s.q.Rows, s.q.Cols), s.list
	mass, per := t.mass[lo:], t.per[lo:]
	parallel.Chunks(s.q.Rows, 16, func(_, from, to int) {
		for a := from; a < to; a++ {
			q, own, others, off, each := s.q.Row(a), g.Row(a), gt.Row(a), -t.share*mass[a], per[a]
			own, others, mass, per := own[:len(q)], others[:len(q)], mass[:len(q)], per[:len(q)]
			for b := a + 1; b < len(q); b++ {
				learnt := q[b]
				switch {
				case !s.p.dual:
					q[b] = off*mass[b] - learnt
				case few:
					learnt = off*mass[b] - s.lambda*learnt
				default:
					learnt = own[b]
				}
				own[b], others[b] = each*learnt, per[b]*learnt
			}
		}
	})
}
