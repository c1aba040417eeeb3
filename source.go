package pairrank

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
	"pairrank/kernel"
)

// source is the rows of a problem under one kernel, with everything computed for all candidates. It is a
// procedure.Divisible, whose units are rows or queries.
type source struct {
	*trainer
	aim       *goals.Goal       // the goal of the rows, once it is needed; nil for learners without one
	factored  *factored         // of the aim, nil if nothing is factored
	retrained holdout.Predictor // predictions of retrained folds; nil if no fold was retrained
}

// Kernels is the number of kernels to choose from.
func (s *source) Kernels() int { return len(s.o.Kernels) }

// Under is the same rows under a kernel.
func (s *source) Under(k int) procedure.Source {
	if s.o.Kernels[k] == s.spec {
		return s
	}
	return &source{trainer: s.under(s.o.Kernels[k]), aim: s.aim}
}

// Ready makes the goal and, if the solver factors, the path.
func (s *source) Ready(ctx context.Context) error { return s.ready(ctx, nil) }

// ready is Ready; tell hears the share of the time of the factorisation that is over.
func (s *source) ready(ctx context.Context, tell func(share float64)) error {
	err := s.target()
	if err == nil {
		err = s.weigh(ctx)
	}
	if exact := s.solution.exact; err == nil && exact != nil && s.factored == nil && !exact.foldsAgain(s.trainer) {
		s.factored, err = s.factor(ctx, s.aim, tell)
	}
	return err
}

// weigh learns the weights of a sum of kernels, for all candidates at once, by the squared error of what the estimate
// holds out. It costs at most kernelsum.MostSteps eigenproblems, and one for the range of λ.
func (s *source) weigh(ctx context.Context) (err error) {
	if !kernel.Learns(s.kernel) {
		return nil
	}
	w := newWeighing(s.spec, s.x, s.y, s.aim)
	if s.kernel, err = w.sum(); err != nil {
		return err
	}
	start, err := s.factor(ctx, s.aim, nil)
	if s.k = nil; err != nil {
		return err
	}
	lambdas, err := s.learner.candidates(s.trainer, s.aim, start.path)
	if err == nil {
		s.kernel, err = w.learn(ctx, s.labels(), s.method(s.labels(), start.path), s.o.Seed, lambdas)
	}
	if err == nil && s.whole == nil {
		s.weighed[s.spec] = s.kernel
		s.journal.Note(codes.NoteHelped, "%s", w.text(s.o.Nested != nil))
	}
	return s.Fault(err)
}

// target makes the goal.
func (s *source) target() (err error) {
	if s.aim == nil {
		s.aim, err = s.goal()
	}
	return err
}

// Estimate estimates every candidate by the method, or by the rows for validation.
func (s *source) Estimate(ctx context.Context, progress func(done, total int)) (cv.KernelEstimate, error) {
	e := cv.KernelEstimate{Parameter: s.learner.parameter()}
	factoring, progress := s.tellFactoring(progress)
	if err := s.ready(ctx, factoring); err != nil {
		return e, err
	}
	labels := s.labels()
	e.Kernel = s.used()
	var err error
	if e.Candidates, err = s.learner.candidates(s.trainer, s.aim, s.path()); err != nil {
		return e, err
	}
	o := holdout.Options{Candidates: e.Candidates, Seed: s.o.Seed, Metric: s.o.Metric, Progress: progress}
	s.solved, s.picks = &solved{}, &picks{}
	if e.Method = (cv.Method{Kind: cv.Validation}); s.valid == nil {
		e.Method = s.method(labels, s.path())
	}
	losses, err := s.newLosses(&e)
	if err != nil {
		return e, err
	}
	o.Seen = losses.seen()
	if s.valid == nil {
		o.Method, o.Pairs, o.Share = e.Method, s.o.PairsSample, s.share
		if err = s.checkHeldOut(e.Method); err == nil {
			e.Outputs, err = s.holdOut(ctx, labels, o)
		}
	} else {
		e.Outputs, err = s.validate(ctx, o)
		err = s.Fault(err)
	}
	s.solved.mark(e.Outputs)
	if err == nil {
		err = s.losses(ctx, &e, losses)
	}
	if g, selects := s.learner.(Greedy); selects && err == nil {
		err = g.mark(s.trainer, e.Outputs)
	}
	return e, err
}

// tellFactoring divides the progress of an estimate: the factorisation has its share of the work where it takes a
// second or more, and what follows has the rest. Both are nil where progress is.
func (t *trainer) tellFactoring(progress func(done, total int)) (factoring func(share float64),
	after func(done, total int)) {
	const steps, second = 1000, 2e9
	exact := t.solution.exact
	if progress == nil || exact == nil {
		return nil, progress
	}
	m := float64(t.rows())
	k, counted := exact.factorWork(t, m)
	factor := 0.1*m*k*k + 0.6*k*k*k // in the time of other multiplications; see holdout.Options.Pairs
	if factor < second {
		return nil, progress
	}
	method := cv.Method{Kind: cv.LeavePairOut}
	if t.wanted != nil {
		method = *t.wanted
	} else if t.queries.Len() > 1 {
		method.Kind = cv.LeaveQueryOut
	}
	rest := t.work(method, 1, float64(t.learner.count(t))) - counted
	if method.Kind == cv.LeavePairOut && t.groups == nil && t.o.PairsSample == cv.PairsAuto {
		rest = min(rest, holdout.PairsBudget+factor/4)
	}
	first := steps * factor / (factor + rest)
	return func(share float64) { progress(int(first*share), steps) }, func(done, total int) {
		progress(int(first+(steps-first)*float64(done)/float64(max(total, 1))), steps)
	}
}

// Fit trains on all rows.
func (s *source) Fit(ctx context.Context, c *procedure.Choice) (procedure.Fit, error) {
	f, err := s.fit(ctx, c)
	if f == nil {
		return nil, err
	}
	return f, err
}

func (s *source) fit(ctx context.Context, c *procedure.Choice) (*fit, error) {
	switch {
	case c == nil:
		goal, err := s.goal()
		if err != nil {
			return nil, err
		}
		only, err := s.learner.candidates(s.trainer, goal, nil)
		if err != nil {
			return nil, err
		}
		return s.learner.fit(ctx, s.trainer, goal, only[0])
	case s.outputs > 1:
		if err := c.ToBest(ctx); err != nil {
			return nil, err
		}
		return c.Source.(*source).fitOutputs(ctx, c.Chosen())
	case s.factored != nil && c.InWork():
		return s.factored.fit(c.Candidate())
	}
	chosen := s.Under(c.Best).(*source)
	return chosen.learner.fit(ctx, chosen.trainer, s.aim, c.Candidate())
}

// Part is the problem of some rows. If the list of pairs is long, it leaves out as many as the share allows.
func (s *source) Part(rows []int, share float64) procedure.Divisible {
	part := &source{trainer: s.partAnew(rows)}
	part.round = s.round.part(share)
	return part
}

// Predict trains on the rows of a part under the chosen kernel, and predicts others.
func (s *source) Predict(ctx context.Context, c *procedure.Choice, others []int) (out *data.Dense, err error) {
	keep := func(_ int, held holdout.Held) { out = held.F }
	if s.anew {
		err = s.under(c.Chosen().Kernel).predictAnew(ctx, others, []float64{c.Candidate()}, keep)
		return out, err
	}
	whole := s.whole.under(c.Chosen().Kernel)
	// Outer rounds come one after another, so that the place of their picks may change for a while.
	defer func(inner *picks) { whole.picks = inner }(whole.picks)
	whole.picks = whole.outerPicks
	err = whole.retrain(ctx, s.within, others, []float64{c.Candidate()}, keep)
	return out, err
}

// Nothing reports whether an error means that no two compared rows have different labels.
func (s *source) Nothing(err error) bool { return rows.IsNothing(err) }

// Half is the problem of some units, with every choice made again. A given λ is multiplied by their share of
// the weight of all compared pairs, except for learners of the mean over pairs, which have no goal. A fold of a
// list has at least two rows. Half may be called from several goroutines.
func (s *source) Half(ctx context.Context, c *procedure.Choice, units []int) (procedure.Source, error) {
	half := &source{trainer: s.under(s.o.Kernels[0]).partAnew(s.units().rows(units))}
	half.round = s.round.half()
	if most := half.units().n / 2; half.queries.Len() == 1 && c.Method.Folds > most && half.givenFolds == nil {
		half.wanted = &cv.Method{Kind: cv.KFold, Folds: most}
	}
	if half.grid == nil && (half.lambdas == nil || s.aim == nil) {
		return half, nil
	}
	if err := half.target(); err != nil {
		return nil, err
	}
	share := goals.Trace(half.aim.L) / goals.Trace(s.aim.L)
	if half.grid == nil {
		half.lambdas = procedure.ScaledLambdas(half.lambdas, share)
	} else {
		half.grid = &grid{lambdas: procedure.ScaledLambdas(half.grid.lambdas, share), sizes: half.grid.sizes}
	}
	return half, nil
}
