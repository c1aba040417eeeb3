package table

import (
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/pick"
)

// leaveOut leaves out the rows of weight 0, as if the table did not have them, and returns how many stay. It costs
// O(mn) where there is one, else O(m).
func (g *gathered) leaveOut(m int) (int, error) {
	weights := g.amounts[weigh]
	if len(weights) != m || !slices.Contains(weights, 0) {
		return m, nil
	}
	for i, w := range weights {
		if w != 0 {
			g.present = append(g.present, i)
		}
	}
	switch {
	case g.present != nil:
	case g.some:
		g.present = []int{} // others follow
	default:
		return m, g.opts.check.pass(cellfault.Other, g.noneLeft())
	}
	if g.sparse != nil {
		g.sparse = data.Select(g.sparse, g.present).(*data.CSR)
	} else {
		kept := data.NewDense(len(g.present), g.width, nil)
		for k, i := range g.present {
			copy(kept.Row(k), g.values[i*g.width:(i+1)*g.width])
		}
		g.values = kept.Data
	}
	g.missing = g.missing && (g.sparse != nil || slices.ContainsFunc(g.values, math.IsNaN))
	g.y, g.ids = pick.Rows(g.y, g.present), pick.Rows(g.ids, g.present)
	for r := range g.amounts {
		g.amounts[r] = pick.Rows(g.amounts[r], g.present)
	}
	g.texts.keep(g.present)
	for r := range g.parts {
		g.parts[r].keep(g.present)
	}
	for k := range g.codes {
		if g.codes[k].keep(g.present); g.lacking[k] > 0 {
			g.lacking[k] = g.codes[k].count(noLevel)
		}
	}
	return len(g.present), nil
}

// noneLeft is the error about rows that all have weight 0.
func (g *gathered) noneLeft() error {
	return g.fault(slices.Index(g.roles, weigh), nil, noneLeft)
}

const noneLeft = "all rows have weight zero: none is left"

// absent are the rows that were left out, of all of them.
func (g *gathered) absent(all int) (rows []int) {
	if g.present == nil {
		return nil
	}
	left := g.present
	for i := range all {
		if len(left) > 0 && left[0] == i {
			left = left[1:]
			continue
		}
		rows = append(rows, i)
	}
	return rows
}

// keep numbers the texts of some rows anew, in the order of their first appearance.
func (n *interned) keep(rows []int) {
	if n.of == nil {
		return
	}
	var kept interned
	for _, i := range rows {
		kept.add(n.ids[n.of[i]])
	}
	*n = kept
}

// numberOf is the row of the table that became row i.
func (g *gathered) numberOf(i int) int {
	if g.present == nil {
		return i
	}
	return g.present[i]
}
