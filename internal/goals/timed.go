package goals

import (
	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// Timed is the Laplacian of the comparable pairs of censored times. Row i is the shorter of a pair, and weighs it by
// w_i, where t_i < t_j and i had the event, or t_i = t_j and only i had it. In the order of (time, events before
// censored rows of the same time), where rows of the same time and kind are one level,
//
//	(Lf)_i = w_i (n_i f_i − Σ_{j of later levels} a_j f_j) + a_i (e_i f_i − Σ_{j of earlier levels} w_j f_j)
//
// with the weights a of the rows, which are in the w too, the sum n_i of the a_j of later levels, the sum e_i of the
// w_j of earlier ones, and w_i = 0 of censored rows. A product with an m×k matrix costs O(mk) by running sums, after
// one sort of the rows.
type Timed struct {
	parts  *data.Partition // each the rows that some event connects, or a row that is not compared
	order  []int32         // the rows of each part, where parts.Bounds says, in the order of their levels
	level  []int32         // by place in order: one past the last place of its level
	weight []float64       // w by place in order
	mass   []float64       // a by place in order
	diag   []float64       // w_i n_i + a_i e_i, by row
}

// newTimed makes the Laplacian of rows in strata, which lie in order with their levels, and of the weights w by row: 0
// where no row is of a later level; and of those of the rows, nil where each is 1.
func newTimed(strata *data.Partition, order, level []int32, weight, mass []float64) *Timed {
	m := len(order)
	t := noTimed(nil, m)
	of, first := make([]int32, m), make([]int, 0, strata.Len()) // the first place of each component
	for p := range strata.Len() {
		lo, hi := strata.Bounds[p], strata.Bounds[p+1]
		from := lo
		for from < hi && weight[order[from]] == 0 {
			from++
		}
		for a := lo; a < hi; a++ {
			if a <= from {
				first = append(first, a)
			}
			of[order[a]] = int32(len(first) - 1)
		}
	}
	t.parts = data.NewPartition(of, len(first))
	for p, from := range first {
		to := t.parts.Bounds[p]
		for a := range t.parts.Bounds[p+1] - to {
			i := order[from+a]
			// A row that is not compared is a level, whichever it shares.
			t.level[to+a] = min(level[from+a]-int32(from-to), int32(t.parts.Bounds[p+1]))
			t.order[to+a], t.weight[to+a], t.mass[to+a] = i, weight[i], WeightOf(mass, i)
		}
	}
	t.each(func(i int32, later, earlier float64) { t.diag[i] = later + earlier })
	return t
}

// noTimed is memory for m rows with these components.
func noTimed(parts *data.Partition, m int) *Timed {
	return &Timed{parts: parts, order: make([]int32, m), level: make([]int32, m), weight: make([]float64, m),
		mass: make([]float64, m), diag: make([]float64, m)}
}

// each calls f for each row i with w_i n_i and a_i e_i.
func (t *Timed) each(f func(i int32, later, earlier float64)) {
	var from []float64 // by place in a component, the sum of the weights of the rows from it on
	for p := range t.parts.Len() {
		lo, hi := t.parts.Bounds[p], t.parts.Bounds[p+1]
		from = append(from[:0], make([]float64, hi-lo+1)...)
		for a := hi - 1; a >= lo; a-- {
			from[a-lo] = from[a-lo+1] + t.mass[a]
		}
		earlier := 0.0
		for a := lo; a < hi; {
			b, sum := int(t.level[a]), 0.0
			for ; a < b; a++ {
				f(t.order[a], t.weight[a]*from[b-lo], t.mass[a]*earlier)
				sum += t.weight[a]
			}
			earlier += sum
		}
	}
}

// Dim returns the number of rows m.
func (t *Timed) Dim() int { return len(t.order) }

// Components returns the rows that the events of a stratum connect, and each other row by itself: those that are
// censored before the first event.
func (t *Timed) Components() *data.Partition { return t.parts }

// DiagonalTo fills dst, of length m, with the diagonal of L, in O(m). It panics when dst is shorter.
func (t *Timed) DiagonalTo(dst []float64) { copy(dst[:len(t.diag)], t.diag) }

// Order returns the rows component by component, each in the order of its levels. The caller must not change them.
func (t *Timed) Order() []int32 { return t.order }

// Sorted is the Laplacian of the rows in this order, in O(m).
func (t *Timed) Sorted() *Timed {
	s := &Timed{order: make([]int32, len(t.order)), level: t.level, weight: t.weight, mass: t.mass,
		diag: pick.Rows(t.diag, t.order)}
	for at := range s.order {
		s.order[at] = int32(at)
	}
	s.parts = data.NewPartition(pick.Rows(t.parts.Of(), t.order), t.parts.Len())
	return s
}

// Restrict returns L_HH, as Laplacian has it, in O(h). It panics when a component lies partly outside.
func (t *Timed) Restrict(rows []int32) Laplacian {
	if len(rows) == t.Dim() && ascending(rows) {
		return t
	}
	parts, from, local := restrictParts(t.parts, rows)
	r := noTimed(parts, len(rows))
	for p, g := range from {
		lo, to := t.parts.Bounds[g], parts.Bounds[p]
		for a := range parts.Bounds[p+1] - to {
			i := local[t.order[lo+a]]
			r.order[to+a], r.level[to+a], r.diag[i] = i, t.level[lo+a]-int32(lo-to), t.diag[t.order[lo+a]]
			r.weight[to+a], r.mass[to+a] = t.weight[lo+a], t.mass[lo+a]
		}
	}
	return r
}

// ascending reports whether rows are 0, 1, 2, …
func ascending(rows []int32) bool {
	for a, i := range rows {
		if int(i) != a {
			return false
		}
	}
	return true
}

// AddSquaresTo adds the diagonal of XᵀLX to dst, of a number for each column of x, m×n: Σ_i (d_i x_ij² − 2 w_i x_ij
// s_ij) with the diagonal d of L and the sums s of the a_j x_j of later levels, in O(n + non-zeros).
func (t *Timed) AddSquaresTo(dst []float64, x data.Matrix) {
	sums, touched := make([]float64, len(dst)), []int(nil)
	for p := range t.parts.Len() {
		first, end := t.parts.Bounds[p], t.parts.Bounds[p+1]
		for b := end; b > first; {
			a := t.levelFrom(first, b)
			for at := a; at < b; at++ {
				d, w := t.diag[t.order[at]], 2*t.weight[at]
				data.Each(x, int(t.order[at]), func(j int, v float64) { dst[j] += v * (d*v - w*sums[j]) })
			}
			for at := a; at < b; at++ {
				data.Each(x, int(t.order[at]), func(j int, v float64) {
					if sums[j] == 0 {
						touched = append(touched, j)
					}
					sums[j] += t.mass[at] * v
				})
			}
			b = a
		}
		for _, j := range touched {
			sums[j] = 0
		}
		touched = touched[:0]
	}
}

// levelFrom is the first place, not before first, of the level that ends before place b.
func (t *Timed) levelFrom(first, b int) int {
	a := b - 1
	for a > first && int(t.level[a-1]) == b {
		a--
	}
	return a
}

// MulTo computes dst = L x for x of m×k in O(mk), in parallel over components and blocks of columns. It panics when the
// lengths do not fit.
func (t *Timed) MulTo(dst, x []float64, k int) {
	checkShapes("Timed", t.Dim(), k, dst, x)
	const width, rows = 32, 64
	columns := max(1, (k+width-1)/width)
	pieces := max(1, (t.parts.Len()+rows-1)/rows)
	parallel.For(pieces*columns, func(_, task int) {
		lo, piece := task%columns*width, task/columns
		var memory []float64
		for p := piece * rows; p < min((piece+1)*rows, t.parts.Len()); p++ {
			memory = t.mulPart(dst, x, k, lo, min(k, lo+width), p, memory)
		}
	})
}

// mulPart is MulTo on component p and columns [lo,hi). It sums over later levels from the last one on, so that a row
// with few of them has their digits. It returns memory for the next.
func (t *Timed) mulPart(dst, x []float64, k, lo, hi, p int, memory []float64) []float64 {
	first, end, w := t.parts.Bounds[p], t.parts.Bounds[p+1], hi-lo
	n := (end - first) * w
	if cap(memory) < 2*n+w {
		memory = make([]float64, 2*n+w)
	}
	in, out, sum := memory[:n], memory[n:2*n], memory[2*n:2*n+w]
	row := func(of []float64, at int) []float64 { return of[(at-first)*w:][:w] }
	for at := first; at < end; at++ {
		copy(row(in, at), x[int(t.order[at])*k+lo:])
	}
	clear(sum)
	later := 0.0
	for b := end; b > first; {
		a := t.levelFrom(first, b)
		for at := a; at < b; at++ {
			of, weight := row(out, at), t.weight[at]
			for c, v := range row(in, at) {
				of[c] = weight * (later*v - sum[c])
			}
		}
		for at := a; at < b; at++ {
			mass := t.mass[at]
			for c, v := range row(in, at) {
				sum[c] += mass * v
			}
			later += mass
		}
		b = a
	}
	clear(sum)
	weights := 0.0
	for a := first; a < end; {
		b := int(t.level[a])
		for at := a; at < b; at++ {
			of, mass := row(out, at), t.mass[at]
			for c, v := range row(in, at) {
				of[c] += mass * (weights*v - sum[c])
			}
			copy(dst[int(t.order[at])*k+lo:], of)
		}
		for ; a < b; a++ {
			weight := t.weight[a]
			for c, v := range row(in, a) {
				sum[c] += weight * v
			}
			weights += weight
		}
	}
	return memory
}
