package comparison

import (
	"math"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// HoldOut predicts each of some sets of lines as if it had been left out of training. emit receives, for
// set g, the margins of its lines in their order, and the scores of all items without it. It must not keep
// them, and may be called from several goroutines. Sets may overlap. Without features and at λ = 0, where the other
// lines fall into several components, each of these has scores of mean 0; the margin between two of them, and
// the score of an item that no other line compares, is NaN. Where the others do not determine coefficients of features
// or covariates, all are NaN.
//
// With the rows T of the set, its terms g and V at the optimum, and G = T A⁻¹ Tᵀ,
//
//	e = (I − VG)⁻¹ g        f' = f − G e        s' = s − A⁻¹ Tᵀ e
//
// which is exact for the squared loss. For the logistic loss it is one Newton step from the optimum of all,
// with the curvature of the other lines: an approximation, in which ν takes the same step, and Firth's
// terms of the other lines stay as they are. A set of h lines costs O(h³ + h²p), or where that is more than the
// unknowns O(k³), and O(E h) for the scores. It returns a *LargeError of a large board.
func (b *Board) HoldOut(sets [][]int, emit func(g int, margins, scores []float64)) error {
	if _, err := b.form.whole("leaving out sets of lines"); err != nil {
		return err
	}
	parallel.For(len(sets), func(_, g int) {
		w := b.without(sets[g], true)
		emit(g, w.margins, w.place[:b.s.items])
	})
	return nil
}

// without is what the board says without some lines: their margins, η, and, if asked for, the scores, covariates and η.
type without struct {
	margins []float64
	eta     float64
	place   []float64
}

// without leaves out some lines.
func (b *Board) without(lines []int, all bool) without {
	s := b.s
	rows, pulls := s.rowsOf(lines), b.pulls(lines)
	if len(rows) > s.unknowns() {
		if out, ok := b.withoutMany(lines, rows, pulls); ok {
			return out
		}
		return b.withoutRest(lines, rows, pulls, all)
	}
	e, moved, ok := b.solveSet(rows, pulls)
	if !ok {
		return b.withoutRest(lines, rows, pulls, all)
	}
	out := without{margins: make([]float64, len(lines)), eta: b.eta()}
	for a, c := range lines {
		out.margins[a] = b.Margins[c] - moved[a*s.pullWidth()]
	}
	if s.eta >= 0 && len(lines) > 0 {
		out.eta -= moved[1]
	}
	if !all {
		return out
	}
	out.place = b.place()
	sum := make([]float64, s.dims())
	for r, v := range e {
		rows[r].axpy(v, sum)
	}
	inverse := b.inverse()
	for i, v := range sum {
		if v != 0 {
			linalg.Axpy(-v, inverse.Row(i), out.place)
		}
	}
	return out
}

// place is the scores, covariates and η.
func (b *Board) place() []float64 {
	out := append(append(make([]float64, 0, b.s.dims()), b.Scores...), b.Gamma...)
	if b.s.eta >= 0 {
		out = append(out, b.eta())
	}
	return out
}

// eta is log ν, 0 for losses without it.
func (b *Board) eta() float64 {
	if b.s.eta < 0 {
		return 0
	}
	return math.Log(b.Nu)
}

// pullWidth is how many rows a line has: for f, and with Davidson's ties for η.
func (s *system) pullWidth() int {
	if s.eta >= 0 {
		return 2
	}
	return 1
}

// rowsOf are the rows of some lines.
func (s *system) rowsOf(lines []int) []row {
	rows := make([]row, 0, len(lines)*s.pullWidth())
	for _, c := range lines {
		rows = append(rows, s.rowOf(c))
		if s.eta >= 0 {
			rows = append(rows, s.etaRow)
		}
	}
	return rows
}

// pull is what outcomes of a line that leave pull at: g and V, of one or two rows.
type pull struct {
	g [2]float64
	v [3]float64
}

// pulls are those of all outcomes of some lines.
func (b *Board) pulls(lines []int) []pull {
	out := make([]pull, len(lines))
	eta := b.eta()
	for a, c := range lines {
		t, _ := b.s.loss.Line(&b.s.p.Lines[c], b.Margins[c], eta)
		out[a] = b.pullOf(c, t)
	}
	return out
}

// pullOf is the pull of some outcomes of line c with terms t; where bias is reduced, with their share of Firth's term.
func (b *Board) pullOf(c int, t outcome.Terms) pull {
	if b.s.o.BiasReduced {
		r := b.s.rowOf(c)
		t.G[0] += t.V[0] * product(b.inverse(), r, r) * (0.5 - outcome.Logistic(b.Margins[c]))
	}
	return pull{t.G, t.V}
}

// undetermined is the pivot of I − CᵀGC below which the system of the lines that stay is made anew.
const undetermined = 1e-9

// solveSet returns e = (I − VG)⁻¹ g and Ge, false where the other lines hardly determine the margins.
func (b *Board) solveSet(rows []row, pulls []pull) (e, moved []float64, ok bool) {
	if len(rows) == 1 {
		g := b.form.between(rows).Data[0]
		rest := 1 - pulls[0].v[0]*g
		if rest < undetermined {
			return nil, nil, false
		}
		e := pulls[0].g[0] / rest
		return []float64{e}, []float64{g * e}, true
	}
	width, n := b.s.pullWidth(), len(rows)
	// With V = CCᵀ in blocks: e = C (I − CᵀGC)⁻¹ C⁻¹ g.
	factors, rhs := factorsOf(pulls, width)
	g := b.form.between(rows)
	a := g.Clone()
	for k, f := range factors { // CᵀGC
		scale(a, k*width, f, width)
	}
	for i := range n {
		for j := range i + 1 {
			a.Row(i)[j] = -a.Row(i)[j]
		}
		a.Row(i)[i]++
	}
	if _, ok := linalg.Cholesky(linalg.Lower, a); !ok {
		return nil, nil, false
	}
	for i := range n {
		if d := a.Row(i)[i]; d*d < undetermined {
			return nil, nil, false
		}
	}
	linalg.CholeskySolve(linalg.Lower, a, rhs)
	e = rhs.Data
	for k, f := range factors {
		if width == 2 {
			e[2*k], e[2*k+1] = f[0]*e[2*k], f[1]*e[2*k]+f[2]*e[2*k+1]
		} else {
			e[k] *= f[0]
		}
	}
	moved = make([]float64, n)
	linalg.Gemv(linalg.NoTrans, 1, g, e, 0, moved)
	return e, moved, true
}

// factorsOf are the blocks c₀₀, c₁₀, c₁₁ of C with V = CCᵀ, and C⁻¹g.
func factorsOf(pulls []pull, width int) ([][3]float64, linalg.Mat) {
	factors, rhs := make([][3]float64, len(pulls)), linalg.NewMat(width*len(pulls), 1)
	for k, p := range pulls {
		f := &factors[k]
		if f[0] = math.Sqrt(p.v[0]); f[0] > 0 {
			rhs.Data[k*width] = p.g[0] / f[0]
		}
		if width == 1 {
			continue
		}
		if f[0] > 0 {
			f[1] = p.v[1] / f[0]
		}
		if f[2] = math.Sqrt(max(0, p.v[2]-f[1]*f[1])); f[2] > 0 {
			rhs.Data[2*k+1] = (p.g[1] - f[1]*rhs.Data[2*k]) / f[2]
		}
	}
	return factors, rhs
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

// withoutRest is without by the system A' of the lines that stay: θ' = θ − A'⁻¹ Tᵀg.
func (b *Board) withoutRest(lines []int, rows []row, pulls []pull, all bool) without {
	s := b.s
	h, parts := s.pins, (*data.Partition)(nil)
	if h != nil {
		if parts = s.connectedWithout(lines); parts.Len() == h.parts.Len() {
			parts = nil
		} else {
			h = s.pinsOf(parts)
		}
	}
	apart := func(c int) bool {
		l := &s.p.Lines[c]
		return parts != nil && parts.Of()[l.Left] != parts.Of()[l.Right]
	}
	some := all
	for _, c := range lines {
		some = some || !apart(c)
	}
	if !some {
		return s.unknown(lines)
	}
	eta := b.eta()
	a := b.moments(s.p.others(lines), func(c int) [3]float64 {
		t, _ := s.loss.Line(&s.p.Lines[c], b.Margins[c], eta)
		return t.V
	})
	if s.factor(a, h) != nil {
		return s.unknown(lines)
	}
	sum := make([]float64, s.dims())
	for r := range rows {
		rows[r].axpy(-pulls[r/s.pullWidth()].g[r%s.pullWidth()], sum)
	}
	delta := s.reduceVector(sum)
	linalg.CholeskySolve(linalg.Lower, a, linalg.Mat{Rows: len(delta), Cols: 1, Stride: 1, Data: delta})
	out := without{place: b.place(), margins: make([]float64, len(lines))}
	linalg.Axpy(1, s.expand(delta), out.place)
	if s.eta >= 0 {
		out.eta = out.place[s.eta]
	}
	for k, c := range lines {
		out.margins[k] = s.rowOf(c).dot(out.place)
		if apart(c) {
			out.margins[k] = math.NaN()
		}
	}
	if parts != nil {
		centre(out.place, parts)
	}
	return out
}

// connectedWithout are the items that comparisons connect where some lines are left out.
func (s *system) connectedWithout(lines []int) *data.Partition {
	out := s.p.leftOut(lines)
	return s.p.connected(func(c int) bool { return !out[c] && s.loss.Says(&s.p.Lines[c]) })
}

// leftOut marks some lines among all.
func (p *Problem) leftOut(lines []int) []bool {
	out := make([]bool, len(p.Lines))
	for _, c := range lines {
		out[c] = true
	}
	return out
}

// others are the lines that stay where some are left out.
func (p *Problem) others(lines []int) (stay []int) {
	out := p.leftOut(lines)
	for c := range out {
		if !out[c] {
			stay = append(stay, c)
		}
	}
	return stay
}

// unknown is what the others do not determine.
func (s *system) unknown(lines []int) without {
	out := without{make([]float64, len(lines)), math.NaN(), make([]float64, s.dims())}
	for _, x := range [][]float64{out.margins, out.place} {
		for i := range x {
			x[i] = math.NaN()
		}
	}
	return out
}

// centre takes the mean of each component from its scores; alone an item has none.
func centre(place []float64, parts *data.Partition) {
	incidence.Centre(place, parts)
	for g := range parts.Len() {
		if set := parts.Part(g); len(set) == 1 {
			place[set[0]] = math.NaN()
		}
	}
}

// Single returns the three margins of line c without one of its outcomes: a win of the left side, one of the right
// side, or a tie. A margin is NaN if the line has no such outcome, the others do not determine the margin, or the board
// is large. A count below 1 leaves as a whole. Single is HoldOut of a part of a line, in O(p²).
func (b *Board) Single(c int) (margins [3]float64) {
	if _, err := b.form.whole("leaving out an outcome"); err != nil {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	margins, _ = b.single(c)
	return margins
}

// single is Single with η.
func (b *Board) single(c int) (margins, etas [3]float64) {
	s, l := b.s, &b.s.p.Lines[c]
	eta := b.eta()
	rows, one := []row{s.rowOf(c), s.etaRow}[:s.pullWidth()], make([]pull, 1)
	for k, n := range l.Counts() {
		margins[k], etas[k] = math.NaN(), eta
		if n == 0 {
			continue
		}
		t := s.loss.Of(b.Margins[c], eta, l.WinMagnitude(), outcome.Kind(k))
		w := l.OutcomeWeight() * min(1, n)
		for i := range t.G {
			t.G[i] *= w
		}
		for i := range t.V {
			t.V[i] *= w
		}
		one[0] = b.pullOf(c, t)
		if _, moved, ok := b.solveSet(rows, one); ok {
			margins[k] = b.Margins[c] - moved[0]
			if s.eta >= 0 {
				etas[k] -= moved[1]
			}
		}
	}
	return margins, etas
}
