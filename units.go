package pairrank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/pick"
	"pairrank/internal/procedure"
)

// units are the units of random parts of the data: queries, which are independent of one another, or the rows
// of a single list.
type units struct {
	n     int
	of    string // "query" or "row"
	least int    // the least number in a part of a learning curve

	// rows are the rows of some units.
	rows func(some []int) []int
	// halves returns a function that draws two halves of some units, by their places in some.
	halves func(some []int) func(r *rand.Rand) [2][]int
}

// units are those of the rows.
func (t *trainer) units() units {
	if blocks := t.labels().Blocks(); blocks != nil {
		return units{n: blocks.Len(), of: "group", least: holdout.LeastUnits,
			rows: func(some []int) []int { return holdout.RowsOfQueries(blocks, some) },
			halves: func(some []int) func(r *rand.Rand) [2][]int {
				return holdout.SplitRows(t.dealtGroups(blocks, some))
			},
		}
	}
	if t.queries.Len() == 1 {
		return units{n: t.rows(), of: "row", least: holdout.LeastUnits,
			rows:   func(some []int) []int { return some },
			halves: func(some []int) func(r *rand.Rand) [2][]int { return holdout.SplitRows(t.dealtBy(some)) },
		}
	}
	return units{n: t.queries.Len(), of: "query", least: 4,
		rows:   func(some []int) []int { return holdout.RowsOfQueries(t.queries, some) },
		halves: func(some []int) func(r *rand.Rand) [2][]int { return holdout.SplitQueries(len(some)) },
	}
}

// dealtGroups are the labels that stratify the halves of some groups: the mean of each, where there is one output.
func (t *trainer) dealtGroups(blocks *data.Partition, some []int) []float64 {
	labels := make([]float64, len(some))
	for k, g := range some {
		rows := blocks.Part(g)
		for _, i := range rows {
			if t.outputs == 1 {
				labels[k] += t.dealtLabel(int(i)) / float64(len(rows))
			}
		}
	}
	return labels
}

// dealtBy are the labels that stratify the halves of some rows: those of the only output. Several outputs have
// none, since each has other labels.
func (t *trainer) dealtBy(some []int) []float64 {
	labels := make([]float64, len(some))
	if t.outputs == 1 {
		for k, i := range some {
			labels[k] = t.dealtLabel(i)
		}
	}
	return labels
}

// dealtLabel is the label of a row for halves: of a censored time 1, and 0 of an event, so that halves have as many.
func (t *trainer) dealtLabel(i int) float64 {
	switch {
	case t.censored == nil:
		return t.y[i]
	case t.censored[i]:
		return 1
	}
	return 0
}

// Parts draws random units, one part within another.
func (s *source) Parts(c *procedure.Choice) procedure.Parts {
	units := s.units()
	p := procedure.Parts{
		Halving: holdout.Halving{Units: units.n, Of: units.of, Least: holdout.LeastUnits,
			Draw: units.halves(indices(units.n))},
		Smallest: s.leastPart(),
		Halve:    func(r *rand.Rand, some []int) []int { return pick.Rows(some, units.halves(some)(r)[0]) },
	}
	p.Given = c.Method.Kind == cv.LeaveQueryOut || c.Method.Kind == cv.LeavePairOut && s.queries.Len() == 1
	p.Work = 2 * holdout.HalfSplits * s.choiceWork(c, 0.5)
	return p
}

// leastPart is the least number of units in a part of a learning curve: at least the number of folds.
func (t *trainer) leastPart() int {
	least := t.units().least
	if m := t.wanted; m != nil && m.Kind == cv.KFold {
		least = max(least, m.Folds)
	}
	return least
}

// nestsPairs returns why every pair of rows cannot be left out with every choice made anew, nil where it can: where one
// factorisation gives both.
func (t *trainer) nestsPairs() error {
	switch {
	case t.exact() == nil:
		return errors.New("leaves out every pair only by a closed form, which this training does not have")
	case t.censored != nil:
		return errors.New("leaves out pairs within pairs only of labels: of censored times use kfold")
	case t.queries.Len() > 1:
		return errors.New("leaves out pairs only of a single list: with several queries use lqo")
	case t.groups != nil:
		return errors.New("leaves out two rows, but rows of a group leave together: use kfold, which leaves out groups")
	case t.givenFolds != nil:
		return errors.New("leaves out pairs, but folds are given: use kfold")
	case t.weights != nil && t.nestWork(1) > nestWeightsBudget:
		return fmt.Errorf("of %d rows with weights chooses and trains again for each pair, about %.0f minutes of one "+
			"core: use kfold", t.rows(), math.Ceil(t.nestWork(1)/nestWeightsBudget*nestWeightsMinutes))
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
func (t *trainer) checkNestPairs() error {
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
		t.journal.Note(codes.NoteNestPairs,
			"the nested estimate leaves out pairs of rows: scores of rows that are left out one "+
				"by one come from different trainings, which cannot be compared")
	}
	return nil
}

// nestBudget is the largest work of nested leave-pair-out that is done by default: some seconds of one core.
const nestBudget = 2e9

// nestWeightsBudget is the largest work of nested leave-pair-out of rows with weights, which trains again for each
// pair. On one core 20 rows of 20 features take 0.2 s, 60 4.4 s, 100 24 s, 60 of 200 8.9 s, and 50 of 2,000 5 s: the
// estimate is 0.65 to 0.95 of that.
const nestWeightsBudget, nestWeightsMinutes = 1e12, 5

// NestPairs leaves out every pair twice, under the kernel of the source.
func (s *source) NestPairs(ctx context.Context, tell func(done, total int)) (e cv.KernelEstimate,
	pairs []holdout.NestedPair, err error) {
	e.Kernel, e.Parameter = s.spec, s.learner.parameter()
	if s.rows() < leastNest { // a half
		return e, nil, fault.Dataf("%d rows are too few to leave out two pairs", s.rows())
	}
	if err := s.Ready(ctx); err != nil {
		return e, nil, err
	}
	if e.Candidates, err = s.learner.candidates(s.trainer, s.aim, s.path()); err != nil {
		return e, nil, err
	}
	pairs, err = s.path().NestPairs(ctx, s.y, e.Candidates, tell)
	return e, pairs, err
}

// NestWork estimates the multiplications of NestPairs on a share of the rows, for every kernel: four for each two pairs
// with different labels; of rows with weights those of a choice for each pair.
func (s *source) NestWork(share float64) float64 { return s.nestWork(share) }

// unlikePairs is the number of pairs of rows with different labels, as one list.
func (t *trainer) unlikePairs() int64 { return t.countPairs(data.OneList(t.rows())) }

// countPairs is the number of pairs of a part with different labels, or of comparable times.
func (t *trainer) countPairs(parts *data.Partition) int64 {
	return holdout.CountPairs(t.y, t.censored, parts)
}

// UnitLabels are the labels of the rows.
func (s *source) UnitLabels() []float64 { return s.y }

// outer is the method of the outer folds.
func (t *trainer) outer() cv.Method {
	outer := *t.o.Nested
	if outer.Kind == cv.KFold && outer.Folds == 0 && t.weights == nil && t.nestsPairs() == nil &&
		t.nestWork(1) <= nestBudget {
		return cv.Method{Kind: cv.LeavePairOut}
	}
	if outer.Kind == cv.KFold && outer.Folds == 0 {
		units := t.units().n
		outer.Folds = max(2, min(10, units))
		if t.queries.Len() == 1 {
			outer.Folds = foldsOfList(units)
		}
		if t.givenFolds != nil {
			outer.Folds = t.givenFolds.Len()
		}
	}
	return outer
}
