package ranksvm

import "fmt"

// StoppedError says that a training ended before it was as near to the optimum as was
// asked for. The best so far is the model.
type StoppedError struct {
	// Objective is that of the model, and Gap how far it may be above the optimum.
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
