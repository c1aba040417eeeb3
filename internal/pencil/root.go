package pencil

import (
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// operator is a symmetric m×m matrix by its product.
type operator interface{ MulTo(dst, x []float64, k int) }

// roots are F with F F = L, and F⁺. For Blocks both are structured; otherwise
// each component is an eigenproblem, in O(Σ h³).
func roots(l pref.Laplacian) (root, pinv operator) {
	if b, ok := l.(*pref.Blocks); ok {
		r := b.Root()
		return r, r.Pinv()
	}
	return denseRoots(l)
}

// blockOperator has a dense block for each component.
type blockOperator struct {
	parts  *pref.Partition
	blocks []linalg.Mat
}

func denseRoots(l pref.Laplacian) (root, pinv operator) {
	parts := l.Components()
	f := &blockOperator{parts, make([]linalg.Mat, parts.Len())}
	g := &blockOperator{parts, make([]linalg.Mat, parts.Len())}
	parallel.For(parts.Len(), func(_, p int) {
		local := denseOf(pref.Restrict(l, parts.Part(p)))
		f.blocks[p], g.blocks[p] = rootOf(local)
	})
	return f, g
}

// denseOf is L written out.
func denseOf(l pref.Laplacian) linalg.Mat {
	a := linalg.NewMat(l.Dim(), l.Dim())
	for i := range a.Rows {
		a.Row(i)[i] = 1
	}
	l.MulTo(a.Data, a.Data, a.Cols)
	return a
}

// rootOf is the root of a positive semidefinite matrix and its pseudo-inverse.
// Eigenvalues below h ε times the largest are taken as 0: they are the
// constant, and what no weight in double precision can tell from it.
func rootOf(a linalg.Mat) (root, pinv linalg.Mat) {
	h := a.Rows
	w, u := make([]float64, h), linalg.NewMat(h, h)
	linalg.SymEigen(a, w, u)
	cut := 0.0
	if h > 0 {
		cut = float64(h) * epsilon * w[h-1]
	}
	scaled := func(power func(float64) float64) linalg.Mat {
		s, out := linalg.NewMat(h, h), linalg.NewMat(h, h)
		for j, v := range w {
			if v <= cut {
				continue
			}
			f := power(v)
			row := s.Row(j)
			for c, x := range u.Row(j) {
				row[c] = f * x
			}
		}
		linalg.Gemm(linalg.T, linalg.NoTrans, 1, s, u, 0, out)
		return out
	}
	return scaled(sqrt), scaled(func(v float64) float64 { return 1 / sqrt(v) })
}

// MulTo computes dst = B x for an m×k x; dst may be x.
func (b *blockOperator) MulTo(dst, x []float64, k int) {
	parallel.For(b.parts.Len(), func(_, p int) {
		rows := b.parts.Part(p)
		in, out := linalg.NewMat(len(rows), k), linalg.NewMat(len(rows), k)
		for a, i := range rows {
			copy(in.Row(a), x[int(i)*k:int(i)*k+k])
		}
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, b.blocks[p], in, 0, out)
		for a, i := range rows {
			copy(dst[int(i)*k:int(i)*k+k], out.Row(a))
		}
	})
}
