package report

import (
	"fmt"
	"io"
	"strconv"

	"pairrank/eval/cv"
)

// ROC is a receiver operating characteristic curve with its summary.
type ROC struct {
	Points        []cv.ROCPoint `json:"points"`
	AUC           Number        `json:"auc"`
	CI95          cv.Interval   `json:"ci95"`
	Sensitivities []Sensitivity `json:"sensitivities"`
	Comparisons   int64         `json:"comparisons,omitempty"` // of quicksort
}

// Sensitivity is the sensitivity of a curve at a specificity.
type Sensitivity struct {
	Specificity Number `json:"specificity"`
	Sensitivity Number `json:"sensitivity"`
}

// text is the summary on one line.
func (r *ROC) text() string {
	text := fmt.Sprintf("AUC %.5f of the ranking by held-out pairs; sensitivity", float64(r.AUC))
	for k, s := range r.Sensitivities {
		if k > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %.3f at specificity %g", float64(s.Sensitivity), float64(s.Specificity))
	}
	return text
}

// WriteCurve writes the points of a curve as TSV: the threshold on the score, the false positive rate and the
// sensitivity.
func WriteCurve(w io.Writer, curve *cv.ROC) error {
	for _, p := range curve.Points {
		line := strconv.AppendFloat(nil, p.Threshold, 'g', -1, 64)
		line = strconv.AppendFloat(append(line, '\t'), p.FalsePositiveRate, 'g', -1, 64)
		line = strconv.AppendFloat(append(line, '\t'), p.Sensitivity, 'g', -1, 64)
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
