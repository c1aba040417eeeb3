package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pairrank/model"
)

// Exit codes.
const (
	exitOK          = 0
	exitRuntime     = 1
	exitUsage       = 2
	exitData        = 3
	exitGate        = 4
	exitNumerical   = 5
	exitInterrupted = 130
)

// The kinds of error that have an exit code of their own. Each carries what
// went wrong and, where there is one, a way out: the hint lines.
type (
	usageError     struct{ hinted } // the command line is wrong
	dataError      struct{ hinted } // an input is wrong
	gateError      struct{ hinted } // a threshold the user set was missed
	numericalError struct{ hinted } // the computation broke down
)

// hinted is an error with a hint; a hint of several lines is printed as
// several hints.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }
func (h hinted) Hint() string  { return h.hint }

// usagef is a usageError without a hint.
func usagef(format string, args ...any) error {
	return &usageError{hinted{fmt.Errorf(format, args...), ""}}
}

// withHint adds a hint to an error that keeps its kind.
func withHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// asUsage, asData, asGate and asNumerical give an error its kind; nil stays nil.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{hinted{err, ""}}
}

func asData(err error) error {
	if err == nil {
		return nil
	}
	return &dataError{hinted{err, ""}}
}

func asGate(err error) error {
	if err == nil {
		return nil
	}
	return &gateError{hinted{err, ""}}
}

func asNumerical(err error) error {
	if err == nil {
		return nil
	}
	return &numericalError{hinted{err, ""}}
}

// exitCode is the exit code of an error.
func exitCode(err error) int {
	var (
		usage     *usageError
		bad       *dataError
		gate      *gateError
		numerical *numericalError
		format    *model.FormatError
	)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &bad), errors.As(err, &format):
		return exitData
	case errors.As(err, &gate):
		return exitGate
	case errors.As(err, &numerical):
		return exitNumerical
	}
	return exitRuntime
}

// hints collects the hint lines of an error and of all it wraps, outermost
// first.
func hints(err error) []string {
	var lines []string
	for err != nil {
		if h, ok := err.(interface{ Hint() string }); ok && h.Hint() != "" {
			lines = append(lines, strings.Split(h.Hint(), "\n")...)
		}
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range joined.Unwrap() {
				lines = append(lines, hints(e)...)
			}
		}
		err = errors.Unwrap(err)
	}
	return lines
}
