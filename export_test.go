package pairrank

import (
	"context"

	"pairrank/internal/procedure"
)

// EstimatedOf is what an estimate of any source is for callers and reports.
func EstimatedOf(r *procedure.Run) *Estimated { return newEstimated(r) }

// learn is Train with the options that an estimate may have, too.
func learn(ctx context.Context, p Problem, o EstimateOptions) (*Result, error) {
	return Train(ctx, p, o.Options)
}
