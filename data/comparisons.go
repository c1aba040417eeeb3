package data

import (
	"fmt"
	"slices"
)

// Comparisons are lines of comparisons in columns: about 11 bytes a line, where a Comparison takes 96. A column that
// has the same value in all lines has it once, and counts are bytes while all are whole numbers up to 255. The zero
// value has no lines; nil has none either. It is not safe to append to it while others read it.
type Comparisons struct {
	items   [][2]int32
	few     perLine[[3]uint8]   // counts
	many    perLine[[3]float64] // counts, in place of few once that cannot hold those of a line
	isMany  bool
	numbers perLine[[3]float64] // weight, magnitude and rest
	belongs perLine[[3]int32]   // annotator, stratum and cluster
	trusted perLine[bool]
}

// Len is the number of lines.
func (s *Comparisons) Len() int {
	if s == nil {
		return 0
	}
	return len(s.items)
}

// Items are those of line c.
func (s *Comparisons) Items(c int) (left, right int) { return int(s.items[c][0]), int(s.items[c][1]) }

// LineTo sets dst to line c and returns it: filled in place, nothing is copied.
func (s *Comparisons) LineTo(dst *Comparison, c int) *Comparison {
	items, numbers, belongs := &s.items[c], s.numbers.at(c), s.belongs.at(c)
	dst.Left, dst.Right = int(items[0]), int(items[1])
	if s.isMany {
		n := s.many.at(c)
		dst.Wins, dst.Losses, dst.Ties = n[0], n[1], n[2]
	} else {
		n := s.few.at(c)
		dst.Wins, dst.Losses, dst.Ties = float64(n[0]), float64(n[1]), float64(n[2])
	}
	dst.Weight, dst.Magnitude, dst.Rest = numbers[0], numbers[1], numbers[2]
	dst.Annotator, dst.Stratum, dst.Cluster = int(belongs[0]), int(belongs[1]), int(belongs[2])
	dst.Trusted = *s.trusted.at(c)
	return dst
}

// Rows are all lines.
func (s *Comparisons) Rows() []Comparison {
	rows := make([]Comparison, s.Len())
	for c := range rows {
		s.LineTo(&rows[c], c)
	}
	return rows
}

// Append appends a line. It panics where an item, the annotator, the stratum or the cluster is no 32-bit number.
func (s *Comparisons) Append(l Comparison) {
	for _, v := range [...]int{l.Left, l.Right, l.Annotator, l.Stratum, l.Cluster} {
		if int(int32(v)) != v {
			panic(fmt.Sprintf("data: a comparison has the number %d, which takes more than 32 bits", v))
		}
	}
	c := len(s.items)
	s.items = append(s.items, [2]int32{int32(l.Left), int32(l.Right)})
	s.numbers.set(c, c, cap(s.items), [3]float64{l.Weight, l.Magnitude, l.Rest})
	s.belongs.set(c, c, cap(s.items), [3]int32{int32(l.Annotator), int32(l.Stratum), int32(l.Cluster)})
	s.trusted.set(c, c, cap(s.items), l.Trusted)
	s.setCounts(c, c, l.Counts())
}

// Add adds outcomes to line c.
func (s *Comparisons) Add(c int, wins, losses, ties float64) {
	n := s.LineTo(new(Comparison), c).Counts()
	s.setCounts(c, len(s.items), [3]float64{n[0] + wins, n[1] + losses, n[2] + ties})
}

// Grow makes room for so many lines in all.
func (s *Comparisons) Grow(lines int) { s.items = slices.Grow(s.items, max(0, lines-len(s.items))) }

// setCounts sets the counts of line c of so many lines, or of the next one.
func (s *Comparisons) setCounts(c, lines int, counts [3]float64) {
	var few [3]uint8
	for k, n := range counts {
		if n >= 0 && n <= 0xff {
			few[k] = uint8(n)
		}
	}
	fits := [3]float64{float64(few[0]), float64(few[1]), float64(few[2])} == counts
	if !fits && !s.isMany {
		for at := range lines {
			s.many.set(at, at, cap(s.items), s.LineTo(new(Comparison), at).Counts())
		}
		s.isMany, s.few = true, perLine[[3]uint8]{}
	}
	if s.isMany {
		s.many.set(c, lines, cap(s.items), counts)
	} else {
		s.few.set(c, lines, cap(s.items), few)
	}
}

// perLine has a value a line, or one while all lines have the same.
type perLine[T comparable] struct {
	one T
	all []T // nil while all lines have one
}

func (x *perLine[T]) at(c int) *T {
	if x.all == nil {
		return &x.one
	}
	return &x.all[c]
}

// set sets the value of line c of so many, or of the next one; room is for how many lines there is memory.
func (x *perLine[T]) set(c, lines, room int, v T) {
	switch {
	case x.all == nil && c == lines && c == 0:
		x.one = v
		return
	case x.all == nil && v == x.one:
		return
	case x.all == nil:
		x.all = make([]T, lines, room)
		for k := range x.all {
			x.all[k] = x.one
		}
	}
	if c == lines {
		x.all = append(x.all, v)
	} else {
		x.all[c] = v
	}
}
