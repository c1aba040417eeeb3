package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
)

// Relabelled is a factored source that other labels can be put into.
type Relabelled struct {
	Factored cv.Factored
	Labels   cv.Labels
	Options  cv.Options
	// Real is the estimate of the true labels; nil if the test computes it again, with the same options.
	Real *cv.Estimate
}

// Shuffles is a source that is estimated again, with every training, for other labels. Where Shuffling is false it is a
// Divisible that has only its Relabelled form.
type Shuffles interface {
	Divisible
	Shuffling() bool
	// Shuffled is the source with other labels.
	Shuffled(y []float64) Source
}

// permute tests the labels against their permutations.
func (r *Run) permute(ctx context.Context) error {
	n := r.plan.Permutations
	if n == 0 {
		return nil
	}
	s, c := r.source(), r.Choice
	if again, is := s.(Shuffles); is && again.Shuffling() {
		return r.permuteAgain(ctx, again)
	}
	if c.Retrained {
		return fault.Optionf("Permutations", "needs the exact shortcut, and %s trained each fold again", c.Method)
	}
	of, err := s.Relabelled(c)
	if err != nil {
		return err
	}
	tell, end := r.plan.Journal.Monitor.Task("permuting the labels", 0)
	defer end()
	of.Options.Progress = tell
	r.Permutation, err = cv.Permutations(ctx, of.Factored, of.Labels, of.Options, n, of.Real)
	return s.Fault(err)
}

// permuteAgain is permute where each permutation is trained again.
func (r *Run) permuteAgain(ctx context.Context, s Shuffles) error {
	held, err := s.Held(r.Choice)
	if err != nil {
		return err
	}
	tell, end := r.plan.Journal.Monitor.Task("permuting the labels", int64(r.plan.Permutations))
	defer end()
	least := r.Choice.Chosen().Outputs[0].Least()
	r.Permutation, err = cv.Permuted(held.Labels, r.plan.Seed, r.plan.Permutations, 1, least,
		func(y []float64, _ int) ([]float64, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			e, err := s.Shuffled(y).Estimate(ctx, nil)
			if err != nil {
				return nil, err
			}
			return []float64{e.Outputs[0].Least()}, nil
		}, tell)
	return s.Fault(err)
}
