package pencil

import (
	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// operator is a symmetric m×m matrix by its product.
type operator interface{ MulTo(dst, x []float64, k int) }

// root is F with F Fᵀ = L.
type root interface {
	operator
	// mulTransTo computes dst = Fᵀ x.
	mulTransTo(dst, x []float64, k int)
	// normBound bounds its norm from above, to a small factor.
	normBound() float64
	// upperCongruence replaces the upper triangle of the symmetric K by that of Fᵀ K F, and does not
	// write below the diagonal. It combines only rows of the same component, so that each row is
	// written when no other needs its upper part.
	upperCongruence(k linalg.Mat)
}

// inverse is an inverse G of a root on its range.
type inverse interface {
	operator
	// mulTransTo computes dst = Gᵀ x.
	mulTransTo(dst, x []float64, k int)
}

// roots returns F with F Fᵀ = L, and an inverse of F on its range. Without weights of rows and times F is symmetric,
// and the inverse is F⁺. For an L of the form of goals.Blocks both have that form, and for one of censored times
// products with both cost O(m); otherwise each component is an eigenproblem, in O(Σ h³).
func (p Problem) roots() (f root, inv inverse) {
	if b := goals.BlocksOf(p.L); b != nil {
		r := b.Root()
		root := blocksRoot{r, r.Vector()}
		return root, blocksInverse{r.Pinv(), root.weights}
	}
	if t, ok := p.L.(*goals.Timed); ok {
		r := t.Root()
		return timedRoot{r}, timedInverse{r}
	}
	return p.denseRoots()
}

// timedRoot is the root of censored times.
type timedRoot struct{ *goals.TimedRoot }

func (f timedRoot) mulTransTo(dst, x []float64, k int) { f.MulTransTo(dst, x, k) }
func (f timedRoot) normBound() float64                 { return f.NormBound() }
func (f timedRoot) upperCongruence(k linalg.Mat)       { f.UpperCongruence(k.Data, k.Stride) }

// timedInverse is its inverse.
type timedInverse struct{ root *goals.TimedRoot }

func (f timedInverse) MulTo(dst, x []float64, k int)      { f.root.SolveTo(dst, x, k) }
func (f timedInverse) mulTransTo(dst, x []float64, k int) { f.root.SolveTransTo(dst, x, k) }

// blocksRoot is a root of the form of goals.Blocks: A^½ S, with the roots of the weights of rows in the diagonal A^½,
// nil where each is 1.
type blocksRoot struct {
	*goals.Blocks
	weights []float64
}

// MulTo computes dst = F x.
func (f blocksRoot) MulTo(dst, x []float64, k int) {
	f.Blocks.MulTo(dst, x, k)
	scaleRows(dst, f.weights, k)
}

func (f blocksRoot) mulTransTo(dst, x []float64, k int) {
	if f.weights != nil {
		copy(dst, x)
		scaleRows(dst, f.weights, k)
		x = dst
	}
	f.Blocks.MulTo(dst, x, k)
}

// scaleRows multiplies the rows of the m×k x by the entries of d; nil is 1 for each.
func scaleRows(x, d []float64, k int) {
	for i, v := range d {
		linalg.Scal(v, x[i*k:i*k+k])
	}
}

// blocksInverse is S⁺ A^-½ of a blocksRoot.
type blocksInverse struct {
	pinv    *goals.Blocks
	weights []float64
}

// MulTo computes the product with the m×k x.
func (f blocksInverse) MulTo(dst, x []float64, k int) {
	if f.weights != nil {
		copy(dst, x)
		f.divide(dst, k)
		x = dst
	}
	f.pinv.MulTo(dst, x, k)
}

func (f blocksInverse) mulTransTo(dst, x []float64, k int) {
	f.pinv.MulTo(dst, x, k)
	f.divide(dst, k)
}

// divide divides the rows of the m×k x by the roots of the weights.
func (f blocksInverse) divide(x []float64, k int) {
	for i, v := range f.weights {
		linalg.Scal(1/v, x[i*k:i*k+k])
	}
}

func (b *blockOperator) mulTransTo(dst, x []float64, k int) { b.MulTo(dst, x, k) }

// blockOperator has a dense block for each component.
type blockOperator struct {
	parts  *data.Partition
	blocks []linalg.Mat
}

// denseRoots are the roots of any L.
func (p Problem) denseRoots() (f, pinv *blockOperator) {
	parts := p.L.Components()
	f = &blockOperator{parts, make([]linalg.Mat, parts.Len())}
	pinv = &blockOperator{parts, make([]linalg.Mat, parts.Len())}
	parallel.For(parts.Len(), func(_, g int) {
		f.blocks[g], pinv.blocks[g] = rootOf(p.L.Restrict(parts.Part(g)), p.Centred)
	})
	return f, pinv
}

// rootOf is the root of a Laplacian of one component and its pseudo-inverse. Its null space, the
// constant where it is centred, is projected out first. In a basis B of the vectors that sum to 0,
// or of all vectors where it is not centred, BᵀLB = U diag(w) Uᵀ is positive definite and F = BU
// diag(√w) UᵀBᵀ. Where the weights span more than double precision, rounding loses the least w.
// They are raised to the rounding, which changes L by less than its rounding error and keeps F F⁺ =
// BBᵀ.
func rootOf(l goals.Laplacian, centred bool) (root, pinv linalg.Mat) {
	h := l.Dim()
	root, pinv = linalg.NewMat(h, h), linalg.NewMat(h, h)
	if h == 0 || h == 1 && centred {
		return root, pinv
	}
	b := identity(h)
	if centred {
		b = sumsToZero(h)
	}
	n := b.Cols
	lb := linalg.NewMat(h, n)
	l.MulTo(lb.Data, b.Data, n)
	w, u := make([]float64, n), linalg.NewMat(n, n)
	linalg.SymEigen(b.TMul(lb), w, u)
	if w[n-1] <= 0 {
		return root, pinv // no weights
	}
	vectors := lb // rows of (BU)ᵀ, then scaled
	vectors.Rows, vectors.Cols, vectors.Stride = n, h, h
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, u, b, 0, vectors)
	least := float64(h) * epsilon * w[n-1]
	scaled := linalg.NewMat(n, h)
	for _, f := range []struct {
		dst   linalg.Mat
		power func(v float64) float64
	}{{root, sqrt}, {pinv, func(v float64) float64 { return 1 / sqrt(v) }}} {
		for j, v := range w {
			factor := f.power(max(v, least))
			for c, x := range vectors.Row(j) {
				scaled.Row(j)[c] = factor * x
			}
		}
		linalg.Gemm(linalg.T, linalg.NoTrans, 1, scaled, vectors, 0, f.dst)
	}
	return root, pinv
}

// sumsToZero is an orthonormal basis of the vectors of length h that sum to 0:
// the last h−1 columns of the reflection that takes the first unit vector to
// the constant.
func sumsToZero(h int) linalg.Mat {
	b := linalg.NewMat(h, h-1)
	first := 1 / sqrt(float64(h))
	rest := -first / (1 + first) / sqrt(float64(h))
	for c := range h - 1 {
		b.Row(0)[c] = -first
		for i := 1; i < h; i++ {
			b.Row(i)[c] = rest
		}
		b.Row(c + 1)[c]++
	}
	return b
}

func identity(h int) linalg.Mat {
	b := linalg.NewMat(h, h)
	for i := range h {
		b.Row(i)[i] = 1
	}
	return b
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
