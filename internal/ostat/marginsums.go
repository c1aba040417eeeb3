package ostat

import "pairrank/internal/parallel"

// HingeTo sets dst_i = weight·(c_i − d_i), by row, with the weight of its list, and returns Σ
// weight·(1 − (f_i − f_j)) over the joined pairs, y_i > y_j. These are the subgradient and the
// value of the weighted hinge loss in the scores (the paper, lemmas 1 and 2). Call it after Sort
// and Count. Cost O(m).
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
	n := len(s.score)
	if n < largeList {
		return weight * s.hinge(dst, weight, 0, n)
	}
	return weight * s.hingeInPieces(dst, weight)
}

// hingeInPieces is hinge of all positions of a large list.
func (s side) hingeInPieces(dst []float64, weight float64) float64 {
	return addPieces(len(s.score), func(from, to int) float64 { return s.hinge(dst, weight, from, to) })
}

// hinge sets dst of the positions [from,to), and adds them up.
func (s *side) hinge(dst []float64, weight float64, from, to int) float64 {
	sum, middle := 0.0, 0.0
	if len(s.score) > 0 {
		middle = s.score[len(s.score)/2]
	}
	if s.own != nil {
		return s.weighedHinge(dst, weight, middle, from, to)
	}
	row, worse, better, score := s.row[from:to], s.worse[from:to], s.better[from:to], s.score[from:to]
	for a, i := range row {
		c := float64(worse[a])
		slope := c - float64(better[a])
		dst[i] = weight * slope
		sum += slope*(score[a]-middle) + c
	}
	return sum
}

// addPieces is the sum of part over the pieces of n rows, in their order.
func addPieces(n int, part func(from, to int) float64) float64 {
	parts := make([]float64, largePieces(n))
	inPieces(n, func(piece, from, to int) { parts[piece] = part(from, to) })
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

// Inner is uᵀv, by row, where the entries of u sum to zero over each list. It subtracts the first
// entry of v in every list, which keeps the digits of values far from 0. Cost O(m).
func (g *Margins) Inner(u, v []float64) float64 {
	sum := 0.0
	for l := range g.ways {
		switch rows := g.ListRows(l); {
		case len(rows) >= largeList:
			sum += addPieces(len(rows), func(from, to int) float64 { return inner(u, v, rows[from:to], v[rows[0]]) })
		case len(rows) > 0:
			sum += inner(u, v, rows, v[rows[0]])
		}
	}
	return sum
}

// inner is Σ u_i (v_i − first) over rows.
func inner(u, v []float64, rows []int32, first float64) float64 {
	sum := 0.0
	for _, i := range rows {
		sum += u[i] * (v[i] - first)
	}
	return sum
}

// DegreesTo sets dst_i = weight·(c_i + d_i), by row.
func (g *Margins) DegreesTo(dst, weights []float64) {
	g.checkVectors(dst, dst, weights)
	g.eachChunk(func(_ *marginWorker, lo, hi int) {
		for l := lo; l < hi; l++ {
			s, weight := g.side(l), weights[l]
			if n := len(s.row); n < largeList {
				s.degrees(dst, weight, 0, n)
			} else {
				s.degreesInPieces(dst, weight)
			}
		}
	})
}

// degreesInPieces is degrees of all positions of a large list.
func (s side) degreesInPieces(dst []float64, weight float64) {
	inPieces(len(s.row), func(_, from, to int) { s.degrees(dst, weight, from, to) })
}

// degrees sets dst of the positions [from,to).
func (s *side) degrees(dst []float64, weight float64, from, to int) {
	worse, better := s.worse[from:to], s.better[from:to]
	if s.own != nil {
		for a := from; a < to; a++ {
			dst[s.row[a]] = weight * (s.own[a] * (s.heavier[a] + s.lighter[a]))
		}
		return
	}
	for a, i := range s.row[from:to] {
		dst[i] = weight * (float64(worse[a]) + float64(better[a]))
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

// mulList subtracts the mean of v first: this changes no difference, and keeps the digits of values
// far from 0.
func (g *Margins) mulList(w *marginWorker, l int, dst, v []float64, weight float64) {
	s := g.side(l)
	n := len(s.key)
	w.scores = grown(w.scores, n)
	x := w.scores // by position
	up, down := g.sums[0][g.bounds[l]:g.bounds[l+1]], g.sums[1][g.bounds[l]:g.bounds[l+1]]
	if n >= largeList {
		s.mulInPieces(w, dst, v, x, up, down, weight)
		return
	}
	s.shift(x, s.gather(x, v, 0, n)/float64(n), 0, n)
	s.sumWorse(&w.up, up, x)
	s.sumBetter(&w.dn, down, x)
	s.laplacian(dst, x, up, down, weight, 0, n)
}

// mulInPieces is mulList for a large list.
func (s side) mulInPieces(w *marginWorker, dst, v, x, up, down []float64, weight float64) {
	n := len(x)
	mean := addPieces(n, func(from, to int) float64 { return s.gather(x, v, from, to) }) / float64(n)
	inPieces(n, func(_, from, to int) { s.shift(x, mean, from, to) })
	sumAtOnce(w, s, up, down, x)
	inPieces(n, func(_, from, to int) { s.laplacian(dst, x, up, down, weight, from, to) })
}

// gather sets x to v by position, of [from,to), and returns its sum.
func (s *side) gather(x, v []float64, from, to int) float64 {
	sum := 0.0
	row := s.row[from:to]
	x = x[from:to]
	for a, i := range row {
		x[a] = v[i]
		sum += v[i]
	}
	return sum
}

// shift subtracts the mean from x at the positions [from,to), and multiplies by their weights.
func (s *side) shift(x []float64, mean float64, from, to int) {
	x = x[from:to]
	for a := range x {
		x[a] -= mean
	}
	if s.own != nil {
		for a, w := range s.own[from:to] {
			x[a] *= w
		}
	}
}

// laplacian sets dst of the positions [from,to) from the sums of both sides.
func (s *side) laplacian(dst, x, up, down []float64, weight float64, from, to int) {
	if s.own != nil {
		for a := from; a < to; a++ {
			dst[s.row[a]] = weight * ((s.heavier[a]+s.lighter[a])*x[a] - s.own[a]*(up[a]+down[a]))
		}
		return
	}
	for a := from; a < to; a++ {
		dst[s.row[a]] = weight * ((float64(s.worse[a])+float64(s.better[a]))*x[a] - (up[a] + down[a]))
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
		for a, k := range s.low {
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
		for a, k := range s.low {
			for ; j < s.upTo[a]; j++ {
				t.put(s.key[j], x[j])
			}
			_, out[a] = t.larger(k)
		}
	case Levels:
		var t fanSums // of the levels above each
		for a, k := range s.low {
			for ; j < s.upTo[a]; j++ {
				t.add(x[j], &sumsBefore[s.key[j]&(maxLevels-1)])
			}
			out[a] = t[k&(maxLevels-1)]
		}
	default:
		t := &w.sums // of the places counted from the last
		t.reset(int(n))
		for a := range s.key {
			for ; j < s.upTo[a]; j++ {
				t.put(uint32(n-1-s.key[j]), x[j])
			}
			out[a] = t.below(uint32(n - s.past[a]))
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
			for b, q := range s.low[s.from[a]:] {
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
				t.put(s.low[j], x[j])
			}
			_, out[a] = t.smaller(s.key[a])
		}
	case Levels:
		var t fanSums // of the levels below each
		for a := n - 1; a >= 0; a-- {
			for j > s.from[a] {
				j--
				t.add(x[j], &sumsAfter[s.low[j]&(maxLevels-1)])
			}
			out[a] = t[s.key[a]&(maxLevels-1)]
		}
	default:
		t := &w.sums
		t.reset(n)
		for a := n - 1; a >= 0; a-- {
			for j > s.from[a] {
				j--
				t.put(uint32(s.low[j]), x[j])
			}
			out[a] = t.below(uint32(s.least[a]))
		}
	}
}
