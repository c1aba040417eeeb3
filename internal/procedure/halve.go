package procedure

import (
	"context"
	"math/rand/v2"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/fault"
)

// Parts says how parts are drawn of a source.
type Parts struct {
	// Halving is how halves are, all but its Estimate, which is that of Source.Half.
	cv.Halving
	// Smallest is the fewest units that a part of a learning curve has, and Halve draws about half of some units;
	// nil where there is no such curve.
	Smallest int
	Halve    func(r *rand.Rand, some []int) []int
}

// ScaledLambdas are the values of λ that were asked for, each multiplied by a share; nil stays nil.
func ScaledLambdas(lambdas []float64, share float64) []float64 {
	scaled := slices.Clone(lambdas)
	for l := range scaled {
		scaled[l] *= share
	}
	return scaled
}

// halve estimates by half-samples how much the best estimate varies, or notes why it
// does not.
func (r *Run) halve(ctx context.Context) error {
	j := r.plan.Journal
	h := r.source().Parts(r.Choice).Halving
	h.Estimate = r.estimateHalf
	wanted, note, err := h.Wanted(r.plan.Intervals)
	if note != "" {
		j.Add(event.Note{Code: NoteNoInterval, Text: note, Remedy: "Intervals halves makes it"})
	}
	if err != nil {
		return fault.Optionf("Intervals", "%w", err)
	}
	if !wanted {
		return nil
	}
	tell, end := j.Monitor.Task("estimating halves", cv.HalfSplits)
	defer end()
	r.Halves, err = h.Sample(ctx, r.plan.Seed, tell)
	if ctx.Err() == nil && err != nil {
		j.Note(NoteFailedInterval, "there is no 95 %% interval: %v", err)
	}
	return ctx.Err()
}

// estimateHalf is the estimates of a half or another part of the source, one error for each output.
func (r *Run) estimateHalf(ctx context.Context, units []int) ([]float64, error) {
	half, err := r.source().Half(ctx, r.Choice, units)
	if err != nil {
		return nil, err
	}
	return bestErrors(ctx, half, r.plan.Metric)
}
