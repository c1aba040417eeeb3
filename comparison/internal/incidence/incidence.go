// Package incidence has the comparisons of each item, by the other item: the rows of a graph of the pairs.
package incidence

import (
	"slices"

	"pairrank/data"
	"pairrank/internal/joins"
	"pairrank/internal/laplacian"
	"pairrank/internal/parallel"
)

// Lines are the lines of each item, sorted by their other item and then as they stand. It is immutable.
type Lines struct {
	bounds  []int
	entries []Entry
	graph   laplacian.Graph // has the other item of each pair
}

// Entry is a line of an item.
type Entry uint32

// Line is the number of the line. Right says that the item is its right one, and First that it is the first of its
// pair.
func (e Entry) Line() int   { return int(e >> lineShift) }
func (e Entry) Right() bool { return e&onTheRight != 0 }
func (e Entry) First() bool { return e&firstOfPair != 0 }

// The bits of an entry, and the largest number of lines that there are numbers for.
const (
	firstOfPair = 1
	onTheRight  = 2
	lineShift   = 2

	Most = 1 << 30
)

// sizeOfPiece is how many items a piece of parallel work has. Lines are sorted in parts of at least leastPart, and at
// most mostParts of them, each of which keeps a number an item.
const (
	sizeOfPiece = 1 << 14
	leastPart   = 1 << 18
	mostParts   = 8
)

// New sorts the lines of n items, and makes the rows of the graph of their pairs, whose weights are 0. Cost
// O(N + C log C).
func New(of Source, n int) (*Lines, laplacian.Graph) {
	return newIn(of, n, max(leastPart, (of.Len()+mostParts-1)/mostParts))
}

// newIn is New in parts of so many lines.
func newIn(of Source, n, size int) (*Lines, laplacian.Graph) {
	l := &Lines{bounds: make([]int, n+1), entries: make([]Entry, 2*of.Len())}
	at := make([][]uint32, (of.Len()+size-1)/size) // by part of the lines: how many each item has, and then their place
	parallel.Chunks(of.Len(), size, func(_, lo, hi int) {
		own := make([]uint32, n)
		for c := lo; c < hi; c++ {
			a, b := of.Items(c)
			own[a]++
			own[b]++
		}
		at[lo/size] = own
	})
	for i := range n {
		end := uint32(l.bounds[i])
		for _, own := range at {
			end, own[i] = end+own[i], end
		}
		l.bounds[i+1] = int(end)
	}
	to := make([]int32, len(l.entries)) // the other item of each entry
	parallel.Chunks(of.Len(), size, func(_, lo, hi int) {
		own := at[lo/size]
		for c := lo; c < hi; c++ {
			a, b := of.Items(c)
			l.entries[own[a]], l.entries[own[b]] = Entry(c)<<lineShift, Entry(c)<<lineShift|onTheRight
			to[own[a]], to[own[b]] = int32(b), int32(a)
			own[a], own[b] = own[a]+1, own[b]+1
		}
	})
	g := laplacian.Graph{Bounds: make([]int, n+1)}
	keys := make([][]uint64, parallel.Workers())
	parallel.Chunks(n, sizeOfPiece, func(worker, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, out := l.Row(i), to[l.bounds[i]:l.bounds[i]]
			keys[worker] = sort(row, to[l.bounds[i]:], keys[worker][:0])
			for k, key := range keys[worker] {
				if other := int32(key >> 32); k == 0 || other != out[len(out)-1] {
					out = append(out, other)
					row[k] |= firstOfPair
				}
			}
			g.Bounds[i+1] = len(out)
		}
	})
	for i := range n {
		end := g.Bounds[i] + g.Bounds[i+1]
		copy(to[g.Bounds[i]:end], to[l.bounds[i]:])
		g.Bounds[i+1] = end
	}
	if g.To = to[:g.Bounds[n]]; 2*len(g.To) < cap(to) {
		g.To = slices.Clone(g.To)
	}
	g.Weight = make([]float64, len(g.To))
	l.graph = g
	return l, g
}

// Row are the lines of item i. The caller must not change them.
func (l *Lines) Row(i int) []Entry { return l.entries[l.bounds[i]:l.bounds[i+1]] }

// sort sorts the lines of an item by the other item and then as they stand, and returns the keys.
func sort(row []Entry, other []int32, keys []uint64) []uint64 {
	for k, e := range row {
		keys = append(keys, uint64(other[k])<<32|uint64(e))
	}
	slices.Sort(keys)
	for k, key := range keys {
		row[k] = Entry(key)
	}
	return keys
}

// Above are the lines of item i whose other item is a later one, which stand last. Each pair of items is above one.
func (l *Lines) Above(i int) []Entry {
	row := l.Row(i)
	below, _ := slices.BinarySearch(l.graph.To[l.graph.Bounds[i]:l.graph.Bounds[i+1]], int32(i))
	for k, e := range row {
		if e.First() {
			if below--; below < 0 {
				return row[k:]
			}
		}
	}
	return nil
}

// Pairs returns the number of the pair of each line, in order of first appearance, and how many there are.
func (l *Lines) Pairs() (of []int32, n int) {
	of = make([]int32, len(l.entries)/2)
	parallel.Chunks(len(l.bounds)-1, sizeOfPiece, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			at := int32(0)
			for _, e := range l.Above(i) {
				c := int32(e.Line())
				if e.First() {
					at = c
				}
				of[c] = at
			}
		}
	})
	for c, first := range of {
		if int(first) == c {
			of[c] = int32(n)
			n++
		} else {
			of[c] = of[first] // already a number: pairs begin with their first line
		}
	}
	return of, n
}

// Components are the items that lines connect, or some of them where some is not nil, in order of first appearance.
// Once all items are connected no more lines are read. Cost O(N + C).
func Components(of Source, items int, some func(c int) bool) *data.Partition {
	joins := joins.NewJoins(items)
	for c := 0; c < of.Len() && joins.Len() > 1; c++ {
		if some == nil || some(c) {
			joins.Join(of.Items(c))
		}
	}
	return joins.Partition()
}

// Centre takes the mean of each component, unless these are nil, from its scores.
func Centre(scores []float64, parts *data.Partition) {
	if parts == nil {
		return
	}
	mean := make([]float64, parts.Len())
	for i, g := range parts.Of() {
		mean[g] += scores[i]
	}
	for g := range mean {
		mean[g] /= float64(len(parts.Part(g)))
	}
	for i, g := range parts.Of() {
		scores[i] -= mean[g]
	}
}

// LeftOut marks some lines among all.
func LeftOut(all int, lines []int) []bool {
	out := make([]bool, all)
	for _, c := range lines {
		out[c] = true
	}
	return out
}

// All are the numbers below n.
func All(n int) []int { return Others(n, nil) }

// Covariates are those of line c, of the covariates of all lines or nil.
func Covariates(x *data.Dense, c int) []float64 {
	if x == nil {
		return nil
	}
	return x.Row(c)
}

// Others are the lines that stay of all where some are left out.
func Others(all int, lines []int) (stay []int) {
	for c, is := range LeftOut(all, lines) {
		if !is {
			stay = append(stay, c)
		}
	}
	return stay
}
