package cv

import "pairrank/eval/metric"

// Special numbers of features to leave out.
const (
	// ImportanceAuto leaves out as many as take some ten seconds of one core, at least one.
	ImportanceAuto = 0
	// ImportanceAll leaves out every feature in turn.
	ImportanceAll = -1
)

// Importance is the held-out error without each feature.
type Importance struct {
	// Method and Metric define Value: the held-out error, or the metric where one is set.
	Method Method
	Metric *metric.Metric
	// Candidate is the λ, or the number of rounds, that Estimate chose, at which Value holds with
	// all features. Kernel is the chosen kernel.
	Candidate float64
	Value     float64
	StdErr    metric.Value // of the error
	Pairs     int64
	// Again says that the candidate was chosen again for every feature.
	Again bool
	// Sized says that features have a Size. Otherwise they are left out in their order.
	Sized bool
	// Features are those that were left out, by falling Worse; Left is the number of others.
	Features []FeatureImportance
	Left     int
}

// FeatureImportance is the effect of leaving out one feature.
type FeatureImportance struct {
	Feature int    // from 0
	Name    string // "" where features have no names
	// Size is |w_j| times the standard deviation of the feature, or for stumps the sum of |w_t|
	// over the stumps of the feature, from a training on all rows. Features with the largest Size
	// are left out first. It is NaN for kernels.
	Size float64
	// Value is the error, or the metric, without the feature, at the same candidate.
	Value float64
	// Worse is by how much Value is worse than with the feature. StdErr is the standard error of
	// Worse over the same held-out rows; see the function Worse.
	Worse  float64
	StdErr metric.Value
	// AgainCandidate is the best candidate without the feature, and AgainValue the value there, if
	// Again is set; else NaN.
	AgainCandidate, AgainValue float64
}
