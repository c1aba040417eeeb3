package linalg

import "pairrank/internal/parallel"

// Packed is a right operand B, k×n, laid out once for many products. The zero value is ready for Pack.
type Packed struct {
	b    Mat
	t    Trans
	k, n int
	data []float64
}

// Pack lays out op(B), in O(kn), in the memory that there is. It keeps B, which must not change before the last
// product.
func (p *Packed) Pack(t Trans, b Mat) {
	require(b.valid(), "Packed.Pack")
	p.b, p.t = b, t
	p.k, p.n = b.shape(t)
	width := roundUp(p.n, active.nr)
	if cap(p.data) < p.k*width {
		p.data = make([]float64, p.k*width)
	}
	p.data = p.data[:p.k*width]
	for pc := 0; pc < p.k; pc += blockK {
		pack(p.data[pc*width:], active.nr, operandOf(b, !t), 0, p.n, pc, min(blockK, p.k-pc), 1)
	}
}

// MulTo sets C := AB, in 2mnk operations, to the bits of Gemm. Up to 192 rows it runs on the caller's goroutine, and
// allocates nothing once the scratch memory is there. It panics for shapes that do not fit. C must not share memory
// with A or B.
func (p *Packed) MulTo(c, a Mat) {
	require(a.valid() && c.valid() && a.Cols == p.k && c.Rows == a.Rows && c.Cols == p.n, "Packed.MulTo")
	if p.n <= gemmFew || p.k == 0 {
		Gemm(NoTrans, p.t, 1, a, p.b, 0, c)
		return
	}
	of := product{m: a.Rows, n: p.n, k: p.k, alpha: 1, a: operandOf(a, NoTrans), c: c.Data, ldc: c.Stride}
	if of.m <= blockM {
		p.rows(of, 0, of.m)
		return
	}
	parallel.Chunks(of.m, blockM, func(_, lo, hi int) { p.rows(of, lo, hi) })
}

// rows are the rows [lo,hi) of a product.
func (p *Packed) rows(of product, lo, hi int) {
	mr, nr := active.mr, active.nr
	pa := borrow(roundUp(hi-lo, mr)*min(blockK, p.k) + mr*nr)
	for pc := 0; pc < p.k; pc += blockK {
		of.block(*pa, p.data[pc*roundUp(p.n, nr):], lo, hi-lo, 0, 0, p.n, pc, min(blockK, p.k-pc))
	}
	giveBack(pa)
}
