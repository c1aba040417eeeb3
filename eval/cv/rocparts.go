package cv

import (
	"fmt"
	"strconv"
	"strings"
)

// AtSensitivity returns the point with the largest specificity among those with at least the given sensitivity, without
// interpolation; among equals the one with the largest sensitivity. The last point, of sensitivity 1 and specificity 0,
// always qualifies. Cost O(m). It panics when sensitivity is not in [0,1].
func (r *ROC) AtSensitivity(sensitivity float64) ROCPoint {
	if !(sensitivity >= 0 && sensitivity <= 1) {
		panic(fmt.Sprintf("cv: a sensitivity is in [0,1], not %v", sensitivity))
	}
	best := r.Points[len(r.Points)-1]
	for k := len(r.Points) - 2; k >= 0; k-- {
		p := r.Points[k]
		if p.Sensitivity < sensitivity {
			break
		}
		if p.FalsePositives < best.FalsePositives {
			best = p
		}
	}
	return best
}

// PartialRange is a range of specificities or of sensitivities, for the part of an area.
type PartialRange struct {
	// Of is "specificity" or "sensitivity".
	Of string `json:"of"`
	// From and To are the ends, 0 ≤ From < To ≤ 1.
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// String is the range as ParsePartialRange reads it.
func (p PartialRange) String() string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return p.Of + "=" + number(p.From) + ":" + number(p.To)
}

// ParsePartialRange reads a range as specificity=0.9:1 or sensitivity=0.8:1. It returns an error for anything else.
// Cost O(1).
func ParsePartialRange(text string) (PartialRange, error) {
	of, ends, _ := strings.Cut(text, "=")
	from, to, _ := strings.Cut(ends, ":")
	p := PartialRange{Of: of}
	var errs [2]error
	p.From, errs[0] = strconv.ParseFloat(from, 64)
	p.To, errs[1] = strconv.ParseFloat(to, 64)
	if errs[0] != nil || errs[1] != nil || !p.valid() {
		return PartialRange{}, fmt.Errorf("a range is specificity=FROM:TO or sensitivity=FROM:TO with "+
			"0 <= FROM < TO <= 1, not %q", text)
	}
	return p, nil
}

// ofSpecificity and ofSensitivity are what a range is of.
const (
	ofSpecificity = "specificity"
	ofSensitivity = "sensitivity"
)

// valid reports whether the range is one.
func (p PartialRange) valid() bool {
	return (p.Of == ofSpecificity || p.Of == ofSensitivity) && p.From >= 0 && p.From < p.To && p.To <= 1
}

// PartialArea is a part of the area under a curve.
type PartialArea struct {
	PartialRange
	// Area is the area below the curve over a range of specificities, or the area to the right of the curve over a range
	// of sensitivities. The largest possible is To − From.
	Area float64
	// Standardised is ½ where the curve is that of chance in the range, and 1 where it is perfect,
	//
	//	½ (1 + (Area − c)/(To − From − c))        c = (To − From)(2 − From − To)/2
	//
	// with the area c below the diagonal (McClish 1989, Analyzing a portion of the ROC curve). It is below 0 where a short
	// range near 1 has a curve far below the diagonal.
	Standardised float64
}

// Partial returns the part of the area in a range: over a range of specificities, of false positive rates 1 − To to
// 1 − From, the area below the curve; over a range of sensitivities the area to the right of it (Jiang, Metz and
// Nishikawa 1996, A receiver operating characteristic partial area index for highly sensitive diagnostic tests).
// Between points the curve is straight, as ties of positives and negatives make it. Cost O(m). It panics unless the
// range has 0 ≤ From < To ≤ 1 and is of specificity or sensitivity.
func (r *ROC) Partial(p PartialRange) PartialArea {
	if !p.valid() {
		panic(fmt.Sprintf("cv: not a range: %+v", p))
	}
	lo, hi := 1-p.To, 1-p.From // of the axis x, along which the area is added up
	at := func(q ROCPoint) (x, y float64) { return q.FalsePositiveRate, q.Sensitivity }
	if p.Of == ofSensitivity { // the mirror of the curve in the other diagonal
		at = func(q ROCPoint) (x, y float64) { return 1 - q.Sensitivity, 1 - q.FalsePositiveRate }
	}
	a := PartialArea{PartialRange: p}
	x0, y0 := at(r.Points[0])
	for _, next := range r.Points[1:] {
		x1, y1 := at(next)
		left, right := x0, x1
		below, above := y0, y1
		if right < left {
			left, right, below, above = x1, x0, y1, y0
		}
		if from, to := max(left, lo), min(right, hi); from < to {
			height := func(x float64) float64 { return below + (above-below)*(x-left)/(right-left) }
			a.Area += (to - from) * (height(from) + height(to)) / 2
		}
		x0, y0 = x1, y1
	}
	width, chance := hi-lo, (hi-lo)*(hi+lo)/2
	a.Standardised = (1 + (a.Area-chance)/(width-chance)) / 2
	return a
}

// PrecisionRecall is the precision–recall curve of scores for two labels.
type PrecisionRecall struct {
	// Points are one for each different score, from the highest on: rows with equal scores are in one step.
	Points []PrecisionPoint `json:"points"`
	// AveragePrecision is the area below the steps, Σ (R_k − R_{k−1}) P_k with recall R_k and precision P_k at point k.
	AveragePrecision float64 `json:"average_precision"`
	// Prevalence is the share of the positives, the precision of chance.
	Prevalence float64 `json:"prevalence"`
}

// PrecisionPoint is the outcome of calling the rows with a score of at least Threshold positive.
type PrecisionPoint struct {
	Threshold float64 `json:"threshold"`
	// Recall is the share of the positives that are called, the sensitivity.
	Recall float64 `json:"recall"`
	// Precision is the share of positives among the called rows.
	Precision float64 `json:"precision"`
}

// PrecisionRecall returns the precision–recall curve. It does not interpolate: between two thresholds no set of rows
// is called, and a straight line between the points is above what thresholds reach (Davis and Goadrich 2006, The
// relationship between precision-recall and ROC curves). Average precision is that of steps (Boyd, Eng and Page 2013,
// Area under the precision-recall curve: point estimates and confidence intervals). Tied rows are called together,
// where the metric map averages over their orders. Cost O(m).
func (r *ROC) PrecisionRecall() *PrecisionRecall {
	p := &PrecisionRecall{Prevalence: float64(r.Positives) / float64(r.Positives+r.Negatives)}
	if w := r.Weights; w != nil {
		p.Prevalence = w.Positives / (w.Positives + w.Negatives)
	}
	recall := 0.0
	for _, q := range r.Points[1:] {
		point := PrecisionPoint{q.Threshold, q.Sensitivity,
			float64(q.TruePositives) / float64(q.TruePositives+q.FalsePositives)}
		if w := r.Weights; w != nil {
			called := w.Positives * q.Sensitivity
			point.Precision = called / (called + w.Negatives*q.FalsePositiveRate)
		}
		p.AveragePrecision += (point.Recall - recall) * point.Precision
		recall = point.Recall
		p.Points = append(p.Points, point)
	}
	return p
}
