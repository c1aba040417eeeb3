package pencil

import (
	"context"
	"sync"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// HoldOut describes the groups of rows to leave out of the loss and to predict.
type HoldOut struct {
	// Groups cuts the rows into the sets to hold out. They are unions of
	// components, or the caller knows that the lemma holds for them.
	Groups *data.Partition
	// Wanted reports whether a group is held out; nil wants all.
	Wanted func(g int) bool
	// Lambdas are the regularisation parameters.
	Lambdas []float64
	// Scale multiplies λ for group g; nil is 1.
	Scale func(g int) float64
	// Emit receives the predictions f, h×v in the order of the group's rows, and their rounding,
	// for lambdas[l] without group g. It is called from several goroutines, for a group from one of
	// them, and must keep neither f nor r.
	Emit func(g, l int, f linalg.Mat, r *Rounding)
}

// leavesOut reports whether group g has rows, and is wanted.
func (ho *HoldOut) leavesOut(g int) bool {
	return len(ho.Groups.Part(g)) > 0 && (ho.Wanted == nil || ho.Wanted(g))
}

// HoldOut computes all predictions. With h rows in a group, k columns and nλ parameters, a group
// costs the lesser of O(h k² + nλ (h² k + h³)) by the lemma and O(h k² + k³ + nλ (k² + h k)) by
// downdating the moments in the primal form, and O(nλ (h² m + h³)) in the dual form. It stops
// between groups when ctx ends.
func (p *Pencil) HoldOut(ctx context.Context, ho HoldOut) error {
	if p.inverted != nil {
		return p.holdOutInverted(ctx, ho)
	}
	if p.Degenerate() {
		p.emitZeros(ho)
		return ctx.Err()
	}
	rows, whole := p.rows, p.L.Components().Refines(ho.Groups)
	if !whole && !p.dual && (p.listWeight() == 0 || !p.downdateIsCheaper(largestPart(ho.Groups), len(ho.Lambdas))) {
		rows = p.stored()
	}
	shared := p.resolventsAt(ho.Lambdas)
	ready, dimensions := p.resolventsByScale(ho), p.dimensions(ho.Lambdas)
	pool := sync.Pool{New: func() any { return &scratch{} }}
	parallel.For(ho.Groups.Len(), func(_, g int) {
		if !ho.leavesOut(g) || ctx.Err() != nil {
			return
		}
		s := pool.Get().(*scratch)
		defer pool.Put(s)
		s.res = shared
		if ho.Scale != nil {
			var known bool
			if s.res, known = ready[ho.Scale(g)]; !known {
				s.res = p.resolventsAt(scaled(ho.Lambdas, ho.Scale(g)))
			}
		}
		p.holdOut(s, rows, ho, g, whole, dimensions)
	})
	return ctx.Err()
}

// holdOut holds out group g in the way that costs least.
func (p *Pencil) holdOut(s *scratch, rows rowSource, ho HoldOut, g int, whole bool, dimensions float64) {
	h := ho.Groups.Part(g)
	if source, ok := rows.(*primalRows); ok {
		if whole && p.iteratesBest(len(h), len(ho.Lambdas), dimensions) && p.holdOutByIterating(s, source, ho, g, h) {
			return
		}
		if !whole || p.downdateIsCheaper(len(h), len(ho.Lambdas)) {
			p.holdOutByDowndate(s, source.source, ho, g, h)
			return
		}
	}
	p.lemma(s, rows, h, whole)
	for l := range ho.Lambdas {
		f := s.f.Slice(0, len(h), l*p.Outputs(), (l+1)*p.Outputs())
		ho.Emit(g, l, f, s.lemmaRounding(p, l, f))
	}
}

// resolventsByScale holds the resolvents at the first scales of the groups. Where the groups have
// few sizes, these serve all of them.
func (p *Pencil) resolventsByScale(ho HoldOut) map[float64]*resolvents {
	const most = 8
	ready := map[float64]*resolvents{}
	for g := 0; ho.Scale != nil && g < ho.Groups.Len() && len(ready) < most; g++ {
		if scale := ho.Scale(g); ready[scale] == nil {
			ready[scale] = p.resolventsAt(scaled(ho.Lambdas, scale))
		}
	}
	return ready
}

// largestPart is the size of the largest part.
func largestPart(p *data.Partition) int {
	most := 0
	for g := range p.Len() {
		most = max(most, len(p.Part(g)))
	}
	return most
}

// resolvents holds the numbers that all groups share at the given λ.
type resolvents struct {
	lambdas []float64
	shifted linalg.Mat // D C for every λ side by side, k × nλ·v
	inverse linalg.Mat // D, a row for each λ
	root    linalg.Mat // D^½
	gamma   []float64  // γ of the bounds of rounding, for output c of λ l at l·v + c
}

func (p *Pencil) resolventsAt(lambdas []float64) *resolvents {
	v, k := p.Outputs(), len(p.Eigenvalues)
	n := len(lambdas)
	r := &resolvents{lambdas, linalg.NewMat(k, n*v), linalg.NewMat(n, k), linalg.NewMat(n, k), make([]float64, n*v)}
	for l, lambda := range lambdas {
		inverse, root, gamma := r.inverse.Row(l), r.root.Row(l), r.gamma[l*v:(l+1)*v]
		p.shiftTo(inverse, lambda)
		for j, e := range inverse {
			row := r.shifted.Row(j)
			for c, x := range p.C.Row(j) {
				row[l*v+c] = x / e
				gamma[c] += x * x / e
			}
			inverse[j], root[j] = 1/e, 1/sqrt(e)
		}
		for c := range gamma {
			if gamma[c] = sqrt(gamma[c]); !p.dual {
				gamma[c] = p.sizes.zero[c]
			}
		}
	}
	return r
}

// stored computes V and W for all rows, m×k each.
func (p *Pencil) stored() rowSource {
	m, k := p.L.Dim(), len(p.Eigenvalues)
	s := &storedRows{linalg.NewMat(m, k), linalg.NewMat(m, k)}
	p.rows.rowsTo(s.v, s.w, all(m), true)
	return s
}

func all(m int) []int32 {
	rows := make([]int32, m)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

type storedRows struct{ v, w linalg.Mat }

func (s *storedRows) rowsTo(v, w linalg.Mat, h []int32, _ bool) {
	for a, i := range h {
		copy(v.Row(a), s.v.Row(int(i)))
		copy(w.Row(a), s.w.Row(int(i)))
	}
}

// scratch is memory that one goroutine uses again from group to group.
type scratch struct {
	v, w   linalg.Mat // h×k: rows of V and W
	scaled linalg.Mat // h×k: W D^½
	q, lhh linalg.Mat // h×h
	delta  linalg.Mat // h × nλ·v
	c      linalg.Mat // k × nλ·v
	f      linalg.Mat // h × nλ·v: the predictions
	inside [][]int
	res    *resolvents

	values  linalg.Mat // h×k, squares of v
	known   []bool
	systems together
	lemmaSizes
	products productSizes
	rounding Rounding // of the predictions that are emitted

	conjugate conjugate
	tri       *linalg.Tridiagonal
	moments   Moments
}

// sized returns a as a rows×cols matrix without gaps, in its memory if it fits.
func sized(a *linalg.Mat, rows, cols int) linalg.Mat {
	if cap(a.Data) < rows*cols {
		a.Data = make([]float64, rows*cols)
	}
	a.Rows, a.Cols, a.Stride, a.Data = rows, cols, cols, a.Data[:rows*cols]
	return *a
}

// lemma fills s.f with the predictions of the rows h for every λ of s.res, by
// Q_HH δ = a_H.
func (p *Pencil) lemma(s *scratch, rows rowSource, h []int32, whole bool) {
	lambdas, k, v, n, columns := s.res.lambdas, len(p.Eigenvalues), p.Outputs(), len(h), s.res.shifted.Cols
	sized(&s.v, n, k)
	sized(&s.w, n, k)
	rows.rowsTo(s.v, s.w, h, whole)
	if !p.dual {
		p.localLaplacian(sized(&s.lhh, n, n), h, whole)
	}
	delta := sized(&s.delta, n, columns)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, s.w, s.res.shifted, 0, delta)
	if !p.dual {
		for a, i := range h {
			row, r := delta.Row(a), p.R.Row(int(i))
			for c := range row {
				row[c] = r[c%v] - row[c]
			}
		}
	}
	s.inside = p.componentsInside(h)
	s.prepareSizes(p, len(lambdas))
	if s.canTogether() {
		p.solveTogether(s, delta)
	} else {
		for l := range lambdas {
			p.residualMatrix(s, l)
			s.takeDiagonal(p, l)
			s.least[l] = solveSemidefinite(s.q, delta.Slice(0, n, l*v, (l+1)*v))
		}
	}
	c := sized(&s.c, k, columns) // D (C − W_Hᵀ δ)
	linalg.Gemm(linalg.T, linalg.NoTrans, -1, s.w, delta, 0, c)
	for j := range k {
		own, row, at := p.C.Row(j), c.Row(j), 0
		for l := range lambdas {
			inverse := s.res.inverse.Row(l)[j]
			for _, x := range own {
				row[at] = (x + row[at]) * inverse
				at++
			}
		}
	}
	s.solutions = columnNormsTo(s.solutions, c)
	for l, lambda := range lambdas {
		for j := range p.nullCount(lambda) {
			clear(c.Row(j)[l*v : (l+1)*v])
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, s.v, c, 0, sized(&s.f, n, columns))
	if p.dual {
		p.equateDuplicates(s.f, h)
	}
}

// residualMatrix fills s.q with the upper triangle of Q_HH, of λQ_HH in the
// primal form, at λ number l, made positive definite by fixNull.
func (p *Pencil) residualMatrix(s *scratch, l int) {
	n, k, root := s.w.Rows, s.w.Cols, s.res.root.Row(l)
	scaled := sized(&s.scaled, n, k)
	for a := range n {
		row := scaled.Row(a)
		for j, x := range s.w.Row(a) {
			row[j] = x * root[j]
		}
	}
	q := sized(&s.q, n, n)
	linalg.Syrk(linalg.Upper, linalg.NoTrans, 1, scaled, 0, q)
	for a := 0; a < n && !p.dual; a++ {
		row, own := q.Row(a), s.lhh.Row(a)
		for b := a; b < n; b++ {
			row[b] = own[b] - row[b]
		}
	}
	fixNull(q, s.inside)
}

// localLaplacian fills dst with L_HH.
func (p *Pencil) localLaplacian(dst linalg.Mat, h []int32, whole bool) {
	if b := goals.BlocksOf(p.L); b != nil {
		b.SubmatrixTo(dst.Data, h)
		return
	}
	clear(dst.Data)
	if whole {
		for a := range h {
			dst.Row(a)[a] = 1
		}
		p.L.Restrict(h).MulTo(dst.Data, dst.Data, dst.Cols)
		return
	}
	// Part of a component: columns of L, one held-out row at a time.
	column := make([]float64, p.L.Dim())
	for b, j := range h {
		clear(column)
		column[j] = 1
		p.L.MulTo(column, column, 1)
		for a, i := range h {
			dst.Row(a)[b] = column[i]
		}
	}
}

// componentsInside lists, as positions in h, the components of L that lie in H
// and on which a constant has no effect.
func (p *Pencil) componentsInside(h []int32) [][]int {
	if !p.Centred {
		return nil
	}
	parts := p.L.Components()
	if len(h) == 1 {
		if len(parts.Part(int(parts.Of()[h[0]]))) == 1 {
			return [][]int{{0}}
		}
		return nil
	}
	at := map[int32][]int{}
	for a, i := range h {
		g := parts.Of()[i]
		at[g] = append(at[g], a)
	}
	var inside [][]int
	for a, i := range h {
		g := parts.Of()[i]
		if at[g][0] == a && len(at[g]) == len(parts.Part(int(g))) {
			inside = append(inside, at[g])
		}
	}
	return inside
}

// fixNull makes the upper triangle of q positive definite without changing the
// solution: the constant of a component that lies in H, and a row without any
// comparison, are directions in which q and the right side are zero.
func fixNull(q linalg.Mat, inside [][]int) {
	for _, at := range inside {
		size := 0.0
		for _, a := range at {
			size += q.Row(a)[a]
		}
		size /= float64(len(at)) * float64(len(at))
		for x, a := range at {
			for _, b := range at[x:] {
				q.Row(a)[b] += size
			}
		}
	}
	for a := range q.Rows {
		if q.Row(a)[a] == 0 {
			q.Row(a)[a] = 1
		}
	}
}

// solveSemidefinite replaces b by q⁻¹ b; where rounding has made q indefinite, by the
// pseudo-inverse of its positive part. least is about the least eigenvalue of q, or the size below
// which an eigenvalue counts as 0.
func solveSemidefinite(q, b linalg.Mat) (least float64) {
	n := q.Rows
	if v := q.Row(0)[0]; n == 1 && v > 0 {
		linalg.Scal(1/v, b.Row(0))
		return v
	}
	keep := q.Clone()
	if _, ok := linalg.Cholesky(linalg.Upper, q); ok {
		linalg.CholeskySolve(linalg.Upper, q, b)
		return leastOf(q)
	}
	w, u := make([]float64, n), linalg.NewMat(n, n)
	linalg.SymEigen(keep, w, u)
	t := u.Mul(b)
	cut := float64(n) * epsilon * w[n-1]
	for j, v := range w {
		if v <= cut {
			clear(t.Row(j))
			continue
		}
		linalg.Scal(1/v, t.Row(j))
	}
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, u, t, 0, b)
	return cut
}

// leastOf estimates the least eigenvalue of RᵀR, from above, by one step of inverse
// iteration from the row of the least pivot.
func leastOf(r linalg.Mat) float64 {
	at := 0
	for a := range r.Rows {
		if r.Row(a)[a] < r.Row(at)[at] {
			at = a
		}
	}
	x := make([]float64, r.Rows)
	x[at] = 1
	linalg.Trsv(linalg.Upper, linalg.T, r, x)
	linalg.Trsv(linalg.Upper, linalg.NoTrans, r, x)
	return 1 / linalg.Nrm2(x)
}
