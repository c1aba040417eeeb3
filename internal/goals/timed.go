package goals

import (
	"pairrank/data"
	"pairrank/internal/parallel"
)

// Timed is the Laplacian of the comparable pairs of censored times. Row i is the shorter of a pair, and weighs it by
// w_i, where t_i < t_j and i had the event, or t_i = t_j and only i had it. In the order of (time, events before
// censored rows of the same time), where rows of the same time and kind are one level,
//
//	(Lf)_i = w_i (n_i f_i − Σ_{j of later levels} f_j) + e_i f_i − Σ_{j of earlier levels} w_j f_j
//
// with the number n_i of rows of later levels, the sum e_i of the w_j of earlier ones, and w_i = 0 of censored rows. A
// product with an m×k matrix costs O(mk) by running sums, after one sort of the rows.
type Timed struct {
	parts  *data.Partition // each the rows that some event connects, or a row that is not compared
	order  []int32         // the rows of each part, where parts.Bounds says, in the order of their levels
	level  []int32         // by place in order: one past the last place of its level
	weight []float64       // w by place in order
	diag   []float64       // w_i n_i + e_i, by row
}

// newTimed makes the Laplacian of rows in strata, which lie in order with their levels, and of the weights w by row: 0
// where no row is of a later level.
func newTimed(strata *data.Partition, order, level []int32, weight []float64) *Timed {
	m := len(order)
	t := &Timed{order: make([]int32, m), level: make([]int32, m), weight: make([]float64, m), diag: make([]float64, m)}
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
			t.order[to+a], t.level[to+a], t.weight[to+a] = i, level[from+a]-int32(from-to), weight[i]
		}
	}
	t.each(func(i int32, weight, later, earlier float64) { t.diag[i] = weight*later + earlier })
	return t
}

// each calls f for each row with w, n and e.
func (t *Timed) each(f func(i int32, weight, later, earlier float64)) {
	for p := range t.parts.Len() {
		lo, hi := t.parts.Bounds[p], t.parts.Bounds[p+1]
		earlier := 0.0
		for a := lo; a < hi; {
			b, sum := int(t.level[a]), 0.0
			for ; a < b; a++ {
				f(t.order[a], t.weight[a], float64(hi-b), earlier)
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

// Restrict returns L_HH, as Laplacian has it, in O(h). It panics when a component lies partly outside.
func (t *Timed) Restrict(rows []int32) Laplacian {
	if len(rows) == t.Dim() && ascending(rows) {
		return t
	}
	parts, from, local := restrictParts(t.parts, rows)
	r := &Timed{parts: parts, order: make([]int32, len(rows)), level: make([]int32, len(rows)),
		weight: make([]float64, len(rows)), diag: make([]float64, len(rows))}
	for p, g := range from {
		lo, to := t.parts.Bounds[g], parts.Bounds[p]
		for a := range parts.Bounds[p+1] - to {
			i := local[t.order[lo+a]]
			r.order[to+a], r.level[to+a], r.weight[to+a] = i, t.level[lo+a]-int32(lo-to), t.weight[lo+a]
			r.diag[i] = t.diag[t.order[lo+a]]
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

// MulTo computes dst = L x for x of m×k in O(mk), in parallel over components and blocks of columns. It panics when the
// lengths do not fit.
func (t *Timed) MulTo(dst, x []float64, k int) {
	checkShapes("Timed", t.Dim(), k, dst, x)
	const width, rows = 32, 64
	columns := max(1, (k+width-1)/width)
	pieces := max(1, (t.parts.Len()+rows-1)/rows)
	parallel.For(pieces*columns, func(_, task int) {
		lo := task % columns * width
		s := timedSums{t: t, k: k, lo: lo, hi: min(k, lo+width)}
		piece := task / columns
		for p := piece * rows; p < min((piece+1)*rows, t.parts.Len()); p++ {
			s.mulPart(dst, x, t.parts.Bounds[p], t.parts.Bounds[p+1])
		}
	})
}

// timedSums is the memory of MulTo on the columns [lo,hi) of k.
type timedSums struct {
	t         *Timed
	k, lo, hi int
	in, out   []float64 // the rows of a component in their order
	sum       []float64
}

// mulPart is MulTo on the component that lies at places [first,end).
func (s *timedSums) mulPart(dst, x []float64, first, end int) {
	t, w, h := s.t, s.hi-s.lo, end-first
	if h == 1 {
		clear(dst[int(t.order[first])*s.k+s.lo : int(t.order[first])*s.k+s.hi])
		return
	}
	if cap(s.in) < h*w {
		s.in, s.out, s.sum = make([]float64, h*w), make([]float64, h*w), make([]float64, w)
	}
	s.in, s.out = s.in[:h*w], s.out[:h*w]
	for a, i := range t.order[first:end] {
		copy(s.in[a*w:a*w+w], x[int(i)*s.k+s.lo:int(i)*s.k+s.hi])
	}
	s.later(first, end)
	s.earlier(first, end)
	for a, i := range t.order[first:end] {
		copy(dst[int(i)*s.k+s.lo:int(i)*s.k+s.hi], s.out[a*w:a*w+w])
	}
}

// later sets the rows of out to w_i (n_i f_i − Σ f_j) over the later levels, from the last level on, so that a row with
// few later ones has their digits.
func (s *timedSums) later(first, end int) {
	w := len(s.sum)
	clear(s.sum)
	for b := end; b > first; {
		a := b - 1
		for a > first && int(s.t.level[a-1]) == b {
			a--
		}
		n := float64(end - b)
		for at := a; at < b; at++ {
			in, out, weight := s.in[(at-first)*w:][:w], s.out[(at-first)*w:][:w], s.t.weight[at]
			if weight == 0 {
				clear(out)
				continue
			}
			for c, v := range in {
				out[c] = weight * (n*v - s.sum[c])
			}
		}
		for in := s.in[(a-first)*w : (b-first)*w]; len(in) > 0; in = in[w:] {
			for c, v := range in[:w] {
				s.sum[c] += v
			}
		}
		b = a
	}
}

// earlier adds e_i f_i − Σ w_j f_j over the earlier levels to the rows of out.
func (s *timedSums) earlier(first, end int) {
	w := len(s.sum)
	clear(s.sum)
	weights := 0.0
	for a := first; a < end; {
		b := int(s.t.level[a])
		for at := a; at < b && weights > 0; at++ {
			in, out := s.in[(at-first)*w:][:w], s.out[(at-first)*w:][:w]
			for c, v := range in {
				out[c] += weights*v - s.sum[c]
			}
		}
		for ; a < b; a++ {
			if weight := s.t.weight[a]; weight > 0 {
				weights += weight
				for c, v := range s.in[(a-first)*w:][:w] {
					s.sum[c] += weight * v
				}
			}
		}
	}
}
