package pencil

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// pairOrders orders the pairs of a single list of rows with weights. The two predictions without a pair H differ by
//
//	y_i − y_j − (δ_i − δ_j)        Q_HH δ = a_H        y_i = r_i/(c a_i)
//
// of which only q_i = Q_ii, q_j, Q_ij and the two entries of a depend on λ. Without the division by the determinant of
// Q_HH the sign of the difference is that of
//
//	(y_i − y_j)(q_i q_j − Q_ij²) − (q_j + Q_ij) a_i + (q_i + Q_ij) a_j.
//
// The numbers of a row are interpolated in t of ScaledPairs, as polynomials: Q is WDWᵀ, so that the coefficients of D,
// N to each column of W, give those of a row in O(kN). Q_ij comes of one product for all pairs: the logarithm of c is
// nearly a sum u_i + u_j, and a diagonal entry of D about the product of its roots at exp(2u_i) and exp(2u_j); see
// setShares. Where that is too rough to tell the order of a pair, Q_ij is interpolated, too, in O(kN).
//
// Where λQ = L − WDEWᵀ keeps more digits it is in the place of Q, and λa in that of a.
type pairOrders struct {
	of      *ScaledPairs
	powers  linalg.Mat // N×N: row k has the coefficients of t^k in each ℓ_n
	squares linalg.Mat // m×k: those of W
	y       linalg.Mat // v×m
	span    []float64  // the largest difference of labels of each output
	shares  []float64  // u
	rough   []float64  // a bound of what shapeTo leaves of the terms of each row
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
	o.setShares()
	return o
}

// setShares sets u by log c − middle of the pairs with a row r of middling weight: log c_ij is u_i + u_j but for
// about (u_i − u_r)(u_j − u_r). The factor of a term of Q_ij is then wrong by at most
//
//	|log c_ij − u_i − u_j| + (u_i − u_j)²/8 + (|u_i|³ + |u_j|³)/2
//
// of it, to the first order: by the change of λ; by a mean in the place of the middle of log D, whose second derivative
// in log λ is at most ¼; and by what shapeTo leaves where |u| is at most ½.
func (o *pairOrders) setShares() {
	s, m := o.of, o.squares.Rows
	at := func(i, j int) float64 { return math.Log(s.scale(int32(i), int32(j))) - s.middle }
	with := make([]float64, m) // the first row, or the second
	for i := range m {
		with[i] = at(i, max(0, 1-i))
	}
	order := make([]int, m-2)
	for b := range order {
		order[b] = b + 2
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(with[a], with[b]) })
	r := order[len(order)/2]
	own := (at(r, 0) + at(r, 1) - at(0, 1)) / 2
	o.shares, o.rough = make([]float64, m), make([]float64, m)
	for i := range m {
		if o.shares[i] = own; i != r {
			o.shares[i] = at(i, r) - own
		}
		u := math.Abs(o.shares[i])
		if o.rough[i] = u * u * u / 2; !(u <= 0.5) {
			o.rough[i] = math.Inf(1)
		}
	}
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

// OrderPairs is LeavePairs whose predictions have the right order only. It costs a product, and O(m²Nv). Rows with a
// pair that is so nearly tied that rounding decides are those of LeavePairs.
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
	panel := max(8, min(16, 1<<15/(m*n)), min(128, s.rows.w.Cols/2)) // a product packs all rows once a panel
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
	k := len(p.Eigenvalues)
	return k > 0 && lambda*o.of.points[0] <= most*p.Eigenvalues[k-1]
}
