package kron

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// spans is the part of leaving out two edges or columns that depends on λ but not on the pair. Its rows are
// those of the labels for Pairs; for Cols they are the eigenvectors of the rows, in which a column is diagonal.
type spans struct {
	learnt bool       // sum S instead of N; see Leverage
	weight linalg.Mat // the summands, in the eigenvectors of the columns
	own    linalg.Mat // Σ_l weight_il v_jl²
	v      linalg.Mat // rows v_j
	f, e   linalg.Mat // scores and residuals, centred for ranking
	least  float64    // rounding of the scores
	size   []float64  // √(Σ N E²), which scales the rounding of the residuals of a row
	c, mix float64    // of L_HH: 1 and 0, for ranking 1 − 1/r and −1/r
	two    bool       // the two edges are the whole row, from which ranking learns nothing

	few *fewSpans // makes own, f and e for one edge; nil where they are made
}

// newSpans makes the spans of a λ from the labels, and part, the residuals or with learnt the scores, in the
// coordinates of the rows of weight.
func (p *Path) newSpans(lambda float64, learnt bool, weight, labels, part linalg.Mat) *spans {
	s := &spans{learnt: learnt, weight: weight, v: p.cols.turned(), f: part, e: labels, c: 1}
	s.own = weight.Mul(p.cols.squares())
	parallel.Chunks(part.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			linalg.Axpy(-1, part.Row(i), labels.Row(i))
		}
	})
	if !learnt {
		s.f, s.e = s.e, s.f
	}
	s.setLoss(p)
	s.least = p.bound(lambda, learnt, s.f, s.e)
	return s
}

// setLoss sets L_HH.
func (s *spans) setLoss(p *Path) {
	if p.o.Loss == Ranking {
		share := 1 / float64(p.y.Cols)
		s.c, s.mix, s.two = 1-share, -share, p.y.Cols == 2
	}
}

// edge is what leaving out an edge takes: its sum of squares, score and residual.
type edge struct{ own, f, e float64 }

func (s *spans) edge(i, j int) edge {
	if s.few != nil {
		return s.few.edge(s, i, j)
	}
	return edge{s.own.Row(i)[j], s.f.Row(i)[j], s.e.Row(i)[j]}
}

// margin returns the difference of the scores of columns a and b in row i without both, and a bound on its
// rounding; cross is Σ_l weight_il v_al v_bl. With s = L_HH − λQ_HH, the learnt part, the difference is f_a −
// f_b − (s_a − s_b)ᵀδ, which keeps its digits for any λ.
func (s *spans) margin(i, a, b int, ofA, ofB edge, cross float64) (margin, bound float64) {
	saa, sbb, sab := ofA.own, ofB.own, cross
	qaa, qbb, qab := s.c-saa, s.c-sbb, s.mix-sab
	if !s.learnt {
		saa, sbb, sab, qaa, qbb, qab = qaa, qbb, qab, saa, sbb, sab
	}
	da, db, loss := s.solve(i, a, b, qaa, qbb, qab, ofA.e, ofB.e)
	first, second := (saa-sab)*da, (sab-sbb)*db
	bound = s.least + rounding*(math.Abs(first)+math.Abs(second)+s.size[i]*loss*max(math.Abs(saa), math.Abs(sbb))/16)
	return ofA.f - ofB.f - first - second, bound
}

// solve returns δ of the edges of columns a and b, and the factor by which it enlarges the rounding of the
// residuals. If their rows of Q are nearly multiples of each other, it sums the difference of the two
// separately.
func (s *spans) solve(i, a, b int, qaa, qbb, qab, ea, eb float64) (da, db, loss float64) {
	if s.two {
		da = (ea - eb) / (4 * qaa)
		return da, -da, 1 / math.Sqrt(qaa)
	}
	sa, sb := math.Sqrt(qaa), math.Sqrt(qbb)
	apart := 1 - math.Abs(qab)/(sa*sb)
	const lost = 0x1p-10 // ten of 53 binary digits
	if apart < lost && !s.learnt {
		apart = s.apart(i, a, b, sa, math.Copysign(sb, qab))
	}
	rho := math.Copysign(1-apart, qab)
	x, y, det := ea/sa, eb/sb, apart*(2-apart)
	return (x - rho*y) / (det * sa), (y - rho*x) / (det * sb), (1/sa + 1/sb) / apart
}

// apart is 1 minus the correlation of columns a and b, ½ Σ_l weight_il (v_al/sa − v_bl/sb)².
func (s *spans) apart(i, a, b int, sa, sb float64) float64 {
	w := s.weight.Row(i)
	va, vb := s.v.Row(a)[:len(w)], s.v.Row(b)[:len(w)]
	ra, rb := 1/sa, 1/sb
	var sums [4]float64 // so that one addition does not wait for another
	l := 0
	for ; l+4 <= len(w); l += 4 {
		w, va, vb := w[l:l+4], va[l:l+4], vb[l:l+4]
		d0, d1, d2, d3 := va[0]*ra-vb[0]*rb, va[1]*ra-vb[1]*rb, va[2]*ra-vb[2]*rb, va[3]*ra-vb[3]*rb
		sums[0] += w[0] * d0 * d0
		sums[1] += w[1] * d1 * d1
		sums[2] += w[2] * d2 * d2
		sums[3] += w[3] * d3 * d3
	}
	for ; l < len(w); l++ {
		d := va[l]*ra - vb[l]*rb
		sums[0] += w[l] * d * d
	}
	return (sums[0] + sums[1] + sums[2] + sums[3]) / 2
}
