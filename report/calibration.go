package report

import "pairrank/eval/metric"

// Calibration is how often the pairs of a model's ranking are in the right order, by the
// difference of their scores.
type Calibration struct {
	Model string // the file
	*metric.Calibration
}
