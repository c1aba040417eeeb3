package main

import (
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/pref"
)

// alike says what is constant where nothing that is learnt can tell two compared
// rows apart, or is empty.
func (p *trainProblem) alike(goal *pref.Goal) string {
	parts := p.parts(goal)
	where := ""
	if parts.Len() > 1 {
		where = " within each query"
		if p.edges != nil {
			where = " among the rows that preferences connect"
		}
	}
	if p.x != nil && sameRows(p.x, parts) {
		return fmt.Sprintf("every feature (%d) is constant%s", p.features(), where)
	}
	switch {
	case p.k != nil && p.plan.solver == "dual" && sameRows(p.k, parts), // else the kernel underflows, or is of a given matrix
		p.cross != nil && sameRows(p.cross, parts), p.image != nil && sameRows(p.image, parts):
		return fmt.Sprintf("kernel %s has the same values for all rows%s", p.plan.kernel, where)
	}
	return ""
}

// parts are the sets of rows whose scores are compared in training; in plain
// regression all of them.
func (p *trainProblem) parts(goal *pref.Goal) *pref.Partition {
	switch {
	case p.plan.learner == plainRLS:
		return pref.OneList(p.rows())
	case goal != nil:
		return goal.L.Components()
	}
	return p.compared()
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

// equalScores reports whether all rows of each part get the same score of each
// output, by rows of x and coefficients. It ends with the first that does not.
func equalScores(x data.Matrix, coef *data.Dense, parts *pref.Partition) bool {
	_, n := x.Dims()
	row := make([]float64, n)
	score := func(i int32) []float64 {
		data.RowTo(row, x, int(i))
		out := make([]float64, coef.Cols)
		for j, v := range row {
			if v != 0 {
				linalg.Axpy(v, coef.Row(j), out)
			}
		}
		return out
	}
	for g := range parts.Len() {
		rows := parts.Part(g)
		for k, first := 1, []float64(nil); k < len(rows); k++ {
			if first == nil {
				first = score(rows[0])
			}
			if !slices.Equal(first, score(rows[k])) {
				return false
			}
		}
	}
	return true
}

// warnAlike warns of features that cannot tell the compared rows apart; it
// reports whether it did.
func (a *app) warnAlike(p *trainProblem, goal *pref.Goal) bool {
	what := p.alike(goal)
	if what == "" {
		return false
	}
	a.warn("%s, so the compared rows all get the same score and nothing is learnt about their order", what)
	return true
}

// warnEqual warns where compared rows that differ all get the same score: the
// weights are 0, or what they add is below double precision.
func (t *trained) warnEqual(a *app) {
	p := t.problem
	x, coef := p.x, t.fit.coef
	switch {
	case t.boost != nil:
		if len(t.boost.Stumps.Terms) == 0 {
			a.warn("there are no stumps, so every row gets the same score: none orders more pairs rightly than wrongly, or wrongly than rightly")
		}
		return
	case t.svm != nil && p.plan.mapped():
		x, coef = p.image, column(t.svm.Weights)
	case p.onBasis():
		x = p.crossBasis()
	case p.plan.solver == "dual" && p.k != nil:
		x = p.k
	}
	switch {
	case !slices.ContainsFunc(coef.Data, func(w float64) bool { return w != 0 }):
		if t.svm == nil { // which says more
			a.warn("all weights are 0, so every row gets the same score: no feature goes with the labels, or λ is too large for double precision beside the features")
		}
	case equalScores(x, coef, p.parts(t.goal)):
		a.warn("the compared rows all get the same score: what the weights add up to is below double precision; take a smaller λ, or --normalize zscore")
	}
}
