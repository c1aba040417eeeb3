package pairrank

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// HalfSamples are the half-samples of an estimate: how much it varies together with
// all choices that it makes.
type HalfSamples struct {
	*cv.Halves
	// Units are what was split, and Of what they are: row, query or node.
	Units int
	Of    string
}

// Interval is the 95 % interval of value k, a share. A nil HalfSamples has none.
func (h *HalfSamples) Interval(share float64, k int) cv.Interval {
	if h == nil {
		return cv.Interval{}
	}
	return cv.ShareInterval(share, h.Variance[k], h.Units)
}

// halve estimates by half-samples how much the best estimate varies, or notes why it
// does not.
func (e *Estimated) halve(ctx context.Context) error {
	s := e.choice.space
	units := s.queries.Len()
	what, draw := "query", cv.SplitQueries(units)
	rows := func(some []int) []int { return cv.RowsOfQueries(s.queries, some) }
	if units == 1 {
		units, what, rows = s.rows(), "row", func(some []int) []int { return some }
		draw = cv.SplitRows(s.dealtBy())
	}
	forced := s.o.Intervals == IntervalsHalves
	reason := ""
	switch {
	case s.o.Intervals == IntervalsNone:
		return nil
	case e.Choice.Retrained:
		reason = "each fold is trained again, and so would be those of the halves"
	case s.edges != nil:
		reason = "preferences do not come in halves of rows"
	case units < cv.LeastUnits:
		reason = spell.Plural(units, what) + " are too few for halves of them"
	case !forced && e.halvesWork() > cv.HalvesBudget:
		s.journal.Add(Note{Code: NoteNoInterval, Remedy: "the halves option makes it",
			Text: fmt.Sprintf("the 95 %% interval is left out: its %d estimates on halves of the %s take a while", 2*cv.HalfSplits, spell.Plural(units, what))})
		return nil
	}
	switch {
	case reason != "" && forced:
		return fault.Optionf("Intervals", "halves is not for this estimate: %s", reason)
	case reason != "":
		return nil
	}
	tell, end := s.journal.Monitor.Task("estimating halves", cv.HalfSplits)
	defer end()
	weight := pref.Trace(e.choice.goal.L)
	h, err := cv.HalfSamples(ctx, cv.HalfSplits, s.o.Seed, draw,
		func(ctx context.Context, some []int) ([]float64, error) {
			return s.estimateHalf(ctx, rows(some), weight)
		}, tell)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		s.journal.Note(NoteFailedInterval, "there is no 95 %% interval: %v", err)
		return nil
	}
	e.Halves = &HalfSamples{Halves: h, Units: units, Of: what}
	return nil
}

// dealtBy are the labels by which rows are dealt to halves: those of the only output;
// of several none, since each has its own.
func (t *task) dealtBy() []float64 {
	if t.outputs == 1 {
		return t.y
	}
	return make([]float64, t.rows())
}

// estimateHalf makes every choice on some rows alone, and gives the estimate of each
// output at its best. A λ that was asked for is multiplied by the share that the half
// has of the weight of all compared pairs. It may be called from several goroutines.
func (s *space) estimateHalf(ctx context.Context, rows []int, weight float64) ([]float64, error) {
	own := *s // whose matrices are made apart from those of other goroutines
	part := own.under(s.o.Kernels[0]).part(rows)
	if s.o.Lambdas != nil {
		goal, err := part.goal()
		if err != nil {
			return nil, err
		}
		share := pref.Trace(goal.L) / weight
		scaled := *s.o
		scaled.Lambdas = make([]float64, len(s.o.Lambdas))
		for l, lambda := range s.o.Lambdas {
			scaled.Lambdas[l] = lambda * share
		}
		part.o = &scaled
	}
	c, err := part.choose(ctx, nil)
	if err != nil {
		return nil, err
	}
	values := make([]float64, s.outputs)
	for o := range values {
		values[o] = c.bestPoint(o, s.o.Metric).Error
	}
	return values, nil
}

// halvesWork counts the multiplications of all halves: a factorisation, and each λ over
// the pairs or groups that are left out.
func (e *Estimated) halvesWork() float64 {
	s := e.choice.space
	m := float64(s.rows()) / 2
	k, factor := m, 12*m*m*m
	switch s.solution.Solver {
	case Primal:
		k = float64(s.features())
		factor = m*k*k + 12*k*k*k
	case Sparse:
		k = float64(len(s.support))
		factor = 2*m*k*k + 12*k*k*k
	default:
		if s.x != nil {
			factor += m * m * float64(s.features()) * data.Density(s.x)
		}
	}
	lambdas, outputs := float64(s.procedure.count(s.task)), float64(s.outputs)
	estimate := lambdas * m * m * (1.5*k + 40*outputs) // every pair
	if method := e.Choice.Method; method.Kind != cv.LeavePairOut {
		groups := m
		switch {
		case method.Kind == cv.KFold:
			groups = float64(method.Folds)
		case e.Queries > 1 && method.Kind == cv.LeaveQueryOut:
			groups = float64(e.Queries) / 2
		}
		rows := m / groups
		estimate = groups * min(k*k*k+lambdas*outputs*(k*k+rows*k), lambdas*(rows*rows*k+8*rows*k*outputs+rows*rows*rows))
	}
	return 2 * cv.HalfSplits * float64(len(s.o.Kernels)) * (factor + estimate)
}
