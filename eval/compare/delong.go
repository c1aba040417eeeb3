package compare

import (
	"cmp"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/student"
)

// Areas are the areas under the ROC curves of k scores of the same m rows with two labels, and the differences of
// every two.
type Areas struct {
	Positives   int              `json:"positives"` // rows with the greater label
	Negatives   int              `json:"negatives"`
	Groups      int              `json:"groups,omitempty"`      // that variances are over; 0 where rows are
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
// implementation of DeLong's algorithm), and exact. The interval of an area is cv.DeLongInterval. That of a difference
// is ± t √V with the quantile of Student's distribution with 2 min(p,n) − 2 degrees of freedom, cut to [−1,1].
//
// The rows are independent, and the scores do not depend on their labels, as those of a model that was trained on other
// rows. In simulations the interval of a difference held in 92 to 100 %, but for ten positives and areas of 0.95 and
// 0.9 in 87 to 93 %; see docs/statistics.md. Held-out scores of cross-validation do depend on them: use half-samples
// there. DeLong returns an error unless y has exactly two values and no score is NaN. It panics where lengths differ.
// Cost O(k m log m + k² m).
func DeLong(y []float64, scores ...[]float64) (*Areas, error) { return areas(nil, y, scores) }

// areas are those of DeLong, or over groups of rows; nil are none.
func areas(of []int32, y []float64, scores [][]float64) (*Areas, error) {
	var groups *clusters
	out := &Areas{Areas: make([]Area, len(scores))}
	shares := make([]placements, len(scores))
	for k, s := range scores {
		roc, err := cv.NewROC(s, y)
		if err != nil {
			return nil, err
		}
		out.Positives, out.Negatives = roc.Positives, roc.Negatives
		out.Areas[k] = Area{roc.AUC, roc.StdErr, roc.Interval}
		shares[k] = newPlacements(s, y, roc.Positives, roc.Negatives)
		if of != nil {
			if groups == nil {
				groups = newClusters(of, y, slices.Max(y))
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

// placements are the shares U of the positives and W of the negatives, in the order of the rows, in halves of pairs.
type placements struct{ u, w []int64 }

// newPlacements places every row among those of the other label.
func newPlacements(scores, y []float64, positives, negatives int) placements {
	hi := slices.Max(y)
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scores[i], scores[j]) })
	halves := make([]int64, len(y))
	below := [2]int64{} // rows of lower scores: negatives, positives
	for first := 0; first < len(order); {
		tied, end := [2]int64{}, first
		for end < len(order) && scores[order[end]] == scores[order[first]] {
			if y[order[end]] == hi {
				tied[1]++
			} else {
				tied[0]++
			}
			end++
		}
		for _, i := range order[first:end] {
			if y[i] == hi {
				halves[i] = 2*below[0] + tied[0]
			} else {
				halves[i] = 2*(int64(positives)-below[1]) - tied[1]
			}
		}
		below[0], below[1], first = below[0]+tied[0], below[1]+tied[1], end
	}
	p := placements{make([]int64, 0, positives), make([]int64, 0, negatives)}
	for i, h := range halves {
		if y[i] == hi {
			p.u = append(p.u, h)
		} else {
			p.w = append(p.w, h)
		}
	}
	return p
}

// less is the area of p, numbered a, less that of q, numbered b; groups of rows are nil where there are none.
func (p placements) less(q placements, a, b int, groups *clusters) AreaDifference {
	n, m := len(p.u), len(p.w)
	d := AreaDifference{A: a, B: b}
	mean, ofPositives := spread(p.u, q.u, m)
	_, ofNegatives := spread(p.w, q.w, n)
	d.Difference = mean
	quantile := 0.0
	switch {
	case groups != nil:
		if d.StdErr = groups.stdErr(deviations(p.u, q.u, m), deviations(p.w, q.w, n)); d.StdErr.Defined {
			quantile = groups.quantile()
		}
	case n > 1 && m > 1:
		d.StdErr, quantile = defined(math.Sqrt(ofPositives/float64(n)+ofNegatives/float64(m))), areaQuantile(n, m)
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

// spread returns the mean and the sample variance of the differences of two shares, which are in halves of others.
func spread(a, b []int64, others int) (mean, variance float64) {
	sum, n, scale := int64(0), float64(len(a)), 2*float64(others)
	for i := range a {
		sum += a[i] - b[i]
	}
	mean = float64(sum) / n / scale
	for i := range a {
		d := float64(a[i]-b[i])/scale - mean
		variance += d * d
	}
	return mean, variance / (n - 1)
}

// areaQuantile is the quantile of the interval of a difference of areas.
func areaQuantile(positives, negatives int) float64 {
	return student.Quantile975(2*min(positives, negatives) - 2)
}
