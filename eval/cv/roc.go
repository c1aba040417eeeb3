package cv

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pairrank/eval/metric"
)

// ROC is the receiver operating characteristic curve of scores for two labels.
type ROC struct {
	// Points are from (0,0) to (1,1), a step for each different score, from the
	// highest on: rows with equal scores are in one step.
	Points []ROCPoint `json:"points"`
	// AUC is the trapezoid area below the points: the share of the pairs of a
	// positive and a negative row that the scores order rightly, ties ½.
	AUC float64 `json:"auc"`
	// StdErr is the standard error of AUC,
	//
	//	√( Var_i(V_i)/p + Var_j(V_j)/n )
	//
	// with V_i the share of the n negatives below positive i, V_j the share of the p positives
	// above negative j, ties ½, and sample variances (DeLong, DeLong and Clarke-Pearson 1988,
	// Comparing the areas under two or more correlated receiver operating characteristic curves).
	// It is not defined where a label has one row. It ignores that scores from held-out pairs
	// depend on one another.
	StdErr metric.Value `json:"standard_error"`
	// Interval is the 95 % interval of AUC by DeLongInterval.
	Interval Interval `json:"ci95"`
	// Positives and Negatives are the rows with the greater and the lesser label.
	Positives int `json:"positives"`
	Negatives int `json:"negatives"`
}

// ROCPoint is the outcome of calling the rows with a score of at least Threshold
// positive.
type ROCPoint struct {
	// Threshold is a score, or +Inf at the first point, which calls no row.
	Threshold float64
	// TruePositives and FalsePositives count the positive and the negative rows that are called
	// positive.
	TruePositives, FalsePositives int
	// FalsePositiveRate is the share of the negatives that are called, 1 −
	// specificity.
	FalsePositiveRate float64
	// Sensitivity is the share of the positives that are called.
	Sensitivity float64
}

// rocPoint is the JSON form of a ROCPoint.
type rocPoint struct {
	Threshold         metric.Value `json:"threshold"` // null is infinite
	TruePositives     int          `json:"true_positives"`
	FalsePositives    int          `json:"false_positives"`
	FalsePositiveRate float64      `json:"false_positive_rate"`
	Sensitivity       float64      `json:"sensitivity"`
}

// MarshalJSON writes an infinite threshold as null.
func (p ROCPoint) MarshalJSON() ([]byte, error) {
	return json.Marshal(rocPoint{metric.Value{Value: p.Threshold, Defined: !math.IsInf(p.Threshold, 0)},
		p.TruePositives, p.FalsePositives, p.FalsePositiveRate, p.Sensitivity})
}

// UnmarshalJSON reads what MarshalJSON writes. It returns an error for other JSON.
func (p *ROCPoint) UnmarshalJSON(text []byte) error {
	d := rocPoint{}
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	*p = ROCPoint{d.Threshold.Value, d.TruePositives, d.FalsePositives, d.FalsePositiveRate, d.Sensitivity}
	if !d.Threshold.Defined {
		p.Threshold = math.Inf(1)
	}
	return nil
}

// NewROC returns the ROC curve of m scores, where the greater of the two labels in y is
// positive, in O(m log m) (Fawcett 2006, An introduction to ROC analysis). It returns an
// error where y does not have exactly two different values, or a score or label is NaN.
// It panics when the lengths differ.
func NewROC(scores, y []float64) (*ROC, error) {
	if len(scores) != len(y) {
		panic(fmt.Sprintf("cv: %d scores for %d labels", len(scores), len(y)))
	}
	positive, err := twoLabels(y)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(scores))
	for i, s := range scores {
		if math.IsNaN(s) {
			return nil, fmt.Errorf("the score of row %d is not a number", i+1)
		}
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case scores[i] > scores[j]:
			return -1
		case scores[i] < scores[j]:
			return 1
		}
		return 0
	})
	r := &ROC{}
	for _, p := range positive {
		if p {
			r.Positives++
		} else {
			r.Negatives++
		}
	}
	r.steps(order, scores, positive)
	r.area()
	return r, nil
}

// twoLabels marks the rows with the greater of two labels.
func twoLabels(y []float64) ([]bool, error) {
	if len(y) == 0 {
		return nil, fmt.Errorf("no rows, and a ROC curve needs two labels")
	}
	for i, v := range y {
		if math.IsNaN(v) {
			return nil, fmt.Errorf("the label of row %d is not a number", i+1)
		}
	}
	lo, hi := slices.Min(y), slices.Max(y)
	if lo == hi {
		return nil, fmt.Errorf("all labels are %g, and a ROC curve needs two", lo)
	}
	positive := make([]bool, len(y))
	for i, v := range y {
		if v != lo && v != hi {
			return nil, fmt.Errorf("labels %g, %g and %g are three, and a ROC curve needs two", lo, v, hi)
		}
		positive[i] = v == hi
	}
	return positive, nil
}

// steps fills Points from rows in descending order of their scores.
func (r *ROC) steps(order []int, scores []float64, positive []bool) {
	p := ROCPoint{Threshold: math.Inf(1)}
	r.Points = append(r.Points, p)
	for x, i := range order {
		if positive[i] {
			p.TruePositives++
		} else {
			p.FalsePositives++
		}
		if x+1 < len(order) && scores[order[x+1]] == scores[i] {
			continue
		}
		p.Threshold = scores[i]
		p.Sensitivity = float64(p.TruePositives) / float64(r.Positives)
		p.FalsePositiveRate = float64(p.FalsePositives) / float64(r.Negatives)
		r.Points = append(r.Points, p)
	}
}

// area fills AUC, StdErr and Interval. In a step from (T,F) with t positives and f negatives, each
// positive has 2(n−F)−f half negatives below it, and each negative 2T+t half positives above it.
// These are integers; all sums but those of squares are exact.
func (r *ROC) area() {
	p, n := int64(r.Positives), int64(r.Negatives)
	won := int64(0) // halves of p n
	var step ROCPoint
	for _, next := range r.Points[1:] {
		won += int64(next.TruePositives-step.TruePositives) * (2*n - int64(step.FalsePositives+next.FalsePositives))
		step = next
	}
	r.AUC = float64(won) / 2 / float64(p) / float64(n)
	if p < 2 || n < 2 {
		return
	}
	ofPositives, ofNegatives := 0.0, 0.0 // squares about the mean
	step = r.Points[0]
	for _, next := range r.Points[1:] {
		t, f := next.TruePositives-step.TruePositives, next.FalsePositives-step.FalsePositives
		d := float64(2*r.Negatives-step.FalsePositives-next.FalsePositives)/2/float64(n) - r.AUC
		ofPositives += float64(t) * d * d
		d = float64(step.TruePositives+next.TruePositives)/2/float64(p) - r.AUC
		ofNegatives += float64(f) * d * d
		step = next
	}
	r.StdErr = metric.Value{
		Value:   math.Sqrt(ofPositives/float64(p-1)/float64(p) + ofNegatives/float64(n-1)/float64(n)),
		Defined: true,
	}
	r.Interval = DeLongInterval(r.AUC, r.StdErr.Value, r.Positives, r.Negatives)
}

// At returns the point with the largest sensitivity among those with at least the given
// specificity, without interpolation; among equals the one with the largest specificity.
// The first point, of sensitivity 0 and specificity 1, always qualifies. Cost O(m). It
// panics when specificity is not in [0,1].
func (r *ROC) At(specificity float64) ROCPoint {
	if !(specificity >= 0 && specificity <= 1) {
		panic(fmt.Sprintf("cv: a specificity is in [0,1], not %v", specificity))
	}
	best := r.Points[0]
	for _, p := range r.Points[1:] {
		if float64(r.Negatives-p.FalsePositives)/float64(r.Negatives) < specificity {
			break
		}
		if p.TruePositives > best.TruePositives {
			best = p
		}
	}
	return best
}
