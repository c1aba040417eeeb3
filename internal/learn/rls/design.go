package rls

import (
	"sync"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// design holds the rows of a primal problem with their goal. It is the pencil.Source of primal and
// sparse bases.
type design struct {
	x    data.Matrix
	k    int
	goal *goals.Goal
	// blocks is L in this form, or nil, and folded its foldedDiagonal.
	blocks *goals.Blocks
	folded []float64
	pool   sync.Pool // *accumulator

	listMean func() []float64 // mean of all rows, by their weights
}

// weightOf is the weight of row i.
func (d *design) weightOf(i int32) float64 { return goals.WeightOf(d.goal.RowWeights, i) }

// mass is the sum of the weights of some rows.
func (d *design) mass(rows []int32) float64 { return goals.Mass(rows, d.goal.RowWeights) }

func newDesign(x data.Matrix, goal *goals.Goal) *design {
	_, k := x.Dims()
	d := &design{x: x, k: k, goal: goal}
	d.listMean = sync.OnceValue(func() []float64 {
		m, _ := x.Dims()
		ones, mean := make([]float64, m), make([]float64, k)
		total := float64(m)
		if goal.RowWeights != nil {
			total = d.mass(goal.L.Components().Rows)
		}
		for i := range ones {
			ones[i] = d.weightOf(int32(i)) / total
		}
		x.MulTransVecTo(mean, ones)
		return mean
	})
	if d.blocks = goals.BlocksOf(goal.L); d.blocks != nil {
		d.folded = foldedDiagonal(d.blocks)
	}
	return d
}

// foldedDiagonal is the diagonal d, with the s_c of classes of one row added to it.
func foldedDiagonal(b *goals.Blocks) []float64 {
	classes, scale := b.Classes()
	if classes == nil {
		return b.Diag()
	}
	folded := append([]float64(nil), b.Diag()...)
	for c, s := range scale {
		if rows := classes.Part(c); len(rows) == 1 {
			folded[rows[0]] += s * b.Square(int(rows[0]))
		}
	}
	return folded
}

// RowsTo fills dst with the rows h of X.
func (d *design) RowsTo(dst linalg.Mat, h []int32) {
	if made, is := d.x.(rowMaker); is {
		made.RowsTo(dense(dst), h)
		return
	}
	for a, i := range h {
		d.x.RowTo(dst.Row(a), int(i))
	}
}

// rowMaker is a matrix whose rows are made whenever they are read, several at a time: see data.Made.
type rowMaker interface {
	RowsTo(dst *data.Dense, rows []int32)
}

// RowsView is the rows h of X where X is dense and they follow each other.
func (d *design) RowsView(h []int32) (linalg.Mat, bool) {
	x, ok := d.x.(*data.Dense)
	if !ok || len(h) == 0 || int(h[len(h)-1]-h[0]) != len(h)-1 {
		return linalg.Mat{}, false
	}
	return linalg.Mat(*x).Slice(int(h[0]), int(h[0])+len(h), 0, x.Cols), true
}

// total is XᵀLX (upper triangle) and Xᵀr over all rows, in one pass. The size of the problem
// decides how the components are cut into tasks. Each task has its own sums, which are added in
// order.
func (d *design) total() pencil.Moments {
	if d.blocks == nil {
		return d.generalTotal()
	}
	parts := d.goal.L.Components()
	m := len(parts.Rows)
	tasks := min(max(1, m/(8*max(d.k, 1))), 32, parts.Len())
	sums := make([]pencil.Moments, tasks)
	parallel.For(tasks, func(_, t int) {
		s := d.accumulator()
		s.alone = tasks == 1
		sums[t] = d.newMoments()
		s.to = plainSums(sums[t])
		for p := cut(parts, t, tasks); p < cut(parts, t+1, tasks); p++ {
			s.add(p)
		}
		s.addPanel()
		d.pool.Put(s)
	})
	for _, s := range sums[1:] {
		linalg.Axpy(1, s.A.Data, sums[0].A.Data)
		linalg.Axpy(1, s.B.Data, sums[0].B.Data)
	}
	return sums[0]
}

// cut is the first component of task t of tasks, by rows.
func cut(parts *data.Partition, t, tasks int) int {
	row := len(parts.Rows) * t / tasks
	lo, hi := 0, parts.Len()
	for lo < hi {
		if mid := (lo + hi) / 2; parts.Bounds[mid] < row {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (d *design) newMoments() pencil.Moments {
	return pencil.Moments{A: linalg.NewMat(d.k, d.k), B: linalg.NewMat(d.k, d.goal.Outputs)}
}

// MomentsTo sets m to the moments of the rows h, which are whole components.
func (d *design) MomentsTo(m pencil.Moments, h []int32) {
	clear(m.A.Data)
	clear(m.B.Data)
	if d.blocks == nil {
		d.addGeneral(m, h)
		return
	}
	s := d.accumulator()
	s.alone, s.to = false, plainSums(m)
	parts := d.goal.L.Components()
	of := parts.Of()
	for _, i := range h {
		if p := int(of[i]); parts.Part(p)[0] == i {
			s.add(p)
		}
	}
	s.addPanel()
	d.pool.Put(s)
}

// ListMomentsTo is that of pencil.Source, for part of a single list. The linear term
// of a list is r = c (y − ȳ), so that its products with x−x̄ need no weight.
func (d *design) ListMomentsTo(m pencil.Moments, sumX, sumR []float64, h []int32) {
	clear(m.A.Data)
	clear(m.B.Data)
	s := d.accumulator()
	s.alone, s.to = false, plainSums(m)
	copy(s.mean, d.listMean())
	for left := h; len(left) > 0; {
		n := min(len(left), s.panel.Rows-s.n)
		s.fill(left[:n])
		left = left[n:]
		s.addFullPanel()
	}
	s.addPanel()
	s.sumTo(sumX, h, s.mean)
	d.pool.Put(s)
	for _, i := range h {
		linalg.Axpy(1, d.linearTerm(int(i)), sumR)
	}
}

// accumulator is one to use, from the pool or new.
func (d *design) accumulator() *accumulator {
	if s, ok := d.pool.Get().(*accumulator); ok {
		return s
	}
	return newAccumulator(d)
}

// generalTotal is total for Laplacians without block structure: components are
// gathered into panels.
func (d *design) generalTotal() pencil.Moments {
	m := d.newMoments()
	const few = 64 // columns, of which two products take less time than copies of the rows
	if l, has := d.goal.L.(pencil.Panelled); has && d.k <= few {
		pencil.AddPanels(m, l, d.goal, func(dst []float64, i int32) { d.x.RowTo(dst, int(i)) })
		return m
	}
	parts := d.goal.L.Components()
	const rows = 4096
	for p := 0; p < parts.Len(); {
		var h []int32
		for p < parts.Len() && (len(h) == 0 || len(h)+len(parts.Part(p)) <= rows) {
			h = append(h, parts.Part(p)...)
			p++
		}
		d.addGeneral(m, h)
	}
	return m
}

// addGeneral adds X_Hᵀ L_HH X_H and X_Hᵀ r_H for whole components H.
func (d *design) addGeneral(m pencil.Moments, h []int32) {
	x, lx := d.generalRows(h)
	linalg.Gemmt(linalg.Upper, linalg.T, linalg.NoTrans, 1, x, lx, 1, m.A)
	rh := linalg.NewMat(len(h), d.goal.Outputs)
	for a, i := range h {
		copy(rh.Row(a), d.linearTerm(int(i)))
	}
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, x, rh, 1, m.B)
}

// generalRows are X_H, centred, and L_HH X_H for whole components H.
func (d *design) generalRows(h []int32) (x, lx linalg.Mat) {
	x, lx = linalg.NewMat(len(h), d.k), linalg.NewMat(len(h), d.k)
	d.RowsTo(x, h)
	local := d.goal.L.Restrict(h)
	if d.goal.Centred() {
		goals.Centre(local.Components(), x.Data, d.k)
	}
	local.MulTo(lx.Data, x.Data, d.k)
	return x, lx
}

// linearTerm is row i of r.
func (d *design) linearTerm(i int) []float64 {
	v := d.goal.Outputs
	return d.goal.R[i*v : i*v+v]
}
