package rows

import (
	"context"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/procedure"
)

// ROC is Estimated.ROC of package pairrank.
func (e *Estimated) ROC(ctx context.Context, quicksort bool) (roc *cv.ROC, comparisons int64, err error) {
	if err := e.source().checkROC(); err != nil {
		return nil, 0, err
	}
	return e.source().Curve(ctx, e.Run.Choice, quicksort)
}

// AnswerROC is Estimated.AnswerROC of package pairrank.
func (e *Estimated) AnswerROC(ctx context.Context, curve *cv.ROC, q cv.ROCQuestions, quicksort bool) (*cv.ROCAnswers,
	error) {
	if err := e.source().checkROC(); err != nil {
		return nil, err
	}
	halves, err := e.Run.CurveHalves(ctx, &q, quicksort)
	if err != nil {
		return nil, conclude(err)
	}
	return q.Answer(curve, halves), nil
}

// Curve ranks the rows by held-out pairs at the best candidate, and returns the curve of that ranking.
func (s *source) Curve(ctx context.Context, c *procedure.Choice, quicksort bool) (roc *cv.ROC, comparisons int64,
	err error) {
	var scores []float64
	if s.path() == nil {
		scores, comparisons, err = s.curveAgain(ctx, c.Candidate(), quicksort)
		if err != nil {
			return nil, 0, err
		}
	} else if quicksort {
		sorted, err := cv.Quicksort(ctx, s.path(), c.Candidate(), s.o.Seed)
		if err != nil {
			return nil, 0, err
		}
		scores, comparisons = sorted[0].Scores, sorted[0].Comparisons
	} else {
		all, err := cv.Tournament(ctx, s.path(), c.Candidate())
		if err != nil {
			return nil, 0, err
		}
		scores = all[0]
	}
	roc, err = cv.NewROC(scores, s.y)
	return roc, comparisons, fault.As(fault.Data, "", err)
}

// curveAgain ranks the rows by pairs, each of which is left out by a selection and a training without it.
func (s *source) curveAgain(ctx context.Context, candidate float64, quicksort bool) (scores []float64,
	comparisons int64, err error) {
	quiet := s.Shuffled(s.y, 1).(*source) // whose rounds are not counted
	pair := func(ctx context.Context, i, j int) (fi, fj float64, err error) {
		train := slices.DeleteFunc(indices(s.rows()), func(k int) bool { return k == i || k == j })
		err = quiet.retrain(ctx, train, []int{min(i, j), max(i, j)}, []float64{candidate}, func(_ int, held cv.Held) {
			fi, fj = held.F.Data[0], held.F.Data[1]
		})
		if i > j {
			fi, fj = fj, fi
		}
		return fi, fj, err
	}
	if quicksort {
		sorted, err := cv.QuicksortAgain(ctx, s.rows(), s.o.Seed, pair)
		if err != nil {
			return nil, 0, err
		}
		return sorted.Scores, sorted.Comparisons, nil
	}
	scores, err = cv.TournamentAgain(ctx, s.rows(), pair)
	return scores, 0, err
}

// quickPairs is about how many pairs a quicksort of m rows leaves out.
func quickPairs(m float64) float64 { return 2 * m * math.Log(max(2, m)) }

// CurveWork is the work of a Curve of a share of the rows by all pairs.
func (s *source) CurveWork(share float64) float64 {
	if s.selects() {
		m, largest := share*float64(s.rows()), float64(len(s.task.grid.lambdas)*len(s.task.grid.sizes)-1)
		return m * m / 2 * s.learner.foldWork(s.space, share, []float64{largest})
	}
	return s.work(cv.Method{Kind: cv.LeavePairOut}, share, 1)
}
