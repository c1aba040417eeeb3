package pencil

import (
	"fmt"
	"sync"

	"pairrank/internal/linalg"
	"pairrank/pref"
)

// PairsWith computes the predictions of LeavePairs at one λ for single rows with lists of others,
// at the cost of these pairs only. It is safe for concurrent use.
type PairsWith struct {
	s      *pairSolver
	blocks *pref.Blocks // L without ties in this form, or nil
	free   sync.Pool    // of *pairList
}

// PairsWith prepares for one λ: O(mk²) in the primal form, O(mk) in the dual one, and a product of
// m×m matrices where a dual problem has neither a single list nor plain regression. It keeps O(mk)
// numbers in addition to the factorisation. As LeavePairs, it needs a loss for which any two rows
// may be held out, and returns an *OverflowError where a prediction is not finite.
func (p *Pencil) PairsWith(lambda float64) (*PairsWith, error) {
	s := p.newPairRows().at(lambda)
	if err := s.overflow(); err != nil {
		return nil, err
	}
	w := &PairsWith{s: s}
	if b := pref.BlocksOf(p.L); b != nil {
		if classes, _ := b.Classes(); classes == nil {
			w.blocks = b
		}
	}
	w.free.New = func() any { return newPairList(s) }
	return w, nil
}

// RowTo fills fi and fj with the predictions of output c for row i and for each
// of the others when the two rows are left out of the loss: O(hk) for h others,
// with nothing allocated in the long run, and in the primal form a product with L where
// it is not of the form of pref.Blocks. It panics when a length does not fit or i is
// among the others.
func (w *PairsWith) RowTo(fi, fj []float64, i int, others []int32, c int) {
	if len(fi) != len(others) || len(fj) != len(others) {
		panic(fmt.Sprintf("pencil: %d rows with one other, but len(fi)=%d and len(fj)=%d",
			len(others), len(fi), len(fj)))
	}
	if len(others) == 0 {
		return
	}
	list := w.free.Get().(*pairList)
	defer w.free.Put(list)
	list.resize(w.s, len(others))
	list.sub.output = c
	list.gather(w.s, 0, int32(i), c)
	for b, j := range others {
		if int(j) == i {
			panic(fmt.Sprintf("pencil: row %d in a pair with itself", i))
		}
		list.gather(w.s, b+1, j, c)
	}
	list.sub.partner[0] = -1
	if partner := w.s.partner[i]; partner >= 0 {
		for b, j := range others {
			if j == partner {
				list.sub.partner[0] = int32(b + 1)
			}
		}
	}
	w.products(list, i, others)
	list.fi, list.fj = fi, fj
	list.sub.row(0, 0, 0, list.copyOut)
}

// products fills row i of Q, GL and (GL)ᵀ at the given rows, from column 1 on.
func (w *PairsWith) products(list *pairList, i int, rows []int32) {
	s, sub := w.s, &list.sub
	q, g, gt := sub.q.Data[1:], sub.g.Data[1:], sub.gt.Data[1:]
	x, y := list.x, list.y
	for j, v := range s.w.Row(i) {
		x[j] = v * s.inv[j]
	}
	switch {
	case s.weight == 0:
		for j, v := range s.v.Row(i) {
			y[j] = v * s.inv[j]
		}
		for b, r := range rows {
			row := s.w.Row(int(r))
			q[b], g[b], gt[b] = linalg.Dot(row, x), linalg.Dot(row, y), linalg.Dot(s.v.Row(int(r)), x)
		}
	case s.p.dual:
		for j, v := range s.w.Row(i) {
			y[j] = v * s.ratio[j]
		}
		for b, r := range rows {
			row := s.w.Row(int(r))
			q[b], g[b] = linalg.Dot(row, x), linalg.Dot(row, y)
		}
	default:
		for b, r := range rows {
			q[b] = linalg.Dot(s.w.Row(int(r)), x)
			g[b] = q[b] / s.weight
		}
	}
	if !s.p.dual {
		w.subtractFromL(list, i, rows)
	}
}

// subtractFromL turns row i of WDWᵀ at the given others into that of λQ = L − WDWᵀ.
func (w *PairsWith) subtractFromL(list *pairList, i int, others []int32) {
	q := list.sub.q.Data[1:]
	if w.blocks == nil {
		l := sized(&list.column, w.s.p.L.Dim(), 1).Data
		clear(l)
		l[i] = 1
		w.s.p.L.MulTo(l, l, 1)
		for b, j := range others {
			q[b] = l[j] - q[b]
		}
		return
	}
	of, whole := w.blocks.Components().Of(), w.blocks.Whole()
	for b, j := range others {
		l := 0.0
		if of[i] == of[j] {
			l = whole[of[i]]
		}
		q[b] = l - q[b]
	}
}

// pairList is the pairSolver of a row, number 0, and of the rows that it is paired with, gathered
// from the solver of all rows.
type pairList struct {
	sub        pairSolver
	x, y       []float64  // row i of W or V times a diagonal
	column     linalg.Mat // room for one of L, where L is not of the form of pref.Blocks
	transposed linalg.Mat // memory of the row of (GL)ᵀ where it is not that of GL
	capacity   int        // rows that sub.rows has memory for
	fi, fj     []float64  // destination of the predictions that sub emits
	copyOut    func(worker, i, c int, fi, fj []float64)
}

func newPairList(s *pairSolver) *pairList {
	k := len(s.inv)
	l := &pairList{x: make([]float64, k), y: make([]float64, k)}
	l.sub = pairSolver{pairRows: &pairRows{}, of: s, rows: make([]pairRow, 1)}
	l.copyOut = func(_, _, _ int, fi, fj []float64) {
		copy(l.fi, fi)
		copy(l.fj, fj)
	}
	return l
}

// resize makes room for n rows and the first.
func (l *pairList) resize(s *pairSolver, n int) {
	sub := &l.sub
	if n+1 > l.capacity {
		l.capacity = n + 1
		sub.qii, sub.gii, sub.columnConstant = make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
		sub.partner, sub.duplicateOf = make([]int32, n+1), make([]int32, n+1)
		sub.at = make([]int32, n+1)
		sub.rows[0] = pairRow{} // row makes it anew
	}
	sub.qii, sub.gii, sub.columnConstant, sub.partner = sub.qii[:n+1], sub.gii[:n+1], sub.columnConstant[:n+1],
		sub.partner[:n+1]
	sub.duplicateOf, sub.at = sub.duplicateOf[:n+1], sub.at[:n+1]
	sized(&sub.f, 1, n+1)
	sized(&sub.a, 1, n+1)
	sized(&sub.fsize, 1, n+1)
	sized(&sub.asize, 1, n+1)
	sized(&sub.q, 1, n+1)
	sized(&sub.g, 1, n+1)
	sub.gt = sub.g
	if s.weight == 0 {
		sub.gt = sized(&l.transposed, 1, n+1)
	}
}

// gather copies the numbers of row i, for output c, to place b.
func (l *pairList) gather(s *pairSolver, b int, i int32, c int) {
	sub := &l.sub
	sub.at[b] = i
	sub.qii[b], sub.gii[b], sub.columnConstant[b], sub.duplicateOf[b] = s.qii[i], s.gii[i], s.columnConstant[i],
		s.duplicateOf[i]
	sub.f.Data[b], sub.a.Data[b] = s.f.Row(c)[i], s.a.Row(c)[i]
	sub.fsize.Data[b], sub.asize.Data[b] = s.fsize.Row(c)[i], s.asize.Row(c)[i]
}
