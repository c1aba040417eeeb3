package cv

import (
	"cmp"
	"context"
	"errors"

	"pairrank/eval/metric"
	"pairrank/pref"
)

// ChooseFeatures sets Best for the parameter Features, by the metric m, or by the error where it is nil. Among equal
// points the best has the fewest features, then the largest λ. With oneSE it has the fewest features among the points
// whose error is at most the least error plus its standard error (Breiman, Friedman, Olshen and Stone 1984,
// Classification and regression trees, section 3.4.3); a least error of 0 has no standard error, and only points of
// error 0 are within it. It returns an error where another least error has none, or a metric chooses. Cost O(points).
func (e *Estimate) ChooseFeatures(m *metric.Metric, oneSE bool) error {
	better := func(a, b Point) int {
		return cmp.Or(cmp.Compare(criterion(a, m), criterion(b, m)), cmp.Compare(a.Features, b.Features),
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
	case !least.StdErr.Defined && (least.Over.Few() || least.Error != 0):
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

// RetrainedPairs is Retrained for leave-pair-out of a single list: it trains again without each pair of rows, or
// without the groups of both. It costs m(m−1)/2 trainings for each candidate, or as many as there are pairs of groups;
// predict receives disjoint pairs as the test sets of one call, and m calls. The standard error is that of a
// U-statistic over rows, or groups. It returns an error for several queries, a metric and preferences, and those of
// predict.
func RetrainedPairs(ctx context.Context, predict Predictor, labels Labels, o Options) ([]*Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if labels.Groups == nil {
		labels.Groups = pref.Singletons(labels.rows())
	}
	estimates, err := pairsOfGroups(ctx, predict, labels, o)
	for _, e := range estimates {
		e.Retrained = true
	}
	return estimates, err
}
