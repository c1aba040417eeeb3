// Package quantile keeps the weighted quantiles of a stream of numbers in bounded memory.
package quantile

import "slices"

// Size is the number of points of a level of a Sketch. As long as there are no more different values, it is exact.
const Size = 1 << 12

// Point is a value that counts Weight times, Weight > 0.
type Point struct{ Value, Weight float64 }

// Sketch stands for weighted values, added in any number of batches, by fewer points. The rank of x is the weight of
// the values that do not exceed x; Error bounds how far the rank by the points is from it. The zero Sketch is of no
// value.
//
// Level h has at most Size points, ascending. A batch is merged with level 0. A level that gets more than Size
// different values is pruned to Size of them, which are merged with level h+1, as the digits of a binary counter carry
// (Munro and Paterson 1980, Selection and sorting with limited storage, section 2; Manku, Rajagopalan and Lindsay 1998,
// Approximate medians and other quantiles in one pass and with limited memory, section 3; Agarwal et al. 2012,
// Mergeable summaries, section 3).
//
// Pruning keeps the least and the largest point. It cuts the weight T of the level into p = Size−2 equal cells, and
// moves the points of a cell, those whose middle lies in it, to their weighted median. So the rank of any x changes by
// the weight on one side of a median, at most G/2 for points of weight G. Two or more points of a cell have
// G < T/p + G/2, since their middles are less than T/p apart and their outer halves weigh G/2 at most: the rank changes
// by less than T/p. The changes of disjoint values add. A value is pruned once a level, so m values of any weights
// have ranks within (1 + log₂(m/Size))/p of the whole weight: 0.22 % for a million, 0.46 % for 10⁹. Error is the sum of
// what each pruning moved, about half of it for equal weights.
//
// The points depend on the batches and their order alone. A sketch takes 16·Size bytes a level.
type Sketch struct {
	levels []level
	error  float64
}

// level has points, ascending. Which of two middle points a pruning takes alternates.
type level struct {
	points []Point
	upper  bool
}

// Spare is memory that sketches reuse one after the other.
type Spare struct{ sorted, merged, next []Point }

// Add adds a batch of points in any order, which it reorders. It costs O(len(batch) + Size).
func (s *Sketch) Add(batch []Point, spare *Spare) {
	s.insert(0, distinct(ascending(batch, spare)), spare)
}

// Merge adds the values of o, which stays as it is.
func (s *Sketch) Merge(o *Sketch, spare *Spare) {
	for h := range o.levels {
		s.insert(h, o.levels[h].points, spare)
	}
	s.error += o.error
}

// Points returns the points, ascending, a value once.
func (s *Sketch) Points() (points []Point) {
	for h := range s.levels {
		points = union(nil, points, s.levels[h].points)
	}
	return points
}

// Error bounds the error of a rank by the points. It is 0 where nothing was pruned: the points are the values.
func (s *Sketch) Error() float64 { return s.error }

// insert merges points with a level, and carries them on where they are too many.
func (s *Sketch) insert(h int, points []Point, spare *Spare) {
	for ; len(points) > 0; h++ {
		for len(s.levels) <= h {
			s.levels = append(s.levels, level{})
		}
		l := &s.levels[h]
		merged := union(spare.merged[:0], l.points, points)
		spare.merged, spare.next = spare.next, merged
		if len(merged) <= Size {
			l.points = append(l.points[:0], merged...)
			return
		}
		kept, moved := prune(merged, l.upper)
		l.points, l.upper, s.error = l.points[:0], !l.upper, s.error+moved
		points = kept
	}
}

// union appends to dst the points of two lists that ascend, a value once.
func union(dst, a, b []Point) []Point {
	dst = slices.Grow(dst, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch p, q := a[0], b[0]; {
		case p.Value < q.Value:
			dst, a = append(dst, p), a[1:]
		case q.Value < p.Value:
			dst, b = append(dst, q), b[1:]
		default:
			dst, a, b = append(dst, Point{p.Value, p.Weight + q.Weight}), a[1:], b[1:]
		}
	}
	return append(append(dst, a...), b...)
}

// distinct joins equal neighbours.
func distinct(points []Point) []Point {
	kept := points[:0]
	for _, p := range points {
		if last := len(kept) - 1; last >= 0 && kept[last].Value == p.Value {
			kept[last].Weight += p.Weight
		} else {
			kept = append(kept, p)
		}
	}
	return kept
}

// prune moves points, which ascend, to at most Size of them, in their memory, and returns the largest change of a rank.
// Of two middle points it takes the upper one where that is said.
func prune(points []Point, upper bool) (kept []Point, moved float64) {
	const cells = Size - 2
	total := 0.0
	for _, p := range points {
		total += p.Weight
	}
	last, before := len(points)-1, 0.0
	kept = points[:0]
	for first := 0; first <= last; {
		past, weight, cell := first, 0.0, 0
		for ; past <= last; past++ {
			at := min(int((before+weight+points[past].Weight/2)/total*cells), cells-1)
			if past > first && (at != cell || first == 0 || past == last) {
				break
			}
			cell, weight = at, weight+points[past].Weight
		}
		k, below := first, 0.0
		for next := points[k].Weight; next < weight/2 || upper && next == weight/2; next += points[k].Weight {
			k, below = k+1, next
		}
		moved = max(moved, below, weight-below-points[k].Weight)
		kept = append(kept, Point{points[k].Value, weight})
		before, first = before+weight, past
	}
	return kept, moved
}
