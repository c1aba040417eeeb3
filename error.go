package pairrank

import (
	"pairrank/fault"
	"pairrank/internal/rows"
)

// The codes of errors that have a remedy.
const (
	FaultOneRow          fault.Code = "one-row"              // there is a single row
	FaultOneLabel        fault.Code = "one-label"            // all labels are equal
	FaultValidation      fault.Code = "validation"           // concerns the rows for validation
	FaultFeatureOrder    fault.Code = "feature-order"        // rows for validation have their features in another order
	FaultAsymmetric      fault.Code = "asymmetric"           // the kernel matrix is not symmetric
	FaultManyFeatures               = rows.FaultManyFeatures // vectors of features do not fit into memory
	FaultManyRows        fault.Code = "many-rows"            // a kernel matrix does not fit into memory
	FaultLinearMemory    fault.Code = "linear-memory"        // a matrix of the linear kernel does not fit into memory
	FaultRelativeCost    fault.Code = "relative-cost"        // the weights of all pairs do not fit into memory
	FaultKernelMap       fault.Code = "kernel-map"           // the kernel map does not fit into memory
	FaultRandomFeatures  fault.Code = "random-features"      // the random features do not fit into memory
	FaultPairsOfQueries  fault.Code = "pairs-of-queries"     // leaving out all pairs of queries does not fit into memory
	FaultConnected                  = rows.FaultConnected    // preferences connect queries
	FaultRepeatedIDs     fault.Code = "repeated-ids"         // names of rows that are held out apart repeat
	FaultSubject         fault.Code = "like-subjects"        // a feature numbers subjects whose rows are held out apart
	FaultGroups          fault.Code = "groups"               // groups or folds of rows beside preferences
	FaultOverflow                   = fault.Overflow         // a score is not finite
	FaultDeadline        fault.Code = "deadline"             // the deadline passed
	FaultIterations      fault.Code = "iterations"           // the limit of iterations was reached
	FaultRounding        fault.Code = "rounding"             // rounding ended the training
	FaultRoundingSquared fault.Code = "rounding-squared"     // rounding ended the training with the squared hinge loss
	FaultNothing                    = rows.FaultNothing      // no two compared rows have different labels
	FaultNotExact                   = rows.FaultNotExact     // the method has no exact shortcut here
	FaultSolution                   = rows.FaultSolution     // the solution of least squares overflows double precision
	FaultObjective                  = rows.FaultObjective    // the objective of RankSVM overflows double precision
	FaultNoModel                    = rows.FaultNoModel      // the deadline passed before there was a model
	FaultBasisSolver     fault.Code = "basis-solver"         // the solver takes no basis
	FaultTwoLabels       fault.Code = "two-labels"           // an ROC curve needs two labels
	FaultSelection       fault.Code = "selection"            // selecting features does not fit into memory
)
