package goals

import (
	"pairrank/data"
	"pairrank/internal/parallel"
)

// DenseBlocks is a Laplacian with one dense block per component. The relative cost needs it,
// because its weights 1/(y_i−y_j)² have no structure. It stores Σ m_q² numbers; a product with an
// m×k matrix costs O(k Σ m_q²).
type DenseBlocks struct {
	parts  *data.Partition
	blocks [][]float64 // block p is m_p×m_p, row-major, in the order of Part(p)
}

// newDenseBlocks fills the blocks with the Laplacian of the weights
// w(i, j) ≥ 0 of the pairs of rows of each part.
func newDenseBlocks(parts *data.Partition, w func(p int, i, j int32) float64) *DenseBlocks {
	d := &DenseBlocks{parts: parts, blocks: make([][]float64, parts.Len())}
	parallel.For(parts.Len(), func(_, p int) {
		rows := parts.Part(p)
		h := len(rows)
		l := make([]float64, h*h)
		for a, i := range rows {
			for b := a + 1; b < h; b++ {
				weight := w(p, i, rows[b])
				l[a*h+b], l[b*h+a] = -weight, -weight
				l[a*h+a] += weight
				l[b*h+b] += weight
			}
		}
		d.blocks[p] = l
	})
	return d
}

// Dim returns the number of rows m.
func (d *DenseBlocks) Dim() int { return len(d.parts.Rows) }

// Components returns the queries.
func (d *DenseBlocks) Components() *data.Partition { return d.parts }

// DiagonalTo fills dst, of length m, with the diagonal of L, in O(m). It panics when dst
// is shorter.
func (d *DenseBlocks) DiagonalTo(dst []float64) {
	for p, block := range d.blocks {
		rows := d.parts.Part(p)
		for a, i := range rows {
			dst[i] = block[a*len(rows)+a]
		}
	}
}

// MulTo computes dst = L x for x of m×k in O(k Σ m_q²), in parallel over components and blocks of
// columns, as Σ_j w_ij (x_i − x_j): the weights of near-equal labels are huge, and their sum on the
// diagonal would cancel against them. It panics when the lengths do not fit.
func (d *DenseBlocks) MulTo(dst, x []float64, k int) {
	checkShapes("DenseBlocks", d.Dim(), k, dst, x)
	const width = 64
	columns := max(1, (k+width-1)/width)
	parallel.For(d.parts.Len()*columns, func(_, task int) {
		p, lo := task/columns, task%columns*width
		hi := min(k, lo+width)
		rows := d.parts.Part(p)
		h, w := len(rows), hi-lo
		out := make([]float64, h*w)
		for a := range h {
			y, own := out[a*w:a*w+w], x[int(rows[a])*k+lo:int(rows[a])*k+hi]
			for b, j := range rows {
				weight := -d.blocks[p][a*h+b]
				if a == b || weight == 0 {
					continue
				}
				for c, v := range x[int(j)*k+lo : int(j)*k+hi] {
					y[c] += weight * (own[c] - v)
				}
			}
		}
		for a, i := range rows {
			copy(dst[int(i)*k+lo:int(i)*k+hi], out[a*w:a*w+w])
		}
	})
}
