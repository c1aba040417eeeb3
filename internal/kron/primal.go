package kron

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// LinearSystem is a problem over edges between nodes with linear kernels, which are given by their features.
type LinearSystem struct {
	Relation   Relation    // "" is Arbitrary; else Rows and Cols are the same matrix
	Rows, Cols data.Matrix // features of the nodes, p×n and r×k, dense or sparse
	Edges      Edges       // m edges, any
	Y          []float64   // their labels
}

// SolveLinear learns f(u,v) = xᵀWz from the edges of p, with x and z the features of the nodes: the Kronecker
// kernel of linear node kernels. W is n×k, for any number of nodes. For symmetric and reciprocal relations W is
// symmetric or antisymmetric. It solves (ΦᵀLΦ + λI)W = ΦᵀLy, Φ the products of features of the edges, by
// conjugate gradients. On a complete graph, and if the edges outnumber the products of features twice, a
// preconditioner compensates for features of different sizes and, up to 3000 of them, for their correlations;
// but not for the ranking loss of symmetric and reciprocal relations.
//
// An iteration costs O(ms + rsn) with s non-zeros a node. The memory is r·n numbers, a few times that of W, and
// the moments of up to 3000 features. Coef of the fit is W, row by row. SolveLinear returns errors and panics
// as [Solve] does.
func SolveLinear(ctx context.Context, p LinearSystem, lambda float64, o SolveOptions) (*EdgeFit, error) {
	checkLambda(lambda)
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	s := p.operator(lambda, o)
	y, n, k := p.Y, s.n, s.k
	b, centred := make([]float64, n*k), append([]float64(nil), y...)
	s.means.takeOff(centred)
	s.backTo(b, centred)
	fit := &EdgeFit{Lambda: lambda, Coef: make([]float64, n*k), Scores: make([]float64, len(y))}
	copy(fit.Coef, o.Start)
	a := equations{Operator: s, ridge: lambda}
	if full, diagonal := preconditions(s, o.Loss == Ranking); full || diagonal {
		p, err := newConditioner(s, o.Loss == Ranking, full)
		if err != nil {
			return nil, err
		}
		a.precondition = p.solveTo
	}
	if err = iterate(ctx, a, b, fit, o); errors.Is(err, ErrNumerical) {
		return nil, err
	}
	s.scoresTo(fit.Scores, fit.Coef)
	fit.Objective = s.means.loss(y, fit.Scores) + lambda*linalg.Dot(fit.Coef, fit.Coef)
	if err == nil && (math.IsNaN(fit.Objective) || math.IsInf(fit.Objective, 0)) {
		return nil, ErrNumerical
	}
	return fit, err
}

// operator is the matrix of the system. It panics when the shapes do not fit.
func (p LinearSystem) operator(lambda float64, o SolveOptions) *linearSystem {
	nodes, n := p.Rows.Dims()
	others, k := p.Cols.Dims()
	e, m := p.Edges, p.Edges.Len()
	if len(p.Y) != m || o.Start != nil && len(o.Start) != n*k || p.Relation != Arbitrary && p.Relation != "" && n != k {
		panic(fmt.Sprintf("kron: %d edges with %d labels, %d×%d features and a start of %d",
			m, len(p.Y), n, k, len(o.Start)))
	}
	s := &linearSystem{x: p.Rows, z: p.Cols, e: e, n: n, k: k, lambda: lambda, means: newMeans(e.Row, nodes, o.Loss),
		byCol: group(e.Col, others), half: linalg.NewMat(others, n), turned: linalg.NewMat(k, n),
		scores: make([]float64, m)}
	switch p.Relation {
	case Symmetric:
		s.sign = 1
	case Reciprocal:
		s.sign = -1
	}
	return s
}

// linearSystem is ΦᵀLΦ + λI.
type linearSystem struct {
	x, z   data.Matrix
	e      Edges
	n, k   int // features of rows and columns
	sign   float64
	lambda float64
	means  *means
	byCol  *grouped
	half   linalg.Mat // column nodes × n
	turned linalg.Mat // Wᵀ, k×n
	scores []float64
}

// MulTo sets dst to the product with w.
func (s *linearSystem) MulTo(dst, w []float64) {
	s.scoresTo(s.scores, w)
	s.means.takeOff(s.scores)
	s.backTo(dst, s.scores)
	linalg.Axpy(s.lambda, w, dst)
}

// scoresTo sets f_e = x_eᵀWz_e: it computes Wz for every column node, then its product with the features of the
// row node of each edge.
func (s *linearSystem) scoresTo(f, w []float64) {
	linalg.TransposeTo(s.turned, linalg.Mat{Rows: s.n, Cols: s.k, Stride: s.k, Data: w})
	parallel.Chunks(s.half.Rows, 64, func(_, lo, hi int) {
		for j := lo; j < hi; j++ {
			h := s.half.Row(j)
			clear(h)
			data.Each(s.z, j, func(c int, v float64) { linalg.Axpy(v, s.turned.Row(c), h) })
			for _, e := range s.edgesOf(j) {
				f[e] = s.x.DotRow(int(s.e.Row[e]), h)
			}
		}
	})
}

// edgesOf is the edges of column node j.
func (s *linearSystem) edgesOf(j int) []int32 {
	return s.byCol.edge[s.byCol.start[j]:s.byCol.start[j+1]]
}

// backTo sets g = Σ_e v_e x_e z_eᵀ, or for a relation its symmetric or antisymmetric part.
func (s *linearSystem) backTo(g, v []float64) {
	parallel.Chunks(s.half.Rows, 64, func(_, lo, hi int) {
		for j := lo; j < hi; j++ {
			h := s.half.Row(j)
			clear(h)
			for _, e := range s.edgesOf(j) {
				s.x.AddRowTo(h, v[e], int(s.e.Row[e]))
			}
		}
	})
	clear(s.turned.Data)
	const width = 128 // columns of the sum that one goroutine keeps
	parallel.Chunks(s.n, width, func(_, lo, hi int) {
		for j := range s.half.Rows {
			part := s.half.Row(j)[lo:hi]
			data.Each(s.z, j, func(c int, z float64) { linalg.Axpy(z, part, s.turned.Row(c)[lo:hi]) })
		}
	})
	out := linalg.Mat{Rows: s.n, Cols: s.k, Stride: s.k, Data: g}
	linalg.TransposeTo(out, s.turned)
	if s.sign != 0 {
		takePart(out, s.sign)
	}
}

// takePart replaces a square matrix by its symmetric part (sign 1) or its antisymmetric part (sign −1).
func takePart(g linalg.Mat, sign float64) {
	for i := range g.Rows {
		row := g.Row(i)
		for j := range i + 1 {
			mean := (row[j] + sign*g.Row(j)[i]) / 2
			row[j], g.Row(j)[i] = mean, sign*mean
		}
	}
}
