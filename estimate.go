package pairrank

import (
	"context"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/compared"
	"pairrank/internal/event"
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
	// TwoLabels reports for each output whether it has exactly two labels. Then 1 minus its leave-pair-out
	// error is the area under the ROC curve.
	TwoLabels []bool
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
	Notes []Note

	run  *procedure.Run
	rows *rows.Estimated // nil unless the data are rows in memory
}

// Estimate estimates the held-out error of every candidate of every kernel, for the whole path at once: by the
// exact shortcuts of least squares, or by retraining on folds. The options add a 95 % interval of the best
// estimate, an estimate of the whole procedure over outer folds, and a test against permutations of the labels.
// Costs and errors are those of Train; an interval costs another 120 estimates of half the rows.
func Estimate(ctx context.Context, p Problem, o EstimateOptions) (*Estimated, error) {
	e, err := rows.Estimate(ctx, p.rows(), o.plan())
	if err != nil {
		return nil, err
	}
	out := newEstimated(e.Run)
	out.Solver, out.Why, out.Rows, out.Queries, out.Outputs = e.Solver, e.Why, e.Rows, e.Queries, e.Outputs
	out.Comparisons, out.IndependentOf = compared.Counts(e)
	out.Independent = e.Run.Independent
	out.TwoLabels, out.Notes, out.rows = e.TwoLabels, event.NotesOf[Note](e.Notes), e
	return out, nil
}

// newEstimated returns the results of a run of the procedure on any source.
func newEstimated(r *procedure.Run) *Estimated {
	return &Estimated{Choice: r.Choice.Choice, Halves: r.Halves, Nested: r.Nested, Permutation: r.Permutation, run: r}
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

// Against compares an output with that of another procedure: another learner, other kernels, values of λ or
// normalisation, estimated on the same Problem with the same Method, Nested, Seed and Intervals. It returns the
// difference of the best errors and, if both estimates are nested, of the nested errors, this one less the other. Both
// held out the same pairs. Where both have half-samples, these are the same halves, and give the difference a 95 %
// interval; see cv.Minus. Against returns an *Error if the rows, their labels, queries or groups, what was held out, or
// the seeds differ. It costs O(rows).
func (e *Estimated) Against(other *Estimated, output int) (difference cv.Difference, nested *cv.Difference, err error) {
	return e.rows.Against(other.rows, output)
}

// HeldOut returns the held-out scores of all rows, m×v, at the best candidate: the scores that the error was
// measured on. EstimateOptions.HeldOut must have been set. It returns an error for leave-pair-out, which has
// two scores for each pair: see HeldOutPairs. It costs as much as the estimate of one candidate.
func (e *Estimated) HeldOut(ctx context.Context) (*data.Dense, error) {
	return e.rows.HeldOut(ctx)
}

// HeldOutComparisons returns, for a problem of Preferences or Comparisons, the margins of its lines without the unit
// that left with each, at the best candidate, with the error. NaN is the margin of a line that the learner leaves out:
// a tie, for the unit and the relative cost. EstimateOptions.HeldOut must have been set. It costs O(lines).
func (e *Estimated) HeldOutComparisons() (*comparison.HeldOut, error) {
	return compared.HeldOut(e.rows)
}

// HeldOutPairs calls emit for each row i with the scores fi of row i and fj of the rows after it, each pair
// scored as if it had been left out of training, at the best candidate. The cost is that of
// rls.Path.LeavePairOut: O(m²k) in the primal form, with k the rank. emit is called from several goroutines,
// once for a row, in no order, and must not keep the slices. HeldOutPairs returns an error unless the method is
// leave-pair-out with one output.
func (e *Estimated) HeldOutPairs(ctx context.Context, emit func(i int, fi, fj []float64)) error {
	return e.rows.HeldOutPairs(ctx, emit)
}

// HasRowPairs reports whether RowPairs has an answer: for leave-pair-out of labels and one output, without
// groups, and with a factorisation.
func (e *Estimated) HasRowPairs() bool {
	return e.rows.HasRowPairs()
}

// RowPairs counts for each row its held-out pairs with rows of other labels, and those in the wrong order, at the
// best candidate. The rows with the largest share of wrong pairs come first: they are the ones to look at, such
// as a sample with the wrong label. It costs as much as HeldOutPairs, and returns an error unless HasRowPairs.
func (e *Estimated) RowPairs(ctx context.Context) ([]cv.RowPairs, error) {
	return e.rows.RowPairs(ctx)
}

// HasROC reports whether ROC has a curve, and whether it takes at most some twenty seconds of one core. It needs a
// single list with two labels, and a factorisation or Greedy. It costs O(rows).
func (e *Estimated) HasROC() (has, soon bool) {
	return e.rows.HasROC()
}

// ROC ranks the rows of a single list by all held-out pairs at the best candidate, and returns the curve of that
// ranking (see cv.Tournament). It returns an error unless there is a single list of m rows with two labels, and a
// factorisation or Greedy. The cost is that of HeldOutPairs; for Greedy m²/2 selections and trainings.
func (e *Estimated) ROC(ctx context.Context) (*cv.ROC, error) {
	return e.rows.ROC(ctx)
}

// AnswerROC reads numbers off the curve that ROC returned: sensitivities, specificities,
// partial areas, the band, and precision and recall. They have 95 % intervals if the estimate has one (see
// EstimateOptions.Intervals): the curves of the halves, with every choice made again in each, give the variances, and
// the intervals are made as that of the error. The band holds at each specificity, not over all at once. It returns
// the errors of ROC, and panics for questions outside [0,1]. The cost is that of 120 estimates and curves of halves.
func (e *Estimated) AnswerROC(ctx context.Context, curve *cv.ROC, q cv.ROCQuestions) (*cv.ROCAnswers, error) {
	return e.rows.AnswerROC(ctx, curve, q)
}

// LearningCurve estimates the error on random parts of the data: parts of the queries, or of the rows of a
// single list. It draws ten parts of half the size, ten of a quarter and so on, at most five sizes, as long as
// a part has at least 4 queries or 8 rows. Each estimate works as Estimate does: with the same method, every
// choice made again within the part, and exactly where there is a shortcut. Rows are drawn so that each label
// with four or more rows keeps its share. If Options gives values of λ, they are multiplied by the part's share
// of the weight of the compared pairs, as in half-samples. Options.Seed draws the parts. The parts are nested:
// the curve compares sizes, and the deviation is between parts that overlap.
//
// The cost is ten estimates of each size. Together they take about ten times the whole estimate if that is
// linear in the rows, O(mn² + n³) in the primal form; less than twice if it is cubic in the rows; and up to
// fifty times if it hardly depends on the rows, as n³ does in the primal form with nearly as many features as
// rows. Parts without a pair to hold out do not count. LearningCurve returns an *Error for preferences, which
// cannot be split by rows, and for too few queries or rows.
func (e *Estimated) LearningCurve(ctx context.Context) (*cv.LearningCurve, error) {
	return e.rows.LearningCurve(ctx)
}

// Importance estimates the worth of each feature exactly, by leaving features out one at a time. It uses the
// error, or the metric, that Estimate held out, for the chosen kernel and candidate, without the feature; the
// importance is the difference from the estimate with all features. features is how many features are left out,
// cv.ImportanceAuto or cv.ImportanceAll. If the work takes at most some ten seconds of one core, Importance
// also chooses the candidate again. If pairs of leave-pair-out are sampled, the two estimates use different
// pairs and the difference has no standard error.
//
// EstimateOptions.Importance must have been set. In a linear primal problem of n features, a feature is a row
// and a column of the n×n system. Importance factors the system without them, O(n³) for each feature, and holds
// out again, O(mn²). With one λ and groups held out it does all features at once, in O(n³ + mn²) for each group
// and O(mn) for each feature: see rls.Path.Without and HoldOutWithout. For any other problem it factors again,
// or trains the folds again, for each feature. It returns an error for a kernel matrix, which has no features,
// and for several outputs, the errors of Estimate, and that of ctx.
//
// If two features carry the same information, both have importance 0: the other one remains.
func (e *Estimated) Importance(ctx context.Context, features int) (*cv.Importance, error) {
	i, err := e.rows.Importance(ctx, features)
	e.Notes = event.NotesOf[Note](e.rows.Notes)
	return i, err
}
