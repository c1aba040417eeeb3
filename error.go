package pairrank

import (
	"pairrank/internal/fault"
	"pairrank/internal/rows"
)

// Error is an error of Train and Estimate, as facts: its kind, its code, and the option that caused it. It
// wraps what a learner returned.
// errors.As finds an Error in the errors of every package of the module.
type Error struct {
	Kind Kind
	// Code identifies an error that has a remedy; other errors have "".
	Code FaultCode
	// Option is the field of the options that caused the error, as "Solver", or "". It is the subject of the
	// sentence, which Err continues.
	Option string
	// Values are the values that the text names, in its order.
	Values []any
	// Err describes the error.
	Err error
}

// Error returns the option and the description.
func (e *Error) Error() string { return (*fault.Error)(e).Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

func init() {
	fault.Public = func(e *fault.Error, target any) bool {
		public, is := target.(**Error)
		if is {
			*public = (*Error)(e)
		}
		return is
	}
}

// Kind is the kind of an Error: who or what caused it.
type Kind = fault.Kind

// The kinds of Error.
const (
	// Use: an option cannot be used as it is given. Data: the data cannot be learnt from. Numerical: double
	// precision is not enough, or an iteration ended before the optimum. Memory: the work does not fit into the
	// free memory.
	Use, Data, Numerical, Memory = fault.Use, fault.Data, fault.Numerical, fault.Memory
)

// FaultCode identifies an error for programs.
type FaultCode = fault.Code

// The codes of errors that have a remedy.
const (
	FaultOneRow          FaultCode = "one-row"              // there is a single row
	FaultOneLabel        FaultCode = "one-label"            // all labels are equal
	FaultValidation      FaultCode = "validation"           // concerns the rows for validation
	FaultFeatureOrder    FaultCode = "feature-order"        // the rows for validation have their features in another order
	FaultAsymmetric      FaultCode = "asymmetric"           // the kernel matrix is not symmetric
	FaultManyFeatures              = rows.FaultManyFeatures // vectors of features do not fit into memory
	FaultManyRows        FaultCode = "many-rows"            // a kernel matrix does not fit into memory
	FaultLinearMemory    FaultCode = "linear-memory"        // a matrix of the linear kernel does not fit into memory
	FaultRelativeCost    FaultCode = "relative-cost"        // the weights of all pairs do not fit into memory
	FaultKernelMap       FaultCode = "kernel-map"           // the kernel map does not fit into memory
	FaultRandomFeatures  FaultCode = "random-features"      // the random features do not fit into memory
	FaultPairsOfQueries  FaultCode = "pairs-of-queries"     // leaving out all pairs of queries does not fit into memory
	FaultConnected                 = rows.FaultConnected    // preferences connect queries
	FaultRepeatedIDs     FaultCode = "repeated-ids"         // names of rows that are held out apart repeat
	FaultSubject         FaultCode = "like-subjects"        // a feature numbers subjects whose rows are held out apart
	FaultGroups          FaultCode = "groups"               // groups or folds of rows beside preferences
	FaultOverflow                  = fault.Overflow         // a score is not finite
	FaultDeadline        FaultCode = "deadline"             // the deadline passed
	FaultIterations      FaultCode = "iterations"           // the limit of iterations was reached
	FaultRounding        FaultCode = "rounding"             // rounding ended the training
	FaultRoundingSquared FaultCode = "rounding-squared"     // rounding ended the training with the squared hinge loss
	FaultNothing                   = rows.FaultNothing      // no two compared rows have different labels
	FaultNotExact                  = rows.FaultNotExact     // the method has no exact shortcut here
	FaultSolution                  = rows.FaultSolution     // the solution of least squares overflows double precision
	FaultObjective                 = rows.FaultObjective    // the objective of RankSVM overflows double precision
	FaultNoModel                   = rows.FaultNoModel      // the deadline passed before there was a model
	FaultBasisSolver     FaultCode = "basis-solver"         // the solver takes no basis
	FaultTwoLabels       FaultCode = "two-labels"           // an ROC curve needs two labels
	FaultSelection       FaultCode = "selection"            // selecting features does not fit into memory
)
