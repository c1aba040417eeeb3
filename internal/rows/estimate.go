package rows

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
)

// Estimated is pairrank.Estimated, with the run of the procedure.
type Estimated struct {
	*procedure.Run
	Solver, Why            string
	Rows, Queries, Outputs int
	Comparisons            int    // or preferences, of a problem of them
	IndependentOf          string // a unit that the standard error of these is over
	TwoLabels              []bool // of each output
	Notes                  []event.Note
}

// Estimate is pairrank.Estimate.
func Estimate(ctx context.Context, p Problem, o Plan) (*Estimated, error) {
	t, err := newTask(&p, o, true)
	if err != nil {
		return nil, err
	}
	if err := t.prepareEstimate(); err != nil {
		return nil, err
	}
	r, err := procedure.Estimate(ctx, t.divisible(), t.plan())
	if err != nil {
		return nil, conclude(err)
	}
	e := &Estimated{Run: r, Solver: string(t.solution.Solver), Why: t.solution.Why,
		Rows: t.rows(), Queries: t.queries.Len(), Outputs: t.outputs, Notes: t.journal.Notes()}
	if u := e.units(); u != nil {
		e.Comparisons, e.IndependentOf = len(t.lines.place), u.unitName(u.held().over)
	}
	for o := range t.outputs {
		e.TwoLabels = append(e.TwoLabels, t.twoLabels(o))
	}
	return e, nil
}

// source is the rows under the chosen kernel, with all computed matrices.
func (e *Estimated) source() *source { return e.Run.Choice.Source.(interface{ own() *source }).own() }

// units are the units of comparisons under the chosen kernel, nil where rows are left out.
func (e *Estimated) units() *unitSource {
	u, _ := e.Run.Choice.Source.(*unitSource)
	return u
}

// prepareEstimate refuses problems that cannot be estimated, and chooses the solver.
func (t *task) prepareEstimate() (err error) {
	if err := cmp.Or(checkEstimate(t.problem, t.o, t.learner), t.checkOuter()); err != nil {
		return err
	}
	if err := t.checkJudged(); err != nil {
		return err
	}
	if t.solution, err = t.learner.chooseSolver(t); err != nil {
		return err
	}
	if err := cmp.Or(t.prepareUnits(), t.checkNestPairs(), t.announcePairs()); err != nil {
		return err
	}
	t.announceSearches()
	t.tellGroups()
	if m := t.o.Method; m != nil {
		err = t.checkHeldOut(*m)
	}
	err = cmp.Or(err,
		t.refuseGroups(t.o.Permutations > 0, "Permutations", "shuffles the labels of rows, and rows of a group are alike"),
		t.refuseGroups(t.o.ROC, "ROC", "leaves out two rows, but rows of a group leave together"))
	if t.o.ROC {
		err = cmp.Or(t.checkROC(), err)
	}
	if t.o.Importance {
		err = cmp.Or(t.checkImportance(), err)
	}
	if t.o.LearningCurve {
		err = cmp.Or(t.checkLearning(), err)
	}
	alone := func(m *cv.Method) bool { return m != nil && m.Kind == cv.LeaveOneOut }
	t.centreFeatures(t.o.HeldOut || alone(t.o.Method) || alone(t.o.Nested))
	return err
}

// checkEstimate refuses options of Estimate that contradict each other.
func checkEstimate(p *Problem, o *Plan, l learner) error {
	if p.Valid != nil {
		return fault.Dataf("rows for validation choose in training; Estimate holds out rows of the Set")
	}
	if o.Permutations > 0 {
		if err := l.checkShuffled(p, o); err != nil {
			return err
		}
	}
	return fault.Refuse(o.Nested != nil && p.replacesLabels(), "Nested",
		"is for the labels of the Set, which preferences and labels of outputs replace")
}

// checkHeldOut refuses held-out scores unless they form a single list.
func (t *task) checkHeldOut(m cv.Method) error {
	if t.o.HeldOut && m.Kind == cv.LeavePairOut && t.outputs > 1 {
		return fault.Optionf("HeldOut", "of lpo is for one output, not %d", t.outputs)
	}
	if t.selects() && t.o.HeldOut && m.Kind == cv.LeavePairOut {
		return fault.Optionf("HeldOut", "of lpo needs a factorisation, and each pair selects features anew")
	}
	return t.refuseGroups(t.o.HeldOut && m.Kind == cv.LeavePairOut, "HeldOut",
		"of lpo is of every two rows, and rows of a group leave together: kfold and loo have a score for each")
}

// checkOuter refuses more outer folds than the data have.
func (t *task) checkOuter() error {
	if t.o.Nested == nil || t.o.Nested.Kind == cv.LeavePairOut {
		return nil
	}
	outer := t.outer()
	if _, err := t.outerLabels().Splits(outer, t.o.Seed); err != nil {
		return fault.Optionf("Nested", "%s: %w", outer, err)
	}
	return nil
}

// outer is the method of the outer folds.
func (t *task) outer() cv.Method {
	outer := *t.o.Nested
	if outer.Kind == cv.KFold && outer.Folds == 0 && t.nestsPairs() == nil && t.nestWork(1) <= nestBudget {
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

// outerLabels are the labels that the outer folds hold out.
func (t *task) outerLabels() holdout.Labels {
	return holdout.Labels{Y: t.y, Outputs: t.outputs, Queries: t.queries, Groups: t.groups, Folds: t.givenFolds}
}

// column is the labels of one output.
func (t *task) column(output int) []float64 {
	y := make([]float64, t.rows())
	for i := range y {
		y[i] = t.y[i*t.outputs+output]
	}
	return y
}

// twoLabels reports whether an output has exactly two labels.
func (t *task) twoLabels(output int) bool {
	first, other := t.y[output], t.y[output]
	for at := output; at < len(t.y); at += t.outputs {
		switch y := t.y[at]; {
		case y == first || y == other:
		case other == first:
			other = y
		default:
			return false
		}
	}
	return other != first
}

// HeldOut is Estimated.HeldOut of package pairrank.
func (e *Estimated) HeldOut(ctx context.Context) (*data.Dense, error) {
	if !e.source().o.HeldOut {
		return nil, fault.Optionf("HeldOut", "was not set, so scores of different trainings cannot be compared")
	}
	if e.units() != nil {
		return nil, fmt.Errorf("comparisons that are left out have margins, not scores of rows: see HeldOutComparisons")
	}
	if e.Choice.Method.Kind == cv.LeavePairOut {
		return nil, fmt.Errorf("leave-pair-out has a score of a row for every other row")
	}
	scores, err := e.Run.HeldOut(ctx)
	return scores, conclude(err)
}

// HeldOutPairs is Estimated.HeldOutPairs of package pairrank.
func (e *Estimated) HeldOutPairs(ctx context.Context, emit func(i int, fi, fj []float64)) error {
	if e.Choice.Method.Kind != cv.LeavePairOut || e.Outputs > 1 {
		return fmt.Errorf("scores of pairs are of leave-pair-out and one output")
	}
	return conclude(e.source().path().LeavePairOut(ctx, e.Run.Choice.Candidate(),
		func(_, i, _ int, fi, fj []float64) { emit(i, fi, fj) }))
}

// HasRowPairs is Estimated.HasRowPairs of package pairrank.
func (e *Estimated) HasRowPairs() bool {
	s := e.source()
	return e.Choice.Method.Kind == cv.LeavePairOut && e.Outputs == 1 && s.groups == nil && s.edges == nil &&
		s.exact() != nil
}

// RowPairs is Estimated.RowPairs of package pairrank.
func (e *Estimated) RowPairs(ctx context.Context) ([]cv.RowPairs, error) {
	if !e.HasRowPairs() {
		return nil, fmt.Errorf("pairs of rows are of leave-pair-out, labels and one output, with a factorisation")
	}
	s := e.source()
	counts := holdout.NewRowPairCounts(s.y, s.queries)
	if err := e.HeldOutPairs(ctx, counts.Add); err != nil {
		return nil, err
	}
	return counts.Worst(), nil
}

// checkROC refuses a problem without an ROC curve.
func (t *task) checkROC() error {
	switch {
	case t.groups != nil:
		return fault.Optionf("ROC", "leaves out two rows, but rows of a group leave together")
	case t.exact() == nil && !t.selects():
		return fault.Optionf("ROC", "needs a factorisation, and the solver %s makes none", t.solution.Solver)
	case t.queries.Len() != 1:
		return fault.Optionf("ROC", "needs a single list, and the data has %d queries", t.queries.Len())
	case t.outputs > 1 || t.edges != nil || !t.twoLabels(0):
		return &fault.Error{Kind: fault.Use, Code: FaultTwoLabels, Option: "ROC", Err: errors.New("needs two labels")}
	case t.selects():
		return nil // pairs are left out by training again
	}
	goal, err := t.goal()
	if err == nil {
		err = goal.CanHoldOutAny()
	}
	if err != nil {
		return fault.Optionf("ROC", "leaves out each pair: %w", err)
	}
	return nil
}
