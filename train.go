package pairrank

import (
	"cmp"
	"context"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
	"pairrank/model"
)

// The files, in the order in which a problem passes them: problem, plan, leastsquares, sample, labels, repeats,
// features, judge, solver, memory, weigh, work, units, announce, lower, trainer, source, leastfit, holdout, losses,
// part, iterative, folds, outputs, doubts, result.

// Train chooses a kernel and λ, or the number of rounds, by the held-out error, which is exact where a shortcut
// exists, and trains on all rows. With a single candidate and no Method it holds nothing out. For m rows with n
// features in q queries the zero Options cost O(mn² + n³), and O(n² + mn) for each λ; with more features than
// rows O(m³), and O(m²) for each λ.
//
// If ctx or a limit of iterations stops RankSVM or RankBoost, Train returns the best result so far together
// with the error. Any other error comes without a result. Train returns an *Error for problems that cannot be
// learnt, or not with these options, and the errors of the learners.
func Train(ctx context.Context, p Problem, o Options) (*Result, error) {
	t, err := prepared(&p, EstimateOptions{Options: o}, false)
	if err != nil {
		return nil, err
	}
	if err := t.checkJudged(); err != nil {
		return nil, err
	}
	if t.solution, err = t.learner.chooseSolver(t); err != nil {
		return nil, err
	}
	t.announceFactor()
	if err := cmp.Or(t.prepareLeaving(), t.announcePairs()); err != nil {
		return nil, err
	}
	if t.chooses {
		t.tellGroups()
	}
	t.centreFeatures(o.Method != nil && o.Method.Kind == cv.LeaveOneOut)
	return t.train(ctx)
}

// prepared checks a problem and its options, and prepares the rows.
func prepared(p *Problem, o EstimateOptions, estimating bool) (*trainer, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	t, err := begin(p.weighted(), o, estimating)
	if err != nil {
		return nil, err
	}
	if err := t.prepareLabels(); err != nil {
		return nil, err
	}
	if t.x != nil {
		t.doubtFeatures()
	}
	if err := t.judgeRepeats(); err != nil {
		return nil, err
	}
	if err := t.normalizeFeatures(); err != nil {
		return nil, err
	}
	t.warnFar()
	return t, cmp.Or(t.prepareSplines(), t.prepareBasis())
}

// train runs the procedure for the source of the rows.
func (t *trainer) train(ctx context.Context) (*Result, error) {
	plan, s := t.steps(), t.divisible()
	learnt, c, stopped := procedure.Train(ctx, s, plan)
	stopped = rows.Conclude(stopped)
	if learnt == nil {
		return nil, stopped
	}
	f := learnt.(*fit)
	r := &Result{Training: t.facts(f)}
	r.Choice = procedure.Summary(c, cv.Choice{Lambda: f.lambda, Rounds: r.Training.Rounds,
		Features: len(r.Training.Chosen), Kernel: f.trainer.used()})
	r.Training.Further = slices.Concat(r.Training.Further, t.savedFacts(&r.Training), f.outcome.saved())
	rows.Chosen(&r.Training.Facts, &r.Choice, t.o.Metric)
	r.Model = t.model(f, r.Training.Facts)
	if _, spline := r.Model.Scorer.(*model.Spline); spline {
		r.halves = f.halves()
	}
	if of, is := s.(*source); is {
		r.Selection = of.selected(f, &r.Choice, nil)
	}
	r.Notes = t.journal.Notes()
	return r, stopped
}

// steps converts the options to those of the procedure.
func (t *trainer) steps() procedure.Plan {
	return procedure.Plan{Journal: t.journal, Seed: t.o.Seed, Metric: t.o.Metric, Choosing: t.choosing(),
		Intervals: t.o.Intervals, Nested: t.o.Nested != nil, Permutations: t.o.Permutations}
}

// choosing names the task in which something is held out, "" for none.
func (t *trainer) choosing() string {
	if !t.chooses {
		return ""
	}
	name := procedure.HoldingOut
	switch several := t.learner.count(t) > 1; {
	case several && len(t.o.Kernels) > 1:
		name = "choosing kernel and λ" // learners with another parameter have no kernels
	case len(t.o.Kernels) > 1:
		name = "choosing the kernel"
	case several && t.learner.parameter() == cv.Rounds:
		name = "choosing the number of rounds"
	case several && t.learner.parameter() == cv.Features:
		name = "choosing features and λ"
	case several:
		name = procedure.ChoosingLambda
	}
	if basis, _ := t.learner.basis(); !t.linear() && !basis.given() {
		name += " on a kernel matrix"
	}
	return name
}

// divisible is the source of the rows.
func (t *trainer) divisible() procedure.Divisible {
	s := newSource(t)
	if t.pairsLeave() {
		return t.pairs.Source(between{s})
	}
	return s
}

func newSource(t *trainer) *source {
	t.outerPicks = &picks{}
	return &source{trainer: t.under(t.o.Kernels[0])}
}
