package pairrank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/rows"
	"pairrank/model"
	"pairrank/model/contribution"
)

// shapeSplits is how many splits into halves standard errors of shapes come from.
const shapeSplits = 10

// halves are what ShapeErrors trains on again: the rows of the Problem as they came, or as they were normalised, and
// not what a map or a kernel made of them.
type halves struct {
	rows   *trainer
	lambda float64
}

// ShapeErrors sets the standard errors of the shapes of Model, which contribution.Shapes returns: from trainings at the
// chosen λ on both halves of ten random splits of the queries, of the groups, or of the rows of one list. Half of the
// difference of the shapes of two halves has the standard deviation of a shape of all rows; the error is the root of
// its mean square over the splits. Each half takes its own knots, and its λ is multiplied as in half-samples of
// Estimate. Options.Seed draws the splits. It sets nothing for a model of no splines or of several outputs, for
// preferences, and where there are fewer than eight queries, groups or rows. The cost is that of 20 trainings on half
// of the rows; until then the Result keeps the rows.
func (r *Result) ShapeErrors(ctx context.Context, shapes []contribution.Shape) error {
	of := r.halves
	if of == nil || len(shapes) == 0 || r.Model.Outputs() > 1 || of.rows.edges != nil ||
		of.rows.units().n < holdout.LeastUnits {
		return nil
	}
	s := &source{trainer: of.rows}
	if err := s.target(); err != nil {
		return err
	}
	squares, splits, err := r.halved(ctx, s, shapes)
	if err != nil || splits < shapeSplits/2 {
		return err
	}
	for k := range shapes {
		for i, v := range squares[k] {
			squares[k][i] = math.Sqrt(v / float64(splits))
		}
		n := len(shapes[k].Adds)
		if shapes[k].StdErr = squares[k][:n:n]; shapes[k].Missing != nil {
			shapes[k].MissingStdErr = &squares[k][n]
		}
	}
	return nil
}

// halved sums the squares of half the difference of two halves over the splits that have pairs to compare.
func (r *Result) halved(ctx context.Context, s *source, shapes []contribution.Shape) (squares [][]float64, splits int,
	err error) {
	units, random := s.units(), rand.New(rand.NewPCG(s.o.Seed, 0))
	draw := units.halves(indices(units.n))
	squares = make([][]float64, len(shapes))
	for k := range shapes {
		squares[k] = make([]float64, len(shapes[k].Adds), len(shapes[k].Adds)+1)
		if shapes[k].Missing != nil { // the last one
			squares[k] = append(squares[k], 0)
		}
	}
	for range shapeSplits {
		var found [2][][]float64
		for h, some := range draw(random) {
			if found[h], err = r.halfShapes(ctx, s, units.rows(some), shapes); err != nil {
				break
			}
		}
		switch {
		case rows.IsNothing(err): // a half has no two rows to compare
			continue
		case err != nil:
			return nil, 0, err
		}
		splits++
		for k := range squares {
			for i := range squares[k] {
				squares[k][i] += math.Pow((found[0][k][i]-found[1][k][i])/2, 2)
			}
		}
	}
	return squares, splits, nil
}

// halfShapes trains on some rows, and returns what its shapes add at the points of others.
func (r *Result) halfShapes(ctx context.Context, whole *source, some []int,
	at []contribution.Shape) ([][]float64, error) {
	half := &source{trainer: whole.partAnew(some)}
	half.round = whole.round.half()
	if err := half.target(); err != nil {
		return nil, err
	}
	lambda := r.halves.lambda
	if half.aim != nil {
		lambda *= goals.Trace(half.aim.L) / goals.Trace(whole.aim.L)
	}
	candidate := lambda
	if half.selects() {
		half.grid, candidate = &grid{lambdas: []float64{lambda}, sizes: []int{len(r.Training.Chosen)}}, 0
	}
	f, err := half.learner.fit(ctx, half.trainer, half.aim, candidate)
	if err != nil {
		return nil, err
	}
	shapes, err := contribution.Shapes(&model.Model{Info: r.Model.Info, Names: r.Model.Names,
		Normalizer: r.Model.Normalizer, Scorer: f.outcome.scorer(half.trainer, f)})
	if err != nil {
		return nil, err
	}
	adds := make([][]float64, len(at))
	for k := range at {
		s := shapes[slices.IndexFunc(shapes, func(s contribution.Shape) bool { return s.Number == at[k].Number })]
		if adds[k] = s.Adds; s.Levels == nil {
			adds[k] = make([]float64, len(at[k].X))
			for i, x := range at[k].X {
				adds[k][i] = s.At(x)
			}
		}
		if at[k].Missing != nil {
			adds[k] = append(slices.Clip(adds[k]), *s.Missing)
		}
	}
	return adds, nil
}
