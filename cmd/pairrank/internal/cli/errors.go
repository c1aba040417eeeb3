package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pairrank/internal/exit"
	"pairrank/model"
)

// Exit codes.
const (
	ExitOK          = exit.OK
	ExitRuntime     = exit.Runtime
	ExitUsage       = exit.Usage
	ExitData        = exit.Data
	ExitGate        = exit.Gate
	ExitNumerical   = exit.Numerical
	ExitIncomplete  = exit.Incomplete
	ExitInterrupted = exit.Interrupted
)

// The kinds of error that have an exit code of their own. Each carries what
// went wrong and, where there is one, a way out: the hint lines.
type (
	UsageError     struct{ hinted } // the command line is wrong
	DataError      struct{ hinted } // an input is wrong
	GateError      struct{ hinted } // a threshold the user set was missed
	NumericalError struct{ hinted } // the computation broke down
	// IncompleteError tells that the work of others is not done yet: try again later.
	IncompleteError struct{ hinted }
)

// hinted is an error with a hint; a hint of several lines is printed as
// several hints.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }
func (h hinted) Hint() string  { return h.hint }

// Usagef is a UsageError without a hint.
func Usagef(format string, args ...any) error {
	return &UsageError{hinted{fmt.Errorf(format, args...), ""}}
}

// WithHint adds a hint to an error that keeps its kind.
func WithHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// AsUsage, AsData, AsGate, AsNumerical and AsIncomplete give an error its kind; nil stays nil.
func AsUsage(err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{hinted{err, ""}}
}

func AsData(err error) error {
	if err == nil {
		return nil
	}
	return &DataError{hinted{err, ""}}
}

func AsGate(err error) error {
	if err == nil {
		return nil
	}
	return &GateError{hinted{err, ""}}
}

func AsNumerical(err error) error {
	if err == nil {
		return nil
	}
	return &NumericalError{hinted{err, ""}}
}

func AsIncomplete(err error) error {
	if err == nil {
		return nil
	}
	return &IncompleteError{hinted{err, ""}}
}

// ExitCode is the exit code of an error.
func ExitCode(err error) int {
	var (
		usage     *UsageError
		bad       *DataError
		gate      *GateError
		numerical *NumericalError
		unready   *IncompleteError
		format    *model.FormatError
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &usage):
		return ExitUsage
	case errors.As(err, &bad), errors.As(err, &format):
		return ExitData
	case errors.As(err, &gate):
		return ExitGate
	case errors.As(err, &numerical):
		return ExitNumerical
	case errors.As(err, &unready):
		return ExitIncomplete
	}
	return ExitRuntime
}

// Hints collects the hint lines of an error and of all it wraps, outermost
// first.
func Hints(err error) []string {
	var lines []string
	for err != nil {
		if h, ok := err.(interface{ Hint() string }); ok && h.Hint() != "" {
			lines = append(lines, strings.Split(h.Hint(), "\n")...)
		}
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range joined.Unwrap() {
				lines = append(lines, Hints(e)...)
			}
		}
		err = errors.Unwrap(err)
	}
	return lines
}
