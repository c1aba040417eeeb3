package pencil

import (
	"context"
	"math"
	"slices"
	"sync"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Stars hold out rows of censored times exactly, where the lemma does not: leaving rows out takes the pairs of each,
// its star in the graph of pairs, off L, and L without them is no Schur complement of L. In the coordinates of the
// factored problem, in which functions are Zb of norm |b| with m×k rows Z and ZᵀLZ = A,
//
//	A' = A − Σ_{h in H} A_h + pairs within H      A_h = Σ_j w_hj (z_h − z_j)(z_h − z_j)ᵀ
//
// and alike for Zᵀr; one tridiagonal form of A' serves all λ. For a pair of rows with kept stars that costs O(4k³/3)
// and O(k) for each λ. Other sets, and pairs whose weights change when rows leave, cost O(mk² + 4k³/3): A' is the sum
// of the pairs that stay.
type Stars struct {
	p     *Pencil
	goal  *goals.Goal
	z     linalg.Mat // m×k, centred
	mean  []float64
	whole star
	size  float64       // the largest of the rows' parts of Zᵀr, or its own: what its rounding is relative to
	each  func() []star // of each row; nil where they are not kept
	pool  sync.Pool     // *starScratch
}

// star is the upper triangle of some pairs' part of A, their part of Zᵀr, and the sum of the products of the weights of
// their rows: their number without weights.
type star struct {
	a    linalg.Mat
	b    []float64
	mass float64
}

// mostStars bounds the numbers of all stars that are kept.
const mostStars = 1 << 26

// NewStars prepares to hold out rows of a problem with this goal, in O(mk²).
func (p *Pencil) NewStars(goal *goals.Goal) *Stars {
	s := &Stars{p: p, goal: goal, z: p.coordinates()}
	m, k := s.z.Rows, s.z.Cols
	s.mean = make([]float64, k)
	first := slices.Clone(s.z.Row(0))
	for i := range m { // so that equal rows are 0, and not rounded
		linalg.Axpy(-1, first, s.z.Row(i))
	}
	for i := range m {
		linalg.Axpy(1/float64(m), s.z.Row(i), s.mean)
	}
	for i := range m {
		linalg.Axpy(-1, s.mean, s.z.Row(i))
	}
	linalg.Axpy(1, first, s.mean)
	s.whole = s.star(goal, all(m))
	s.size = linalg.Nrm2(s.whole.b)
	for i := range m {
		s.size = max(s.size, math.Abs(goal.R[i])*linalg.Nrm2(s.z.Row(i)))
	}
	s.pool.New = func() any {
		return &starScratch{tri: linalg.NewTridiagonal(k), star: star{a: linalg.NewMat(k, k), b: make([]float64, k)}}
	}
	if goal.Stars() && m*k*k <= mostStars {
		s.each = sync.OnceValue(s.ofRows)
	}
	return s
}

// coordinates are the rows of Z: of V in the primal form, where the norm is that of the weights. In the dual form it is
// cᵀDc of V c, and directions in which compared rows are equal are left out.
func (p *Pencil) coordinates() linalg.Mat {
	m, k := p.L.Dim(), len(p.Eigenvalues)
	v, w := linalg.NewMat(m, k), linalg.NewMat(m, k)
	p.rows.rowsTo(v, w, all(m), true)
	if !p.dual {
		return v
	}
	first := 0
	for first < k && p.Eigenvalues[first] <= p.EigenError {
		first++
	}
	z := linalg.NewMat(m, k-first)
	for i := range m {
		for j, x := range v.Row(i)[first:] {
			z.Row(i)[j] = x / sqrt(p.Eigenvalues[first+j])
		}
	}
	return z
}

// star is that of all pairs of a goal of some rows.
func (s *Stars) star(goal *goals.Goal, rows []int32) star {
	k := s.z.Cols
	out := star{linalg.NewMat(k, k), make([]float64, k), goal.PairMass()}
	AddPanels(Moments{out.a, linalg.Column(out.b)}, goal.L.(Panelled), goal,
		func(dst []float64, i int32) { copy(dst, s.z.Row(int(rows[i]))) })
	return out
}

// Panelled is a Laplacian whose product with rows comes in panels, as that of censored times does.
type Panelled interface {
	Panels(k int, rowTo func(dst []float64, i int32), f func(p *goals.TimedPanel))
}

// AddPanels adds RᵀLR, its upper triangle, and Rᵀr of a goal with the Laplacian l to m, in O(mk²) and without a copy of
// R, of which rowTo copies a row.
func AddPanels(m Moments, l Panelled, goal *goals.Goal, rowTo func(dst []float64, i int32)) {
	k, v := m.A.Rows, goal.Outputs
	l.Panels(k, rowTo, func(p *goals.TimedPanel) {
		n := len(p.Rows)
		panel := func(data []float64) linalg.Mat { return linalg.Mat{Rows: n, Cols: k, Stride: k, Data: data} }
		linalg.Gemmt(linalg.Upper, linalg.T, linalg.NoTrans, 1, panel(p.X), panel(p.Q), 1, m.A)
		linalg.Gemmt(linalg.Upper, linalg.T, linalg.NoTrans, -1, panel(p.S), panel(p.X), 1, m.A)
		for a, i := range p.Rows {
			for c, r := range goal.R[int(i)*v : int(i)*v+v] {
				if r == 0 {
					continue
				}
				b := m.B.Data[c:]
				for j, x := range p.X[a*k : a*k+k] {
					b[j*m.B.Stride] += r * x
				}
			}
		}
	})
}

// ofRows are the stars of all rows, in O(m²k²).
func (s *Stars) ofRows() []star {
	m, k := s.z.Rows, s.z.Cols
	each, memory, works := make([]star, m), make([]float64, m*k*(k+1)), make([]linalg.Mat, parallel.Workers())
	parallel.For(m, func(worker, i int) {
		of := memory[i*k*(k+1):]
		each[i] = star{linalg.Mat{Rows: k, Cols: k, Stride: k, Data: of[:k*k]}, of[k*k:][:k:k], 0}
		apart, n, own := sized(&works[worker], m, k), 0, s.z.Row(i)
		for j := range m {
			weight, target := s.goal.Pair(int32(i), int32(j))
			if i == j || weight == 0 {
				continue
			}
			row := apart.Row(n)
			for c, z := range s.z.Row(j) {
				row[c] = own[c] - z
			}
			linalg.Axpy(weight*target, row, each[i].b)
			if weight != 1 {
				linalg.Scal(sqrt(weight), row)
			}
			each[i].mass += s.mass(int32(i), int32(j))
			n++
		}
		if n > 0 {
			linalg.Syrk(linalg.Upper, linalg.T, 1, apart.Slice(0, n, 0, k), 0, each[i].a)
		}
	})
	return each
}

// leastMass is the least share of the pairs that stay when stars are taken off: of less, as without a row with most of
// the weight, the difference loses digits.
const leastMass = 0x1p-8

// mass is the product of the weights of two rows.
func (s *Stars) mass(i, j int32) float64 {
	return goals.WeightOf(s.goal.RowWeights, i) * goals.WeightOf(s.goal.RowWeights, j)
}

// starScratch is the memory of one goroutine.
type starScratch struct {
	star
	tri     *linalg.Tridiagonal
	rows, w linalg.Mat
	f       linalg.Mat
	apart   []float64
	system  starSystem
}

// without sets the star of the pairs that stay when the rows h leave, and returns the factor on their weights. It is
// not ok where nothing is left to learn.
func (x *starScratch) without(s *Stars, h []int32) (scale float64, ok bool) {
	if s.each != nil && len(h) <= 2 {
		copy(x.a.Data, s.whole.a.Data)
		copy(x.b, s.whole.b)
		x.mass = s.whole.mass
		for _, i := range h {
			x.add(-1, s.each()[i])
		}
		if len(h) == 2 {
			x.addPair(s, h[0], h[1])
		}
		if x.mass > leastMass*s.whole.mass {
			return s.goal.WeightsWithout(h, x.mass), x.informs(s, 1)
		}
	}
	rest, left, err := s.goal.Without(h)
	if err != nil {
		return 1, false
	}
	x.star = s.star(rest, left)
	share := 1.0
	if s.goal.RowWeights != nil {
		share = min(1, goals.Trace(rest.L)/goals.Trace(s.goal.L))
	}
	return 1, x.informs(s, share)
}

// informs reports whether the star says anything: b is more than the rounding of a share of what
// it is added up from.
func (x *starScratch) informs(s *Stars, share float64) bool {
	return linalg.Nrm2(x.b) > 64*epsilon*float64(s.z.Rows)*share*s.size
}

// add adds f times another star.
func (x *starScratch) add(f float64, of star) {
	for r := range x.a.Rows {
		linalg.Axpy(f, of.a.Row(r)[r:], x.a.Row(r)[r:])
	}
	linalg.Axpy(f, of.b, x.b)
	x.mass += f * of.mass
}

// addPair adds a pair, which both stars had.
func (x *starScratch) addPair(s *Stars, i, j int32) {
	weight, target := s.goal.Pair(i, j)
	if weight == 0 {
		return
	}
	x.apart = append(x.apart[:0], s.z.Row(int(i))...)
	linalg.Axpy(-1, s.z.Row(int(j)), x.apart)
	for r, v := range x.apart {
		linalg.Axpy(weight*v, x.apart[r:], x.a.Row(r)[r:])
	}
	linalg.Axpy(weight*target, x.apart, x.b)
	x.mass += s.mass(i, j)
}

// solve sets w to the solutions for every λ, in the coordinates of the tridiagonal form, to which it turns rows.
func (x *starScratch) solve(s *Stars, lambdas []float64, scale float64) {
	shifts := scaled(lambdas, 1/scale)
	x.tri.Reduce(x.a)
	rhs := linalg.Mat{Rows: 1, Cols: len(x.b), Stride: len(x.b), Data: x.b}
	x.tri.MulQT(rhs)
	x.tri.MulQT(x.rows)
	sized(&x.w, len(lambdas), len(x.b))
	for _, l := range x.tri.SolveShiftedTo(x.w, shifts, x.b) {
		s.p.solveTridiagonal(x.tri, shifts[l], x.w.Row(l), x.b)
	}
}

// HoldOut is that of Pencil for any rows. Emit receives predictions with a bound of their rounding, by their size and
// that of the rows and of the weights.
func (s *Stars) HoldOut(ctx context.Context, groups *data.Partition, wanted func(g int) bool, lambdas []float64,
	emit func(g, l int, f linalg.Mat, most float64)) error {
	parallel.For(groups.Len(), func(_, g int) {
		h := groups.Part(g)
		if len(h) == 0 || wanted != nil && !wanted(g) || ctx.Err() != nil {
			return
		}
		x := s.pool.Get().(*starScratch)
		defer s.pool.Put(x)
		sized(&x.f, len(lambdas), len(h))
		clear(x.f.Data)
		longest := 0.0 // of the rows
		if scale, ok := x.without(s, h); ok {
			sized(&x.rows, len(h), s.z.Cols)
			for a, i := range h {
				copy(x.rows.Row(a), s.z.Row(int(i)))
			}
			addToRows(x.rows, s.mean)
			for a := range h {
				longest = max(longest, linalg.Nrm2(x.rows.Row(a)))
			}
			x.solve(s, lambdas, scale)
			linalg.Gemm(linalg.NoTrans, linalg.T, 1, x.w, x.rows, 0, x.f)
		}
		for l := range lambdas {
			f := linalg.Column(x.f.Row(l))
			most := 0x1p-43 * largestAbs(x.f.Row(l))
			if longest > 0 {
				most = max(most, 0x1p-44*longest*linalg.Nrm2(x.w.Row(l)))
			}
			emit(g, l, f, most)
		}
	})
	return ctx.Err()
}

// starTie is the largest share of its terms that rounding leaves of a difference of two scores.
const starTie = 1e-12

// LeavePairs leaves out every two rows that are wanted. emit receives, for row i and λ number l, the scores of row i
// and of each row after it without the two, 0 of pairs that are not wanted; it is called from several goroutines, and
// must not keep them.
func (s *Stars) LeavePairs(ctx context.Context, lambdas []float64, wanted func(i, j int32) bool,
	emit func(worker, l, i int, fi, fj []float64)) error {
	m := s.z.Rows
	parallel.For(m, func(worker, i int) {
		if ctx.Err() != nil {
			return
		}
		x := s.pool.Get().(*starScratch)
		defer s.pool.Put(x)
		n := m - 1 - i
		f := linalg.NewMat(2*len(lambdas), n)
		for b := range n {
			if j := int32(i + 1 + b); wanted(int32(i), j) && ctx.Err() == nil {
				s.pair(x, lambdas, int32(i), j, func(l int, fi, fj float64) { f.Row(2 * l)[b], f.Row(2*l + 1)[b] = fi, fj })
			}
		}
		for l := range lambdas {
			emit(worker, l, i, f.Row(2*l), f.Row(2*l+1))
		}
	})
	return ctx.Err()
}

// pair predicts two rows without both. Scores that differ by rounding alone are equal.
func (s *Stars) pair(x *starScratch, lambdas []float64, i, j int32, emit func(l int, fi, fj float64)) {
	scale, ok := x.without(s, []int32{i, j})
	if !ok {
		for l := range lambdas {
			emit(l, 0, 0)
		}
		return
	}
	sized(&x.rows, 2, s.z.Cols)
	apart, own := x.rows.Row(0), x.rows.Row(1)
	copy(own, s.z.Row(int(j)))
	copy(apart, s.z.Row(int(i)))
	linalg.Axpy(-1, own, apart)
	linalg.Axpy(1, s.mean, own)
	x.solve(s, lambdas, scale)
	size := linalg.Nrm2(apart)
	for l := range lambdas {
		w := x.w.Row(l)
		fj, d := linalg.Dot(w, own), linalg.Dot(w, apart)
		if math.Abs(d) <= starTie*size*linalg.Nrm2(w) {
			d = 0
		}
		fi := fj + d
		if d != 0 && fi == fj { // the difference is below the digits of the scores
			fi = math.Nextafter(fj, math.Inf(int(math.Copysign(1, d))))
		}
		emit(l, fi, fj)
	}
}
