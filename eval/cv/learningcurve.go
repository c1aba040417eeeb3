package cv

// LearningCurve is the held-out error as a function of the amount of training data.
type LearningCurve struct {
	// Of names the units: query, or row for a single list.
	Of string
	// Points go from few units to all; the last is the estimate itself.
	Points []CurvePoint
}

// CurvePoint is the held-out error of training on parts of the data.
type CurvePoint struct {
	// Units is the mean number of queries or rows of the parts.
	Units float64
	// Error is the mean over the parts, and the outputs, of the held-out error at the best
	// kernel and candidate, chosen anew in each part.
	Error float64
	// Deviation is the standard deviation of the error between the parts, NaN for one part.
	Deviation float64
	// Repeats is the number of parts.
	Repeats int
}
