package goals

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Laplacian is a symmetric positive semidefinite m×m matrix that compares rows. Its methods are
// safe for concurrent use. BlocksOf finds those with the form of Blocks, for which most algorithms
// have a shortcut.
type Laplacian interface {
	// Dim is the number of rows m.
	Dim() int
	// MulTo computes dst = L x for an m×k row-major x. dst and x may be the
	// same slice, and must not overlap otherwise.
	MulTo(dst, x []float64, k int)
	// Components is the finest known partition of the rows such that L has no
	// entry between two parts.
	Components() *data.Partition
	// Restrict returns L_HH for the h given rows, in their order, which must be whole
	// components: the Laplacian, h×h, of a problem that has those rows only.
	Restrict(rows []int32) Laplacian
	// DiagonalTo fills dst, of length m, with the diagonal of L.
	DiagonalTo(dst []float64)
}

// BlocksOf returns L as Blocks where L has a method Blocks, as *Blocks itself does, and nil
// otherwise. For nil the caller uses the products of L.
func BlocksOf(l Laplacian) *Blocks {
	if l, ok := l.(interface{ Blocks() *Blocks }); ok {
		return l.Blocks()
	}
	return nil
}

// Centre subtracts from each column of x, m×k row-major, its mean over each part of the
// rows, in O(mk), on all cores. It panics when x is shorter.
func Centre(p *data.Partition, x []float64, k int) {
	parallel.Chunks(p.Len(), 64, func(_, lo, hi int) {
		mean := make([]float64, k)
		for g := lo; g < hi; g++ {
			rows := p.Part(g)
			clear(mean)
			for _, i := range rows {
				linalg.Axpy(1, x[int(i)*k:int(i)*k+k], mean)
			}
			for c := range mean {
				mean[c] /= float64(len(rows))
			}
			for _, i := range rows {
				linalg.Axpy(-1, mean, x[int(i)*k:int(i)*k+k])
			}
		}
	})
}

func checkShapes(name string, m, k int, dst, x []float64) {
	if len(dst) != m*k || len(x) != m*k {
		panic(fmt.Sprintf("goals: %s of %d rows times %d columns, but len(dst)=%d and len(x)=%d",
			name, m, k, len(dst), len(x)))
	}
}
