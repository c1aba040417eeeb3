package pairrank

import "pairrank/internal/procedure"

// EstimatedOf is what an estimate of any source is for callers and reports.
func EstimatedOf(r *procedure.Run) *Estimated { return newEstimated(r) }
