package rls

import (
	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/kernels"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// madeRows computes rows of R = K_mB C⁻ᵀ, m×k, when they are needed.
type madeRows struct {
	m      int
	kernel func(dst *data.Dense, rows []int)
	phi    *kernels.Map
}

// panelRows is the number of rows that are computed at a time: whole blocks of the terms of a
// product, and where possible 2 MB of numbers, which stay in the cache while they are mapped,
// weighted and multiplied.
func (s *madeRows) panelRows() int {
	const block, most, numbers = 256, 4096, 1 << 18
	return max(block, min(most, numbers/max(1, s.phi.Lift.Rows)/block*block))
}

// rows returns the listed rows, in the memory of cross or in new memory. A row has the same bits in
// every panel, so that equal rows stay equal.
func (s *madeRows) rows(cross []float64, rows []int) linalg.Mat {
	const few = 4 // rows that are solved one by one are rounded differently
	b := s.phi.Lift.Rows
	if n := len(rows); n > 0 && n < few {
		padded := []int{rows[0], rows[0], rows[0], rows[0]}
		copy(padded, rows)
		all := s.rows(make([]float64, few*b), padded)
		return all.Slice(0, n, 0, all.Cols)
	}
	panel := data.NewDense(len(rows), b, cross[:len(rows)*b])
	s.kernel(panel, rows)
	return linalg.Mat(*s.phi.Rows(panel))
}

// mulTo sets dst = R w.
func (s *madeRows) mulTo(dst, w linalg.Mat) {
	s.each(func(rows []int, values linalg.Mat) {
		lo := rows[0]
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, values, w, 0, dst.Slice(lo, lo+len(rows), 0, dst.Cols))
	})
}

// moments returns the moments of a primal or sparse basis. Where it had to compute all rows, the
// basis that it returns keeps them.
func (b *Basis) moments(goal *goals.Goal) (*Basis, pencil.Moments) {
	if b.panels == nil {
		return b, newDesign(b.x, goal).total()
	}
	if blocks := goals.BlocksOf(goal.L); blocks != nil {
		return b, newMadeSums(b.panels, goal, blocks).total(nil)
	}
	return b.withRows(goal)
}

// withRows returns the basis with its rows kept, and the moments, with the bits of moments.
func (b *Basis) withRows(goal *goals.Goal) (*Basis, pencil.Moments) {
	if b.panels == nil {
		return b, newDesign(b.x, goal).total()
	}
	x := data.NewDense(b.panels.m, b.lift.Cols, nil)
	keep := func(rows []int, values linalg.Mat) {
		parallel.Chunks(len(rows), rowsOfPiece, func(_, lo, hi int) {
			for a := lo; a < hi; a++ {
				copy(x.Row(rows[a]), values.Row(a))
			}
		})
	}
	whole := *b
	whole.x, whole.panels = x, nil
	if blocks := goals.BlocksOf(goal.L); blocks != nil {
		moments := newMadeSums(b.panels, goal, blocks).total(keep)
		return whole.compare(x), moments
	}
	b.panels.each(keep)
	return whole.compare(x), newDesign(x, goal).total()
}

// each calls body with panels of all rows in their order.
func (s *madeRows) each(body func(rows []int, values linalg.Mat)) {
	size := s.panelRows()
	cross, numbers := make([]float64, min(size, s.m)*s.phi.Lift.Rows), make([]int, 0, size)
	for lo := 0; lo < s.m; lo += size {
		numbers = numbers[:0]
		for i := lo; i < min(s.m, lo+size); i++ {
			numbers = append(numbers, i)
		}
		body(numbers, s.rows(cross, numbers))
	}
}
