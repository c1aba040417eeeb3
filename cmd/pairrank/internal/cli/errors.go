package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pairrank/fault"
	"pairrank/internal/exit"
	"pairrank/internal/spell"
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
	ExitUndecided   = exit.Undecided
	ExitInterrupted = exit.Interrupted
)

// coded is an error of a kind that has an exit code of its own.
type coded struct {
	error
	code code
}

func (c *coded) Unwrap() error        { return c.error }
func (c *coded) Is(target error) bool { return target == error(c.code) }

// code is an exit code, as an error that errors.Is finds in others.
type code int

func (c code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// hinted is an error with a way out; a hint of several lines is printed as several hints.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }
func (h *hinted) Hint() string  { return h.hint }

// WithHint adds a hint to an error that keeps its kind.
func WithHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// Usagef is an error of the command line.
func Usagef(format string, args ...any) error { return AsUsage(fmt.Errorf(format, args...)) }

// Unknown is the error of a name that is none of those known. Its hint is all of them if they are few, else the nearest
// one, behind prefix.
func Unknown(what, name string, known []string, prefix string) error {
	const few = 4
	hint := "the " + what + "s are " + strings.Join(known, ", ")
	if near := spell.Nearest(name, known); near != "" && len(known) > few {
		hint = "did you mean " + prefix + near + "?"
	}
	return WithHint(Usagef("unknown %s %q", what, name), "%s", hint)
}

// AsUsage says that the command line is wrong, AsData that an input is, AsGate that a threshold of the user was missed,
// AsUndecided that nothing says whether it was, AsNumerical that the computation broke down, AsIncomplete that the work
// of others is not done yet. nil stays nil.
func AsUsage(err error) error      { return withCode(err, ExitUsage) }
func AsData(err error) error       { return withCode(err, ExitData) }
func AsGate(err error) error       { return withCode(err, ExitGate) }
func AsNumerical(err error) error  { return withCode(err, ExitNumerical) }
func AsIncomplete(err error) error { return withCode(err, ExitIncomplete) }
func AsUndecided(err error) error  { return withCode(err, ExitUndecided) }

func withCode(err error, c code) error {
	if err == nil {
		return nil
	}
	return &coded{err, c}
}

// ExitCode is the exit code of an error. Where it has several kinds in it the first one below counts.
func ExitCode(err error) int {
	var format *fault.FormatError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &format) && !errors.Is(err, code(ExitUsage)):
		return ExitData
	}
	for _, c := range []code{ExitUsage, ExitData, ExitGate, ExitNumerical, ExitIncomplete, ExitUndecided} {
		if errors.Is(err, c) {
			return int(c)
		}
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
