package comparison

import (
	"math"
	"slices"

	"pairrank/comparison/internal/large"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// system is the linear system of a step. Its unknowns are the coefficients of the basis, k, those of
// the covariates, p, and η = log ν for Davidson's ties; rows of lines are in the space of the N items,
// the covariates and η, of E dimensions.
type system struct {
	p     *Problem
	o     *Options
	loss  outcome.Loss
	items int
	rest  int        // covariates and η
	large bool       // there are no dense matrices, and no rows
	eta   int        // the place of η among all dimensions, −1 for none
	basis linalg.Mat // N×k; without rows for the identity
	k     int        // coefficients of the basis
	pins  *pins      // of the components, where λ = 0 leaves their means open; else nil
	means []float64  // of the features over the compared items, which the basis is relative to

	// The rows of the lines for f, each of width entries, and the row for η.
	width  int
	at     []int32
	val    []float64
	etaRow row
}

func newSystem(p *Problem, o *Options) *system {
	s := &system{p: p, o: o, loss: o.loss(), items: len(p.Items), rest: len(p.Covariates), eta: -1, k: len(p.Items)}
	if o.Loss == Logistic && o.Ties == Davidson {
		s.eta = s.items + s.rest
		s.rest++
		s.etaRow = row{[]int32{int32(s.eta)}, []float64{1}}
	}
	if s.large = o.large(p); s.large {
		return s
	}
	s.setRows()
	if f := p.Features; f != nil {
		s.k = f.Cols
		if p.Residual > 0 {
			s.k += s.items
		}
		s.basis, s.means = linalg.NewMat(s.items, s.k), p.means()
		for i := range s.items {
			copy(s.basis.Row(i), f.Row(i))
			if !slices.Contains(p.Own, i) {
				linalg.Axpy(-1, s.means, s.basis.Row(i)[:len(s.means)])
			}
			if p.Residual > 0 {
				s.basis.Row(i)[f.Cols+i] = math.Sqrt(p.Residual)
			}
		}
		return s
	}
	if o.Lambda == 0 {
		s.pins = s.pinsOf(p.connected(func(c int) bool { return o.loss().Says(&p.Lines[c]) }))
	}
	return s
}

// means are those of the features over the compared items, without features of items' own.
func (p *Problem) means() []float64 {
	compared := make([]bool, len(p.Items))
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
func (s *system) setRows() {
	p := s.p
	s.width = 2 + len(p.Covariates)
	s.at, s.val = make([]int32, s.width*len(p.Lines)), make([]float64, s.width*len(p.Lines))
	for c := range p.Lines {
		r := s.rowOf(c)
		r.at[0], r.at[1], r.val[0], r.val[1] = int32(p.Lines[c].Left), int32(p.Lines[c].Right), 1, -1
		for j, v := range p.covariates(c) {
			r.at[2+j], r.val[2+j] = int32(s.items+j), v
		}
	}
}

// pins hold the means of components at 0: each has a weight, of the size of the outcomes in it.
type pins struct {
	parts  *data.Partition
	weight []float64
}

func (s *system) pinsOf(parts *data.Partition) *pins {
	h := &pins{parts, make([]float64, parts.Len())}
	for c := range s.p.Lines {
		l := &s.p.Lines[c]
		h.weight[parts.Of()[l.Left]] += l.Count() * l.OutcomeWeight()
	}
	for g := range h.weight {
		n := float64(len(parts.Part(g)))
		h.weight[g] = max(h.weight[g], 1) / (n * n)
	}
	return h
}

// dims is E, the dimensions of rows of lines; unknowns is how many unknowns there are.
func (s *system) dims() int     { return s.items + s.rest }
func (s *system) unknowns() int { return s.k + s.rest }

// row is the sparse row of a line, for f, or for η.
type row struct {
	at  []int32
	val []float64
}

// rowOf returns the row of line c for f.
func (s *system) rowOf(c int) row {
	lo, hi := c*s.width, (c+1)*s.width
	return row{s.at[lo:hi:hi], s.val[lo:hi:hi]}
}

// addTo adds weight times the product of two rows to the symmetric a, both triangles.
func addTo(a linalg.Mat, x, y row, weight float64) {
	for i, r := range x.at {
		for j, c := range y.at {
			a.Data[int(r)*a.Stride+int(c)] += weight * x.val[i] * y.val[j]
		}
	}
}

// axpy adds alpha times a row to dst.
func (r row) axpy(alpha float64, dst []float64) {
	for i, k := range r.at {
		dst[k] += alpha * r.val[i]
	}
}

// dot is the product of a row with a vector.
func (r row) dot(x []float64) float64 {
	sum := 0.0
	for i, k := range r.at {
		sum += r.val[i] * x[k]
	}
	return sum
}

// product is the product xᵀ a y of two rows with a symmetric matrix.
func product(a linalg.Mat, x, y row) float64 {
	sum := 0.0
	for i, r := range x.at {
		line := a.Data[int(r)*a.Stride:]
		for j, c := range y.at {
			sum += x.val[i] * y.val[j] * line[c]
		}
	}
	return sum
}

// gram is Σ_c Tᵀ V T of some lines, in the dimensions of rows, whole; v are the second derivatives.
func (s *system) gram(lines []int, v func(c int) [3]float64) linalg.Mat {
	a := linalg.NewMat(s.dims(), s.dims())
	for _, c := range lines {
		w, t := v(c), s.rowOf(c)
		addTo(a, t, t, w[0])
		if s.eta >= 0 {
			e := s.etaRow
			addTo(a, t, e, w[1])
			addTo(a, e, t, w[1])
			addTo(a, e, e, w[2])
		}
	}
	return a
}

// reduce takes a symmetric matrix of rows to the unknowns, RᵀaR with R = diag(B, I).
func (s *system) reduce(a linalg.Mat) linalg.Mat {
	if s.basis.Rows == 0 {
		return a
	}
	n, k, r := s.items, s.k, s.rest
	out := linalg.NewMat(k+r, k+r)
	half := linalg.NewMat(n, k) // L B
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, a.Slice(0, n, 0, n), s.basis, 0, half)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, s.basis, half, 0, out.Slice(0, k, 0, k))
	if r > 0 {
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, a.Slice(n, n+r, 0, n), s.basis, 0, out.Slice(k, k+r, 0, k))
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
func (s *system) reduceVector(x []float64) []float64 {
	out := make([]float64, s.unknowns())
	if s.basis.Rows == 0 {
		copy(out, x)
		return out
	}
	linalg.Gemv(linalg.T, 1, s.basis, x[:s.items], 0, out[:s.k])
	copy(out[s.k:], x[s.items:])
	return out
}

// expand is Rx: scores, covariates and η of unknowns.
func (s *system) expand(x []float64) []float64 {
	out := make([]float64, s.dims())
	if s.basis.Rows == 0 {
		copy(out, x)
		return out
	}
	linalg.Gemv(linalg.NoTrans, 1, s.basis, x[:s.k], 0, out[:s.items])
	copy(out[s.items:], x[s.k:])
	return out
}

// errSingular is the error where the comparisons do not determine all unknowns.
var errSingular = large.ErrSingular

// factor adds the penalty, and the pins of components unless they are nil, to a reduced matrix, and replaces
// its lower triangle by its Cholesky factor.
func (s *system) factor(a linalg.Mat, h *pins) error {
	pen := s.loss.Penalty(s.o.Lambda)
	largest := make([]float64, a.Rows)
	for j := range s.k {
		a.Row(j)[j] += pen
	}
	if h != nil {
		for g, w := range h.weight {
			rows := h.parts.Part(g)
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
		return errSingular
	}
	const tiny = 1e-13 // of a pivot beside its diagonal
	for j := range a.Rows {
		if pivot := a.Row(j)[j]; pivot*pivot <= tiny*largest[j] {
			return errSingular
		}
	}
	return nil
}

// inverse is RA⁻¹Rᵀ, in the dimensions of rows, of a factor A = LLᵀ: (L⁻¹Rᵀ)ᵀ(L⁻¹Rᵀ).
func (s *system) inverse(factor linalg.Mat) linalg.Mat {
	n, e := s.unknowns(), s.dims()
	half := linalg.NewMat(n, e) // Rᵀ
	if s.basis.Rows == 0 {
		for j := range e {
			half.Row(j)[j] = 1
		}
	} else {
		for i := range s.items {
			for j, v := range s.basis.Row(i) {
				half.Row(j)[i] = v
			}
		}
		for j := range s.rest {
			half.Row(s.k + j)[s.items+j] = 1
		}
	}
	linalg.Trsm(linalg.Left, linalg.Lower, linalg.NoTrans, 1, factor, half)
	out := linalg.NewMat(e, e)
	linalg.Syrk(linalg.Lower, linalg.T, 1, half, 0, out)
	linalg.Symmetrize(linalg.Lower, out)
	return out
}

// every are the numbers of all lines.
func (s *system) every() []int {
	lines := make([]int, len(s.p.Lines))
	for c := range lines {
		lines[c] = c
	}
	return lines
}

// eachLine calls f for all lines, in parallel where there are many.
func (s *system) eachLine(f func(c int)) {
	const chunk = 4096
	parallel.Chunks(len(s.p.Lines), chunk, func(_, lo, hi int) {
		for c := lo; c < hi; c++ {
			f(c)
		}
	})
}
