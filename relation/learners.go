package relation

import (
	"context"
	"errors"
	"math"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/kron"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// Learner is the algorithm that learns.
type Learner string

const (
	// RankRLS is regularised least squares over the edges, or over the differences of the edges of a row.
	RankRLS Learner = "rankrls"
	// TwoStep is ridge regression over the rows, and then over the columns; see
	// kron.TwoStep.
	TwoStep Learner = "two-step"
	// Similarity learns nothing: the kernel of the nodes of one domain is the score.
	Similarity Learner = "similarity"
)

// Learners are the names of all learners.
var Learners = []Learner{RankRLS, Similarity, TwoStep}

// learns reports whether there is a λ, and something to estimate.
func (l Learner) learns() bool { return l != Similarity }

// ofEdges reports whether edges are learnt one by one: with a loss, a relation, and any solver.
func (l Learner) ofEdges() bool { return l == RankRLS }

// inTwoSteps reports whether rows are learnt first and then columns, each with a λ.
func (l Learner) inTwoSteps() bool { return l == TwoStep }

// orders reports whether the edges of a row are compared in training.
func (o *Options) orders() bool { return o.Learner.ofEdges() && o.Loss == edge.Ranking }

// Formula returns the objective as text, on one line.
func (o Options) Formula() string {
	o = o.Resolved()
	switch {
	case !o.Learner.learns():
		return "none: the kernel itself ranks"
	case o.Learner.inTwoSteps():
		return "ridge regression over the rows, then over the columns"
	case o.Loss == edge.Regression:
		return "sum_e (y_e - f_e)^2 + lambda |f|^2 over edges"
	}
	return "sum_rows 1/l sum ((y_e - y_h) - (f_e - f_h))^2 + lambda |f|^2 over pairs of the l edges of a row"
}

// inTwoSteps reports whether a graph is learnt in two steps.
func (g *graph) inTwoSteps() bool { return g.twoStep > 0 }

// learnInTwoSteps makes a graph be learnt in two steps, with a λ of the columns.
func (g *graph) learnInTwoSteps(lambdaCols float64) {
	g.learn.Relation, g.kernel, g.twoStep = edge.Arbitrary, pairwise.Kronecker, lambdaCols
}

// openError is why a graph has no closed form.
type openError struct{ error }

func (e *openError) Unwrap() error { return e.error }

// errTwoSteps says why two-step learning has no closed form.
var errTwoSteps = errors.New("two-step learning needs exactly one edge for each pair of nodes")

// factor factors a complete graph for its learner; y are its labels, nil if it is not complete. It returns an
// *openError if there is no closed form.
func (g *graph) factor(ctx context.Context, y *data.Dense) (path, error) {
	if g.inTwoSteps() {
		if y == nil {
			return nil, fault.As(fault.Data, "", errTwoSteps)
		}
		step, err := kron.FactorTwoStep(ctx, g.rows, g.cols, y)
		if err != nil {
			return nil, err
		}
		return twoStepPath{step, g.twoStep}, nil
	}
	if why := g.closedForm(y); why != nil {
		return nil, &openError{why}
	}
	factored, err := kron.Factor(ctx, g.rows, g.cols, y, g.learn)
	if err != nil {
		return nil, err
	}
	return closedPath{factored}, nil
}

// path is a factored problem of one output.
type path interface {
	// leverage is what holdOut needs besides the labels: the same for all relabelled paths, nil if it needs
	// nothing.
	leverage(lambda float64, e *exact) (*kron.Leverage, error)
	// holdOut returns the scores of the held-out edges, each without the edges that the setting leaves out with
	// it.
	holdOut(ctx context.Context, lambda float64, l *kron.Leverage, e *exact) ([]float64, error)
	// summands is the size of the numbers that held-out scores are made of.
	summands(lambda float64, s edge.Setting) float64
	extent() (least, largest float64)
	margins
	// pairWork is the multiplications of leaving out a unit of pairs, with this many nodes.
	pairWork(lambda float64, s edge.Setting, rows, cols int) float64
	// sharedWork is the multiplications that all units of a λ share. Those of products of matrices are ten times as
	// fast as others, so each counts as a tenth.
	sharedWork(rows, cols int) float64
	relabel(y *data.Dense) path
	// learn returns the coefficients of a λ, and a function for the minimum of the objective, NaN if it is
	// unknown.
	learn(lambda float64) (coef *data.Dense, minimum func() float64)
	// solver is the name of the solver.
	solver() string
	// tells reports whether holdOut reports its progress itself, with Both.
	tells() bool
}

// closedPath is one-step learning.
type closedPath struct{ *kron.Path }

func (p closedPath) extent() (least, largest float64) { return p.Extent() }

// pairWork counts the multiplications of each of many units in addition to what they share: for a pair of edges
// two sums over the columns, for two columns a product with the eigenvalues and one for each row. The sums of a pair
// read rows of matrices that a cache holds up to some 500 × 500 nodes; from 1000 × 1000 on they take twice as long or
// more, and count twice.
func (p closedPath) pairWork(lambda float64, s edge.Setting, rows, cols int) float64 {
	n, m := float64(rows), float64(cols)
	switch s {
	case edge.Cols:
		return n*m/6 + 40*n + n*n/6
	case edge.Both:
		return p.BothWork(lambda, rows, cols, 2)
	}
	const held, apart = 500 * 500, 1000 * 1000
	return 6*m*(1+min(1, max(0, n*m-held)/(apart-held))) + 100
}

func (p closedPath) sharedWork(rows, cols int) float64 {
	n, m := float64(rows), float64(cols)
	return 0.1 * n * m * (2*n + m)
}

func (p closedPath) margins(lambda float64, s edge.Setting) (kron.MarginsTo, error) {
	return p.Margins(lambda, s)
}

func (p closedPath) learn(lambda float64) (coef *data.Dense, minimum func() float64) {
	fit := p.At(lambda)
	return fit.Coef, fit.Objective
}

func (closedPath) solver() string { return string(Closed) }

func (closedPath) tells() bool { return true }

func (p closedPath) relabel(y *data.Dense) path { return closedPath{p.Relabel(y)} }

func (p closedPath) leverage(lambda float64, e *exact) (*kron.Leverage, error) {
	if e.setting == edge.Both {
		return nil, nil
	}
	return p.Leverage(lambda, e.setting)
}

func (p closedPath) holdOut(ctx context.Context, lambda float64, l *kron.Leverage, e *exact) ([]float64, error) {
	if e.setting != edge.Both {
		return e.at(p.HoldOutBy(l)), nil
	}
	held := e.splits.Held()
	scores, pairs := make([]float64, len(held)), make([]kron.Edge, len(held))
	for a, h := range held {
		pairs[a] = kron.Edge{Row: int(e.g.edges.Row[h]), Col: int(e.g.edges.Col[h])}
	}
	err := p.HoldOutBoth(ctx, lambda, pairs, func(a int, score float64) {
		scores[a] = score
		if e.tell != nil {
			e.tell(a+1, len(pairs))
		}
	})
	return scores, err
}

func (p closedPath) summands(lambda float64, s edge.Setting) float64 { return p.Summands(lambda, s) }

// twoStepPath is two-step learning with a λ of the columns.
type twoStepPath struct {
	*kron.TwoStep
	lambdaCols float64
}

func (p twoStepPath) extent() (least, largest float64) { return p.Extent() }

func (twoStepPath) pairWork(_ float64, s edge.Setting, rows, _ int) float64 {
	if s == edge.Cols {
		return 50 * float64(rows)
	}
	return 50
}

func (twoStepPath) sharedWork(rows, cols int) float64 {
	n, m := float64(rows), float64(cols)
	return 0.1 * (2*n*m*(n+m) + m*m*m)
}

func (p twoStepPath) margins(lambda float64, s edge.Setting) (kron.MarginsTo, error) {
	return p.Margins(lambda, p.lambdaCols, s), nil
}

func (p twoStepPath) learn(lambda float64) (coef *data.Dense, minimum func() float64) {
	return p.Coef(lambda, p.lambdaCols), func() float64 { return math.NaN() }
}

func (twoStepPath) solver() string { return string(TwoStep) }

func (twoStepPath) tells() bool { return false }

func (p twoStepPath) relabel(y *data.Dense) path { return twoStepPath{p.Relabel(y), p.lambdaCols} }

func (twoStepPath) leverage(float64, *exact) (*kron.Leverage, error) { return nil, nil }

func (p twoStepPath) summands(lambda float64, _ edge.Setting) float64 {
	return p.Summands(lambda, p.lambdaCols)
}

func (p twoStepPath) holdOut(_ context.Context, lambda float64, _ *kron.Leverage, e *exact) ([]float64, error) {
	return e.at(p.HoldOut(lambda, p.lambdaCols, e.setting)), nil
}
