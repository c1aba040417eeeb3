package modelfile

import (
	"errors"
	"fmt"
)

// Kinds of faults of a model file, for errors.Is.
var (
	ErrTruncated = errors.New("the file is cut off")
	ErrAltered   = errors.New("the file was altered: its checksum does not fit its content")
	ErrVersion   = errors.New("the file has a later version of the format")
)

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

// Unwrap returns the reason: ErrTruncated, ErrAltered, ErrVersion or another error.
func (e *FormatError) Unwrap() error { return e.Err }

// Hint says what to do; it may be empty.
func (e *FormatError) Hint() string { return e.Help }
