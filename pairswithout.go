package pairrank

import (
	"cmp"
	"context"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/parallel"
	"pairrank/learn/rls"
)

// pairsAtOnce is how many features rls.Path.PairsWithout leaves out at a time: for 31 λ and a thousand rows they take
// 60 MB.
const pairsAtOnce = 256

// leavesPairs reports whether rls.Path.PairsWithout can leave out features at the given λ.
func (l *leavingOut) leavesPairs(lambdas []float64) bool {
	s := l.quiet
	_, is := s.solution.form.(dual)
	return is && l.whole.factored != nil && !l.e.Choice.Retrained && l.o.Method.Kind == cv.LeavePairOut &&
		l.o.Pairs == cv.PairsAll && s.groups == nil && s.queries.Len() == 1 && isExplicit(s.spec) &&
		l.whole.path().CanLeavePairsWithout(lambdas)
}

// byPairs estimates without each of some features, at most pairsAtOnce, by leave-pair-out from the kernel matrix with
// all of them. It leaves out features for which there is no shortcut, or too few digits.
func (l *leavingOut) byPairs(ctx context.Context, features []int, o cv.Options) (map[int]*cv.Estimate, error) {
	if l.quiet.features() == 1 || !l.leavesPairs(o.Candidates) {
		return nil, nil
	}
	features = slices.Sorted(slices.Values(features))
	path := l.whole.path()
	pairs := path.PairsWithout(o.Candidates, l.quiet.y, data.ToDense(data.SelectColumns(l.quiet.x, features)))
	estimates, errs := make([]*cv.Estimate, len(features)), make([]error, len(features))
	parallel.For(len(features), func(_, n int) {
		if !pairs.Can(n) || ctx.Err() != nil {
			return
		}
		var all []*cv.Estimate
		of := withoutOne{cv.OfPath(path, nil), pairs, n}
		if all, errs[n] = cv.EstimateFactored(ctx, of, l.labels, o); errs[n] == nil {
			estimates[n] = all[0]
		}
	})
	made := map[int]*cv.Estimate{}
	for n, j := range features {
		if err := cmp.Or(ctx.Err(), errs[n]); err != nil {
			return nil, l.quiet.Fault(err)
		}
		if estimates[n] != nil {
			made[j] = estimates[n]
		}
	}
	return made, nil
}

// withoutOne is a path whose pairs are left out without feature n of some.
type withoutOne struct {
	cv.Factored
	of *rls.PairsWithout
	n  int
}

func (w withoutOne) LeavePairOut(ctx context.Context, lambda float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	return w.of.LeavePairOut(ctx, w.n, lambda, emit)
}
