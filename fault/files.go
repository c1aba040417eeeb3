package fault

import "fmt"

// FormatError gives the fault of a model file and its place.
type FormatError struct {
	Name string // of the file
	Line int    // 1-based, 0 when the trouble is not in one line
	Err  error
	Help string // what to do, or ""
}

// Error returns "name:line: reason".
func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
}

// Unwrap returns the reason: model.ErrTruncated, model.ErrAltered, model.ErrVersion or another error.
func (e *FormatError) Unwrap() error { return e.Err }

// Hint says what to do; it may be empty.
func (e *FormatError) Hint() string { return e.Help }

// RefusedError says what the target of an export cannot express.
type RefusedError struct {
	Target string // by its name
	What   string // of the model or the options it cannot hold
	Help   string // what to do instead, or ""
}

// Error is "TARGET cannot hold WHAT".
func (e *RefusedError) Error() string { return e.Target + " cannot hold " + e.What }

// Hint says what to do instead; it may be empty.
func (e *RefusedError) Hint() string { return e.Help }
