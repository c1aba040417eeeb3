package pencil

import (
	"context"
	"math"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// mostOrdered is the largest k of starSystem; above it reducing a matrix takes most of the time of a pair.
const mostOrdered = 16

// starShare is the share of the sizes of what a difference is added up from, that decides nothing.
const starShare = 1e-10

// starSystem orders two rows by the sign of aᵀ(A' + λI)⁻¹b for many λ, with few columns k. Reflections turn b into a
// multiple of the first unit vector and A' into T, tridiagonal with the diagonal t and e beside it. With the trailing
// minors θ_i of T + λI, those of its rows from i on, and with θ_0 > 0 the sign is that of
//
//	b_0 Σ_i a_i (−1)^i e_0 … e_{i−1} θ_{i+1}        θ_i = (t_i + λ)θ_{i+1} − e_i²θ_{i+2}
//
// which has no division: O(4k³/3), and O(k) for each λ. The sum is a polynomial of λ, whose coefficients cost O(k²).
// Where they have one sign, it is that of the sum for every λ; where they change it once, so does the sum, and of
// ascending λ the place is searched for.
type starSystem struct {
	k         int
	a         [mostOrdered][mostOrdered]float64 // A' and then T, both triangles
	b, row    [mostOrdered]float64              // b; a
	v, p      [mostOrdered]float64              // of a reflection
	term      [mostOrdered]struct{ t, e2, g, h, size float64 }
	sum       polynomial
	theta     [2]polynomial
	rest      linalg.Mat // the whole without the star of a row, a row of it for each of A
	restB     []float64
	unit      float64 // of T, so that its minors are in range
	ascending bool    // the λ
}

// polynomial is the coefficients of one, from that of λ⁰ on, and for each the sum of the sizes of what it is added up
// from.
type polynomial struct{ c, size [mostOrdered + 1]float64 }

// OrderPairs leaves out every two rows that are wanted. emit receives, for a row i, the wanted rows after it and for
// each of them a row with a number for each λ: above 0 where the score of row i is the higher one without the two, 0
// where both are equal. It is called from several goroutines, once for each i, and must not keep them.
func (s *Stars) OrderPairs(ctx context.Context, lambdas []float64, wanted func(i, j int32) bool,
	emit func(worker, i int, others []int32, apart linalg.Mat)) error {
	m, n := s.z.Rows, len(lambdas)
	type work struct {
		others []int32
		apart  linalg.Mat
	}
	works := make([]work, parallel.Workers())
	parallel.For(m, func(worker, i int) {
		if ctx.Err() != nil {
			return
		}
		x, w := s.pool.Get().(*starScratch), &works[worker]
		defer s.pool.Put(x)
		w.others = w.others[:0]
		for j := int32(i) + 1; int(j) < m; j++ {
			if wanted(int32(i), j) {
				w.others = append(w.others, j)
			}
		}
		sized(&w.apart, len(w.others), n)
		quick := len(w.others) > 0 && x.system.start(s, lambdas, i)
		for b, j := range w.others {
			dst := w.apart.Row(b)
			if quick && x.system.order(s, dst, lambdas, int32(i), j) || ctx.Err() != nil {
				continue
			}
			s.pair(x, lambdas, int32(i), j, func(l int, fi, fj float64) { dst[l] = fi - fj })
		}
		emit(worker, i, w.others, w.apart)
	})
	return ctx.Err()
}

// start prepares the pairs of row i. It reports whether there is a quick way for them.
func (x *starSystem) start(s *Stars, lambdas []float64, i int) bool {
	if x.k = s.z.Cols; x.k > mostOrdered || x.k == 0 || s.each == nil {
		return false
	}
	own := s.each()[i]
	x.restB = append(x.restB[:0], s.whole.b...)
	linalg.Axpy(-1, own.b, x.restB)
	x.unit, x.ascending = 1, slices.IsSorted(lambdas)
	rest, trace := sized(&x.rest, x.k, x.k), 0.0
	for r := range x.k {
		trace += s.whole.a.Row(r)[r]
		for c := r; c < x.k; c++ {
			rest.Row(r)[c] = s.whole.a.Row(r)[c] - own.a.Row(r)[c]
		}
	}
	if trace > 0 {
		x.unit = 1 / trace
	}
	return true
}

// order sets dst to the signs of the differences of a pair, and reports whether it can: not where little is left to
// learn from, and where a difference may be that of rounding.
func (x *starSystem) order(s *Stars, dst, lambdas []float64, i, j int32) bool {
	k, other, zi, zj := x.k, s.each()[j], s.z.Row(int(i)), s.z.Row(int(j))
	mass := s.whole.mass - s.each()[i].mass - other.mass
	weight, target := s.goal.Pair(i, j)
	if weight != 0 {
		mass += s.mass(i, j)
	}
	if !(mass > leastMass*s.whole.mass) {
		return false
	}
	size, informs := 0.0, 0.0
	for r := range k {
		x.row[r] = zi[r] - zj[r]
		x.b[r] = x.restB[r] - other.b[r] + weight*target*x.row[r]
		size += x.row[r] * x.row[r]
		informs += x.b[r] * x.b[r]
	}
	if !(sqrt(informs) > 64*epsilon*float64(s.z.Rows)*s.size) {
		return false
	}
	for r := range k {
		rest, others := x.rest.Row(r), other.a.Row(r)
		for c := r; c < k; c++ {
			v := rest[c] - others[c] + weight*x.row[r]*x.row[c]
			x.a[r][c], x.a[c][r] = v, v
		}
	}
	first := x.reduce()
	limit := starShare * starShare * size
	inverse := x.unit / s.goal.WeightsWithout([]int32{i, j}, mass)
	changes := x.changes(starShare * sqrt(size))
	lo, hi, sum, norm, ok := 0, len(lambdas), x.sum.c[0], 0.0, true
	if changes == 0 {
		lo = fill(dst, sum*first)
	}
	for lo < hi {
		l, search := lo, changes == 1 && x.ascending
		if search {
			l = (lo + hi) / 2
		}
		if sum, norm, ok = x.at(lambdas[l] * inverse); !ok || !(sum*sum > limit*norm) {
			return false
		}
		if search && sum*x.sum.c[0] < 0 { // as all λ above it
			hi -= fill(dst[l:hi], sum*first)
		} else {
			lo += fill(dst[lo:l+1], sum*first)
		}
	}
	return true
}

// fill sets all of dst to v, and returns their number.
func fill(dst []float64, v float64) int {
	for l := range dst {
		dst[l] = v
	}
	return len(dst)
}

// changes sets the coefficients of the sum and returns how often their sign changes, or more than k times where one is
// at most a share of the size of what it is added up from.
func (x *starSystem) changes(share float64) (n int) {
	k, sum, theta, next := x.k, &x.sum, &x.theta[0], &x.theta[1] // θ_{i+1}, θ_{i+2}
	for _, p := range []*polynomial{sum, theta, next} {
		clear(p.c[:k+1])
		clear(p.size[:k+1])
	}
	theta.c[0], theta.size[0] = 1, 1
	for i := k - 1; i >= 0; i-- {
		t, c, size := &x.term[i], 0.0, 0.0
		for d := range k - i {
			c0, size0 := theta.c[d], theta.size[d]
			sum.c[d] += t.g * c0
			sum.size[d] += t.size * size0
			next.c[d] = t.t*c0 + c - t.e2*next.c[d]
			next.size[d] = math.Abs(t.t)*size0 + size + t.e2*next.size[d]
			c, size = c0, size0
		}
		next.c[k-i], next.size[k-i] = c, size
		theta, next = next, theta
	}
	for d, c := range sum.c[:k] {
		if !(math.Abs(c) > share*sum.size[d]) {
			return k + 1
		}
		if d > 0 && c > 0 != (sum.c[d-1] > 0) {
			n++
		}
	}
	return n
}

// at is the sum at λ, the squared size of its second vector, and whether all minors are above 0.
func (x *starSystem) at(lambda float64) (sum, norm float64, ok bool) {
	before, minor := 0.0, 1.0 // θ_{i+2}, θ_{i+1}
	ok = true
	for i := x.k - 1; i >= 0; i-- {
		t := &x.term[i]
		sum += t.g * minor
		norm += t.h * minor * minor
		before, minor = minor, (t.t+lambda)*minor-t.e2*before
		ok = ok && minor > 0
	}
	return sum, norm, ok && minor < math.MaxFloat64
}

// reduce makes A' tridiagonal and turns a with it. It fills the terms and returns the first entry of b.
func (x *starSystem) reduce() (first float64) {
	k := x.k
	first = x.reflect(x.b[:k], 0)
	product, unit := 1.0, x.unit
	for i := range k {
		e := 0.0
		if i+1 < k {
			e = x.reflect(x.a[i][:k], i+1) * unit
		}
		x.term[i].t, x.term[i].e2 = x.a[i][i]*unit, e*e
		x.term[i].g, x.term[i].h, x.term[i].size = product*x.row[i], product*product, math.Abs(product)
		product *= -e
	}
	return first
}

// reflect turns the entries of y from lo on into a multiple of the first of them, which it returns, and A' and a with
// it.
func (x *starSystem) reflect(y []float64, lo int) float64 {
	k, tail := x.k, 0.0
	for _, v := range y[lo+1:] {
		tail += v * v
	}
	if tail == 0 {
		return y[lo]
	}
	to := -math.Copysign(sqrt(y[lo]*y[lo]+tail), y[lo])
	v, p := x.v[:k], x.p[:k]
	copy(v[lo:], y[lo:])
	v[lo] -= to
	scale := 2 / (v[lo]*v[lo] + tail)
	along, turned := 0.0, 0.0
	for r := lo; r < k; r++ {
		sum, row := 0.0, x.a[r][:k]
		for c := lo; c < k; c++ {
			sum += row[c] * v[c]
		}
		p[r] = scale * sum
		along += p[r] * v[r]
		turned += x.row[r] * v[r]
	}
	along *= scale / 2
	turned *= scale
	for r := lo; r < k; r++ {
		p[r] -= along * v[r]
		x.row[r] -= turned * v[r]
	}
	for r := lo; r < k; r++ {
		row, vr, pr := x.a[r][:k], v[r], p[r]
		for c := lo; c < k; c++ {
			row[c] -= vr*p[c] + pr*v[c]
		}
	}
	return to
}
