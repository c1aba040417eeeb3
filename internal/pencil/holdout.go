package pencil

import (
	"context"
	"sync"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// HoldOut asks for the predictions on each group of rows when the group is
// left out of the loss.
type HoldOut struct {
	// Groups cuts the rows into the sets to hold out. They are unions of
	// components, or the caller knows that the lemma holds for them.
	Groups *pref.Partition
	// Lambdas are the regularisation parameters.
	Lambdas []float64
	// Scale multiplies λ for group g; nil is 1.
	Scale func(g int) float64
	// Emit receives the predictions f, h×v in the order of the group's rows,
	// for lambdas[l] without group g. It is called from several goroutines, for
	// a group from one, and must not keep f.
	Emit func(g, l int, f linalg.Mat)
}

// HoldOut computes all predictions. With h rows in a group, k columns and nλ
// parameters, a group costs O(h k² + nλ (h² k + h³)) in the primal form by the
// lemma, or O(h k² + k³ + nλ (k² + h k)) by retraining without its moments,
// whichever is less; O(nλ (h² m + h³)) in the dual form. It stops between
// groups when ctx ends.
func (p *Pencil) HoldOut(ctx context.Context, ho HoldOut) error {
	rows, whole := p.rows, p.L.Components().Refines(ho.Groups)
	if !whole && !p.dual {
		rows = p.stored()
	}
	shifted := p.shiftedAll(ho)
	pool := sync.Pool{New: func() any { return &scratch{} }}
	parallel.For(ho.Groups.Len(), func(_, g int) {
		h := ho.Groups.Part(g)
		if len(h) == 0 || ctx.Err() != nil {
			return
		}
		s := pool.Get().(*scratch)
		defer pool.Put(s)
		if source, ok := rows.(*primalRows); ok && p.retrainIsCheaper(len(h), len(ho.Lambdas)) {
			p.retrain(s, source.source, ho, g, h)
			return
		}
		p.lemma(s, rows, shifted, ho, g, h, whole)
	})
	return ctx.Err()
}

// shiftedAll is D C for every λ, where the groups share it.
func (p *Pencil) shiftedAll(ho HoldOut) []linalg.Mat {
	if ho.Scale != nil {
		return nil
	}
	all := make([]linalg.Mat, len(ho.Lambdas))
	for l, lambda := range ho.Lambdas {
		all[l] = p.shifted(lambda)
	}
	return all
}

// stored computes V and W for all rows, m×k each.
func (p *Pencil) stored() rowSource {
	m, k := p.L.Dim(), len(p.D)
	s := &storedRows{linalg.NewMat(m, k), linalg.NewMat(m, k)}
	p.rows.rowsTo(s.v, s.w, all(m))
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

func (s *storedRows) rowsTo(v, w linalg.Mat, h []int32) {
	for a, i := range h {
		copy(v.Row(a), s.v.Row(int(i)))
		copy(w.Row(a), s.w.Row(int(i)))
	}
}

// scratch is memory that one goroutine uses again from group to group.
type scratch struct {
	v, w, scaled, q, delta, c, f linalg.Mat
	lhh                          linalg.Mat
	inv                          []float64
	tri                          *linalg.Tridiagonal
	moments                      Moments
}

// sized returns a as a rows×cols matrix without gaps, in its memory if it fits.
func sized(a *linalg.Mat, rows, cols int) linalg.Mat {
	if cap(a.Data) < rows*cols {
		a.Data = make([]float64, rows*cols)
	}
	a.Rows, a.Cols, a.Stride, a.Data = rows, cols, cols, a.Data[:rows*cols]
	return *a
}

// lemma computes the predictions of one group for each λ by Q_HH δ = a_H.
func (p *Pencil) lemma(s *scratch, rows rowSource, shifted []linalg.Mat, ho HoldOut, g int, h []int32, whole bool) {
	k, v, n := len(p.D), p.Outputs(), len(h)
	sized(&s.v, n, k)
	sized(&s.w, n, k)
	rows.rowsTo(s.v, s.w, h)
	if !p.dual {
		p.localLaplacian(sized(&s.lhh, n, n), h, whole)
	}
	if len(s.inv) < k {
		s.inv = make([]float64, k)
	}
	inside := p.componentsInside(h)
	for l, lambda := range ho.Lambdas {
		if ho.Scale != nil {
			lambda *= ho.Scale(g)
		}
		dc := linalg.Mat{}
		if shifted != nil {
			dc = shifted[l]
		} else {
			dc = p.shifted(lambda)
		}
		p.residualSystem(s, h, lambda, dc)
		fixNull(s.q, inside)
		solveSemidefinite(s.q, s.delta)
		c := sized(&s.c, k, v) // C − W_Hᵀ δ, then D times it
		for j := range k {
			copy(c.Row(j), p.C.Row(j))
		}
		linalg.Gemm(linalg.T, linalg.NoTrans, -1, s.w, s.delta, 1, c)
		for j := range k {
			linalg.Scal(s.inv[j], c.Row(j))
		}
		f := sized(&s.f, n, v)
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, s.v, c, 0, f)
		ho.Emit(g, l, f)
	}
}

// residualSystem fills s.q with the upper triangle of Q_HH and s.delta with
// a_H, both times λ in the primal form, and s.inv with 1/(d+λ).
func (p *Pencil) residualSystem(s *scratch, h []int32, lambda float64, dc linalg.Mat) {
	k, v, n := len(p.D), p.Outputs(), len(h)
	inv := s.inv[:k]
	p.inverse(inv, lambda)
	scaled := sized(&s.scaled, n, k)
	for a := range n {
		row := scaled.Row(a)
		for j, x := range s.w.Row(a) {
			row[j] = x * sqrt(inv[j])
		}
	}
	q, delta := sized(&s.q, n, n), sized(&s.delta, n, v)
	linalg.Syrk(linalg.Upper, linalg.NoTrans, 1, scaled, 0, q)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, s.w, dc, 0, delta)
	if p.dual {
		return
	}
	for a, i := range h {
		row := q.Row(a)
		for b := a; b < n; b++ {
			row[b] = s.lhh.Row(a)[b] - row[b]
		}
		for c, r := range p.R.Row(int(i)) {
			delta.Row(a)[c] = r - delta.Row(a)[c]
		}
	}
}

// localLaplacian fills dst with L_HH.
func (p *Pencil) localLaplacian(dst linalg.Mat, h []int32, whole bool) {
	clear(dst.Data)
	if whole {
		for a := range h {
			dst.Row(a)[a] = 1
		}
		pref.Restrict(p.L, h).MulTo(dst.Data, dst.Data, dst.Cols)
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

// solveSemidefinite replaces b by q⁻¹ b; where rounding has made q indefinite,
// by the pseudo-inverse of what is positive in it.
func solveSemidefinite(q, b linalg.Mat) {
	n := q.Rows
	keep := clone(q)
	if _, ok := linalg.Cholesky(linalg.Upper, q); ok {
		linalg.CholeskySolve(linalg.Upper, q, b)
		return
	}
	w, u := make([]float64, n), linalg.NewMat(n, n)
	linalg.SymEigen(keep, w, u)
	t := linalg.NewMat(n, b.Cols)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, u, b, 0, t)
	cut := float64(n) * epsilon * w[n-1]
	for j, v := range w {
		if v <= cut {
			clear(t.Row(j))
			continue
		}
		linalg.Scal(1/v, t.Row(j))
	}
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, u, t, 0, b)
}
