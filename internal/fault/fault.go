// Package fault has the error of training and estimating: what went wrong as facts,
// which a program can look at and a command can turn into flags and hints.
package fault

import "fmt"

// Kind says whose the fault is.
type Kind int

const (
	// Use is of an option that cannot be used as it is given: beside another one, or
	// with these data.
	Use Kind = iota + 1
	// Data is of what is learnt from.
	Data
	// Numerical is of a computation that double precision does not carry, or that
	// ended before its result was as near to the optimum as was asked for.
	Numerical
	// Memory is of work that does not fit into the memory that is free.
	Memory
)

// Code names a fault that has a way out, for programs and for tables of hints; "" is
// any other.
type Code string

// Error is a fault.
type Error struct {
	Kind Kind
	// Code says which fault it is, where it has a way out of its own.
	Code Code
	// Option is the field of the options that the fault is about, as "Solver"; "" is none. It is the subject of the
	// sentence, which Err goes on with. No other option is named: the text says the solver cg, the setting pairs.
	Option string
	// Values are the values that the text names, in its order.
	Values []any
	// Err says what is wrong.
	Err error
}

// Error is what is wrong, with the option.
func (e *Error) Error() string {
	if e.Option == "" {
		return e.Err.Error()
	}
	return e.Option + " " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Public lets errors.As find the error of the entrance, package pairrank, in a fault: the entrance sets it, since
// nothing below knows its type.
var Public func(e *Error, target any) bool

// As finds the error of the entrance.
func (e *Error) As(target any) bool { return Public != nil && Public(e, target) }

// Optionf is a fault of an option; the text goes on from its name.
func Optionf(option, format string, args ...any) error {
	return &Error{Kind: Use, Option: option, Values: args, Err: fmt.Errorf(format, args...)}
}

// Refuse is the fault of an option where is holds, else nil. The text goes on from the name of the option.
func Refuse(is bool, option, format string, args ...any) error {
	if !is {
		return nil
	}
	return Optionf(option, format, args...)
}

// Dataf is a fault of the data.
func Dataf(format string, args ...any) error {
	return &Error{Kind: Data, Values: args, Err: fmt.Errorf(format, args...)}
}

// As gives an error its kind and code; nil stays nil.
func As(kind Kind, code Code, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Kind: kind, Code: code, Err: err}
}
