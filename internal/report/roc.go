package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pairrank"
	"pairrank/eval/cv"
)

// ROC is a receiver operating characteristic curve with its summary, and the precision–recall curve of the same
// ranking.
type ROC struct {
	Points        []cv.ROCPoint `json:"points"`
	AUC           Number        `json:"auc"`
	CI95          cv.Interval   `json:"ci95"`
	Sensitivities []Sensitivity `json:"sensitivities"`
	Specificities []Specificity `json:"specificities,omitempty"`
	Partial       []Partial     `json:"partial,omitempty"`
	// Band has a 95 % interval of the sensitivity at each specificity, not of all at once.
	Band            []Sensitivity    `json:"band,omitempty"`
	PrecisionRecall *PrecisionRecall `json:"precision_recall,omitempty"`
}

// Sensitivity is the sensitivity of a curve at a specificity.
type Sensitivity struct {
	Specificity Number       `json:"specificity"`
	Sensitivity Number       `json:"sensitivity"`
	CI95        *cv.Interval `json:"ci95,omitempty"` // of the sensitivity
}

// Specificity is the specificity of a curve at a sensitivity.
type Specificity struct {
	Sensitivity Number       `json:"sensitivity"`
	Specificity Number       `json:"specificity"`
	CI95        *cv.Interval `json:"ci95,omitempty"` // of the specificity
}

// Partial is a part of the area over a range.
type Partial struct {
	cv.PartialRange
	Area         Number       `json:"area"`
	Standardised Number       `json:"standardised"`
	CI95         *cv.Interval `json:"ci95,omitempty"` // of the standardised area
}

// PrecisionRecall is a precision–recall curve.
type PrecisionRecall struct {
	*cv.PrecisionRecall
	CI95 *cv.Interval `json:"ci95,omitempty"` // of the average precision
}

// AddROC adds the ROC curve of an estimate and what was read off it to the document.
func (d *Estimate) AddROC(e *pairrank.Estimated, curve *cv.ROC, answers *cv.ROCAnswers) {
	r := &ROC{Points: curve.Points, AUC: Number(curve.AUC)}
	if i := e.IntervalOf(1-curve.AUC, 0); i.Defined {
		r.CI95 = i.Complement()
	}
	known := func(i cv.Interval) *cv.Interval {
		if !i.Defined {
			return nil
		}
		return &i
	}
	for _, s := range answers.Sensitivities {
		r.Sensitivities = append(r.Sensitivities, Sensitivity{Number(s.At), Number(s.Value), known(s.Interval)})
	}
	for _, s := range answers.Specificities {
		r.Specificities = append(r.Specificities, Specificity{Number(s.At), Number(s.Value), known(s.Interval)})
	}
	for _, p := range answers.Partial {
		r.Partial = append(r.Partial, Partial{p.PartialRange, Number(p.Area), Number(p.Standardised), known(p.Interval)})
	}
	for _, s := range answers.Band {
		if i := known(s.Interval); i != nil {
			r.Band = append(r.Band, Sensitivity{Number(s.At), Number(s.Value), i})
		}
	}
	r.PrecisionRecall = &PrecisionRecall{answers.Curve, known(answers.AveragePrecision)}
	d.ROC = r
}

// interval is an interval behind a number, "" for nil.
func interval(i *cv.Interval) string {
	if i == nil {
		return ""
	}
	return fmt.Sprintf(" (%.3f to %.3f)", i.Lo, i.Hi)
}

// write writes the summary.
func (r *ROC) write(l *lines) {
	var texts []string
	for _, s := range r.Sensitivities {
		texts = append(texts, fmt.Sprintf("%.3f%s at specificity %g", float64(s.Sensitivity), interval(s.CI95),
			float64(s.Specificity)))
	}
	text := fmt.Sprintf("AUC %.5f of the ranking by held-out pairs", float64(r.AUC))
	if len(texts) > 0 {
		text += "; sensitivity " + strings.Join(texts, ", ")
	}
	l.line("roc", "%s", text)
	texts = nil
	for _, s := range r.Specificities {
		texts = append(texts, fmt.Sprintf("%.3f%s at sensitivity %g", float64(s.Specificity), interval(s.CI95),
			float64(s.Sensitivity)))
	}
	if len(texts) > 0 {
		l.line("", "specificity %s", strings.Join(texts, ", "))
	}
	for _, p := range r.Partial {
		l.line("", "%s", p.Text())
	}
	if p := r.PrecisionRecall; p != nil && p.PrecisionRecall != nil {
		l.line("", "average precision %.5f%s, %.5f by chance", p.AveragePrecision, interval(p.CI95), p.Prevalence)
	}
}

// Text is the partial area in words.
func (p *Partial) Text() string {
	return fmt.Sprintf("partial area %.5f of %s %g to %g, standardised %.5f%s", float64(p.Area), p.Of, p.From, p.To,
		float64(p.Standardised), interval(p.CI95))
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
