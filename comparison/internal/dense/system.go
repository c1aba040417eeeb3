// Package dense fits boards with the inverse of their system: training, leaving out sets of lines, and other samples.
package dense

import (
	"math"
	"slices"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/large"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Problem is a board of N items with a basis of their scores: the identity, or Features, of which those of Own are
// items' own, beside Residual times the identity.
type Problem struct {
	Items    int
	Lines    []data.Comparison
	X        *data.Dense // covariates of the lines, C×p, or nil
	Features *data.Dense // N×n, or nil
	Own      []int
	Residual float64
	Loss     outcome.Loss
	Lambda   float64
	// BiasReduced solves Firth's score.
	BiasReduced bool
}

// System is the linear system of a step. Its unknowns are the coefficients of the basis, k, those of
// the covariates, p, and η = log ν for Davidson's ties; rows of lines are in the space of the N items,
// the covariates and η, of E dimensions.
type System struct {
	Problem
	Rest  int        // covariates and η
	EtaAt int        // the place of η among all dimensions, −1 for none
	Basis linalg.Mat // N×k; without rows for the identity
	k     int        // coefficients of the basis
	Pins  *Pins      // of the components, where λ = 0 leaves their means open; else nil
	Means []float64  // of the features over the compared items, which the basis is relative to

	// The rows of the lines for f, each of width entries, and the row for η.
	width  int
	at     []int32
	val    []float64
	etaRow Row
}

// Shape is the system of a problem without its rows, for its dimensions alone.
func Shape(p Problem) *System {
	s := &System{Problem: p, EtaAt: -1, k: p.Items}
	if p.X != nil {
		s.Rest = p.X.Cols
	}
	if p.Loss == outcome.Davidson {
		s.EtaAt = s.Items + s.Rest
		s.Rest++
		s.etaRow = Row{[]int32{int32(s.EtaAt)}, []float64{1}}
	}
	return s
}

// New is the system of a problem.
func New(p Problem) *System {
	s := Shape(p)
	s.setRows()
	if f := p.Features; f != nil {
		s.k = f.Cols
		if p.Residual > 0 {
			s.k += s.Items
		}
		s.Basis, s.Means = linalg.NewMat(s.Items, s.k), p.means()
		for i := range s.Items {
			copy(s.Basis.Row(i), f.Row(i))
			if !slices.Contains(p.Own, i) {
				linalg.Axpy(-1, s.Means, s.Basis.Row(i)[:len(s.Means)])
			}
			if p.Residual > 0 {
				s.Basis.Row(i)[f.Cols+i] = math.Sqrt(p.Residual)
			}
		}
		return s
	}
	if p.Lambda == 0 {
		s.Pins = s.pinsOf(s.Connected(nil))
	}
	return s
}

// means are those of the features over the compared items, without features of items' own.
func (p *Problem) means() []float64 {
	compared := make([]bool, p.Items)
	for c := range p.Lines {
		compared[p.Lines[c].Left], compared[p.Lines[c].Right] = true, true
	}
	for _, i := range p.Own {
		compared[i] = false
	}
	out, n := make([]float64, p.Features.Cols-len(p.Own)), 0.0
	for i, is := range compared {
		if is {
			n++
			linalg.Axpy(1, p.Features.Row(i)[:len(out)], out)
		}
	}
	linalg.Scal(1/max(n, 1), out)
	return out
}

// setRows fills in the rows of the lines: s_a − s_b, and the covariates.
func (s *System) setRows() {
	p := &s.Problem
	s.width = 2
	if p.X != nil {
		s.width += p.X.Cols
	}
	s.at, s.val = make([]int32, s.width*len(p.Lines)), make([]float64, s.width*len(p.Lines))
	for c := range p.Lines {
		r := s.Row(c)
		r.at[0], r.at[1], r.val[0], r.val[1] = int32(p.Lines[c].Left), int32(p.Lines[c].Right), 1, -1
		for j, v := range incidence.Covariates(p.X, c) {
			r.at[2+j], r.val[2+j] = int32(s.Items+j), v
		}
	}
}

// Pins hold the means of components at 0: each has a weight, of the size of the outcomes in it.
type Pins struct {
	Parts  *data.Partition
	weight []float64
}

func (s *System) pinsOf(parts *data.Partition) *Pins {
	h := &Pins{parts, make([]float64, parts.Len())}
	for c := range s.Lines {
		l := &s.Lines[c]
		h.weight[parts.Of()[l.Left]] += l.Count() * l.OutcomeWeight()
	}
	for g := range h.weight {
		n := float64(len(parts.Part(g)))
		h.weight[g] = max(h.weight[g], 1) / (n * n)
	}
	return h
}

// Connected are the items that comparisons connect where some lines are left out.
func (s *System) Connected(lines []int) *data.Partition {
	out := incidence.LeftOut(len(s.Lines), lines)
	return incidence.Components(incidence.Source{Rows: s.Lines}, s.Items,
		func(c int) bool { return !out[c] && s.Loss.Says(&s.Lines[c]) })
}

// Nu is ν at a place, 0 for losses without it.
func (s *System) Nu(place []float64) float64 {
	if s.EtaAt < 0 {
		return 0
	}
	return math.Exp(place[s.EtaAt])
}

// EtaOf is η at a place, 0 for losses without it.
func (s *System) EtaOf(place []float64) float64 {
	if s.EtaAt < 0 {
		return 0
	}
	return place[s.EtaAt]
}

// Dims is E, the dimensions of rows of lines; Unknowns is how many unknowns there are.
func (s *System) Dims() int { return s.Items + s.Rest }

func (s *System) Unknowns() int { return s.k + s.Rest }

// Row is the sparse row of a line, for f, or for η.
type Row struct {
	at  []int32
	val []float64
}

// Row returns the row of line c for f.
func (s *System) Row(c int) Row {
	lo, hi := c*s.width, (c+1)*s.width
	return Row{s.at[lo:hi:hi], s.val[lo:hi:hi]}
}

// addTo adds weight times the product of two rows to the symmetric a, both triangles.
func addTo(a linalg.Mat, x, y Row, weight float64) {
	for i, r := range x.at {
		for j, c := range y.at {
			a.Data[int(r)*a.Stride+int(c)] += weight * x.val[i] * y.val[j]
		}
	}
}

// Axpy adds alpha times a row to dst.
func (r Row) Axpy(alpha float64, dst []float64) {
	for i, k := range r.at {
		dst[k] += alpha * r.val[i]
	}
}

// Dot is the product of a row with a vector.
func (r Row) Dot(x []float64) float64 {
	sum := 0.0
	for i, k := range r.at {
		sum += r.val[i] * x[k]
	}
	return sum
}

// Product is the product xᵀ a y of two rows with a symmetric matrix.
func Product(a linalg.Mat, x, y Row) float64 {
	sum := 0.0
	for i, r := range x.at {
		line := a.Data[int(r)*a.Stride:]
		for j, c := range y.at {
			sum += x.val[i] * y.val[j] * line[c]
		}
	}
	return sum
}

// Gram is Σ_c Tᵀ V T of some lines, in the dimensions of rows, whole; v are the second derivatives.
func (s *System) Gram(lines []int, v func(c int) [3]float64) linalg.Mat {
	a := linalg.NewMat(s.Dims(), s.Dims())
	for _, c := range lines {
		w, t := v(c), s.Row(c)
		addTo(a, t, t, w[0])
		if s.EtaAt >= 0 {
			e := s.etaRow
			addTo(a, t, e, w[1])
			addTo(a, e, t, w[1])
			addTo(a, e, e, w[2])
		}
	}
	return a
}

// reduce takes a symmetric matrix of rows to the unknowns, RᵀaR with R = diag(B, I).
func (s *System) reduce(a linalg.Mat) linalg.Mat {
	if s.Basis.Rows == 0 {
		return a
	}
	n, k, r := s.Items, s.k, s.Rest
	out := linalg.NewMat(k+r, k+r)
	half := linalg.NewMat(n, k) // L B
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, a.Slice(0, n, 0, n), s.Basis, 0, half)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, s.Basis, half, 0, out.Slice(0, k, 0, k))
	if r > 0 {
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, a.Slice(n, n+r, 0, n), s.Basis, 0, out.Slice(k, k+r, 0, k))
		for i := range r {
			for j := range k {
				out.Row(j)[k+i] = out.Row(k + i)[j]
			}
			copy(out.Row(k + i)[k:], a.Row(n + i)[n:])
		}
	}
	return out
}

// reduceVector is Rᵀx.
func (s *System) reduceVector(x []float64) []float64 {
	return s.multiplied(linalg.T, x, s.Items, s.k, s.Unknowns())
}

// expand is Rx: scores, covariates and η of unknowns.
func (s *System) expand(x []float64) []float64 {
	return s.multiplied(linalg.NoTrans, x, s.k, s.Items, s.Dims())
}

// multiplied has, of dims values, the basis times the first from of x as its first to values, and the others of x.
func (s *System) multiplied(t linalg.Trans, x []float64, from, to, dims int) []float64 {
	out := make([]float64, dims)
	if s.Basis.Rows == 0 {
		copy(out, x)
		return out
	}
	linalg.Gemv(t, 1, s.Basis, x[:from], 0, out[:to])
	copy(out[to:], x[from:])
	return out
}

// Factor adds the penalty, and the pins of components unless they are nil, to a reduced matrix, and replaces
// its lower triangle by its Cholesky factor.
func (s *System) Factor(a linalg.Mat, h *Pins) error {
	pen := s.Loss.Penalty(s.Lambda)
	largest := make([]float64, a.Rows)
	for j := range s.k {
		a.Row(j)[j] += pen
	}
	if h != nil {
		for g, w := range h.weight {
			rows := h.Parts.Part(g)
			for _, i := range rows {
				for _, j := range rows {
					a.Row(int(i))[j] += w
				}
			}
		}
	}
	for j := range a.Rows {
		largest[j] = a.Row(j)[j]
	}
	if _, ok := linalg.Cholesky(linalg.Lower, a); !ok {
		return large.ErrSingular
	}
	const tiny = 1e-13 // of a pivot beside its diagonal
	for j := range a.Rows {
		if pivot := a.Row(j)[j]; pivot*pivot <= tiny*largest[j] {
			return large.ErrSingular
		}
	}
	return nil
}

// ManyUnknowns is the number of unknowns from which products leave out what is zero, or twice there: the digits of
// smaller boards stay what they were.
const ManyUnknowns = 1000

// Every are the numbers of all lines.
func (s *System) Every() []int { return incidence.All(len(s.Lines)) }

// EachLine calls f for all lines, in parallel where there are many.
func (s *System) EachLine(f func(c int)) {
	const chunk = 4096
	parallel.Chunks(len(s.Lines), chunk, func(_, lo, hi int) {
		for c := lo; c < hi; c++ {
			f(c)
		}
	})
}
