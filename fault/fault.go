// Package fault has the error of training, ranking and estimating, as facts that a program can examine: whose fault it
// is, which option, and a code where there is a remedy. errors.As finds it in the errors of every package:
//
//	var refused *fault.Error
//	if errors.As(err, &refused) && refused.Kind == fault.Use {
//		log.Printf("option %s: %v", refused.Option, refused.Err)
//	}
//
// It also has the errors of scoring rows of other features than those of training, of model files, and of exports.
package fault

import (
	"fmt"
	"math"
	"strings"
)

// Kind is the kind of an Error: who or what caused it.
type Kind int

const (
	// Use is for an option that cannot be used as given: with another one, or with these data.
	Use Kind = iota + 1
	// Data is for faults of the data.
	Data
	// Numerical is for a computation that exceeds double precision, or that ended before the result
	// was as near to the optimum as requested.
	Numerical
	// Memory is for work that does not fit into the free memory.
	Memory
)

// Code identifies a fault with a remedy, for programs and for tables of hints: a text that stays; "" is any other.
type Code string

// Error is an error of an entrance, such as pairrank.Train or comparison.Rank. It wraps what a learner returned.
type Error struct {
	Kind Kind
	// Code identifies an error that has a remedy; other errors have "".
	Code Code
	// Option is the field of the options that the fault is about, as "Solver"; "" is none. It is the subject of the
	// sentence, which Err goes on with. No other option is named: the text says the solver cg, the setting pairs.
	Option string
	// Values are the values that the text names, in its order.
	Values []any
	// Err says what is wrong.
	Err error
}

// Error returns the reason, with the option.
func (e *Error) Error() string {
	if e.Option == "" {
		return e.Err.Error()
	}
	return e.Of(e.Option)
}

// Of is the sentence about a subject. A reason that begins with a colon follows it at once.
func (e *Error) Of(subject string) string {
	if text := e.Err.Error(); strings.HasPrefix(text, ":") {
		return subject + text
	}
	return subject + " " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Optionf is a fault of an option; the text continues after its name.
func Optionf(option, format string, args ...any) error {
	return &Error{Kind: Use, Option: option, Values: args, Err: fmt.Errorf(format, args...)}
}

// Refuse is the fault of an option if is holds, else nil. The text continues after the name of the
// option.
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

// LabelSizes refuses labels with which least squares overflows, or loses all digits: it takes squares of them, and of
// their rounding.
func LabelSizes(y []float64) error {
	const most, least = 0x1p480, 0x1p-400
	largest := 0.0
	for _, v := range y {
		largest = max(largest, math.Abs(v))
	}
	switch {
	case largest > most:
		return Dataf("the largest label is %.2g in size: above %.0g squares of labels overflow, so divide all labels",
			largest, most)
	case largest > 0 && largest < least:
		return Dataf("the largest label is %.2g in size: below %.0g squares of labels lose their digits, so multiply all "+
			"labels", largest, least)
	}
	return nil
}
