package codes

import "pairrank/fault"

// The codes of errors that have a remedy: of rows and of every kind of data.
const (
	FaultManyFeatures     fault.Code = "many-features"     // vectors of features do not fit into memory
	FaultNothing          fault.Code = "nothing-to-learn"  // no two compared rows have different labels
	FaultNoModel          fault.Code = "no-model"          // the deadline passed before there was a model
	FaultObjective        fault.Code = "objective"         // the objective of RankSVM overflows double precision
	FaultSolution         fault.Code = "solution"          // the solution of least squares overflows double precision
	FaultNotExact         fault.Code = "not-exact"         // the method has no exact shortcut here
	FaultConnected        fault.Code = "connected"         // preferences connect queries
	FaultTimes            fault.Code = "times"             // labels are censored times
	FaultWeights          fault.Code = "weights"           // weights of rows that are none, or that nothing takes
	FaultOneRow           fault.Code = "one-row"           // there is a single row
	FaultOneLabel         fault.Code = "one-label"         // all labels are equal
	FaultValidation       fault.Code = "validation"        // concerns the rows for validation
	FaultFeatureOrder     fault.Code = "feature-order"     // rows for validation have their features in another order
	FaultAsymmetric       fault.Code = "asymmetric"        // the kernel matrix is not symmetric
	FaultManyRows         fault.Code = "many-rows"         // a kernel matrix does not fit into memory
	FaultLinearMemory     fault.Code = "linear-memory"     // a matrix of the linear kernel does not fit into memory
	FaultRelativeCost     fault.Code = "relative-cost"     // the weights of all pairs do not fit into memory
	FaultKernelMap        fault.Code = "kernel-map"        // the kernel map does not fit into memory
	FaultRandomFeatures   fault.Code = "random-features"   // the random features do not fit into memory
	FaultPairsOfQueries   fault.Code = "pairs-of-queries"  // leaving out all pairs of queries does not fit into memory
	FaultRepeatedIDs      fault.Code = "repeated-ids"      // names of rows that are held out apart repeat
	FaultSubject          fault.Code = "like-subjects"     // a feature numbers subjects whose rows are held out apart
	FaultGroups           fault.Code = "groups"            // groups or folds of rows beside preferences
	FaultOverflow                    = fault.Overflow      // a score is not finite
	FaultDeadline         fault.Code = "deadline"          // the deadline passed
	FaultIterations       fault.Code = "iterations"        // the limit of iterations was reached
	FaultRounding         fault.Code = "rounding"          // rounding ended the training
	FaultRoundingSquared  fault.Code = "rounding-squared"  // rounding ended the training with the squared hinge loss
	FaultBasisSolver      fault.Code = "basis-solver"      // the solver takes no basis
	FaultTwoLabels        fault.Code = "two-labels"        // an ROC curve needs two labels
	FaultSelection        fault.Code = "selection"         // selecting features does not fit into memory
	FaultQueryTwice       fault.Code = "query-twice"       // a query is added a second time
	FaultQueryUnknown     fault.Code = "query-unknown"     // a query is forgotten that was not added
	FaultStatisticsMemory fault.Code = "statistics-memory" // the statistics do not fit into memory
	FaultFewFolds         fault.Code = "few-folds"         // fewer than two folds have something to compare
)

// The codes of errors that have a remedy: of comparisons.
const (
	FaultSeparated      fault.Code = "separated"       // scores have no finite optimum
	FaultFewUnits       fault.Code = "few-units"       // no units to leave out for intervals
	FaultApart          fault.Code = "apart"           // there are components, between which no pair can be chosen
	FaultLargeHoldOut   fault.Code = "large-hold-out"  // a large board leaves out only folds
	FaultLargeIntervals fault.Code = "large-intervals" // a large board has no such intervals
	FaultLargeNext      fault.Code = "large-next"      // a large board chooses among some items
	FaultUnsolved       fault.Code = "unsolved"        // iterations ended above Tolerance
	FaultFactors        fault.Code = "factors"         // what is not there with factors of annotators
)

// The codes of errors that have a remedy: of edges between nodes.
const (
	FaultEdgesAsymmetric   fault.Code = "relation-asymmetric"     // similarity matrix: Options.Symmetrize
	FaultEdgesIndefinite   fault.Code = "relation-indefinite"     // similarity matrix: Options.PSD
	FaultEdgesNotPSD       fault.Code = "relation-not-psd"        // kernel matrix, found by factoring it
	FaultEdgesMemory       fault.Code = "relation-memory"         // kernel matrices do not fit: use Primal
	FaultEdgesNotExact     fault.Code = "relation-not-exact"      // no shortcut: use kfold
	FaultEdgesNoClosedForm fault.Code = "relation-no-closed-form" // use CG
	FaultEdgesOpenFolds    fault.Code = "relation-open-folds"     // folds have no closed form: use leave-one-out, or CG
	FaultEdgesMirrorFolds  fault.Code = "relation-mirror-folds"   // folds have no closed form: use CG for each fold
	FaultEdgesNumerical    fault.Code = "relation-numerical"      // use larger λ, or smaller features
	FaultEdgesOverflow     fault.Code = "relation-overflow"       // a score overflows: use smaller features
)
