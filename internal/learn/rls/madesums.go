package rls

import (
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// madeSums sums the moments RᵀLR and Rᵀr of rows that are computed a panel at a time, for the
// Laplacian diag(d) + Σ_c s_c 1_c1_cᵀ + Σ_q s_q 1_q1_qᵀ of scored rows. As in an accumulator, the
// rows of a component are centred first. A component within one panel is centred by its mean, and
// then the term of s_q is 0. A longer component is centred by the mean p of some of its rows, and
// its term s_q uuᵀ, u = Σ (x_i − p), is added at the end. This term is small compared with the
// rest: at most m_q/n of it for a mean of n rows, and about 1/n unless the rows are chosen
// adversely.
//
// The rows are mapped by C⁻ᵀ before they are multiplied, which is half of the arithmetic. Moments
// of the kernel values, with C⁻¹ applied on both sides afterwards, would avoid that, but lose as
// many digits as the condition number of K_BB has: with 500 basis rows from 20,000 × 8, condition
// 7e5, the weights kept nine digits in place of thirteen, and a basis may be far worse.
type madeSums struct {
	s       *madeRows
	goal    *goals.Goal
	blocks  *goals.Blocks
	folded  []float64
	moments pencil.Moments
	keep    func(rows []int, values linalg.Mat)

	size   int       // rows of a panel
	cross  []float64 // their kernel values
	rows   []int     // those of the panel to come
	starts []int     // where components begin in it
	target linalg.Mat

	centre, sum []float64 // p and u of a long component
	classes     *data.Partition
	scale       []float64
	class       []float64  // Σ (x_i − p) over the rows so far of a class of ties
	seen        int        // the number of those rows
	tied        linalg.Mat // rows √s_c Σ_c (x_i − p)
	n           int        // the number of those rows
}

// pilot is the number of rows whose mean centres a long component. It is a power of two, so that
// the mean of equal rows is exact.
const pilot = 256

func newMadeSums(s *madeRows, goal *goals.Goal, blocks *goals.Blocks) *madeSums {
	k, size := s.phi.Lift.Cols, s.panelRows()
	t := &madeSums{s: s, goal: goal, blocks: blocks, folded: foldedDiagonal(blocks), size: size,
		moments: pencil.Moments{A: linalg.NewMat(k, k), B: linalg.NewMat(k, goal.Outputs)},
		cross:   make([]float64, min(size, s.m)*s.phi.Lift.Rows), target: linalg.NewMat(min(size, s.m), goal.Outputs),
		centre: make([]float64, k), sum: make([]float64, k)}
	if t.classes, t.scale = blocks.Classes(); t.classes != nil {
		t.class, t.tied = make([]float64, k), linalg.NewMat(pilot, k)
	}
	return t
}

// total sums over all rows. keep, where it is not nil, receives all of them before they are
// centred.
func (t *madeSums) total(keep func(rows []int, values linalg.Mat)) pencil.Moments {
	t.keep = keep
	for p := range t.blocks.Components().Len() {
		rows := t.ordered(p)
		if len(rows) > t.size {
			t.addPanel(false)
			t.addLong(p, rows)
			continue
		}
		if len(t.rows)+len(rows) > t.size {
			t.addPanel(false)
		}
		t.starts = append(t.starts, len(t.rows))
		t.append(rows)
	}
	t.addPanel(false)
	t.addTied()
	return t.moments
}

// ordered are the rows of component p, classes of ties one after the other.
func (t *madeSums) ordered(p int) []int32 {
	if t.classes == nil {
		return t.blocks.Components().Part(p)
	}
	var rows []int32
	lo, hi := t.blocks.ClassesOf(p)
	for c := lo; c < hi; c++ {
		rows = append(rows, t.classes.Part(c)...)
	}
	return rows
}

func (t *madeSums) append(rows []int32) {
	for _, i := range rows {
		t.rows = append(t.rows, int(i))
	}
}

// addLong adds component p, which is longer than a panel.
func (t *madeSums) addLong(p int, rows []int32) {
	for q := range pilot {
		t.rows = append(t.rows, int(rows[q*len(rows)/pilot]))
	}
	values := t.s.rows(t.cross, t.rows)
	t.rows = t.rows[:0]
	clear(t.sum)
	meanTo(t.centre, values)
	for left := rows; len(left) > 0; {
		n := min(t.size, len(left))
		t.append(left[:n])
		left = left[n:]
		t.addPanel(true)
	}
	whole := t.blocks.Whole()[p]
	for c, v := range t.sum {
		linalg.Axpy(whole*v, t.sum[c:], t.moments.A.Row(c)[c:])
	}
}

// meanTo sets mean to that of rows.
func meanTo(mean []float64, rows linalg.Mat) {
	clear(mean)
	for a := range rows.Rows {
		linalg.Axpy(1, rows.Row(a), mean)
	}
	linalg.Scal(1/float64(rows.Rows), mean)
}

// meanTo sets mean to that of the rows of a panel from lo to hi, by their weights.
func (t *madeSums) meanTo(mean []float64, values linalg.Mat, lo, hi int) {
	if t.goal.RowWeights == nil {
		meanTo(mean, values.Slice(lo, hi, 0, values.Cols))
		return
	}
	clear(mean)
	total := 0.0
	for a := lo; a < hi; a++ {
		linalg.Axpy(t.weightOf(a), values.Row(a), mean)
		total += t.weightOf(a)
	}
	linalg.Scal(1/total, mean)
}

// weightOf is the weight of row a of the panel.
func (t *madeSums) weightOf(a int) float64 {
	return goals.WeightOf(t.goal.RowWeights, int32(t.rows[a]))
}

// addPanel computes the rows of the panel, adds them and empties it. long says that they belong to
// one long component.
func (t *madeSums) addPanel(long bool) {
	if len(t.rows) == 0 {
		return
	}
	values := t.s.rows(t.cross, t.rows)
	if t.keep != nil {
		t.keep(t.rows, values)
	}
	switch {
	case long:
		t.shift(values)
	case t.goal.Centred():
		t.centreComponents(values)
	}
	if t.classes != nil {
		t.addClasses(values)
	}
	t.weight(values)
	linalg.Syrk(linalg.Upper, linalg.T, 1, values, 1, t.moments.A)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, values, t.target.Slice(0, values.Rows, 0, t.target.Cols), 1, t.moments.B)
	t.rows, t.starts = t.rows[:0], t.starts[:0]
}

const rowsOfPiece, columnsOfPiece = 64, 128 // that a goroutine takes at a time

// shift subtracts p from the rows of a panel of a long component, and adds them to u.
func (t *madeSums) shift(values linalg.Mat) {
	parallel.Chunks(values.Cols, columnsOfPiece, func(_, lo, hi int) {
		for a := range values.Rows {
			row := values.Row(a)[lo:hi]
			linalg.Axpy(-1, t.centre[lo:hi], row)
			linalg.Axpy(t.weightOf(a), row, t.sum[lo:hi])
		}
	})
}

// centreComponents subtracts its mean from each component of a panel.
func (t *madeSums) centreComponents(values linalg.Mat) {
	ends := append(t.starts[1:len(t.starts):len(t.starts)], values.Rows)
	parallel.Chunks(len(t.starts), 4, func(_, from, to int) {
		mean := make([]float64, values.Cols)
		for g := from; g < to; g++ {
			lo, hi := t.starts[g], ends[g]
			if hi-lo < 2 {
				continue // its weight is 0
			}
			t.meanTo(mean, values, lo, hi)
			for a := lo; a < hi; a++ {
				linalg.Axpy(-1, mean, values.Row(a))
			}
		}
	})
}

// addClasses adds the classes of ties that end in the panel.
func (t *madeSums) addClasses(values linalg.Mat) {
	of := t.classes.Of()
	for a, i := range t.rows {
		c := of[i]
		members := len(t.classes.Part(int(c)))
		if members < 2 || t.scale[c] == 0 {
			continue // a class of one row is in the diagonal
		}
		linalg.Axpy(t.weightOf(a), values.Row(a), t.class)
		if t.seen++; t.seen < members {
			continue
		}
		row := t.tied.Row(t.n)
		copy(row, t.class)
		linalg.Scal(math.Sqrt(t.scale[c]), row)
		clear(t.class)
		t.seen = 0
		if t.n++; t.n == t.tied.Rows {
			t.addTied()
		}
	}
}

func (t *madeSums) addTied() {
	if t.n > 0 {
		linalg.Syrk(linalg.Upper, linalg.T, 1, t.tied.Slice(0, t.n, 0, t.tied.Cols), 1, t.moments.A)
		t.n = 0
	}
}

// weight multiplies the rows by √d_i, and sets their targets r_i/√d_i.
func (t *madeSums) weight(values linalg.Mat) {
	v := t.goal.Outputs
	parallel.Chunks(values.Rows, rowsOfPiece, func(_, lo, hi int) {
		for a := lo; a < hi; a++ {
			i := t.rows[a]
			row, target := values.Row(a), t.target.Row(a)
			root := math.Sqrt(t.folded[i])
			if root == 0 {
				clear(row)
				clear(target)
				continue
			}
			linalg.Scal(root, row)
			for c, r := range t.goal.R[i*v : i*v+v] {
				target[c] = r / root
			}
		}
	})
}
