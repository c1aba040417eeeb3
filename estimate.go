package pairrank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/compared"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
)

// Estimated is an estimate of how well a procedure ranks data that it has not seen.
type Estimated struct {
	// Choice has the estimate of every kernel and candidate, and the best.
	Choice cv.Choice
	// Solver is the solver that was used, and Why the reason for it.
	Solver, Why string
	// Rows, Queries and Outputs are m, q and v.
	Rows, Queries, Outputs int
	// Weight is the sum of the weights of the rows, 0 where they have none. A pair counts the product of two in errors.
	Weight float64
	// TwoLabels reports for each output whether it has exactly two labels. Then 1 minus its leave-pair-out
	// error is the area under the ROC curve.
	TwoLabels []bool
	// Censored reports whether the labels are censored times. Then 1 minus an error is a c-index.
	Censored bool
	// Halves are the half-samples from which Interval makes its intervals; nil if there are none.
	Halves *cv.Halves
	// Comparisons is the number of lines of a problem of Preferences or Comparisons, else 0. Independent is the number
	// of units with a win, such as annotators or pairs, over which the standard error and the interval are taken;
	// IndependentOf names one.
	Comparisons, Independent int
	IndependentOf            string
	// Nested is the estimate of the whole procedure; nil if it was not requested.
	Nested *cv.NestedEstimate
	// Permutation is the test against permuted labels; nil if it was not requested.
	Permutation *cv.PermutationTest
	// Notes are the decisions made on the way and the doubts about the result, in order.
	Notes []event.Note

	run *procedure.Run
}

// Estimate estimates the held-out error of every candidate of every kernel, for the whole path at once: by the
// exact shortcuts of least squares, or by retraining on folds. The options add a 95 % interval of the best
// estimate, an estimate of the whole procedure over outer folds, and a test against permutations of the labels.
// Costs and errors are those of Train; an interval costs another 120 estimates of half the rows.
func Estimate(ctx context.Context, p Problem, o EstimateOptions) (*Estimated, error) {
	t, err := prepared(&p, o, true)
	if err != nil {
		return nil, err
	}
	if err := t.prepareEstimate(); err != nil {
		return nil, err
	}
	r, err := procedure.Estimate(ctx, t.divisible(), t.steps())
	if err != nil {
		return nil, rows.Conclude(err)
	}
	e := newEstimated(r)
	e.Solver, e.Why, e.Independent = string(t.solution.Solver), t.solution.Why, r.Independent
	e.Rows, e.Queries, e.Outputs, e.Weight, e.Notes = t.rows(), t.queries.Len(), t.outputs, t.weighted(),
		t.journal.Notes()
	if s := e.compared(); s != nil {
		e.Comparisons, e.IndependentOf = s.Lines(), s.Over()
	}
	e.Censored = t.censored != nil
	for o := range t.outputs {
		e.TwoLabels = append(e.TwoLabels, t.twoLabels(o))
	}
	return e, nil
}

// newEstimated returns the results of a run of the procedure on any source.
func newEstimated(r *procedure.Run) *Estimated {
	return &Estimated{Choice: r.Choice.Choice, Halves: r.Halves, Nested: r.Nested, Permutation: r.Permutation, run: r}
}

// source is the rows under the chosen kernel, with all computed matrices.
func (e *Estimated) source() *source {
	if s := e.compared(); s != nil {
		return s.Rows.(between).source
	}
	return e.run.Choice.Source.(*source)
}

// compared are units of comparisons under the chosen kernel; nil if rows are left out.
func (e *Estimated) compared() *compared.Source {
	s, _ := e.run.Choice.Source.(*compared.Source)
	return s
}

// prepareEstimate refuses problems that cannot be estimated, and chooses the solver.
func (t *trainer) prepareEstimate() (err error) {
	if err := cmp.Or(checkEstimate(t.problem, t.o, t.learner), t.checkOuter()); err != nil {
		return err
	}
	if err := t.checkJudged(); err != nil {
		return err
	}
	if t.solution, err = t.learner.chooseSolver(t); err != nil {
		return err
	}
	t.announceFactor()
	if err := cmp.Or(t.prepareLeaving(), t.checkNestPairs(), t.announcePairs()); err != nil {
		return err
	}
	t.announceSearches()
	t.tellGroups()
	if m := t.wanted; m != nil {
		err = t.checkHeldOut(*m)
	}
	err = cmp.Or(err,
		t.refuseGroups(t.o.Permutations > 0, "Permutations", "shuffles the labels of rows, and rows of a group are alike"))
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
	t.centreFeatures(t.o.HeldOut || alone(t.wanted) || alone(t.o.Nested))
	return err
}

// checkEstimate refuses options of Estimate that contradict each other.
func checkEstimate(p *Problem, o *EstimateOptions, l learner) error {
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

// checkOuter refuses more outer folds than the data have.
func (t *trainer) checkOuter() error {
	if t.o.Nested == nil || t.o.Nested.Kind == cv.LeavePairOut {
		return nil
	}
	outer := t.outer()
	if _, err := t.labels().Splits(outer, t.o.Seed); err != nil {
		return fault.Optionf("Nested", "%s: %w", outer, err)
	}
	return nil
}

// HeldOut returns the held-out scores of all rows, m×v, at the best candidate: the scores that the error was
// measured on. EstimateOptions.HeldOut must have been set. It returns an error for leave-pair-out, which has
// two scores for each pair: see HeldOutPairs. It costs as much as the estimate of one candidate.
func (e *Estimated) HeldOut(ctx context.Context) (*data.Dense, error) {
	if !e.source().o.HeldOut {
		return nil, fault.Optionf("HeldOut", "was not set, so scores of different trainings cannot be compared")
	}
	if e.source().pairsLeave() {
		return nil, fmt.Errorf("comparisons that are left out have margins, not scores of rows: see HeldOutComparisons")
	}
	if e.Choice.Method.Kind == cv.LeavePairOut {
		return nil, fmt.Errorf("leave-pair-out has a score of a row for every other row")
	}
	scores, err := e.run.HeldOut(ctx)
	return scores, rows.Conclude(err)
}

// HeldOutPairs calls emit for each row i with the scores fi of row i and fj of the rows after it, each pair
// scored as if it had been left out of training, at the best candidate. The cost is that of
// rls.Path.LeavePairOut: O(m²k) in the primal form, with k the rank. emit is called from several goroutines,
// once for a row, in no order, and must not keep the slices. HeldOutPairs returns an error unless the method is
// leave-pair-out with one output.
func (e *Estimated) HeldOutPairs(ctx context.Context, emit func(i int, fi, fj []float64)) error {
	if e.Choice.Method.Kind != cv.LeavePairOut || e.Outputs > 1 {
		return fmt.Errorf("scores of pairs are of leave-pair-out and one output")
	}
	return rows.Conclude(e.source().path().PairsInOrder(ctx, e.run.Choice.Candidate(),
		func(_, i, _ int, fi, fj []float64) { emit(i, fi, fj) }))
}

// HasRowPairs reports whether RowPairs has an answer: for leave-pair-out of labels and one output, without
// groups and weights of rows, and with a factorisation.
func (e *Estimated) HasRowPairs() bool {
	s := e.source()
	return e.Choice.Method.Kind == cv.LeavePairOut && e.Outputs == 1 && s.groups == nil && s.edges == nil &&
		s.weights == nil && s.solution.exact != nil
}

// RowPairs counts for each row its held-out pairs with rows of other labels, and those in the wrong order, at the
// best candidate. The rows with the largest share of wrong pairs come first: they are the ones to look at, such
// as a sample with the wrong label. It costs as much as HeldOutPairs, and returns an error unless HasRowPairs.
func (e *Estimated) RowPairs(ctx context.Context) ([]cv.RowPairs, error) {
	if !e.HasRowPairs() {
		return nil, fmt.Errorf("pairs of rows are of leave-pair-out, labels and one output, with a factorisation")
	}
	s := e.source()
	counts := holdout.NewRowPairCounts(s.labels())
	if err := e.HeldOutPairs(ctx, counts.Add); err != nil {
		return nil, err
	}
	return counts.Worst(), nil
}

// checkROC refuses a problem without an ROC curve.
func (t *trainer) checkROC() error {
	switch {
	case t.groups != nil:
		return fault.Optionf("ROC", "leaves out two rows, but rows of a group leave together")
	case t.solution.exact == nil && !t.selects():
		return fault.Optionf("ROC", "needs a factorisation, and the solver %s makes none", t.solution.Solver)
	case t.queries.Len() != 1:
		return fault.Optionf("ROC", "needs a single list, and the data has %d queries", t.queries.Len())
	case t.outputs > 1 || t.edges != nil || !t.twoLabels(0):
		return &fault.Error{Kind: fault.Use, Code: codes.FaultTwoLabels, Option: "ROC", Err: errors.New("needs two labels")}
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

// Interval returns the 95 % interval of the best estimate of an output. It is not Defined without Halves or
// Independent units. It costs O(k) for k kernels.
func (e *Estimated) Interval(output int) cv.Interval {
	return e.run.Interval(output)
}

// IntervalOf returns the interval of a share with the variance of the best estimate of an output.
func (e *Estimated) IntervalOf(share float64, output int) cv.Interval {
	return e.run.IntervalOf(share, output)
}

// IntervalSource returns the source of the variance that Interval uses, "" without an interval.
func (e *Estimated) IntervalSource(output int) cv.VarianceSource {
	return e.run.IntervalSource(output)
}

// HeldOutComparisons returns, for a problem of Preferences or Comparisons, the margins of its lines without the unit
// that left with each, at the best candidate, with the error. NaN is the margin of a line that the learner leaves out:
// a tie, for the unit and the relative cost. EstimateOptions.HeldOut must have been set. It costs O(lines).
func (e *Estimated) HeldOutComparisons() (*comparison.HeldOut, error) {
	s := e.compared()
	switch {
	case s == nil:
		return nil, fault.Optionf("HeldOut", "of labels is of rows")
	case !s.HoldsOut():
		return nil, fault.Optionf("HeldOut", "was not set")
	}
	return s.HeldOut(e.Choice.Chosen().Outputs[0].Best), nil
}

// Against compares an output with that of another procedure: another learner, other kernels, values of λ or
// normalisation, estimated on the same Problem with the same Method, Nested, Seed and Intervals. It returns the
// difference of the best errors and, if both estimates are nested, of the nested errors, this one less the other. Both
// held out the same pairs. Where both have half-samples, these are the same halves, and give the difference a 95 %
// interval; see cv.Minus. Against returns an *Error if the rows, their labels, queries or groups, what was held out, or
// the seeds differ. It costs O(rows).
func (e *Estimated) Against(other *Estimated, output int) (cv.Difference, *cv.Difference, error) {
	a, b := e.source().sample, other.source().sample
	if !slices.Equal(a.y, b.y) || !slices.Equal(a.censored, b.censored) || !slices.Equal(a.weights, b.weights) ||
		!samePartition(a.queries, b.queries) || !samePartition(a.groups, b.groups) ||
		!samePartition(a.givenFolds, b.givenFolds) || !slices.Equal(a.edges, b.edges) {
		return cv.Difference{}, nil, fault.Dataf("the procedures that are compared are to be of the same rows, with the " +
			"same labels, weights, queries and groups")
	}
	return e.run.Against(other.run, output)
}

// samePartition reports whether two partitions, or nil, have the same parts in the same order.
func samePartition(a, b *data.Partition) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Of(), b.Of())
}
