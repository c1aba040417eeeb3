package comparison

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// HoldOut predicts each of some sets of lines as if it had been left out of training. emit receives, for
// set g, the margins of its lines in their order, and the scores of all items without it; of items, or of
// margins, that the others do not determine, NaN. It must not keep them, and may be called from several
// goroutines. Sets may overlap.
//
// With the rows T of the set, its terms g and V at the optimum, and G = T A⁻¹ Tᵀ,
//
//	e = (I − VG)⁻¹ g        f' = f − G e        s' = s − A⁻¹ Tᵀ e
//
// which is exact for the squared loss. For the logistic loss it is one Newton step from the optimum of all,
// with the curvature of the other lines: an approximation, and ν stays where it moves by this step. Firth's
// term of the other lines is held fixed. A set of h lines costs O(h³ + h²p), or where that is more than the unknowns
// O(k³), and O(E h) for the scores.
func (b *Board) HoldOut(sets [][]int, emit func(g int, margins, scores []float64)) {
	parallel.For(len(sets), func(_, g int) {
		margins, place := b.without(sets[g])
		emit(g, margins, place[:b.s.items])
	})
}

// without are the margins of some lines, and the scores, covariates and η, when they are left out.
func (b *Board) without(lines []int) (margins, place []float64) {
	s := b.s
	rows, pulls := s.rowsOf(lines), b.pulls(lines)
	place = append(append(append([]float64(nil), b.Scores...), b.Gamma...), b.eta()...)
	e, ok := b.solveSet(lines, rows, pulls)
	if !ok {
		for i := range place {
			place[i] = math.NaN()
		}
		margins = make([]float64, len(lines))
		for a := range margins {
			margins[a] = math.NaN()
		}
		return margins, place
	}
	sum := make([]float64, s.dims())
	for r, v := range e {
		rows[r].axpy(v, sum)
	}
	for i, v := range sum {
		if v != 0 {
			for j, w := range b.inverse.Row(i) {
				place[j] -= v * w
			}
		}
	}
	for _, c := range lines {
		margins = append(margins, s.rowOf(c).dot(place))
	}
	return margins, place
}

// eta is log ν in a list, which is empty for other losses.
func (b *Board) eta() []float64 {
	if b.s.eta < 0 {
		return nil
	}
	return []float64{math.Log(b.Nu)}
}

// rowsOf are the rows of some lines: one each, or for Davidson's ties two.
func (s *system) rowsOf(lines []int) []row {
	var rows []row
	for _, c := range lines {
		rows = append(rows, s.rowOf(c))
		if s.eta >= 0 {
			rows = append(rows, s.etaRow())
		}
	}
	return rows
}

// pull is what a set of outcomes that leave pulls at: g, and V as its Cholesky factor, of one or two rows.
type pull struct {
	g [2]float64
	v [3]float64
}

// pulls are those of all outcomes of some lines.
func (b *Board) pulls(lines []int) []pull {
	out := make([]pull, len(lines))
	eta := b.eta()
	eta = append(eta, 0)
	for a, c := range lines {
		t, _ := b.s.o.lineTerms(&b.s.p.Lines[c], b.Margins[c], eta[0])
		out[a] = pull{t.g, t.v}
	}
	return out
}

// undetermined is the pivot of I − CᵀGC below which those that stay do not determine what leaves.
const undetermined = 1e-9

// solveSet returns e = (I − VG)⁻¹ g, false where the other lines do not determine the margins.
func (b *Board) solveSet(lines []int, rows []row, pulls []pull) (e []float64, ok bool) {
	width := 1 // rows of a line
	if b.s.eta >= 0 {
		width = 2
	}
	if len(rows) > b.s.unknowns() {
		return b.solveRest(lines, rows, pulls, width)
	}
	n := len(rows)
	// With V = CCᵀ in blocks: e = C (I − CᵀGC)⁻¹ C⁻¹ g.
	factors := make([][3]float64, len(pulls)) // c₀₀, c₁₀, c₁₁
	rhs := linalg.NewMat(n, 1)
	for a, p := range pulls {
		f := &factors[a]
		f[0] = math.Sqrt(p.v[0])
		if f[0] > 0 {
			rhs.Data[a*width] = p.g[0] / f[0]
		}
		if width == 2 {
			if f[0] > 0 {
				f[1] = p.v[1] / f[0]
			}
			f[2] = math.Sqrt(max(0, p.v[2]-f[1]*f[1]))
			if f[2] > 0 {
				rhs.Data[2*a+1] = (p.g[1] - f[1]*rhs.Data[2*a]) / f[2]
			}
		}
	}
	g := linalg.NewMat(n, n)
	for i := range n {
		for j := range i + 1 {
			g.Row(i)[j] = product(b.inverse, rows[i], rows[j])
			g.Row(j)[i] = g.Row(i)[j]
		}
	}
	for a := range pulls { // CᵀGC
		scale(g, a*width, factors[a], width)
	}
	for i := range n {
		for j := range i + 1 {
			g.Row(i)[j] = -g.Row(i)[j]
		}
		g.Row(i)[i]++
	}
	if _, ok := linalg.Cholesky(linalg.Lower, g); !ok {
		return nil, false
	}
	for i := range n {
		if d := g.Row(i)[i]; d*d < undetermined {
			return nil, false
		}
	}
	linalg.CholeskySolve(linalg.Lower, g, rhs)
	e = rhs.Data
	for a, f := range factors {
		if width == 2 {
			e[2*a], e[2*a+1] = f[0]*e[2*a], f[1]*e[2*a]+f[2]*e[2*a+1]
		} else {
			e[a] *= f[0]
		}
	}
	return e, true
}

// scale multiplies the rows and columns of one block of a symmetric matrix by its factor: CᵀGC.
func scale(g linalg.Mat, at int, f [3]float64, width int) {
	for j := range g.Cols {
		if width == 2 {
			g.Row(at)[j], g.Row(at + 1)[j] = f[0]*g.Row(at)[j]+f[1]*g.Row(at + 1)[j], f[2]*g.Row(at + 1)[j]
		} else {
			g.Row(at)[j] *= f[0]
		}
	}
	for i := range g.Rows {
		r := g.Row(i)
		if width == 2 {
			r[at], r[at+1] = f[0]*r[at]+f[1]*r[at+1], f[2]*r[at+1]
		} else {
			r[at] *= f[0]
		}
	}
}

// solveRest is solveSet for many lines, by the system of those that stay: with δ = A'⁻¹ Tᵀg, e = g + V T δ.
func (b *Board) solveRest(lines []int, rows []row, pulls []pull, width int) (e []float64, ok bool) {
	s := b.s
	out := make([]bool, len(s.p.Lines))
	for _, c := range lines {
		out[c] = true
	}
	var stay []int
	for c := range out {
		if !out[c] {
			stay = append(stay, c)
		}
	}
	eta := append(b.eta(), 0)[0]
	a := s.reduce(s.gram(stay, func(c int) [3]float64 {
		t, _ := s.o.lineTerms(&s.p.Lines[c], b.Margins[c], eta)
		return t.v
	}))
	if s.factor(a) != nil || s.pin != nil && !s.staysConnected(stay) {
		return nil, false
	}
	sum := make([]float64, s.dims())
	for r := range rows {
		rows[r].axpy(pulls[r/width].g[r%width], sum)
	}
	delta := s.reduceVector(sum)
	linalg.CholeskySolve(linalg.Lower, a, linalg.Mat{Rows: len(delta), Cols: 1, Stride: 1, Data: delta})
	place := s.expand(delta)
	e = make([]float64, len(rows))
	for k, p := range pulls {
		f := rows[k*width].dot(place)
		if width == 1 {
			e[k] = p.g[0] + p.v[0]*f
			continue
		}
		h := place[s.eta]
		e[2*k], e[2*k+1] = p.g[0]+p.v[0]*f+p.v[1]*h, p.g[1]+p.v[1]*f+p.v[2]*h
	}
	return e, true
}

// staysConnected reports whether some lines connect all that all lines connect.
func (s *system) staysConnected(stay []int) bool {
	rest := *s.p
	rest.Lines = nil
	for _, c := range stay {
		rest.Lines = append(rest.Lines, s.p.Lines[c])
	}
	return rest.informative(s.o).Components().Len() == s.parts.Len()
}

// Single returns the margin of line c when one outcome of it is left out: a win of the left side, one of the
// right side, or a tie; NaN where the line has none of them, or the others do not determine the margin. It is HoldOut of
// a part of a line, in O(p²).
func (b *Board) Single(c int) (margins [3]float64) {
	s, l := b.s, &b.s.p.Lines[c]
	rows := s.rowsOf([]int{c})
	eta := append(b.eta(), 0)[0]
	for k, n := range l.counts() {
		margins[k] = math.NaN()
		if n == 0 {
			continue
		}
		share := min(1, n) // a count below 1 leaves as a whole
		t := s.o.of(b.Margins[c], eta, l.magnitude(), outcome(k))
		w := l.weight() * share
		for i := range t.g {
			t.g[i] *= w
		}
		for i := range t.v {
			t.v[i] *= w
		}
		one := []pull{{t.g, t.v}}
		if e, ok := b.solveSet(nil, rows, one); ok {
			margins[k] = b.Margins[c]
			for r, v := range e {
				margins[k] -= product(b.inverse, rows[0], rows[r]) * v
			}
		}
	}
	return margins
}
