package kernelsum

import (
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// loss is E at λ. It sets gamma, unless that is nil, to a matrix whose inner product with A is half of dE.
func (e *spectrum) loss(lambda float64, gamma *linalg.Mat) float64 {
	if e.held.Sets == nil {
		return e.lossOfPairs(lambda*e.scale(0, 1), gamma)
	}
	left, m := make([]*leftOut, len(e.held.Sets)), len(e.s)
	r, g := make([]float64, m), make([]float64, m)
	parallel.For(len(left), func(_, h int) {
		left[h] = e.leave(e.held.Sets[h], lambda)
		for a, i := range left[h].rows {
			r[i] = left[h].r[a]
		}
	})
	e.compare(g, r)
	if gamma != nil {
		q, p := linalg.NewMat(m, len(left)), linalg.NewMat(m, len(left))
		parallel.For(len(left), func(_, h int) { left[h].factors(e, g, q, p, h) })
		*gamma = e.vt.Mul(q).MulT(e.vt.Mul(p))
	}
	return linalg.Dot(r, g)
}

// compare sets g = Br, in the coordinates of z. The loss is that of training, Σ w (r_i − r_j)², of the pairs that are
// left out together. Of regression, and of rows alone, it is Σ D_i r_i²; such a row is compared with the mean of the
// rows that teach.
func (e *spectrum) compare(g, r []float64) {
	copy(g, r)
	if e.parts == nil || e.held.Alone {
		return
	}
	for _, set := range e.held.Sets {
		for p, rows := range e.within(set) {
			mass, mean := 0.0, 0.0
			for _, i := range rows {
				mass += e.s[i] * e.s[i]
				mean += e.s[i] * r[i]
			}
			for _, i := range rows {
				if mass > 0 {
					g[i] = mass / e.size[p] * (r[i] - e.s[i]*mean/mass)
				}
			}
		}
	}
}

// leftOut is a set S that is left out at a λ.
type leftOut struct {
	rows []int32
	root []float64  // √f, f = 1/(w + λ)
	x    linalg.Mat // rows S of V√f, so that xxᵀ is N_SS and, of whole components, 1/(τ+λ) for the constants
	n    linalg.Mat // the Cholesky factor of N_SS
	r    []float64
}

func (e *spectrum) leave(rows []int32, lambda float64) *leftOut {
	lambda *= e.scale(rows...)
	l := &leftOut{rows: rows, root: make([]float64, len(e.w)), x: linalg.NewMat(len(rows), len(e.w)),
		r: make([]float64, len(rows))}
	z := make([]float64, len(e.w))
	for k, w := range e.w {
		l.root[k] = 1 / math.Sqrt(w+lambda)
		z[k] = l.root[k] * e.z[k]
	}
	for a, i := range rows {
		row := l.x.Row(a)
		for k, v := range e.vt.Row(int(i)) {
			row[k] = v * l.root[k]
		}
	}
	l.n = l.x.MulT(l.x)
	if e.parts != nil {
		for a, i := range rows {
			p := e.of[i]
			if !e.divides(p, rows) {
				continue
			}
			for b, j := range rows {
				if e.of[j] == p {
					l.n.Row(a)[b] -= e.unit[i] * e.unit[j] / (e.tau + lambda)
				}
			}
		}
	}
	linalg.Gemv(linalg.NoTrans, 1, l.x, z, 0, l.r)
	linalg.Cholesky(linalg.Lower, l.n)
	linalg.CholeskySolve(linalg.Lower, l.n, linalg.Column(l.r))
	return l
}

// divides reports whether some rows have a part of component p.
func (e *spectrum) divides(p int32, rows []int32) bool {
	n := 0
	for _, i := range rows {
		if e.of[i] == p {
			n++
		}
	}
	return n < len(e.parts.Part(int(p)))
}

// factors sets columns h of q = N_:S u_S and p = N_:S r_S − h, in eigenvectors.
func (l *leftOut) factors(e *spectrum, g []float64, q, p linalg.Mat, h int) {
	u, along := make([]float64, len(l.rows)), make([]float64, len(e.w))
	for a, i := range l.rows {
		u[a] = g[i]
	}
	linalg.CholeskySolve(linalg.Lower, l.n, linalg.Column(u))
	linalg.Gemv(linalg.T, 1, l.x, u, 0, along)
	for k, v := range along {
		q.Row(k)[h] = l.root[k] * v
	}
	linalg.Gemv(linalg.T, 1, l.x, l.r, 0, along)
	for k, v := range along {
		p.Row(k)[h] = l.root[k] * (v - l.root[k]*e.z[k])
	}
}

// lossOfPairs is loss where every pair of rows of a component is left out, in regression every pair of rows. Then
// Σ_S (N_:S u_S)(N_:S r_S)ᵀ is NWN, with the sums W of u_S r_Sᵀ.
func (e *spectrum) lossOfPairs(lambda float64, gamma *linalg.Mat) float64 {
	m := len(e.s)
	x, h, w := e.vt.Clone(), make([]float64, m), linalg.NewMat(m, m)
	parallel.For(m, func(_, i int) {
		for k, v := range x.Row(i) {
			x.Row(i)[k] = v / math.Sqrt(e.w[k]+lambda)
		}
	})
	n := linalg.NewMat(m, m)
	linalg.Syrk(linalg.Upper, linalg.NoTrans, 1, x, 0, n)
	linalg.Symmetrize(linalg.Upper, n)
	losses, u, parts := make([]float64, m), make([]float64, m), e.parts
	if parts == nil {
		parts = data.NewPartition(make([]int32, m), 1)
	} else {
		parallel.For(m, func(_, i int) {
			for _, j := range e.parts.Part(int(e.of[i])) {
				n.Row(i)[j] -= e.unit[i] * e.unit[j] / (e.tau + lambda)
			}
		})
	}
	linalg.Gemv(linalg.NoTrans, 1, n, e.Rows.z, 0, h)
	parallel.For(m, func(_, i int) {
		rows := parts.Part(int(parts.Of()[i]))
		whole := 0.0 // a pair that is a component leaves its constant
		if len(rows) == 2 && e.parts != nil {
			whole = 1 / (e.tau + lambda)
		}
		for _, j := range rows {
			if int(j) == i || e.s[i] == 0 {
				continue
			}
			p := pairOut{nii: n.Row(i)[i] + whole*e.unit[i]*e.unit[i], njj: n.Row(int(j))[j] + whole*e.unit[j]*e.unit[j],
				nij: n.Row(i)[j] + whole*e.unit[i]*e.unit[j]}
			ri, rj := p.solve(h[i], h[j])
			gi, gj := ri, rj
			if e.parts != nil {
				weight := e.s[i] * e.s[i] * e.s[j] * e.s[j] / e.size[e.of[i]] // w a_i a_j
				apart := ri/e.s[i] - rj/e.s[j]
				gi, gj = weight*apart/e.s[i], -weight*apart/e.s[j]
			}
			ui, uj := p.solve(gi, gj)
			losses[i] += (ri*gi + rj*gj) / 2 // the pair counts in both rows
			w.Row(i)[j] = ri * uj
			w.Row(i)[i] += ri * ui
			u[i] += ui
		}
	})
	if gamma != nil {
		nu := make([]float64, m)
		linalg.Gemv(linalg.NoTrans, 1, n, u, 0, nu)
		*gamma = n.Mul(w).Mul(n)
		parallel.For(m, func(_, i int) { linalg.Axpy(-h[i], nu, gamma.Row(i)) })
	}
	return linalg.Sum(losses)
}

// pairOut is N_SS of two rows.
type pairOut struct{ nii, nij, njj float64 }

func (p pairOut) solve(a, b float64) (x, y float64) {
	det := p.nii*p.njj - p.nij*p.nij
	return (p.njj*a - p.nij*b) / det, (p.nii*b - p.nij*a) / det
}
