package comparison

import (
	"context"
	"errors"
	"fmt"
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
	s       *system // in the basis Z
	d       []float64
	squares []float64 // the diagonal of BᵀLB
}

// NewPath factors a problem, in O(C k + N k² + k³), with memory for three matrices N×k. It returns the error of
// Problem.Check, and one for a problem without features or with covariates.
func NewPath(p *Problem) (*Path, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if p.Features == nil || p.X != nil {
		return nil, errors.New("a path is of items with features, and of comparisons without covariates")
	}
	given := newSystem(p, &Options{Loss: Squared, Ties: Half})
	b, k := given.basis, given.k
	f := &Path{d: make([]float64, k), squares: make([]float64, k)}
	a, u := linalg.NewMat(k, k), linalg.NewMat(k, k)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, b, given.laplacianTimes(b), 0, a)
	for j := range f.squares {
		f.squares[j] = a.Row(j)[j]
	}
	linalg.Symmetrize(linalg.Lower, a)
	linalg.SymEigen(a, f.d, u)
	for j, v := range f.d {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errors.New("the products of the features overflow double precision")
		}
		f.d[j] = max(v, 0)
	}
	z := linalg.NewMat(given.items, k)
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, b, u, 0, z)
	of := *p
	of.Features, of.Residual = (*data.Dense)(&z), 0
	s := *given
	s.p, s.basis = &of, z
	f.s = &s
	return f, nil
}

// laplacianTimes is L B, of the weights of all outcomes.
func (s *system) laplacianTimes(b linalg.Mat) linalg.Mat {
	out := linalg.NewMat(b.Rows, b.Cols)
	const width = 64
	parallel.Chunks(b.Cols, width, func(_, lo, hi int) {
		for c := range s.p.Lines {
			l := &s.p.Lines[c]
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

// Eigenvalues returns d, ascending, k of them, none negative. The caller must not change them.
func (f *Path) Eigenvalues() []float64 { return f.d }

// Squares returns the diagonal of BᵀLB, Σ w (b_left − b_right)² for each column of B. The caller must not change it.
func (f *Path) Squares() []float64 { return f.squares }

// Scores returns the scores of the items at λ, in O(C + N k). It panics unless λ is positive and finite.
func (f *Path) Scores(lambda float64) []float64 { return f.board(lambda).Scores }

// Predict is Board.Predict of the board at λ, in O(N k) and, for h lines that leave together, O(h²k + h³), or where
// that is more than k lines O(h k² + k³). It panics unless λ is positive and finite.
func (f *Path) Predict(ctx context.Context, lambda float64, u Unit, seed uint64) (*HeldOut, error) {
	return f.board(lambda).Predict(ctx, u, seed)
}

// board is the board at λ, whose inverse is in halves.
func (f *Path) board(lambda float64) *Board {
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		panic(fmt.Sprintf("comparison: λ of a path is positive and finite, not %v", lambda))
	}
	s := *f.s
	s.o = &Options{Loss: Squared, Ties: Half, Lambda: lambda}
	h := &halved{half: linalg.NewMat(s.items, s.k)}
	b := &Board{s: &s, unknown: make([]float64, s.k), Margins: make([]float64, len(s.p.Lines)), form: h}
	const steps = 2 // the second refines
	for range steps {
		b.diagonalStep(f.d)
	}
	place := s.expand(b.unknown)
	b.Scores, b.Gamma = place, nil
	// Leaving out divides by 1 − h, which is at least λ/(d+λ).
	const ulps = 64 * 0x1p-52
	if len(f.d) > 0 {
		h.slack = ulps * (slices.Max(f.d) + lambda) / lambda
	}
	roots := make([]float64, s.k)
	for j, d := range f.d {
		roots[j] = 1 / math.Sqrt(d+lambda)
	}
	for i := range s.items {
		for j, v := range s.basis.Row(i) {
			h.half.Row(i)[j] = v * roots[j]
		}
	}
	for c := range b.Margins {
		b.Margins[c] = s.rowOf(c).dot(place)
	}
	return b
}

// diagonalStep takes one step by the diagonal system.
func (b *Board) diagonalStep(d []float64) {
	s := b.s
	place, sum := s.expand(b.unknown), make([]float64, s.items)
	for c := range s.p.Lines {
		r := s.rowOf(c)
		t, _ := s.loss.Line(&s.p.Lines[c], r.dot(place), 0)
		r.axpy(t.G[0], sum)
	}
	for j, g := range s.reduceVector(sum) {
		b.unknown[j] += (g - s.o.Lambda*b.unknown[j]) / (d[j] + s.o.Lambda)
	}
}

// withoutMany is the margins without more lines than unknowns, of a board of a Path: with P = TZ (d+λ)^(-1/2) and the
// system I − PᵀVP of the lines that stay, in O(h k² + k³). It is not ok for other boards, and where the others hardly
// determine the scores.
func (b *Board) withoutMany(lines []int, rows []row, pulls []pull) (out without, ok bool) {
	h, is := b.form.(*halved)
	if !is {
		return out, false
	}
	k := h.half.Cols
	p, rhs := inBasis(h.half, rows), linalg.NewMat(k, 1)
	weighted := p.Clone()
	for a := range rows {
		linalg.Axpy(pulls[a].g[0], p.Row(a), rhs.Data)
		linalg.Scal(math.Sqrt(pulls[a].v[0]), weighted.Row(a))
	}
	m := linalg.NewMat(k, k)
	linalg.Syrk(linalg.Lower, linalg.T, -1, weighted, 0, m)
	for j := range k {
		m.Row(j)[j]++
	}
	if _, positive := linalg.Cholesky(linalg.Lower, m); !positive {
		return out, false
	}
	for j := range k {
		if d := m.Row(j)[j]; d*d < undetermined {
			return out, false
		}
	}
	linalg.CholeskySolve(linalg.Lower, m, rhs)
	out.margins = make([]float64, len(lines))
	for a, c := range lines {
		out.margins[a] = b.Margins[c] - linalg.Dot(p.Row(a), rhs.Data)
	}
	return out, true
}

// moments is RᵀTᵀVTR of some lines. For a board of a Path it takes the lines as they are in the basis, without a matrix
// of the items.
func (b *Board) moments(lines []int, v func(c int) [3]float64) linalg.Mat {
	s := b.s
	if _, is := b.form.(*halved); !is {
		return s.reduce(s.gram(lines, v))
	}
	a := linalg.NewMat(s.k, s.k)
	const panel = 256
	for lo := 0; lo < len(lines); lo += panel {
		some := lines[lo:min(lo+panel, len(lines))]
		t := inBasis(s.basis, s.rowsOf(some))
		for i, c := range some {
			linalg.Scal(math.Sqrt(v(c)[0]), t.Row(i))
		}
		linalg.Syrk(linalg.Lower, linalg.T, 1, t, 1, a)
	}
	linalg.Symmetrize(linalg.Lower, a)
	return a
}
