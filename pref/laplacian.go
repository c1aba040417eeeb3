package pref

import (
	"fmt"

	"pairrank/internal/parallel"
)

// Laplacian is a symmetric positive semidefinite m×m matrix that compares
// rows. Its methods are safe for concurrent use.
type Laplacian interface {
	// Dim is the number of rows m.
	Dim() int
	// MulTo computes dst = L x for an m×k row-major x. dst and x may be the
	// same slice, and must not overlap otherwise.
	MulTo(dst, x []float64, k int)
	// Components is the finest known partition of the rows such that L has no
	// entry between two parts.
	Components() *Partition
}

// Partition cuts the rows 0…m−1 into parts. The rows of part p, ascending, are
// Rows[Bounds[p]:Bounds[p+1]].
type Partition struct {
	Rows   []int32
	Bounds []int

	of []int32 // the part of each row
}

// NewPartition makes the partition in which row i is in part of[i], of parts
// parts; it keeps of. Cost O(m + parts).
func NewPartition(of []int32, parts int) *Partition {
	p := &Partition{Rows: make([]int32, len(of)), Bounds: make([]int, parts+1), of: of}
	for _, g := range of {
		p.Bounds[g+1]++
	}
	for g := range parts {
		p.Bounds[g+1] += p.Bounds[g]
	}
	at := append([]int(nil), p.Bounds[:parts]...)
	for i, g := range of {
		p.Rows[at[g]] = int32(i)
		at[g]++
	}
	return p
}

// Grouped is the partition given by its rows, its bounds and the part of each
// row, all of which it keeps.
func Grouped(rows []int32, bounds []int, of []int32) *Partition {
	return &Partition{Rows: rows, Bounds: bounds, of: of}
}

// OneList is the partition of m rows with a single part.
func OneList(m int) *Partition {
	return NewPartition(make([]int32, m), 1)
}

// Singletons is the partition of m rows in which each row is a part.
func Singletons(m int) *Partition {
	of := make([]int32, m)
	for i := range of {
		of[i] = int32(i)
	}
	return NewPartition(of, m)
}

// Len is the number of parts.
func (p *Partition) Len() int { return len(p.Bounds) - 1 }

// Part is the rows of part g, ascending.
func (p *Partition) Part(g int) []int32 { return p.Rows[p.Bounds[g]:p.Bounds[g+1]] }

// Of is the part of each row; the caller must not change it.
func (p *Partition) Of() []int32 { return p.of }

// Refines reports whether each part of p lies within one part of q.
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

// Centre takes the mean of each part off x, m×k row-major.
func Centre(p *Partition, x []float64, k int) {
	parallel.Chunks(p.Len(), 64, func(_, lo, hi int) {
		mean := make([]float64, k)
		for g := lo; g < hi; g++ {
			rows := p.Part(g)
			clear(mean)
			for _, i := range rows {
				for c, v := range x[int(i)*k : int(i)*k+k] {
					mean[c] += v
				}
			}
			for c := range mean {
				mean[c] /= float64(len(rows))
			}
			for _, i := range rows {
				row := x[int(i)*k : int(i)*k+k]
				for c, v := range mean {
					row[c] -= v
				}
			}
		}
	})
}

func checkShapes(name string, m, k int, dst, x []float64) {
	if len(dst) != m*k || len(x) != m*k {
		panic(fmt.Sprintf("pref: %s of %d rows times %d columns, but len(dst)=%d and len(x)=%d", name, m, k, len(dst), len(x)))
	}
}
