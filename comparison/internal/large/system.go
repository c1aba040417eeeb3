// Package large fits boards of many items: the system of a step is sparse, and conjugate gradients solve it. It has no
// inverse.
package large

import (
	"errors"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/internal/laplacian"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Problem is a board of N items, each with a score of its own, and covariates X of the lines, C×p or nil.
type Problem struct {
	Items  int
	Lines  incidence.Source
	X      *data.Dense
	Loss   outcome.Loss
	Lambda float64
	// Tolerance bounds the norm of the gradient, over that at scores of 0.
	Tolerance float64
	// Progress, where it is not nil, receives the relative residual after each iteration.
	Progress func(residual float64)
}

// The errors of trainings: without a finite optimum, and where the comparisons do not determine all coefficients.
var (
	ErrSeparated = errors.New("the scores have no finite optimum")
	ErrSingular  = errors.New("the comparisons do not determine all coefficients: take λ > 0, or fewer features and " +
		"covariates")
)

// System is the system of a board at some place: a Laplacian over the items with λ on its diagonal, and
// the rest, covariates and η, as dense columns,
//
//	H = (L + pen I   B)
//	    (Bᵀ          D)
//
// Its entries are sums over the lines that stay, gathered by item, so that they do not depend on the number of threads.
type System struct {
	Problem
	lines *incidence.Lines
	rest  int // covariates and η
	eta   int // the place of η among all dimensions, −1 for none

	// slopes are those of the lines without ν: they are near one another, and a line is not computed again for each of its
	// items. nil with ν.
	slopes []slope

	graph    laplacian.Graph
	diagonal []float64 // of L + pen I
	cross    [][]float64
	corner   linalg.Mat
	factor   *laplacian.Factor // that preconditions; nil is the diagonal
	start    float64           // ‖∂J‖ at 0

	parts *data.Partition // where λ = 0 leaves the means of components open; else nil
	fold  []int32         // of the lines; nil for none
	out   int32           // the fold that is left out
}

// slope is g and V of a line by its margin.
type slope struct{ g, v float64 }

// sizeOfPiece is how many lines, or items, a piece of parallel work has.
const sizeOfPiece = 1 << 14

// New is the system of a problem, at no place yet.
func New(p Problem) *System {
	l := &System{Problem: p, eta: -1}
	if p.X != nil {
		l.rest = p.X.Cols
	}
	if p.Loss == outcome.Davidson {
		l.eta = p.Items + l.rest
		l.rest++
	}
	n := p.Items
	l.lines, l.graph = incidence.New(p.Lines, n)
	l.diagonal = make([]float64, n)
	for range l.rest {
		l.cross = append(l.cross, make([]float64, n))
	}
	l.corner = linalg.NewMat(l.rest, l.rest)
	if p.Loss != outcome.Davidson {
		l.slopes = make([]slope, p.Lines.Len())
	}
	l.connect()
	return l
}

// Incidence has the lines of each item, and Parts are the components where λ = 0 leaves their means open, else nil.
func (l *System) Incidence() *incidence.Lines { return l.lines }
func (l *System) Parts() *data.Partition      { return l.parts }

// dims is E, the dimensions of a place: scores, covariates and η.
func (l *System) dims() int { return l.Items + l.rest }

// stays reports whether line c is not left out.
func (l *System) stays(c int) bool { return l.fold == nil || l.fold[c] != l.out }

// connect finds the components of the lines that stay.
func (l *System) connect() {
	if l.parts = nil; l.Lambda == 0 {
		l.parts = incidence.Components(l.Lines, l.Items, func(c int) bool {
			return l.stays(c) && l.Loss.Says(l.Lines.At(c))
		})
	}
}

// totals are the objective at a place, and the derivatives of the rest.
type totals struct {
	objective float64
	gradient  []float64
	corner    linalg.Mat
}

// at fills in the margins at a place, and returns the objective and the derivatives of the rest.
func (l *System) at(place, margins []float64) totals {
	n, r := l.Items, l.rest
	eta := 0.0
	if l.eta >= 0 {
		eta = place[l.eta]
	}
	pieces := make([]totals, (l.Lines.Len()+sizeOfPiece-1)/sizeOfPiece)
	parallel.For(len(pieces), func(_, q int) {
		t := &pieces[q]
		t.gradient, t.corner = make([]float64, r), linalg.NewMat(r, r)
		own := make([]float64, r)
		for c := q * sizeOfPiece; c < min((q+1)*sizeOfPiece, l.Lines.Len()); c++ {
			line, x := l.Lines.At(c), incidence.Covariates(l.X, c)
			f := place[line.Left] - place[line.Right]
			for j, v := range x {
				f += v * place[n+j]
			}
			margins[c] = f
			if !l.stays(c) {
				continue
			}
			terms, _ := l.Loss.Line(line, f, eta)
			t.objective += terms.Loss
			if l.slopes != nil {
				l.slopes[c] = slope{terms.G[0], terms.V[0]}
			}
			if r == 0 {
				continue
			}
			l.restOf(own, &terms, x)
			for i, v := range x {
				t.gradient[i] += terms.G[0] * v
				linalg.Axpy(v, own, t.corner.Row(i))
			}
			if l.eta >= 0 {
				t.gradient[r-1] += terms.G[1]
				linalg.Axpy(1, l.lastOf(own, &terms, x), t.corner.Row(r-1))
			}
		}
	})
	all := totals{gradient: make([]float64, r), corner: linalg.NewMat(r, r)}
	for _, t := range pieces {
		all.objective += t.objective
		linalg.Axpy(1, t.gradient, all.gradient)
		linalg.Axpy(1, t.corner.Data, all.corner.Data)
	}
	for _, v := range place[:n] {
		all.objective += l.Lambda * v * v
	}
	return all
}

// termsOf are the derivatives of a line at the place that at was called with.
func (l *System) termsOf(c int, margin, eta float64) (t outcome.Terms) {
	if l.slopes != nil {
		t.G[0], t.V[0] = l.slopes[c].g, l.slopes[c].v
		return t
	}
	t, _ = l.Loss.Line(l.Lines.At(c), margin, eta)
	return t
}

// restOf sets dst to the second derivatives of a line by its margin and each of the rest.
func (l *System) restOf(dst []float64, t *outcome.Terms, x []float64) {
	for j, v := range x {
		dst[j] = t.V[0] * v
	}
	if l.eta >= 0 {
		dst[len(x)] = t.V[1]
	}
}

// lastOf sets dst to those by η and each of the rest.
func (l *System) lastOf(dst []float64, t *outcome.Terms, x []float64) []float64 {
	for j, v := range x {
		dst[j] = t.V[1] * v
	}
	dst[len(x)] = t.V[2]
	return dst
}

// curve fills in the system at a place with its margins, and returns −∂J over all dimensions, half of it for the
// squared loss. rest is what at returned. Cost O(C p).
func (l *System) curve(place, margins []float64, rest totals) []float64 {
	n, pen := l.Items, l.Loss.Penalty(l.Lambda)
	gradient := make([]float64, l.dims())
	eta := 0.0
	if l.eta >= 0 {
		eta = place[l.eta]
	}
	parallel.Chunks(n, sizeOfPiece, func(_, lo, hi int) {
		own := make([]float64, l.rest)
		for i := lo; i < hi; i++ {
			weights := l.graph.Weight[l.graph.Bounds[i]:l.graph.Bounds[i+1]]
			clear(weights)
			for _, b := range l.cross {
				b[i] = 0
			}
			g, at := 0.0, -1
			for _, e := range l.lines.Row(i) {
				if e.First() {
					at++
				}
				c := e.Line()
				if !l.stays(c) {
					continue
				}
				sign := 1.0
				if e.Right() {
					sign = -1
				}
				if l.rest == 0 {
					weights[at] += l.slopes[c].v
					g += sign * l.slopes[c].g
					continue
				}
				t := l.termsOf(c, margins[c], eta)
				weights[at] += t.V[0]
				l.restOf(own, &t, incidence.Covariates(l.X, c))
				g += sign * t.G[0]
				for j, v := range own {
					l.cross[j][i] += sign * v
				}
			}
			gradient[i] = g - pen*place[i]
		}
	})
	copy(gradient[n:], rest.gradient)
	l.corner = rest.corner
	l.graph.DegreesTo(l.diagonal)
	for i := range l.diagonal {
		l.diagonal[i] += pen
	}
	return gradient
}
