package pairrank

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/krylov"
	"pairrank/internal/learn/rls"
	"pairrank/internal/rows"
	"pairrank/kernel"
	"pairrank/model/training"
	"pairrank/pref"
)

// LeastSquares is RankRLS,
//
//	minimise over f   Σ w_ij ((y_i−y_j) − (f_i−f_j))² + λ‖f‖²
//
// over the compared pairs; with Regression it is plain regularised least squares, Σ (y_i−f_i)² + λ‖f‖² over the
// rows (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to rank
// from preference graphs, section 2). One factorisation serves all values of λ and gives the exact held-out
// error without retraining. The loss is a sum over pairs, not a mean, so useful values of λ grow with the data.
// Regression has no intercept: centre the labels. The zero value is linear RankRLS.
type LeastSquares struct {
	// Regression fits the label of each row instead of the differences of pairs.
	Regression bool
	// Pairs selects the compared pairs, their targets and weights. With preferences only its Cost is used. With
	// Regression not even that.
	Pairs pref.Options
	// Solver is how the system is solved. Auto takes the cheapest exact solver that fits into memory. It takes
	// CG if the rows are sparse, their factorisation needs at least 10¹¹ multiplications or does not fit, and
	// CG needs less. Then Train and Estimate hold out folds unless Method is set.
	Solver Solver
	// Basis restricts the functions to sums over some rows, for the Sparse solver.
	Basis Basis
	// Tolerance is the relative residual at which CG stops. With 0 the scores stop it: as soon as the mean error of
	// the difference of two scores, over the compared pairs, is at most 1/400 of the mean difference; see
	// rls.CGOptions.Scores.
	Tolerance float64
	// MaxIterations bounds the iterations of CG for one λ; 0 is 10,000.
	MaxIterations int
}

// Name returns rankrls, or rls for regression.
func (l LeastSquares) Name() string {
	if l.Regression {
		return "rls"
	}
	return "rankrls"
}

func (l LeastSquares) learner(p *Problem, o *EstimateOptions) (learner, error) {
	plain, err := pref.Options{}.Resolved()
	if err != nil {
		return nil, err
	}
	if p.timed() || l.Pairs.CensoringWeights && p.Set == nil { // what is not read yet may be times
		l.Pairs, err = goals.ResolvedOfTimes(l.Pairs)
	} else {
		l.Pairs, err = l.Pairs.Resolved()
	}
	if err != nil {
		return nil, fault.As(fault.Use, "", err)
	}
	if l.Regression {
		if err := p.refuseTimes("rls fits the label of each row, and of a censored row only a bound is known: rankrls " +
			"compares times"); err != nil {
			return nil, err
		}
	}
	iterates := l.Tolerance != 0 || l.MaxIterations != 0
	l.MaxIterations = cmp.Or(l.MaxIterations, rls.DefaultIterations)
	err = cmp.Or(
		fault.Refuse(l.Solver != Auto && l.form(l.Solver) == nil, "Solver",
			"%q is unknown: known are primal, dual, sparse, cg", string(l.Solver)),
		l.checkBasis(),
		l.checkKernels(o.Kernels),
		refuseSimpler(p, o, true),
		refuseMapped(o.Kernels, l.Basis.given() || l.Solver == Sparse, "Basis",
			"and random features are two ways to approximate a kernel"),
		fault.Refuse(iterates && l.Solver != Auto && l.Solver != CG, "Tolerance",
			"and MaxIterations are for the solver cg, not %s", l.Solver),
		krylov.CheckStops(cmp.Or(l.Tolerance, rls.DefaultTolerance), l.MaxIterations),
		l.checkPairs(plain, p, o),
		l.checkSums(p, o),
	)
	return l, err
}

// checkSums refuses sums whose weights would have to be learnt where no exact held-out error of labels says them.
func (l LeastSquares) checkSums(p *Problem, o *EstimateOptions) error {
	if !o.learnsWeights() {
		return nil
	}
	return cmp.Or(
		refuseSums(l.Basis.given(), "and a Basis has not the kernel of all rows"),
		refuseSums(p.compares(), "of labels, and preferences and comparisons leave out pairs"),
		refuseSums(p.timed(), "of labels, and leaving out a censored time changes the weights of others"),
		refuseSums(p.Labels != nil, "of one output, and each of several would need its own"),
		refuseSums(p.Valid != nil, "of rows that are held out, and rows for validation are given"),
		refuseSums(!l.Regression && (l.Pairs.Cost != pref.Magnitude || l.Pairs.Ties != pref.IncludeTies),
			"with the magnitude cost and tied pairs"),
		refuseSums(o.Permutations > 0, "and each permutation would learn others"),
	)
}

// checkPairs refuses Pairs other than plain if something else decides which rows are compared.
func (l LeastSquares) checkPairs(plain pref.Options, p *Problem, o *EstimateOptions) error {
	return cmp.Or(
		fault.Refuse(p.compares() && (l.Pairs.Weight != pref.Pairs || o.AllPairs), "Pairs",
			"weighs or joins the pairs of queries, and preferences and comparisons have weights"),
		fault.Refuse(l.Regression && (o.AllPairs || l.Pairs != plain), "Pairs",
			"compares rows, and regression looks at each by itself"),
		fault.Refuse(l.Regression && p.compares(), "Learner",
			"rls looks at rows by themselves, and the problem compares rows"),
		fault.Refuse(p.Labels != nil && !l.Regression && l.Pairs.Ties != pref.IncludeTies, "Labels",
			"needs tied pairs included: each output would compare other pairs"),
	)
}

// checkKernels refuses a solver for weights of features with a kernel that has none.
func (l LeastSquares) checkKernels(kernels []kernel.Kernel) error {
	k := slices.IndexFunc(kernels, func(k kernel.Kernel) bool { return !isExplicit(k) })
	if k < 0 || l.Solver != Primal && l.Solver != CG {
		return nil
	}
	return fault.Optionf("Solver", "%s is for the linear kernel, not %s", l.Solver, kernels[k])
}

// checkBasis refuses a basis that the solver does not take, and a solver without its basis.
func (l LeastSquares) checkBasis() error {
	if l.Basis.given() && l.Solver != Auto && l.Solver != Sparse {
		return &fault.Error{Kind: fault.Use, Code: codes.FaultBasisSolver, Option: "Basis",
			Err: fmt.Errorf("is for the solver sparse, not %s", l.Solver)}
	}
	return fault.Refuse(l.Solver == Sparse && !l.Basis.given(), "Solver", "sparse needs a basis")
}

// facts are what says how the rows are compared.
func (l LeastSquares) facts(t *trainer) rows.Squares {
	return rows.Squares{Regression: l.Regression, Pairs: l.Pairs, Preferences: t.edges != nil, AllPairs: t.o.AllPairs,
		Times: t.censored != nil, Weights: t.weights}
}

func (l LeastSquares) objective(t *trainer) string { return l.facts(t).Objective() }

func (l LeastSquares) describe(t *trainer, i *training.Facts) { l.facts(t).Describe(i) }

// checkShuffled refuses permuted labels if they change the compared pairs.
func (l LeastSquares) checkShuffled(p *Problem, o *EstimateOptions) error {
	return cmp.Or(
		fault.Refuse(p.replacesLabels(), "Permutations",
			"shuffles the labels of the Set, which preferences and labels of outputs replace"),
		fault.Refuse(!l.Regression && l.Pairs.Ties != pref.IncludeTies && !p.timed(), "Permutations",
			"needs tied pairs included: each permutation would compare other pairs"),
		fault.Refuse(o.Metric != nil, "Permutations", "compares errors, and a metric chooses by something else"),
		fault.Refuse(len(o.Kernels) > 1, "Permutations", "is for one kernel, not %d", len(o.Kernels)),
	)
}

func (l LeastSquares) basis() (Basis, bool) { return l.Basis, false }

func (LeastSquares) parameter() cv.Parameter { return cv.Lambda }

func (l LeastSquares) goal(t *trainer) (*goals.Goal, error) {
	switch {
	case l.Regression:
		return goals.WeightedRegression(t.y, t.outputs, t.weights), nil
	case t.censored != nil:
		return goals.WeightedTimes(t.y, t.censored, t.compared(), t.weights, l.Pairs)
	case t.edges != nil:
		goal, err := goals.Preferences(t.rows(), t.edges, pref.Magnitude) // which have the cost already
		if err != nil && !errors.Is(err, goals.ErrNothingToLearn) {
			err = fault.As(fault.Data, "", err)
		}
		return goal, err
	}
	return goals.WeightedScored(t.y, t.outputs, t.compared(), t.weights, l.Pairs)
}

func (l LeastSquares) count(t *trainer) int {
	switch {
	case t.lambdas != nil:
		return len(t.lambdas)
	case l.Solver == CG || t.solution.Solver == CG:
		return len(holdout.IterativeLambdas(1, 1))
	}
	return len(holdout.Lambdas(nil, 1))
}
