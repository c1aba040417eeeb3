package greedy

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// lists is leave-query-out and leave-one-out: sets H of rows that are next to each other, with the residuals
// D = P_HH⁺ c_H of every feature, δ of the labels, and the held-out scores f. D are the features of H, regressed on
// the selected ones without H, so that two rows of H with equal features have equal scores.
type lists struct {
	bounds []int // of the sets that are left out, in places
	ranked []int // of the rows that are ranked together
	levels [][]int32
	pairs  int64 // with different labels
	rows   bool  // each row is left out
	d      []float64
	delta  []float64
	f      []float64
	noise  []float64 // a bound of the rounding of f
}

func newLists(s *state, rows bool) *lists {
	of := s.of
	l := &lists{bounds: of.bounds, ranked: of.bounds, rows: rows, f: make([]float64, of.m),
		noise: make([]float64, of.m), delta: append([]float64(nil), of.y...)}
	if rows {
		l.bounds = all(of.m + 1)
	}
	for q := range len(l.ranked) - 1 {
		levels, pairs := levelsOf(of.query(of.y, q))
		l.levels, l.pairs = append(l.levels, levels), l.pairs+pairs
	}
	l.d = make([]float64, 0, len(s.cols)*of.m)
	for _, j := range s.cols {
		l.d = append(l.d, of.column(j)...)
	}
	if rows && !of.p.Regression { // a mean without the row
		without := float64(of.m) / float64(of.m-1)
		linalg.Scal(without, l.d)
		linalg.Scal(without, l.delta)
		for a, v := range l.delta {
			l.f[a] = of.y[a] - v
		}
	}
	return l
}

// residual is D of the feature at a position.
func (l *lists) residual(m, at int) []float64 { return l.d[at*m : (at+1)*m] }

// reduced is λ + vᵀPv without set h of rows: at least λ in exact arithmetic.
func (l *lists) reduced(h int, c, d []float64, pivot, lambda float64) float64 {
	lo, hi := l.bounds[h], l.bounds[h+1]
	return max(lambda, pivot-linalg.Dot(c[lo:hi], d[lo:hi]))
}

func (l *lists) add(s *state, at int, lambda float64) {
	m := s.of.m
	pivot, toward := s.pivot(at, lambda)
	v, c, size := s.feature(at), s.product(at), s.size(at)
	d := append([]float64(nil), l.residual(m, at)...)
	reduced := make([]float64, len(l.bounds)-1)
	for h := range reduced {
		lo, hi := l.bounds[h], l.bounds[h+1]
		if reduced[h] = l.reduced(h, c, d, pivot, lambda); lambda == 0 && s.determined(at, reduced[h]) {
			reduced[h] = math.Inf(1) // the other rows say nothing about the feature
		}
		by := (toward - linalg.Dot(c[lo:hi], l.delta[lo:hi])) / reduced[h]
		for a := lo; a < hi; a++ {
			l.delta[a] -= d[a] * by
			l.f[a] += d[a] * by
			l.noise[a] += relativeRounding * math.Abs(d[a]) * size / reduced[h]
		}
	}
	parallel.Chunks(len(s.cols), chunk, func(_, first, last int) {
		for k := first; k < last; k++ {
			g, to := linalg.Dot(v, s.product(k)), l.residual(m, k)
			for h, r := range reduced {
				lo, hi := l.bounds[h], l.bounds[h+1]
				by := (g - linalg.Dot(c[lo:hi], to[lo:hi])) / r
				for a := lo; a < hi; a++ {
					to[a] -= d[a] * by
				}
			}
		}
	})
}

// with fills the scores and bounds of rounding of memory as they are with the feature at a position.
func (l *lists) with(s *state, at int, memory *memory) {
	m := s.of.m
	memory.scores, memory.tie = grown(memory.scores, m), grown(memory.tie, m)
	pivot, toward := s.pivot(at, s.lambda)
	c, d, size := s.product(at), l.residual(m, at), relativeRounding*s.size(at)
	for h := range len(l.bounds) - 1 {
		lo, hi := l.bounds[h], l.bounds[h+1]
		reduced := l.reduced(h, c, d, pivot, s.lambda)
		by, noise := (toward-linalg.Dot(c[lo:hi], l.delta[lo:hi]))/reduced, size/reduced
		for a := lo; a < hi; a++ {
			memory.scores[a] = l.f[a] + d[a]*by
			memory.tie[a] = l.noise[a] + math.Abs(d[a])*noise
		}
	}
}

func (l *lists) judge(s *state, at int, best score, memory *memory) (found score) {
	l.with(s, at, memory)
	if found.halves = l.halves(memory.scores, memory.tie, best.halves, &memory.count); found.halves > best.halves {
		return worst
	}
	found.loss = l.lossOf(s.of, memory.scores)
	return found
}

// halves counts the pairs in the wrong order, twice; it may stop once they are more than most.
func (l *lists) halves(f, tie []float64, most int64, count *counter) (halves int64) {
	for q, levels := range l.levels {
		if levels == nil || halves > most {
			continue
		}
		lo, hi := l.ranked[q], l.ranked[q+1]
		halves += count.halves(f[lo:hi], tie[lo:hi], levels)
	}
	return halves
}

// lossOf is the mean of ((y_i − y_j) − (f_i − f_j))² over the pairs with different labels or, if each row is left
// out, of (y_i − f_i)² over the rows.
func (l *lists) lossOf(of *columns, f []float64) float64 {
	if l.rows {
		sum := 0.0
		for a, v := range f {
			sum += (of.y[a] - v) * (of.y[a] - v)
		}
		return of.loss(sum / float64(len(f)))
	}
	sum := 0.0
	for q, levels := range l.levels {
		if levels != nil {
			lo, hi := l.ranked[q], l.ranked[q+1]
			sum += untiedSquares(of.y[lo:hi], f[lo:hi], levels)
		}
	}
	return of.loss(sum / float64(l.pairs))
}

// untiedSquares is the sum of (e_i − e_j)², e = y − f, over the pairs of different levels: that over all pairs less
// those within a level. A sum over the pairs of h rows is h Σ(e − ē)².
func untiedSquares(y, f []float64, levels []int32) float64 {
	n := int32(0)
	for _, k := range levels {
		n = max(n, k+1)
	}
	rows, means := make([]float64, n), make([]float64, n)
	mean := 0.0
	for a, k := range levels {
		e := y[a] - f[a]
		rows[k]++
		means[k] += e
		mean += e
	}
	for k := range means {
		means[k] /= rows[k]
	}
	mean /= float64(len(levels))
	sum := 0.0
	for k, count := range rows { // between levels, and within others
		sum += float64(len(levels)) * count * (means[k] - mean) * (means[k] - mean)
	}
	for a, k := range levels {
		e := y[a] - f[a] - means[k]
		sum += (float64(len(levels)) - rows[k]) * e * e
	}
	return sum
}

func (l *lists) judged() int64 { return l.pairs }

func (l *lists) score(s *state) score {
	var count counter
	return score{l.halves(l.f, l.noise, math.MaxInt64, &count), l.lossOf(s.of, l.f)}
}

func (l *lists) part(s *state, at []int) held {
	m, other := s.of.m, *l
	other.d = make([]float64, 0, len(at)*m)
	for _, k := range at {
		other.d = append(other.d, l.residual(m, k)...)
	}
	other.delta, other.f = append([]float64(nil), l.delta...), append([]float64(nil), l.f...)
	other.noise = append([]float64(nil), l.noise...)
	return &other
}
