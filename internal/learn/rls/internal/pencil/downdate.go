package pencil

import (
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// downdateIsCheaper compares the multiplications of the two ways to hold out h
// rows of a primal problem for n values of λ.
func (p *Pencil) downdateIsCheaper(h, n int) bool {
	k, rows, lambdas := float64(len(p.Eigenvalues)), float64(h), float64(n)
	lemma := rows*k*k + lambdas*(rows*rows*k/2+rows*rows*rows/6+2*rows*k)
	downdate := rows*k*k/2 + 2*k*k*k/3 + lambdas*(k*k+rows*k)
	return downdate < lemma
}

// holdOutByDowndate holds out whole components, or part of a single list, by downdating the
// moments. A' = A − A_H is made tridiagonal by an orthogonal transformation, so that each λ costs
// O(k² + hk).
func (p *Pencil) holdOutByDowndate(s *scratch, source Source, ho HoldOut, g int, h []int32) {
	k, v := len(p.Eigenvalues), p.Outputs()
	if s.tri == nil {
		s.tri = linalg.NewTridiagonal(k)
		s.moments = Moments{linalg.NewMat(k, k), linalg.NewMat(k, v)}
	}
	a, b := s.moments.A, s.moments.B
	if c := p.listWeight(); c > 0 {
		p.downdateList(s, source, c, h)
	} else {
		source.MomentsTo(s.moments, h)
		p.downdate(a, b)
	}
	s.tri.Reduce(a)
	n := len(ho.Lambdas)
	w := sized(&s.w, n*v, k) // row l·v + c is the solution for output c
	rhs := sized(&s.c, v, k)
	for c := range v {
		for j := range k {
			rhs.Row(c)[j] = b.Row(j)[c]
		}
	}
	s.tri.MulQT(rhs)
	lambdas := ho.Lambdas
	if ho.Scale != nil {
		lambdas = scaled(lambdas, ho.Scale(g))
	}
	for c := range v {
		// The solutions of output c for every λ are v rows apart.
		apart := linalg.Mat{Rows: n, Cols: k, Stride: v * k, Data: w.Data[c*k:]}
		for _, l := range s.tri.SolveShiftedTo(apart, lambdas, rhs.Row(c)) {
			p.solveTridiagonal(s.tri, lambdas[l], apart.Row(l), rhs.Row(c))
		}
	}
	rows, ok := source.RowsView(h)
	if !ok {
		rows = sized(&s.scaled, len(h), k)
		source.RowsTo(rows, h)
	}
	scores := sized(&s.f, n*v, len(h)) // a λ after the other, each in one piece
	s.products.prepare(p, w, rows)     // the norms of w are those of Qw
	if len(h) < n*v {                  // rows are fewer to turn than solutions
		s.scoreTurned(p, scores, w, rows)
	} else {
		s.tri.MulQ(w)
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, w, rows, 0, scores)
		addConstant(scores, w, p.Constant)
	}
	for _, pair := range s.products.equalRows(rows) { // which a product of all rows may round apart
		for l := range scores.Rows {
			row := scores.Row(l)
			row[pair[0]] = row[pair[1]]
		}
	}
	s.setLeast(p, lambdas)
	for l := range n {
		f := outputColumns(&s.q, scores.Slice(l*v, (l+1)*v, 0, len(h)))
		ho.Emit(g, l, f, s.productRounding(p, lambdas, l, rows, f))
	}
}

// scoreTurned sets the scores of rows for the solutions w in the coordinates of T, in which it keeps the rows. A
// constant is turned apart from them, since it may be much larger.
func (s *scratch) scoreTurned(p *Pencil, scores, w, rows linalg.Mat) {
	r := &s.products
	for a := range rows.Rows {
		copy(r.turned.Row(a), rows.Row(a))
		r.known[a] = true
	}
	s.tri.MulQT(r.turned)
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, w, r.turned, 0, scores)
	if p.Constant == nil {
		return
	}
	constant := sized(&s.v, 1, len(p.Constant))
	copy(constant.Data, p.Constant)
	s.tri.MulQT(constant)
	addConstant(scores, w, constant.Data)
	addToRows(r.turned, constant.Data)
}

// outputColumns is the transpose of v×h predictions: a view for one output, else
// a copy in the memory of buffer.
func outputColumns(buffer *linalg.Mat, f linalg.Mat) linalg.Mat {
	if f.Rows == 1 {
		return linalg.Column(f.Row(0))
	}
	out := sized(buffer, f.Cols, f.Rows)
	linalg.TransposeTo(out, f)
	return out
}

// solveTridiagonal solves (T + λI) x = b. A' has an error of up to k ε‖A‖. Where rounding makes a
// pivot negative, λ grows by as much, a backward error no larger than that of the downdate.
func (p *Pencil) solveTridiagonal(t *linalg.Tridiagonal, lambda float64, x, b []float64) {
	rounding := 0x1p-1022
	if k := len(p.Eigenvalues); k > 0 {
		rounding = max(rounding, float64(k)*epsilon*p.Eigenvalues[k-1])
	}
	for !t.SolveShifted(lambda, x, b) {
		lambda += rounding
		rounding *= 2
	}
}

// listWeight is c where the loss is c times the centring of a single list, so that any rows may be
// held out; else 0.
func (p *Pencil) listWeight() float64 {
	if !p.Centred {
		return 0
	}
	c, _, _ := goals.BlocksOf(p.L).List()
	return c
}

// downdateList sets s.moments to the moments of a single list without the rows h: it subtracts
// their part, and that of the mean, which moves with them,
//
//	A' = A − c Σ_H (x−x̄)(x−x̄)ᵀ − c/(m−h) (Σ_H (x−x̄)) (Σ_H (x−x̄))ᵀ.
//
// With weights of rows the sums are weighted, and m−h is the weight of the rows that stay.
func (p *Pencil) downdateList(s *scratch, source Source, c float64, h []int32) {
	a, b := s.moments.A, s.moments.B
	sumX, sumR := make([]float64, a.Rows), make([]float64, b.Cols)
	source.ListMomentsTo(s.moments, sumX, sumR, h)
	p.downdate(a, b)
	if len(h) == p.L.Dim() {
		clear(a.Data)
		clear(b.Data)
		return
	}
	blocks := goals.BlocksOf(p.L)
	_, all, _ := blocks.List()
	left := all - goals.Mass(h, blocks.Weights())
	for i, x := range sumX {
		row := a.Row(i)
		for j := i; j < len(row); j++ {
			row[j] -= c / left * x * sumX[j]
		}
		for o, r := range sumR {
			b.Row(i)[o] -= x * r / left
		}
	}
}

// downdate turns the moments of H into those of the rows without H.
func (p *Pencil) downdate(a, b linalg.Mat) {
	for i := range a.Rows {
		row, full := a.Row(i), p.Total.A.Row(i)
		for j := i; j < a.Cols; j++ {
			row[j] = full[j] - row[j]
		}
		for c, x := range p.Total.B.Row(i) {
			b.Row(i)[c] = x - b.Row(i)[c]
		}
	}
}
