package comparison

import (
	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/internal/laplacian"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// mostDense is the largest number of items of a board without features that has a dense inverse. On two cores a
// board of 4,000 items takes 2 s to fit, 2 s for its sandwich, about 45 s for its sets of ranks, and 0.6 GB; times grow
// with the cube of the items, memory with the square.
const mostDense = 4000

// large reports whether a board is fitted without dense matrices.
func (o *Options) large(p *Problem) bool {
	most := mostDense
	if o.dense > 0 {
		most = o.dense
	}
	return p.Features == nil && !o.BiasReduced && len(p.Items) > most
}

// sparse is the system of a large board at some place: a Laplacian over the items with λ on its diagonal, and
// the rest, covariates and η, as dense columns,
//
//	H = (L + pen I   B)
//	    (Bᵀ          D)
//
// Its entries are sums over the lines that stay, gathered by item, so that they do not depend on the number of threads.
type sparse struct {
	s     *system
	lines *incidence.Lines

	// slopes are those of the lines where the loss is logistic without ν, which is costly to compute again for each of
	// their items; nil for others, to save the memory.
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

func newSparse(s *system) *sparse {
	l, n := &sparse{s: s}, s.items
	l.lines, l.graph = incidence.New(s.p.Lines, n)
	l.diagonal = make([]float64, n)
	for range s.rest {
		l.cross = append(l.cross, make([]float64, n))
	}
	l.corner = linalg.NewMat(s.rest, s.rest)
	if s.o.Loss == Logistic && s.eta < 0 {
		l.slopes = make([]slope, len(s.p.Lines))
	}
	l.connect()
	return l
}

// stays reports whether line c is not left out.
func (l *sparse) stays(c int) bool { return l.fold == nil || l.fold[c] != l.out }

// connect finds the components of the lines that stay.
func (l *sparse) connect() {
	if l.parts = nil; l.s.o.Lambda == 0 {
		l.parts = l.s.p.connected(func(c int) bool { return l.stays(c) && l.s.loss.Says(&l.s.p.Lines[c]) })
	}
}

// totals are the objective at a place, and the derivatives of the rest.
type totals struct {
	objective float64
	gradient  []float64
	corner    linalg.Mat
}

// at fills in the margins at a place, and returns the objective and the derivatives of the rest.
func (l *sparse) at(place, margins []float64) totals {
	s := l.s
	n, r := s.items, s.rest
	eta := 0.0
	if s.eta >= 0 {
		eta = place[s.eta]
	}
	pieces := make([]totals, (len(s.p.Lines)+sizeOfPiece-1)/sizeOfPiece)
	parallel.For(len(pieces), func(_, q int) {
		t := &pieces[q]
		t.gradient, t.corner = make([]float64, r), linalg.NewMat(r, r)
		own := make([]float64, r)
		for c := q * sizeOfPiece; c < min((q+1)*sizeOfPiece, len(s.p.Lines)); c++ {
			line, x := &s.p.Lines[c], s.p.covariates(c)
			f := place[line.Left] - place[line.Right]
			for j, v := range x {
				f += v * place[n+j]
			}
			margins[c] = f
			if !l.stays(c) {
				continue
			}
			terms, _ := s.loss.Line(line, f, eta)
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
			if s.eta >= 0 {
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
		all.objective += s.o.Lambda * v * v
	}
	return all
}

// termsOf are the derivatives of a line at the place that at was called with.
func (l *sparse) termsOf(c int, margin, eta float64) (t outcome.Terms) {
	if l.slopes != nil {
		t.G[0], t.V[0] = l.slopes[c].g, l.slopes[c].v
		return t
	}
	t, _ = l.s.loss.Line(&l.s.p.Lines[c], margin, eta)
	return t
}

// restOf sets dst to the second derivatives of a line by its margin and each of the rest.
func (l *sparse) restOf(dst []float64, t *outcome.Terms, x []float64) {
	for j, v := range x {
		dst[j] = t.V[0] * v
	}
	if l.s.eta >= 0 {
		dst[len(x)] = t.V[1]
	}
}

// lastOf sets dst to those by η and each of the rest.
func (l *sparse) lastOf(dst []float64, t *outcome.Terms, x []float64) []float64 {
	for j, v := range x {
		dst[j] = t.V[1] * v
	}
	dst[len(x)] = t.V[2]
	return dst
}

// curve fills in the system at a place with its margins, and returns −∂J over all dimensions, half of it for the
// squared loss. rest is what at returned. Cost O(C p).
func (l *sparse) curve(place, margins []float64, rest totals) []float64 {
	s := l.s
	n, pen := s.items, s.penalty()
	gradient := make([]float64, s.dims())
	eta := 0.0
	if s.eta >= 0 {
		eta = place[s.eta]
	}
	parallel.Chunks(n, sizeOfPiece, func(_, lo, hi int) {
		own := make([]float64, s.rest)
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
				t := l.termsOf(c, margins[c], eta)
				weights[at] += t.V[0]
				l.restOf(own, &t, s.p.covariates(c))
				sign := 1.0
				if e.Right() {
					sign = -1
				}
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
