package rows

import (
	"context"
	"sync/atomic"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/procedure"
)

// source is the rows of a task under one kernel, with everything computed for all candidates. It is a
// procedure.Divisible, whose units are rows or queries.
type source struct {
	*space
	aim       *goals.Goal       // the goal of the rows, once it is needed; nil for learners without one
	factored  *spacePath        // of the aim, nil if nothing is factored
	retrained holdout.Predictor // predictions of retrained folds; nil if no fold was retrained
}

func newSource(t *task) *source {
	t.outerPicks = &picks{}
	return &source{space: newSpace(t)}
}

// Kernels is the number of kernels to choose from.
func (s *source) Kernels() int { return len(s.o.Kernels) }

// Under is the same rows under a kernel.
func (s *source) Under(k int) procedure.Source {
	if s.o.Kernels[k] == s.spec {
		return s
	}
	return &source{space: s.under(s.o.Kernels[k]), aim: s.aim}
}

// Ready makes the goal and, if the solver factors, the path.
func (s *source) Ready(ctx context.Context) error { return s.ready(ctx, nil) }

// ready is Ready; tell hears the share of the time of the factorisation that is over.
func (s *source) ready(ctx context.Context, tell func(share float64)) error {
	err := s.target()
	if exact := s.exact(); err == nil && exact != nil && s.factored == nil {
		s.factored, err = s.factor(ctx, exact, s.aim, tell)
	}
	return err
}

// target makes the goal.
func (s *source) target() (err error) {
	if s.aim == nil {
		s.aim, err = s.goal()
	}
	return err
}

// own is the source, of rows or of units.
func (s *source) own() *source { return s }

// path is the factored problem, or nil.
func (s *source) path() *rls.Path {
	if s.factored == nil {
		return nil
	}
	return s.factored.path
}

// Estimate estimates every candidate by the method, or by the rows for validation.
func (s *source) Estimate(ctx context.Context, progress func(done, total int)) (cv.KernelEstimate, error) {
	e := cv.KernelEstimate{Kernel: s.spec, Parameter: s.learner.parameter()}
	factoring, progress := s.tellFactoring(progress)
	if err := s.ready(ctx, factoring); err != nil {
		return e, err
	}
	labels := s.labels()
	var err error
	if e.Candidates, err = s.learner.candidates(s.space, s.aim, s.path()); err != nil {
		return e, err
	}
	o := holdout.Options{Candidates: e.Candidates, Seed: s.o.Seed, Metric: s.o.Metric, Progress: progress}
	s.solved, s.picks = &solved{}, &picks{}
	if s.valid != nil {
		e.Method = cv.Method{Kind: cv.Validation}
		e.Outputs, err = s.validate(ctx, o)
		err = s.Fault(err)
	} else {
		e.Method = s.method(labels, s.path())
		if err := s.checkHeldOut(e.Method); err != nil {
			return e, err
		}
		o.Method, o.Pairs, o.Share = e.Method, s.o.PairsSample, s.share
		e.Outputs, err = s.holdOut(ctx, labels, o)
	}
	s.solved.mark(e.Outputs)
	if g, selects := s.learner.(Greedy); selects && err == nil {
		err = g.mark(s.space, e.Outputs)
	}
	return e, err
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
		only, err := s.learner.candidates(s.space, goal, nil)
		if err != nil {
			return nil, err
		}
		return s.learner.fit(ctx, s.space, goal, only[0])
	case s.outputs > 1:
		if err := c.ToBest(ctx); err != nil {
			return nil, err
		}
		return c.Source.(*source).fitOutputs(ctx, c.Chosen())
	case s.factored != nil && c.InWork():
		return s.factored.fit(c.Candidate())
	}
	chosen := s.Under(c.Best).(*source)
	return chosen.learner.fit(ctx, chosen.space, s.aim, c.Candidate())
}

// Part is the problem of some rows. If the list of pairs is long, it leaves out as many as the share allows.
func (s *source) Part(rows []int, share float64) procedure.Divisible {
	part := &source{space: s.part(rows)}
	part.share = share
	return part
}

// Predict trains on the rows of a part under the chosen kernel, and predicts others.
func (s *source) Predict(ctx context.Context, c *procedure.Choice, others []int) (out *data.Dense, err error) {
	whole := s.whole.under(c.Chosen().Kernel)
	// Outer rounds come one after another, so that the place of their picks may change for a while.
	defer func(inner *picks) { whole.picks = inner }(whole.picks)
	whole.picks = whole.outerPicks
	err = whole.retrain(ctx, s.within, others, []float64{c.Candidate()},
		func(_ int, held holdout.Held) { out = held.F })
	return out, err
}

// Nothing reports whether an error means that no two compared rows have different labels.
func (s *source) Nothing(err error) bool { return isNothing(err) }

// Half is the problem of some units, with every choice made again. A given λ is multiplied by their share of
// the weight of all compared pairs, except for learners of the mean over pairs, which have no goal. A fold of a
// list has at least two rows. Half may be called from several goroutines.
func (s *source) Half(ctx context.Context, c *procedure.Choice, units []int) (procedure.Source, error) {
	half := &source{space: s.under(s.o.Kernels[0]).part(s.units().rows(units))}
	half.amongMany, half.unconverged, half.outerPicks = true, new(atomic.Int64), nil
	if half.grid != nil {
		if err := half.Ready(ctx); err != nil {
			return nil, err
		}
		half.grid = half.grid.scaled(half.aim, s.aim)
	}
	o := *s.o
	half.o = &o
	if most := half.units().n / 2; half.queries.Len() == 1 && c.Method.Folds > most && half.givenFolds == nil {
		o.Method = &cv.Method{Kind: cv.KFold, Folds: most}
	}
	if o.Lambdas == nil || s.aim == nil || half.grid != nil {
		return half, nil
	}
	if err := half.Ready(ctx); err != nil {
		return nil, err
	}
	o.Lambdas = procedure.ScaledLambdas(o.Lambdas, goals.Trace(half.aim.L)/goals.Trace(s.aim.L))
	return half, nil
}

// Outer returns the folds of Options.Nested.
func (s *source) Outer(c *procedure.Choice) (*procedure.Outer, error) {
	outer := s.outer()
	share := 1.0
	if outer.Kind == cv.KFold {
		share -= 1 / float64(outer.Folds)
	}
	return &procedure.Outer{
		Labels:  s.outerLabels(),
		Options: holdout.Options{Method: outer, Seed: s.o.Seed + 1},
		All:     holdout.CountPairs(s.y, s.compared()),
		Again:   s.queries.Len() == 1 && outer.Kind == cv.KFold && s.givenFolds == nil,
		Work:    float64(outer.Folds) * s.choiceWork(c, share), HalfWork: float64(outer.Folds) * s.choiceWork(c, share/2),
	}, nil
}

// Held returns the held-out predictions of the path, or of retrained folds.
func (s *source) Held(c *procedure.Choice) (*procedure.Held, error) {
	labels := s.labels()
	predict := holdout.OfPath(s.path(), nil).HoldOut
	if c.Retrained {
		if s.retrained == nil {
			s.retrained = s.folds(s.aim)
		}
		predict = s.retrained
	}
	return &procedure.Held{Predict: predict, Labels: labels,
		Options: holdout.Options{Method: c.Method, Seed: s.o.Seed, Candidates: c.Chosen().Candidates}}, nil
}

// Shuffling is the number of permutations that are trained together: a selection, and conjugate gradients, have no path
// that takes other labels. Folds of conjugate gradients share their passes over the rows with those of other outputs.
func (s *source) Shuffling() int {
	switch {
	case s.selects():
		return 1
	case s.exact() == nil:
		return rls.TrainingsAtOnce / 2
	}
	return 0
}

// Shuffled is the same rows with the labels of some outputs.
func (s *source) Shuffled(y []float64, outputs int) procedure.Source {
	t := s.relabelled(y, outputs)
	t.picks, t.outerPicks = nil, nil
	return &source{space: &space{task: t, spec: s.spec, kernel: s.kernel}}
}

// Relabelled returns the path for other labels.
func (s *source) Relabelled(c *procedure.Choice) (*procedure.Relabelled, error) {
	labels := s.labels()
	retarget := func(y []float64, outputs int) (*goals.Goal, error) { return s.relabelled(y, outputs).goal() }
	chosen := c.Chosen()
	o := holdout.Options{Method: chosen.Method, Candidates: chosen.Candidates, Seed: s.o.Seed, Pairs: s.o.PairsSample}
	return &procedure.Relabelled{Factored: holdout.OfPath(s.path(), retarget), Labels: labels, Real: chosen.Outputs[0],
		Options: o}, nil
}
