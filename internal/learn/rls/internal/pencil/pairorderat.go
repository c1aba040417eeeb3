package pencil

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// orderWork is the memory of the orders at one λ.
type orderWork struct {
	of      *pairOrders
	learnt  bool // λQ and λa are in the place of Q and a
	at      []float64
	inverse linalg.Mat // N×k: the coefficients of D, or of DE
	rows    linalg.Mat // m×N(1+v): those of q_i, and of a_i of each output
	size    []float64  // of the terms of q_i
	root    []float64  // of the sizes
	reach   linalg.Mat // v×m: of the terms of a_i
	error   []float64  // of each output: of the differences, over the sizes of both rows
	shaped  linalg.Mat // m×k: the rows of W times the roots of D
	scaled  linalg.Mat // Nv×k: those of a
	q       linalg.Mat // of a panel: of WDWᵀ
	isNear  []bool     // the rows of a panel with pairs that are nearly tied
	near    []int      // these rows
	workers []orderWorker
}

// orderWorker is the memory of a worker: t, a product of two rows of W, and the differences of each output above zeros.
type orderWorker struct {
	places, product []float64
	differences     linalg.Mat
}

// sign is that of WDWᵀ in Q, or in λQ.
func (w *orderWork) sign() float64 {
	if w.learnt {
		return -1
	}
	return 1
}

// diagonal is that of L.
func (r *pairRows) diagonalOf(i int) float64 {
	if r.diagonal != nil {
		return r.diagonal[i]
	}
	return 1/r.list.per[i] - r.list.share*r.list.mass[i]*r.list.mass[i]
}

// prepare fills the numbers of the rows. It returns false where they are not finite.
func (w *orderWork) prepare(o *pairOrders, lambda float64) bool {
	r := o.of.rows
	p, m, n, v := r.p, r.w.Rows, len(o.of.at), r.p.Outputs()
	k := len(p.Eigenvalues)
	w.of, w.at = o, grown(w.at, k)
	w.learnt = !p.dual || lambda > digits*p.Eigenvalues[k-1]
	inverse := sized(&w.inverse, n, k)
	clear(inverse.Data)
	for l, c := range o.of.points {
		p.shiftTo(w.at, lambda*c)
		for j, e := range w.at {
			if w.at[j] = 1 / e; w.learnt && p.dual {
				w.at[j] *= p.Eigenvalues[j]
			}
		}
		for d := range n {
			linalg.Axpy(o.powers.Row(d)[l], w.at, inverse.Row(d))
		}
	}
	rows, scaled := sized(&w.rows, m, n*(1+v)), sized(&w.scaled, n*v, k)
	linalg.Gemm(linalg.NoTrans, linalg.T, w.sign(), o.squares, inverse, 0, rows.Slice(0, m, 0, n))
	for c := range v {
		for d := range n {
			to := scaled.Row(c*n + d)
			for j, e := range inverse.Row(d) {
				to[j] = e * p.C.Row(j)[c]
			}
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, w.sign(), r.w, scaled, 0, rows.Slice(0, m, n, n*(1+v)))
	if w.learnt {
		for i := range m {
			row := rows.Row(i)
			row[0] += r.diagonalOf(i)
			for c, x := range p.R.Row(i) {
				row[n*(1+c)] += x
			}
		}
	}
	w.setErrors()
	w.shape(lambda)
	return linalg.Finite(rows.Data)
}

// shape sets shaped to W times the roots of D at λ exp(middle + 2u_i). With ρ the share of λ in D⁻¹ at λ exp(middle)
// the root of D changes with u by the factor 1 − ρu + (3ρ²/2 − ρ)u² and |u|³/6 of it, to the first order.
func (w *orderWork) shape(lambda float64) {
	o, r := w.of, w.of.of.rows
	m, k, lambda := r.w.Rows, r.w.Cols, lambda*math.Exp(o.of.middle)
	parts := linalg.NewMat(3, k)
	r.p.shiftTo(w.at, lambda)
	for j, e := range w.at {
		d, rho := 1/e, lambda/e
		if w.learnt && r.p.dual {
			d *= r.p.Eigenvalues[j]
		}
		root := sqrt(d)
		parts.Row(0)[j], parts.Row(1)[j], parts.Row(2)[j] = root, -rho*root, (1.5*rho-1)*rho*root
	}
	sized(&w.shaped, m, k)
	parallel.Chunks(m, 16, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			u, row, dst := o.shares[i], r.w.Row(i), w.shaped.Row(i)
			zero, one, two := parts.Row(0)[:len(row)], parts.Row(1)[:len(row)], parts.Row(2)[:len(row)]
			dst = dst[:len(row)]
			for j, x := range row {
				dst[j] = x * (zero[j] + u*(one[j]+u*two[j]))
			}
		}
	})
}

// setErrors sets the sizes S_i of the rows, and bounds of the rounding and the rest of the interpolation in differences
// times determinants, over S_i S_j: with the share ε of the terms of q_i, q_j and Q_ij, which are at most S_i, S_j and
// √(S_i S_j), and of those of a_i, at most A_i, it is 4ε (|y_i − y_j| + (1 + √(S_i/S_j)) A_i/S_i + …).
func (w *orderWork) setErrors() {
	const share = 0x1p-34
	o, r := w.of, w.of.of.rows
	p, m, n, v := r.p, r.w.Rows, len(o.of.at), r.p.Outputs()
	w.size, w.root, w.error = grown(w.size, m), grown(w.root, m), grown(w.error, v)
	reach := sized(&w.reach, v, m)
	least, most := math.Inf(1), 0.0
	for i := range m {
		row := w.rows.Row(i)
		if w.size[i] = sumAbs(row[:n]); w.learnt {
			w.size[i] = r.diagonalOf(i)
		}
		w.root[i] = sqrt(w.size[i])
		least, most = min(least, w.size[i]), max(most, w.size[i])
		for c := range v {
			reach.Row(c)[i] = sumAbs(row[n*(1+c):][:n])
		}
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
			if w.learnt {
				of += math.Abs(p.R.Row(i)[c])
			}
			terms = max(terms, of/size)
		}
		w.error[c] = 4 * share * (o.span[c] + 2*(1+sqrt(most/least))*terms)
	}
}

func sumAbs(x []float64) (sum float64) {
	for _, v := range x {
		sum += math.Abs(v)
	}
	return sum
}

// fill computes the panel of rows [lo,hi) and columns from lo on.
func (w *orderWork) fill(lo, hi int) {
	m, k := w.shaped.Rows, w.shaped.Cols
	w.isNear = grown(w.isNear, hi-lo)
	clear(w.isNear)
	w.workers = grown(w.workers, parallel.Workers())
	linalg.Gemm(linalg.NoTrans, linalg.T, w.sign(), w.shaped.Slice(lo, hi, 0, k), w.shaped.Slice(lo, m, 0, k), 0,
		sized(&w.q, hi-lo, m-lo))
}

// cross is Q_ij, or λQ_ij, of a pair at t but for the entry of L.
func (w *orderWork) cross(memory *orderWorker, i, j int, t float64) float64 {
	of, sum := w.of.of.rows.w, 0.0
	product, other := memory.product, of.Row(j)
	for l, x := range of.Row(i) {
		product[l] = x * other[l]
	}
	for d := w.inverse.Rows - 1; d >= 0; d-- {
		sum = sum*t + linalg.Dot(product, w.inverse.Row(d))
	}
	return w.sign() * sum
}

// row emits the differences of the pairs of row lo+a, unless one of them is nearly tied.
func (w *orderWork) row(worker, lo, a int, emit func(worker, i, c int, fi, fj []float64)) {
	i, v, memory := lo+a, len(w.error), &w.workers[worker]
	m := w.rows.Rows
	if len(memory.places) != m {
		memory.places, memory.differences = make([]float64, m), linalg.NewMat(v+1, m)
	}
	memory.product = grown(memory.product, w.inverse.Cols)
	t := w.of.of.placesFor(i, memory.places)
	for c := range v {
		if w.isNear[a] = w.order(memory, i, a, c, t); w.isNear[a] {
			return
		}
	}
	for c := range v {
		if len(t) > 0 {
			emit(worker, i, c, memory.differences.Row(c)[:len(t)], memory.differences.Row(v)[:len(t)])
		}
	}
}

// order sets the differences times determinants of the pairs of row i, row a of its panel, with the rows after it. It
// returns whether one is nearly tied, but for equal rows.
func (w *orderWork) order(memory *orderWorker, i, a, c int, t []float64) bool {
	r := w.of.of.rows
	q, own := w.q.Row(a)[a+1:][:len(t)], w.rowOf(i, c)
	equals, equal := r.duplicateOf[i+1:][:len(t)], r.duplicateOf[i]
	dst := memory.differences.Row(c)[:len(t)]
	for b, x := range t {
		f, near := w.difference(&own, memory, i+1+b, x, q[b])
		if near {
			if equals[b] != equal {
				return true
			}
			f = 0
		}
		dst[b] = f
	}
	return false
}

// orderRow is a row of a pair for an output: its coefficients, its label and the terms of its bounds.
type orderRow struct {
	i, c, at       int
	q, a           []float64
	y, off, u      float64
	rough, root    float64
	reach, near    float64
	labels, others []float64 // of all rows: y, and the reach
}

func (w *orderWork) rowOf(i, c int) orderRow {
	o, n := w.of, w.inverse.Rows
	r, row, at := o.of.rows, w.rows.Row(i), n*(1+c)
	own := orderRow{i: i, c: c, at: at, q: row[:n], a: row[at : at+n], y: o.y.Row(c)[i], u: o.shares[i], rough: o.rough[i],
		root: w.root[i], reach: w.reach.Row(c)[i], near: w.error[c] * w.size[i], labels: o.y.Row(c),
		others: w.reach.Row(c)}
	if w.learnt {
		own.off = -r.list.share * r.list.mass[i]
	}
	return own
}

// difference is that of a pair times its determinant, at t and with the entry qij of WDWᵀ by shaped rows. It returns
// whether the pair is nearly tied.
func (w *orderWork) difference(own *orderRow, memory *orderWorker, j int, x, qij float64) (f float64, near bool) {
	o, n, width := w.of, len(own.q), w.rows.Cols
	row := w.rows.Data[j*width : (j+1)*width]
	theirQ, theirA := row[:n], row[own.at:own.at+n]
	ownQ, ownA, d := own.q[:n], own.a[:n], n-1
	qi, ai, qj, aj := ownQ[d], ownA[d], theirQ[d], theirA[d]
	for d--; d >= 0; d-- {
		qi, ai, qj, aj = qi*x+ownQ[d], ai*x+ownA[d], qj*x+theirQ[d], aj*x+theirA[d]
	}
	off := own.off * o.of.rows.list.mass[j]
	qij += off
	y, u := own.y-own.labels[j], o.shares[j]
	apart := own.u - u
	f = y*(qi*qj-qij*qij) - (qj+qij)*ai + (qi+qij)*aj
	share := math.Abs(x*o.of.half-own.u-u) + apart*apart/8 + own.rough + o.rough[j]
	size, limit := own.root*w.root[j], own.near*w.size[j]
	if !(math.Abs(f) > limit+1.4*share*size*(3*size*math.Abs(y)+own.reach+own.others[j])) || !(share <= 0.5) {
		qij = w.cross(memory, own.i, j, x) + off
		f = y*(qi*qj-qij*qij) - (qj+qij)*ai + (qi+qij)*aj
	}
	return f, !(math.Abs(f) > limit)
}
