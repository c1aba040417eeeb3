package pairrank

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
)

// Estimated is how well a procedure ranks what it has not seen.
type Estimated struct {
	// Choice has the estimate of every kernel and candidate, and the best.
	Choice cv.Choice
	// Solver is how the problem was solved, and Why so.
	Solver, Why string
	// Rows, Queries and Outputs are m, q and v.
	Rows, Queries, Outputs int
	// TwoLabels says of each output whether it has exactly two labels, so that 1 less its
	// leave-pair-out error is the area under the ROC curve.
	TwoLabels []bool
	// Halves are the half-samples that the intervals come from; nil where there are
	// none. Interval makes the interval of an output.
	Halves *cv.Halves
	// Nested is the estimate of the whole procedure; nil where it was not asked for.
	Nested *cv.NestedEstimate
	// Permutation is the test against permuted labels; nil where it was not asked for.
	Permutation *cv.PermutationTest
	// Notes say what was decided on the way and what is doubtful, in their order.
	Notes []Note

	run  *procedure.Run
	rows *rows.Estimated // of rows in memory
}

// Estimate estimates the error on what was not seen for every candidate of every
// kernel, the whole path at once: by the exact shortcuts of least squares, or by
// training folds again. With the options of it, the best estimate gets an interval,
// the whole procedure is estimated over outer folds, and the error is tested against
// permutations of the labels. Its costs and errors are those of Train, and for an
// interval 120 times those of half the rows.
func Estimate(ctx context.Context, p Problem, o EstimateOptions) (*Estimated, error) {
	e, err := rows.Estimate(ctx, rows.Problem(p), o.plan())
	if err != nil {
		return nil, err
	}
	out := newEstimated(e.Run)
	out.Solver, out.Why, out.Rows, out.Queries, out.Outputs = e.Solver, e.Why, e.Rows, e.Queries, e.Outputs
	out.TwoLabels, out.Notes, out.rows = e.TwoLabels, event.NotesOf[Note](e.Notes), e
	return out, nil
}

// newEstimated is what the procedure makes of every source.
func newEstimated(r *procedure.Run) *Estimated {
	return &Estimated{Choice: r.Choice.Choice, Halves: r.Halves, Nested: r.Nested, Permutation: r.Permutation, run: r}
}

// Interval is the 95 % interval of the best estimate of an output, not Defined without
// Halves, in O(k) for k kernels.
func (e *Estimated) Interval(output int) cv.Interval {
	return e.run.Interval(output)
}

// IntervalOf is the interval of a share that varies as the best estimate of an output does.
func (e *Estimated) IntervalOf(share float64, output int) cv.Interval {
	return e.run.IntervalOf(share, output)
}

// IntervalSource is where the variance of Interval comes from, "" without Halves.
func (e *Estimated) IntervalSource(output int) cv.VarianceSource {
	return e.run.IntervalSource(output)
}

// HeldOut are the held-out scores of all rows, m×v, at the best candidate, as they were
// measured. EstimateOptions.HeldOut must have been set. It returns an error for leave-pair-out,
// which has two scores for each pair: see HeldOutPairs. The cost is that of the estimate
// at one candidate.
func (e *Estimated) HeldOut(ctx context.Context) (*data.Dense, error) {
	return e.rows.HeldOut(ctx)
}

// HeldOutPairs gives, for each row i, the scores of it and of all rows after it, each
// pair as if it had been left out of training, at the best candidate: see
// rls.Path.LeavePairOut, which says what it costs: O(m²k) in the primal form, with k the
// rank. emit is called from several goroutines, once for a row, in no order, and must not
// keep the slices. It returns an error unless the method is leave-pair-out of one output.
func (e *Estimated) HeldOutPairs(ctx context.Context, emit func(i int, fi, fj []float64)) error {
	return e.rows.HeldOutPairs(ctx, emit)
}

// HasROC reports whether ROC has a curve: of a single list with two labels, and a factorisation. Cost
// O(rows).
func (e *Estimated) HasROC() bool {
	return e.rows.HasROC()
}

// ROC is the curve of the ranking of the rows by held-out pairs at the best candidate:
// of all pairs, or with quicksort of those that a quicksort compares, whose number it
// returns (see cv.Tournament and cv.Quicksort). It returns an error unless there is a
// single list of m rows with two labels, and a factorisation. The cost is that of
// HeldOutPairs, or of O(m log m) pairs.
func (e *Estimated) ROC(ctx context.Context, quicksort bool) (roc *cv.ROC, comparisons int64, err error) {
	return e.rows.ROC(ctx, quicksort)
}

// LearningCurve estimates the error anew on random parts of the queries, or of the rows of
// a single list, alone: ten parts of a half of them, of a quarter and so on, while at least
// 4 queries or 8 rows are left, five times at most. Each estimate is that of Estimate, by
// the same method and with every choice made again in the part, where there is a shortcut
// exactly; rows are drawn so that each label that four or more have keeps its share. A λ
// that was asked for is multiplied by the share that the part has of the weight of the
// compared pairs, as in half-samples. Options.Seed draws the parts. They are drawn within
// each other: the curve compares sizes, and the deviation is between parts that overlap.
//
// The cost is ten estimates of each size, together about ten of the whole where its cost
// is linear in the rows, O(mn² + n³) for each in the primal form, and less than two where it
// is of the third power; up to fifty where it hardly depends on the rows, as n³ in the primal
// form with nearly as many features as rows. Parts without a pair to hold out do not count. It returns an
// *Error where there are preferences, which do not come in parts of rows, and where there
// are too few queries or rows.
func (e *Estimated) LearningCurve(ctx context.Context) (*cv.LearningCurve, error) {
	return e.rows.LearningCurve(ctx)
}

// Importance tells what each feature is worth, exactly, of so many that are left out one at a time,
// cv.ImportanceAuto or cv.ImportanceAll: the error, or the metric, that is
// held out as Estimate did, of the chosen kernel and candidate without the feature, and
// its difference to that with all. Where the work is within some tens of seconds of one core the
// candidate is also chosen again. Where pairs of leave-pair-out are drawn, the difference
// is of other pairs and has no standard error.
//
// EstimateOptions.Importance must have been set. Of a linear primal problem of n features a
// feature is a row and a column of its n×n system: without them it is factored, O(n³) for
// each feature, and held out again, O(mn²); or at one λ, where groups are held out, all
// features at once, O(n³ + mn²) for each group and O(mn) for each feature: see
// rls.Path.Without and HoldOutWithout. Any other problem is factored again for each
// feature, or its folds are trained again. It returns an error for a kernel matrix, which
// has no features, and for several outputs, those of Estimate, and that of ctx.
//
// Of two features that tell the same, neither is worth anything: the other is there.
func (e *Estimated) Importance(ctx context.Context, features int) (*cv.Importance, error) {
	i, err := e.rows.Importance(ctx, features)
	e.Notes = event.NotesOf[Note](e.rows.Notes)
	return i, err
}
