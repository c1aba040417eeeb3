package kron

import (
	"context"
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/relation/pairwise"
)

// padded is the problem of some edges in the eigenvectors of the complete graph: with K₁ = Σ d_k u_k u_kᵀ, K₂ or for
// ranking CK₂C likewise, the function is f = Φw with a column √(d_k d_l) u_ik v_jl of Φ for each k and l. Of the matrix
// ΦᵀLΦ + λI the diagonal ρ d_k d_l + λ is the average over edges that are drawn at random, with ρ the share of the
// complete graph that they are. It is the matrix itself if they are all, and never 0. A product with the matrix takes
// four products of matrices, twice those of one with the kernel of the edges; with the diagonal as the preconditioner
// ten iterations do what takes hundreds without it.
type padded struct {
	edges       Edges
	means       *means
	left, right *eigen
	root        linalg.Mat // √(d_k d_l)
	lambda      float64
	share       float64
	half, grid  linalg.Mat
	back        linalg.Mat
	scores      []float64
}

// fewestOfGrid is one edge for so many pairs of nodes: with fewer a pass through the edges is far faster than products
// of matrices.
const fewestOfGrid = 40

// pads reports whether a system can be padded, with as many edges as products of matrices are worth.
func (s System) pads() bool {
	p, r := s.Rows.Rows, s.Cols.Rows
	return s.Kernel == pairwise.Kronecker && max(p, r) <= mostMoments && fewestOfGrid*s.Edges.Len() >= p*r
}

func newPadded(s System, left, right *eigen, m *means, lambda float64) *padded {
	p, r := s.Rows.Rows, s.Cols.Rows
	d := &padded{edges: s.Edges, means: m, left: left, right: right, lambda: lambda,
		root: linalg.NewMat(len(left.d), len(right.d)), half: linalg.NewMat(p, len(right.d)), grid: linalg.NewMat(p, r),
		back: linalg.NewMat(len(left.d), len(right.d)), scores: make([]float64, s.Edges.Len())}
	for k, a := range left.d {
		for l, b := range right.d {
			d.root.Row(k)[l] = math.Sqrt(a * b)
		}
	}
	learnt, all := float64(s.Edges.Len()), float64(p*r)
	if m.count != nil {
		all -= float64(p)
		for _, n := range m.count {
			learnt -= min(1, n)
		}
	}
	d.share = learnt / max(1, all)
	return d
}

// unknowns is Σ ρd/(ρd + λ), the number of parameters that the edges determine. Where it is not far below that of the
// edges, these leave directions of w open, and the diagonal is far from the matrix.
func (d *padded) unknowns() (sum float64) {
	for _, v := range d.root.Data {
		sum += d.share * v * v / (d.share*v*v + d.lambda)
	}
	return sum
}

// scoresTo sets f to the scores of the edges.
func (d *padded) scoresTo(f, w []float64) {
	d.scale(d.back.Data, w)
	half := d.half
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, d.left.u, d.back, 0, half)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, half, d.right.u, 0, d.grid)
	eachEdge(len(f), func(lo, hi int) {
		for e := lo; e < hi; e++ {
			f[e] = d.grid.Row(int(d.edges.Row[e]))[d.edges.Col[e]]
		}
	})
}

// backTo sets g = Φᵀv.
func (d *padded) backTo(g, v []float64) {
	clear(d.grid.Data)
	for e, i := range d.edges.Row {
		d.grid.Row(int(i))[d.edges.Col[e]] += v[e]
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, d.grid, d.right.u, 0, d.half)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, d.left.u, d.half, 0, d.back)
	d.scale(g, d.back.Data)
}

// scale sets dst to x times the roots.
func (d *padded) scale(dst, x []float64) {
	parallel.Chunks(len(x), 1<<14, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			dst[k] = x[k] * d.root.Data[k]
		}
	})
}

// MulTo sets dst to the product with w.
func (d *padded) MulTo(dst, w []float64) {
	d.scoresTo(d.scores, w)
	d.means.takeOff(d.scores)
	d.backTo(dst, d.scores)
	linalg.Axpy(d.lambda, w, dst)
}

// solveTo sets z to r over the diagonal.
func (d *padded) solveTo(z, r []float64) {
	parallel.Chunks(len(r), 1<<14, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			v := d.root.Data[k]
			z[k] = r[k] / (d.share*v*v + d.lambda)
		}
	})
}

// startTo sets coef to the solution of the system a for the right side b by way of the padded one, as far as o asks for
// unless rounding ends it before, and returns the iterations. It leaves coef where this is no way.
func (s System) startTo(ctx context.Context, coef []float64, a *edgeSystem, b []float64, o SolveOptions) (int, error) {
	left, right, err := decomposeBoth(ctx, s.Rows, s.Cols, o.Loss == Ranking)
	if err != nil {
		return 0, ctx.Err() // a matrix with negative eigenvalues has no roots, and Solve needs none
	}
	const open = 4 // edges an unknown
	d := newPadded(s, left, right, a.means, a.lambda)
	if open*d.unknowns() > float64(len(b)) {
		return 0, nil
	}
	rhs, inner, iterations := make([]float64, len(d.root.Data)), EdgeFit{Coef: make([]float64, len(d.root.Data))}, 0
	d.backTo(rhs, b)
	tolerance, each, off, size := o.Tolerance, o.Each, make([]float64, len(b)), linalg.Nrm2(b)
	scores := o.Scores
	o.Tolerance, o.Scores = max(tolerance, scores), 0 // those of the edges
	if each != nil {
		o.Each = func(k int, residual float64, _ []float64) bool { return each(iterations+k, residual, coef) }
	}
	for range 4 { // the residual of the edges is another
		err := iterate(ctx, equations{Operator: d, precondition: d.solveTo}, rhs, &inner, o)
		iterations += inner.Iterations
		if err != nil && ctx.Err() == nil {
			clear(coef)
			return iterations, nil
		}
		d.scoresTo(coef, inner.Coef)
		d.means.takeOff(coef)
		for e, f := range coef {
			coef[e] = (b[e] - f) / d.lambda
		}
		a.MulTo(off, coef)
		linalg.Axpy(-a.lambda, coef, off)
		enough := max(tolerance, scores*linalg.Nrm2(off)/size)
		linalg.Axpy(a.lambda, coef, off)
		linalg.Axpy(-1, b, off)
		residual := linalg.Nrm2(off) / size
		if err != nil || !inner.Converged || !(residual > enough) {
			return iterations, err
		}
		o.Tolerance *= enough / residual / 2
	}
	return iterations, nil
}
