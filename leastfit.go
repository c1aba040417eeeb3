package pairrank

import (
	"context"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/pref"
)

func (l LeastSquares) candidates(s *trainer, goal *goals.Goal, path *rls.Path) ([]float64, error) {
	switch {
	case s.lambdas != nil:
		return s.lambdas, nil
	case path != nil:
		return holdout.Lambdas(path.Eigenvalues(), holdout.Spread(path.Squares())), nil
	}
	return holdout.IterativeLambdas(rls.LargestEigenvalue(s.x, goal), holdout.Spread(rls.Squares(s.x, goal))), nil
}

// factored is a trainer with its path: the problem for all λ, factored once.
type factored struct {
	trainer *trainer
	goal    *goals.Goal
	path    *rls.Path
	doubt   string // about the basis, or ""
}

// factor makes the path of a trainer. tell hears the share of the time that is over; nil hears nothing.
func (t *trainer) factor(ctx context.Context, goal *goals.Goal, tell func(share float64)) (*factored, error) {
	basis := t.solution.exact.basis(t, false)
	if err := checkRank(basis); err != nil {
		return nil, err
	}
	var path *rls.Path
	var err error
	form, is := t.solution.exact.(dual)
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
			"eigenvalue of %.3g beside the largest, %.3g", negative, slices.Max(path.Eigenvalues()))
	}
	return &factored{t, goal, path, basis.Warning}, nil
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

// roundedEigenvalue bounds the effect on an eigenvalue of FKF of rounding the values of a matrix before it was
// lowered: ‖F‖² is at most twice the largest entry of the diagonal of L.
func (t *trainer) roundedEigenvalue(goal *goals.Goal) float64 {
	if t.lowered.by == 0 {
		return 0
	}
	return 0x1p-53 * t.lowered.by * float64(t.rows()) * 2 * slices.Max(goals.Diagonal(goal.L))
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
		exact := s.solution.exact
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

// fit trains for one λ.
func (l LeastSquares) fit(ctx context.Context, s *trainer, goal *goals.Goal, lambda float64) (*fit, error) {
	if s.solution.exact != nil {
		return s.solve(ctx, goal, lambda)
	}
	found, end, err := l.iterate(ctx, s, goal, lambda)
	if err != nil {
		return nil, err
	}
	f := s.leastSquares(found, goal)
	f.outcome = end
	return f, nil
}

// solve trains for one λ by a factorisation.
func (t *trainer) solve(ctx context.Context, goal *goals.Goal, lambda float64) (*fit, error) {
	basis := t.solution.exact.basis(t, true)
	if basis == nil {
		factored, err := t.factor(ctx, goal, nil)
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
	f := t.leastSquares(found, goal)
	f.doubt = basis.Warning
	return f, nil
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

// leastSquares converts a fit of package rls.
func (t *trainer) leastSquares(found *rls.Fit, goal *goals.Goal) *fit {
	return &fit{trainer: t, lambda: found.Lambda, objective: found.Objective(), pairs: goal.Pairs, coef: found.Coef,
		goal: goal, outcome: direct{}}
}

// iterate runs conjugate gradients for one λ.
func (l LeastSquares) iterate(ctx context.Context, s *trainer, goal *goals.Goal,
	lambda float64) (*rls.Fit, gradientsEnd, error) {
	tell, end := s.journal.Monitor.Task("conjugate gradients, λ = "+spell.Power(lambda), event.Parts)
	defer end()
	fits, results, err := l.fitsCG(ctx, s, goal, []float64{lambda},
		func(share float64) { tell(int(share*event.Parts), event.Parts) })
	if err != nil {
		return nil, gradientsEnd{}, err
	}
	tell(event.Parts, event.Parts)
	return fits[0], gradientsEnd{CGResult: results[0], tolerance: l.Tolerance}, nil
}

// direct is the outcome of a system that was solved directly. It has no facts besides the coefficients.
type direct struct{}

func (direct) tell(*Training) {}

func (direct) saved() []model.Fact { return nil }

// sizes are the weights times the standard deviations of the features.
func (direct) sizes(f *fit) []float64 {
	w, sizes := f.trainer.featureWeights(f.coef).Row(0), deviations(f.trainer.x)
	for j, v := range sizes {
		sizes[j] = math.Abs(w[j]) * v
	}
	return sizes
}
