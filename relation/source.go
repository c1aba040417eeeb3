package relation

import (
	"context"
	"errors"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/await"
	"pairrank/internal/fault"
	"pairrank/internal/procedure"
	"pairrank/relation/kron"
)

// source is a graph, whole or a part of one: a procedure.Divisible, whose units are edges. It has one kernel.
type source struct {
	p     *problem
	g     *graph
	whole *graph // of which the graph is a part, or nil
	part  part

	asked   scheme // the method is the one asked for, or zero where it is found
	lambdas []float64
	also    []metric.Metric
	keep    bool // the predictions of folds are asked for again

	measured
}

// measured is what an estimate was measured of, for what else is asked of it.
type measured struct {
	exact       *exact // the factored problem, nil where folds were trained
	predict     cv.Predictor
	splits      *cv.Splits // nil of leave-pair-out
	why         string     // folds were trained again; "" where the estimate is exact
	unconverged int
}

// source is the whole problem as the options ask for it.
func (p *problem) source() *source {
	s := &source{p: p, lambdas: p.o.Lambdas, also: p.o.Also, keep: p.o.HeldOut}
	if s.g = p.graph(); !p.primal {
		s.asked = p.o.scheme(p.o.method())
		s.asked.budget = s.g.budget()
	}
	return s
}

// Kernels is one: the nodes have theirs.
func (*source) Kernels() int { return 1 }

// Under is the source itself.
func (s *source) Under(int) procedure.Source { return s }

// Ready is for sources of several kernels.
func (*source) Ready(context.Context) error { return nil }

// Estimate estimates every λ by the method asked for, or the default.
func (s *source) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	e.Parameter = cv.Lambda
	how, why := s.asked, error(nil)
	if how.method == (cv.Method{}) {
		how.method, why = s.p.o.defaultMethod(s.g)
	}
	if err := s.p.o.checkFolds(how.method); err != nil {
		return e, err
	}
	e.Method = how.method
	var estimate *cv.Estimate
	err = await.Error(ctx, func() (err error) {
		if how.method.Kind == cv.KFold {
			estimate, err = s.estimateFolds(ctx, how, progress)
		} else {
			estimate, err = s.estimateExact(ctx, how, progress)
		}
		return s.Fault(err)
	})
	if err != nil {
		return e, err
	}
	if why != nil {
		s.why += ", as " + why.Error()
	}
	e.Outputs = []*cv.Estimate{estimate}
	for _, p := range estimate.Points {
		e.Candidates = append(e.Candidates, p.Candidate)
	}
	return e, nil
}

// estimateExact measures what a scheme leaves out by the exact shortcuts; it never trains again unasked.
func (s *source) estimateExact(ctx context.Context, how scheme, progress func(done, total int)) (*cv.Estimate, error) {
	if how.method.Kind == cv.LeavePairOut && how.setting == kron.Rows {
		how.method.Kind = cv.LeaveOneOut // the row that both edges have
	}
	x, err := newExact(ctx, s.g, how, progress)
	if err != nil {
		return nil, err
	}
	s.measured = measured{exact: x, predict: x.silent().HoldOut, splits: x.splits}
	o := s.options(how)
	if x.splits == nil {
		o.Progress = progress // which x tells of splits
	}
	estimates, err := cv.EstimateFactored(ctx, x, s.g.labels(), o)
	if err != nil {
		return nil, err
	}
	return estimates[0], nil
}

// estimateFolds trains each fold again.
func (s *source) estimateFolds(ctx context.Context, how scheme, progress func(done, total int)) (*cv.Estimate, error) {
	splits, err := s.g.splits(how)
	if err != nil {
		return nil, err
	}
	s.measured = measured{splits: splits, why: "each fold trained again"}
	s.predict = s.g.trainer(&s.unconverged).Predict
	if s.keep { // iterative trainings begin at that of a larger λ, and would end elsewhere with another path
		s.predict = cv.Recorded(s.predict)
	}
	o := s.options(how)
	if o.Progress = progress; o.Candidates == nil {
		if o.Candidates, err = s.g.defaultLambdas(ctx, how.setting); err != nil {
			return nil, err
		}
	}
	estimates, err := cv.Retrained(ctx, s.predict, s.g.labels(), o)
	if err != nil {
		return nil, err
	}
	return estimates[0], nil
}

// options are those of cv for a scheme.
func (s *source) options(how scheme) cv.Options {
	return cv.Options{Method: how.method, Splits: s.splits, Candidates: s.lambdas, Metric: s.p.o.Metric, Also: s.also,
		Pooled: how.method.Kind == cv.KFold || how.pools(), ByQuery: true}
}

// Fit learns from all edges. Where an iterative solver is stopped there is a fit all the
// same.
func (s *source) Fit(ctx context.Context, c *procedure.Choice) (procedure.Fit, error) {
	r, err := s.p.fit(ctx, s.g, c, s.exact)
	if err != nil && r.Fit == nil {
		return nil, err
	}
	return &fit{r, err != nil}, err
}

// fit is what was learnt, and whether it was cut short.
type fit struct {
	*Result
	cut bool
}

// Kept says which iterate of a training that was cut short is the model.
func (f *fit) Kept() string {
	if f.Stopped != nil {
		return "best iterate"
	}
	return "last iterate"
}

// Part is some edges by themselves, with a share of the multiplications that leave-pair-out takes.
func (s *source) Part(edges []int, share float64) procedure.Divisible {
	part := s.g.part(edges)
	out := &source{p: s.p, g: part.graph, whole: s.g, part: part, asked: s.asked, lambdas: s.lambdas, also: s.also}
	out.asked.budget = share * part.budget()
	return out
}

// Half is the edges of a half of the nodes, by the method of the whole, with at most as many folds as it has units.
// Values of λ that were given are scaled by what of the loss is in the half; else they are those of its own scale.
func (s *source) Half(_ context.Context, c *procedure.Choice, edges []int) (procedure.Source, error) {
	half := s.Part(edges, 0).(*source)
	half.also = nil
	half.lambdas = procedure.ScaledLambdas(s.lambdas, half.g.lossShare(s.g))
	if s.g.inTwoSteps() {
		half.g.twoStep *= float64(half.g.cols.Rows) / float64(s.g.cols.Rows)
	}
	half.asked.method, half.asked.auto, half.asked.sample = c.Method, false, halfSample(c)
	if c.Method.Kind == cv.KFold {
		half.asked.method = half.g.folds(half.asked.setting, c.Method.Folds)
	}
	if half.asked.setting == kron.Cols {
		half.asked.sample *= half.g.rows.Rows // pairs of two columns
	}
	return half, nil
}

// Predict trains a part with the λ that was chosen on it, and predicts other edges of the whole.
func (s *source) Predict(ctx context.Context, c *procedure.Choice, others []int) (*data.Dense, error) {
	f := data.NewDense(len(others), 1, nil)
	_, err := s.whole.predict(ctx, s.part, others, []float64{c.Candidate()}, s.exact,
		func(_ int, scores []float64) { f.Data = scores })
	if err == nil && !allFinite(f.Data) {
		err = kron.ErrNumerical
	}
	return f, err
}

// Nothing reports whether an error says that no two edges of a row can be compared.
func (*source) Nothing(err error) bool {
	var none *cv.NoPairsError
	return errors.As(err, &none)
}

// Fault says of edges what cv says of rows; what is not known is about what there is to hold out.
func (s *source) Fault(err error) error {
	var inexact *kron.NotExactError
	switch {
	case err == nil, errors.As(err, &inexact), errors.Is(err, kron.ErrNotPSD), errors.Is(err, kron.ErrNumerical),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case !s.Nothing(err):
		return fault.As(Data, "", err)
	}
	return noPairs(err, s.splits)
}

// Outer is the folds of Options.Nested.
func (s *source) Outer(*procedure.Choice) (*procedure.Outer, error) {
	outer := s.p.outer()
	how := s.p.o.scheme(outer)
	how.seed++
	splits, err := s.g.splits(how)
	if err != nil {
		return nil, fault.Optionf("Nested", "holds out nothing: %w", err)
	}
	labels := s.g.labels()
	return &procedure.Outer{Labels: labels, All: cv.CountPairs(labels.Y, labels.Queries),
		Options: cv.Options{Method: outer, Splits: splits, ByQuery: true}}, nil
}

// outer is the folds of Nested, ten where it does not say how many, or fewer.
func (p *problem) outer() cv.Method {
	outer := *p.o.Nested
	if outer.Kind == cv.KFold && outer.Folds == 0 {
		outer = p.graph().folds(p.o.Setting, 10)
	}
	return outer
}

// Relabelled is the exact shortcut for other labels of the rows; where pairs are drawn, those of
// a permutation are fewer.
func (s *source) Relabelled(c *procedure.Choice) (*procedure.Relabelled, error) {
	chosen, x := c.Chosen(), s.exact.silent()
	out := &procedure.Relabelled{Factored: x, Labels: s.g.labels(),
		Options: cv.Options{Method: chosen.Method, Splits: x.splits, Candidates: chosen.Candidates, Seed: s.p.o.Seed}}
	if x.splits != nil {
		x.kept, out.Real = newLeverages(), chosen.Outputs[0]
		return out, nil
	}
	x.budget = max(permutationsShare/float64(s.p.o.Permutations+1), leastShare) * s.g.budget()
	return out, nil // the real estimate is over as many pairs as the permutations
}

// permutationsShare is the work of all permutations of labels beside that of the estimate, and
// leastShare the least work of one permutation: where pairs are drawn, fewer are then.
const (
	permutationsShare = 3
	leastShare        = 1.0 / 1024
)

// Held gives the held-out scores in the problem that was factored, or as the folds predicted them; of leave-pair-out
// those of leaving out one edge, column, or row and column after another.
func (s *source) Held(c *procedure.Choice) (*procedure.Held, error) {
	held := &procedure.Held{Predict: s.predict, Labels: cv.Labels{Y: s.g.y}}
	held.Options = cv.Options{Method: c.Method, Splits: s.splits}
	if s.splits == nil {
		held.Options.Method = cv.Method{Kind: cv.LeaveOneOut}
		x := s.exact.silent()
		x.pools = true
		var err error
		if x.splits, err = s.g.splits(s.p.o.scheme(held.Options.Method)); err != nil {
			return nil, err
		}
		held.Predict, held.Options.Splits = x.HoldOut, x.splits
	}
	return held, nil
}

// Doubt notes what is doubtful about how edges were held out, and about a fit.
func (s *source) Doubt(learnt procedure.Fit, c *procedure.Choice) {
	if c != nil {
		s.p.noteHeldOut(c)
		s.p.warnOneSided()
	}
	r, fitted := learnt.(*fit)
	if fitted && r.Fit != nil && !r.Fit.Converged && r.Stopped == nil && !r.cut {
		s.p.note.Warn(NoteUnconverged,
			"the solver stopped after %d iterations at a relative residual of %.2g, above %g; the model is the last "+
				"iterate", r.Fit.Iterations, r.Fit.Residual, s.p.o.Tolerance)
	}
	s.p.warnConstant()
}

// Unconverged counts the trainings of folds that ended before they converged.
func (s *source) Unconverged() int { return s.unconverged }

// halfSample is how many pairs, or two columns, a half draws: so many that the error of drawing
// is a third of the standard error, and at least 500. A drawing is part of what a half varies by,
// so that few would widen the interval.
func halfSample(c *procedure.Choice) int {
	const least, third = 500, 9
	p := c.BestPoint(0, nil)
	if !p.StdErr.Defined || p.StdErr.Value == 0 {
		return least
	}
	return max(least, int(third*p.Error*(1-p.Error)/(p.StdErr.Value*p.StdErr.Value)))
}

// chosen is the choice of λ with how edges were held out.
func (s *source) chosen(c *procedure.Choice) Choice {
	if c == nil {
		return Choice{Choice: c.Summary(cv.Choice{})}
	}
	out := Choice{Choice: c.Choice, Setting: s.p.o.Setting, Why: s.why, Unconverged: s.unconverged}
	if s.splits != nil {
		out.Held = len(s.splits.Held())
	}
	return out
}
