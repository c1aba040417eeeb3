package relation

import (
	"context"
	"errors"
	"sync/atomic"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/await"
	"pairrank/internal/holdout"
	"pairrank/internal/kron"
	"pairrank/internal/linalg"
	"pairrank/internal/procedure"
	"pairrank/relation/edge"
)

// source is a graph, whole or a part, as a procedure.Divisible, whose units are edges. It has one kernel.
type source struct {
	p     *problem
	g     *graph
	whole *graph // the graph that contains this part, or nil
	part  part

	asked   scheme // with the given method, or zero to find one
	lambdas []float64
	also    []metric.Metric
	keep    bool // the predictions of folds will be needed again

	measured
}

// measured keeps what an estimate was computed from, for further results.
type measured struct {
	exact       *exact // the factored problem, nil if folds were trained
	predict     holdout.Predictor
	splits      *holdout.Splits // nil for leave-pair-out
	why         string          // why folds were retrained; "" if the estimate is exact
	unconverged *atomic.Int64   // trainings of folds; nil where none was trained
	most        int             // folds that are held out, 0 for all
}

// source is the whole problem with its options.
func (p *problem) source() *source {
	s := &source{p: p, lambdas: p.o.Lambdas, also: p.o.Also, keep: p.o.HeldOut}
	if s.g = p.graph(); !p.primal {
		s.asked = p.o.scheme(p.o.method())
		s.asked.budget = s.g.budget()
	}
	return s
}

// Kernels is 1: the kernels of the nodes are fixed.
func (*source) Kernels() int { return 1 }

// Under is the source itself.
func (s *source) Under(int) procedure.Source { return s }

// Ready is for sources of several kernels.
func (*source) Ready(context.Context) error { return nil }

// Estimate estimates every λ by the given method, or the default.
func (s *source) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	e.Parameter = cv.Lambda
	how, why := s.asked, error(nil)
	if how.method == (cv.Method{}) {
		how.method, why = s.p.o.defaultMethod(s.g)
		if !s.keep { // else each edge has a score
			how.most = s.g.mostFolds(how)
		}
	}
	if err := s.p.o.checkFolds(how.method); err != nil {
		return e, err
	}
	e.Method = how.method
	var estimate *cv.Estimate
	err = await.Error(ctx, func() (err error) {
		if err := s.weigh(ctx); err != nil {
			return err
		}
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
	s.p.undefine(estimate)
	e.Outputs = []*cv.Estimate{estimate}
	for _, p := range estimate.Points {
		e.Candidates = append(e.Candidates, p.Candidate)
	}
	return e, nil
}

// weigh learns the weights of several kernels of the nodes, once for a graph.
func (s *source) weigh(ctx context.Context) error {
	if s.g.sums == nil || s.g.sums.weights[0] != nil {
		return nil
	}
	w, err := s.g.weigh(ctx, s.p.o.Setting, s.lambdas)
	if err == nil && s.whole == nil {
		s.p.note.Add(w.keep(s.g, [2]*side{s.p.rows, s.p.cols}, s.p.o.Nested != nil))
	}
	return s.Fault(err)
}

// estimateExact estimates a scheme by the exact shortcuts; it never retrains unless asked to.
func (s *source) estimateExact(ctx context.Context, how scheme, progress func(done, total int)) (*cv.Estimate, error) {
	if how.method.Kind == cv.LeavePairOut && how.setting == edge.Rows {
		how.method.Kind = cv.LeaveOneOut // of the row of both edges
	}
	x, err := newExact(ctx, s.g, how, progress)
	if err != nil {
		return nil, err
	}
	s.measured = measured{exact: x, predict: x.silent().HoldOut, splits: x.splits}
	o := s.options(how)
	if x.splits == nil {
		o.Progress = progress // which x reports for splits
	}
	estimates, err := holdout.EstimateFactored(ctx, x, s.g.labels(), o)
	if err != nil {
		return nil, err
	}
	return estimates[0], nil
}

// estimateFolds retrains on each fold.
func (s *source) estimateFolds(ctx context.Context, how scheme, progress func(done, total int)) (*cv.Estimate, error) {
	splits, err := s.g.splits(how)
	if err != nil {
		return nil, err
	}
	s.measured = measured{splits: splits, why: "retrained for each fold", unconverged: new(atomic.Int64), most: how.most}
	s.predict = s.g.retrained(s.unconverged)
	if s.keep { // iterative trainings start from that of a larger λ, and with another path would end elsewhere
		s.predict = holdout.Recorded(s.predict)
	}
	o := s.options(how)
	if o.Progress = progress; o.Candidates == nil {
		if o.Candidates, err = s.g.defaultLambdas(ctx, how.setting); err != nil {
			return nil, err
		}
	}
	estimates, err := holdout.Retrained(ctx, s.predict, s.g.labels(), o)
	if err != nil {
		return nil, err
	}
	return estimates[0], nil
}

// options are the options of cv for a scheme.
func (s *source) options(how scheme) holdout.Options {
	return holdout.Options{Method: how.method, Splits: s.splits, Candidates: s.lambdas, Metric: s.p.o.Metric,
		Also:   s.also,
		Pooled: how.method.Kind == cv.KFold || how.pools(), ByQuery: true, Across: s.g.across(how.setting)}
}

// across are the units of the standard error besides the rows: the columns alone where they are left out alone, both
// where edges or both ends are.
func (g *graph) across(s edge.Setting) *holdout.Across {
	if s == edge.Rows {
		return &holdout.Across{}
	}
	return &holdout.Across{Of: g.edges.Col, N: g.cols.Rows, Alone: s == edge.Cols}
}

// Fit trains on all edges. If an iterative solver is stopped, it returns the fit so far together with the
// error.
func (s *source) Fit(ctx context.Context, c *procedure.Choice) (procedure.Fit, error) {
	if err := await.Error(ctx, func() error { return s.weigh(ctx) }); err != nil {
		return nil, err
	}
	r, err := s.p.fit(ctx, s.g, c, s.exact)
	if err != nil && r.Fit == nil {
		return nil, err
	}
	return &fit{r, err != nil}, err
}

// fit is the result of a training, and whether it was cut short.
type fit struct {
	*Result
	cut bool
}

// Kept names the iterate of a training cut short that is the model.
func (f *fit) Kept() string {
	if f.Stopped != nil {
		return "best iterate"
	}
	return "last iterate"
}

// Part is some edges as a source, with a share of the multiplications that leave-pair-out may take.
func (s *source) Part(edges []int, share float64) procedure.Divisible {
	part := s.g.part(edges)
	part.graph.sums = s.g.sums.some(part.rowNumbers, part.colNumbers)
	out := &source{p: s.p, g: part.graph, whole: s.g, part: part, asked: s.asked, lambdas: s.lambdas, also: s.also}
	out.asked.budget = share * part.budget()
	return out
}

// Half is the edges of a half of the nodes, with the method of the whole and at most as many folds as it has
// units. Given values of λ are multiplied by the half's share of the loss; otherwise the half has its default
// values.
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
	if half.asked.setting == edge.Cols {
		half.asked.sample *= half.g.rows.Rows // pairs in two columns
	}
	return half, nil
}

// Predict trains a part with the λ chosen on it, and predicts other edges of the whole.
func (s *source) Predict(ctx context.Context, c *procedure.Choice, others []int) (*data.Dense, error) {
	f := data.NewDense(len(others), 1, nil)
	whole := s.whole
	if s.g.sums != nil {
		whole = whole.weighted(s.g.sums.weights)
	}
	_, err := whole.predict(ctx, s.part, others, []float64{c.Candidate()}, s.exact,
		func(_ int, scores []float64, _ float64) { f.Data = scores })
	if err == nil && !linalg.Finite(f.Data) {
		err = kron.ErrNumerical
	}
	return f, err
}

// Nothing reports whether an error means that no two edges of a row can be compared.
func (*source) Nothing(err error) bool {
	var none *holdout.NoPairsError
	return errors.As(err, &none)
}

// Fault translates errors of cv about rows to edges; an unknown error is one about the data to hold out.
func (s *source) Fault(err error) error {
	var inexact *kron.NotExactError
	var known *fault.Error
	switch {
	case err == nil, errors.As(err, &inexact), errors.As(err, &known), errors.Is(err, kron.ErrNotPSD),
		errors.Is(err, kron.ErrNumerical), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case !s.Nothing(err):
		return fault.As(fault.Data, "", err)
	}
	return noPairs(err, s.splits)
}

// Outer returns the folds of EstimateOptions.Nested.
func (s *source) Outer(*procedure.Choice) (*procedure.Outer, error) {
	outer := s.p.outer()
	how := s.p.o.scheme(outer)
	how.seed++
	splits, err := s.g.splits(how)
	if err != nil {
		return nil, fault.Optionf("Nested", "holds out nothing: %w", err)
	}
	labels := s.g.labels()
	return &procedure.Outer{Labels: labels, All: holdout.CountPairs(labels.Y, nil, labels.Queries),
		Options: holdout.Options{Method: outer, Splits: splits, ByQuery: true, Across: s.g.across(how.setting)}}, nil
}

// outer is the method of the outer folds: by default ten folds, or five where each fold of the rows meets each of the
// columns, or fewer.
func (p *problem) outer() cv.Method {
	outer := *p.o.Nested
	if outer.Kind == cv.KFold && outer.Folds == 0 {
		g, most := p.graph(), 10
		if p.o.Setting == edge.Both && !g.mirrored() {
			most = 5
		}
		outer = g.folds(p.o.Setting, most)
	}
	return outer
}

// Relabelled returns the exact shortcut for other labels of the rows. If pairs are sampled, a permutation
// samples fewer.
func (s *source) Relabelled(c *procedure.Choice) (*procedure.Relabelled, error) {
	chosen, x := c.Chosen(), s.exact.silent()
	out := &procedure.Relabelled{Factored: x, Labels: s.g.labels(),
		Options: holdout.Options{Method: chosen.Method, Splits: x.splits, Candidates: chosen.Candidates,
			Seed: s.p.o.Seed}}
	if x.splits != nil {
		x.kept, out.Real = newLeverages(), chosen.Outputs[0]
		return out, nil
	}
	x.budget = max(permutationsShare/float64(s.p.o.Permutations+1), leastShare) * s.g.budget()
	return out, nil // the estimate of the true labels samples as many pairs as the permutations
}

// permutationsShare is the work of all permutations of labels relative to that of the estimate, and leastShare
// the least work of one permutation: if pairs are sampled, a permutation samples fewer.
const (
	permutationsShare = 1
	leastShare        = 1.0 / 1024
)

// Held returns the held-out scores of the factored problem, or the predictions of the folds. For leave-pair-out
// they come from leaving out one edge, column, or row and column after another.
func (s *source) Held(c *procedure.Choice) (*procedure.Held, error) {
	held := &procedure.Held{Predict: s.predict, Labels: holdout.Labels{Y: s.g.y}}
	held.Options = holdout.Options{Method: c.Method, Splits: s.splits}
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

// Doubt notes doubts about the way edges were held out, and about a fit.
func (s *source) Doubt(ctx context.Context, learnt procedure.Fit, c *procedure.Choice) {
	if c != nil {
		if !c.Retrained && c.Holds(s) {
			c.Settled = procedure.Settled(c.Chosen(), func(lambda float64) ([]float64, error) {
				return s.ranking(ctx, c, lambda)
			})
		}
		s.p.noteHeldOut(c, s.most)
		s.p.warnOneSided()
		s.p.doubtNodes(c)
	}
	r, fitted := learnt.(*fit)
	if fitted && r.Fit != nil && !r.Fit.Converged && r.Stopped == nil && !r.cut {
		s.p.warnUnconverged(r.Fit)
	}
	s.p.warnConstant()
}

// ranking ranks the edges that were held out at a λ, each within its row node.
func (s *source) ranking(ctx context.Context, c *procedure.Choice, lambda float64) ([]float64, error) {
	held, err := s.Held(c)
	if err != nil {
		return nil, err
	}
	f, err := holdout.HeldOut(ctx, held.Predict, held.Labels, held.Options, lambda)
	if err != nil {
		return nil, err
	}
	return procedure.Ranks(f.Data, s.g.edges.Row), nil
}

// Unconverged counts the trainings on folds that ended before they converged.
func (s *source) Unconverged() int {
	if s.unconverged == nil {
		return 0
	}
	return int(s.unconverged.Load())
}

// chosen is the choice of λ with the way edges were held out.
func (s *source) chosen(c *cv.Choice) Choice {
	out := Choice{Choice: procedure.Summary(c, cv.Choice{}), Rows: s.p.rows.sum, Cols: s.p.cols.sum}
	if c == nil {
		return out
	}
	out.Setting, out.Why, out.Unconverged = s.p.o.Setting, s.why, s.Unconverged()
	if s.splits != nil {
		out.Held = len(s.splits.Held())
	}
	return out
}
