package holdout

import (
	"cmp"
	"context"
	"sync"

	"pairrank/internal/learn/rls"
	"pairrank/internal/parallel"
)

// Tournament returns the m tournament scores of leave-pair-out for each of the v outputs. The score of row i is the
// number of other rows, of any label, that row i beats when the two are left out of training, ties ½,
//
//	S_i = Σ_{j≠i} [f_i > f_j] + ½ [f_i = f_j]   without i and j.
//
// The scores rank all training rows as if unseen, so that they have a ROC curve; single pairs do
// not (Montoya Perez, Airola, Boström, Jambor and Pahikkala 2019, Tournament leave-pair-out
// cross-validation for receiver operating characteristic analysis). They add up to m(m−1)/2. It
// ignores queries: all rows are one list. Cost and errors are those of rls.Path.OrderPairs; it
// takes another 8mv bytes a thread.
//
// Rows have weights, nil for 1 each: to beat row j counts its weight.
func Tournament(ctx context.Context, path *rls.Path, lambda float64, weights []float64) ([][]float64, error) {
	m, v := path.Rows(), path.Outputs()
	fixed := newFixedWeights(weights)
	workers := make([][]int64, parallel.Workers()) // halves won
	for w := range workers {
		workers[w] = make([]int64, v*m)
	}
	err := path.OrderPairs(ctx, lambda, func(worker, i, c int, fi, fj []float64) {
		won := workers[worker][c*m : (c+1)*m]
		own, others := int64(0), won[i+1:]
		for b, f := range fi {
			lost := halves(f, fj[b]) // the halves of the pair that row i does not win
			if fixed != nil {
				own, others[b] = own+(2-lost)*fixed.row(i+1+b), others[b]+lost*fixed.row(i)
				continue
			}
			own += 2 - lost
			others[b] += lost
		}
		won[i] += own
	})
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, v)
	for c := range scores {
		scores[c] = make([]float64, m)
		for i := range m {
			sum := int64(0)
			for _, won := range workers {
				sum += won[c*m+i]
			}
			scores[c][i] = fixed.value(sum) / 2
		}
	}
	return scores, nil
}

// PairTrainer trains without two rows, and predicts both. It may be called from several goroutines.
type PairTrainer func(ctx context.Context, i, j int) (fi, fj float64, err error)

// TournamentAgain is Tournament of m rows and one output where each pair is left out by training again. It returns the
// first error of pair. The cost is m(m−1)/2 trainings.
func TournamentAgain(ctx context.Context, m int, pair PairTrainer) ([]float64, error) {
	scores := make([]float64, m)
	var mu sync.Mutex
	var failed error
	parallel.For(m, func(_, i int) {
		won := make([]float64, m)
		for j := i + 1; j < m; j++ {
			fi, fj, err := pair(ctx, i, j)
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = cmp.Or(failed, err)
				return
			}
			lost := float64(halves(fi, fj)) / 2
			won[i], won[j] = won[i]+1-lost, won[j]+lost
		}
		mu.Lock()
		defer mu.Unlock()
		for k, w := range won {
			scores[k] += w // exact: halves
		}
	})
	return scores, failed
}
