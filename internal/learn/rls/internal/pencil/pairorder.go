package pencil

import (
	"context"
	"math"
	"sync"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// pairOrders orders the pairs of a single list of rows with weights, in the primal form or, at a λ that takes few
// digits, in the dual one. The two predictions without a pair H differ by
//
//	y_i − y_j − (δ_i − δ_j)        Q_HH δ = a_H        y_i = r_i/(c a_i)
//
// of which only q_i = Q_ii, q_j, Q_ij and the two entries of a depend on λ. They are interpolated in t of ScaledPairs,
// as polynomials: Q is WDWᵀ, so that the coefficients of D, N to each column of W, give those of Q by N products and
// those of a row by O(kN). Without the division by the determinant of Q_HH the sign of the difference is that of
//
//	(y_i − y_j)(q_i q_j − Q_ij²) − (q_j + Q_ij) a_i + (q_i + Q_ij) a_j.
type pairOrders struct {
	of      *ScaledPairs
	powers  linalg.Mat // N×N: row k has the coefficients of t^k in each ℓ_n
	squares linalg.Mat // m×k: those of W
	y       linalg.Mat // v×m
	span    []float64  // the largest difference of labels of each output
	memory  sync.Pool  // of *orderWork
}

// newPairOrders is nil where the pairs have no orders of their own.
func (s *ScaledPairs) newPairOrders() *pairOrders {
	const most = 12 // points, so that their polynomials keep the digits
	r := s.rows
	m, n, v := r.w.Rows, len(s.at), r.p.Outputs()
	if r.list == nil || m < 4 || n > most {
		return nil
	}
	o := &pairOrders{of: s, powers: s.powers(), squares: linalg.NewMat(m, r.w.Cols), y: linalg.NewMat(v, m),
		span: make([]float64, v), memory: sync.Pool{New: func() any { return &orderWork{} }}}
	for i := range m {
		squaresTo(o.squares.Row(i), r.w.Row(i))
		for c := range v {
			o.y.Row(c)[i] = r.p.R.Row(i)[c] * r.list.per[i]
		}
	}
	for c := range v {
		least, largest := math.Inf(1), math.Inf(-1)
		for _, y := range o.y.Row(c) {
			least, largest = min(least, y), max(largest, y)
		}
		o.span[c] = largest - least
	}
	return o
}

// powers are the coefficients of the polynomials ℓ_n: row k has those of t^k.
func (s *ScaledPairs) powers() linalg.Mat {
	n := len(s.at)
	out := linalg.NewMat(n, n)
	for k, at := range s.at {
		of := make([]float64, n) // of the product so far
		of[0] = 1
		for l, other := range s.at {
			if l == k {
				continue
			}
			for d := n - 1; d > 0; d-- {
				of[d] = (of[d-1] - other*of[d]) / (at - other)
			}
			of[0] *= -other / (at - other)
		}
		for d, x := range of {
			out.Row(d)[k] = x
		}
	}
	return out
}

// OrderPairs is LeavePairs whose predictions have the right order only. It costs a product at each of N points, and
// O(m²Nv). Rows with a pair that is so nearly tied that rounding decides are those of LeavePairs.
func (s *ScaledPairs) OrderPairs(ctx context.Context, lambda float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	o := s.orders
	if o == nil || !o.serves(lambda) {
		return s.LeavePairs(ctx, lambda, emit)
	}
	w := o.memory.Get().(*orderWork)
	defer o.memory.Put(w)
	if !w.prepare(o, lambda) {
		return s.LeavePairs(ctx, lambda, emit)
	}
	var values *scaledValues
	m, n := s.rows.w.Rows, len(s.at)
	panel := max(8, min(16, 1<<15/(m*n)))
	w.near = w.near[:0]
	for lo := 0; lo < m-1; lo += panel {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		hi, far := min(m, lo+panel), 2*len(w.near) <= panel // of the panel before
		w.near = w.near[:0]
		if far {
			w.fill(lo, hi)
			parallel.For(hi-lo, func(worker, a int) { w.row(worker, lo, a, emit) })
			for a, near := range w.isNear[:hi-lo] {
				if near {
					w.near = append(w.near, lo+a)
				}
			}
			if len(w.near) == 0 {
				continue
			}
		}
		if values == nil {
			var err error
			if values, err = s.valuesAt(lambda); err != nil {
				return err
			}
		}
		if !far {
			values.emit(lo, hi, emit)
		}
		for _, i := range w.near {
			values.emit(i, i+1, emit)
		}
	}
	return ctx.Err()
}

// serves reports whether the orders at λ keep their digits: y − δ loses as many as λ has more than the eigenvalues.
func (o *pairOrders) serves(lambda float64) bool {
	const most = 1e4 // of the largest eigenvalue
	p := o.of.rows.p
	limit := most
	if p.dual {
		limit = digits
	}
	k := len(p.Eigenvalues)
	return k > 0 && lambda*o.of.points[0] <= limit*p.Eigenvalues[k-1]
}

// orderWork is the memory of the orders at one λ.
type orderWork struct {
	of      *pairOrders
	at      []float64
	inverse linalg.Mat // N×k: the coefficients of D
	rows    linalg.Mat // m×N(1+v): those of q_i, and of a_i of each output
	size    []float64  // of the terms of q_i
	error   []float64  // of each output: of the differences, over the sizes of both rows
	scaled  linalg.Mat // of a panel: the rows of W times each coefficient of D
	q       linalg.Mat // of a panel: N rows for each row
	isNear  []bool     // the rows of a panel with pairs that are nearly tied
	near    []int      // these rows
	workers []orderWorker
}

// orderWorker is the memory of a worker: t, and the differences of each output above zeros.
type orderWorker struct {
	places      []float64
	differences linalg.Mat
}

// sign is that of WDWᵀ in Q, or in λQ of the primal form.
func (o *pairOrders) sign() float64 {
	if o.of.rows.p.dual {
		return 1
	}
	return -1
}

// prepare fills the numbers of the rows. It returns false where they are not finite.
func (w *orderWork) prepare(o *pairOrders, lambda float64) bool {
	r := o.of.rows
	p, m, n, v := r.p, r.w.Rows, len(o.of.at), r.p.Outputs()
	k := len(p.Eigenvalues)
	w.of, w.at = o, grown(w.at, k)
	inverse := sized(&w.inverse, n, k)
	clear(inverse.Data)
	for l, c := range o.of.points {
		p.shiftTo(w.at, lambda*c)
		for j, e := range w.at {
			w.at[j] = 1 / e
		}
		for d := range n {
			linalg.Axpy(o.powers.Row(d)[l], w.at, inverse.Row(d))
		}
	}
	rows, scaled := sized(&w.rows, m, n*(1+v)), sized(&w.scaled, n*v, k)
	linalg.Gemm(linalg.NoTrans, linalg.T, o.sign(), o.squares, inverse, 0, rows.Slice(0, m, 0, n))
	for c := range v {
		for d := range n {
			to := scaled.Row(c*n + d)
			for j, e := range inverse.Row(d) {
				to[j] = e * p.C.Row(j)[c]
			}
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, o.sign(), r.w, scaled, 0, rows.Slice(0, m, n, n*(1+v)))
	if !p.dual {
		for i := range m {
			row := rows.Row(i)
			row[0] += r.diagonal[i]
			for c, x := range p.R.Row(i) {
				row[n*(1+c)] += x
			}
		}
	}
	w.setErrors()
	return linalg.Finite(rows.Data)
}

// setErrors sets the sizes S_i of the rows, and bounds of the rounding and the rest of the interpolation in differences
// times determinants, over S_i S_j: with the share ε of the terms of q_i, q_j and Q_ij, which are at most S_i, S_j and
// √(S_i S_j), and of those of a_i, at most A_i, it is 4ε (|y_i − y_j| + (1 + √(S_i/S_j)) A_i/S_i + …).
func (w *orderWork) setErrors() {
	const share = 0x1p-34
	o, r := w.of, w.of.of.rows
	p, m, n, v := r.p, r.w.Rows, len(o.of.at), r.p.Outputs()
	w.size, w.error = grown(w.size, m), grown(w.error, v)
	least, most := math.Inf(1), 0.0
	for i := range m {
		if w.size[i] = 0; !p.dual {
			w.size[i] = r.diagonal[i]
		} else {
			for _, q := range w.rows.Row(i)[:n] {
				w.size[i] += math.Abs(q)
			}
		}
		least, most = min(least, w.size[i]), max(most, w.size[i])
	}
	for c := range v {
		gamma := 0.0 // CᵀDC
		for j := range w.at {
			d := 0.0
			for l := range n {
				d += math.Abs(w.inverse.Row(l)[j])
			}
			gamma += d * p.C.Row(j)[c] * p.C.Row(j)[c]
		}
		terms := 0.0
		for i, size := range w.size {
			of := sqrt(size * gamma)
			if !p.dual {
				of += math.Abs(p.R.Row(i)[c])
			}
			terms = max(terms, of/size)
		}
		w.error[c] = 4 * share * (o.span[c] + 2*(1+sqrt(most/least))*terms)
	}
}

// fill computes the panel of rows [lo,hi) and columns from lo on.
func (w *orderWork) fill(lo, hi int) {
	of := w.of.of.rows.w
	m, k, n, sign := of.Rows, of.Cols, w.inverse.Rows, w.of.sign()
	w.isNear = grown(w.isNear, hi-lo)
	clear(w.isNear)
	w.workers = grown(w.workers, parallel.Workers())
	scaled := sized(&w.scaled, (hi-lo)*n, k)
	for a := range hi - lo {
		row := of.Row(lo + a)
		for d := range n {
			to, by := scaled.Row(a*n + d)[:len(row)], w.inverse.Row(d)[:len(row)]
			for j, x := range row {
				to[j] = x * by[j]
			}
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, sign, scaled, of.Slice(lo, m, 0, k), 0, sized(&w.q, (hi-lo)*n, m-lo))
}

// row emits the differences of the pairs of row lo+a, unless one of them is nearly tied.
func (w *orderWork) row(worker, lo, a int, emit func(worker, i, c int, fi, fj []float64)) {
	i, v, memory := lo+a, len(w.error), &w.workers[worker]
	m := w.rows.Rows
	if len(memory.places) != m {
		memory.places, memory.differences = make([]float64, m), linalg.NewMat(v+1, m)
	}
	t := w.of.of.placesFor(i, memory.places)
	for c := range v {
		if w.isNear[a] = w.order(memory.differences.Row(c)[:len(t)], i, a, c, t); w.isNear[a] {
			return
		}
	}
	for c := range v {
		if len(t) > 0 {
			emit(worker, i, c, memory.differences.Row(c)[:len(t)], memory.differences.Row(v)[:len(t)])
		}
	}
}

// order sets dst to the differences times determinants of the pairs of row i, row a of its panel, with the rows after
// it. It returns whether one is nearly tied, but for equal rows.
func (w *orderWork) order(dst []float64, i, a, c int, t []float64) bool {
	r, n, width, stride := w.of.of.rows, w.inverse.Rows, w.rows.Cols, w.q.Stride
	at := n * (1 + c)
	own, others, q := w.rows.Row(i), w.rows.Data[(i+1)*width:], w.q.Data[a*n*stride+a+1:]
	ys, sizes, near := w.of.y.Row(c)[i+1:][:len(t)], w.size[i+1:][:len(t)], w.error[c]*w.size[i]
	masses, off, yi := r.list.mass[i+1:][:len(t)], 0.0, w.of.y.Row(c)[i]
	if !r.p.dual {
		off = -r.list.share * r.list.mass[i]
	}
	ownQ, ownA := own[:n], own[at:at+n]
	equals, equal := r.duplicateOf[i+1:][:len(t)], r.duplicateOf[i]
	dst = dst[:len(t)]
	for b, x := range t {
		row := others[b*width : (b+1)*width]
		theirQ, theirA := row[:n], row[at:at+n]
		d := n - 1
		qi, ai, qj, aj, qij := ownQ[d], ownA[d], theirQ[d], theirA[d], q[d*stride+b]
		for d--; d >= 0; d-- {
			qi, ai, qj, aj = qi*x+ownQ[d], ai*x+ownA[d], qj*x+theirQ[d], aj*x+theirA[d]
			qij = qij*x + q[d*stride+b]
		}
		qij += off * masses[b]
		f := (yi-ys[b])*(qi*qj-qij*qij) - (qj+qij)*ai + (qi+qij)*aj
		if math.Abs(f) <= near*sizes[b] || f != f {
			if equals[b] != equal {
				return true
			}
			f = 0
		}
		dst[b] = f
	}
	return false
}
