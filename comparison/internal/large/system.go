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
	Null     float64           // J at 0, of the training of all

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
	parallel.For(2, func(_, k int) {
		if k == 0 {
			l.lines, l.graph = incidence.New(p.Lines, n)
		} else {
			l.connect()
		}
	})
	l.diagonal = make([]float64, n)
	for range l.rest {
		l.cross = append(l.cross, make([]float64, n))
	}
	l.corner = linalg.NewMat(l.rest, l.rest)
	if p.Loss != outcome.Davidson {
		l.slopes = make([]slope, p.Lines.Len())
	}
	return l
}

// Incidence has the lines of each item, and Parts are the components where λ = 0 leaves their means open, else nil.
func (l *System) Incidence() *incidence.Lines { return l.lines }

func (l *System) Parts() *data.Partition { return l.parts }

// Slope is g = −∂J/∂f of line c by its margin f, half of it for the squared loss, and its curvature v, at the last
// place and for losses without ν.
func (l *System) Slope(c int) (g, v float64) { return l.slopes[c].g, l.slopes[c].v }

// dims is E, the dimensions of a place: scores, covariates and η.
func (l *System) dims() int { return l.Items + l.rest }

// stays reports whether line c is not left out.
func (l *System) stays(c int) bool { return l.fold == nil || l.fold[c] != l.out }

// Without is the system without a fold of the lines, which shares memory with l: train it, and then settle l.
func (l *System) Without(fold []int32, out int) *System {
	rest := *l
	rest.fold, rest.out = fold, int32(out)
	rest.connect()
	return &rest
}

// Settle makes the system that of a place again, with its margins.
func (l *System) Settle(place, margins []float64) { l.curve(place, margins, l.at(place, margins)) }

// MulTo is the product with H.
func (l *System) MulTo(dst, x []float64) {
	n := l.Items
	l.graph.MulTo(dst[:n], x[:n], l.diagonal)
	for j, b := range l.cross {
		linalg.Axpy(x[n+j], b, dst[:n])
		dst[n+j] = linalg.Dot(b, x[:n]) + linalg.Dot(l.corner.Row(j), x[n:])
	}
}

// connect finds the components of the lines that stay.
func (l *System) connect() {
	if l.parts = nil; l.Lambda == 0 {
		some := func(c int) bool { return l.stays(c) && l.Loss.Says(l.Lines.At(c)) }
		if l.fold == nil {
			some = l.Loss.Saying(some)
		}
		l.parts = incidence.Components(l.Lines, l.Items, some)
	}
}
