package cv

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"pairrank/relation/kron"
)

// RelationHalves is HalfSamples of EstimateRelation: its values are the error and 1
// less the pooled error at the λ that each half chooses, and units the number of
// nodes that are split. The nodes of the rows are for leaving out rows, those of the
// columns for leaving out columns, and both, independently, for leaving out edges or
// both ends; of one domain the nodes are split once. A half has the edges both of
// whose ends it has. o.Lambdas are scaled by what of the loss is in a half; nil are
// those of its own scale.
func RelationHalves(ctx context.Context, r Relation, o RelationOptions, splits int) (h *Halves, units int, err error) {
	progress := o.Progress
	o.Progress = nil
	rows, cols := r.Rows.Rows, r.Cols.Rows
	one := r.Rows == r.Cols
	splitRows, splitCols := o.Setting != kron.Cols, o.Setting != kron.Rows
	switch {
	case one || !splitCols:
		units = rows
	case !splitRows:
		units = cols
	default:
		units = min(rows, cols)
	}
	draw := func(random *rand.Rand) [2][]int {
		inRow, inCol := halfOf(random, rows, one || splitRows), halfOf(random, cols, splitCols)
		if one {
			inCol = inRow
		}
		var halves [2][]int
		for e := range r.Y {
			a, b := inRow[r.Edges.Row[e]], inCol[r.Edges.Col[e]]
			for half := range 2 {
				if (a == half || a == inBoth) && (b == half || b == inBoth) {
					halves[half] = append(halves[half], e)
				}
			}
		}
		return halves
	}
	estimate := func(ctx context.Context, edges []int) ([]float64, error) {
		part, _, _ := r.part(edges)
		own := o
		if o.Lambdas != nil {
			share := part.lossShare(r)
			own.Lambdas = slices.Clone(o.Lambdas)
			for l := range own.Lambdas {
				own.Lambdas[l] *= share
			}
		}
		if r.TwoStep > 0 {
			part.TwoStep *= float64(part.Cols.Rows) / float64(cols)
		}
		e, err := EstimateRelation(ctx, part, own)
		if err != nil {
			return nil, err
		}
		best := e.Points[e.Best]
		if !best.Pooled.Defined {
			return nil, fmt.Errorf("no two held-out edges of a half have different labels")
		}
		return []float64{best.Error, 1 - best.Pooled.Value}, nil
	}
	h, err = HalfSamples(ctx, splits, o.Seed, draw, estimate, progress)
	return h, units, err
}

// inBoth marks nodes that are in both halves.
const inBoth = 2

// halfOf is the half that each of n nodes is in.
func halfOf(random *rand.Rand, n int, split bool) []int {
	of := make([]int, n)
	if !split {
		for i := range of {
			of[i] = inBoth
		}
		return of
	}
	for place, i := range random.Perm(n) {
		of[i] = place % 2
	}
	return of
}

// lossShare is what of the loss of whole is in r: of its rows for two-step learning,
// of its edges for regression, of the edges less the rows that have any, the trace of
// L, for ranking.
func (r Relation) lossShare(whole Relation) float64 {
	size := func(r Relation) float64 {
		if r.TwoStep > 0 {
			return float64(r.Rows.Rows)
		}
		edges := float64(len(r.Y))
		if r.Learn.Loss == kron.Regression {
			return edges
		}
		seen := make([]bool, r.Rows.Rows)
		for _, i := range r.Edges.Row {
			if !seen[i] {
				seen[i] = true
				edges--
			}
		}
		return max(edges, 1)
	}
	return size(r) / size(whole)
}
