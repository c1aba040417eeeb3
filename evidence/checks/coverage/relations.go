package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/kron"
	"pairrank/kernel"
	"pairrank/relation"
	"pairrank/relation/edge"
)

// relational is nodes with standard normal features, y = uᵀv + noise over the first two
// features of a row and a column, or of classes whether that is above 1. Linear kernels rank the columns
// for a row, and what is new in the setting is left out.
type relational struct {
	setting              edge.Setting
	rows, cols, features int
	noise                float64
	classes              bool
	folds                int // that are trained again; 0 are the exact shortcuts
}

func (r relational) study() study {
	labels, folds := "", ""
	if r.folds > 0 {
		folds = fmt.Sprintf(", kfold:%d", r.folds)
	}
	if r.classes {
		labels = ", 0/1"
	}
	return study{draw: r.draw, name: fmt.Sprintf("error by %s%s: %d × %d nodes, %d features each%s", r.setting, folds,
		r.rows, r.cols, r.features, labels)}
}

func (r relational) nodes(rng *rand.Rand, n int) *data.Dense {
	x := data.NewDense(n, r.features, nil)
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	return x
}

func (r relational) label(rng *rand.Rand, u, v []float64) float64 {
	y := u[0]*v[0] + u[1]*v[1] + r.noise*rng.NormFloat64()
	switch {
	case !r.classes:
		return y
	case y > 1:
		return 1
	}
	return 0
}

func (r relational) draw(ctx context.Context, rng *rand.Rand) (estimated, error) {
	return r.drawBy(ctx, rng, cv.IntervalsHalves)
}

// drawBy is draw with half-samples, or without them by the standard error alone.
func (r relational) drawBy(ctx context.Context, rng *rand.Rand, by cv.Intervals) (estimated, error) {
	u, v := r.nodes(rng, r.rows), r.nodes(rng, r.cols)
	p := relation.Problem{Rows: &relation.Nodes{X: u}, Cols: &relation.Nodes{X: v}}
	p.Edges.Row, p.Edges.Col, p.Y = edges(u, v, func(u, v []float64) float64 { return r.label(rng, u, v) })
	o := relation.EstimateOptions{Options: relation.Options{Setting: r.setting}, Intervals: by}
	if r.folds > 0 {
		o.Method = &cv.Method{Kind: cv.KFold, Folds: r.folds}
	}
	e, err := relation.Estimate(ctx, p, o)
	if err != nil {
		return estimated{}, err
	}
	best := e.Choice.Point()
	path, err := kron.Factor(ctx, kernel.Matrix(kernel.Linear{}, u, u), kernel.Matrix(kernel.Linear{}, v, v),
		data.NewDense(r.rows, r.cols, p.Y), kron.Options{})
	if err != nil {
		return estimated{}, err
	}
	out := estimated{error: best.Error}
	if out.measured(best, e.Halves); by == cv.IntervalsNone {
		out.givenByT(best, r)
	}
	if r.setting == edge.Pairs {
		out.truth, err = r.withoutPairs(ctx, rng, path, best.Candidate, u, v)
	} else {
		out.truth, err = r.newNodes(rng, weightsOf(u, v, path.At(best.Candidate).Coef), u, v)
	}
	return out, err
}

// newNodes is the error of the scores uᵀWv of two columns for a row: new rows, columns or both beside all
// that are known.
func (r relational) newNodes(rng *rand.Rand, weights [][]float64, u, v *data.Dense) (float64, error) {
	const many = 3000
	switch r.setting {
	case edge.Rows:
		u = r.nodes(rng, many)
	case edge.Cols:
		v = r.nodes(rng, many)
	case edge.Both:
		u, v = r.nodes(rng, many/3), r.nodes(rng, many/3)
	}
	row, _, y := edges(u, v, func(u, v []float64) float64 { return r.label(rng, u, v) })
	_, _, scores := edges(u, v, func(u, v []float64) float64 {
		f := 0.0
		for a, x := range u {
			for b, z := range v {
				f += x * weights[a][b] * z
			}
		}
		return f
	})
	truth, err := relation.RowError(row, y)(scores)
	return truth.Value, err
}

// edges are all edges between u and v with a value of each.
func edges(u, v *data.Dense, value func(u, v []float64) float64) (row, col []int32, values []float64) {
	for i := range u.Rows {
		for j := range v.Rows {
			row, col, values = append(row, int32(i)), append(col, int32(j)), append(values, value(u.Row(i), v.Row(j)))
		}
	}
	return row, col, values
}

// weightsOf are W = Uᵀ C V of the scores uᵀWv.
func weightsOf(u, v, coef *data.Dense) [][]float64 {
	weights, byCol, byFeature := make([][]float64, u.Cols), make([]float64, v.Rows), make([]float64, u.Rows)
	for a := range weights {
		for i := range byFeature {
			byFeature[i] = u.Row(i)[a]
		}
		coef.MulTransVecTo(byCol, byFeature)
		weights[a] = make([]float64, v.Cols)
		v.MulTransVecTo(weights[a], byCol)
	}
	return weights
}

// withoutPairs is the error, over labels drawn again, of the models that are trained without the two edges
// of a row that they compare.
func (r relational) withoutPairs(ctx context.Context, rng *rand.Rand, path *kron.Path, lambda float64,
	u, v *data.Dense) (float64, error) {
	to, err := path.Margins(lambda, edge.Pairs)
	if err != nil {
		return 0, err
	}
	var pairs []kron.Compared
	for i := range u.Rows {
		for a := range v.Rows {
			for b := range a {
				pairs = append(pairs, kron.Compared{Row: int32(i), A: int32(a), B: int32(b)})
			}
		}
	}
	margins := make([]float64, len(pairs))
	if err := to(ctx, margins, pairs); err != nil {
		return 0, err
	}
	wrong, all := 0.0, 0.0
	for k, c := range pairs {
		for range 20 {
			row := u.Row(int(c.Row))
			a, b := r.label(rng, row, v.Row(int(c.A))), r.label(rng, row, v.Row(int(c.B)))
			if a == b {
				continue
			}
			all++
			if right := (a - b) * margins[k]; right < 0 {
				wrong++
			} else if right == 0 {
				wrong += 0.5
			}
		}
	}
	return wrong / all, nil
}
