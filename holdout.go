package pairrank

import (
	"cmp"
	"context"
	"errors"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
)

// Fault keeps the kind of an error of a learner. Other errors are demands of a method or metric on the data:
// errors of kind Use if the options name the method or metric, else Data. The default method is no option.
func (t *trainer) Fault(err error) error {
	var inexact *rls.NotExactError
	var known *fault.Error
	switch {
	case errors.As(err, &known) && known.Option == "Method" && t.wanted == nil:
		return fault.As(fault.Data, "", known.Err)
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &inexact), errors.As(err, &known),
		errors.Is(err, rls.ErrNumerical), errors.Is(err, ranksvm.ErrNumerical):
		return err
	case t.wanted == nil && t.o.Metric == nil:
		return fault.As(fault.Data, "", err)
	}
	return fault.As(fault.Use, "", err)
}

// labels are the labels that evaluate held-out predictions.
func (t *trainer) labels() holdout.Labels {
	return holdout.Labels{Y: t.y, Censored: t.censored, Outputs: t.outputs, Queries: t.queries, Groups: t.groups,
		Folds: t.givenFolds, Weights: t.weights}
}

// mostSelected is the largest number of rows of which every pair is left out by default if features are selected anew
// without each: 4,950 times.
const mostSelected = 100

// mostGroups is the largest number of groups of which every two are left out by default: 45,000 times for each λ.
const mostGroups = 300

// mostWeighted is the largest number of rows with weights of which every pair is left out by default: each has a λ of
// its own, and pairs are not drawn.
const mostWeighted = 1000

// method is the given method, or the default: leave-query-out, or leave-pair-out for a single list, if they are
// exact; else ten folds.
func (t *trainer) method(labels holdout.Labels, path *rls.Path) cv.Method {
	if t.wanted != nil {
		return *t.wanted
	}
	if t.givenFolds != nil {
		return cv.Method{Kind: cv.KFold, Folds: t.givenFolds.Len()}
	}
	exact := func(groups *data.Partition) bool { return path != nil && path.Exact(groups) == nil }
	blocks := labels.Blocks() // that leave together
	if labels.Queries.Len() > 1 {
		return methodOfQueries(cmp.Or(blocks, labels.Queries), exact)
	}
	return t.methodOfList(cmp.Or(blocks, data.Singletons(t.rows())), exact)
}

// methodOfQueries is the default of several queries, which leave.
func methodOfQueries(queries *data.Partition, exact func(*data.Partition) bool) cv.Method {
	if queries.Len() > 1 && exact(queries) {
		return cv.Method{Kind: cv.LeaveQueryOut}
	}
	return cv.Method{Kind: cv.KFold, Folds: min(10, queries.Len())}
}

// methodOfList is the default of a single list of units that leave.
func (t *trainer) methodOfList(units *data.Partition, exact func(*data.Partition) bool) cv.Method {
	switch {
	case t.censored != nil && !t.leavesStars():
		return cv.Method{Kind: cv.KFold, Folds: min(10, units.Len())}
	case t.selects() && t.groups == nil && t.rows() <= mostSelected && t.learner.count(t) == 1:
		return cv.Method{Kind: cv.LeavePairOut}
	case (t.groups == nil || units.Len() <= mostGroups) && (t.weights == nil || t.rows() <= mostWeighted) && exact(units):
		return cv.Method{Kind: cv.LeavePairOut}
	case t.selects():
		return cv.Method{Kind: cv.KFold, Folds: foldsOfList(units.Len())}
	}
	return cv.Method{Kind: cv.KFold, Folds: min(10, units.Len())}
}

// leavesStars reports whether every pair of censored times is left out by default: where that takes a second or so, and
// in parts of such rows.
func (t *trainer) leavesStars() bool {
	const budget = 1e9 // multiplications
	whole := t
	for whole.whole != nil {
		whole = whole.whole
	}
	exact, m := t.solution.exact, float64(whole.rows())
	if exact == nil || t.groups != nil {
		return false
	}
	k, _ := exact.factorWork(whole, m)
	work := func(pairs float64) float64 { return rls.StarWork(pairs, m, k, float64(t.learner.count(t))) }
	return work(0) <= budget && work(float64(whole.unlikePairs())) <= budget
}

// foldsOfList is the default number of folds of a single list of so many units: a fold of fewer than three has hardly a
// pair.
func foldsOfList(units int) int { return max(2, min(10, units/3)) }

// checkHeldOut refuses held-out scores unless they form a single list.
func (t *trainer) checkHeldOut(m cv.Method) error {
	if t.wanted == nil && m.Kind == cv.KFold && m.Folds == 1 {
		return fault.As(fault.Data, "", errors.New("all rows leave together, since groups join all queries: "+
			"then none is left to learn from, and nothing can be held out"))
	}
	if t.o.HeldOut && m.Kind == cv.LeavePairOut && t.outputs > 1 {
		return fault.Optionf("HeldOut", "of lpo is for one output, not %d", t.outputs)
	}
	if t.selects() && t.o.HeldOut && m.Kind == cv.LeavePairOut {
		return fault.Optionf("HeldOut", "of lpo needs a factorisation, and each pair selects features anew")
	}
	return t.refuseGroups(t.o.HeldOut && m.Kind == cv.LeavePairOut, "HeldOut",
		"of lpo is of every two rows, and rows of a group leave together: kfold and loo have a score for each")
}

// refuseGroups refuses an option where rows leave in groups.
func (t *trainer) refuseGroups(asked bool, option, why string) error {
	if !asked || t.groups == nil {
		return nil
	}
	return &fault.Error{Kind: fault.Use, Option: option, Err: errors.New(why)}
}

// path is the factored problem, or nil.
func (s *source) path() *rls.Path {
	if s.factored == nil {
		return nil
	}
	return s.factored.path
}

// holdOut estimates the candidates of o by its method: by the shortcut of the path, or by retraining on folds
// if there is none.
func (s *source) holdOut(ctx context.Context, labels holdout.Labels,
	o holdout.Options) (outputs []*cv.Estimate, err error) {
	if o.Pairs > 0 && (o.Method.Kind != cv.LeavePairOut || s.factored == nil) {
		return nil, fault.Optionf("PairsSample",
			"is for leave-pair-out without training again, and rows are held out by %s", o.Method)
	}
	var inexact *rls.NotExactError
	if s.factored != nil {
		outputs, err = holdout.EstimatePath(ctx, s.path(), labels, o)
	}
	if s.selects() && o.Method.Kind == cv.LeavePairOut {
		outputs, err = s.pairsAgain(ctx, labels, o)
		return outputs, s.Fault(err)
	}
	if s.factored == nil || errors.As(err, &inexact) && o.Method.Kind != cv.LeavePairOut {
		s.retrained = s.folds(s.aim)
		outputs, err = holdout.Retrained(ctx, s.retrained, labels, o)
	}
	return outputs, s.Fault(err)
}

// pairsAgain is leave-pair-out that selects features anew without each pair, for one candidate. Pairs with equal
// labels are not trained without, since the error does not look at them.
func (s *source) pairsAgain(ctx context.Context, labels holdout.Labels, o holdout.Options) ([]*cv.Estimate, error) {
	if len(o.Candidates) > 1 {
		return nil, fault.Optionf("Method", "lpo selects features anew without each pair, for one λ and one number of "+
			"features: kfold:10 chooses among several")
	}
	train := func(ctx context.Context, train, test []int, candidates []float64,
		emit func(l int, held holdout.Held)) error {
		for _, i := range test {
			if s.y[i] != s.y[test[0]] {
				return s.retrain(ctx, train, test, candidates, emit)
			}
		}
		for l := range candidates {
			emit(l, s.zeros(len(test)))
		}
		return nil
	}
	return holdout.RetrainedPairs(ctx, holdout.BoundedTrainer(train).AtOnce(s.foldsAtOnce()), labels, o)
}
