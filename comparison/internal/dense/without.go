package dense

import (
	"math"
	"slices"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/internal/linalg"
)

// Without is what the board says without some lines: their margins, η, and, if asked for, the scores, covariates and η.
type Without struct {
	Margins []float64
	Eta     float64
	Place   []float64
}

// Without leaves out some lines; all says that Place is wanted.
func (b *Fit) Without(lines []int, all bool) Without {
	s := b.System
	rows, pulls := s.rowsOf(lines), b.pulls(lines)
	if len(rows) > s.Unknowns() {
		if out, ok := b.withoutMany(lines, rows, pulls); ok {
			return out
		}
		return b.withoutRest(lines, rows, pulls, all)
	}
	e, moved, ok := b.solveSet(rows, pulls)
	if !ok {
		return b.withoutRest(lines, rows, pulls, all)
	}
	out := Without{Margins: make([]float64, len(lines)), Eta: b.Eta()}
	for a, c := range lines {
		out.Margins[a] = b.Margins[c] - moved[a*s.pullWidth()]
	}
	if s.EtaAt >= 0 && len(lines) > 0 {
		out.Eta -= moved[1]
	}
	if !all {
		return out
	}
	out.Place = slices.Clone(b.Place)
	sum := make([]float64, s.Dims())
	for r, v := range e {
		rows[r].Axpy(v, sum)
	}
	inverse := b.Inverse()
	for i, v := range sum {
		if v != 0 {
			linalg.Axpy(-v, inverse.Row(i), out.Place)
		}
	}
	return out
}

// pullWidth is how many rows a line has: for f, and with Davidson's ties for η.
func (s *System) pullWidth() int {
	if s.EtaAt >= 0 {
		return 2
	}
	return 1
}

// rowsOf are the rows of some lines.
func (s *System) rowsOf(lines []int) []Row {
	rows := make([]Row, 0, len(lines)*s.pullWidth())
	for _, c := range lines {
		rows = append(rows, s.Row(c))
		if s.EtaAt >= 0 {
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
func (b *Fit) pulls(lines []int) []pull {
	out := make([]pull, len(lines))
	eta := b.Eta()
	for a, c := range lines {
		t, _ := b.Loss.Line(&b.Lines[c], b.Margins[c], eta)
		out[a] = b.pullOf(c, t)
	}
	return out
}

// pullOf is the pull of some outcomes of line c with terms t; where bias is reduced, with their share of Firth's term.
func (b *Fit) pullOf(c int, t outcome.Terms) pull {
	if b.BiasReduced {
		r := b.Row(c)
		t.G[0] += t.V[0] * Product(b.Inverse(), r, r) * (0.5 - outcome.Logistic(b.Margins[c]))
	}
	return pull{t.G, t.V}
}

// Undetermined is the pivot of I − CᵀGC below which the system of the lines that stay is made anew.
const Undetermined = 1e-9

// determined factors I − CᵀGC in its lower triangle, and reports whether no pivot is below Undetermined.
func determined(a linalg.Mat) bool {
	if _, positive := linalg.Cholesky(linalg.Lower, a); !positive {
		return false
	}
	for i := range a.Rows {
		if d := a.Row(i)[i]; d*d < Undetermined {
			return false
		}
	}
	return true
}

// solveSet returns e = (I − VG)⁻¹ g and Ge, false where the other lines hardly determine the margins.
func (b *Fit) solveSet(rows []Row, pulls []pull) (e, moved []float64, ok bool) {
	if len(rows) == 1 {
		g := b.form.between(rows).Data[0]
		rest := 1 - pulls[0].v[0]*g
		if rest < Undetermined {
			return nil, nil, false
		}
		e := pulls[0].g[0] / rest
		return []float64{e}, []float64{g * e}, true
	}
	width, n := b.pullWidth(), len(rows)
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
	if !determined(a) {
		return nil, nil, false
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

// withoutRest is Without by the system A' of the lines that stay: θ' = θ − A'⁻¹ Tᵀg.
func (b *Fit) withoutRest(lines []int, rows []Row, pulls []pull, all bool) Without {
	s := b.System
	h, parts := s.Pins, (*data.Partition)(nil)
	if h != nil {
		if parts = s.Connected(lines); parts.Len() == h.Parts.Len() {
			parts = nil
		} else {
			h = s.pinsOf(parts)
		}
	}
	apart := func(c int) bool {
		l := &s.Lines[c]
		return parts != nil && parts.Of()[l.Left] != parts.Of()[l.Right]
	}
	some := all
	for _, c := range lines {
		some = some || !apart(c)
	}
	if !some {
		return s.unknown(lines)
	}
	eta := b.Eta()
	a := b.moments(incidence.Others(len(s.Lines), lines), func(c int) [3]float64 {
		t, _ := s.Loss.Line(&s.Lines[c], b.Margins[c], eta)
		return t.V
	})
	if s.Factor(a, h) != nil {
		return s.unknown(lines)
	}
	sum := make([]float64, s.Dims())
	for r := range rows {
		rows[r].Axpy(-pulls[r/s.pullWidth()].g[r%s.pullWidth()], sum)
	}
	delta := s.reduceVector(sum)
	linalg.CholeskySolve(linalg.Lower, a, linalg.Column(delta))
	out := Without{Place: slices.Clone(b.Place), Margins: make([]float64, len(lines))}
	linalg.Axpy(1, s.expand(delta), out.Place)
	out.Eta = s.EtaOf(out.Place)
	for k, c := range lines {
		out.Margins[k] = s.Row(c).Dot(out.Place)
		if apart(c) {
			out.Margins[k] = math.NaN()
		}
	}
	if parts != nil {
		centre(out.Place, parts)
	}
	return out
}

// unknown is what the others do not determine.
func (s *System) unknown(lines []int) Without {
	out := Without{make([]float64, len(lines)), math.NaN(), make([]float64, s.Dims())}
	for _, x := range [][]float64{out.Margins, out.Place} {
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

// Single returns the margins and η of line c without one of its outcomes, for each kind: NaN for a margin that the
// others do not determine, or of an outcome that the line does not have. A count below 1 leaves as a whole.
func (b *Fit) Single(c int) (margins, etas [3]float64) {
	s, l := b.System, &b.Lines[c]
	eta := b.Eta()
	rows, one := []Row{s.Row(c), s.etaRow}[:s.pullWidth()], make([]pull, 1)
	for k, n := range l.Counts() {
		margins[k], etas[k] = math.NaN(), eta
		if n == 0 {
			continue
		}
		t := s.Loss.Of(l, b.Margins[c], eta, outcome.Kind(k))
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
			if s.EtaAt >= 0 {
				etas[k] -= moved[1]
			}
		}
	}
	return margins, etas
}

// withoutMany is the margins without more lines than unknowns, of a board of a Path: with P = TZ (d+λ)^(-1/2) and the
// system I − PᵀVP of the lines that stay, in O(h k² + k³). It is not ok for other boards, and where the others hardly
// determine the scores.
func (b *Fit) withoutMany(lines []int, rows []Row, pulls []pull) (out Without, ok bool) {
	h, is := b.form.(*halved)
	if !is {
		return out, false
	}
	k := h.half.Cols
	p, rhs := inBasis(h.half, rows), linalg.NewMat(k, 1)
	weighted := p.Clone()
	for a := range rows {
		linalg.Axpy(pulls[a].g[0], p.Row(a), rhs.Data)
		linalg.Scal(math.Sqrt(pulls[a].v[0]), weighted.Row(a))
	}
	m := linalg.NewMat(k, k)
	linalg.Syrk(linalg.Lower, linalg.T, -1, weighted, 0, m)
	for j := range k {
		m.Row(j)[j]++
	}
	if !determined(m) {
		return out, false
	}
	linalg.CholeskySolve(linalg.Lower, m, rhs)
	out.Margins = make([]float64, len(lines))
	for a, c := range lines {
		out.Margins[a] = b.Margins[c] - linalg.Dot(p.Row(a), rhs.Data)
	}
	return out, true
}

// moments is RᵀTᵀVTR of some lines. For a board of a Path it takes the lines as they are in the basis, without a matrix
// of the items.
func (b *Fit) moments(lines []int, v func(c int) [3]float64) linalg.Mat {
	s := b.System
	if _, is := b.form.(*halved); !is {
		return s.reduce(s.Gram(lines, v))
	}
	a := linalg.NewMat(s.k, s.k)
	const panel = 256
	for lo := 0; lo < len(lines); lo += panel {
		some := lines[lo:min(lo+panel, len(lines))]
		t := inBasis(s.Basis, s.rowsOf(some))
		for i, c := range some {
			linalg.Scal(math.Sqrt(v(c)[0]), t.Row(i))
		}
		linalg.Syrk(linalg.Lower, linalg.T, 1, t, 1, a)
	}
	linalg.Symmetrize(linalg.Lower, a)
	return a
}
