package pencil

import (
	"context"
	"fmt"
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// LeavePairs computes, for every pair of rows i < j and each output c, the predictions f_i and f_j
// when both rows are left out of the loss, at one λ. emit receives them for a row i and all j > i,
// in ascending j. It is called from several goroutines, each with its own worker in
// [0,parallel.Workers()), and must not keep the slices.
//
// Each pair is the 2×2 system Q_HH δ = a_H in closed form, so that all of them cost products of m×k
// with k×m and O(m²) more for each output (Pahikkala, Airola, Boberg and Salakoski 2008, Exact and
// efficient leave-pair-out cross-validation for ranking RLS). For a single list and for regression
// Q and GL are symmetric up to a constant in each column, so that half a product computes both; in the
// dual form, at a λ far above all eigenvalues, half a product computes each. In general it takes one and
// a half products. It needs a loss for which any two rows may be held out.
func (p *Pencil) LeavePairs(ctx context.Context, lambda float64, emit func(worker, i, c int, fi, fj []float64)) error {
	s := p.newPairRows().at(lambda)
	if err := s.overflow(); err != nil {
		return err
	}
	m := p.L.Dim()
	const panel = 256
	for lo := 0; lo < m-1; lo += panel {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		hi := min(m, lo+panel)
		s.fill(lo, hi)
		parallel.For(hi-lo, func(worker, a int) { s.row(worker, lo, a, emit) })
	}
	return ctx.Err()
}

// OverflowError says that a prediction is not finite.
type OverflowError struct{ Row int } // the first such row

func (e *OverflowError) Error() string {
	return fmt.Sprintf("the prediction of row %d overflows", e.Row)
}

// overflow finds the first row whose prediction, with all rows in the loss, or whose diagonals are
// not finite. None of its pairs then has a prediction.
func (s *pairSolver) overflow() error {
	m := len(s.qii)
	first := make([]int, (m+rowsOfPiece-1)/rowsOfPiece) // of each piece
	parallel.Chunks(m, rowsOfPiece, func(_, lo, hi int) {
		piece := lo / rowsOfPiece
		for first[piece] = lo; first[piece] < hi && s.finite(first[piece]); first[piece]++ {
		}
	})
	for piece, i := range first {
		if i < min(m, (piece+1)*rowsOfPiece) {
			return &OverflowError{i}
		}
	}
	return nil
}

// finite reports whether the numbers of row i are.
func (s *pairSolver) finite(i int) bool {
	sum := s.qii[i]*0 + s.gii[i]*0 // NaN unless both are finite
	for c := range s.f.Rows {
		sum += s.f.Row(c)[i]*0 + s.a.Row(c)[i]*0
	}
	return sum == 0
}

// pairSolver solves the systems of all pairs at one λ from their shared numbers. With weight c > 0
// the loss is c times the centring of a single list, or plain regression with c = 1, and V = WE/c +
// 1v̄ᵀ with E = I in the primal form and diag(d) in the dual one: then GL = WEDWᵀ/c + 1gᵀ with gᵀ =
// v̄ᵀDWᵀ.
type pairSolver struct {
	*pairRows
	lambda         float64
	scaled         linalg.Mat // a panel of rows of W or V times a diagonal
	inv            []float64  // 1/(d+λ)
	ratio          []float64  // ED/c
	f, a           linalg.Mat // v×m: predictions and a, λa in the primal form
	fsize, asize   linalg.Mat // v×m: the sizes of the rounding of f and a
	terms          []pairTerms
	dv, dw         []float64  // norms of the rows of VD and WD
	inners         []float64  // inner of each row
	movedMean      []float64  // Dv̄
	qii            []float64  // diagonal of Q, of λQ in the primal form
	gii            []float64  // diagonal of GL
	columnConstant []float64  // g, added to each column of GL; 0 in the general case
	q              linalg.Mat // a panel of rows of Q from column lo on
	g, gt          linalg.Mat // the same of GL − 1gᵀ and of its transpose
	rows           []pairRow  // memory of each worker
}

// fill computes the panels of Q, GL and (GL)ᵀ for rows [lo,hi) and columns
// from lo on.
func (s *pairSolver) fill(lo, hi int) {
	if s.p.inverted != nil {
		s.q = s.p.inverted.q.Slice(lo, hi, lo, len(s.qii))
		s.learntFromResiduals()
		return
	}
	s.times(&s.q, s.w, s.inv, s.w, lo, hi)
	switch {
	case s.comparesList():
		s.learntFromList(lo, hi)
		return
	case s.weight == 0:
		s.times(&s.g, s.v, s.inv, s.w, lo, hi)
		s.times(&s.gt, s.w, s.inv, s.v, lo, hi)
	case s.byResiduals():
		s.learntFromResiduals()
	case s.p.dual:
		s.times(&s.g, s.w, s.ratio, s.w, lo, hi)
		s.gt = s.g
	default:
		s.subtractFromList()
		return
	}
	if !s.p.dual {
		s.subtractFromL(lo, hi)
	}
}

// offDiagonal is L_ij of a single list or of regression.
func (s *pairSolver) offDiagonal() float64 {
	if s.p.Centred {
		return -s.weight / float64(s.p.L.Dim())
	}
	return 0
}

// byResiduals reports whether the entries of GL − 1gᵀ off the diagonal follow from those of Q, which saves a product:
// in the dual form W(ED/c)Wᵀ is (L − λQ)/c, since WWᵀ = L. The rounding of an entry is then up to λ over the largest
// eigenvalue times what it was; below digits it stays within errorUnit.
func (s *pairSolver) byResiduals() bool {
	return s.p.dual && s.weight > 0 && s.fewDigits()
}

// digits is the share of λ in the largest eigenvalue up to which a difference of both loses few digits.
const digits = 8

// fewDigits reports whether λ is at most digits times the largest eigenvalue.
func (s *pairSolver) fewDigits() bool {
	k := len(s.p.Eigenvalues)
	return k > 0 && s.lambda <= digits*s.p.Eigenvalues[k-1]
}

// learntFromResiduals sets the panel of GL − 1gᵀ from that of Q.
func (s *pairSolver) learntFromResiduals() {
	g := sized(&s.g, s.q.Rows, s.q.Cols)
	s.gt = s.g
	parallel.Chunks(s.q.Rows, 16, func(_, lo, hi int) {
		for a := lo; a < hi; a++ {
			s.learntTo(g.Row(a), s.q.Row(a))
		}
	})
}

// learntTo sets entries of GL − 1gᵀ from those of Q.
func (s *pairSolver) learntTo(g, q []float64) {
	off, share := s.offDiagonal()/s.weight, s.lambda/s.weight
	for b, v := range q {
		g[b] = off - share*v
	}
}

// subtractFromList sets the panel of GL − 1gᵀ from that of WDWᵀ, and turns this into λQ = L −
// WDWᵀ off the diagonal, for L of a single list or of regression.
func (s *pairSolver) subtractFromList() {
	off, g := s.offDiagonal(), sized(&s.g, s.q.Rows, s.q.Cols)
	s.gt = s.g
	parallel.Chunks(s.q.Rows, 16, func(_, lo, hi int) {
		for a := lo; a < hi; a++ {
			q, dst := s.q.Row(a), g.Row(a)
			for b, v := range q {
				dst[b], q[b] = v/s.weight, off-v
			}
		}
	})
}

// times sets dst to rows [lo,hi) of A diag(d) Bᵀ, from column lo on.
func (s *pairSolver) times(dst *linalg.Mat, a linalg.Mat, d []float64, b linalg.Mat, lo, hi int) {
	m, k, n := a.Rows, a.Cols, hi-lo
	scaled := sized(&s.scaled, n, k)
	parallel.Chunks(n, 16, func(_, from, to int) {
		for r := from; r < to; r++ {
			row := scaled.Row(r)
			for j, x := range a.Row(lo + r) {
				row[j] = x * d[j]
			}
		}
	})
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, scaled, b.Slice(lo, m, 0, k), 0, sized(dst, n, m-lo))
}

// subtractFromL turns the panel of WDWᵀ into that of λQ = L − WDWᵀ.
func (s *pairSolver) subtractFromL(lo, hi int) {
	m, n := s.p.L.Dim(), hi-lo
	l := linalg.NewMat(m, n)
	for a := range n {
		l.Row(lo + a)[a] = 1
	}
	s.p.L.MulTo(l.Data, l.Data, n)
	parallel.For(n, func(_, a int) {
		row := s.q.Row(a)
		for b := range row {
			row[b] = l.Row(lo + b)[a] - row[b]
		}
	})
}

// pairRow holds the numbers that the pairs of one row share over the outputs: the held-out
// predictions are f_i − α a_i − β a_j and f_j − γ a_i − δ a_j.
//
// onI and onJ are |α|+|γ| and |β|+|δ|.
type pairRow struct{ alpha, beta, gamma, delta, onI, onJ, fi, fj []float64 }

// row emits the pairs of row lo+a for every output.
func (s *pairSolver) row(worker, lo, a int, emit func(worker, i, c int, fi, fj []float64)) {
	i, m := lo+a, len(s.qii)
	n := m - i - 1
	if n == 0 {
		return
	}
	r := &s.rows[worker]
	if r.fi == nil {
		for _, part := range []*[]float64{&r.alpha, &r.beta, &r.gamma, &r.delta, &r.onI, &r.onJ, &r.fi, &r.fj} {
			*part = make([]float64, m)
		}
	}
	s.combine(r, i, s.q.Row(a)[a+1:], s.g.Row(a)[a+1:], s.gt.Row(a)[a+1:])
	for c := range s.f.Rows {
		s.predictPairs(r, i, c, s.q.Row(a)[a+1:])
		emit(worker, i, c, r.fi[:n], r.fj[:n])
	}
}

// predictPairs fills the predictions of output c of the pairs of row i, for the part of its row of
// Q right of the diagonal. It makes two predictions equal that are within rounding of each other:
// equal rows, and rows without information, tie in exact arithmetic.
func (s *pairSolver) predictPairs(r *pairRow, i, c int, q []float64) {
	n := len(s.qii) - i - 1
	f, ai, fsize, asize := s.f.Row(c)[i], s.a.Row(c)[i], s.fsize.Row(c)[i], s.asize.Row(c)[i]
	ac, fc, fsizes, asizes := s.a.Row(c)[i+1:][:n], s.f.Row(c)[i+1:][:n], s.fsize.Row(c)[i+1:][:n],
		s.asize.Row(c)[i+1:][:n]
	alpha, beta, gamma, delta := r.alpha[:n], r.beta[:n], r.gamma[:n], r.delta[:n]
	q = q[:n]
	onI, onJ, fi, fj := r.onI[:n], r.onJ[:n], r.fi[:n], r.fj[:n]
	duplicate, duplicates := s.duplicateOf[i], s.duplicateOf[i+1:][:n]
	for b, aj := range ac {
		x := f - alpha[b]*ai - beta[b]*aj
		y := fc[b] - gamma[b]*ai - delta[b]*aj
		apart := math.Abs(x - y)
		near := apart <= nearShare*(fsize+fsizes[b]+onI[b]*asize+onJ[b]*asizes[b])
		if duplicates[b] == duplicate ||
			near && s.ties(apart, pairSystem{i, i + 1 + b, c, q[b], [4]float64{alpha[b], beta[b], gamma[b], delta[b]}}) {
			y = x
		}
		fi[b], fj[b] = x, y
	}
}

// combine fills r from the parts of row i of Q, GL and (GL)ᵀ right of the
// diagonal: GL times the inverse of Q_HH for each pair.
func (s *pairSolver) combine(r *pairRow, i int, q, g, gt []float64) {
	n := len(q)
	qi, gii, own := s.qii[i], s.gii[i], s.columnConstant[i]
	qjs, gjjs, constants := s.qii[i+1:][:n], s.gii[i+1:][:n], s.columnConstant[i+1:][:n]
	alpha, beta, gamma, delta, onI, onJ := r.alpha[:n], r.beta[:n], r.gamma[:n], r.delta[:n], r.onI[:n], r.onJ[:n]
	g, gt = g[:n], gt[:n]
	for b, qij := range q {
		qj, gjj, gij, gji := qjs[b], gjjs[b], g[b]+constants[b], gt[b]+own
		onFI, onFJ, gai, gaj := leftOut(qi, qj, qij, gii, gjj, gij, gji)
		alpha[b], beta[b], gamma[b], delta[b] = onFI, onFJ, gai, gaj
		onI[b], onJ[b] = math.Abs(onFI)+math.Abs(gai), math.Abs(onFJ)+math.Abs(gaj)
	}
	if j := int(s.partner[i]); j > i {
		s.combinePartner(r, i, j, q[j-i-1], g[j-i-1], gt[j-i-1])
	}
}

// leftOut returns the coefficients of a pair, those of pairRow, from its entries of Q and GL: GL times the inverse of
// Q_HH.
func leftOut(qi, qj, qij, gi, gj, gij, gji float64) (alpha, beta, gamma, delta float64) {
	det := 1 / (qi*qj - qij*qij)
	return (gi*qj - gij*qij) * det, (gij*qi - gi*qij) * det, (gji*qj - gj*qij) * det, (gj*qi - gji*qij) * det
}

// combinePartner is combine for a pair that is a component: its constant has no effect, and
// δ is along (1,−1), where Q is qi + qj − 2 qij.
func (s *pairSolver) combinePartner(r *pairRow, i, j int, qij, g, gt float64) {
	b := j - i - 1
	gij, gji := g+s.columnConstant[j], gt+s.columnConstant[i]
	curvature := 1 / (s.qii[i] + s.qii[j] - 2*qij)
	r.alpha[b], r.gamma[b] = (s.gii[i]-gij)*curvature, (gji-s.gii[j])*curvature
	r.beta[b], r.delta[b] = -r.alpha[b], -r.gamma[b]
	r.onI[b] = math.Abs(r.alpha[b]) + math.Abs(r.gamma[b])
	r.onJ[b] = r.onI[b]
}
