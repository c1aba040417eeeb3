package rows

import (
	"context"

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
	if quicksort {
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

// CurveWork is the work of a Curve of a share of the rows by all pairs.
func (s *source) CurveWork(share float64) float64 {
	return s.work(cv.Method{Kind: cv.LeavePairOut}, share, 1)
}
