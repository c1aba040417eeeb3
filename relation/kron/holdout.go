package kron

import (
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Setting is what is new when an edge is predicted (Pahikkala et al. 2013,
// section 1.2). "" is Pairs.
//
// Of one domain with an Arbitrary relation one direction is left out: with Pairs (v,u)
// stays where (u,v) is left out, and with Rows and Cols a node is new on that side alone.
// Where their labels are equal or opposite, what stays tells what was left out, and the
// error is smaller than that of what is new: such labels need a relation that is Symmetric
// or Reciprocal.
type Setting string

const (
	// Pairs are known nodes with an edge that was not seen: setting 1.
	Pairs Setting = "pairs"
	// Rows are new row nodes, with known columns: setting 2.
	Rows Setting = "rows"
	// Cols are new column nodes, for known rows: setting 3.
	Cols Setting = "cols"
	// Both are a new row and a new column: setting 4.
	Both Setting = "both"
)

// Settings are the names of all settings.
var Settings = []Setting{Pairs, Rows, Cols, Both}

// resolved is s with its default; it panics where there is no such setting.
func (s Setting) resolved() Setting {
	if s == "" {
		return Pairs
	}
	if !slices.Contains(Settings, s) {
		panic(fmt.Sprintf("kron: unknown setting %q: known are %v", string(s), Settings))
	}
	return s
}

// NotExactError says that a setting has no exact shortcut.
type NotExactError struct {
	Setting Setting
	Reason  string
}

func (e *NotExactError) Error() string {
	return fmt.Sprintf("leaving out %s is not exact here: %s", e.Setting, e.Reason)
}

// Exact returns nil where HoldOut has a shortcut for the setting, else a *NotExactError
// with the reason. It panics where there is no such setting. Cost
// O(1).
func (p *Path) Exact(s Setting) error {
	s = s.resolved()
	switch {
	case p.o.Relation != Arbitrary:
		return &NotExactError{s, fmt.Sprintf("the edges (u,v) and (v,u) of a %s relation have to be left out together", p.o.Relation)}
	case s == Both:
		return &NotExactError{s, "every pair of a row and a column is a problem of its own: HoldOutBoth solves them one by one"}
	}
	return nil
}

// HoldOut returns the p×r scores of the training pairs, each as a training without its
// edge (Pairs), without the edges of its row (Rows) or of its column (Cols) would give
// it. The nodes stay in the regulariser, where without a loss they change nothing. With
// the smoother S of f = SLy, Q = (L − LSL)/λ and a = L(y−f)/λ, the scores of the held-out
// edges H are
//
//	f'_H = f_H − (SL)_HH Q_HH⁺ a_H
//
// (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for
// learning to rank from preference graphs, section 3.4, lemma 2, for any quadratic loss).
// For a row or a column, both matrices are diagonal in the eigenvectors of the other side.
// It costs up to eight products, O(p²r + pr²). It returns a *NotExactError where there is
// no shortcut, and panics unless λ is positive and finite and there is such a setting.
func (p *Path) HoldOut(lambda float64, s Setting) (*data.Dense, error) {
	checkLambda(lambda)
	s = s.resolved()
	if err := p.Exact(s); err != nil {
		return nil, err
	}
	m := p.middle(lambda)
	mid := compact(m)
	times(mid, p.e)
	a, scores := p.turnBack(mid), (&Fit{path: p, mid: mid}).Scores()
	switch s {
	case Pairs:
		p.withoutEdges(scores, dense(a), m)
	case Rows:
		p.withoutRows(scores, dense(a), m)
	default:
		p.withoutCols(scores, dense(a), m)
	}
	return scores, nil
}

// withoutEdges takes Q_hh and (SL)_hh of every edge h = (i,j) from squares of
// eigenvectors:
//
//	Q_hh = Σ u_ik² m_kl v_jl²    (SL)_hh = Σ u_ik² d_k m_kl w_jl v_jl
//
// with v the eigenvectors of the columns and w = Gv.
func (p *Path) withoutEdges(f, a *data.Dense, m linalg.Mat) {
	squares := hadamard(p.rows.u, p.rows.u)
	half := multiply(linalg.NoTrans, m, hadamard(p.cols.u, p.cols.u))
	q := multiply(linalg.T, squares, half)
	half = multiply(linalg.NoTrans, m, hadamard(p.cols.u, p.weighted))
	scaleRows(half, p.rows.d)
	g := multiply(linalg.T, squares, half)
	parallel.Chunks(f.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := f.Row(i)
			for j, d := range a.Row(i) {
				if q.Row(i)[j] > 0 {
					row[j] -= g.Row(i)[j] * d / q.Row(i)[j]
				}
			}
		}
	})
}

// withoutRows leaves out row i: with q_il = Σ_k u_ik² m_kl and g_il = Σ_k u_ik²
// d_k m_kl, Q_HH = V diag(q_i) Vᵀ and (SL)_HH = W diag(g_i) Vᵀ, so that f'_i = f_i −
// W(g_i/q_i ∘ Vᵀa_i), where p.weighted is Wᵀ.
func (p *Path) withoutRows(f, a *data.Dense, m linalg.Mat) {
	squares := hadamard(p.rows.u, p.rows.u)
	q := multiply(linalg.T, squares, m)
	scaled := compact(m)
	scaleRows(scaled, p.rows.d)
	g := multiply(linalg.T, squares, scaled)
	z := linalg.NewMat(a.Rows, p.cols.u.Rows)
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, linalg.Mat(*a), p.cols.u, 0, z)
	ratio(z, g, q)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, -1, z, p.weighted, 1, linalg.Mat(*f))
}

// withoutCols leaves out column j: with q_kj = Σ_l m_kl v_jl² and g_kj = d_k Σ_l
// m_kl w_jl v_jl, Q_HH = U diag(q_j) Uᵀ and (SL)_HH = U diag(g_j) Uᵀ.
func (p *Path) withoutCols(f, a *data.Dense, m linalg.Mat) {
	q := multiply(linalg.NoTrans, m, hadamard(p.cols.u, p.cols.u))
	g := multiply(linalg.NoTrans, m, hadamard(p.cols.u, p.weighted))
	scaleRows(g, p.rows.d)
	z := multiply(linalg.NoTrans, p.rows.u, linalg.Mat(*a))
	ratio(z, g, q)
	linalg.Gemm(linalg.T, linalg.NoTrans, -1, p.rows.u, z, 1, linalg.Mat(*f))
}

// ratio multiplies z by g/q, entry by entry; q is 0 only where g is.
func ratio(z, g, q linalg.Mat) {
	parallel.Chunks(z.Rows, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := z.Row(i)
			for j, v := range q.Row(i) {
				if v > 0 {
					row[j] *= g.Row(i)[j] / v
				} else {
					row[j] = 0
				}
			}
		}
	})
}

// hadamard is the product of two matrices entry by entry.
func hadamard(a, b linalg.Mat) linalg.Mat {
	s := compact(a)
	times(s, b)
	return s
}
