package kron

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// TwoStep is two-step kernel ridge regression on a complete graph: first over the rows, then over the columns,
// with a separate λ for each,
//
//	A = (K + λ₁I)⁻¹ Y (G + λ₂I)⁻¹    F = H₁ Y H₂,  H = K(K + λI)⁻¹
//
// (Pahikkala et al. 2014, A two-step learning approach for solving full and almost full cold start problems in
// dyadic prediction; Stock et al. 2018, A comparative study of pairwise learning methods based on kernel ridge
// regression). All four settings have closed forms for holding out. It is safe for concurrent use.
type TwoStep struct {
	y          *data.Dense
	rows, cols *eigen
}

// FactorTwoStep factors the kernel matrices rows, p×p, and cols, r×r, of labels y, p×r (Stock et al. 2018): one
// eigenproblem each, O(p³ + r³), or a single one if they are the same matrix. It returns an error that wraps
// ErrNotPSD, and that of ctx, and panics when the shapes do not fit.
func FactorTwoStep(ctx context.Context, rows, cols, y *data.Dense) (*TwoStep, error) {
	data.Check("kron: rows", rows)
	data.Check("kron: cols", cols)
	data.Check("kron: y", y)
	if rows.Rows != y.Rows || rows.Cols != y.Rows || cols.Rows != y.Cols || cols.Cols != y.Cols {
		panic(fmt.Sprintf("kron: labels of %d×%d with kernels of %d×%d and %d×%d",
			y.Rows, y.Cols, rows.Rows, rows.Cols, cols.Rows, cols.Cols))
	}
	t := &TwoStep{y: y}
	var err error
	if t.rows, t.cols, err = decomposeBoth(ctx, rows, cols, false); err != nil {
		return nil, err
	}
	return t, nil
}

// Relabel returns the same problem with other labels y, p×r, which it keeps, in O(1). It panics when y has
// another shape.
func (t *TwoStep) Relabel(y *data.Dense) *TwoStep {
	data.Check("kron: Relabel: y", y)
	if y.Rows != t.y.Rows || y.Cols != t.y.Cols {
		panic(fmt.Sprintf("kron: labels of %d×%d for a path of %d×%d", y.Rows, y.Cols, t.y.Rows, t.y.Cols))
	}
	return &TwoStep{y, t.rows, t.cols}
}

// Coef returns A = (K + λ₁I)⁻¹ Y (G + λ₂I)⁻¹, p×r, for two values of λ, in four products, O(p²r + pr²). It
// omits the parts outside the ranges of the kernel matrices, which change no score. It panics unless both λ are
// positive and finite.
func (t *TwoStep) Coef(lambdaRows, lambdaCols float64) *data.Dense {
	checkLambda(lambdaRows)
	checkLambda(lambdaCols)
	inverse := func(d, lambda float64) float64 {
		if d == 0 { // changes no score
			return 0
		}
		return 1 / (d + lambda)
	}
	half := t.rows.apply(lambdaRows, inverse, linalg.Mat(*t.y), linalg.Left)
	return dense(t.cols.apply(lambdaCols, inverse, half, linalg.Right))
}

// Scores returns F = H₁YH₂, p×r, in four products, O(p²r + pr²). It panics unless both λ
// are positive and finite.
func (t *TwoStep) Scores(lambdaRows, lambdaCols float64) *data.Dense {
	checkLambda(lambdaRows)
	checkLambda(lambdaCols)
	half := t.rows.apply(lambdaRows, hat, linalg.Mat(*t.y), linalg.Left)
	return dense(t.cols.apply(lambdaCols, hat, half, linalg.Right))
}

func hat(d, lambda float64) float64 { return d / (d + lambda) }

// apply multiplies x by U diag(f(d,λ)) Uᵀ from the left or the right.
func (e *eigen) apply(lambda float64, f func(d, lambda float64) float64, x linalg.Mat, side linalg.Side) linalg.Mat {
	scale := make([]float64, len(e.d))
	for k, d := range e.d {
		scale[k] = f(d, lambda)
	}
	if side == linalg.Left {
		z := e.u.Mul(x)
		scaleRows(z, scale)
		return e.u.TMul(z)
	}
	z := x.MulT(e.u)
	for i := range z.Rows {
		row := z.Row(i)
		for k, s := range scale {
			row[k] *= s
		}
	}
	return z.Mul(e.u)
}

// HoldOut returns the p×r scores of the training pairs, each without its edge, its row, its column or both,
// exactly (Stock et al. 2018, section 4). It holds out in one step at a time: without row i the first step
// predicts (H₁Y − diag(h)Y)/(1 − h), and the second step works alike with columns. A step on whole rows cannot
// leave out a single edge; HoldOut replaces the edge by the value that training then predicts for it: (F −
// hY)/(1 − h) with h = h_i h_j. It costs four products, O(p²r + pr²), and the leverages, O(p² + r²). It panics
// unless both λ are positive and finite and there is such a setting.
func (t *TwoStep) HoldOut(lambdaRows, lambdaCols float64, s Setting) *data.Dense {
	checkLambda(lambdaRows)
	checkLambda(lambdaCols)
	s = resolved(s)
	left, right := t.rows.leverage(lambdaRows), t.cols.leverage(lambdaCols)
	half := t.firstStep(lambdaRows, s == Rows || s == Both)
	f := t.cols.apply(lambdaCols, hat, half, linalg.Right)
	for i := range f.Rows {
		row := f.Row(i)
		for j, h := range right {
			switch s {
			case Cols, Both:
				row[j] = (row[j] - h*half.Row(i)[j]) / (1 - h)
			case Pairs:
				row[j] = (row[j] - left[i]*h*t.y.Row(i)[j]) / (1 - left[i]*h)
			}
		}
	}
	return dense(f)
}

// leverage is the diagonal of H for one λ.
func (e *eigen) leverage(lambda float64) []float64 {
	h := make([]float64, e.u.Cols)
	for k, d := range e.d {
		s := hat(d, lambda)
		for i, u := range e.u.Row(k) {
			h[i] += s * u * u
		}
	}
	return h
}

// Margins returns a function that compares two edges of a row without what the setting calls new in both, as
// [Path.Margins] does. The row, the two columns, or all three are left out of their steps; two columns are a
// system of two unknowns. Two edges are replaced by the values that training then predicts for them. Margins
// costs four products, O(p²r + pr²), another one of O(r³), and O(1) a pair. It panics unless both λ are
// positive and finite, and there is such a setting.
func (t *TwoStep) Margins(lambdaRows, lambdaCols float64, s Setting) MarginsTo {
	checkLambda(lambdaRows)
	checkLambda(lambdaCols)
	s = resolved(s)
	bound := rounding + offBy(t.rows.size, lambdaRows) + offBy(t.cols.size, lambdaCols)
	if s == Rows {
		f := t.HoldOut(lambdaRows, lambdaCols, Rows)
		return marginsWithin(f, bound*widest(linalg.Mat(*f))).checked(t.y.Rows, t.y.Cols)
	}
	half := t.firstStep(lambdaRows, s == Both)
	f := t.cols.apply(lambdaCols, hat, half, linalg.Right)
	smoother := t.cols.smoother(lambdaCols)
	rows, labels := slices.Repeat([]float64{1}, t.y.Rows), half // a column is predicted from them, so leaves them out
	if s == Pairs {
		rows, labels = t.rows.leverage(lambdaRows), linalg.Mat(*t.y)
	}
	to := MarginsTo(func(ctx context.Context, dst []float64, pairs []Compared) error {
		for h, c := range pairs {
			share, a, b := rows[c.Row], smoother.Row(int(c.A)), smoother.Row(int(c.B))
			aa, bb, ab := 1-share*a[c.A], 1-share*b[c.B], share*a[c.B]
			y, scores := labels.Row(int(c.Row)), f.Row(int(c.Row))
			ea, eb, det := y[c.A]-scores[c.A], y[c.B]-scores[c.B], aa*bb-ab*ab
			da, db := (bb*ea+ab*eb)/det, (aa*eb+ab*ea)/det
			size := math.Abs(y[c.A]) + math.Abs(y[c.B]) + math.Abs(da) + math.Abs(db)
			dst[h] = orTied(y[c.A]-da-(y[c.B]-db), bound*size/det)
		}
		return ctx.Err()
	})
	return to.checked(t.y.Rows, t.y.Cols)
}

// firstStep is H₁Y, with without each row without itself.
func (t *TwoStep) firstStep(lambda float64, without bool) linalg.Mat {
	half := t.rows.apply(lambda, hat, linalg.Mat(*t.y), linalg.Left)
	if without {
		for i, h := range t.rows.leverage(lambda) {
			row := half.Row(i)
			for j, y := range t.y.Row(i) {
				row[j] = (row[j] - h*y) / (1 - h)
			}
		}
	}
	return half
}

// smoother is H for one λ.
func (e *eigen) smoother(lambda float64) linalg.Mat {
	scaled := e.u.Clone()
	scale := make([]float64, len(e.d))
	for k, d := range e.d {
		scale[k] = hat(d, lambda)
	}
	scaleRows(scaled, scale)
	return e.u.TMul(scaled)
}
