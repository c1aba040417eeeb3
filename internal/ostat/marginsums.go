package ostat

import "pairrank/internal/parallel"

// HingeTo sets dst_i = weight·(c_i − d_i), by row, with the weight of its list,
// and returns Σ weight·(1 − (f_i − f_j)) over the joined pairs, y_i > y_j: value
// and subgradient of the weighted hinge loss in the scores (the paper, lemmas 1
// and 2), after Sort and Count. O(m).
func (g *Margins) HingeTo(dst, weights []float64) float64 {
	g.checkVectors(dst, dst, weights)
	if g.values == nil {
		g.values = make([]float64, len(g.ways))
	}
	g.eachChunk(func(_ *marginWorker, lo, hi int) {
		for l := lo; l < hi; l++ {
			g.values[l] = g.hinge(l, dst, weights[l])
		}
	})
	sum := 0.0
	for _, v := range g.values {
		sum += v
	}
	return sum
}

// hinge is HingeTo for one list. The differences c − d add up to zero, so that
// the scores may be taken from the middle one.
func (g *Margins) hinge(l int, dst []float64, weight float64) float64 {
	s := g.side(l)
	sum, middle := 0.0, 0.0
	if len(s.score) > 0 {
		middle = s.score[len(s.score)/2]
	}
	for a, i := range s.row {
		c := float64(s.worse[a])
		slope := c - float64(s.better[a])
		dst[i] = weight * slope
		sum += slope*(s.score[a]-middle) + c
	}
	return weight * sum
}

// Inner is uᵀv where the entries of u add up to zero over each list, by row,
// with v taken from its first entry in every list: it keeps the digits of values far
// from 0. O(m).
func (g *Margins) Inner(u, v []float64) float64 {
	sum := 0.0
	for l := range g.ways {
		rows := g.ListRows(l)
		if len(rows) == 0 {
			continue
		}
		part, first := 0.0, v[rows[0]]
		for _, i := range rows {
			part += u[i] * (v[i] - first)
		}
		sum += part
	}
	return sum
}

// DegreesTo sets dst_i = weight·(c_i + d_i), by row.
func (g *Margins) DegreesTo(dst, weights []float64) {
	g.checkVectors(dst, dst, weights)
	for l, weight := range weights {
		s := g.side(l)
		for a, i := range s.row {
			dst[i] = weight * (float64(s.worse[a]) + float64(s.better[a]))
		}
	}
}

func (g *Margins) checkVectors(dst, v, weights []float64) {
	if len(dst) != len(g.rows) || len(v) != len(g.rows) || len(weights) != len(g.ways) {
		panic("ostat: Margins: a number for each row and a weight for each list are needed")
	}
}

// LaplacianMulTo sets dst = (diag(c+d) − A) v, by row, for the graph of the last
// Sort and Count, every pair with the weight of its list: dst_i = weight·Σ (v_i −
// v_j) over the j joined to i. dst and v may be the same slice. Cost as of Count.
func (g *Margins) LaplacianMulTo(dst, v, weights []float64) {
	g.checkVectors(dst, v, weights)
	if g.sums[0] == nil {
		g.sums = [2][]float64{make([]float64, len(g.rows)), make([]float64, len(g.rows))}
	}
	g.eachChunk(func(w *marginWorker, lo, hi int) {
		for l := lo; l < hi; l++ {
			if g.bounds[l+1] > g.bounds[l] {
				g.mulList(w, l, dst, v, weights[l])
			}
		}
	})
}

// mulList takes the mean off v first: it changes no difference, and keeps the
// digits of values far from 0.
func (g *Margins) mulList(w *marginWorker, l int, dst, v []float64, weight float64) {
	s := g.side(l)
	n := len(s.key)
	mean := 0.0
	w.scores = grown(w.scores, n)
	x := w.scores // by position
	for a, i := range s.row {
		x[a] = v[i]
		mean += v[i]
	}
	mean /= float64(n)
	for a := range x {
		x[a] -= mean
	}
	up, down := g.sums[0][g.bounds[l]:g.bounds[l+1]], g.sums[1][g.bounds[l]:g.bounds[l+1]]
	if n < largeList {
		s.sumWorse(&w.up, up, x)
		s.sumBetter(&w.dn, down, x)
	} else {
		sumAtOnce(w, s, up, down, x)
	}
	for a, i := range s.row {
		dst[i] = weight * ((float64(s.worse[a])+float64(s.better[a]))*x[a] - (up[a] + down[a]))
	}
}

// sumAtOnce sweeps the two sides of a large list at the same time.
func sumAtOnce(w *marginWorker, s side, up, down, x []float64) {
	parallel.For(2, func(_, k int) {
		if k == 0 {
			s.sumWorse(&w.up, up, x)
		} else {
			s.sumBetter(&w.dn, down, x)
		}
	})
}

// sumWorse sets out[a] = Σ x over the rows that Worse counts for position a.
func (s *side) sumWorse(w *sideMemory, out, x []float64) {
	n := int32(len(s.key))
	j := int32(0)
	switch s.way {
	case Direct:
		left := 0
		for a, k := range s.key {
			if s.stops(&left, int(s.upTo[a])) {
				return
			}
			sum := 0.0
			for b, q := range s.key[:s.upTo[a]] {
				if q > k {
					sum += x[b]
				}
			}
			out[a] = sum
		}
	case Tree:
		t := &w.tree
		t.reset(s.levels)
		for a, k := range s.key {
			for ; j < s.upTo[a]; j++ {
				t.put(s.key[j], x[j])
			}
			_, out[a] = t.larger(k)
		}
	case Levels:
		var t [maxLevels + 1]float64 // t[l]: the sum of the levels from l on
		for a, k := range s.key {
			for ; j < s.upTo[a]; j++ {
				for l := range s.key[j] + 1 {
					t[l] += x[j]
				}
			}
			out[a] = t[k+1]
		}
	default:
		t := &w.sums // of the places counted from the last
		t.reset(int(n))
		for a := range s.key {
			for ; j < s.upTo[a]; j++ {
				t.put(n-1-s.key[j], x[j])
			}
			out[a] = t.below(n - s.past[a])
		}
	}
}

// sumBetter sets out[a] = Σ x over the rows that Better counts for position a.
func (s *side) sumBetter(w *sideMemory, out, x []float64) {
	n := len(s.key)
	j := int32(n)
	switch s.way {
	case Direct:
		left := 0
		for a, k := range s.key {
			if s.stops(&left, n-int(s.from[a])) {
				return
			}
			sum := 0.0
			for b, q := range s.key[s.from[a]:] {
				if q < k {
					sum += x[int(s.from[a])+b]
				}
			}
			out[a] = sum
		}
	case Tree:
		t := &w.tree
		t.reset(s.levels)
		for a := n - 1; a >= 0; a-- {
			for j > s.from[a] {
				j--
				t.put(s.key[j], x[j])
			}
			_, out[a] = t.smaller(s.key[a])
		}
	case Levels:
		var t [maxLevels + 1]float64 // t[l]: the sum of the levels below l
		for a := n - 1; a >= 0; a-- {
			for j > s.from[a] {
				j--
				for l := int(s.key[j]) + 1; l <= s.levels; l++ {
					t[l] += x[j]
				}
			}
			out[a] = t[s.key[a]]
		}
	default:
		t := &w.sums
		t.reset(n)
		for a := n - 1; a >= 0; a-- {
			for j > s.from[a] {
				j--
				t.put(s.key[j], x[j])
			}
			out[a] = t.below(s.least[a])
		}
	}
}
