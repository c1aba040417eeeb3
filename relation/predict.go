package relation

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/relation/kron"
)

// predict trains on some edges for each λ and predicts others: in closed form
// where the edges left are a complete block, else iteratively, from the largest λ
// down, each from the last. It tells how many of the trainings stopped at the limit
// of iterations before they converged.
func (g *graph) predict(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f []float64)) (unconverged int, err error) {
	part, rows, cols := g.part(train)
	from := kron.Edges{Row: make([]int32, len(test)), Col: make([]int32, len(test))}
	for a, e := range test {
		from.Row[a], from.Col[a] = g.edges.Row[e], g.edges.Col[e]
	}
	y := part.complete()
	if g.twoStep > 0 && y == nil {
		return 0, fmt.Errorf("two-step learning needs the edges of all pairs of the nodes that are left")
	}
	if y == nil || part.closed() != nil && g.twoStep == 0 {
		return g.predictIteratively(ctx, train, from, lambdas, emit)
	}
	rowAt, newRows := distinct(from.Row, g.rows.Rows)
	colAt, newCols := distinct(from.Col, g.cols.Rows)
	left, right := between(g.rows, newRows, rows), between(g.cols, cols, newCols)
	var coef func(lambda float64) *data.Dense
	if g.twoStep > 0 {
		step, err := kron.FactorTwoStep(ctx, part.rows, part.cols, y)
		if err != nil {
			return 0, err
		}
		coef = func(lambda float64) *data.Dense { return step.Coef(lambda, g.twoStep) }
	} else {
		path, err := kron.Factor(ctx, part.rows, part.cols, y, part.learn)
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

// multiplyDense is the product of two matrices.
func multiplyDense(a, b *data.Dense) *data.Dense {
	c := data.NewDense(a.Rows, b.Cols, nil)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, linalg.Mat(*a), linalg.Mat(*b), 0, linalg.Mat(*c))
	return c
}

// predictIteratively is predict by conjugate gradients.
func (g *graph) predictIteratively(ctx context.Context, train []int, test kron.Edges, lambdas []float64, emit func(l int, f []float64)) (unconverged int, err error) {
	e, y := kron.Edges{Row: make([]int32, len(train)), Col: make([]int32, len(train))}, make([]float64, len(train))
	for a, h := range train {
		e.Row[a], e.Col[a], y[a] = g.edges.Row[h], g.edges.Col[h], g.y[h]
	}
	o := g.solve
	o.Loss, o.Each = g.learn.Loss, nil
	onto := kron.NewOperator(g.kernel, g.rows, g.cols, test, e)
	results := make([][]float64, len(lambdas))
	for l := len(lambdas) - 1; l >= 0; l-- {
		fit, err := kron.Solve(ctx, kron.System{Kernel: g.kernel, Rows: g.rows, Cols: g.cols, Edges: e, Y: y}, lambdas[l], o)
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
