package relation

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pairrank/eval/cv"
	"pairrank/relation/kron"
)

// split says which edges are held out, and how.
type split struct {
	setting kron.Setting
	method  cv.Method
	seed    uint64
	sample  int
}

// cell is the edges that one training leaves out and those it learns from.
type cell struct{ train, test []int }

// defaultLambdas is the path of λ for folds of a setting.
func (g *graph) defaultLambdas(ctx context.Context, s kron.Setting) ([]float64, error) {
	if y := g.complete(); y != nil && g.twoStep > 0 {
		step, err := kron.FactorTwoStep(ctx, g.rows, g.cols, y)
		if err != nil {
			return nil, err
		}
		least, largest := step.Extent()
		return cv.LambdasBetween(least, largest, 1), nil // kernels have no features
	}
	largest := kron.Largest(g.system(), g.learn.Loss)
	if g.closed() == nil && s != kron.Pairs {
		return cv.LambdasToRounding(largest, 1), nil
	}
	return cv.IterativeLambdas(largest, 1), ctx.Err()
}

// cells are the folds of a setting.
func (g *graph) cells(o split) ([]cell, error) {
	folds := o.method.Folds
	deal := func(n int, what string, purpose uint64) ([]int, error) {
		if n < folds {
			return nil, fmt.Errorf("%d folds of %d %s: there are not enough of them", folds, n, what)
		}
		of := make([]int, n)
		for place, i := range rand.New(rand.NewPCG(o.seed, purpose)).Perm(n) {
			of[i] = place % folds
		}
		return of, nil
	}
	if o.setting == kron.Pairs {
		units, n := g.together()
		of, err := deal(n, "edges", 1)
		if err != nil {
			return nil, err
		}
		return g.splitInto(folds, func(e, k int) (bool, bool) { return of[units[e]] != k, of[units[e]] == k }), nil
	}
	rows, err := deal(g.rows.Rows, "row nodes", 2)
	if err != nil {
		return nil, err
	}
	row := func(e int) int { return rows[g.edges.Row[e]] }
	if g.mirrored() {
		col := func(e int) int { return rows[g.edges.Col[e]] }
		return g.splitInto(folds, func(e, k int) (train, test bool) {
			inRow, inCol := row(e) == k, col(e) == k
			test = map[kron.Setting]bool{kron.Rows: inRow && !inCol, kron.Cols: inCol && !inRow, kron.Both: inRow && inCol}[o.setting]
			return !inRow && !inCol, test
		}), nil
	}
	if o.setting == kron.Rows {
		return g.splitInto(folds, func(e, k int) (bool, bool) { return row(e) != k, row(e) == k }), nil
	}
	cols, err := deal(g.cols.Rows, "column nodes", 3)
	if err != nil {
		return nil, err
	}
	col := func(e int) int { return cols[g.edges.Col[e]] }
	if o.setting == kron.Cols {
		return g.splitInto(folds, func(e, k int) (bool, bool) { return col(e) != k, col(e) == k }), nil
	}
	return g.splitInto(folds*folds, func(e, k int) (bool, bool) {
		a, b := k/folds, k%folds
		return row(e) != a && col(e) != b, row(e) == a && col(e) == b
	}), nil
}

// splitInto makes n cells.
func (g *graph) splitInto(n int, in func(e, k int) (train, test bool)) []cell {
	cells := make([]cell, n)
	for k := range cells {
		for e := range g.y {
			train, test := in(e, k)
			if train {
				cells[k].train = append(cells[k].train, e)
			}
			if test {
				cells[k].test = append(cells[k].test, e)
			}
		}
	}
	return cells
}

// together numbers the edges so that those between the same nodes, and for a
// relation with a reverse those between the same two, have one number.
func (g *graph) together() (units []int, n int) {
	number := map[[2]int32]int{}
	units = make([]int, len(g.y))
	for e := range units {
		at := [2]int32{g.edges.Row[e], g.edges.Col[e]}
		if g.mirrored() && at[0] > at[1] {
			at[0], at[1] = at[1], at[0]
		}
		u, seen := number[at]
		if !seen {
			u = len(number)
			number[at] = u
		}
		units[e] = u
	}
	return units, len(number)
}
