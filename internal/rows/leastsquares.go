package rows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/krylov"
	"pairrank/internal/learn/rls"
	"pairrank/internal/procedure"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/training"
	"pairrank/pref"
)

// LeastSquares is pairrank.LeastSquares.
type LeastSquares struct {
	Regression    bool
	Pairs         pref.Options
	Solver        Solver
	Basis         Basis
	Tolerance     float64
	MaxIterations int
}

// Name returns rankrls, or rls for regression.
func (l LeastSquares) Name() string {
	if l.Regression {
		return "rls"
	}
	return "rankrls"
}

func (l LeastSquares) learner(p *Problem, o *Plan) (learner, error) {
	plain, err := pref.Options{}.Resolved()
	if err != nil {
		return nil, err
	}
	if l.Pairs, err = l.Pairs.Resolved(); err != nil {
		return nil, fault.As(fault.Use, "", err)
	}
	iterates := l.Tolerance != 0 || l.MaxIterations != 0
	l.MaxIterations = cmp.Or(l.MaxIterations, rls.DefaultIterations)
	err = cmp.Or(
		fault.Refuse(l.Solver != Auto && l.form(l.Solver) == nil, "Solver",
			"%q is unknown: known are primal, dual, sparse, cg", string(l.Solver)),
		l.checkBasis(),
		l.checkKernels(o.Kernels),
		fault.Refuse((l.Basis.given() || l.Solver == Sparse) && randomFeatures(o.Kernels) > 0, "Basis",
			"and random features are two ways to approximate a kernel"),
		fault.Refuse(iterates && l.Solver != Auto && l.Solver != CG, "Tolerance",
			"and MaxIterations are for the solver cg, not %s", l.Solver),
		krylov.CheckStops(cmp.Or(l.Tolerance, modelTolerance), l.MaxIterations),
		l.checkPairs(plain, p, o),
	)
	return l, err
}

// checkPairs refuses Pairs other than plain if something else decides which rows are compared.
func (l LeastSquares) checkPairs(plain pref.Options, p *Problem, o *Plan) error {
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
		return &fault.Error{Kind: fault.Use, Code: FaultBasisSolver, Option: "Basis",
			Err: fmt.Errorf("is for the solver sparse, not %s", l.Solver)}
	}
	return fault.Refuse(l.Solver == Sparse && !l.Basis.given(), "Solver", "sparse needs a basis")
}

func (l LeastSquares) objective(t *task) string {
	if l.Regression {
		return "sum_i (y_i - f_i)^2 + lambda |f|^2"
	}
	target := map[pref.Cost]string{pref.Magnitude: "(y_i - y_j)", pref.Unit: "1",
		pref.Relative: "(y_i - y_j)"}[l.Pairs.Cost]
	weight := map[pref.Weight]string{pref.Pairs: "", pref.Size: "1/m_q ", pref.Edges: "1/N_q "}[l.Pairs.Weight]
	switch {
	case t.edges != nil:
		target = map[pref.Cost]string{pref.Magnitude: "z_e", pref.Unit: "1", pref.Relative: "z_e"}[l.Pairs.Cost]
		if l.Pairs.Cost == pref.Relative {
			weight = "1/z_e^2 "
		}
		return "sum_e w_e " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over the preferences e = (i,j)"
	case l.Pairs.Cost == pref.Relative:
		weight += "1/(y_i - y_j)^2 "
	}
	over := "pairs of a query"
	if t.o.AllPairs {
		over = "all pairs"
	}
	if l.Pairs.Ties == pref.ExcludeTies {
		over += " with y_i > y_j"
	}
	return "sum " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over " + over
}

func (l LeastSquares) describe(t *task, i *training.Facts) {
	if l.Regression {
		return
	}
	i.Cost = string(l.Pairs.Cost)
	if t.edges == nil {
		i.Ties, i.QueryWeight = l.Pairs.Ties, string(l.Pairs.Weight)
	}
}

// checkShuffled refuses permuted labels if they change the compared pairs.
func (l LeastSquares) checkShuffled(p *Problem, o *Plan) error {
	return cmp.Or(
		fault.Refuse(p.replacesLabels(), "Permutations",
			"shuffles the labels of the Set, which preferences and labels of outputs replace"),
		fault.Refuse(!l.Regression && l.Pairs.Ties != pref.IncludeTies, "Permutations",
			"needs tied pairs included: each permutation would compare other pairs"),
		fault.Refuse(o.Metric != nil, "Permutations", "compares errors, and a metric chooses by something else"),
		fault.Refuse(len(o.Kernels) > 1, "Permutations", "is for one kernel, not %d", len(o.Kernels)),
	)
}

func (l LeastSquares) basis() (Basis, bool) { return l.Basis, false }

func (LeastSquares) parameter() cv.Parameter { return cv.Lambda }

func (l LeastSquares) goal(t *task) (*goals.Goal, error) {
	switch {
	case l.Regression:
		return goals.Regression(t.y, t.outputs), nil
	case t.edges != nil:
		goal, err := goals.Preferences(t.rows(), t.edges, pref.Magnitude) // which have the cost already
		if err != nil && !errors.Is(err, goals.ErrNothingToLearn) {
			err = fault.As(fault.Data, "", err)
		}
		return goal, err
	}
	return goals.Scored(t.y, t.outputs, t.compared(), l.Pairs)
}

func (l LeastSquares) count(t *task) int {
	switch {
	case t.o.Lambdas != nil:
		return len(t.o.Lambdas)
	case l.Solver == CG || t.solution.Solver == CG:
		return len(holdout.IterativeLambdas(1, 1))
	}
	return len(holdout.Lambdas(nil, 1))
}

func (l LeastSquares) candidates(s *space, goal *goals.Goal, path *rls.Path) ([]float64, error) {
	switch {
	case s.o.Lambdas != nil:
		return s.o.Lambdas, nil
	case path != nil:
		return holdout.Lambdas(path.Eigenvalues(), holdout.Spread(path.Squares())), nil
	}
	return holdout.IterativeLambdas(rls.LargestEigenvalue(s.x, goal), holdout.Spread(rls.Squares(s.x, goal))), nil
}

// fit trains for one λ.
func (l LeastSquares) fit(ctx context.Context, s *space, goal *goals.Goal, lambda float64) (*fit, error) {
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
func (s *space) leastSquares(found *rls.Fit, goal *goals.Goal) *fit {
	return &fit{space: s, lambda: found.Lambda, objective: found.Objective(), pairs: goal.Pairs, coef: found.Coef,
		goal: goal, outcome: direct{}}
}

// predict trains on the rows of s and predicts others: from a path if there is one, else by factoring the rows,
// or by conjugate gradients.
func (l LeastSquares) predict(ctx context.Context, s *space, path *rls.Path, held *heldRows, lambdas []float64,
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
		if path, err = rls.Factor(ctx, exact.basis(s, false), goal); err != nil {
			return err
		}
	}
	return path.Predict(ctx, s.solution.form.against(s, held), lambdas, emit)
}

// spacePath is a space with its path: the problem for all λ, factored once.
type spacePath struct {
	space *space
	goal  *goals.Goal
	path  *rls.Path
	doubt string // about the basis, or ""
}

// factor makes the path of a space. tell hears the share of the time that is over; nil hears nothing.
func (s *space) factor(ctx context.Context, exact exactForm, goal *goals.Goal, tell func(share float64)) (*spacePath,
	error) {
	basis := exact.basis(s, false)
	if err := checkRank(basis); err != nil {
		return nil, err
	}
	path, err := rls.FactorTold(ctx, basis, goal, tell)
	if err != nil {
		return nil, err
	}
	if negative := path.Indefinite(); negative < -s.roundedEigenvalue(goal) {
		return nil, fault.Dataf("the kernel matrix is not positive semidefinite: the compared rows have an "+
			"eigenvalue of %.3g beside the largest, %.3g", negative, largest(path.Eigenvalues()))
	}
	return &spacePath{s, goal, path, basis.Warning}, nil
}

// fit is the fit of one λ, for all outputs.
func (f *spacePath) fit(lambda float64) (*fit, error) {
	found, err := f.path.Refit(lambda)
	if err != nil {
		return nil, err
	}
	out := f.space.leastSquares(found, f.goal)
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
	s := f.space
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
	w, sizes := f.space.featureWeights(f.coef).Row(0), deviations(f.space.x)
	for j, v := range sizes {
		sizes[j] = math.Abs(w[j]) * v
	}
	return sizes
}
