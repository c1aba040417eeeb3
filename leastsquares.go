package pairrank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/krylov"
	"pairrank/internal/learn/rls"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
	"pairrank/kernel"
	"pairrank/model"
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

func (l LeastSquares) candidates(s *trainer, goal *goals.Goal, path *rls.Path) ([]float64, error) {
	switch {
	case s.lambdas != nil:
		return s.lambdas, nil
	case path != nil:
		return holdout.Lambdas(path.Eigenvalues(), holdout.Spread(path.Squares())), nil
	}
	return holdout.IterativeLambdas(rls.LargestEigenvalue(s.x, goal), holdout.Spread(rls.Squares(s.x, goal))), nil
}

// fit trains for one λ.
func (l LeastSquares) fit(ctx context.Context, s *trainer, goal *goals.Goal, lambda float64) (*fit, error) {
	exact := s.exact()
	if exact == nil {
		found, end, err := l.iterate(ctx, s, goal, lambda)
		if err != nil {
			return nil, err
		}
		f := s.leastSquares(found, goal)
		f.outcome = end
		return f, nil
	}
	basis := exact.basis(s, true)
	if basis == nil {
		factored, err := s.factor(ctx, exact, goal, nil)
		if err != nil {
			return nil, err
		}
		return factored.fit(lambda)
	}
	if err := checkRank(basis); err != nil {
		return nil, err
	}
	found, err := rls.Solve(ctx, basis, goal, lambda)
	if err != nil {
		return nil, err
	}
	f := s.leastSquares(found, goal)
	f.doubt = basis.Warning
	return f, nil
}

// leastSquares converts a fit of package rls.
func (t *trainer) leastSquares(found *rls.Fit, goal *goals.Goal) *fit {
	return &fit{trainer: t, lambda: found.Lambda, objective: found.Objective(), pairs: goal.Pairs, coef: found.Coef,
		goal: goal, outcome: direct{}}
}

// predict trains on the rows of s and predicts others: from a path if there is one, else by factoring the rows,
// or by conjugate gradients.
func (l LeastSquares) predict(ctx context.Context, s *trainer, path *rls.Path, held *heldRows, lambdas []float64,
	emit func(k int, held holdout.Held)) error {
	if path == nil {
		goal, err := s.goal()
		if err != nil {
			return err
		}
		exact := s.exact()
		if exact == nil {
			return l.predictCG(ctx, s, goal, held.features(), lambdas, emit)
		}
		if exact.foldsAgain(s) {
			found, err := rls.Solve(ctx, exact.basis(s, true), goal, lambdas[0])
			if err == nil {
				emit(0, holdout.Predictions(found.Predict(exact.against(s, held))))
			}
			return err
		}
		if path, err = rls.FactorTold(ctx, exact.basis(s, false), goal, holdout.Within(ctx, 1)); err != nil {
			return err
		}
	}
	return path.Predict(ctx, s.solution.form.against(s, held), lambdas, emit)
}

// heldRows are rows that are predicted and not trained on: some of the rows of a whole problem, or separate
// rows.
type heldRows struct {
	whole *trainer    // what has these rows, or nil
	rows  []int       // their numbers in whole
	x     data.Matrix // the features of separate rows
}

// features are the features of the rows.
func (h *heldRows) features() data.Matrix {
	if h.whole == nil {
		return h.x
	}
	return data.Select(h.whole.x, h.rows)
}

// factored is a trainer with its path: the problem for all λ, factored once.
type factored struct {
	trainer *trainer
	goal    *goals.Goal
	path    *rls.Path
	doubt   string // about the basis, or ""
}

// inverts reports whether inverses serve what is left out at one λ: pairs of one list or for regression, queries, and
// rows or drawn folds of a list; see rls.FactorOnce.
func (f dual) inverts(t *trainer) (inverts, pairs bool) {
	if !f.plain(t) {
		return false, false
	}
	list := t.queries.Len() == 1
	if t.wanted != nil && t.wanted.Kind == cv.LeavePairOut || t.leavesPairs() {
		pairs = (f.l.Regression || list) && t.leavesPairs()
		return pairs, pairs
	}
	// Other folds of a list have many sizes, each with a λ of its own. A curve takes eigenvectors.
	return !t.o.ROC && (f.l.Regression || !t.o.AllPairs && (!list || t.groups == nil && t.givenFolds == nil)), false
}

// plain reports whether there is one λ for the computed kernel matrix of rows without weights, of which all pairs of
// queries count, or each.
func (f dual) plain(t *trainer) bool {
	all := f.l.Regression || f.l.Pairs.Cost != pref.Relative && f.l.Pairs.Ties == pref.IncludeTies
	given := t.given != nil || t.weights != nil || t.edges != nil || t.censored != nil || t.valid != nil
	return all && !given && t.oneValue()
}

// leavesPairs reports whether pairs of rows are held out, by the option or by default.
func (t *trainer) leavesPairs() bool {
	return t.groups == nil && t.valid == nil && (t.wanted != nil && t.wanted.Kind == cv.LeavePairOut ||
		t.wanted == nil && t.givenFolds == nil && t.queries.Len() == 1)
}

// factor makes the path of a trainer. tell hears the share of the time that is over; nil hears nothing.
func (t *trainer) factor(ctx context.Context, exact exactForm, goal *goals.Goal, tell func(share float64)) (*factored,
	error) {
	basis := exact.basis(t, false)
	if err := checkRank(basis); err != nil {
		return nil, err
	}
	var path *rls.Path
	var err error
	form, is := exact.(dual)
	if inverts, pairs := form.inverts(t); is && inverts {
		path, err = rls.FactorOnce(ctx, basis, goal, t.lambdas[0], pairs, tell)
	} else {
		path, err = rls.FactorTold(ctx, basis, goal, tell)
	}
	if err != nil {
		return nil, err
	}
	if negative := path.Indefinite(); negative < -t.roundedEigenvalue(goal) {
		return nil, fault.Dataf("the kernel matrix is not positive semidefinite: the compared rows have an "+
			"eigenvalue of %.3g beside the largest, %.3g", negative, largest(path.Eigenvalues()))
	}
	return &factored{t, goal, path, basis.Warning}, nil
}

// roundedEigenvalue bounds the effect on an eigenvalue of FKF of rounding the values of a matrix before it was
// lowered: ‖F‖² is at most twice the largest entry of the diagonal of L.
func (t *trainer) roundedEigenvalue(goal *goals.Goal) float64 {
	if t.lowered.by == 0 {
		return 0
	}
	return 0x1p-53 * t.lowered.by * float64(t.rows()) * 2 * slices.Max(goals.Diagonal(goal.L))
}

// fit is the fit of one λ, for all outputs.
func (f *factored) fit(lambda float64) (*fit, error) {
	found, err := f.path.Refit(lambda)
	if err != nil {
		return nil, err
	}
	out := f.trainer.leastSquares(found, f.goal)
	out.doubt = f.doubt
	return out, nil
}

// largest is the last of ascending numbers.
func largest(ascending []float64) float64 { return ascending[len(ascending)-1] }

// direct is the outcome of a system that was solved directly. It has no facts besides the coefficients.
type direct struct{}

func (direct) tell(*Training) {}

func (direct) saved() []model.Fact { return nil }

// doubt warns if the weights are 0, or if their contribution is below double precision.
func (direct) doubt(f *fit) {
	s := f.trainer
	switch {
	case s.warnAlike(f.goal):
	case allZero(f.coef.Data):
		procedure.WarnZero(s.journal)
	default:
		f.warnEqual(s.solution.form.met(s), f.coef)
	}
}

// sizes are the weights times the standard deviations of the features.
func (direct) sizes(f *fit) []float64 {
	w, sizes := f.trainer.featureWeights(f.coef).Row(0), deviations(f.trainer.x)
	for j, v := range sizes {
		sizes[j] = math.Abs(w[j]) * v
	}
	return sizes
}
