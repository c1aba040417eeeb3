package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/holdout"
)

// Relabelled is a factored source that other labels can be put into.
type Relabelled struct {
	Factored holdout.Factored
	Labels   holdout.Labels
	Options  holdout.Options
	// Real is the estimate of the true labels; nil if the test computes it again, with the same options.
	Real *cv.Estimate
}

// Shuffles is a source that is estimated again, with every training, for other labels.
type Shuffles interface {
	Divisible
	// Shuffling is the number of permutations that are trained together; 0 for a source that has a Relabelled form, if its
	// folds are not trained again.
	Shuffling() int
	// Shuffled is the source with the labels y of some outputs.
	Shuffled(y []float64, outputs int) Source
}

// permute tests the labels against their permutations.
func (r *Run) permute(ctx context.Context) error {
	n := r.plan.Permutations
	if n == 0 {
		return nil
	}
	s, c := r.source(), r.Choice
	if again, is := s.(Shuffles); is && (c.Retrained || again.Shuffling() > 0) {
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
	r.Permutation, err = holdout.Permutations(ctx, of.Factored, of.Labels, of.Options, n, of.Real)
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
	least := holdout.Least(r.Choice.Chosen().Outputs[0])
	if held.Labels.Censored != nil {
		held.Labels = held.Labels.Signed()
	}
	r.Permutation, err = holdout.Permuted(held.Labels, r.plan.Seed, r.plan.Permutations, max(1, s.Shuffling()), least,
		func(y []float64, v int) (errors []float64, err error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			e, err := s.Shuffled(y, v).Estimate(ctx, nil)
			for _, o := range e.Outputs {
				errors = append(errors, holdout.Least(o))
			}
			return errors, err
		}, tell)
	return s.Fault(err)
}
