package holdout

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
)

// RetrainedPairs is Retrained for leave-pair-out of a single list: it trains again without each pair of rows, or
// without the groups of both. It costs m(m−1)/2 trainings for each candidate, or as many as there are pairs of groups;
// predict receives disjoint pairs as the test sets of one call, and m calls. The standard error is that of a
// U-statistic over rows, or groups. It returns an error for several queries, a metric and preferences, and those of
// predict.
func RetrainedPairs(ctx context.Context, predict Predictor, labels Labels, o Options) ([]*cv.Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if labels.Groups == nil {
		labels.Groups = data.Singletons(labels.rows())
	}
	estimates, err := pairsOfGroups(ctx, predict, labels, o)
	for _, e := range estimates {
		e.Retrained = true
	}
	return estimates, err
}
