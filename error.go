package pairrank

import (
	"pairrank/internal/fault"
	"pairrank/internal/rows"
)

// Error is an error of Train and Estimate, as facts: whose the fault is, which one it
// is, and the option that it is about. It wraps the errors of the learners below, as
// rls.ErrNumerical, *rls.NotExactError and pref.ErrNothingToLearn. errors.As finds it in the errors of every package
// of the module.
type Error struct {
	Kind Kind
	// Code says which error it is, where it has a way out of its own, else "".
	Code FaultCode
	// Option is the field of the options that the error is about, as "Solver"; "" is none. It is the subject of the
	// sentence, which Err goes on with.
	Option string
	// Values are the values that the text names, in its order.
	Values []any
	// Err says what is wrong.
	Err error
}

// Error is what is wrong, with the option.
func (e *Error) Error() string { return (*fault.Error)(e).Error() }

// Unwrap returns what is wrong.
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

// Kind says whose the fault is.
type Kind = fault.Kind

// The kinds of Error.
const (
	// Use is of an option that cannot be used as it is given, Data of what is learnt from,
	// Numerical of a computation that double precision does not carry or that ended before
	// its optimum, and Memory of work that does not fit into the memory that is free.
	Use, Data, Numerical, Memory = fault.Use, fault.Data, fault.Numerical, fault.Memory
)

// FaultCode names an error for programs.
type FaultCode = fault.Code

// The codes of errors that have a way out of their own.
const (
	FaultOneRow          = rows.FaultOneRow          // there is a single row
	FaultOneLabel        = rows.FaultOneLabel        // all labels are equal
	FaultValidation      = rows.FaultValidation      // about the rows for validation
	FaultFeatureOrder    = rows.FaultFeatureOrder    // their features have another order
	FaultAsymmetric      = rows.FaultAsymmetric      // the kernel matrix is not symmetric
	FaultManyFeatures    = rows.FaultManyFeatures    // vectors of features do not fit into memory
	FaultManyRows        = rows.FaultManyRows        // a kernel matrix does not
	FaultLinearMemory    = rows.FaultLinearMemory    // a matrix of the linear kernel does not
	FaultRelativeCost    = rows.FaultRelativeCost    // the weights of all pairs do not
	FaultKernelMap       = rows.FaultKernelMap       // the kernel map does not
	FaultRandomFeatures  = rows.FaultRandomFeatures  // the random features do not
	FaultPairsOfQueries  = rows.FaultPairsOfQueries  // leaving out all pairs of queries does not
	FaultConnected       = rows.FaultConnected       // preferences connect all rows
	FaultOverflow        = rows.FaultOverflow        // a score is not finite
	FaultDeadline        = rows.FaultDeadline        // the time was over
	FaultIterations      = rows.FaultIterations      // the iterations were
	FaultRounding        = rows.FaultRounding        // rounding ended the training
	FaultRoundingSquared = rows.FaultRoundingSquared // the same of the squared hinge loss
	FaultNothing         = rows.FaultNothing         // no two compared rows have different labels
	FaultNotExact        = rows.FaultNotExact        // there is no shortcut for what is held out
	FaultSolution        = rows.FaultSolution        // least squares leaves double precision
	FaultObjective       = rows.FaultObjective       // the objective of RankSVM does
	FaultNoModel         = rows.FaultNoModel         // the time was over before there was a model
	FaultBasisSolver     = rows.FaultBasisSolver     // the solver takes no basis
	FaultTwoLabels       = rows.FaultTwoLabels       // an ROC curve needs two labels
)
