package fault

import "fmt"

// FeatureError says that the rows to be scored do not have the features of the model.
type FeatureError struct {
	Rows, Model int    // features of the rows and of the model
	Feature     int    // 1-based, the first whose name differs; 0 when there are too many
	Name, Want  string // its name in the rows, "" when they lack it, and in the model
	Extra       bool   // the rows have features that training never saw, which WithoutExtra leaves out
}

// Error returns the difference.
func (e *FeatureError) Error() string {
	if e.Feature == 0 {
		return fmt.Sprintf("the rows have %d features, more features than in training: %d", e.Rows, e.Model)
	}
	if e.Name == "" {
		return fmt.Sprintf("feature %d, %q in training, is missing", e.Feature, e.Want)
	}
	return fmt.Sprintf("feature %d is %q but was %q in training", e.Feature, e.Name, e.Want)
}

// Hint says what the user can do.
func (e *FeatureError) Hint() string {
	if e.Feature == 0 || e.Extra {
		return "score rows with the features of the training data, in the same order"
	}
	return "bring the columns into the order of the training data"
}
