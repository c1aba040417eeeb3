package model

import (
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// The names of the kinds of Pairwise.
const (
	KindKronecker  = "kronecker"
	KindSymmetric  = "symmetric"
	KindReciprocal = "reciprocal"
	KindCartesian  = "cartesian"
	KindLinear     = "linear"
	KindPoly2      = "poly2"
	KindMetric     = "metric"
	KindRanking    = "ranking"
	KindSimilarity = "similarity"
)

// factor is a function of a node x and a training node z.
type factor uint8

const (
	one    factor = iota // 1
	value                // k(x,z)
	square               // k(x,z)²
	same                 // [x=z]
)

// end is the row or the column end of a pair.
type end uint8

const (
	row end = iota
	col
)

func (e end) String() string { return [...]string{row: "row", col: "column"}[e] }

// link is a factor between an end of the pair that is scored and an end of a
// training edge.
type link struct {
	of, to end
	as     factor
}

func dd(as factor) link { return link{row, row, as} }
func dt(as factor) link { return link{row, col, as} }
func td(as factor) link { return link{col, row, as} }
func tt(as factor) link { return link{col, col, as} }

// term is weight · a · b, a part of a pairwise kernel: a product of two node
// kernels with index maps (Viljanen, Airola and Pahikkala 2022, section 3). a is
// of the row node; b is of the column node, or in a few terms a and b are of the
// same one. Where one of them is 1 the term is of one node alone.
type term struct {
	weight float64
	a, b   link
}

type pairKernel struct {
	name  string
	terms []term
}

// pairKernels are the sums that are written down at Pairwise, multiplied out.
var pairKernels = []pairKernel{
	{KindKronecker, []term{{1, dd(value), tt(value)}}},
	{KindSymmetric, []term{{0.5, dd(value), tt(value)}, {0.5, dt(value), td(value)}}},
	{KindReciprocal, []term{{0.5, dd(value), tt(value)}, {-0.5, dt(value), td(value)}}},
	{KindCartesian, []term{{1, dd(value), tt(same)}, {1, dd(same), tt(value)}}},
	{KindLinear, []term{{1, dd(value), tt(one)}, {1, dd(one), tt(value)}}},
	{KindPoly2, []term{{1, dd(square), tt(one)}, {2, dd(value), tt(value)}, {1, dd(one), tt(square)}}},
	{KindMetric, []term{
		{1, dd(square), tt(one)}, {1, dt(square), td(one)}, {1, dt(one), td(square)}, {1, dd(one), tt(square)},
		{2, dd(value), tt(value)}, {2, dt(value), td(value)},
		{-2, dd(value), td(value)}, {-2, dt(value), tt(value)},
		{-2, dd(value), dt(value)}, {-2, td(value), tt(value)},
	}},
	{KindRanking, []term{{1, dd(value), tt(one)}, {-1, dt(value), td(one)}, {-1, dt(one), td(value)}, {1, dd(one), tt(value)}}},
	{KindSimilarity, nil},
}

func pairKernelOf(name string) (pairKernel, bool) {
	at := slices.IndexFunc(pairKernels, func(k pairKernel) bool { return k.name == name })
	if at < 0 {
		return pairKernel{}, false
	}
	return pairKernels[at], true
}

// oneDomain reports whether a row node meets a training column node.
func (k pairKernel) oneDomain() bool {
	crosses := func(l link) bool { return l.as != one && l.of != l.to }
	return k.name == KindSimilarity || slices.ContainsFunc(k.terms, func(t term) bool { return crosses(t.a) || crosses(t.b) })
}

// alone is the one link of a term of one node.
func (t term) alone() (link, bool) {
	switch {
	case t.a.as == one:
		return t.b, true
	case t.b.as == one:
		return t.a, true
	}
	return link{}, false
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
func (p *Pairwise) matrix() *data.Dense {
	if p.Weights != nil {
		return p.Weights
	}
	return p.Coef
}

// size is how many training nodes an end of the edges has, or features where
// there are weights.
func (p *Pairwise) size(e end) int {
	switch {
	case p.Weights != nil && e == row:
		return p.Weights.Rows
	case p.Weights != nil:
		return p.Weights.Cols
	case e == row:
		return len(p.Rows.ID)
	}
	return len(p.ColSide().ID)
}

// sum is for every training node of an end the sum of the coefficients of its
// edges.
func (p *Pairwise) sum(e end) []float64 {
	out := make([]float64, p.size(e))
	if p.Edges != nil {
		at := p.Edges.Row
		if e == col {
			at = p.Edges.Col
		}
		for k, v := range p.Edges.Value {
			out[at[k]] += v
		}
		return out
	}
	for i := range p.Coef.Rows {
		if e == row {
			out[i] = linalg.Sum(p.Coef.Row(i))
		} else {
			linalg.Axpy(1, p.Coef.Row(i), out)
		}
	}
	return out
}

// between is the coefficients summed over terms of two factors: c of edge e
// counts at (a.to, b.to) of the edge.
func (p *Pairwise) between(terms []term) *duals {
	b := &duals{rows: p.size(terms[0].a.to), cols: p.size(terms[0].b.to)}
	if p.Edges != nil {
		p.placeEdges(b, terms)
		return b
	}
	c := p.matrix()
	if len(terms) == 1 && terms[0].weight == 1 && terms[0].a.to == row && terms[0].b.to == col {
		b.dense = c
		return b
	}
	b.dense = data.NewDense(b.rows, b.cols, nil)
	for _, t := range terms {
		switch {
		case t.a.to == t.b.to:
			for i, v := range p.sum(t.a.to) {
				b.dense.Row(i)[i] += t.weight * v
			}
		case t.a.to == row:
			parallel.Chunks(c.Rows, tile, func(_, lo, hi int) {
				for i := lo; i < hi; i++ {
					linalg.Axpy(t.weight, c.Row(i), b.dense.Row(i))
				}
			})
		default:
			addTransposed(b.dense, t.weight, c)
		}
	}
	return b
}

// placeEdges is between for coefficients of edges.
func (p *Pairwise) placeEdges(b *duals, terms []term) {
	ends := [2][]int32{row: p.Edges.Row, col: p.Edges.Col}
	for _, t := range terms {
		if t.a.to == t.b.to {
			for i, v := range p.sum(t.a.to) {
				b.i, b.j, b.v = append(b.i, int32(i)), append(b.j, int32(i)), append(b.v, t.weight*v)
			}
			continue
		}
		b.i, b.j = append(b.i, ends[t.a.to]...), append(b.j, ends[t.b.to]...)
		for _, v := range p.Edges.Value {
			b.v = append(b.v, t.weight*v)
		}
	}
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
	rows, stored := stored(x)
	width := b.cols
	if transposed {
		width = b.rows
	}
	dst := data.NewDense(rows, width, nil)
	full := b.dense
	if _, spread := b.cost(rows, stored, width); spread {
		full = b.spread()
	}
	d, dense := x.(*data.Dense)
	switch {
	case full != nil && dense:
		linalg.Gemm(linalg.NoTrans, linalg.Trans(transposed), 1, linalg.Mat(*d), linalg.Mat(*full), 0, linalg.Mat(*dst))
	case full != nil && transposed:
		scoreSparse(dst.Data, x.(*data.CSR), full)
	case full != nil:
		multiplySparse(dst.Data, x.(*data.CSR), full)
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

// stored is the number of rows of x and of the values that a product takes.
func stored(x data.Matrix) (rows, values int) {
	rows, cols := x.Dims()
	if s, ok := x.(*data.CSR); ok {
		return rows, s.Ptr[rows] - s.Ptr[0]
	}
	return rows, rows * cols
}
