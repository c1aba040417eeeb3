package ranksvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/bundle"
	"pairrank/internal/ostat"
	"pairrank/pref"
)

// Loss is the loss of a pair.
type Loss = string

const (
	// Hinge is max(0, 1 − (f_i − f_j)).
	Hinge Loss = "hinge"
	// SquaredHinge is its square.
	SquaredHinge Loss = "squared-hinge"
)

// Losses are the names of all losses.
var Losses = []Loss{Hinge, SquaredHinge}

// Counter is an algorithm that counts pairs; docs/ranksvm.md describes each.
type Counter = ostat.Counting

// Counters are the names of all counters, the default first.
var Counters = ostat.Countings

// Options of a Solver. The zero value is the default.
type Options struct {
	// Loss is Hinge when it is "".
	Loss Loss
	// Censored, unless nil, makes times of the m labels: rows that had no event until their time. The lower row of a
	// pair is then one with an event, before the time of the other or at that of a censored one.
	Censored []bool
	// Weight says how the pairs of a query count: pref.Pairs, the default, gives every pair weight
	// 1/N; pref.Edges is the mean over the queries of each query's mean loss. pref.Size is an
	// error.
	Weight pref.Weight
	// RowWeights, unless nil, are m weights above 0: a pair counts the product of those of its rows, in N, too.
	RowWeights []float64
	// Counter is the algorithm that counts pairs; "" is "auto", the fastest for each query. The
	// result does not depend on it, except in the last digits of the squared loss.
	Counter Counter
	// Epsilon ends the training. For the hinge loss it bounds the gap, J minus its lower bound,
	// where J(0) = 1. For the squared loss it bounds ‖∇J(w)‖/‖∇J(0)‖. 0 is 1e-3.
	Epsilon float64
	// MaxIterations bounds the iterations for one λ; 0 is 10,000.
	MaxIterations int
	// Start holds the n weights from which the first training begins; nil is 0.
	Start []float64
	// NoLineSearch omits the line search of the hinge loss, as Algorithm 1 of Airola et al. 2011.
	NoLineSearch bool
	// Progress is called after each iteration, when it is not nil.
	Progress func(Progress)
}

// Progress is the state of a training after an iteration.
type Progress struct {
	Lambda    float64
	Iteration int
	Objective float64 // J, the best so far
	// Gap bounds J − min J. For the squared loss it is ‖∇J‖²/4λ, since J is
	// strongly convex.
	Gap float64
	// Left is compared with Epsilon: the gap for the hinge loss, ‖∇J(w)‖/‖∇J(0)‖ for the squared
	// loss.
	Left   float64
	Planes int // 0 for the squared loss
}

// Fit is the result of a training.
type Fit struct {
	Lambda    float64
	Weights   []float64 // w, of length n
	Objective float64   // J(w)
	Risk      float64   // the mean loss
	// Gap bounds J(w) − min J, as in Progress.
	Gap float64
	// Left is compared with Epsilon, as in Progress; Converged says whether it is below.
	Left      float64
	Converged bool
	Pairs     float64 // N

	Iterations  int
	Evaluations int // of the loss
	Planes      int // kept at the end; 0 for the squared loss
	Products    int // Hessian-vector products of the squared loss
}

// ErrNumerical is returned where the objective or its gradient overflows.
var ErrNumerical = errors.New("the objective overflows or underflows: the features or λ are too large or too small")

// Solver trains on the same rows for one λ after another, each from where the
// last one ended. It is not safe for concurrent use.
type Solver struct {
	o     Options
	x     data.Matrix
	risk  risk
	pairs float64

	planes *bundle.Solver // of the hinge loss, made by the first training
	newton *newton        // of the squared loss
}

// New makes a solver for rows x, m×n, with m labels y, in O(m log m). It keeps x and queries.
// Memory is about 250 bytes a row, 320 during training, and n numbers for each cutting plane of the
// hinge loss.
//
// It returns goals.ErrNothingToLearn where no two rows of a query have different labels, and an
// error for options that are unknown or not for RankSVM. It panics when the lengths do not fit, a
// label is NaN, or there are no queries.
func New(x data.Matrix, y []float64, queries *data.Partition, o Options) (*Solver, error) {
	data.Check("ranksvm: x", x)
	m, n := x.Dims()
	data.CheckPartition("ranksvm: queries", queries, m)
	if len(y) != m || o.Start != nil && len(o.Start) != n || o.Censored != nil && len(o.Censored) != m ||
		o.RowWeights != nil && len(o.RowWeights) != m {
		panic(fmt.Sprintf("ranksvm: %d×%d features with %d labels, %d marks, %d weights and a start of %d", m, n, len(y),
			len(o.Censored), len(o.RowWeights), len(o.Start)))
	}
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	r, pairs, err := newRisk(y, queries, o)
	if err != nil {
		return nil, err
	}
	return &Solver{o: o, x: x, risk: r, pairs: pairs}, nil
}

// begin evaluates the risk at the start of the first training. It returns the error of ctx, or of an
// earlier training.
func (s *Solver) begin(ctx context.Context) error {
	s.risk.stopWith(ctx)
	switch {
	case s.planes != nil || s.newton != nil:
	case s.o.Loss == Hinge:
		s.planes = bundle.New(s.x, s.risk, s.o.Start)
	default:
		s.newton = newNewton(s.x, s.risk, s.o)
	}
	if s.risk.stopped() {
		return cmp.Or(ctx.Err(), context.Canceled) // of this training, or one before
	}
	return nil
}

// resolved is o with its defaults.
func (o Options) resolved() (Options, error) {
	if o.Loss == "" {
		o.Loss = Hinge
	}
	if o.Weight == "" {
		o.Weight = pref.Pairs
	}
	if o.Counter == "" {
		o.Counter = ostat.Auto
	}
	if o.Epsilon == 0 {
		o.Epsilon = 1e-3
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 10_000
	}
	switch {
	case o.Loss != Hinge && o.Loss != SquaredHinge:
		return o, fmt.Errorf("unknown loss %q: known are %v", o.Loss, Losses)
	case o.Weight != pref.Pairs && o.Weight != pref.Edges:
		return o, fmt.Errorf("query weight %q is not for RankSVM: its loss is a mean over %s or %s",
			o.Weight, pref.Pairs, pref.Edges)
	case !(o.Epsilon > 0):
		return o, fmt.Errorf("epsilon is greater than 0, not %v", o.Epsilon)
	}
	return o, nil
}

// Train minimises J for one λ over the m rows, starting from the end of the last training. An
// iteration costs O(ms + m log m), with s non-zeros a row. For the hinge loss it takes one product
// with X and one with Xᵀ (Airola, Pahikkala and Salakoski 2011, Algorithm 1 and theorem 1), for the
// squared loss as many as its conjugate gradients need (Lee and Lin 2014, section 3).
//
// At MaxIterations, or where rounding ends the progress, the fit says that it has not converged. On
// cancellation Train returns the best weights so far, with their gap, and the error of ctx; it
// returns no fit where the start was not yet evaluated. With the counter "pairs", a Solver whose
// training was cancelled within a count cannot train again.
//
// It returns ErrNumerical where the objective or its gradient is not finite. It panics unless λ is
// positive and finite.
func (s *Solver) Train(ctx context.Context, lambda float64) (*Fit, error) {
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		panic(fmt.Sprintf("ranksvm: λ is positive and finite, not %v", lambda))
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if s.newton != nil {
		return s.newton.train(ctx, lambda, s.pairs)
	}
	o := bundle.Options{Epsilon: s.o.Epsilon, MaxIterations: s.o.MaxIterations, NoLineSearch: s.o.NoLineSearch}
	if tell := s.o.Progress; tell != nil {
		o.Progress = func(p bundle.Progress) {
			tell(Progress{Lambda: lambda, Iteration: p.Iteration, Objective: p.Objective, Gap: math.Abs(p.Gap),
				Left: math.Abs(p.Gap), Planes: p.Planes})
		}
	}
	b, err := s.planes.Minimise(ctx, lambda, o)
	if errors.Is(err, bundle.ErrNotFinite) {
		return nil, ErrNumerical
	}
	gap := math.Abs(b.Gap) // below zero, rounding has made the bound worth no more than that
	return &Fit{
		Lambda: lambda, Weights: b.W, Objective: b.Objective, Risk: b.Risk, Gap: gap, Left: gap,
		Converged: b.Converged, Pairs: s.pairs,
		Iterations: b.Iterations, Evaluations: b.Evaluations, Planes: b.Planes,
	}, err
}
