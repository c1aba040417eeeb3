package pairrank

import (
	"cmp"
	"context"
	"errors"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/spell"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// preconditioned is the spread of the sizes of the features, see cv.Spread, above which a
// preconditioner for each λ saves more than a Krylov space for all. The word counts of
// text spread by less.
const preconditioned = 1 << 6

// cgOptions are those of the learner: without a tolerance the scores end the iteration.
func (l LeastSquares) cgOptions() rls.CGOptions {
	o := rls.CGOptions{Tolerance: l.Tolerance, MaxIterations: l.MaxIterations}
	if l.Tolerance == 0 {
		o.Scores = rls.DefaultScores
	}
	return o
}

// shares reports whether one Krylov space is to serve every λ of a goal.
func (s *space) shares(goal *pref.Goal) bool {
	return cv.Spread(rls.Squares(s.x, goal)) <= preconditioned
}

// iterate runs conjugate gradients for one λ.
func (l LeastSquares) iterate(ctx context.Context, s *space, goal *pref.Goal, lambda float64) (*rls.Fit, rls.CGResult, error) {
	tell, end := s.journal.Monitor.Task("conjugate gradients, λ = "+spell.Power(lambda), int64(l.MaxIterations))
	defer end()
	o := l.cgOptions()
	o.Progress = func(_, iteration int, _ float64) { tell(iteration, l.MaxIterations) }
	if l.Tolerance != 0 || !s.shares(goal) {
		return rls.ConjugateGradients(ctx, s.x, goal, lambda, o)
	}
	fits, results, err := rls.ConjugateGradientsPath(ctx, s.x, goal, []float64{lambda}, o)
	return fits[0], results[0], err
}

// predictCG trains for each λ and predicts: by one Krylov space, or from the largest λ
// down, each from where the last one ended.
func (l LeastSquares) predictCG(ctx context.Context, s *space, goal *pref.Goal, held data.Matrix, lambdas []float64, emit func(k int, f *data.Dense)) error {
	fits, results, err := l.fitsCG(ctx, s, goal, lambdas)
	if err != nil {
		return err
	}
	for k, found := range fits {
		if !results[k].Converged {
			s.unconverged.Add(1)
		}
		emit(k, addConstant(data.Multiply(held, found.Coef), found.Coef, s.constant()))
	}
	return nil
}

// fitsCG trains for each λ.
func (l LeastSquares) fitsCG(ctx context.Context, s *space, goal *pref.Goal, lambdas []float64) (fits []*rls.Fit, results []rls.CGResult, err error) {
	o := l.cgOptions()
	if s.shares(goal) {
		return rls.ConjugateGradientsPath(ctx, s.x, goal, lambdas, o)
	}
	fits, results = make([]*rls.Fit, len(lambdas)), make([]rls.CGResult, len(lambdas))
	for k := len(lambdas) - 1; k >= 0; k-- {
		if fits[k], results[k], err = rls.ConjugateGradients(ctx, s.x, goal, lambdas[k], o); err != nil {
			return nil, nil, err
		}
		o.Start = fits[k].Coef
	}
	return fits, results, nil
}

// together trains folds for every λ by passes over the rows that all of them share, and
// predicts what each holds out: what cv asks of conjugate gradients.
func (l LeastSquares) together(s *space) cv.Predictor {
	return func(ctx context.Context, splits *cv.Splits, lambdas []float64, emit func(g, l int, held cv.Held)) error {
		for first := 0; first < splits.Len(); first += rls.TrainingsAtOnce {
			last := min(first+rls.TrainingsAtOnce, splits.Len())
			if err := cmp.Or(l.predictFolds(ctx, s, splits, first, last, lambdas, emit), ctx.Err()); err != nil {
				return err
			}
		}
		return nil
	}
}

// predictFolds trains without each of the test sets [first,last), and predicts it. Where
// nothing is left to learn from all scores are 0.
func (l LeastSquares) predictFolds(ctx context.Context, s *space, splits *cv.Splits, first, last int, lambdas []float64, emit func(g, l int, held cv.Held)) error {
	var trainings []rls.Training
	var of []int
	for g := first; g < last; g++ {
		test := splits.Test(g)
		if len(test) == 0 {
			continue
		}
		train := splits.Train(g)
		goal, err := s.taskOf(train).goal()
		if errors.Is(err, pref.ErrNothingToLearn) {
			for k := range lambdas {
				emit(g, k, cv.Predictions(data.NewDense(len(test), s.outputs, nil)))
			}
			continue
		}
		if err != nil {
			return err
		}
		rows := make([]int32, len(train))
		for a, i := range train {
			rows[a] = int32(i)
		}
		trainings, of = append(trainings, rls.Training{Goal: goal, Rows: rows, Held: test}), append(of, g)
	}
	return rls.PredictIteratively(ctx, s.x, trainings, lambdas, s.constant(), l.cgOptions(), func(g, k int, f *data.Dense, result rls.CGResult) {
		if !result.Converged {
			s.unconverged.Add(1)
		}
		emit(of[g], k, cv.Predictions(f))
	})
}
