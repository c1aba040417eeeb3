package procedure

import (
	"context"
	"math/rand/v2"
	"slices"

	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
)

// Parts describes how parts of a source are drawn.
type Parts struct {
	// Halving describes how halves are drawn. Its Estimate is set from Source.Half.
	holdout.Halving
	// Smallest is the least number of units in a part of a learning curve. Halve draws about half of some
	// units; it is nil if there is no such curve.
	Smallest int
	Halve    func(r *rand.Rand, some []int) []int
}

// ScaledLambdas multiplies the values of λ that Options gives by a share; nil stays nil.
func ScaledLambdas(lambdas []float64, share float64) []float64 {
	scaled := slices.Clone(lambdas)
	for l := range scaled {
		scaled[l] *= share
	}
	return scaled
}

// halve estimates the variance of the best estimate by half-samples, or notes why it does not.
func (r *Run) halve(ctx context.Context) error {
	j := r.plan.Journal
	h := r.source().Parts(r.Choice).Halving
	h.Estimate = r.estimateHalf
	wanted, note, err := h.Wanted(r.plan.Intervals)
	if note != "" {
		said := event.Note{Code: codes.NoteNoInterval, Text: note, Remedy: "Intervals halves makes it"}
		if h.Units < h.Least {
			said.Code, said.Remedy = codes.NoteFewUnits, ""
		}
		j.Add(said)
	}
	if err != nil {
		return fault.Optionf("Intervals", "%w", err)
	}
	if r.plan.Intervals != cv.IntervalsNone {
		r.Independent = h.Independent
	}
	if !wanted {
		return nil
	}
	r.Halves, err = r.sample(ctx, &h, "estimating halves", "there is no 95 % interval")
	return err
}

// sample takes half-samples as a task. It returns nil if there are none: without says in a note what is missing then.
func (r *Run) sample(ctx context.Context, h *holdout.Halving, task, without string) (*cv.Halves, error) {
	tell, end := r.plan.Journal.Monitor.Task(task, holdout.HalfSplits)
	defer end()
	halves, err := h.Sample(ctx, r.plan.Seed, tell)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		r.plan.Journal.Note(codes.NoteFailedInterval, "%s: %v", without, err)
		return nil, nil
	}
	return halves, nil
}

// estimateHalf returns the estimates of a half or another part of the source, one error for each output.
func (r *Run) estimateHalf(ctx context.Context, units []int) ([]float64, error) {
	half, err := r.source().Half(ctx, r.Choice, units)
	if err != nil {
		return nil, err
	}
	return bestErrors(ctx, half, r.plan.Metric)
}
