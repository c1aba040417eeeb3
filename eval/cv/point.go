package cv

import (
	"cmp"
	"errors"
	"math"

	"pairrank/eval/metric"
	"pairrank/internal/ratio"
)

// Point is the estimate for one λ.
type Point struct {
	// Candidate is the λ, or the value of another parameter, such as rounds of boosting. For the parameter Features
	// it is the place among the candidates, and Lambda and Features are the λ and the number of selected features.
	Candidate float64
	Lambda    float64
	Features  int
	// Error is the mean disagreement over the held-out pairs, ties ½.
	Error float64
	// StdErr is the standard error of Error: that of a ratio over independent held-out queries, by leaving out each
	// (the jackknife), or for leave-pair-out that of a U-statistic over rows, √Σ_i (h_i − e d_i)² / pairs with h_i of
	// the d_i pairs of row i wrong. For two labels the latter is the estimate of DeLong, DeLong and
	// Clarke-Pearson 1988, Comparing the areas under two or more correlated receiver operating
	// characteristic curves. It takes the held-out predictions as given, and ignores that training
	// sets overlap. It is undefined for a single ranking, such as leave-one-out on one list, where one
	// of two labels has a single row, over fewer than three units, and where these all agree. Over is what it is over.
	StdErr metric.Value
	Over   metric.Over
	// Pairs is the number of held-out pairs with different labels.
	Pairs int64
	// Drawn is the number of pairs, or edges, that were drawn to be left out; 0 where all were.
	// DrawErr is the standard error of Error by drawing alone.
	Drawn   int64
	DrawErr metric.Value
	// Metric is the value of Options.Metric, and Also those of Options.Also.
	Metric metric.Value
	Also   []metric.Value
	// Units are the terms of the error, or of Options.Metric where it is set, Σ Num / Σ Den: one
	// for each query of a test set, or for leave-pair-out one for each row, where each pair counts
	// for both rows. Units is nil without Options.Units, and where pairs were drawn.
	Units []metric.Term
	// Pooled is the error over the pairs of all queries of a group, with Options.Pooled. For two
	// labels it is 1 − AUC of all rows.
	Pooled metric.Value
	// Residual is the largest relative residual at which conjugate gradients ended the training of
	// a fold. ScoreError is the largest bound on the error of the scores (rls.CGResult), 0 where it
	// ended no training. Both are 0 for other solvers.
	Residual, ScoreError float64
}

// Estimate is the outcome over all λ for one output.
type Estimate struct {
	Points []Point // in the order of Options.Candidates
	Best   int     // the chosen point; among equals the largest λ
	// Retrained says that no shortcut was exact, so that each fold was trained.
	Retrained bool
}

// Criterion returns the number that the choice of λ minimises: the error, or the metric with the
// sign that makes it a loss.
func (e *Estimate) Criterion(m *metric.Metric) float64 { return e.Points[e.Best].Criterion(m) }

// Criterion returns the number that the choice of a candidate minimises; see Estimate.Criterion.
func (p Point) Criterion(m *metric.Metric) float64 {
	switch {
	case m == nil:
		return p.Error
	case !p.Metric.Defined:
		return math.Inf(1)
	case m.Loss():
		return p.Metric.Value
	}
	return -p.Metric.Value
}

// ChooseFeatures sets Best for the parameter Features, by the metric m, or by the error where it is nil. Among equal
// points the best has the fewest features, then the largest λ. With oneSE it has the fewest features among the points
// whose error is at most the least error plus its standard error (Breiman, Friedman, Olshen and Stone 1984,
// Classification and regression trees, section 3.4.3); a least error of 0 has no standard error, and only points of
// error 0 are within it. It returns an error where another least error has none, or a metric chooses. Cost O(points).
func (e *Estimate) ChooseFeatures(m *metric.Metric, oneSE bool) error {
	better := func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Criterion(m), b.Criterion(m)), cmp.Compare(a.Features, b.Features),
			cmp.Compare(b.Lambda, a.Lambda))
	}
	e.Best = 0
	for l, p := range e.Points {
		if better(p, e.Points[e.Best]) < 0 {
			e.Best = l
		}
	}
	least := e.Points[e.Best]
	switch {
	case !oneSE:
		return nil
	case m != nil:
		return errors.New("needs the standard error of the error, but a metric chooses")
	case !least.StdErr.Defined && (ratio.Few(least.Over) || least.Error != 0):
		return errors.New("needs the standard error of the least error, which is not defined")
	}
	for l, p := range e.Points {
		b := e.Points[e.Best]
		if p.Error <= least.Error+least.StdErr.Value &&
			(p.Features < b.Features || p.Features == b.Features && better(p, b) < 0) {
			e.Best = l
		}
	}
	return nil
}
