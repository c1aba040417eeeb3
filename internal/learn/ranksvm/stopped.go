package ranksvm

import "fmt"

// StoppedError says that a training ended before it reached its tolerance. The model is the best so
// far.
type StoppedError struct {
	// Objective is J of the model. Gap bounds J minus its minimum.
	Objective, Gap float64
	// Cause is why it was stopped, or nil.
	Cause error
}

// Error says how far the model may be from the optimum.
func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped before the optimum: the objective %.6g may be %.2g above it; the model is the best "+
		"so far", e.Objective, e.Gap)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Cause }
