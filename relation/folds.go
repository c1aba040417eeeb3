package relation

import (
	"context"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/pref"
	"pairrank/relation/kron"
)

// folds are trainings without each of some cells, of which one group, all the edges that
// are held out, is predicted.
type folds struct {
	g           *graph
	cells       []cell
	held        []int
	place       []int // of each edge among the held ones
	tell        func(done, total int)
	unconverged int
	keep        bool        // the predictions are kept, as they were before they were measured
	lambdas     []float64   // of the predictions that were kept
	scores      [][]float64 // of each λ, of the held edges
}

// folds deals the cells, and sets the values of λ where they are those of the problem.
func (g *graph) folds(ctx context.Context, s split, m *measure) (*folds, error) {
	f, err := g.deal(s)
	if err != nil {
		return nil, err
	}
	f.tell, f.keep = m.tell, m.keep
	if m.lambdas == nil {
		m.lambdas, err = g.defaultLambdas(ctx, s.setting)
	}
	return f, err
}

func (g *graph) deal(s split) (*folds, error) {
	cells, err := g.cells(s)
	if err != nil {
		return nil, err
	}
	f := &folds{g: g, cells: cells, place: make([]int, len(g.y))}
	for _, c := range cells {
		if c.trains() {
			f.held = append(f.held, c.test...)
		}
	}
	f.held = g.byRow(f.held)
	for a, e := range f.held {
		f.place[e] = a
	}
	return f, nil
}

// trains reports whether there is something to train on and something to predict.
func (c cell) trains() bool { return len(c.test) > 0 && len(c.train) > 0 }

// predict is a cv.Predictor of the one group.
func (f *folds) predict(ctx context.Context, _ *pref.Partition, lambdas []float64, emit func(g, l int, held cv.Held)) error {
	if f.keep {
		f.lambdas, f.scores = slices.Clone(lambdas), make([][]float64, len(lambdas))
		measure := emit
		emit = func(g, l int, held cv.Held) {
			f.scores[l] = slices.Clone(held.F.Data)
			measure(g, l, held)
		}
	}
	return f.each(ctx, len(lambdas), emit, func(c cell, take func(l int, scores []float64)) error {
		n, err := f.g.predict(ctx, c.train, c.test, lambdas, take)
		f.unconverged += n
		return err
	})
}

// again is a cv.Predictor of what predict kept: iterative trainings begin at that of a
// larger λ, and would end elsewhere with another path.
func (f *folds) again(_ context.Context, _ *pref.Partition, lambdas []float64, emit func(g, l int, held cv.Held)) error {
	for l, lambda := range lambdas {
		scores := slices.Clone(f.scores[slices.Index(f.lambdas, lambda)])
		emit(0, l, cv.Predictions(&data.Dense{Rows: len(scores), Cols: 1, Stride: 1, Data: scores}))
	}
	return nil
}

// each predicts the test edges of every cell for so many λ.
func (f *folds) each(ctx context.Context, lambdas int, emit func(g, l int, held cv.Held), predict func(c cell, take func(l int, scores []float64)) error) error {
	all := make([]*data.Dense, lambdas)
	for l := range all {
		all[l] = data.NewDense(len(f.held), 1, nil)
	}
	for k, c := range f.cells {
		if c.trains() {
			bad := false
			err := predict(c, func(l int, scores []float64) {
				bad = bad || !allFinite(scores)
				for a, e := range c.test {
					all[l].Data[f.place[e]] = scores[a]
				}
			})
			if err == nil && bad {
				err = kron.ErrNumerical
			}
			if err != nil {
				return fmt.Errorf("training without fold %d: %w", k+1, err)
			}
		}
		if f.tell != nil {
			f.tell(k+1, len(f.cells))
		}
	}
	for l, scores := range all {
		emit(0, l, cv.Predictions(scores))
	}
	return nil
}
