// Package exit has the exit codes of the programs, and the code of an error of training and estimating.
package exit

import "pairrank/fault"

// The exit codes.
const (
	OK          = 0
	Runtime     = 1
	Usage       = 2 // the command line is wrong
	Data        = 3 // an input is wrong
	Gate        = 4 // a threshold that the user set was missed
	Numerical   = 5 // the computation broke down, or ended before its optimum
	Incomplete  = 6 // the work of others is not done yet
	Undecided   = 7 // nothing says whether a threshold that the user set was missed
	Interrupted = 130
)

// OfKind is the exit code of a kind of error.
func OfKind(kind fault.Kind) int {
	switch kind {
	case fault.Use:
		return Usage
	case fault.Data:
		return Data
	case fault.Numerical:
		return Numerical
	}
	return Runtime
}
