package rows

import (
	"cmp"
	"context"
	"errors"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
)

// holdOut estimates the candidates of o by its method: by the shortcut of the path, or by retraining on folds
// if there is none.
func (s *source) holdOut(ctx context.Context, labels holdout.Labels, o holdout.Options) (outputs []*cv.Estimate,
	err error) {
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

// validate estimates every candidate on the rows for validation.
func (s *source) validate(ctx context.Context, o holdout.Options) ([]*cv.Estimate, error) {
	labels := holdout.Labels{Y: s.valid.Y, Outputs: 1, Queries: s.valid.Queries}
	held := &heldRows{x: s.valid.X}
	predict := func(ctx context.Context, candidates []float64, emit func(l int, held holdout.Held)) error {
		return s.learner.predict(ctx, s.space, s.path(), held, candidates, emit)
	}
	return holdout.Validated(ctx, predict, labels, o)
}

// Fault keeps the kind of an error of a learner. Other errors are demands of a method or metric on the data:
// errors of kind Use if the options name the method or metric, else Data. The default method is no option.
func (t *task) Fault(err error) error {
	var inexact *rls.NotExactError
	var known *fault.Error
	switch {
	case errors.As(err, &known) && known.Option == "Method" && t.o.Method == nil:
		return fault.As(fault.Data, "", known.Err)
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &inexact), errors.As(err, &known),
		errors.Is(err, rls.ErrNumerical), errors.Is(err, ranksvm.ErrNumerical):
		return err
	case t.o.Method == nil && t.o.Metric == nil:
		return fault.As(fault.Data, "", err)
	}
	return fault.As(fault.Use, "", err)
}

// labels are the labels that evaluate held-out predictions.
func (t *task) labels() holdout.Labels {
	return holdout.Labels{Y: t.y, Outputs: t.outputs, Queries: t.queries, Groups: t.groups, Folds: t.givenFolds}
}

// mostSelected is the largest number of rows of which every pair is left out by default if features are selected anew
// without each: 4,950 times.
const mostSelected = 100

// method is the given method, or the default: leave-query-out, or leave-pair-out for a single list, if they are
// exact; else ten folds.
func (t *task) method(labels holdout.Labels, path *rls.Path) cv.Method {
	if t.o.Method != nil {
		return *t.o.Method
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
func (t *task) methodOfList(units *data.Partition, exact func(*data.Partition) bool) cv.Method {
	switch {
	case t.selects() && t.groups == nil && t.rows() <= mostSelected && t.learner.count(t) == 1:
		return cv.Method{Kind: cv.LeavePairOut}
	case (t.groups == nil || units.Len() <= mostGroups) && exact(units):
		return cv.Method{Kind: cv.LeavePairOut}
	case t.selects():
		return cv.Method{Kind: cv.KFold, Folds: foldsOfList(units.Len())}
	}
	return cv.Method{Kind: cv.KFold, Folds: min(10, units.Len())}
}

// foldsOfList is the default number of folds of a single list of so many units: a fold of fewer than three has hardly a
// pair.
func foldsOfList(units int) int { return max(2, min(10, units/3)) }
