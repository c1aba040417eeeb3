package pairrank

import (
	"context"
	"slices"

	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
)

// ROC ranks the rows of a single list by all held-out pairs at the best candidate, and returns the curve of that
// ranking (see holdout.Tournament). It returns an error unless there is a single list of m rows with two labels, and a
// factorisation or Greedy. The cost is that of HeldOutPairs; for Greedy m²/2 selections and trainings.
func (e *Estimated) ROC(ctx context.Context) (*cv.ROC, error) {
	if err := e.source().checkROC(); err != nil {
		return nil, err
	}
	return e.source().Curve(ctx, e.run.Choice)
}

// HasROC reports whether ROC has a curve, and whether it takes at most some twenty seconds of one core. It needs a
// single list with two labels, and a factorisation or Greedy. It costs O(rows).
func (e *Estimated) HasROC() (has, soon bool) {
	s := e.source()
	const budget = 2 * holdout.HalvesBudget // some twenty seconds of one core
	has = s.checkROC() == nil
	return has, has && s.CurveWork(1) <= budget
}

// AnswerROC reads numbers off the curve that ROC returned: sensitivities, specificities,
// partial areas, the band, and precision and recall. They have 95 % intervals if the estimate has one (see
// EstimateOptions.Intervals): the curves of the halves, with every choice made again in each, give the variances, and
// the intervals are made as that of the error. The band holds at each specificity, not over all at once. It returns
// the errors of ROC, and panics for questions outside [0,1]. The cost is that of 120 estimates and curves of halves.
func (e *Estimated) AnswerROC(ctx context.Context, curve *cv.ROC, q cv.ROCQuestions) (*cv.ROCAnswers, error) {
	if err := e.source().checkROC(); err != nil {
		return nil, err
	}
	halves, err := e.run.CurveHalves(ctx, &q)
	if err != nil {
		return nil, rows.Conclude(err)
	}
	return q.Answer(curve, halves), nil
}

// Curve ranks the rows by held-out pairs at the best candidate, and returns the curve of that ranking.
func (s *source) Curve(ctx context.Context, c *procedure.Choice) (*cv.ROC, error) {
	scores, err := s.tournament(ctx, c.Candidate())
	if err != nil {
		return nil, err
	}
	roc, err := cv.NewWeightedROC(scores, s.y, s.weights)
	return roc, fault.As(fault.Data, "", err)
}

// tournament ranks the rows by all pairs: by a shortcut, or each is left out by a selection and a training without it.
func (s *source) tournament(ctx context.Context, candidate float64) ([]float64, error) {
	if s.path() != nil {
		all, err := holdout.Tournament(ctx, s.path(), candidate, s.weights)
		if err != nil {
			return nil, err
		}
		return all[0], nil
	}
	quiet := s.Shuffled(s.y, 1).(*source) // whose rounds are not counted
	return holdout.TournamentAgain(ctx, s.rows(), func(ctx context.Context, i, j int) (fi, fj float64, err error) {
		train := slices.DeleteFunc(indices(s.rows()), func(k int) bool { return k == i || k == j })
		err = quiet.retrain(ctx, train, []int{min(i, j), max(i, j)}, []float64{candidate}, func(_ int, held holdout.Held) {
			fi, fj = held.F.Data[0], held.F.Data[1]
		})
		if i > j {
			fi, fj = fj, fi
		}
		return fi, fj, err
	})
}

// CurveWork is the work of a Curve of a share of the rows.
func (s *source) CurveWork(share float64) float64 {
	if s.selects() {
		m, largest := share*float64(s.rows()), float64(len(s.grid.lambdas)*len(s.grid.sizes)-1)
		return m * m / 2 * s.learner.foldWork(s.trainer, share, []float64{largest})
	}
	return s.work(cv.Method{Kind: cv.LeavePairOut}, share, 1)
}

// LearningCurve estimates the error on random parts of the data: parts of the queries, or of the rows of a
// single list. It draws ten parts of half the size, ten of a quarter and so on, at most five sizes, as long as
// a part has at least 4 queries or 8 rows. Each estimate works as Estimate does: with the same method, every
// choice made again within the part, and exactly where there is a shortcut. Rows are drawn so that each label
// with four or more rows keeps its share. If Options gives values of λ, they are multiplied by the part's share
// of the weight of the compared pairs, as in half-samples. Options.Seed draws the parts. The parts are nested:
// the curve compares sizes, and the deviation is between parts that overlap.
//
// The cost is ten estimates of each size. Together they take about ten times the whole estimate if that is
// linear in the rows, O(mn² + n³) in the primal form; less than twice if it is cubic in the rows; and up to
// fifty times if it hardly depends on the rows, as n³ does in the primal form with nearly as many features as
// rows. Parts without a pair to hold out do not count. LearningCurve returns an *Error for preferences, which
// cannot be split by rows, and for too few queries or rows.
func (e *Estimated) LearningCurve(ctx context.Context) (*cv.LearningCurve, error) {
	if err := e.source().checkLearning(); err != nil {
		return nil, err
	}
	curve, err := e.run.LearningCurve(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.As(fault.Data, "", err)
	}
	return curve, nil
}

// checkLearning refuses a problem without a learning curve.
func (t *trainer) checkLearning() error {
	units, least := t.units(), t.leastPart()
	switch {
	case t.edges != nil:
		return fault.Optionf("LearningCurve", "is of labels: preferences do not come in parts of rows")
	case units.n/2 < least:
		return fault.Dataf("a learning curve is of parts of the data, of %s at least: %s are too few",
			spell.Plural(least, units.of), spell.Plural(units.n, units.of))
	}
	return nil
}
