package cv

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/relation/kron"
)

// cell is the edges that one training leaves out and those it learns from.
type cell struct{ train, test []int }

// folds trains again without each fold. Of a symmetric or reciprocal relation an
// edge and its reverse stay together, and a fold of nodes takes every edge that
// touches one of them out of the training.
func (r Relation) folds(ctx context.Context, o *RelationOptions, take heldOut) (unconverged int, err error) {
	cells, err := r.cells(*o)
	if err != nil {
		return 0, err
	}
	if o.Lambdas == nil {
		if o.Lambdas, err = r.defaultLambdas(ctx, o.Setting); err != nil {
			return 0, err
		}
	}
	scores := make([][]float64, len(o.Lambdas))
	for l := range scores {
		scores[l] = make([]float64, len(r.Y))
		for e := range scores[l] {
			scores[l][e] = math.NaN()
		}
	}
	bad := false
	for k, c := range cells {
		if len(c.test) > 0 && len(c.train) > 0 {
			n, err := r.Predict(ctx, c.train, c.test, o.Lambdas, func(l int, f []float64) {
				for a, e := range c.test {
					scores[l][e] = f[a]
				}
				if !allFinite(f) {
					bad = true
				}
			})
			if unconverged += n; err == nil && bad {
				err = kron.ErrNumerical
			}
			if err != nil {
				return unconverged, fmt.Errorf("training without fold %d: %w", k+1, err)
			}
		}
		if o.Progress != nil {
			o.Progress(k+1, len(cells))
		}
	}
	for l := range scores {
		if err := take(l, scores[l]); err != nil {
			return unconverged, err
		}
	}
	return unconverged, nil
}

// extentLambdas is LambdasBetween of eigenvalues of kernels, which have no features.
func extentLambdas(least, largest float64) []float64 { return LambdasBetween(least, largest, 1) }

// defaultLambdas is the path of λ for folds of a setting.
func (r Relation) defaultLambdas(ctx context.Context, s kron.Setting) ([]float64, error) {
	if y, complete := r.Complete(); complete && r.TwoStep > 0 {
		step, err := kron.FactorTwoStep(ctx, r.Rows, r.Cols, y)
		if err != nil {
			return nil, err
		}
		return extentLambdas(step.Extent()), nil
	}
	largest := kron.Largest(kron.System{Kernel: r.Pairwise(), Rows: r.Rows, Cols: r.Cols, Edges: r.Edges}, r.Learn.Loss)
	if r.closed() == nil && s != kron.Pairs {
		return LambdasBetween(0, largest, 1), nil
	}
	return IterativeLambdas(largest, 1), ctx.Err()
}

// cells are the folds of a setting.
func (r Relation) cells(o RelationOptions) ([]cell, error) {
	folds := o.Method.Folds
	deal := func(n int, what string, purpose uint64) ([]int, error) {
		if n < folds {
			return nil, fmt.Errorf("%d folds of %d %s: there are not enough of them", folds, n, what)
		}
		of := make([]int, n)
		for place, i := range rand.New(rand.NewPCG(o.Seed, purpose)).Perm(n) {
			of[i] = place % folds
		}
		return of, nil
	}
	if o.Setting == kron.Pairs {
		units, n := r.together()
		of, err := deal(n, "edges", 1)
		if err != nil {
			return nil, err
		}
		return r.split(folds, func(e, k int) (bool, bool) { return of[units[e]] != k, of[units[e]] == k }), nil
	}
	rows, err := deal(r.Rows.Rows, "row nodes", 2)
	if err != nil {
		return nil, err
	}
	row := func(e int) int { return rows[r.Edges.Row[e]] }
	if r.Learn.Relation == kron.Symmetric || r.Learn.Relation == kron.Reciprocal {
		col := func(e int) int { return rows[r.Edges.Col[e]] }
		return r.split(folds, func(e, k int) (train, test bool) {
			inRow, inCol := row(e) == k, col(e) == k
			test = map[kron.Setting]bool{kron.Rows: inRow && !inCol, kron.Cols: inCol && !inRow, kron.Both: inRow && inCol}[o.Setting]
			return !inRow && !inCol, test
		}), nil
	}
	if o.Setting == kron.Rows {
		return r.split(folds, func(e, k int) (bool, bool) { return row(e) != k, row(e) == k }), nil
	}
	cols, err := deal(r.Cols.Rows, "column nodes", 3)
	if err != nil {
		return nil, err
	}
	col := func(e int) int { return cols[r.Edges.Col[e]] }
	if o.Setting == kron.Cols {
		return r.split(folds, func(e, k int) (bool, bool) { return col(e) != k, col(e) == k }), nil
	}
	return r.split(folds*folds, func(e, k int) (bool, bool) {
		a, b := k/folds, k%folds
		return row(e) != a && col(e) != b, row(e) == a && col(e) == b
	}), nil
}

// split makes n cells.
func (r Relation) split(n int, in func(e, k int) (train, test bool)) []cell {
	cells := make([]cell, n)
	for k := range cells {
		for e := range r.Y {
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
func (r Relation) together() (units []int, n int) {
	number := map[[2]int32]int{}
	units = make([]int, len(r.Y))
	for e := range units {
		at := [2]int32{r.Edges.Row[e], r.Edges.Col[e]}
		if r.Learn.Relation != kron.Arbitrary && r.Learn.Relation != "" && at[0] > at[1] {
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

// Predict trains on some edges for each λ and predicts others: in closed form
// where the edges left are a complete block, else iteratively, from the largest λ
// down, each from the last. It tells how many of the trainings stopped at the limit
// of iterations before they converged.
func (r Relation) Predict(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f []float64)) (unconverged int, err error) {
	part, rows, cols := r.part(train)
	from := kron.Edges{Row: make([]int32, len(test)), Col: make([]int32, len(test))}
	for a, e := range test {
		from.Row[a], from.Col[a] = r.Edges.Row[e], r.Edges.Col[e]
	}
	y, complete := part.Complete()
	if r.TwoStep > 0 && !complete {
		return 0, fmt.Errorf("two-step learning needs the edges of all pairs of the nodes that are left")
	}
	if !complete || part.closed() != nil && r.TwoStep == 0 {
		return r.predictIteratively(ctx, train, from, lambdas, emit)
	}
	rowAt, newRows := distinct(from.Row, r.Rows.Rows)
	colAt, newCols := distinct(from.Col, r.Cols.Rows)
	left, right := between(r.Rows, newRows, rows), between(r.Cols, cols, newCols)
	var coef func(lambda float64) *data.Dense
	if r.TwoStep > 0 {
		step, err := kron.FactorTwoStep(ctx, part.Rows, part.Cols, y)
		if err != nil {
			return 0, err
		}
		coef = func(lambda float64) *data.Dense { return step.Coef(lambda, r.TwoStep) }
	} else {
		path, err := kron.Factor(ctx, part.Rows, part.Cols, y, part.Learn)
		if err != nil {
			return 0, err
		}
		coef = func(lambda float64) *data.Dense { return path.At(lambda).Coef }
	}
	for l, lambda := range lambdas {
		block := multiplyDense(multiplyDense(left, coef(lambda)), right)
		f := make([]float64, len(test))
		for a := range f {
			f[a] = block.Row(int(rowAt[a]))[colAt[a]]
		}
		emit(l, f)
	}
	return 0, ctx.Err()
}

// part is the relation of some edges, over the nodes that they touch.
func (r Relation) part(edges []int) (part Relation, rows, cols []int32) {
	one := r.Rows == r.Cols && r.Learn.Relation != kron.Arbitrary && r.Learn.Relation != ""
	ends := func(nodes []int32) []int32 {
		out := make([]int32, len(edges))
		for a, e := range edges {
			out[a] = nodes[e]
		}
		return out
	}
	row, col := ends(r.Edges.Row), ends(r.Edges.Col)
	if one {
		at, used := distinct(append(row, col...), r.Rows.Rows)
		row, col, rows, cols = at[:len(edges)], at[len(edges):], used, used
	} else {
		row, rows = distinct(row, r.Rows.Rows)
		col, cols = distinct(col, r.Cols.Rows)
	}
	part = r
	part.Rows = between(r.Rows, rows, rows)
	if part.Cols = part.Rows; !one {
		part.Cols = between(r.Cols, cols, cols)
	}
	part.Edges = kron.Edges{Row: row, Col: col}
	part.Y = make([]float64, len(edges))
	for a, e := range edges {
		part.Y[a] = r.Y[e]
	}
	return part, rows, cols
}

// between is the entries of k at some rows and columns.
func between(k *data.Dense, rows, cols []int32) *data.Dense {
	out := data.NewDense(len(rows), len(cols), nil)
	for a, i := range rows {
		from, to := k.Row(int(i)), out.Row(a)
		for b, j := range cols {
			to[b] = from[j]
		}
	}
	return out
}

// distinct is the nodes of a list without repetition, ascending, and the place of
// each entry of the list among them; there are n nodes.
func distinct(nodes []int32, n int) (at, used []int32) {
	of := make([]int32, n)
	for _, v := range nodes {
		of[v] = 1
	}
	for v := range of {
		if of[v] == 1 {
			of[v] = int32(len(used))
			used = append(used, int32(v))
		}
	}
	at = make([]int32, len(nodes))
	for a, v := range nodes {
		at[a] = of[v]
	}
	return at, used
}

// multiplyDense is the product of two matrices.
func multiplyDense(a, b *data.Dense) *data.Dense {
	c := data.NewDense(a.Rows, b.Cols, nil)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, linalg.Mat(*a), linalg.Mat(*b), 0, linalg.Mat(*c))
	return c
}

// predictIteratively is Predict by conjugate gradients.
func (r Relation) predictIteratively(ctx context.Context, train []int, test kron.Edges, lambdas []float64, emit func(l int, f []float64)) (unconverged int, err error) {
	e, y := kron.Edges{Row: make([]int32, len(train)), Col: make([]int32, len(train))}, make([]float64, len(train))
	for a, h := range train {
		e.Row[a], e.Col[a], y[a] = r.Edges.Row[h], r.Edges.Col[h], r.Y[h]
	}
	o := r.Solve
	o.Loss, o.Each = r.Learn.Loss, nil
	onto := kron.NewOperator(r.Pairwise(), r.Rows, r.Cols, test, e)
	results := make([][]float64, len(lambdas))
	for l := len(lambdas) - 1; l >= 0; l-- {
		fit, err := kron.Solve(ctx, kron.System{Kernel: r.Pairwise(), Rows: r.Rows, Cols: r.Cols, Edges: e, Y: y}, lambdas[l], o)
		if errors.Is(err, kron.ErrNumerical) {
			err = fmt.Errorf("λ = %g: %w", lambdas[l], err)
		}
		if err != nil {
			return unconverged, err
		}
		if !fit.Converged {
			unconverged++
		}
		o.Start = fit.Coef
		results[l] = make([]float64, test.Len())
		onto.MulTo(results[l], fit.Coef)
	}
	for l, f := range results {
		emit(l, f)
	}
	return unconverged, nil
}
