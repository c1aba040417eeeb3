package rows

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/doubt"
	"pairrank/internal/fault"
	"pairrank/internal/holdout"
)

// nestsPairs returns why every pair of rows cannot be left out with every choice made anew, nil where it can: where one
// factorisation gives both.
func (t *task) nestsPairs() error {
	switch {
	case t.exact() == nil:
		return errors.New("leaves out every pair only by a closed form, which this training does not have")
	case t.queries.Len() > 1:
		return errors.New("leaves out pairs only of a single list: with several queries use lqo")
	case t.groups != nil:
		return errors.New("leaves out two rows, but rows of a group leave together: use kfold, which leaves out groups")
	case t.givenFolds != nil:
		return errors.New("leaves out pairs, but folds are given: use kfold")
	case t.outputs > 1:
		return errors.New("leaves out pairs only of one output")
	case t.rows() < leastNest:
		return errors.New("needs 5 rows or more, since two pairs are left out")
	}
	goal, err := t.goal()
	if err == nil {
		err = goal.CanHoldOutAny()
	}
	return err
}

// leastNest is the least number of rows of which two pairs are left out.
const leastNest = 5

// checkNestPairs refuses nested leave-pair-out where there is no shortcut. Outer rounds that leave out one row would
// rank scores of different trainings together: they leave out pairs of rows instead, or are refused, too.
func (t *task) checkNestPairs() error {
	if t.o.Nested == nil || t.o.Nested.Kind != cv.LeavePairOut && t.o.Nested.Kind != cv.LeaveOneOut {
		return nil
	}
	alone, err := t.o.Nested.Kind == cv.LeaveOneOut, t.nestsPairs()
	switch {
	case err != nil && alone:
		return fault.Optionf("Nested", "by loo would rank rows by scores of different trainings: kfold and lqo leave out "+
			"rows together that are compared")
	case err != nil:
		return fault.Optionf("Nested", "%w", err)
	case alone:
		t.o.Nested = &cv.Method{Kind: cv.LeavePairOut}
		t.journal.Note(NoteNestPairs, "the nested estimate leaves out pairs of rows: scores of rows that are left out one "+
			"by one come from different trainings, which cannot be compared")
	}
	return nil
}

// checkJudged refuses a problem whose held-out errors say nothing: what is not estimated does not choose.
func (t *task) checkJudged() error {
	if !t.chooses() || t.valid != nil {
		return nil
	}
	return cmp.Or(t.checkLone(), t.checkVaries())
}

// judgesTwoLabels reports whether an estimate is that of the area under one ROC curve: of a single list of two labels.
func (t *task) judgesTwoLabels() bool {
	return t.queries.Len() == 1 && t.outputs == 1 && !t.problem.replacesLabels() && t.twoLabels(0)
}

// checkVaries refuses two labels of rows that have the same features: every model gives all rows one score.
func (t *task) checkVaries() error {
	if !t.judgesTwoLabels() || t.x == nil || t.features() > doubt.MostDoubted ||
		!sameRows(t.x, data.OneList(t.rows())) {
		return nil
	}
	const named = 3
	var first []string
	for j := range min(named, t.features()) {
		first = append(first, t.featureName(j))
	}
	return fault.Dataf("every feature (%d) is constant, first %s, so that every model gives all rows the same score",
		t.features(), strings.Join(first, ", "))
}

// checkLone refuses a single list of two labels of which one has a single unit, a row or a group of rows: all rounds
// that judge its pairs leave it out, and train on one label.
func (t *task) checkLone() error {
	if !t.judgesTwoLabels() {
		return nil
	}
	of := func(i int) int32 {
		if t.groups != nil {
			return t.groups.Of()[i]
		}
		return int32(i)
	}
	type seen struct {
		first int
		more  bool
	}
	labels := map[float64]seen{}
	for i, y := range t.y {
		if s, known := labels[y]; !known {
			labels[y] = seen{first: i}
		} else if of(s.first) != of(i) {
			labels[y] = seen{s.first, true}
		}
	}
	for y, s := range labels {
		if s.more {
			continue
		}
		unit := t.problem.Set.Called(s.first)
		if t.groups != nil {
			unit = "the group of " + unit
		}
		return fault.Dataf("only %s has label %g: without it nothing is left to learn from, and two of each label are "+
			"needed", unit, y)
	}
	return nil
}

// nestBudget is the largest work of nested leave-pair-out that is done by default: some seconds of one core.
const nestBudget = 2e9

// NestPairs leaves out every pair twice, under the kernel of the source.
func (s *source) NestPairs(ctx context.Context, tell func(done, total int)) (e cv.KernelEstimate,
	pairs []holdout.NestedPair,
	err error) {
	e.Kernel, e.Parameter = s.spec, s.learner.parameter()
	if s.rows() < leastNest { // a half
		return e, nil, fault.Dataf("%d rows are too few to leave out two pairs", s.rows())
	}
	if err := s.Ready(ctx); err != nil {
		return e, nil, err
	}
	if e.Candidates, err = s.learner.candidates(s.space, s.aim, s.path()); err != nil {
		return e, nil, err
	}
	pairs, err = s.path().NestPairs(ctx, s.y, e.Candidates, tell)
	return e, pairs, err
}

// NestWork estimates the multiplications of NestPairs on a share of the rows, for every kernel: four for each two pairs
// with different labels.
func (s *source) NestWork(share float64) float64 { return s.nestWork(share) }

func (t *task) nestWork(share float64) float64 {
	pairs := float64(t.unlikePairs()) * share * share
	return 4 * float64(len(t.o.Kernels)*t.learner.count(t)) * pairs * pairs
}

// unlikePairs is the number of pairs of rows with different labels, as one list.
func (t *task) unlikePairs() int64 { return holdout.CountPairs(t.y, data.OneList(t.rows())) }

// UnitLabels are the labels of the rows.
func (s *source) UnitLabels() []float64 { return s.y }
