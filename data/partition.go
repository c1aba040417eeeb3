package data

import (
	"fmt"

	"pairrank/internal/pick"
)

// Partition cuts the rows 0…m−1 into parts: queries, groups that are held out together, the
// components of a graph. The rows of part g, ascending, are Rows[Bounds[g]:Bounds[g+1]]; they need
// not be contiguous. They ascend so that no result depends on their order. Every row is in one part,
// and a part may be empty: to leave rows out makes a partition of fewer rows. Nothing writes to a
// Partition after construction. The constructors check their arguments.
type Partition struct {
	Rows   []int32  // length m
	Bounds []int    // length parts + 1
	IDs    []string // names of the parts, such as query IDs; nil where they have none

	of []int32 // the part of each row
}

// NewPartition makes the partition of m = len(of) rows in which row i is in part of[i],
// of parts parts, in O(m + parts). It keeps of. It panics when a number is not in
// [0,parts).
func NewPartition(of []int32, parts int) *Partition {
	p := &Partition{Rows: make([]int32, len(of)), Bounds: make([]int, parts+1), of: of}
	for i, g := range of {
		if g < 0 || int(g) >= parts {
			panic(fmt.Sprintf("data: row %d is in part %d of %d", i, g, parts))
		}
		p.Bounds[g+1]++
	}
	for g := range parts {
		p.Bounds[g+1] += p.Bounds[g]
	}
	next := append([]int(nil), p.Bounds[:parts]...)
	for i, g := range of {
		p.Rows[next[g]] = int32(i)
		next[g]++
	}
	return p
}

// NewQueries is NewPartition with names: row i belongs to query of[i], which is called
// ids[of[i]]. It keeps both, in O(m + q) for m rows and q queries. The caller numbers the
// queries in order of first appearance. It panics when a number is not in [0,q).
func NewQueries(of []int32, ids []string) *Partition {
	p := NewPartition(of, len(ids))
	p.IDs = ids
	return p
}

// Consecutive makes the partition whose part g is the rows bounds[g] … bounds[g+1]−1,
// in O(m + parts). It keeps bounds. It panics unless they begin with 0 and ascend.
func Consecutive(bounds []int) *Partition {
	if len(bounds) == 0 || bounds[0] != 0 {
		panic(fmt.Sprintf("data: bounds %v of rows do not begin with 0", bounds))
	}
	m := bounds[len(bounds)-1]
	p := &Partition{Rows: make([]int32, max(m, 0)), Bounds: bounds, of: make([]int32, max(m, 0))}
	for g := range p.Len() {
		if bounds[g+1] < bounds[g] || bounds[g+1] > m {
			panic(fmt.Sprintf("data: bounds of part %d of rows descend", g))
		}
		for i := bounds[g]; i < bounds[g+1]; i++ {
			p.Rows[i], p.of[i] = int32(i), int32(g)
		}
	}
	return p
}

// OneList returns the partition of m rows with a single part, in O(m).
func OneList(m int) *Partition { return NewPartition(make([]int32, m), 1) }

// Singletons returns the partition of m rows in which each row is a part, in O(m).
func Singletons(m int) *Partition {
	return NewPartition(pick.All[int32](m), m)
}

// CheckPartition panics where p is not a partition of m rows. As in Check, the message calls the
// argument name. Cost O(1).
func CheckPartition(name string, p *Partition, m int) {
	switch {
	case p == nil:
		panic(fmt.Sprintf("%s: there is no partition: OneList makes one of a single part", name))
	case len(p.Bounds) == 0 || len(p.of) != len(p.Rows) || p.Bounds[p.Len()] != len(p.Rows):
		panic(fmt.Sprintf("%s: a Partition that NewPartition did not make", name))
	case len(p.Rows) != m:
		panic(fmt.Sprintf("%s: a partition of %d rows for %d", name, len(p.Rows), m))
	case p.IDs != nil && len(p.IDs) != p.Len():
		panic(fmt.Sprintf("%s: %d names of %d parts", name, len(p.IDs), p.Len()))
	}
}

// Len returns the number of parts.
func (p *Partition) Len() int { return len(p.Bounds) - 1 }

// Part returns the rows of part g, ascending: a slice of Rows, in O(1). It panics when g
// is not in [0,Len).
func (p *Partition) Part(g int) []int32 {
	lo, hi := p.Bounds[g], p.Bounds[g+1]
	return p.Rows[lo:hi:hi]
}

// Of returns the part of each row; the caller must not change it.
func (p *Partition) Of() []int32 { return p.of }

// ID returns the name of part g, "" where the parts have none, in O(1). It panics when g
// is not in [0,Len) and the parts have names.
func (p *Partition) ID(g int) string {
	if p.IDs == nil {
		return ""
	}
	return p.IDs[g]
}

// Refines reports whether each part of p lies within one part of q, in O(m). It panics
// when q has fewer rows.
func (p *Partition) Refines(q *Partition) bool {
	of := q.Of()
	for g := range p.Len() {
		rows := p.Part(g)
		for _, i := range rows {
			if of[i] != of[rows[0]] {
				return false
			}
		}
	}
	return true
}

// subset is the partition of the given rows, its parts numbered anew in order of
// first appearance; parts without a row left are dropped.
func (p *Partition) subset(rows []int) *Partition {
	number := make([]int32, p.Len()) // new number + 1, 0 when not seen yet
	of := make([]int32, len(rows))
	var ids []string
	parts := int32(0)
	for k, i := range rows {
		g := p.of[i]
		if number[g] == 0 {
			parts++
			number[g] = parts
			if p.IDs != nil {
				ids = append(ids, p.IDs[g])
			}
		}
		of[k] = number[g] - 1
	}
	out := NewPartition(of, int(parts))
	out.IDs = ids
	return out
}
