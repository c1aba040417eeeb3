package kernelsum

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/relation/edge"
)

// leftEdges is every set of edges of a setting left out in turn at a λ. With eigenvalues d_k of the rows and g_l of the
// columns, eigenvectors u_ik and v_jl of the nodes and n_kl = 1/(d_k g_l + λ), N = Σ n_kl (u_k⊗v_l)(u_k⊗v_l)ᵀ. N_SS is
// diagonal: for an edge it is q = Σ n_kl u_ik² v_jl², for a row Σ_k n_kl u_ik² in the eigenvectors of the columns, and
// for a column the same with the sides exchanged. So r = h/q is entry by entry.
//
// A column is a row of the transposed labels: columns exchanges the sides.
type leftEdges struct {
	rows, cols     *edgeSide
	lambda         float64
	edge, columns  bool
	n, e, q, r, by linalg.Mat // n_kl, the labels, N_SS, r_S, u_S = r_S/q
}

// loss is E at λ, and what its slopes need.
func (f *edgeSpectrum) loss(lambda float64) (float64, *leftEdges) {
	l := &leftEdges{rows: f.rows, cols: f.cols, e: f.e, lambda: lambda,
		edge: f.setting == edge.Pairs, columns: f.setting == edge.Cols}
	if l.columns {
		l.rows, l.cols, l.e = f.cols, f.rows, f.e.T()
	}
	l.n = linalg.NewMat(l.e.Rows, l.e.Cols)
	parallel.For(l.n.Rows, func(_, k int) {
		row := l.n.Row(k)
		for c, g := range l.cols.d {
			row[c] = 1 / (l.rows.d[k]*g + lambda)
		}
	})
	l.q, l.r = squares(l.rows.u).Mul(l.n), l.rows.u.Mul(entries(l.n, l.e, product))
	if l.edge {
		l.q, l.r = l.q.MulT(squares(l.cols.u)), l.r.MulT(l.cols.u)
	}
	l.r = entries(l.r, l.q, quotient)
	l.by = entries(l.r, l.q, quotient)
	return linalg.Dot(l.r.Data, l.r.Data), l
}

// slopes returns Γ in the eigenvectors of the rows and of the columns, so that half of dE is ⟨A, Γ⟩ for the change A of
// a side. With c = r u_S and T the u_S in eigenvectors, Γ of the rows is, for an edge or row,
//
//	Γ_kk' = Σ_l g_l n_kl n_k'l (Σ_i u_ik u_ik' c_il − T_kl e_k'l)
//
// where c_il = Σ_j v_jl² c_ij for edges. Since g n n' = (n − n')/(d' − d), the first sum is a few products of matrices:
// see divided. That of the columns of an edge is alike, and that of a row has Σ_i r_il' u_il Σ_k d_k n_kl n_kl' u_ik².
func (l *leftEdges) slopes() (ofRows, ofCols linalg.Mat) {
	c := entries(l.r, l.by, product)
	t := l.rows.u.TMul(l.by)
	if l.edge {
		t = t.Mul(l.cols.u)
		other := &leftEdges{rows: l.cols, cols: l.rows, lambda: l.lambda, n: l.n.T()}
		ofCols = other.within(c.T().Mul(squares(l.rows.u)))
		c = c.Mul(squares(l.cols.u))
	} else {
		q2 := squares(l.rows.u).Mul(scaled(l.n, func(k, _ int) float64 { return l.rows.d[k] }, l.n))
		ofCols = l.divided(l.cols.d, l.rows.d, l.r.TMul(l.r), l.by.TMul(entries(l.r, l.q, product)),
			entries(l.by, q2, product).TMul(l.r), l.by.TMul(entries(l.r, q2, product)))
	}
	ofRows = l.within(c)
	labels := entries(l.n, l.e, product)
	less := func(from, a, b linalg.Mat) linalg.Mat {
		linalg.Axpy(-1, a.MulT(b).Data, from.Data)
		return from
	}
	ofRows = less(ofRows, scaled(l.n, func(_, c int) float64 { return l.cols.d[c] }, t), labels)
	ofCols = less(ofCols, scaled(l.n, func(k, _ int) float64 { return l.rows.d[k] }, t).T(), labels.T())
	if l.columns {
		return ofCols, ofRows
	}
	return ofRows, ofCols
}

// within is Σ_l g_l n_kl n_k'l Σ_i u_ik u_ik' c_il.
func (l *leftEdges) within(c linalg.Mat) linalg.Mat {
	u := l.rows.u
	x := entries(u, c.MulT(l.n), product).TMul(u)
	square := scaled(l.n, func(_, c int) float64 { return l.cols.d[c] }, l.n)
	x2 := entries(u, c.MulT(square), product).TMul(u)
	return l.divided(l.rows.d, l.cols.d, x, x.T(), x2, x2.T())
}

// close is the relative difference of n_kl and n_k'l below which their divided difference loses more digits than the
// mean of n² in the place of their product, which errs by its square.
const close = 1e-5

// divided is (x − y)/(d' − d) over pairs of eigenvalues of a side, or where they are close the mean of x2 and y2, in
// which n² stands for the product of both.
func (l *leftEdges) divided(d, other []float64, x, y, x2, y2 linalg.Mat) linalg.Mat {
	largest := 0.0
	for _, g := range other {
		largest = max(largest, g)
	}
	parallel.For(x.Rows, func(_, k int) {
		row := x.Row(k)
		for j := range row {
			apart := d[j] - d[k]
			if math.Abs(apart)*largest <= close*(min(d[j], d[k])*largest+l.lambda) {
				row[j] = (x2.Row(k)[j] + y2.Row(k)[j]) / 2
			} else {
				row[j] = (row[j] - y.Row(k)[j]) / apart
			}
		}
	})
	return x
}

func product(a, b float64) float64  { return a * b }
func quotient(a, b float64) float64 { return a / b }

// entries is a function of two matrices entry by entry.
func entries(a, b linalg.Mat, f func(a, b float64) float64) linalg.Mat {
	out := linalg.NewMat(a.Rows, a.Cols)
	parallel.For(a.Rows, func(_, i int) {
		x, y, to := a.Row(i), b.Row(i), out.Row(i)
		for j := range to {
			to[j] = f(x[j], y[j])
		}
	})
	return out
}

func squares(a linalg.Mat) linalg.Mat { return entries(a, a, product) }

// scaled is the product of two matrices and a number entry by entry.
func scaled(a linalg.Mat, by func(i, j int) float64, b linalg.Mat) linalg.Mat {
	out := entries(a, b, product)
	parallel.For(out.Rows, func(_, i int) {
		for j := range out.Row(i) {
			out.Row(i)[j] *= by(i, j)
		}
	})
	return out
}
