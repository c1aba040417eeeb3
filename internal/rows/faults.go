package rows

import (
	"context"
	"errors"

	"pairrank/internal/fault"
	"pairrank/internal/goals"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
)

// The codes of errors that have a remedy.
const (
	FaultOneRow          fault.Code = "one-row"          // there is a single row
	FaultOneLabel        fault.Code = "one-label"        // all labels are equal
	FaultValidation      fault.Code = "validation"       // concerns the rows for validation
	FaultFeatureOrder    fault.Code = "feature-order"    // the rows for validation have their features in another order
	FaultAsymmetric      fault.Code = "asymmetric"       // the kernel matrix is not symmetric
	FaultManyFeatures    fault.Code = "many-features"    // vectors of features do not fit into memory
	FaultManyRows        fault.Code = "many-rows"        // a kernel matrix does not fit into memory
	FaultLinearMemory    fault.Code = "linear-memory"    // a matrix of the linear kernel does not fit into memory
	FaultRelativeCost    fault.Code = "relative-cost"    // the weights of all pairs do not fit into memory
	FaultKernelMap       fault.Code = "kernel-map"       // the kernel map does not fit into memory
	FaultRandomFeatures  fault.Code = "random-features"  // the random features do not fit into memory
	FaultPairsOfQueries  fault.Code = "pairs-of-queries" // leaving out all pairs of queries does not fit into memory
	FaultConnected       fault.Code = "connected"        // preferences connect queries
	FaultRepeatedIDs     fault.Code = "repeated-ids"     // names of rows that are held out apart repeat
	FaultSubject         fault.Code = "like-subjects"    // a feature numbers subjects whose rows are held out apart
	FaultGroups          fault.Code = "groups"           // groups or folds of rows beside preferences
	FaultOverflow                   = fault.Overflow     // a score is not finite
	FaultDeadline        fault.Code = "deadline"         // the deadline passed
	FaultIterations      fault.Code = "iterations"       // the limit of iterations was reached
	FaultRounding        fault.Code = "rounding"         // rounding ended the training
	FaultRoundingSquared fault.Code = "rounding-squared" // rounding ended the training with the squared hinge loss
	FaultNothing         fault.Code = "nothing-to-learn" // no two compared rows have different labels
	FaultNotExact        fault.Code = "not-exact"        // the method has no exact shortcut here
	FaultSolution        fault.Code = "solution"         // the solution of least squares overflows double precision
	FaultObjective       fault.Code = "objective"        // the objective of RankSVM overflows double precision
	FaultNoModel         fault.Code = "no-model"         // the deadline passed before there was a model
	FaultBasisSolver     fault.Code = "basis-solver"     // the solver takes no basis
	FaultTwoLabels       fault.Code = "two-labels"       // an ROC curve needs two labels
	FaultSelection       fault.Code = "selection"        // selecting features does not fit into memory
)

// isNothing reports whether an error means that there is nothing to learn.
func isNothing(err error) bool { return errors.Is(err, goals.ErrNothingToLearn) }

// conclude gives errors of the learners their kind and code. It returns the error of a cancelled context
// unchanged.
func conclude(err error) error {
	var known *fault.Error
	var inexact *rls.NotExactError
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case isNothing(err):
		return fault.As(fault.Data, FaultNothing, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.As(fault.Numerical, FaultNoModel, err)
	case errors.Is(err, ranksvm.ErrNumerical):
		return fault.As(fault.Numerical, FaultObjective, err)
	case errors.Is(err, rls.ErrNumerical):
		return fault.As(fault.Numerical, FaultSolution, err)
	case errors.As(err, &inexact):
		return fault.As(fault.Use, FaultNotExact, err)
	}
	return err
}
