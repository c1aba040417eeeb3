package relation

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"pairrank/data"
	"pairrank/internal/holdout"
	"pairrank/internal/kron"
	"pairrank/internal/linalg"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/relation/edge"
)

// retrained trains on the edges of each fold for each λ and predicts the others. It counts in unconverged the trainings
// that stopped at the limit of iterations.
func (g *graph) retrained(unconverged *atomic.Int64) holdout.Predictor {
	train := holdout.BoundedTrainer(func(ctx context.Context, train, test []int, lambdas []float64,
		emit func(l int, held holdout.Held)) error {
		finite := true
		n, err := g.predict(ctx, g.part(train), test, lambdas, nil, func(l int, scores []float64, summands float64) {
			finite = finite && linalg.Finite(scores)
			emit(l, holdout.PredictionsOf(data.NewDense(len(scores), 1, scores), summands))
		})
		unconverged.Add(int64(n))
		if err == nil && !finite {
			err = kron.ErrNumerical
		}
		return err
	})
	return train.AtOnce(g.foldsAtOnce())
}

// foldsAtOnce is the number of threads, or of as many folds as fit into memory: the products of a fold are often too
// small to be divided among threads.
func (g *graph) foldsAtOnce() int {
	p, r := float64(g.rows.Rows), float64(g.cols.Rows)
	need := 8 * (4*(p*p+r*r) + 4*p*r + 40*float64(g.edges.Len())) // kernels and their factors, products, and vectors
	return memory.AtOnce(parallel.Workers(), need)
}

// predict trains on a part for each λ and predicts other edges: in closed form if the part is a complete block,
// else by kron.SolveScores. x is the factored part, or nil. predict returns the number of trainings that stopped at
// the limit of iterations before they converged; emit receives the scores and the size of their summands.
func (g *graph) predict(ctx context.Context, p part, test []int, lambdas []float64, x *exact,
	emit func(l int, f []float64, summands float64)) (unconverged int, err error) {
	from := edge.Edges{Row: make([]int32, len(test)), Col: make([]int32, len(test))}
	for a, e := range test {
		from.Row[a], from.Col[a] = g.edges.Row[e], g.edges.Col[e]
	}
	y := p.complete()
	factored, err := x.path(ctx, p.graph, y)
	var open *openError
	switch {
	case errors.As(err, &open):
		return g.predictIteratively(ctx, p.edgeNumbers, from, lambdas, emit)
	case errors.Is(err, errTwoSteps):
		return 0, fmt.Errorf("two-step learning needs the edges of all pairs of the nodes that are left")
	case err != nil:
		return 0, err
	}
	rowAt, newRows := distinct(from.Row, g.rows.Rows)
	colAt, newCols := distinct(from.Col, g.cols.Rows)
	left, right := between(g.rows, newRows, p.rowNumbers), between(g.cols, p.colNumbers, newCols)
	for l, lambda := range lambdas {
		coef, _ := factored.learn(lambda)
		block := left.Mul(coef).Mul(right)
		f := make([]float64, len(test))
		for a := range f {
			f[a] = block.Row(int(rowAt[a]))[colAt[a]]
		}
		emit(l, f, factored.summands(lambda, edge.Rows))
	}
	return 0, ctx.Err()
}

// path is a factored complete graph, the one of the estimate if there is one.
func (x *exact) path(ctx context.Context, g *graph, y *data.Dense) (path, error) {
	if x != nil {
		return x.paths[0], nil
	}
	return g.factor(ctx, y)
}

// predictIteratively is predict by conjugate gradients.
func (g *graph) predictIteratively(ctx context.Context, train []int, test edge.Edges,
	lambdas []float64, emit func(l int, f []float64, summands float64)) (unconverged int, err error) {
	e, y := edge.Edges{Row: make([]int32, len(train)), Col: make([]int32, len(train))}, make([]float64, len(train))
	for a, h := range train {
		e.Row[a], e.Col[a], y[a] = g.edges.Row[h], g.edges.Col[h], g.y[h]
	}
	o := g.solve
	o.Loss, o.Each = g.learn.Loss, nil
	system := kron.System{Kernel: g.kernel, Rows: g.rows, Cols: g.cols, Edges: e, Y: y}
	return kron.SolveScores(ctx, system, test, lambdas, o, func(l int, f []float64) {
		emit(l, f, system.Summands(lambdas[l], o.Loss))
	})
}
