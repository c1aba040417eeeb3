package kron

import (
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// The two steps of a product that go through the edges: the generalised vec trick. Both read rows of a matrix
// in an order that keeps them in the second-level cache, and cut the work by the sizes alone.

// cached is the number of matrix entries to keep in the second-level cache.
const cached = 1 << 16

// adjacency is edges by their node at one end, with the node at the other end: those of node i are from
// start[i] to start[i+1].
type adjacency struct {
	*grouped
	other []int32
}

func newAdjacency(g *grouped, other []int32) *adjacency {
	l := &adjacency{grouped: g, other: make([]int32, len(g.edge))}
	for k, e := range g.edge {
		l.other[k] = other[e]
	}
	return l
}

// strip is a number of columns that linalg.AddRows takes in one pass, or in two.
const strip = 96

// sumRows sets row i of s to Σ v_e x[other_e] over the edges e of node i, one strip of columns after another.
func (l *adjacency) sumRows(s linalg.Mat, v []float64, x linalg.Mat, coef []float64) {
	eachEdge(len(coef), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			coef[k] = v[l.edge[k]]
		}
	})
	width := strip * max(1, cached/(strip*max(1, x.Rows)))
	strips := (x.Cols + width - 1) / width
	const nodes = 16 // in a piece of work
	pieces := (s.Rows + nodes - 1) / nodes
	parallel.For(strips*pieces, func(_, q int) {
		from := q / pieces * width
		to := min(x.Cols, from+width)
		part := x.Slice(0, x.Rows, from, to)
		for i := q % pieces * nodes; i < min(s.Rows, (q%pieces+1)*nodes); i++ {
			row := s.Row(i)[from:to]
			clear(row)
			lo, hi := l.start[i], l.start[i+1]
			linalg.AddRows(coef[lo:hi], l.other[lo:hi], part, row)
		}
	})
}

// runs is edges in an order in which their entries of a product of matrices are fast to compute: by blocks of
// rows of the second matrix, and within a block by the row of the first.
type runs struct {
	edge, second []int32 // in this order
	first        []int32 // row of the first matrix of a run
	start        []int32 // of the runs, in edge
	pieces       []int   // bounds of the pieces of work, in runs
}

// newRuns orders the edges by g at the first matrix and at second; the second
// matrix has so many rows and columns.
func newRuns(g *grouped, second []int32, rows, cols int) *runs {
	// A block fits into the cache, but is not so small that a row of the first matrix serves fewer than eight
	// edges of a block.
	nodes := len(g.start) - 1
	block := max(cached/max(1, cols), 8*rows*nodes/max(1, len(g.edge)), 1)
	blocks := rows/block + 1
	count := make([]int32, blocks+1)
	for _, j := range second {
		count[int(j)/block+1]++
	}
	for b := range blocks {
		count[b+1] += count[b]
	}
	r := &runs{edge: make([]int32, len(g.edge)), second: make([]int32, len(g.edge)), pieces: []int{0}}
	firstOf := make([]int32, len(g.edge))
	for i := range nodes {
		for _, e := range g.edge[g.start[i]:g.start[i+1]] {
			at := &count[int(second[e])/block]
			r.edge[*at], r.second[*at], firstOf[*at] = e, second[e], int32(i)
			*at++
		}
	}
	// Now count[b] is the end of block b.
	piece := 0
	for lo, b := 0, 0; lo < len(r.edge); {
		for int(count[b]) <= lo {
			b++
		}
		hi := lo + 1
		for hi < int(count[b]) && firstOf[hi] == firstOf[lo] {
			hi++
		}
		r.first, r.start = append(r.first, firstOf[lo]), append(r.start, int32(lo))
		if lo = hi; hi-piece >= pieceEdges {
			r.pieces, piece = append(r.pieces, len(r.first)), hi
		}
	}
	r.start = append(r.start, int32(len(r.edge)))
	if last := len(r.first); r.pieces[len(r.pieces)-1] < last {
		r.pieces = append(r.pieces, last)
	}
	return r
}

// addEntries adds weight (A Tᵀ)[i,j] to dst_e for the edges e = (i,j). entries has
// room for as many numbers as there are edges.
func (r *runs) addEntries(dst []float64, weight float64, a, t linalg.Mat, entries []float64) {
	parallel.For(len(r.pieces)-1, func(_, q int) {
		for k := r.pieces[q]; k < r.pieces[q+1]; k++ {
			lo, hi := r.start[k], r.start[k+1]
			linalg.DotRows(a.Row(int(r.first[k])), r.second[lo:hi], t, entries[lo:hi])
			for n := lo; n < hi; n++ {
				dst[r.edge[n]] += weight * entries[n]
			}
		}
	})
}
