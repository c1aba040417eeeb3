package procedure

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
)

// Source is data under one of the kernels to choose from, together with a way to learn from them.
type Source interface {
	// Kernels is the number of kernels, 1 at least.
	Kernels() int
	// Under is the source under another of the kernels, or itself.
	Under(kernel int) Source
	// Estimate returns the held-out error of every candidate; progress may be nil.
	Estimate(ctx context.Context, progress func(done, total int)) (cv.KernelEstimate, error)
	// Ready computes again what Estimate needed for all candidates, unless it is kept.
	Ready(ctx context.Context) error
	// Fit trains on all of the source with the choice; c is nil if there is a single candidate. A training that
	// is stopped may return a fit together with the error.
	Fit(ctx context.Context, c *Choice) (Fit, error)
	// Doubt notes doubts about a fit, which is nil in an estimate, and about a choice, which may be nil, and whose
	// Settled it may set.
	Doubt(ctx context.Context, f Fit, c *Choice)
	// Unconverged counts the trainings on folds that ended before they converged.
	Unconverged() int
}

// Fit is the result of training on a source. If it has a method Kept() string, this names the iterate that a
// stopped training returns instead of the best one.
type Fit any

// Divisible is a source of units, as rows or edges, whose parts are sources, too. Under every kernel it must
// stay Divisible.
type Divisible interface {
	Source
	// Part is some units as a source with the options of the whole; share is its share of the work that may be
	// spent, if the source bounds its work.
	Part(units []int, share float64) Divisible
	// Predict trains this part of a whole with the choice made on it, and predicts other units, one score each.
	Predict(ctx context.Context, c *Choice, others []int) (*data.Dense, error)
	// Nothing reports whether an error means that a part has nothing to learn from, or to choose by.
	Nothing(err error) bool
	// Fault gives an error of an estimate its kind.
	Fault(err error) error

	// Parts describes how parts of the source are drawn, and Half is a drawn part as a source. In it a λ that
	// Options gives is multiplied by the part's share of the weight of the loss. Half is called from several
	// goroutines.
	Parts(c *Choice) Parts
	Half(ctx context.Context, c *Choice, part []int) (Source, error)
	// Outer describes the folds over which the whole procedure is estimated.
	Outer(c *Choice) (*Outer, error)
	// Held describes how the scores of the chosen candidate are held out.
	Held(c *Choice) (*Held, error)
	// Relabelled is the factored source, ready for other labels, with the options of permutations.
	Relabelled(c *Choice) (*Relabelled, error)
}
