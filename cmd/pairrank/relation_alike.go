package main

import (
	"slices"

	"pairrank/data"
	"pairrank/pref"
	"pairrank/relation/kron"
	"pairrank/relation/pairwise"
)

// warnAlike warns of nodes that cannot be told apart.
func (p *relationProblem) warnAlike(a *app) {
	if p.plan.learner == similarity {
		return
	}
	if p.plan.pairs == pairwise.Cartesian {
		return // knows each node by itself
	}
	ranking := p.plan.learner == rankRLS && p.plan.learn.Loss == kron.Ranking
	rows, cols := p.rows.alike(), p.cols.alike()
	switch {
	case ranking && cols:
		a.warn("the kernel of the column nodes is constant: they all get the same score from a row, and nothing is learnt about their order")
	case rows && cols:
		a.warn("the kernel of the nodes is constant: all edges get the same score")
	}
}

// alike reports whether no function of the kernel or the features tells nodes
// apart.
func (s *relationSide) alike() bool {
	x := s.k
	if s.features != nil {
		x = s.features
	}
	return x != nil && (sameRows(x, pref.OneList(x.Rows)) || s.k != nil && sameRows(s.k, pref.OneList(s.k.Rows)))
}

// sameRows reports whether all rows of each part are equal. It ends with the
// first that is not.
func sameRows(x data.Matrix, parts *pref.Partition) bool {
	_, n := x.Dims()
	first, other := make([]float64, n), make([]float64, n)
	return !slices.ContainsFunc(indices(parts.Len()), func(g int) bool {
		rows := parts.Part(g)
		if len(rows) < 2 {
			return false
		}
		data.RowTo(first, x, int(rows[0]))
		return slices.ContainsFunc(rows[1:], func(i int32) bool {
			data.RowTo(other, x, int(i))
			return !slices.Equal(first, other)
		})
	})
}

func indices(m int) []int {
	rows := make([]int, m)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
