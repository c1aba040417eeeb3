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

// permute tests the labels against their permutations.
func (r *Run) permute(ctx context.Context) error {
	n := r.plan.Permutations
	if n == 0 {
		return nil
	}
	s, c := r.source(), r.Choice
	if c.Retrained {
		return fault.Optionf("Permutations", "needs the exact shortcut, and %s trained each fold again", c.Method)
	}
	of, err := s.Relabelled(c)
	if err != nil {
		return err
	}
	tell, end := r.plan.Journal.Monitor.Task("permuting the labels", int64(n))
	defer end()
	of.Options.Progress = tell
	r.Permutation, err = cv.Permutations(ctx, of.Factored, of.Labels, of.Options, n, of.Real)
	return s.Fault(err)
}
