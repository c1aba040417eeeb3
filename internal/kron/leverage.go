package kron

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Leverage is the part of HoldOut that depends on λ and the setting but not on the labels: one matrix of the
// size of the labels, and a second for ranking without rows. It is safe for concurrent use.
//
// The residuals y−f, centred for ranking, are taken in coordinates in which leaving out is diagonal: the
// entries themselves for an edge, the eigenvectors of the columns for a row, of the rows for a column. The
// held-out residuals are in the same coordinates. There
//
//	f' = ȳ + μ − gain ∘ e    e = ȳ − f̄
//
// with ȳ and f̄ the centred labels and scores and μ the means of the scores. With N_kl = λ/(d_k d_l + λ), the
// part of E that stays in the residuals, S = 1 − N, the learnt part, and c = |v_j|², which is 1 or for ranking
// 1 − 1/r,
//
//	n = λQ_hh, a sum of N      s = c − n, the same sum of S
//	t, the change of the mean of a row by an edge: 0 for regression
//	gain = (c + t)/n = 1 + (s + t)/n
//
// N is summed if λ is at most the largest d_k d_l, and S if λ is larger: then S is small, and c − s computed
// from N would be rounding.
type Leverage struct {
	p       *Path // any path with the same kernels
	lambda  float64
	setting Setting
	learnt  bool       // S is summed, and gain is stored less 1
	gain    linalg.Mat // one for each label, or coordinate of them
	shift   linalg.Mat // effect of a residual on the scores of its row: ranking without rows
}

// Leverage returns what HoldOutBy needs besides the labels. Its cost, in products of p×p with p×r or p×r with
// r×r, is one for Rows, two for Pairs, and one for Cols; the ranking loss takes one more for Pairs and for
// Cols. It returns a *NotExactError if there is no shortcut. It panics unless λ is positive and finite and
// there is such a setting.
func (p *Path) Leverage(lambda float64, s Setting) (*Leverage, error) {
	checkLambda(lambda)
	s = resolved(s)
	if err := p.Exact(s); err != nil {
		return nil, err
	}
	l := &Leverage{p: p, lambda: lambda, setting: s, learnt: p.isLearnt(lambda)}
	switch s {
	case Pairs:
		l.ofEdges()
	case Rows:
		l.ofRows()
	default:
		l.ofCols()
	}
	return l, nil
}

// Size returns how many numbers l holds, p×r or about twice as many. It costs O(1).
func (l *Leverage) Size() int { return len(l.gain.Data) + len(l.shift.Data) }

// part is N_kl, or with learnt S_kl, for eigenvalues with product d.
func part(d, lambda float64, learnt bool) float64 {
	if learnt {
		return d / (d + lambda)
	}
	return lambda / (d + lambda)
}

// parts is N; in each column l with learnt(l) it is S.
func (p *Path) parts(lambda float64, learnt func(l int) bool) linalg.Mat {
	w := linalg.NewMat(len(p.rows.d), len(p.cols.d))
	of := make([]bool, w.Cols)
	for l := range of {
		of[l] = learnt(l)
	}
	parallel.Chunks(w.Rows, 64, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			row, dk := w.Row(k), p.rows.d[k]
			for l, d := range p.cols.d {
				row[l] = part(dk*d, lambda, of[l])
			}
		}
	})
	return w
}

// always is a choice that does not depend on the column.
func always(choice bool) func(int) bool { return func(int) bool { return choice } }

// ofRow sums N over the squares of the rows' eigenvectors: n_il = Σ_k u_ik² N_kl. For ranking it also returns
// x∘m, x_il = Σ_k u_ik² d_k/(d_k d_l + λ) and m_l the mean of row l of W₂. Since S is d_l times the summands of
// x, one product gives both sums: that of S if d_l is so small that N is about 1. If d_l is 0, x is the
// diagonal of K over λ.
func (l *Leverage) ofRow() (n, moved linalg.Mat) {
	p := l.p
	if p.o.Loss == Regression {
		n = p.rows.squares().TMul(p.parts(l.lambda, always(l.learnt)))
		return n, moved
	}
	_, greatest := extent(p.rows.d)
	small := func(c int) bool { return greatest*p.cols.d[c] < l.lambda }
	n = p.rows.squares().TMul(p.parts(l.lambda, small))
	moved = linalg.NewMat(n.Rows, n.Cols)
	diagonal := p.rows.diagonal()
	parallel.Chunks(n.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, x := n.Row(i), moved.Row(i)
			for c, v := range row {
				learnt := small(c)
				s := v
				if !learnt {
					s = 1 - v
				}
				if d := p.cols.d[c]; d > 0 {
					x[c] = s / d * p.means[c]
				} else {
					x[c] = diagonal[i] / l.lambda * p.means[c]
				}
				if learnt != l.learnt {
					row[c] = 1 - v
				}
			}
		}
	})
	return n, moved
}

// ofEdges sums over the squares of both sides: n_ij = Σ_l n_il v_jl², and t_ij = Σ_l x_il m_l v_jl.
func (l *Leverage) ofEdges() {
	p := l.p
	half, moved := l.ofRow()
	squares := p.cols.squares()
	l.gain = linalg.NewMat(half.Rows, squares.Cols)
	if p.rows == p.cols { // half = UNᵀ with a symmetric N, so n is symmetric
		linalg.Gemmt(linalg.Upper, linalg.NoTrans, linalg.NoTrans, 1, half, squares, 0, l.gain)
		linalg.Symmetrize(linalg.Upper, l.gain)
	} else {
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, half, squares, 0, l.gain)
	}
	var t linalg.Mat
	if p.o.Loss == Ranking {
		t = moved.Mul(p.cols.u)
	}
	l.toGain(t)
}

// ofRows has c = 1 in the coordinates of the columns' eigenvectors, and changes the scores of a row by Σ_l
// shift_l e_l.
func (l *Leverage) ofRows() {
	var n linalg.Mat
	n, l.shift = l.ofRow()
	l.gain = n
	if l.p.o.Loss == Ranking {
		parallel.Chunks(n.Rows, 64, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				row := l.shift.Row(i)
				for c, v := range n.Row(i) {
					if l.learnt {
						v = 1 - v
					}
					row[c] /= v
				}
			}
		})
	}
	l.divide(1, linalg.Mat{})
}

// ofCols sums over the squares of the columns' eigenvectors: n_kj = Σ_l N_kl v_jl², and t_kj = Σ_l d_k m_l
// v_jl/(d_k d_l + λ).
func (l *Leverage) ofCols() {
	p := l.p
	l.gain = p.parts(l.lambda, always(l.learnt)).Mul(p.cols.squares())
	var t linalg.Mat
	if p.o.Loss == Ranking {
		w := p.middle(l.lambda)
		scaleRows(w, p.rows.d)
		scaleCols(w, p.means)
		t = w.Mul(p.cols.u)
	}
	l.toGain(t)
}

// toGain turns n, or with learnt s, into the gain of edges or columns; t is empty for regression.
func (l *Leverage) toGain(t linalg.Mat) {
	c := 1.0
	if l.p.o.Loss == Ranking {
		c -= 1 / float64(l.p.y.Cols)
	}
	l.divide(c, t)
}

// divide sets gain to (c + t)/n, or with learnt (s + t)/(c − s). It is 0 if the denominator is 0: the only edge
// of a row says nothing about an order.
func (l *Leverage) divide(c float64, t linalg.Mat) {
	none := make([]float64, l.gain.Cols)
	parallel.Chunks(l.gain.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, moved := l.gain.Row(i), none
			if t.Rows > 0 {
				moved = t.Row(i)
			}
			for j, v := range row {
				above, below := c+moved[j], v
				if l.learnt {
					above, below = v+moved[j], c-v
				}
				if row[j] = 0; below > 0 {
					row[j] = above / below
				}
			}
		}
	})
}

// HoldOutBy is HoldOut with a precomputed l, which serves several labels of the same kernels, as Relabel makes
// them. It costs a product of p×p with p×r for each side of the graph, O(p²r + pr²), and one more for every new
// set of labels. It panics when l belongs to other kernels.
func (p *Path) HoldOutBy(l *Leverage) *data.Dense {
	if l.p.rows != p.rows || l.p.cols != p.cols {
		panic("kron: HoldOutBy: the leverage is of other kernels")
	}
	w, mu := p.shares(l)
	switch l.setting {
	case Pairs:
		f := p.turnBack(w)
		p.update(f, l, func(i int, row []float64) {
			p.centreTo(row, i)
		}, p.byNode(mu))
		return dense(f)
	case Rows:
		return dense(p.holdOutRows(w, l, p.byNode(mu)))
	}
	z := w.Mul(p.cols.u)
	labels := p.projected.left()
	p.update(z, l, func(k int, row []float64) { copy(row, labels.Row(k)) }, mu)
	return dense(p.rows.u.TMul(z))
}

// shares returns the part of E that stays in the residuals, or with learnt the learnt part, and for ranking the
// means of the scores in the eigenvectors of the rows: µ_k = Σ_l d_k e_kl m_l/(d_k d_l + λ).
func (p *Path) shares(l *Leverage) (w linalg.Mat, mu []float64) {
	w, mu = linalg.NewMat(p.e.Rows, p.e.Cols), make([]float64, p.e.Rows)
	parallel.Chunks(w.Rows, 64, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			row, dk, mean := w.Row(k), p.rows.d[k], 0.0
			for c, e := range p.e.Row(k) {
				d := dk * p.cols.d[c]
				row[c] = e * part(d, l.lambda, l.learnt)
				if p.means != nil {
					mean += e * p.means[c] * (dk / (d + l.lambda))
				}
			}
			mu[k] = mean
		}
	})
	return w, mu
}

// byNode turns one number for each eigenvector of the rows into one for each row.
func (p *Path) byNode(mu []float64) []float64 {
	means := make([]float64, p.y.Rows)
	if p.o.Loss == Ranking {
		linalg.Gemv(linalg.T, 1, p.rows.u, mu, 0, means)
	}
	return means
}

// update replaces residuals, or with learnt scores, by held-out scores; labels writes a row of the labels.
func (p *Path) update(f linalg.Mat, l *Leverage, labels func(i int, row []float64), mean []float64) {
	parallel.Chunks(f.Rows, 16, func(_, lo, hi int) {
		y := make([]float64, f.Cols)
		for i := lo; i < hi; i++ {
			labels(i, y)
			row, gain := f.Row(i), l.gain.Row(i)
			if l.learnt {
				for j, v := range row {
					row[j] = v + mean[i] - (y[j]-v)*gain[j]
				}
				continue
			}
			for j, v := range row {
				row[j] = y[j] + mean[i] - v*gain[j]
			}
		}
	})
}

// holdOutRows updates in the coordinates of the columns' eigenvectors, and transforms back.
func (p *Path) holdOutRows(w linalg.Mat, l *Leverage, mean []float64) linalg.Mat {
	z := p.rows.u.TMul(w)
	labels := p.projected.right()
	if p.o.Loss == Ranking {
		for i := range mean {
			for c, v := range z.Row(i) {
				if l.learnt {
					v = labels.Row(i)[c] - v
				}
				mean[i] -= l.shift.Row(i)[c] * v
			}
		}
	}
	p.update(z, l, func(i int, row []float64) { copy(row, labels.Row(i)) }, make([]float64, len(mean)))
	f := z.Mul(p.cols.u)
	if p.o.Loss == Ranking {
		for i, v := range mean {
			row := f.Row(i)
			for j := range row {
				row[j] += v
			}
		}
	}
	return f
}
