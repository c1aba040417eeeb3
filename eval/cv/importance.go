package cv

import "pairrank/eval/metric"

// How many features are left out, where that is no number of them.
const (
	// ImportanceAuto are as many as take some tens of seconds of one core, at least one.
	ImportanceAuto = 0
	// ImportanceAll is every feature.
	ImportanceAll = -1
)

// Importance is what each feature is worth: the held-out error without it.
type Importance struct {
	// Method and Metric say what Value is: a held-out error, or where there is one the
	// metric.
	Method Method
	Metric *metric.Metric
	// Candidate is the λ, or the number of rounds, at which Value is, with all features;
	// it is the one that Estimate chose. Kernel is likewise.
	Candidate float64
	Value     float64
	StdErr    metric.Value // of the error
	Pairs     int64
	// Again says that the candidate was chosen again for every feature.
	Again bool
	// Sized says that features have a Size; else they are in their order.
	Sized bool
	// Features are those that were left out, by falling Worse; Left is how many were not.
	Features []FeatureImportance
	Left     int
}

// FeatureImportance is what one feature is worth.
type FeatureImportance struct {
	Feature int    // from 0
	Name    string // "" where features have no names
	// Size is |w_j| times the standard deviation of the feature, of stumps the sum of
	// |w_t| over those of the feature, of a training on all rows: by it features are
	// left out first. It is NaN for kernels.
	Size float64
	// Value is the error, or the metric, without the feature, at the same candidate.
	Value float64
	// Worse is by how much that is worse than with it, and StdErr its standard error
	// over the same held-out rows: see Worse.
	Worse  float64
	StdErr metric.Value
	// AgainCandidate is the best candidate without the feature, and AgainValue what it
	// comes to, where Again says so; else NaN.
	AgainCandidate, AgainValue float64
}
