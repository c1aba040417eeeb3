package pairrank

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// estimate holds out without feature j.
func (l *leavingOut) estimate(ctx context.Context, j int, o holdout.Options) (*cv.Estimate, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.features() == 1 {
		return l.chance(ctx, o)
	}
	s, err := l.sourceWithout(ctx, j)
	if err == nil {
		var estimates []*cv.Estimate
		if estimates, err = s.holdOut(ctx, l.labels, o); err == nil {
			return estimates[0], nil
		}
	}
	if errors.Is(err, errZeroKernel) {
		return l.chance(ctx, o)
	}
	return nil, err
}

// sourceWithout is the problem without feature j, factored if the problem with it is.
func (l *leavingOut) sourceWithout(ctx context.Context, j int) (*source, error) {
	whole := l.whole
	if whole.factored != nil && l.groups == nil && !l.e.Choice.Retrained &&
		l.quiet.solution.form.of(l.quiet.trainer) == nil {
		path, err := whole.path().Without(ctx, j) // it has the remaining rows
		left := &factored{trainer: l.quiet.trainer, goal: whole.aim, path: path}
		return &source{trainer: l.quiet.trainer, aim: whole.aim, factored: left}, err
	}
	s := &source{trainer: l.quiet.withoutFeature(l.columns(j)), aim: whole.aim}
	return s, s.Ready(ctx)
}

// withoutFeature is the trainer of the same rows without the columns of a feature.
func (t *trainer) withoutFeature(columns []int) *trainer {
	if isClinical(t.spec) {
		for _, j := range columns {
			t = t.withConstant(j)
		}
		return t
	}
	others := slices.DeleteFunc(indices(t.features()), func(j int) bool { return slices.Contains(columns, j) })
	off := t.offset
	if off != nil {
		off = &offset{point: pick.Rows(off.point, others)}
		if t.offset.basis != nil {
			off.basis = data.SelectColumns(t.offset.basis, others).(*data.Dense)
		}
	}
	return t.of(t.withFeatures(data.SelectColumns(t.x, others), off, t.valid), t.round)
}

// chance is the estimate without any features: all scores are equal.
func (l *leavingOut) chance(ctx context.Context, o holdout.Options) (*cv.Estimate, error) {
	if o.Method.Kind != cv.LeavePairOut {
		zeros := holdout.Trainer(func(_ context.Context, _, test []int, candidates []float64,
			emit func(k int, f *data.Dense)) error {
			for k := range candidates {
				emit(k, data.NewDense(len(test), 1, nil))
			}
			return nil
		})
		estimates, err := holdout.Retrained(ctx, zeros.Predict, l.labels, o)
		if err != nil {
			return nil, err
		}
		return estimates[0], nil
	}
	half := metric.Value{Value: 0.5, Defined: true}
	point := cv.Point{Error: half.Value, Metric: half, StdErr: metric.Value{Defined: l.base.StdErr.Defined},
		Pairs: l.base.Pairs}
	for _, u := range l.base.Units {
		point.Units = append(point.Units, metric.Term{Num: u.Den / 2, Den: u.Den})
	}
	e := &cv.Estimate{Best: len(o.Candidates) - 1}
	for _, v := range o.Candidates {
		point.Candidate = v
		e.Points = append(e.Points, point)
	}
	return e, nil
}

// sizes are the sizes of the features, nil if a kernel has no weights of features.
func (l *leavingOut) sizes(ctx context.Context) ([]float64, error) {
	s, candidate := l.quiet, l.o.Candidates[0]
	if !isLinear(s.kernel) {
		return nil, nil
	}
	f := &fit{trainer: s.trainer, outcome: direct{}}
	if path := l.whole.path(); path != nil {
		f.coef = path.At(candidate).Coef
	} else {
		var err error
		if f, err = s.learner.fit(ctx, s.trainer, s.aim, candidate); err != nil {
			return nil, err
		}
	}
	sizes := f.outcome.sizes(f)
	if l.groups == nil || sizes == nil {
		return sizes, nil
	}
	if f.coef == nil { // weights of stumps, which add up
		of := make([]float64, len(l.groups))
		for j, columns := range l.groups {
			for _, c := range columns {
				of[j] += sizes[c]
			}
		}
		return of, nil
	}
	return l.sizesOf(s.featureWeights(f.coef).Row(0)), nil
}

// sizesOf are the standard deviations of what the columns of each feature add together, by their weights.
func (l *leavingOut) sizesOf(weights []float64) []float64 {
	m, n := l.quiet.x.Dims()
	adds := data.NewDense(m, len(l.groups), nil)
	row := make([]float64, n)
	for i := range m {
		l.quiet.x.RowTo(row, i)
		for j, columns := range l.groups {
			for _, c := range columns {
				adds.Row(i)[j] += weights[c] * row[c]
			}
		}
	}
	return deviations(adds)
}

// deviations are the standard deviations of the columns, √(Σ(x−mean)²/m), up to rounding.
func deviations(x data.Matrix) []float64 {
	m, n := x.Dims()
	mean, squares := meanOf(x), make([]float64, n)
	data.SquaresMulTransTo(squares, x, slices.Repeat([]float64{1 / float64(m)}, m))
	for j, v := range squares {
		squares[j] = math.Sqrt(max(0, v-mean[j]*mean[j]))
	}
	return squares
}

// pairsAtOnce is how many features rls.Path.PairsWithout leaves out at a time: for 31 λ and a thousand rows they take
// 60 MB.
const pairsAtOnce = 256

// leavesPairs reports whether rls.Path.PairsWithout can leave out features at the given λ.
func (l *leavingOut) leavesPairs(lambdas []float64) bool {
	s := l.quiet
	_, is := s.solution.form.(dual)
	return is && l.groups == nil && l.whole.factored != nil && !l.e.Choice.Retrained &&
		l.o.Method.Kind == cv.LeavePairOut &&
		l.o.Pairs == cv.PairsAll && s.groups == nil && s.queries.Len() == 1 && isExplicit(s.spec) &&
		l.whole.path().CanLeavePairsWithout(lambdas)
}

// byPairs estimates without each of some features, at most pairsAtOnce, by leave-pair-out from the kernel matrix with
// all of them. It leaves out features for which there is no shortcut, or too few digits.
func (l *leavingOut) byPairs(ctx context.Context, features []int, o holdout.Options) (map[int]*cv.Estimate, error) {
	if l.features() == 1 || !l.leavesPairs(o.Candidates) {
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
		of := withoutOne{holdout.OfPath(path, nil), pairs, n}
		if all, errs[n] = holdout.EstimateFactored(ctx, of, l.labels, o); errs[n] == nil {
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
	holdout.Factored
	of *rls.PairsWithout
	n  int
}

func (w withoutOne) OrderPairs(ctx context.Context, lambda float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	return w.of.OrderPairs(ctx, w.n, lambda, emit)
}
