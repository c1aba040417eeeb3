package rows

import (
	"context"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/learn/rls"
)

// pairsAtOnce is how many features rls.Path.PairsWithout leaves out at a time: for 31 λ and a thousand rows they take
// 60 MB.
const pairsAtOnce = 256

// pairsWithout is leave-pair-out without one of some features, from the kernel matrix with all of them.
type pairsWithout struct {
	features []int
	of       *rls.PairsWithout
}

// leavesPairs reports whether rls.Path.PairsWithout can leave out features at the given λ.
func (l *leavingOut) leavesPairs(lambdas []float64) bool {
	s := l.space
	_, is := s.solution.form.(dual)
	return is && l.whole.factored != nil && !l.e.Choice.Retrained && l.o.Method.Kind == cv.LeavePairOut &&
		l.o.Pairs == cv.PairsAll && s.groups == nil && s.queries.Len() == 1 && isExplicit(s.spec) &&
		l.whole.path().CanLeavePairsWithout(lambdas)
}

// preparePairs prepares some features, if there is a shortcut.
func (l *leavingOut) preparePairs(features []int, lambdas []float64) {
	if l.pairs = nil; l.leavesPairs(lambdas) {
		features = slices.Sorted(slices.Values(features))
		x := data.ToDense(data.SelectColumns(l.space.x, features))
		l.pairs = &pairsWithout{features, l.whole.path().PairsWithout(lambdas, l.space.y, x)}
	}
}

// estimateByPairs estimates without feature j by the shortcut, ok if it is prepared and has the digits.
func (l *leavingOut) estimateByPairs(ctx context.Context, j int, o cv.Options) (e *cv.Estimate, ok bool, err error) {
	if l.pairs == nil {
		return nil, false, nil
	}
	n := slices.Index(l.pairs.features, j)
	if n < 0 || !l.pairs.of.Can(n) {
		return nil, false, nil
	}
	of := withoutOne{cv.OfPath(l.whole.path(), nil), l.pairs.of, n}
	estimates, err := cv.EstimateFactored(ctx, of, l.labels, o)
	if err != nil {
		return nil, true, l.space.Fault(err)
	}
	return estimates[0], true, nil
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
