package procedure

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
)

// Source is data under one of the kernels that there are to choose from, with how it is learnt from.
type Source interface {
	// Kernels is the number of kernels, 1 at least.
	Kernels() int
	// Under is the source under another of them, or itself.
	Under(kernel int) Source
	// Estimate estimates every candidate by what is held out; progress may be nil.
	Estimate(ctx context.Context, progress func(done, total int)) (cv.KernelEstimate, error)
	// Ready makes what Estimate has made for all candidates, where it is not there.
	Ready(ctx context.Context) error
	// Fit trains on all of the source with what was chosen; c is nil where there is one candidate. Where it
	// is stopped there may be a fit beside the error.
	Fit(ctx context.Context, c *Choice) (Fit, error)
	// Doubt notes what is doubtful about a fit, nil in an estimate, and about a choice, or nil.
	Doubt(f Fit, c *Choice)
	// Unconverged counts the trainings of folds that ended before they converged.
	Unconverged() int
}

// Fit is what a source has learnt. One with a method Kept() string says which iterate of a training that was
// stopped it is, in place of the best found.
type Fit any

// Divisible is a source of units, as rows or edges, whose parts are sources, too, and so is it under every
// kernel.
type Divisible interface {
	Source
	// Part is some units by themselves, with the options of all; share is that of the work that may be
	// spent on it, where the source bounds its work.
	Part(units []int, share float64) Divisible
	// Predict trains this part of a whole with what was chosen on it, and predicts other units, one score each.
	Predict(ctx context.Context, c *Choice, others []int) (*data.Dense, error)
	// Nothing reports whether an error says that a part has nothing to learn from, or to choose by.
	Nothing(err error) bool
	// Fault gives an error of an estimate its kind.
	Fault(err error) error

	// Parts says how parts are drawn of the source; Half is one that was: what was drawn by itself, where a λ that
	// was asked for is multiplied by its share of the weight of the loss. Half is called from several goroutines.
	Parts(c *Choice) Parts
	Half(ctx context.Context, c *Choice, part []int) (Source, error)
	// Outer says over which folds the whole procedure is estimated.
	Outer(c *Choice) (*Outer, error)
	// Held is how the scores of the chosen candidate are held out.
	Held(c *Choice) (*Held, error)
	// Relabelled is what is factored, for other labels; seen through the options of permutations.
	Relabelled(c *Choice) (*Relabelled, error)
}
