package pairrank

import (
	"context"
	"errors"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
	"pairrank/kernel"
)

// comparesSplines reports whether the linear kernel is among the kernels, with splines.
func comparesSplines(kernels []kernel.Kernel) bool {
	return mapped(kernels) && !random(kernels) && slices.ContainsFunc(kernels, isLinear)
}

// refuseSimpler refuses the choice between the linear kernel and splines where there is no squared loss of labels.
func refuseSimpler(p *Problem, o *EstimateOptions, squared bool) error {
	return fault.Refuse(comparesSplines(o.Kernels) && (!squared || p.compares()), "Kernels",
		"compare the linear one with splines by the squared loss of held-out labels, which is that of rankrls and rls: "+
			"take one of them")
}

// Losses returns the held-out loss of each unit that is left out at the best candidates, fᵀLf − 2rᵀf, the squared loss
// less what no function changes, and this constant, where the linear kernel and splines are to choose from; nil
// elsewhere. Units are queries or, of a single list, what is left out together; rows and pairs of a list that are left
// out leave in folds here, since a loss compares the rows of a unit. It costs the predictions of one candidate.
func (s *source) Losses(ctx context.Context, e *cv.KernelEstimate) (losses []float64, constant float64, err error) {
	if !comparesSplines(s.o.Kernels) {
		return nil, 0, nil
	}
	rows, units, of := s.sample, s.queries, e.Method
	if s.valid != nil {
		v := s.valid
		rows = &sample{x: v.X, y: v.Y, censored: v.Censored, weights: v.Weights, outputs: 1, queries: v.Queries}
		units = v.Queries
	} else if units.Len() == 1 {
		labels := s.labels()
		leaving := max(1, s.rows())
		if blocks := labels.Blocks(); blocks != nil {
			leaving = blocks.Len()
		}
		if of.Kind != cv.KFold {
			of = cv.Method{Kind: cv.KFold, Folds: foldsOfList(leaving)}
		}
		splits, err := labels.Splits(of, s.o.Seed)
		if err != nil {
			return nil, 0, s.Fault(err)
		}
		units = splits.Groups()
	}
	judge := *s.plan
	within := *s.o
	within.AllPairs, judge.o = false, &within
	other := *rows
	other.queries, other.edges = units, nil
	goal, err := (&trainer{plan: &judge, sample: &other, round: s.round}).goal()
	if losses = make([]float64, units.Len()); err != nil {
		if errors.Is(err, goals.ErrNothingToLearn) {
			err = nil
		}
		return losses, 0, err
	}
	f, err := s.heldScores(ctx, e, of)
	if err != nil {
		return nil, 0, s.Fault(err)
	}
	v, lf, unit := other.outputs, make([]float64, len(f.Data)), units.Of()
	goal.L.MulTo(lf, f.Data, v)
	for i, score := range f.Data {
		losses[unit[i/v]] += score * (lf[i] - 2*goal.R[i])
	}
	return losses, goal.Constant(), nil
}

// heldScores are the held-out scores of each output at its best candidate.
func (s *source) heldScores(ctx context.Context, e *cv.KernelEstimate, of cv.Method) (scores *data.Dense, err error) {
	for output, estimate := range e.Outputs {
		candidate, f := estimate.Points[estimate.Best].Candidate, (*data.Dense)(nil)
		if s.valid != nil {
			err = s.learner.predict(ctx, s.trainer, s.path(), &heldRows{x: s.valid.X}, []float64{candidate},
				func(_ int, held holdout.Held) { f = held.F })
		} else {
			predict := s.solution.form.again(s.trainer, s.aim)
			if s.factored != nil && !estimate.Retrained {
				predict = holdout.OfPath(s.path(), nil).HoldOut
			}
			f, err = holdout.HeldOut(ctx, predict, s.labels(), holdout.Options{Method: of, Seed: s.o.Seed}, candidate)
		}
		if err != nil {
			return nil, err
		}
		if scores == nil {
			scores = f
		}
		copyColumn(scores, f, output)
	}
	return scores, nil
}

// Simpler reports whether a kernel is the linear one, which is taken unless another has less loss by more than a
// standard error.
func (s *source) Simpler(k int) bool { return isLinear(s.o.Kernels[k]) }

// noteSpline is the code of the note that compares the losses of the linear kernel and a spline.
const noteSpline event.Code = "spline"

// tellSimpler notes how the linear kernel and splines compare.
func (t *trainer) tellSimpler(c *procedure.Choice) {
	l := c.Losses
	if l == nil {
		return
	}
	verdict := "is kept"
	if l.Other {
		verdict = "is not enough"
	}
	t.journal.Note(noteSpline, "the linear kernel %s: the held-out squared loss of %s is %.3g times its loss, a difference "+
		"of %.2g ± %.2g over %d units", verdict, t.o.Kernels[l.Kernel], 1+l.Difference/l.Loss, l.Difference/math.Abs(l.Loss),
		l.StdErr/math.Abs(l.Loss), l.Units)
}
