package pairmodel

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/relation/pairwise"
)

// terms are those of the kernel with the factors in the order in which scores are added
// up: A is of the row node that is scored and B of the column node; where both are of
// one node, A compares it with the row node of the training edge.
func (p *Model) terms() []pairwise.Term {
	if p.Kernel == Similarity {
		return nil
	}
	terms := p.Kernel.Terms()
	for k, t := range terms {
		if t.B.As == pairwise.One {
			continue
		}
		if t.A.Of > t.B.Of || t.A.Of == t.B.Of && t.A.To > t.B.To {
			terms[k].A, terms[k].B = t.B, t.A
		}
	}
	return terms
}

// duals is the matrix B of a sum Σ_ij a_i B_ij b_j over training nodes: dense,
// or Σ_e v_e at the places (i_e, j_e).
type duals struct {
	rows, cols int
	dense      *data.Dense
	i, j       []int32
	v          []float64
}

// matrix is the coefficients or weights that are dense, or nil.
func (p *Model) matrix() *data.Dense {
	if p.Weights != nil {
		return p.Weights
	}
	return p.Coef
}

// size is how many training nodes an end of the edges has, or features where
// there are weights.
func (p *Model) size(e pairwise.End) int {
	switch {
	case p.Weights != nil && e == pairwise.Row:
		return p.Weights.Rows
	case p.Weights != nil:
		return p.Weights.Cols
	}
	return len(p.side(e).ID)
}

// sum is for every training node of an end the sum of the coefficients of its
// edges.
func (p *Model) sum(e pairwise.End) []float64 {
	out := make([]float64, p.size(e))
	if p.Edges != nil {
		at := p.Edges.at(e)
		for k, v := range p.Edges.Value {
			out[at[k]] += v
		}
		return out
	}
	for i := range p.Coef.Rows {
		if e == pairwise.Row {
			out[i] = linalg.Sum(p.Coef.Row(i))
		} else {
			linalg.Axpy(1, p.Coef.Row(i), out)
		}
	}
	return out
}

// at is the nodes of the edges at an end.
func (e *EdgeCoef) at(end pairwise.End) []int32 {
	if end == pairwise.Row {
		return e.Row
	}
	return e.Col
}

// between is the coefficients summed over terms of two factors: c of edge e
// counts at (A.To, B.To) of the edge. Terms that compare with one node of the edge
// alone, whose sums stand on the diagonal, come after the others.
func (p *Model) between(terms []pairwise.Term) *duals {
	b := &duals{rows: p.size(terms[0].A.To), cols: p.size(terms[0].B.To)}
	if p.Edges == nil && len(terms) == 1 && terms[0].Weight == 1 && terms[0].A.To == pairwise.Row && terms[0].B.To == pairwise.Col {
		b.dense = p.matrix()
		return b
	}
	if p.Edges == nil {
		b.dense = data.NewDense(b.rows, b.cols, nil)
	}
	for _, t := range terms {
		if t.A.To != t.B.To {
			p.place(b, t)
		}
	}
	for _, t := range terms {
		if t.A.To == t.B.To {
			b.placeDiagonal(t.Weight, p.sum(t.A.To))
		}
	}
	return b
}

// placeDiagonal adds weight times the sums of an end to the diagonal.
func (b *duals) placeDiagonal(weight float64, sums []float64) {
	for i, v := range sums {
		if b.dense != nil {
			b.dense.Row(i)[i] += weight * v
		} else {
			b.i, b.j, b.v = append(b.i, int32(i)), append(b.j, int32(i)), append(b.v, weight*v)
		}
	}
}

// place adds the coefficients of a term.
func (p *Model) place(b *duals, t pairwise.Term) {
	if p.Edges != nil {
		b.i, b.j = append(b.i, p.Edges.at(t.A.To)...), append(b.j, p.Edges.at(t.B.To)...)
		for _, v := range p.Edges.Value {
			b.v = append(b.v, t.Weight*v)
		}
		return
	}
	c := p.matrix()
	if t.A.To == pairwise.Col {
		addTransposed(b.dense, t.Weight, c)
		return
	}
	parallel.Chunks(c.Rows, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			linalg.Axpy(t.Weight, c.Row(i), b.dense.Row(i))
		}
	})
}

// tile is the side of the blocks in which a matrix is transposed, 32 kB each.
const tile = 64

// addTransposed adds weight · cᵀ to dst.
func addTransposed(dst *data.Dense, weight float64, c *data.Dense) {
	parallel.Chunks(dst.Rows, tile, func(_, lo, hi int) {
		for j0 := 0; j0 < dst.Cols; j0 += tile {
			for i := lo; i < hi; i++ {
				out := dst.Row(i)
				for j := j0; j < min(j0+tile, dst.Cols); j++ {
					out[j] += weight * c.Data[j*c.Stride+i]
				}
			}
		}
	})
}

// denseLimit is the number of entries, 1 GB of them, from which edges are not
// spread over a dense matrix.
const denseLimit = 1 << 27

// scatterCost is how many multiplications of a dense product cost as much as one
// by an edge, which fetches two numbers from anywhere.
const scatterCost = 12

// cost is about what half costs for that many rows with that many stored values,
// in multiplications of a dense product, and whether it spreads edges first.
func (b *duals) cost(rows, stored, width int) (flops float64, spread bool) {
	dense := float64(stored) * float64(width)
	if b.dense != nil {
		return dense, false
	}
	const perEntry = 32 // to clear, fill and fetch a matrix that is used once
	size := float64(b.rows) * float64(b.cols)
	direct := scatterCost * float64(rows) * float64(len(b.v))
	if dense += perEntry * size; size < denseLimit && dense < direct {
		return dense, true
	}
	return direct, false
}

// half is X B, or X Bᵀ, for rows x of kernel values or features.
func (b *duals) half(x data.Matrix, transposed bool) *data.Dense {
	rows, _ := x.Dims()
	width := b.cols
	if transposed {
		width = b.rows
	}
	dst := data.NewDense(rows, width, nil)
	full := b.dense
	if _, spread := b.cost(rows, data.Stored(x), width); spread {
		full = b.spread()
	}
	d, dense := x.(*data.Dense)
	switch {
	case full != nil && dense:
		linalg.Gemm(linalg.NoTrans, linalg.Trans(transposed), 1, linalg.Mat(*d), linalg.Mat(*full), 0, linalg.Mat(*dst))
	case full != nil && transposed:
		turned := data.NewDense(full.Cols, full.Rows, nil)
		addTransposed(turned, 1, full)
		multiplyRows(dst, x, turned)
	case full != nil:
		multiplyRows(dst, x, full)
	case transposed:
		multiplyEdges(dst, d, b.j, b.i, b.v)
	default:
		multiplyEdges(dst, d, b.i, b.j, b.v)
	}
	return dst
}

// spread is the edges as a dense matrix.
func (b *duals) spread() *data.Dense {
	full := data.NewDense(b.rows, b.cols, nil)
	for e, v := range b.v {
		full.Data[int(b.i[e])*full.Stride+int(b.j[e])] += v
	}
	return full
}

// multiplyEdges sets dst = X B for edges: one step of the generalised vec trick
// (Airola and Pahikkala 2018) for each row.
func multiplyEdges(dst, x *data.Dense, from, to []int32, v []float64) {
	parallel.For(dst.Rows, func(_, k int) {
		out, in := dst.Row(k), x.Row(k)
		for e, i := range from {
			out[to[e]] += v[e] * in[i]
		}
	})
}

// multiplyRows sets dst = X B by the stored values of x.
func multiplyRows(dst *data.Dense, x data.Matrix, b *data.Dense) {
	parallel.Chunks(dst.Rows, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			out := dst.Row(i)
			data.Each(x, i, func(j int, v float64) { linalg.Axpy(v, b.Row(j), out) })
		}
	})
}
