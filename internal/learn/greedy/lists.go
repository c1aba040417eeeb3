package greedy

import (
	"math"

	"pairrank/internal/goals"
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
	pairs  int64   // with different labels
	weight float64 // of these
	mass   []float64
	rows   bool // each row is left out
	d      []float64
	delta  []float64
	f      []float64
	noise  []float64 // a bound of the rounding of f
}

func newLists(s *state, rows bool) *lists {
	of := s.of
	l := &lists{bounds: of.bounds, ranked: of.bounds, rows: rows, mass: of.mass, f: make([]float64, of.m),
		noise: make([]float64, of.m), delta: append([]float64(nil), of.y...)}
	if rows {
		l.bounds = all(of.m + 1)
	}
	for q := range len(l.ranked) - 1 {
		levels, pairs := levelsOf(of.query(of.y, q))
		l.levels, l.pairs = append(l.levels, levels), l.pairs+pairs
		if levels != nil {
			l.weight += l.untiedWeight(levels, q, pairs)
		}
	}
	l.d = make([]float64, 0, len(s.cols)*of.m)
	for _, j := range s.cols {
		l.d = append(l.d, of.column(j)...)
	}
	if rows && !of.p.Regression { // a mean without the row
		l.withoutRow(of, l.d)
		l.withoutRow(of, l.delta)
		for a, v := range l.delta {
			l.f[a] = of.y[a] - v
		}
	}
	return l
}

// withoutRow takes each row out of the mean of a list of which columns are the differences.
func (l *lists) withoutRow(of *columns, columns []float64) {
	if l.mass == nil {
		linalg.Scal(float64(of.m)/float64(of.m-1), columns)
		return
	}
	sum := linalg.Sum(l.mass)
	for k := range columns {
		columns[k] *= sum / (sum - l.mass[k%of.m])
	}
}

// untiedWeight is the sum of the weights of the pairs of different levels of query q.
func (l *lists) untiedWeight(levels []int32, q int, pairs int64) (weight float64) {
	if l.mass == nil {
		return float64(pairs)
	}
	of := make([]float64, len(levels))
	for a, w := range l.mass[l.ranked[q]:l.ranked[q+1]] {
		of[levels[a]] += w
	}
	before := 0.0
	for _, w := range of {
		weight, before = weight+before*w, before+w
	}
	return weight
}

// massIn are the weights of the rows of query q, nil where each is 1.
func (l *lists) massIn(q int) []float64 {
	if l.mass == nil {
		return nil
	}
	return l.mass[l.ranked[q]:l.ranked[q+1]]
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
	v, c, size, most := s.feature(at), s.product(at), s.size(at), s.most(at)
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
			l.noise[a] += relativeRounding * (math.Abs(d[a])*size/reduced[h] + math.Abs(by)*most)
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
	c, d, size, most := s.product(at), l.residual(m, at), relativeRounding*s.size(at), relativeRounding*s.most(at)
	for h := range len(l.bounds) - 1 {
		lo, hi := l.bounds[h], l.bounds[h+1]
		reduced := l.reduced(h, c, d, pivot, s.lambda)
		by, noise := (toward-linalg.Dot(c[lo:hi], l.delta[lo:hi]))/reduced, size/reduced
		least := math.Abs(by) * most
		for a := lo; a < hi; a++ {
			memory.scores[a] = l.f[a] + d[a]*by
			memory.tie[a] = l.noise[a] + math.Abs(d[a])*noise + least
		}
	}
}

func (l *lists) judge(s *state, at int, best score, memory *memory) (found score) {
	l.with(s, at, memory)
	if found.halves = l.halves(memory.scores, memory.tie, best.halves, &memory.count); beyond(found.halves, best.halves) {
		return worst
	}
	found.loss = l.lossOf(s.of, memory.scores)
	return found
}

// halves counts the pairs in the wrong order, twice; it may stop once they are more than most.
func (l *lists) halves(f, tie []float64, most float64, count *counter) (halves float64) {
	for q, levels := range l.levels {
		if levels == nil || beyond(halves, most) {
			continue
		}
		lo, hi := l.ranked[q], l.ranked[q+1]
		if mass := l.massIn(q); mass != nil {
			halves += count.weighed(f[lo:hi], tie[lo:hi], levels, mass)
			continue
		}
		halves += float64(count.halves(f[lo:hi], tie[lo:hi], levels))
	}
	return halves
}

// lossOf is the mean of ((y_i − y_j) − (f_i − f_j))² over the pairs with different labels or, if each row is left
// out, of (y_i − f_i)² over the rows.
func (l *lists) lossOf(of *columns, f []float64) float64 {
	if l.rows {
		sum, all := 0.0, 0.0
		for a, v := range f {
			w := of.massOf(a)
			sum, all = sum+w*(of.y[a]-v)*(of.y[a]-v), all+w
		}
		return of.loss(sum / all)
	}
	sum := 0.0
	for q, levels := range l.levels {
		if levels != nil {
			lo, hi := l.ranked[q], l.ranked[q+1]
			sum += untiedSquares(of.y[lo:hi], f[lo:hi], l.massIn(q), levels)
		}
	}
	return of.loss(sum / l.weight)
}

// untiedSquares is the sum of (e_i − e_j)², e = y − f, over the pairs of different levels: that over all pairs less
// those within a level. A sum over the pairs of h rows is h Σ(e − ē)²; with weights h is their sum.
func untiedSquares(y, f, mass []float64, levels []int32) float64 {
	n := int32(0)
	for _, k := range levels {
		n = max(n, k+1)
	}
	rows, means := make([]float64, n), make([]float64, n)
	mean, all := 0.0, 0.0
	for a, k := range levels {
		e, w := y[a]-f[a], goals.WeightOf(mass, int32(a))
		rows[k] += w
		all += w
		means[k] += w * e
		mean += w * e
	}
	for k := range means {
		means[k] /= rows[k]
	}
	mean /= all
	sum := 0.0
	for k, count := range rows { // between levels, and within others
		sum += all * count * (means[k] - mean) * (means[k] - mean)
	}
	for a, k := range levels {
		e := y[a] - f[a] - means[k]
		sum += (all - rows[k]) * goals.WeightOf(mass, int32(a)) * e * e
	}
	return sum
}

func (l *lists) judged() (pairs int64, weight float64) { return l.pairs, l.weight }

func (l *lists) score(s *state) score {
	var count counter
	return score{l.halves(l.f, l.noise, math.MaxFloat64, &count), l.lossOf(s.of, l.f)}
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
