package goals

import (
	"math"

	"pairrank/internal/parallel"
)

// TimedRoot is F with F Fᵀ = L of a Timed, by which the rows are eliminated in the order of their levels. Elimination
// connects later rows j, k by c a_j a_k more, the rest of the level by b a_j a_k, and the rest of the level with later
// rows by h a_k a_j. With the sums s of the a of the rest of the level and n of later ones, and u_i = w_i + h a_i, row
// i has the pivot
//
//	p_i = u_i n + b a_i s,  and then  c += u_i²/p_i,  h += b a_i u_i/p_i,  b += (b a_i)²/p_i
//
// where a level begins with b = h = c. Its column of F is √p_i in row i, −b a_i a_k/√p_i in the rest k of the level and
// −u_i a_j/√p_i in later rows j; a column of a row that no later one is compared with is 0. Nothing is subtracted, so
// that each entry has its digits (the elimination of a diagonally dominant M-matrix: Grassmann, Taksar and Heyman,
// 1985). Products with F, Fᵀ and their inverses cost O(m) a column by running sums.
type TimedRoot struct {
	*Timed
	pivot  []float64 // √p by place in order
	within []float64 // b a_i/√p
	beyond []float64 // u_i/√p
}

// Root returns the root, in O(m).
func (t *Timed) Root() *TimedRoot {
	m := t.Dim()
	r := &TimedRoot{t, make([]float64, m), make([]float64, m), make([]float64, m)}
	rest, later := make([]float64, m), make([]float64, m) // sums of the weights of rows
	for p := range t.parts.Len() {
		lo, hi := t.parts.Bounds[p], t.parts.Bounds[p+1]
		sum, beyond := 0.0, 0.0
		for at := hi - 1; at >= lo; at-- {
			if at+1 == int(t.level[at]) {
				sum, beyond = 0, sum+beyond
			}
			rest[at], later[at] = sum, beyond
			sum += t.mass[at]
		}
		var b, c, h float64
		for at := lo; at < hi; at++ {
			a := t.mass[at]
			u := t.weight[at] + h*a
			if pivot := u*later[at] + b*a*rest[at]; pivot > 0 {
				root := math.Sqrt(pivot)
				r.pivot[at], r.within[at], r.beyond[at] = root, b*a/root, u/root
				c += r.beyond[at] * r.beyond[at]
				h += r.within[at] * r.beyond[at]
				b += r.within[at] * r.within[at]
			}
			if at+1 == int(t.level[at]) {
				b, h = c, c
			}
		}
	}
	return r
}

// MulTo computes dst = F x for x of m×k; dst may be x.
func (r *TimedRoot) MulTo(dst, x []float64, k int) { r.run(dst, x, k, r.forward(false)) }

// SolveTo computes a dst with F dst = x for an x of m×k that is in the range; dst may be x.
func (r *TimedRoot) SolveTo(dst, x []float64, k int) { r.run(dst, x, k, r.forward(true)) }

// MulTransTo computes dst = Fᵀ x for x of m×k; dst may be x.
func (r *TimedRoot) MulTransTo(dst, x []float64, k int) { r.run(dst, x, k, r.backward(false)) }

// SolveTransTo computes a dst with Fᵀ dst = x for an x of m×k that is in the range; dst may be x.
func (r *TimedRoot) SolveTransTo(dst, x []float64, k int) { r.run(dst, x, k, r.backward(true)) }

// NormBound bounds the norm of F: that of L is at most twice the largest entry of its diagonal.
func (r *TimedRoot) NormBound() float64 {
	largest := 0.0
	for _, d := range r.diag {
		largest = max(largest, d)
	}
	return math.Sqrt(2 * largest)
}

// pass is a product or a solution in columns [lo,hi) of component p; sums are two vectors of zeros, of those columns.
type pass func(dst, x []float64, k, lo, hi, p int, sums [2][]float64)

// run makes a pass over all components and columns, in parallel.
func (r *TimedRoot) run(dst, x []float64, k int, pass pass) {
	checkShapes("TimedRoot", r.Dim(), k, dst, x)
	const width, rows = 64, 64
	columns := max(1, (k+width-1)/width)
	pieces := max(1, (r.parts.Len()+rows-1)/rows)
	parallel.For(pieces*columns, func(_, task int) {
		lo, piece := task%columns*width, task/columns
		hi := min(k, lo+width)
		sums := [2][]float64{make([]float64, hi-lo), make([]float64, hi-lo)}
		for p := piece * rows; p < min((piece+1)*rows, r.parts.Len()); p++ {
			clear(sums[0])
			clear(sums[1])
			pass(dst, x, k, lo, hi, p, sums)
		}
	})
}

// forward is the pass of F, or of its inverse: entry j is √p_j x_j less a_j times the sum over the earlier rows.
func (r *TimedRoot) forward(solve bool) pass {
	return func(dst, x []float64, k, lo, hi, p int, sums [2][]float64) {
		level, earlier := sums[0], sums[1] // both of earlier levels; the first also of the level
		for at := r.parts.Bounds[p]; at < r.parts.Bounds[p+1]; at++ {
			i := int(r.order[at]) * k
			pivot, mass, within, beyond := r.pivot[at], r.mass[at], r.within[at], r.beyond[at]
			in, out := x[i+lo:i+hi], dst[i+lo:i+hi]
			for c, v := range in {
				y := pivot*v - mass*level[c]
				if solve {
					if y = 0; pivot > 0 {
						y = (v + mass*level[c]) / pivot
					}
					v = y
				}
				out[c] = y
				level[c] += within * v
				earlier[c] += beyond * v
			}
			if at+1 == int(r.level[at]) {
				copy(level, earlier)
			}
		}
	}
}

// backward is the pass of Fᵀ, or of its inverse: entry i is √p_i x_i less the sums over the rest of the level and over
// later rows.
func (r *TimedRoot) backward(solve bool) pass {
	return func(dst, x []float64, k, lo, hi, p int, sums [2][]float64) {
		rest, later := sums[0], sums[1]
		for at := r.parts.Bounds[p+1] - 1; at >= r.parts.Bounds[p]; at-- {
			if at+1 == int(r.level[at]) {
				for c, v := range rest {
					later[c] += v
				}
				clear(rest)
			}
			i := int(r.order[at]) * k
			pivot, mass, within, beyond := r.pivot[at], r.mass[at], r.within[at], r.beyond[at]
			in, out := x[i+lo:i+hi], dst[i+lo:i+hi]
			for c, v := range in {
				of := within*rest[c] + beyond*later[c]
				y := pivot*v - of
				if solve {
					if y = 0; pivot > 0 {
						y = (v + of) / pivot
					}
					v = y
				}
				out[c] = y
				rest[c] += mass * v
			}
		}
	}
}

// UpperCongruence replaces the upper triangle of the symmetric K, m×m by rows of the given stride, by that of Fᵀ K F,
// and does not write below the diagonal. A row of FᵀK needs later rows of its component only, whose sums it keeps.
func (r *TimedRoot) UpperCongruence(k []float64, stride int) {
	m := r.Dim()
	parallel.For(r.parts.Len(), func(_, p int) {
		row, rest, later := make([]float64, m), make([]float64, m), make([]float64, m)
		for at := r.parts.Bounds[p+1] - 1; at >= r.parts.Bounds[p]; at-- {
			if at+1 == int(r.level[at]) {
				for c, v := range rest {
					later[c] += v
				}
				clear(rest)
			}
			i := int(r.order[at])
			of := k[i*stride : i*stride+m]
			pivot, mass, within, beyond := r.pivot[at], r.mass[at], r.within[at], r.beyond[at]
			for c, v := range of {
				row[c] = pivot*v - within*rest[c] - beyond*later[c]
				rest[c] += mass * v
			}
			r.MulTransTo(row, row, 1)
			copy(of[i:], row[i:])
		}
	})
}
