package comparison

import (
	"fmt"

	"pairrank/comparison/internal/large"
	"pairrank/internal/linalg"
)

// form is the inverse RA⁻¹Rᵀ of a fitted system. A dense one has the matrix, that of a Path a half of it, and a sparse
// system is only solved.
type form interface {
	// whole is the matrix, or a *LargeError of what needs it.
	whole(what string) (linalg.Mat, error)
	// between is G = T A⁻¹ Tᵀ of some rows T. A sparse system has none.
	between(rows []row) linalg.Mat
	// rounding is the largest margin of equal scores, beside the largest score.
	rounding() float64
}

// LargeError reports a question that a large board cannot answer.
type LargeError struct {
	// What needs the inverse of the system.
	What  string
	Items int
}

func (e *LargeError) Error() string {
	return fmt.Sprintf("%s needs the inverse of the system, %.3g GB for %d items, and boards of more than %d have none",
		e.What, 8e-9*float64(e.Items)*float64(e.Items), e.Items, mostDense)
}

// Large reports whether the board has no inverse, because of its items: see Fit.
func (b *Board) Large() bool { return b.s.large }

// inverse is the matrix, without rows for a large board.
func (b *Board) inverse() linalg.Mat {
	k, _ := b.form.whole("")
	return k
}

// dense is the matrix.
type dense linalg.Mat

func (d *dense) whole(string) (linalg.Mat, error) { return linalg.Mat(*d), nil }
func (d *dense) rounding() float64                { return equal }

func (d *dense) between(rows []row) linalg.Mat {
	g := linalg.NewMat(len(rows), len(rows))
	for i := range rows {
		for j := range i + 1 {
			g.Row(i)[j] = product(linalg.Mat(*d), rows[i], rows[j])
			g.Row(j)[i] = g.Row(i)[j]
		}
	}
	return g
}

// halved is the matrix of a board of a Path, half·halfᵀ.
type halved struct {
	half  linalg.Mat
	slack float64 // what rounding leaves of a margin of 0, beside the largest score
}

func (h *halved) whole(string) (linalg.Mat, error) { return gramOf(h.half), nil }
func (h *halved) between(rows []row) linalg.Mat    { return gramOf(inBasis(h.half, rows)) }
func (h *halved) rounding() float64                { return max(equal, h.slack) }

// gramOf is x xᵀ.
func gramOf(x linalg.Mat) linalg.Mat {
	g := linalg.NewMat(x.Rows, x.Rows)
	linalg.Syrk(linalg.Lower, linalg.NoTrans, 1, x, 0, g)
	linalg.Symmetrize(linalg.Lower, g)
	return g
}

// sparse is a system that is only solved.
type sparse struct {
	*large.System
	items int
}

func (l *sparse) whole(what string) (linalg.Mat, error) {
	return linalg.Mat{}, &LargeError{what, l.items}
}
func (l *sparse) between([]row) linalg.Mat { return linalg.Mat{} }
func (l *sparse) rounding() float64        { return equalSolved }

// least is the largest margin of items that are equal.
func (b *Board) least() float64 {
	return b.form.rounding() * (linalg.MaxAbs(b.Scores) + linalg.MaxAbs(b.Gamma))
}

// inBasis are some rows times a basis: a difference of two rows of it each.
func inBasis(basis linalg.Mat, rows []row) linalg.Mat {
	t := linalg.NewMat(len(rows), basis.Cols)
	for i, r := range rows {
		x, y := basis.Row(int(r.at[0])), basis.Row(int(r.at[1]))
		for j := range t.Row(i) {
			t.Row(i)[j] = x[j] - y[j]
		}
	}
	return t
}
