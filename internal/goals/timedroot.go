package goals

import (
	"math"

	"pairrank/internal/linalg"
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
// of a Timed that is Sorted, in O(m²). It neither reads nor writes below the diagonal. It panics for another.
func (r *TimedRoot) UpperCongruence(k []float64, stride int) {
	if !ascending(r.order) {
		panic("goals: UpperCongruence of rows that are not sorted")
	}
	m := r.Dim()
	rest, later := make([]float64, m), make([]float64, m) // Σ a_j K_ij over the rest of the level, and later rows
	for p := range r.parts.Len() {
		first, last := r.parts.Bounds[p], r.parts.Bounds[p+1]
		parallel.Chunks(last-first, 64, func(_, lo, hi int) {
			for i := first + lo; i < first+hi; i++ {
				row, next := k[i*stride:], int(r.level[i])
				rest[i] = linalg.Dot(r.mass[i+1:next], row[i+1:next])
				later[i] = linalg.Dot(r.mass[next:last], row[next:last])
			}
		})
	}
	parallel.Chunks(m, 256, func(_, lo, hi int) { r.leftColumns(k, stride, lo, hi, rest, later) })
	parallel.Chunks(m, 16, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			r.rightRow(k[i*stride:i*stride+m], i)
		}
	})
}

// leftColumns replaces columns [lo,hi) of the upper triangle of K by those of Fᵀ K, from the last row up. The sums of
// column i begin at row i.
func (r *TimedRoot) leftColumns(k []float64, stride, lo, hi int, rests, laters []float64) {
	rest, later := make([]float64, hi-lo), make([]float64, hi-lo)
	for p := range r.parts.Len() {
		clear(rest)
		clear(later)
		for i := min(r.parts.Bounds[p+1], hi) - 1; i >= r.parts.Bounds[p]; i-- {
			from := max(i, lo) - lo
			if i+1 == int(r.level[i]) {
				for c, v := range rest[from:] {
					later[from+c] += v
				}
				clear(rest[from:])
			}
			if i >= lo {
				rest[from], later[from] = rests[i], laters[i]
			}
			pivot, mass, within, beyond := r.pivot[i], r.mass[i], r.within[i], r.beyond[i]
			row, rest, later := k[i*stride+lo+from:i*stride+hi], rest[from:], later[from:]
			for c, v := range row {
				row[c] = pivot*v - within*rest[c] - beyond*later[c]
				rest[c] += mass * v
			}
		}
	}
}

// rightRow multiplies row i of an upper triangle by F.
func (r *TimedRoot) rightRow(row []float64, i int) {
	for p := r.parts.Len() - 1; p >= 0 && r.parts.Bounds[p+1] > i; p-- {
		rest, later := 0.0, 0.0
		for c := r.parts.Bounds[p+1] - 1; c >= max(i, r.parts.Bounds[p]); c-- {
			if c+1 == int(r.level[c]) {
				rest, later = 0, later+rest
			}
			v := row[c]
			row[c] = r.pivot[c]*v - r.within[c]*rest - r.beyond[c]*later
			rest += r.mass[c] * v
		}
	}
}
