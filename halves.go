package pairrank

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/pref"
)

// Interval is the 95 % interval of the best estimate of an output, not Defined without
// Halves, in O(k) for k kernels.
func (e *Estimated) Interval(output int) cv.Interval {
	return e.IntervalOf(e.best(output).Error, output)
}

// IntervalOf is the interval of a share that varies as the best estimate of an output does.
func (e *Estimated) IntervalOf(share float64, output int) cv.Interval {
	return e.Halves.Interval(share, e.best(output).StdErr, output)
}

// IntervalSource is where the variance of Interval comes from, "" without Halves.
func (e *Estimated) IntervalSource(output int) cv.VarianceSource {
	if e.Halves == nil {
		return ""
	}
	p := e.best(output)
	_, source := e.Halves.Variance(p.Error, p.StdErr, output)
	return source
}

// best is the estimate of an output at its best kernel and candidate.
func (e *Estimated) best(output int) cv.Point {
	return e.choice.bestPoint(output, e.choice.space.o.Metric)
}

// halve estimates by half-samples how much the best estimate varies, or notes why it
// does not.
func (e *Estimated) halve(ctx context.Context) error {
	s := e.choice.space
	units := s.units()
	h := cv.Halving{Units: units.n, Of: units.of, Least: cv.LeastUnits, Draw: units.halves(indices(units.n)), Retrained: e.Choice.Retrained}
	kind := e.Choice.Method.Kind
	h.Given = kind == cv.LeaveQueryOut || kind == cv.LeavePairOut && e.Queries == 1
	if s.edges != nil {
		h.Without = "preferences do not come in halves of rows"
	}
	h.Estimate = func(ctx context.Context, some []int) ([]float64, error) {
		return s.estimateHalf(ctx, units.rows(some), pref.Trace(e.choice.goal.L))
	}
	if !h.Retrained {
		h.Work = e.halvesWork()
	}
	wanted, note, err := h.Wanted(s.o.Intervals)
	if note != "" {
		s.journal.Add(Note{Code: NoteNoInterval, Text: note, Remedy: "the halves option makes it"})
	}
	if err != nil {
		return fault.Optionf("Intervals", "%w", err)
	}
	if !wanted {
		return nil
	}
	tell, end := s.journal.Monitor.Task("estimating halves", cv.HalfSplits)
	defer end()
	e.Halves, err = h.Sample(ctx, s.o.Seed, tell)
	if ctx.Err() == nil && err != nil {
		s.journal.Note(NoteFailedInterval, "there is no 95 %% interval: %v", err)
	}
	return ctx.Err()
}

// estimateHalf makes every choice on some rows alone, and gives the estimate of each
// output at its best. A λ that was asked for is multiplied by the share that the half
// has of the weight of all compared pairs, but for learners of the mean over pairs, which
// have no goal. It may be called from several goroutines.
func (s *space) estimateHalf(ctx context.Context, rows []int, weight float64) ([]float64, error) {
	part := s.under(s.o.Kernels[0]).part(rows)
	if s.o.Lambdas != nil {
		goal, err := part.goal()
		if err != nil {
			return nil, err
		}
		if goal != nil {
			part.o = s.scaledLambdas(pref.Trace(goal.L) / weight)
		}
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

// scaledLambdas are the options with the values of λ multiplied by a share.
func (s *space) scaledLambdas(share float64) *Options {
	scaled := *s.o
	scaled.Lambdas = make([]float64, len(s.o.Lambdas))
	for l, lambda := range s.o.Lambdas {
		scaled.Lambdas[l] = lambda * share
	}
	return &scaled
}

// halvesWork counts the multiplications of all halves.
func (e *Estimated) halvesWork() float64 {
	s := e.choice.space
	kernels, lambdas := float64(len(s.o.Kernels)), float64(s.procedure.count(s.task))
	return 2 * cv.HalfSplits * kernels * e.work(0.5, lambdas)
}

// work counts the multiplications of an estimate on a share of the rows and queries: a
// factorisation, and so many values of λ over the pairs or groups that are left out.
func (e *Estimated) work(share, lambdas float64) float64 {
	s := e.choice.space
	m, outputs := float64(s.rows())*share, float64(s.outputs)
	k, factor := s.factorWork(m)
	if method := e.Choice.Method; method.Kind != cv.LeavePairOut {
		groups := m
		switch {
		case method.Kind == cv.KFold:
			groups = float64(method.Folds)
		case e.Queries > 1 && method.Kind == cv.LeaveQueryOut:
			groups = float64(e.Queries) * share
		}
		rows := m / groups
		return factor + groups*min(k*k*k+lambdas*outputs*(k*k+rows*k), lambdas*(rows*rows*k+8*rows*k*outputs+rows*rows*rows))
	}
	return factor + lambdas*m*m*(1.5*k+40*outputs) // every pair
}

// factorWork counts the multiplications of a factorisation of m rows, and its columns.
func (s *space) factorWork(m float64) (columns, factor float64) {
	k := m
	switch s.solution.Solver {
	case Primal:
		k = float64(s.features())
		return k, m*k*k + 12*k*k*k
	case Sparse:
		k = float64(len(s.support))
		return k, 2*m*k*k + 12*k*k*k
	}
	factor = 12 * m * m * m
	if s.x != nil {
		factor += m * m * float64(s.features()) * data.Density(s.x)
	}
	return k, factor
}
