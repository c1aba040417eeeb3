package dense

import (
	"errors"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Path is a problem of the squared loss with features, factored once for every λ > 0.
//
// With the rows B of the items, N×k, and the Laplacian L of the comparisons, BᵀLB = U diag(d) Uᵀ and Z = BU, the
// system of a board is diagonal, ZᵀLZ + λ = diag(d + λ), and
//
//	RA⁻¹Rᵀ = Z (d+λ)⁻¹ Zᵀ
//
// (Pahikkala et al. 2009, section 3.2). It is immutable and safe for concurrent use.
type Path struct {
	D       []float64 // ascending, none negative
	Squares []float64 // the diagonal of BᵀLB, Σ w (b_left − b_right)² for each column of B
	s       *System   // in the basis Z
}

// NewPath factors a problem of the squared loss with features, in O(C k + N k² + k³), with memory for three matrices
// N×k.
func NewPath(p Problem) (*Path, error) {
	given := New(p)
	b, k := given.Basis, given.k
	f := &Path{D: make([]float64, k), Squares: make([]float64, k)}
	a, u := linalg.NewMat(k, k), linalg.NewMat(k, k)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, b, given.laplacianTimes(b), 0, a)
	for j := range f.Squares {
		f.Squares[j] = a.Row(j)[j]
	}
	linalg.Symmetrize(linalg.Lower, a)
	linalg.SymEigen(a, f.D, u)
	for j, v := range f.D {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errors.New("the products of the features overflow double precision")
		}
		f.D[j] = max(v, 0)
	}
	z := linalg.NewMat(given.Items, k)
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, b, u, 0, z)
	s := *given
	s.Features, s.Residual, s.Basis = (*data.Dense)(&z), 0, z
	f.s = &s
	return f, nil
}

// laplacianTimes is L B, of the weights of all outcomes.
func (s *System) laplacianTimes(b linalg.Mat) linalg.Mat {
	out := linalg.NewMat(b.Rows, b.Cols)
	const width = 64
	parallel.Chunks(b.Cols, width, func(_, lo, hi int) {
		for c := range s.Lines {
			l := &s.Lines[c]
			w := l.Count() * l.OutcomeWeight()
			x, y := b.Row(l.Left)[lo:hi], b.Row(l.Right)[lo:hi]
			to, from := out.Row(l.Left)[lo:hi], out.Row(l.Right)[lo:hi]
			for j, v := range x {
				t := w * (v - y[j])
				to[j] += t
				from[j] -= t
			}
		}
	})
	return out
}

// At is the board at λ > 0, whose inverse is in halves.
func (f *Path) At(lambda float64) *Fit {
	s := *f.s
	s.Lambda = lambda
	h := &halved{half: linalg.NewMat(s.Items, s.k)}
	b := &Fit{System: &s, Unknown: make([]float64, s.k), Margins: make([]float64, len(s.Lines)), form: h}
	const steps = 2 // the second refines
	for range steps {
		b.diagonalStep(f.D)
	}
	b.Place = s.expand(b.Unknown)
	// Leaving out divides by 1 − h, which is at least λ/(d+λ).
	const ulps = 64 * 0x1p-52
	if len(f.D) > 0 {
		h.slack = ulps * (slices.Max(f.D) + lambda) / lambda
	}
	roots := make([]float64, s.k)
	for j, d := range f.D {
		roots[j] = 1 / math.Sqrt(d+lambda)
	}
	for i := range s.Items {
		for j, v := range s.Basis.Row(i) {
			h.half.Row(i)[j] = v * roots[j]
		}
	}
	for c := range b.Margins {
		b.Margins[c] = s.Row(c).Dot(b.Place)
	}
	return b
}

// diagonalStep takes one step by the diagonal system.
func (b *Fit) diagonalStep(d []float64) {
	s := b.System
	place, sum := s.expand(b.Unknown), make([]float64, s.Items)
	for c := range s.Lines {
		r := s.Row(c)
		t, _ := s.Loss.Line(&s.Lines[c], r.Dot(place), 0)
		r.Axpy(t.G[0], sum)
	}
	for j, g := range s.reduceVector(sum) {
		b.Unknown[j] += (g - s.Lambda*b.Unknown[j]) / (d[j] + s.Lambda)
	}
}
