package report

import "pairrank/eval/metric"

// Calibration is how often a model puts pairs in the right order, by the difference of their scores.
type Calibration struct {
	Kind  Kind             `json:"kind"`
	Model string           `json:"model"` // the file
	Bins  []CalibrationBin `json:"bins"`  // by rising difference
	Pairs Number           `json:"pairs"` // of a query with different labels; null if they were sampled
	Drawn int              `json:"drawn,omitempty"`
	// Queries is the number of queries with such a pair.
	Queries int `json:"queries"`
}

// CalibrationBin has the pairs whose scores differ by Lo to Hi.
type CalibrationBin struct {
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
	Mean   Number `json:"mean"`
	Pairs  int    `json:"pairs"`
	Right  Number `json:"right"` // the share in the order of the labels, ties ½
	StdErr Number `json:"stderr"`
}

// NewCalibration is the document of the calibration of the model in a file.
func NewCalibration(model string, c *metric.Calibration) *Calibration {
	d := &Calibration{Kind: KindCalibration, Model: model, Pairs: Number(c.Pairs), Drawn: c.Drawn, Queries: c.Queries,
		Bins: []CalibrationBin{}}
	for _, b := range c.Bins {
		d.Bins = append(d.Bins, CalibrationBin{Number(b.Lo), Number(b.Hi), Number(b.Mean), b.Pairs, Number(b.Right),
			ValueNumber(b.StdErr)})
	}
	return d
}
