package cv

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/pick"
	"pairrank/internal/student"
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
	// Interval is the 95 % interval of AUC by ShareInterval over twice the rarer label.
	Interval Interval `json:"ci95"`
	// Positives and Negatives are the rows with the greater and the lesser label.
	Positives int `json:"positives"`
	Negatives int `json:"negatives"`
	// Weights has the sums of their weights; nil where rows have none.
	Weights *ROCWeights `json:"weights,omitempty"`
}

// ROCWeights are the sums of the weights of the rows of each label, and how many rows of equal weight would be as
// precise, (Σw)²/Σw².
type ROCWeights struct {
	Positives          float64 `json:"positives"`
	Negatives          float64 `json:"negatives"`
	EffectivePositives float64 `json:"effective_positives"`
	EffectiveNegatives float64 `json:"effective_negatives"`
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
func NewROC(scores, y []float64) (*ROC, error) { return NewWeightedROC(scores, y, nil) }

// NewWeightedROC is NewROC of rows with weights above 0; nil is 1 for each, and gives NewROC. Rates are shares by
// weight, and a pair counts the product of its weights. With V_i and V_j by weight, s the sum of the weights of a label
// and k = s²/Σw² its effective rows, the standard error is
//
//	√( k/(k−1) Σ_i w_i² (V_i − AUC)²/s² + the same over the negatives )
//
// which takes weights as given, not as numbers of copies, and is not defined where k is below 2. The interval has 2
// min(k) units, rounded down. Weights that are all equal give NewROC, but for rounding.
func NewWeightedROC(scores, y, weights []float64) (*ROC, error) {
	if len(scores) != len(y) || weights != nil && len(weights) != len(y) {
		panic(fmt.Sprintf("cv: %d scores and %d weights for %d labels", len(scores), len(weights), len(y)))
	}
	positive, err := twoLabels(y)
	if err != nil {
		return nil, err
	}
	order := pick.All[int](len(scores))
	for i, s := range scores {
		if math.IsNaN(s) {
			return nil, fmt.Errorf("the score of row %d is not a number", i+1)
		}
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
	all := r.steps(order, scores, weights, positive)
	if weights != nil {
		r.Weights = &ROCWeights{all.positives.Sum, all.negatives.Sum, all.positives.Rows(), all.negatives.Rows()}
	}
	r.area(all)
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

// rocSums are the weights of rows of both labels.
type rocSums struct{ positives, negatives student.Effective }

// steps fills Points from rows in descending order of their scores, and returns the sums up to each point.
func (r *ROC) steps(order []int, scores, weights []float64, positive []bool) (all rocTotals) {
	p := ROCPoint{Threshold: math.Inf(1)}
	r.Points, all.upTo = append(r.Points, p), append(all.upTo, rocSums{})
	for x, i := range order {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if positive[i] {
			p.TruePositives++
			all.positives.Add(w)
		} else {
			p.FalsePositives++
			all.negatives.Add(w)
		}
		if x+1 < len(order) && scores[order[x+1]] == scores[i] {
			continue
		}
		p.Threshold = scores[i]
		r.Points, all.upTo = append(r.Points, p), append(all.upTo, all.rocSums)
	}
	for k, s := range all.upTo {
		q := &r.Points[k]
		q.Sensitivity, q.FalsePositiveRate = s.positives.Sum/all.positives.Sum, s.negatives.Sum/all.negatives.Sum
	}
	return all
}

// rocTotals are the sums of all rows, and of those up to each point.
type rocTotals struct {
	rocSums
	upTo []rocSums
}

// area fills AUC, StdErr and Interval. In a step from (T,F) with t positives and f negatives by weight, each
// positive has 2(n−F)−f halves of negatives below it, and each negative 2T+t halves of positives above it. Without
// weights these are integers, and all sums but those of squares are exact.
func (r *ROC) area(all rocTotals) {
	p, n := all.positives, all.negatives
	won, lost := 0.0, 0.0 // halves of p n
	var step rocSums
	for _, next := range all.upTo[1:] {
		t := next.positives.Sum - step.positives.Sum
		won += t * (2*n.Sum - (step.negatives.Sum + next.negatives.Sum))
		lost += t * (step.negatives.Sum + next.negatives.Sum)
		step = next
	}
	if r.AUC = won / 2 / p.Sum / n.Sum; lost == 0 {
		r.AUC = 1 // without rounding
	}
	kp, kn := p.Rows(), n.Rows()
	if kp < 2 || kn < 2 {
		return
	}
	ofPositives, ofNegatives := 0.0, 0.0 // squares about the mean
	step = rocSums{}
	for _, next := range all.upTo[1:] {
		d := (2*n.Sum-(step.negatives.Sum+next.negatives.Sum))/2/n.Sum - r.AUC
		ofPositives += (next.positives.Squares - step.positives.Squares) * d * d
		d = (step.positives.Sum+next.positives.Sum)/2/p.Sum - r.AUC
		ofNegatives += (next.negatives.Squares - step.negatives.Squares) * d * d
		step = next
	}
	variance := ofPositives/(kp-1)/p.Squares + ofNegatives/(kn-1)/n.Squares
	if variance < rounded {
		variance = 0
	}
	r.StdErr = metric.Value{Value: math.Sqrt(variance), Defined: true}
	r.Interval = ShareInterval(r.AUC, r.StdErr.Value*r.StdErr.Value, student.Whole(2*min(kp, kn)))
}

// rounded is far more than the rounding of a variance of 0.
const rounded = 0x1p-98

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
		if r.specificity(p) < specificity {
			break
		}
		if p.TruePositives > best.TruePositives {
			best = p
		}
	}
	return best
}

// specificity is that of a point, by weight where rows have weights.
func (r *ROC) specificity(p ROCPoint) float64 {
	if r.Weights != nil {
		return 1 - p.FalsePositiveRate
	}
	return float64(r.Negatives-p.FalsePositives) / float64(r.Negatives)
}
