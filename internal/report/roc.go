package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank"
	"pairrank/eval/cv"
	"pairrank/internal/figure"
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

// between is a number of the curve with its interval, or to the digits of the area.
func (r *ROC) between(n Number, i *cv.Interval) string {
	if i == nil {
		return within(n, nil, newRange(r.CI95).width())
	}
	return within(n, newRange(*i))
}

// area is the area with its interval.
func (r *ROC) area() string { return r.between(r.AUC, &r.CI95) }

// facts adds what was read off the curves.
func (r *ROC) facts(v *View) {
	var sensitivities, specificities []string
	for _, s := range r.Sensitivities {
		sensitivities = append(sensitivities, fmt.Sprintf("%s at specificity %g", r.between(s.Sensitivity, s.CI95),
			float64(s.Specificity)))
	}
	for _, s := range r.Specificities {
		specificities = append(specificities, fmt.Sprintf("%s at sensitivity %g", r.between(s.Specificity, s.CI95),
			float64(s.Sensitivity)))
	}
	text := "AUC " + r.area() + " of the ranking by held-out pairs"
	if len(sensitivities) > 0 {
		text += "; sensitivity " + strings.Join(sensitivities, ", ")
	}
	v.state("roc", "%s", text)
	if len(specificities) > 0 {
		v.state("", "specificity %s", strings.Join(specificities, ", "))
	}
	for _, p := range r.Partial {
		v.state("", "partial area %s of %s %g to %g, standardised %s", p.Area, p.Of, p.From, p.To,
			r.between(p.Standardised, p.CI95))
	}
	if p := r.PrecisionRecall; p != nil && p.PrecisionRecall != nil {
		v.state("", "average precision %s, %s by chance", r.between(Number(p.AveragePrecision), p.CI95),
			r.between(Number(p.Prevalence), nil))
	}
}

// mostPoints is the number of points of a curve that are drawn and listed.
const mostPoints = 100

// shareAxis is an axis from 0 to 1.
func shareAxis(label string) figure.Axis {
	return figure.Axis{Label: label, Include: []float64{0, 1}, Within: &[2]float64{0, 1}}
}

// pointsLeft says how many of n points a figure has, and what has all.
func pointsLeft(n int, all string) string {
	if n <= mostPoints {
		return ""
	}
	return fmt.Sprintf("The figure and the table have %d of %d points, evenly spaced in rank; %s.", mostPoints, n, all)
}

// rocFigure is the ROC curve of an estimate, nil if it has none.
func (d *Estimate) rocFigure() *Figure {
	r := d.ROC
	if r == nil || len(r.Points) == 0 {
		return nil
	}
	plot := &figure.Plot{X: shareAxis("false positive rate, 1 − specificity"), Y: shareAxis("sensitivity"),
		Rules: []figure.Rule{{Slope: true}}}
	line := figure.Line{}
	t := listed("Points of the ROC curve", "score of at least", "false positive rate", "sensitivity")
	for _, k := range spaced(len(r.Points), mostPoints) {
		p := r.Points[k]
		threshold := "none"
		if !math.IsInf(p.Threshold, 0) {
			threshold = figure.Short(p.Threshold)
		}
		y := number(Number(p.Sensitivity))
		t.row(threshold, number(Number(p.FalsePositiveRate)), y)
		line.X, line.Y = append(line.X, p.FalsePositiveRate), append(line.Y, p.Sensitivity)
		line.Says = append(line.Says, threshold+": "+y)
	}
	plot.Lines = []figure.Line{line}
	f := &Figure{Title: "The area under the ROC curve is " + r.area(), Table: t, Body: plot,
		Desc: "The ROC curve from (0,0) to (1,1), and the diagonal of chance.",
		Left: pointsLeft(len(r.Points), "cv --roc FILE writes all"),
		Text: []string{"Each pair of rows was scored by a model that was trained without both rows, and the rows are " +
			"ranked by these pairs (a tournament). The dashed line is chance. The area is the share of pairs of a positive " +
			"and a negative row in the right order."}}
	if len(d.Names) > 0 {
		text := "Features were selected anew without each pair."
		if len(d.Results) > 1 {
			text += " All rows chose λ and the number of features: the area is too high by what chance added to that choice."
		}
		f.Text = append(f.Text, text)
	}
	if r.CI95.Defined {
		f.Text = append(f.Text, "The width of its 95 % interval is that of the interval of the area over all held-out "+
			"pairs, from random splits of the rows into halves. The coverage was measured for that area, not for the area "+
			"of the tournament.")
	}
	if len(r.Partial) > 0 {
		f.Text = append(f.Text, "The partial area is standardised by McClish: ½ is chance, 1 perfect.")
	}
	if len(r.Band) > 0 {
		band := figure.Band{}
		for _, s := range r.Band {
			band.X = append(band.X, 1-float64(s.Specificity))
			band.Lo, band.Hi = append(band.Lo, s.CI95.Lo), append(band.Hi, s.CI95.Hi)
		}
		plot.Bands = []figure.Band{band}
		f.Text = append(f.Text, "The band has the 95 % interval of the sensitivity at each specificity, not of all at once, "+
			"by the curves of random halves with every choice made again in each. It begins where two negative rows are "+
			"called: before, an extreme score decides.")
	}
	return f
}

// precisionFigure is the precision–recall curve of an estimate, nil if it has none.
func (d *Estimate) precisionFigure() *Figure {
	if d.ROC == nil || d.ROC.PrecisionRecall == nil || d.ROC.PrecisionRecall.PrecisionRecall == nil {
		return nil
	}
	r := d.ROC.PrecisionRecall
	if len(r.Points) == 0 {
		return nil
	}
	line, recall := figure.Line{}, 0.0
	t := listed("Points of the precision–recall curve", "score of at least", "recall", "precision")
	for _, k := range spaced(len(r.Points), mostPoints) {
		p := r.Points[k]
		threshold, precision := figure.Short(p.Threshold), number(Number(p.Precision))
		t.row(threshold, number(Number(p.Recall)), precision)
		line.X, line.Y = append(line.X, recall, p.Recall), append(line.Y, p.Precision, p.Precision)
		line.Says = append(line.Says, threshold+": "+precision, threshold+": "+precision)
		recall = p.Recall
	}
	f := &Figure{Title: "The average precision is " + d.ROC.between(Number(r.AveragePrecision), r.CI95), Table: t,
		Desc: "The precision over the recall in steps, and the line of chance.",
		Left: pointsLeft(len(r.Points), "cv --json has all"),
		Body: &figure.Plot{X: shareAxis("recall, the sensitivity"), Y: shareAxis("precision"),
			Rules: []figure.Rule{{Y: r.Prevalence, Name: "chance"}}, Lines: []figure.Line{line}},
		Text: []string{fmt.Sprintf("The ranking is that of the ROC curve. Rows with equal scores are called together, and "+
			"nothing is interpolated: the average precision is the area below the steps, %s by chance.",
			d.ROC.between(Number(r.Prevalence), nil))}}
	if r.CI95 != nil {
		f.Text = append(f.Text, "Its 95 % interval is by random halves.")
	}
	return f
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
