package stream

import (
	"context"
	"math"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// retrained is the naive oracle: it leaves out each fold, trains on the others in memory, and sums the squared
// loss of the pairs of the fold one by one.
func retrained(t *testing.T, set *data.Set, o Options, lambda float64) (mean, stderr float64) {
	t.Helper()
	if set.Weights != nil { // rows of weight 0 have no part in the range of a query
		var rows []int
		for i, w := range set.Weights {
			if w > 0 {
				rows = append(rows, i)
			}
		}
		set = set.Subset(rows)
	}
	train, test := make([][]int, o.Folds), make([][]int, o.Folds)
	for g, id := range set.Queries.IDs {
		fold := queryFold(id, o.Folds)
		for f := range o.Folds {
			rows := &train[f]
			if f == fold {
				rows = &test[f]
			}
			for _, i := range set.Queries.Part(g) {
				*rows = append(*rows, int(i))
			}
		}
	}
	var ratios []float64
	for f := range o.Folds {
		r, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set.Subset(train[f])},
			pairrank.Options{Learner: o.Learner, Lambdas: []float64{lambda}, Normalize: o.Normalize,
				Threshold: o.Threshold})
		if err != nil {
			t.Fatal(err)
		}
		held := set.Subset(test[f])
		scores, err := r.Model.Score(held)
		if err != nil {
			t.Fatal(err)
		}
		if o.Threshold != nil {
			data.Binarize(held.Y, *o.Threshold)
		}
		loss, zero := pairLoss(held, scores, o.Learner), pairLoss(held, make([]float64, len(scores)), o.Learner)
		ratios = append(ratios, loss/zero)
	}
	for _, v := range ratios {
		mean += v / float64(len(ratios))
	}
	for _, v := range ratios {
		stderr += (v - mean) * (v - mean)
	}
	n := float64(len(ratios))
	return mean, math.Sqrt(stderr / (n - 1) / n)
}

// timedLoss is pairLoss of censored times.
func timedLoss(set *data.Set, f []float64, o pref.Options) (sum float64) {
	query := make([]int, len(f))
	for i, q := range set.Queries.Of() {
		query[i] = int(q)
	}
	pairs := naive.WeightedTimedPairs(set.Y, set.Censored, query, set.Weights, string(o.Cost), string(o.Weight),
		o.CensoringWeights)
	for _, p := range pairs {
		d := p.Target - (f[p.I] - f[p.J])
		sum += p.Weight * d * d
	}
	return sum
}

// pairLoss is Σ w_ij (target_ij − (f_i−f_j))² over the pairs of each query, one by one.
func pairLoss(set *data.Set, f []float64, l pairrank.LeastSquares) (sum float64) {
	of := func(i int32) float64 {
		if set.Weights == nil {
			return 1
		}
		return set.Weights[i]
	}
	if l.Regression {
		for i, y := range set.Y {
			sum += of(int32(i)) * (y - f[i]) * (y - f[i])
		}
		return sum
	}
	if set.Censored != nil {
		return timedLoss(set, f, l.Pairs)
	}
	p, err := l.Pairs.Resolved()
	if err != nil {
		panic(err)
	}
	for g := range set.Queries.Len() {
		rows := set.Queries.Part(g)
		loss, compared, mass := 0.0, 0.0, 0.0
		for a, i := range rows {
			mass += of(i)
			for _, j := range rows[a+1:] {
				target, w := set.Y[i]-set.Y[j], of(i)*of(j)
				if target == 0 && (p.Ties == pref.ExcludeTies || p.Cost == pref.Relative) {
					continue
				}
				compared += w
				switch {
				case p.Cost == pref.Unit && target != 0:
					target = math.Copysign(1, target)
				case p.Cost == pref.Relative:
					w /= target * target
				}
				loss += w * (target - (f[i] - f[j])) * (target - (f[i] - f[j]))
			}
		}
		switch {
		case compared == 0:
		case p.Weight == pref.Size:
			loss /= mass
		case p.Weight == pref.Edges:
			loss /= compared
		}
		sum += loss
	}
	return sum
}
