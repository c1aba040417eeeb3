package pairrank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/linalg"
	"pairrank/model"
)

// preconditioned is the spread of the sizes of the features (see holdout.Spread) above which a preconditioner for
// each λ saves more than one Krylov space for all. Text has a smaller spread, and the diagonal may help or harm: at
// λ = 1 it takes 5,082 iterations in place of 1,738 for 20 newsgroups and 934 in place of 237 for RCV1, and 111 in
// place of 422 for the words of Reuters.
const preconditioned = 1 << 6

// stops says where conjugate gradients end, for the model as for the trainings that predict held-out rows: without a
// tolerance the scores stop the iteration.
func (l LeastSquares) stops() rls.CGOptions {
	o := rls.CGOptions{Tolerance: l.Tolerance, MaxIterations: l.MaxIterations}
	if l.Tolerance == 0 {
		o.Scores = rls.DefaultScores
	}
	return o
}

// solved records for each λ the training on folds that ended farthest from the solution. It is safe for
// concurrent use.
type solved struct {
	mu    sync.Mutex
	worst map[float64]rls.CGResult
}

// add records the result of one training.
func (s *solved) add(lambda float64, r rls.CGResult) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.worst == nil {
		s.worst = map[float64]rls.CGResult{}
	}
	w := s.worst[lambda]
	w.Residual, w.ScoreError = max(w.Residual, r.Residual), max(w.ScoreError, r.ScoreError)
	s.worst[lambda] = w
}

// mark stores in each point where its trainings ended.
func (s *solved) mark(outputs []*cv.Estimate) {
	for _, e := range outputs {
		for l := range e.Points {
			p := &e.Points[l]
			p.Residual, p.ScoreError = s.worst[p.Candidate].Residual, s.worst[p.Candidate].ScoreError
		}
	}
}

// shares reports whether one Krylov space serves every λ of a goal.
func (t *trainer) shares(goal *goals.Goal) bool {
	return holdout.Spread(rls.Squares(t.x, goal)) <= preconditioned
}

// gradientsEnd is the outcome of conjugate gradients.
type gradientsEnd struct {
	direct
	rls.CGResult
	tolerance float64 // the requested one, 0 where the scores stopped it
}

func (g gradientsEnd) tell(facts *Training) {
	facts.Iterations, facts.Residual, facts.Converged = g.Iterations, g.Residual, g.Converged
	facts.ScoreError = g.ScoreError
}

func (g gradientsEnd) saved() []model.Fact {
	facts := []model.Fact{{Name: "iterations", Value: strconv.Itoa(g.Iterations)},
		{Name: "residual", Value: fmt.Sprintf("%.3g", g.Residual)}}
	if g.ScoreError > 0 {
		facts = append(facts, model.Fact{Name: "score-error", Value: fmt.Sprintf("%.3g", g.ScoreError)})
	}
	return facts
}

func (g gradientsEnd) doubt(f *fit) {
	what, reached, asked := "a relative residual", g.Residual, g.tolerance
	if asked == 0 {
		what, reached = "a bound of the error of score differences, relative to their mean,", g.ScoreError
		asked = rls.DefaultScores
	}
	if !g.Converged {
		f.trainer.journal.Warn(codes.NoteUnconverged,
			"conjugate gradients stopped after %d iterations at %s of %.2g, above %g; the model is the last iterate",
			g.Iterations, what, reached, asked)
	}
	g.direct.doubt(f)
}

// predictCG trains for each λ and predicts: with one Krylov space, or from the largest λ down, each from the
// solution of the one before.
func (l LeastSquares) predictCG(ctx context.Context, s *trainer, goal *goals.Goal, held data.Matrix, lambdas []float64,
	emit func(k int, held holdout.Held)) error {
	fits, results, err := l.fitsCG(ctx, s, goal, lambdas, holdout.Within(ctx, 1))
	if err != nil {
		return err
	}
	size := summands(s.x, []*goals.Goal{goal})
	for k, found := range fits {
		s.ended(lambdas[k], results[k])
		f := addConstant(data.Multiply(held, found.Coef), found.Coef, s.constant())
		emit(k, holdout.PredictionsOf(f, size(lambdas[k])))
	}
	return nil
}

// constant is the contribution of each coefficient of a learner to all scores that the offset has removed:
// inner products with the point. It is nil if only scores of one training are compared.
func (t *trainer) constant() []float64 {
	switch {
	case !t.mixes:
		return nil
	case t.lowered.about != nil:
		return t.lowered.about.Beside(t.x)
	case t.offset == nil:
		return nil
	}
	rows := t.solution.form.of(t)
	if rows == nil {
		return t.offset.point // for weights
	}
	n, _ := rows.Dims()
	c := make([]float64, n)
	rows.MulVecTo(c, t.offset.point)
	return c
}

// addConstant adds the constant times the coefficients to the scores of each output; nil adds nothing.
func addConstant(scores, coef *data.Dense, constant []float64) *data.Dense {
	for j, c := range constant {
		for i := range scores.Rows {
			linalg.Axpy(c, coef.Row(j), scores.Row(i))
		}
	}
	return scores
}

// fitsCG trains for each λ. tell hears the share of the work that is over; it may be nil.
func (l LeastSquares) fitsCG(ctx context.Context, s *trainer, goal *goals.Goal, lambdas []float64,
	tell func(share float64)) (fits []*rls.Fit, results []rls.CGResult, err error) {
	o := l.stops()
	if o.Progress = tell; s.shares(goal) {
		return rls.ConjugateGradientsPath(ctx, s.x, goal, lambdas, o)
	}
	fits, results = make([]*rls.Fit, len(lambdas)), make([]rls.CGResult, len(lambdas))
	for k := len(lambdas) - 1; k >= 0; k-- {
		if tell != nil {
			o.Progress = func(share float64) { tell((float64(len(lambdas)-1-k) + share) / float64(len(lambdas))) }
		}
		if fits[k], results[k], err = rls.ConjugateGradients(ctx, s.x, goal, lambdas[k], o); err != nil {
			return nil, nil, err
		}
		o.Start = fits[k].Coef
	}
	return fits, results, nil
}

// ended records how a training on folds ended.
func (t *trainer) ended(lambda float64, r rls.CGResult) {
	if !r.Converged {
		t.unconverged.Add(1)
	}
	t.solved.add(lambda, r)
}

// together trains on all folds for every λ in shared passes over the rows, and predicts the held-out rows of
// each fold. holdout calls it for conjugate gradients.
func (l LeastSquares) together(s *trainer) holdout.Predictor {
	return func(ctx context.Context, splits *holdout.Splits, lambdas []float64,
		emit func(g, l int, held holdout.Held)) error {
		for first := 0; first < splits.Len(); first += rls.TrainingsAtOnce {
			last := min(first+rls.TrainingsAtOnce, splits.Len())
			if err := cmp.Or(l.predictFolds(ctx, s, splits, first, last, lambdas, emit), ctx.Err()); err != nil {
				return err
			}
		}
		return nil
	}
}

// predictFolds trains without each of the test sets [first,last), and predicts it. If nothing is left to learn
// from, all scores are 0.
func (l LeastSquares) predictFolds(ctx context.Context, s *trainer, splits *holdout.Splits,
	first, last int, lambdas []float64, emit func(g, l int, held holdout.Held)) error {
	var trainings []rls.Training
	var of []int
	for g := first; g < last; g++ {
		test := splits.Test(g)
		if len(test) == 0 {
			continue
		}
		train := splits.Train(g)
		goal, err := s.of(s.labelsOf(train), s.round).goal()
		if errors.Is(err, goals.ErrNothingToLearn) {
			for k := range lambdas {
				emit(g, k, s.zeros(len(test)))
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
	goals := make([]*goals.Goal, len(trainings))
	for k := range trainings {
		goals[k] = trainings[k].Goal
	}
	size := summands(s.x, goals)
	emitFold := func(g, k int, f *data.Dense, result rls.CGResult) {
		s.ended(lambdas[k], result)
		emit(of[g], k, holdout.PredictionsOf(f, size(lambdas[k])))
	}
	o := l.stops()
	o.Progress = holdout.Within(ctx, len(trainings))
	return rls.PredictIteratively(ctx, s.x, trainings, lambdas, s.constant(), o, emitFold)
}

// The sizes of the numbers that held-out scores of iterative learners are made of. Where these cancel, the scores that
// are left are rounding: they tie (see holdout.PredictionsOf).

// lostOfKernel are the bits that coefficients of a kernel lose beyond those of a score: the iteration ends at some 1e-3
// of the risk, and steps at a small λ cancel.
const lostOfKernel = 1 << 10

// summands is the size of the summands of the scores of weights w, and of the constant, times what they lose. Through a
// map it is that of the rows times that of the weights: a coordinate that rows have in common may have rounding alone.
func (r RankSVM) summands(x data.Matrix, w *data.Dense, constant []float64) float64 {
	rows, _ := x.Dims()
	if r.byMap {
		longest, of := 0.0, 0.0
		for i := range rows {
			longest = max(longest, data.SquaredNorm(x, i))
		}
		for _, v := range w.Data {
			of += v * v
		}
		return lostOfKernel * math.Sqrt(longest*of)
	}
	dense, _ := x.(*data.Dense)
	largest := 0.0
	for i := range rows {
		sum := 0.0
		if dense == nil {
			data.Each(x, i, func(j int, v float64) { sum += v * v * w.Data[j] * w.Data[j] })
		} else { // without a call for each value
			of := w.Data[:dense.Cols]
			for j, v := range dense.Row(i) {
				sum += v * v * of[j] * of[j]
			}
		}
		largest = max(largest, sum)
	}
	beside := 0.0
	if len(constant) == len(w.Data) {
		for j, c := range constant {
			beside += c * c * w.Data[j] * w.Data[j]
		}
	}
	return math.Sqrt(largest) + math.Sqrt(beside)
}

// summands returns the size of the labels, as far as a linear function of the rows of x with a norm that λ allows can
// learn them: max|r_i|/d · κ/(κ + λ), with d the largest entry of the diagonal of L, and κ = 2d Σ x_ij², which no
// eigenvalue of XᵀLX exceeds.
func summands(x data.Matrix, of []*goals.Goal) func(lambda float64) float64 {
	squares := 0.0
	rows, _ := x.Dims()
	for i := range rows {
		squares += data.SquaredNorm(x, i)
	}
	label, size := 0.0, 0.0
	for _, g := range of {
		d := slices.Max(goals.Diagonal(g.L))
		for _, v := range g.R {
			label = max(label, math.Abs(v)/d)
		}
		size = max(size, 2*d*squares)
	}
	return func(lambda float64) float64 { return label * size / (size + lambda) }
}
