package cv

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/relation/kron"
	"pairrank/relation/pairwise"
)

// Relation is labelled edges between nodes with kernels: what a relational
// learner learns from.
type Relation struct {
	Rows, Cols *data.Dense // kernel matrices of the nodes; the same for one domain
	Edges      kron.Edges
	Y          []float64
	Learn      kron.Options // loss and relation
	// Kernel is the pairwise kernel; "" is that of the relation.
	Kernel pairwise.Kernel
	// Solve are the options of the iterative solver, its loss apart.
	Solve kron.SolveOptions
	// TwoStep is two-step kernel ridge regression with this λ of the columns for
	// every λ of the rows, when it is not 0.
	TwoStep float64
	// Iterative asks for the iterative solver where there is a closed form, too.
	Iterative bool
}

// RelationOptions of a relational estimate.
type RelationOptions struct {
	Setting kron.Setting
	// Method is LeaveOneOut: each edge, row, column or pair of them, or KFold.
	Method Method
	// Lambdas are ascending; nil is the default path: that of Lambdas where the
	// trainings have a closed form, else that of IterativeLambdas.
	Lambdas []float64
	// Seed deals folds and draws samples.
	Seed uint64
	// Sample bounds the pairs that Both leaves out one by one; 0 is all. They are
	// drawn from rows of about ten each, so that edges of a row can be compared, and
	// of two labels half of them, or all, have the rarer one. This leaves the share
	// of wrongly ordered pairs as it is, but not measures that depend on how many
	// edges have which label, as average precision does.
	Sample  int
	Metrics []metric.Metric
	// Choose is the metric that chooses λ; nil is the error.
	Choose   *metric.Metric
	Progress func(done, total int)
}

// RelationPoint is the estimate for one λ. The edges of a row are a query.
type RelationPoint struct {
	Lambda float64
	// Error is the share of the pairs of a row's edges with different labels that
	// are ordered wrongly, ties ½, over all rows.
	Error float64
	Pairs int64
	// Pooled is that share over all pairs of edges, across rows: 1 less the
	// C-index, or the AUC of two labels.
	Pooled  metric.Value
	Metrics []metric.Value
	Chosen  metric.Value // of Choose
}

// RelationEstimate is the outcome over all λ.
type RelationEstimate struct {
	Points []RelationPoint
	Best   int // the chosen point; among equals the largest λ
	// Retrained says that no shortcut was exact, and Why.
	Retrained bool
	Why       string
	Held      int // edges that were held out
	// Unconverged is how many trainings, of a fold and a λ each, stopped at the
	// limit of iterations.
	Unconverged int
}

// Complete is the labels as a matrix where there is exactly one edge for each pair
// of nodes.
func (r Relation) Complete() (y *data.Dense, ok bool) {
	p, n := r.Rows.Rows, r.Cols.Rows
	if len(r.Y) != p*n {
		return nil, false
	}
	y = data.NewDense(p, n, nil)
	seen := make([]bool, p*n)
	for e, v := range r.Y {
		at := int(r.Edges.Row[e])*n + int(r.Edges.Col[e])
		if seen[at] {
			return nil, false
		}
		seen[at] = true
		y.Data[at] = v
	}
	return y, true
}

// Pairwise is the pairwise kernel at work.
func (r Relation) Pairwise() pairwise.Kernel {
	if r.Kernel == "" {
		return r.Learn.Relation.Pairwise()
	}
	return r.Kernel
}

// ClosedForm tells why a complete graph is not learnt in closed form; nil where it
// is.
func (r Relation) ClosedForm() error {
	switch {
	case r.Iterative:
		return errors.New("the iterative solver was asked for")
	case r.Pairwise() != r.Learn.Relation.Pairwise():
		return fmt.Errorf("the pairwise kernel %s has no closed form", r.Pairwise())
	case r.Learn.Relation != kron.Arbitrary && r.Learn.Relation != "" && r.Learn.Loss != kron.Regression:
		return &kron.NoClosedFormError{Relation: r.Learn.Relation}
	}
	return nil
}

// closed tells why there is no closed form; nil where there is one.
func (r Relation) closed() error {
	if err := r.ClosedForm(); err != nil {
		return err
	}
	if _, ok := r.Complete(); !ok {
		return errors.New("not every pair of nodes has exactly one edge")
	}
	return nil
}

// heldOut gives the held-out score of every edge for one λ after another, NaN
// where an edge was not held out.
type heldOut func(l int, scores []float64) error

// EstimateRelation estimates the error on what the setting holds out, for every λ:
// by the exact shortcuts, or by training again without each fold, which
// LeaveOneOut never does unasked: it is an error where it is not exact.
func EstimateRelation(ctx context.Context, r Relation, o RelationOptions) (*RelationEstimate, error) {
	judge, err := newRelationJudge(r, o)
	if err != nil {
		return nil, err
	}
	out := &RelationEstimate{}
	take := func(l int, scores []float64) error {
		p, held, err := judge.point(scores)
		p.Lambda = o.Lambdas[l]
		out.Points, out.Held = append(out.Points, p), held
		return err
	}
	if out.Retrained = o.Method.Kind != LeaveOneOut; out.Retrained {
		out.Why = "each fold trained again"
	}
	if out.Unconverged, err = r.holdOut(ctx, &o, take); err != nil {
		return nil, err
	}
	for l := range out.Points {
		if x, y := out.Points[l].criterion(o.Choose), out.Points[out.Best].criterion(o.Choose); x < y || x == y && o.Lambdas[l] > o.Lambdas[out.Best] {
			out.Best = l
		}
	}
	return out, nil
}

// holdOut gives the held-out scores of the method, and sets the values of λ where
// they are those of the problem.
func (r Relation) holdOut(ctx context.Context, o *RelationOptions, take heldOut) (unconverged int, err error) {
	if o.Method.Kind == LeaveOneOut {
		return 0, r.leaveOut(ctx, o, take)
	}
	return r.folds(ctx, o, take)
}

// RelationHeldOut is the held-out score of every edge for the first λ, NaN where
// an edge is not held out: the scores that EstimateRelation measures, of which those
// within rounding of one another are equal.
func RelationHeldOut(ctx context.Context, r Relation, o RelationOptions) (scores []float64, err error) {
	o.Lambdas = o.Lambdas[:1]
	_, err = r.holdOut(ctx, &o, func(_ int, f []float64) error { scores = append(scores, f...); return nil })
	if err != nil {
		return nil, err
	}
	var held []float64
	for _, v := range scores {
		if v == v {
			held = append(held, v)
		}
	}
	tieEdges(held)
	for e, v := range scores {
		if v == v {
			scores[e], held = held[0], held[1:]
		}
	}
	return scores, nil
}

func (p RelationPoint) criterion(m *metric.Metric) float64 {
	switch {
	case m == nil:
		return p.Error
	case !p.Chosen.Defined:
		return math.Inf(1)
	case m.Loss():
		return p.Chosen.Value
	}
	return -p.Chosen.Value
}

// leaveOut takes the exact shortcuts.
func (r Relation) leaveOut(ctx context.Context, o *RelationOptions, take heldOut) error {
	y, complete := r.Complete()
	if r.TwoStep > 0 {
		if !complete {
			return errors.New("two-step learning needs exactly one edge for each pair of nodes")
		}
		return r.leaveOutTwoStep(ctx, y, o, take)
	}
	if why := r.closed(); why != nil {
		return &kron.NotExactError{Setting: o.Setting, Reason: why.Error()}
	}
	path, err := kron.Factor(ctx, r.Rows, r.Cols, y, r.Learn)
	if err != nil {
		return err
	}
	if o.Lambdas == nil {
		o.Lambdas = extentLambdas(path.Extent())
	}
	for l, lambda := range o.Lambdas {
		if err := ctx.Err(); err != nil {
			return err
		}
		var scores []float64
		if o.Setting == kron.Both {
			scores, err = r.leaveBothOut(ctx, path, lambda, o)
		} else {
			scores, err = r.fromMatrix(path.HoldOut(lambda, o.Setting))
		}
		if err != nil {
			return err
		}
		if err := take(l, scores); err != nil {
			return err
		}
		if o.Progress != nil && o.Setting != kron.Both {
			o.Progress(l+1, len(o.Lambdas))
		}
	}
	return nil
}

// fromMatrix is the entries of a matrix at the edges.
func (r Relation) fromMatrix(f *data.Dense, err error) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(r.Y))
	for e := range scores {
		scores[e] = f.Row(int(r.Edges.Row[e]))[r.Edges.Col[e]]
	}
	if !allFinite(scores) {
		return nil, kron.ErrNumerical
	}
	return scores, nil
}

func allFinite(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

func (r Relation) leaveOutTwoStep(ctx context.Context, y *data.Dense, o *RelationOptions, take heldOut) error {
	step, err := kron.FactorTwoStep(ctx, r.Rows, r.Cols, y)
	if err != nil {
		return err
	}
	if o.Lambdas == nil {
		o.Lambdas = extentLambdas(step.Extent())
	}
	for l, lambda := range o.Lambdas {
		scores, err := r.fromMatrix(step.HoldOut(lambda, r.TwoStep, o.Setting), nil)
		if err != nil {
			return err
		}
		if err := take(l, scores); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// leaveBothOut leaves a sample of edges out, each with its row and column.
func (r Relation) leaveBothOut(ctx context.Context, path *kron.Path, lambda float64, o *RelationOptions) ([]float64, error) {
	sample := r.sample(*o)
	scores := make([]float64, len(r.Y))
	for e := range scores {
		scores[e] = math.NaN()
	}
	pairs := make([]kron.Edge, len(sample))
	for k, e := range sample {
		pairs[k] = kron.Edge{Row: int(r.Edges.Row[e]), Col: int(r.Edges.Col[e])}
	}
	done := 0
	bad := false
	err := path.HoldOutPairs(ctx, lambda, pairs, func(k int, score float64) {
		scores[sample[k]] = score
		bad = bad || !allFinite(scores[sample[k]:][:1])
		if done++; o.Progress != nil {
			o.Progress(done, len(pairs))
		}
	})
	if err == nil && bad {
		err = kron.ErrNumerical
	}
	return scores, err
}
