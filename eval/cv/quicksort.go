package cv

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"pairrank/internal/parallel"
	"pairrank/learn/rls"
)

// Sorted is a ranking of the rows by quicksort.
type Sorted struct {
	// Scores are, for each row, the number of rows ranked below it plus half of those tied with it.
	// They equal Tournament where comparisons are transitive.
	Scores []float64
	// Comparisons is the number of pairs that were left out.
	Comparisons int64
}

// Quicksort ranks the m rows, for each of the v outputs, by a quicksort that compares two
// rows by their predictions when the two are left out of training: about 2 m ln m pairs
// are left out instead of all m(m−1)/2 (Numminen, Montoya Perez, Jambor, Pahikkala and
// Airola 2023, Quicksort leave-pair-out cross-validation for ROC curve analysis).
//
// It draws pivots uniformly by seed. Seed and data alone decide the outcome, for any number of
// threads. Held-out comparisons need not be transitive: then the ranking depends on the pivots,
// which order two rows that were not compared. For two labels the expected AUC over the seeds is
// still the leave-pair-out AUC, as long as no two rows tie (Ailon and Mohri 2010, Preference-based
// learning to rank, on bipartite ranking). Rows that tie with a pivot share its rank and are not
// compared further, which is exact where ties are transitive.
//
// It ignores queries: all rows are one list. It costs rls.Path.LeavePairsWith, and O(k) for each
// comparison. It returns the errors of LeavePairsWith, and that of ctx.
func Quicksort(ctx context.Context, path *rls.Path, lambda float64, seed uint64) ([]*Sorted, error) {
	pairs, err := path.LeavePairsWith(lambda)
	if err != nil {
		return nil, err
	}
	workers := make([]struct{ pivot, others []float64 }, parallel.Workers())
	for w := range workers {
		workers[w].pivot, workers[w].others = make([]float64, piece), make([]float64, piece)
	}
	sorted := make([]*Sorted, path.Outputs())
	for c := range sorted {
		order := permutation(path.Rows(), rand.New(rand.NewPCG(seed, uint64(c))))
		sorted[c], err = quicksort(ctx, order, func(worker int, pivot int32, others []int32, place []int8) {
			f := workers[worker]
			fi, fj := f.pivot[:len(others)], f.others[:len(others)]
			pairs.RowTo(fi, fj, int(pivot), others, c)
			for b := range others {
				place[b] = int8(halves(fi[b], fj[b]) - 1)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return sorted, nil
}

// QuicksortAgain is Quicksort of m rows and one output where each pair is left out by training again. It returns an
// error of pair. The cost is about 2 m ln m trainings.
func QuicksortAgain(ctx context.Context, m int, seed uint64, pair PairTrainer) (*Sorted, error) {
	var failed atomic.Pointer[error]
	order := permutation(m, rand.New(rand.NewPCG(seed, 0)))
	s, err := quicksort(ctx, order, func(_ int, pivot int32, others []int32, place []int8) {
		for b, j := range others {
			if failed.Load() != nil {
				return
			}
			fi, fj, err := pair(ctx, int(pivot), int(j))
			if err != nil {
				failed.CompareAndSwap(nil, &err)
			}
			place[b] = int8(halves(fi, fj) - 1)
		}
	})
	if first := failed.Load(); first != nil {
		return nil, *first
	}
	return s, err
}

func permutation(m int, r *rand.Rand) []int32 {
	order := make([]int32, m)
	for i := range order {
		order[i] = int32(i)
	}
	r.Shuffle(m, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// piece is the largest number of rows in one comparison.
const piece = 2048

// comparison compares rows with a pivot: −1 below, 0 tied, 1 above. It is called from several
// goroutines, each with its own worker.
type comparison func(worker int, pivot int32, others []int32, place []int8)

// span is the rows lo ≤ position < hi of the order that are still to be sorted. The first is the
// pivot. It is as good as random, since parts keep the order of the initial permutation.
type span struct{ lo, hi int }

// quicksort sorts from the lowest to the highest. All spans of a depth are compared in parallel,
// then partitioned in parallel. The order alone decides both, so that threads do not change the
// outcome. It overwrites order.
func quicksort(ctx context.Context, order []int32, compare comparison) (*Sorted, error) {
	m := len(order)
	s := &Sorted{Scores: make([]float64, m)}
	next, place := make([]int32, m), make([]int8, m)
	spans := []span{{0, m}}
	var pieces []cut
	var parts []parting
	for len(spans) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pieces = pieces[:0]
		for _, p := range spans {
			s.Comparisons += int64(max(0, p.hi-p.lo-1))
			for lo := p.lo + 1; lo < p.hi; lo += piece {
				pieces = append(pieces, cut{p.lo, lo, min(lo+piece, p.hi)})
			}
		}
		parallel.For(len(pieces), func(worker, i int) {
			c := pieces[i]
			compare(worker, order[c.pivot], order[c.lo:c.hi], place[c.lo:c.hi])
		})
		parts = append(parts[:0], make([]parting, len(spans))...)
		parallel.Chunks(len(spans), 64, func(_, from, to int) {
			for i := from; i < to; i++ {
				parts[i] = spans[i].part(next, order, place, s.Scores)
			}
		})
		var deeper []span
		for i, p := range spans {
			if low := (span{p.lo, p.lo + parts[i].below}); low.hi > low.lo {
				deeper = append(deeper, low)
			}
			if high := (span{p.lo + parts[i].below + parts[i].tied, p.hi}); high.hi > high.lo {
				deeper = append(deeper, high)
			}
		}
		spans = deeper
		order, next = next, order
	}
	return s, nil
}

// cut is part of the rows that a pivot is compared with, by positions.
type cut struct{ pivot, lo, hi int }

// parting counts the rows of a span below its pivot, and those tied with it, itself included.
type parting struct{ below, tied int }

// part copies the rows of the span from order to next: those below the pivot,
// those tied with it, whose scores are then known, and those above it, each in
// the order they were in.
func (p span) part(next, order []int32, place []int8, scores []float64) parting {
	if p.hi == p.lo {
		return parting{}
	}
	place[p.lo] = 0 // the pivot itself
	var n parting
	for _, v := range place[p.lo:p.hi] {
		switch v {
		case -1:
			n.below++
		case 0:
			n.tied++
		}
	}
	at := [3]int{p.lo, p.lo + n.below, p.lo + n.below + n.tied}
	score := float64(at[1]) + float64(n.tied-1)/2
	for x := p.lo; x < p.hi; x++ {
		v, i := place[x], order[x]
		if v == 0 {
			scores[i] = score
		}
		next[at[v+1]] = i
		at[v+1]++
	}
	return n
}
