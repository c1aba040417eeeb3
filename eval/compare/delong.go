package compare

import (
	"cmp"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/pick"
	"pairrank/internal/student"
)

// Areas are the areas under the ROC curves of k scores of the same m rows with two labels, and the differences of
// every two.
type Areas struct {
	Positives   int              `json:"positives"` // rows with the greater label
	Negatives   int              `json:"negatives"`
	Groups      int              `json:"groups,omitempty"`      // that variances are over; 0 where rows are
	Weights     *cv.ROCWeights   `json:"weights,omitempty"`     // nil where rows have none
	Areas       []Area           `json:"areas"`                 // in the order of the scores
	Differences []AreaDifference `json:"differences,omitempty"` // of scores 0 and 1, 0 and 2 and so on
}

// Area is the area under one ROC curve.
type Area struct {
	// AUC is the share of the pairs of a positive and a negative row in the right order, tied scores ½.
	AUC float64 `json:"auc"`
	// StdErr is DeLong's standard error, not defined where a label has one row.
	StdErr metric.Value `json:"standard_error"`
	// Interval is the 95 % interval of AUC; see DeLong.
	Interval cv.Interval `json:"ci95"`
}

// AreaDifference is the area of scores A less that of scores B, by their numbers.
type AreaDifference struct {
	A          int     `json:"a"`
	B          int     `json:"b"`
	Difference float64 `json:"difference"`
	// StdErr is DeLong's standard error of the difference, which takes into account that the scores are of the same
	// rows. It is not defined where a label has one row.
	StdErr metric.Value `json:"standard_error"`
	// Interval is the 95 % interval of the difference. It, Z and P are not defined where StdErr is 0, as where both
	// scores order all pairs alike.
	Interval cv.Interval `json:"ci95"`
	// Z is Difference/StdErr, and P the two-sided p-value by the normal distribution of the hypothesis that both
	// areas are equal; PHolm is P with Holm's correction over all Differences.
	Z     metric.Value `json:"z"`
	P     metric.Value `json:"p"`
	PHolm metric.Value `json:"p_holm"`
}

// DeLong returns the areas under the ROC curves of k scores of rows with labels y, of which the greater is positive,
// with intervals and differences. For scores s and positive i, let U_i be the share of the n negatives below i, for
// negative j let W_j be the share of the p positives above j, ties ½. Then
//
//	AUC = Σ_i U_i/p = Σ_j W_j/n        V(s) = Var(U)/p + Var(W)/n
//	V(s,t) = Var(U_s − U_t)/p + Var(W_s − W_t)/n        with sample variances
//
// (DeLong, DeLong and Clarke-Pearson 1988, Comparing the areas under two or more correlated receiver operating
// characteristic curves: a nonparametric approach). U and W are differences of midranks (Sun and Xu 2014, Fast
// implementation of DeLong's algorithm), and exact. The interval of an area is that of cv.ROC. That of a difference is
// ± t √V with the quantile of Student's distribution with 2 min(p,n) − 2 degrees of freedom, cut to [−1,1].
//
// The rows are independent, and the scores do not depend on their labels, as those of a model that was trained on other
// rows. In simulations the interval of a difference held in 92 to 100 %, but for ten positives and areas of 0.95 and
// 0.9 in 87 to 93 %; see docs/statistics.md. Held-out scores of cross-validation do depend on them: use half-samples
// there. DeLong returns an error unless y has exactly two values and no score is NaN. It panics where lengths differ.
// Cost O(k m log m + k² m).
func DeLong(y []float64, scores ...[]float64) (*Areas, error) {
	return DeLongBy(nil, nil, y, scores...)
}

// DeLongBy is DeLong of rows in groups and with weights; nil are none. The rows of a group depend on one another, as
// the samples of a patient, and groups do not; of has the group of each row. With the sums X_g of U_i − AUC over the
// positives of group g, and Y_g of W_j − AUC over its negatives,
//
//	V = k₁/(k₁−1) Σ X_g²/p² + k₀/(k₀−1) Σ Y_g²/n² + 2 k/(k−1) Σ X_g Y_g/(pn)
//
// over k groups, of which k₁ have a positive and k₀ a negative row (Obuchowski 1997, Nonparametric analysis of
// clustered ROC curve data). Where each row is a group this is DeLong's variance. Intervals count on min(2k₁, 2k₀, k)
// units, and that of a difference has min(2k₁ − 2, 2k₀ − 2, k − 1) degrees of freedom. Nothing has a standard error if
// a label is in fewer than three groups.
//
// With weights, above 0, U_i and W_j are shares by weight, AUC is the mean of U by weight, and
//
//	V = k/(k−1) Σ w_i² (U_i − AUC)²/s² + the same over the negatives
//
// with s = Σw and the effective rows k = s²/Σw², which also count in intervals, rounded down. Weights are taken as
// given, not as numbers of copies. Nothing has a standard error if k is below 2. Of groups X_g and Y_g are by weight,
// and k₁, k₀ and k shrink as rows do to the effective ones. In simulations the intervals hold in 93 to 99 %; see
// docs/statistics.md. Errors, panics and cost are those of DeLong.
func DeLongBy(of []int32, weights, y []float64, scores ...[]float64) (*Areas, error) {
	if of != nil && len(of) != len(y) {
		panic("compare: the groups are not those of the rows")
	}
	var groups *clusters
	out := &Areas{Areas: make([]Area, len(scores))}
	shares := make([]placements, len(scores))
	for k, s := range scores {
		roc, err := cv.NewWeightedROC(s, y, weights)
		if err != nil {
			return nil, err
		}
		out.Positives, out.Negatives, out.Weights = roc.Positives, roc.Negatives, roc.Weights
		out.Areas[k] = Area{roc.AUC, roc.StdErr, roc.Interval}
		shares[k] = newPlacements(s, y, weights)
		if of != nil {
			if groups == nil {
				groups = newClusters(of, y, slices.Max(y), &shares[k])
				out.Groups = groups.n
			}
			shares[k].clustered(groups, &out.Areas[k])
		}
	}
	for a := range scores {
		for b := a + 1; b < len(scores); b++ {
			out.Differences = append(out.Differences, shares[a].less(shares[b], a, b, groups))
		}
	}
	correct(len(out.Differences), func(k int) (p, holm *metric.Value) {
		return &out.Differences[k].P, &out.Differences[k].PHolm
	})
	return out, nil
}

// placements are the shares U of the positives and W of the negatives, in the order of the rows, with their weights.
type placements struct{ u, w side }

// side is one label of placements: how much of the other label each row beats, in halves of its weight, others in all.
type side struct {
	halves, weights []float64
	own             student.Effective
	others          float64
}

func (s *side) add(halves, weight float64) {
	s.halves, s.weights = append(s.halves, halves), append(s.weights, weight)
	s.own.Add(weight)
}

// newPlacements places every row among those of the other label.
func newPlacements(scores, y, weights []float64) placements {
	hi := slices.Max(y)
	order := pick.All[int](len(y))
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scores[i], scores[j]) })
	halves := make([]float64, len(y))
	all := [2]float64{} // weights of the negatives and the positives
	for _, i := range order {
		all[labelOf(y[i], hi)] += weight(i)
	}
	below := [2]float64{} // of rows of lower scores
	for first := 0; first < len(order); {
		upTo, end := below, first
		for end < len(order) && scores[order[end]] == scores[order[first]] {
			upTo[labelOf(y[order[end]], hi)] += weight(order[end])
			end++
		}
		for _, i := range order[first:end] {
			if y[i] == hi {
				halves[i] = below[0] + upTo[0]
			} else {
				halves[i] = all[1] - below[1] + all[1] - upTo[1]
			}
		}
		below, first = upTo, end
	}
	var p placements
	for i, h := range halves {
		if y[i] == hi {
			p.u.add(h, weight(i))
		} else {
			p.w.add(h, weight(i))
		}
	}
	p.u.others, p.w.others = all[0], all[1]
	return p
}

// labelOf is 1 of the greater label, else 0.
func labelOf(y, hi float64) int {
	if y == hi {
		return 1
	}
	return 0
}

// less is the area of p, numbered a, less that of q, numbered b; groups of rows are nil where there are none.
func (p placements) less(q placements, a, b int, groups *clusters) AreaDifference {
	d := AreaDifference{A: a, B: b}
	mean, ofPositives := spread(&p.u, &q.u)
	_, ofNegatives := spread(&p.w, &q.w)
	d.Difference = mean
	quantile := 0.0
	switch k, l := p.u.own.Rows(), p.w.own.Rows(); {
	case groups != nil:
		if d.StdErr = groups.stdErr(deviations(&p.u, &q.u), deviations(&p.w, &q.w)); d.StdErr.Defined {
			quantile = groups.quantile()
		}
	case k >= 2 && l >= 2:
		variance := ofPositives + ofNegatives
		if variance < 0x1p-98 { // far more than the rounding of a variance of 0
			variance = 0
		}
		d.StdErr, quantile = defined(math.Sqrt(variance)), areaQuantile(k, l)
	}
	se := d.StdErr.Value
	if se == 0 {
		return d
	}
	half := quantile * se
	d.Interval = cv.Interval{Lo: max(-1, mean-half), Hi: min(1, mean+half), Defined: true}
	z := mean / se
	d.Z, d.P = defined(z), defined(math.Erfc(math.Abs(z)/math.Sqrt2))
	return d
}

// spread returns the mean of the differences of two shares by weight, and its variance.
func spread(a, b *side) (mean, variance float64) {
	sum, scale := 0.0, 2*a.others
	for i, w := range a.weights {
		sum += w * (a.halves[i] - b.halves[i])
	}
	mean = sum / a.own.Sum / scale
	for i, w := range a.weights {
		d := w * ((a.halves[i]-b.halves[i])/scale - mean)
		variance += d * d
	}
	return mean, variance / (a.own.Rows() - 1) / a.own.Squares
}

// areaQuantile is the quantile of the interval of a difference of areas, by the effective rows of each label.
func areaQuantile(positives, negatives float64) float64 {
	return student.Quantile975(student.Whole(2*min(positives, negatives)) - 2)
}
