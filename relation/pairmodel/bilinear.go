package pairmodel

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/pairterms"
	"pairrank/internal/parallel"
)

// Bilinear is the matrix B of a sum Σ_ij a_i B_ij b_j: Dense, or the sum of Value_e at the places (Row_e,
// Col_e), which may repeat.
type Bilinear struct {
	Rows, Cols int
	Dense      *data.Dense // or nil
	Row, Col   []int32
	Value      []float64
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

// leads reports whether to compute X₁ B before X₂ Bᵀ, since that is less work for so many pairs.
func (b *Bilinear) leads(x1, x2 data.Matrix, pairs float64) bool {
	rows, _ := x1.Dims()
	cols, _ := x2.Dims()
	first, _ := b.cost(rows, data.Stored(x1), b.Cols)
	second, _ := b.cost(cols, data.Stored(x2), b.Rows)
	return first+pairs*float64(b.Cols) <= second+pairs*float64(b.Rows)
}

// cost estimates the cost of half for so many rows with so many stored values, in multiplications of a dense
// product, and reports whether half spreads the edges over a matrix first.
func (b *Bilinear) cost(rows, stored, width int) (flops float64, spread bool) {
	const (
		scatter  = 12      // for each edge, which reads two scattered numbers
		perEntry = 32      // to clear, fill and read a matrix that is used once
		limit    = 1 << 27 // entries, 1 GB of them; larger matrices are not made
	)
	dense := float64(stored) * float64(width)
	if b.Dense != nil {
		return dense, false
	}
	size := float64(b.Rows) * float64(b.Cols)
	direct := scatter * float64(rows) * float64(len(b.Value))
	if dense += perEntry * size; size < limit && dense < direct {
		return dense, true
	}
	return direct, false
}

// half is X B, or X Bᵀ, for rows x of kernel values or features.
func (b *Bilinear) half(x data.Matrix, transposed bool) *data.Dense {
	rows, _ := x.Dims()
	from, to, width := b.Row, b.Col, b.Cols
	if transposed {
		from, to, width = to, from, b.Rows
	}
	dst := data.NewDense(rows, width, nil)
	full := b.Dense
	if _, spread := b.cost(rows, data.Stored(x), width); spread {
		full = b.spread()
	}
	d, dense := x.(*data.Dense)
	switch {
	case full != nil && dense:
		linalg.Gemm(linalg.NoTrans, linalg.Trans(transposed), 1, linalg.Mat(*d), linalg.Mat(*full), 0, linalg.Mat(*dst))
	case full != nil && transposed:
		multiplyRows(dst, x, full.T())
	case full != nil:
		multiplyRows(dst, x, full)
	default:
		multiplyEdges(dst, d, from, to, b.Value)
	}
	return dst
}

// spread is the edges as a dense matrix.
func (b *Bilinear) spread() *data.Dense {
	full := data.NewDense(b.Rows, b.Cols, nil)
	for e, v := range b.Value {
		full.Data[int(b.Row[e])*full.Stride+int(b.Col[e])] += v
	}
	return full
}

// multiplyEdges sets dst = X B for edges: one step of the generalised vec trick (Airola and Pahikkala 2018) for
// each row.
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

// forOnePair spreads the edges of b over a matrix if they are many for its size: an entry costs a quarter of an
// edge, which reads from two places.
func (b *Bilinear) forOnePair() *Bilinear {
	const edge = 4
	if b != nil && b.Dense == nil && float64(b.Rows)*float64(b.Cols) <= edge*float64(len(b.Value)) {
		return &Bilinear{Dense: b.spread()}
	}
	return b
}

// at is xᵀ B y, 0 without B. Over edges it keeps two independent sums.
func (b *Bilinear) at(x, y []float64) (sum float64) {
	if b == nil {
		return 0
	}
	if b.Dense != nil {
		for i, v := range x {
			sum += v * linalg.Dot(y, b.Dense.Row(i))
		}
		return sum
	}
	v, other, e := b.Value, 0.0, 0
	i, j := b.Row[:len(v)], b.Col[:len(v)]
	for ; e < len(v)-1; e += 2 {
		sum += v[e] * x[i[e]] * y[j[e]]
		other += v[e+1] * x[i[e+1]] * y[j[e+1]]
	}
	if e < len(v) {
		sum += v[e] * x[i[e]] * y[j[e]]
	}
	return sum + other
}

// line is row k of B times x; with pairwise.Col it is x times column k.
func (b *Bilinear) line(at pairterms.End, k int32, x []float64) (sum float64) {
	of, with := b.Row, b.Col
	switch {
	case b.Dense != nil && at == pairterms.Row:
		return linalg.Dot(x, b.Dense.Row(int(k)))
	case b.Dense != nil:
		for i, v := range x {
			sum += v * b.Dense.Row(i)[k]
		}
		return sum
	case at == pairterms.Col:
		of, with = with, of
	}
	for e, v := range b.Value {
		if of[e] == k {
			sum += v * x[with[e]]
		}
	}
	return sum
}
