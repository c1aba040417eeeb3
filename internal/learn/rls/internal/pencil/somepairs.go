package pencil

import (
	"context"
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// PairSums say how some pairs of a list are ordered when each is left out: Pairs have different labels, Wrong is twice
// the number of those in the wrong order with each tie once, and Ties is the number of ties.
type PairSums struct{ Pairs, Wrong, Ties int64 }

func (s *PairSums) add(o PairSums) {
	s.Pairs, s.Wrong, s.Ties = s.Pairs+o.Pairs, s.Wrong+o.Wrong, s.Ties+o.Ties
}

// CountSome leaves out each of some pairs of rows i ≠ j at each λ, and emits the sums of every output, which are valid
// until emit returns. What does not depend on the labels is computed once for all outputs: a pair costs O(k) for a λ
// and O(1) more for an output. Pairs with the same first row that follow one another share its row of W. It returns the
// error of ctx, or an *OverflowError where a prediction is not finite.
func (c *PairCounter) CountSome(ctx context.Context, lambdas []float64, pairs [][2]int32,
	emit func(l int, of []PairSums)) error {
	const piece = 1024
	v := len(c.y)
	sums, total := make([]PairSums, (len(pairs)+piece-1)/piece*v), make([]PairSums, v)
	workers := make([]*someWorker, parallel.Workers())
	return c.Each(lambdas, func(l int, at *PairsAt) error {
		parallel.Chunks(len(pairs), piece, func(worker, lo, hi int) {
			if ctx.Err() != nil {
				return
			}
			w := workers[worker]
			if w == nil {
				w = &someWorker{}
				workers[worker] = w
			}
			w.combine(at.s, pairs[lo:hi])
			for o := range v {
				sums[lo/piece*v+o] = w.count(at, o)
			}
		})
		clear(total)
		for k, s := range sums {
			total[k%v].add(s)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		emit(l, total)
		return nil
	})
}

// someWorker has the systems of some pairs, and the memory of one goroutine.
type someWorker struct {
	products pairProducts
	others   []int32
	systems  []someSystem
}

// someSystem is the system of a pair, with |α|+|γ| and |β|+|δ| of its X.
type someSystem struct {
	pairSystem
	onI, onJ float64
}

// combine makes the systems of some pairs.
func (w *someWorker) combine(s *pairSolver, pairs [][2]int32) {
	w.systems = w.systems[:0]
	for len(pairs) > 0 {
		i, n := pairs[0][0], 0
		w.others = w.others[:0]
		for n < len(pairs) && pairs[n][0] == i {
			w.others = append(w.others, pairs[n][1])
			n++
		}
		q, g := w.products.row(s, int(i), w.others)
		for k, j := range w.others {
			w.systems = append(w.systems, s.system(int(i), int(j), q[k], g[k]))
		}
		pairs = pairs[n:]
	}
}

// system is that of rows i and j, from their entries of Q and of GL − 1gᵀ.
func (s *pairSolver) system(i, j int, q, g float64) someSystem {
	alpha, beta, gamma, delta := leftOut(s.qii[i], s.qii[j], q, s.gii[i], s.gii[j], g+s.columnConstant[j],
		g+s.columnConstant[i])
	return someSystem{pairSystem{i, j, 0, q, [4]float64{alpha, beta, gamma, delta}}, math.Abs(alpha) + math.Abs(gamma),
		math.Abs(beta) + math.Abs(delta)}
}

// count counts the pairs for output c.
func (w *someWorker) count(at *PairsAt, c int) (sums PairSums) {
	s, y := at.s, at.y[c]
	f, a, fsize, asize := s.f.Row(c), s.a.Row(c), s.fsize.Row(c), s.asize.Row(c)
	for k := range w.systems {
		h := &w.systems[k]
		i, j := h.i, h.j
		label := int64(y.Level(i)) - int64(y.Level(j))
		if label == 0 {
			continue
		}
		fi := f[i] - h.on[0]*a[i] - h.on[1]*a[j]
		fj := f[j] - h.on[2]*a[i] - h.on[3]*a[j]
		sums.Pairs++
		apart, now := math.Abs(fi-fj), sign(fi, fj)
		near := apart <= nearShare*(fsize[i]+fsize[j]+h.onI*asize[i]+h.onJ*asize[j])
		switch {
		case near && s.ties(apart, pairSystem{i, j, c, h.q, h.on}), s.duplicateOf[i] == s.duplicateOf[j],
			now == 0, at.Degenerate != nil && at.Degenerate(int32(i), int32(j), c):
			sums.Wrong++
			sums.Ties++
		case (label > 0) != (now > 0):
			sums.Wrong += 2
		}
	}
	return sums
}

// pairProducts is the memory of the entries of Q and GL of a row with others.
type pairProducts struct {
	x, y []float64 // a row of W times a diagonal
	q, g []float64
}

// row returns the entries of Q, λQ in the primal form, and GL − 1gᵀ of row i and some rows. Each is read once, a few at
// a time, for both. They are valid until the next call.
func (p *pairProducts) row(s *pairSolver, i int, rows []int32) (q, g []float64) {
	if len(p.q) < len(rows) {
		p.q, p.g = make([]float64, max(1024, len(rows))), make([]float64, max(1024, len(rows)))
	}
	own := s.w.Row(i)
	if o := s.p.inverted; o != nil {
		for k, j := range rows {
			p.q[k] = o.q.Row(i)[j]
		}
		s.learntTo(p.g, p.q[:len(rows)])
		return p.q[:len(rows)], p.g[:len(rows)]
	}
	p.x, p.y = grown(p.x, len(own)), grown(p.y, len(own))
	for j, v := range s.inv[:len(own)] {
		p.x[j] = own[j] * v
	}
	q, g = p.q[:len(rows)], p.g[:len(rows)]
	if s.byResiduals() {
		linalg.DotRows(p.x, rows, s.w, q)
		s.learntTo(g, q)
		return q, g
	}
	if s.p.dual {
		for j, v := range s.ratio[:len(own)] {
			p.y[j] = own[j] * v
		}
		const few = 4 // rows, which stay in the cache
		for lo := 0; lo < len(rows); lo += few {
			hi := min(lo+few, len(rows))
			linalg.DotRows(p.x, rows[lo:hi], s.w, q[lo:hi])
			linalg.DotRows(p.y, rows[lo:hi], s.w, g[lo:hi])
		}
		return q, g
	}
	linalg.DotRows(p.x, rows, s.w, q)
	off := s.offDiagonal()
	for k, v := range q {
		g[k], q[k] = v/s.weight, off-v
	}
	return q, g
}
