package pairrank

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
)

// count returns how many of n features are left out.
func (l *leavingOut) count(n, asked int) int {
	switch {
	case asked == cv.ImportanceAll:
		return n
	case asked > 0:
		return min(n, asked)
	}
	return max(1, int(min(float64(n), importanceBudget/max(1, l.work(false)))))
}

// again reports whether candidates are chosen again: if there are several, and the work for count features
// stays within the budget. For rounds of boosting the last candidate includes all others.
func (l *leavingOut) again(count int) bool {
	if l.o.Method.Kind == cv.LeavePairOut && l.o.Pairs != cv.PairsAll {
		return false // fewer pairs would be drawn for each
	}
	return len(l.e.Choice.Chosen().Candidates) > 1 && (l.boosts() || float64(count)*l.work(true) <= importanceBudget)
}

// boosts reports whether the candidates are rounds: training the last includes all others.
func (l *leavingOut) boosts() bool { return l.quiet.learner.parameter() == cv.Rounds }

// work estimates the multiplications of an estimate without a feature, of the chosen candidate or of all
// candidates again.
func (l *leavingOut) work(again bool) float64 {
	s, all, candidates := l.quiet, l.e.Choice.Chosen().Candidates, l.candidates(again || l.boosts())
	if l.e.Choice.Retrained {
		return s.foldsWork(l.o.Method, 1, candidates)
	}
	lambdas := float64(len(candidates))
	if l.leavesPairs(candidates) {
		const pair = 20 // with a division, in multiplications
		m := float64(s.rows())
		return lambdas * m * m / 2 * pair
	}
	work := s.work(l.o.Method, 1, lambdas)
	if l.o.Pairs == cv.PairsAll && s.o.PairsSample == cv.PairsAuto { // all pairs of the best λ stayed within a budget
		const share = 16 // of long lists; see holdout.Options.Pairs
		work = min(work, s.work(l.o.Method, 1, 0)+holdout.PairsBudget*lambdas/float64(min(share, len(all))))
	}
	return work
}

// heldGroups are the held-out groups if rls.Path.HoldOutWithout can leave out all features at once, else nil.
func (l *leavingOut) heldGroups() *data.Partition {
	path := l.whole.path()
	if path == nil || l.groups != nil || l.e.Choice.Retrained || l.o.Method.Kind == cv.LeavePairOut {
		return nil
	}
	splits, err := l.labels.Splits(l.o.Method, l.o.Seed)
	if err != nil || splits.Groups() == nil || !path.CanHoldOutWithout(splits.Groups(), l.o.Candidates[0]) {
		return nil
	}
	return splits.Groups()
}

// together returns how many of n features are left out all at once: the requested number, or as many as stay
// within the budget; 0 if that is impossible.
func (l *leavingOut) together(n, asked int) int {
	groups := l.heldGroups()
	if groups == nil {
		return 0
	}
	switch {
	case asked == cv.ImportanceAll:
		return n
	case asked > 0:
		return min(n, asked)
	}
	k, m, count := float64(n), float64(l.quiet.rows()), float64(groups.Len())
	const ordering = 40 // of a row among those of its query, for each feature
	once, each := count*k*k*k/3+m*k*k, count*k*k+m*(k+ordering)
	return max(0, int(min(k, (importanceBudget-once)/each)))
}

// atOnce estimates without each of some features. It factors the rest of each group once.
func (l *leavingOut) atOnce(ctx context.Context, features []int) (out []cv.FeatureImportance, err error) {
	lambda, o := l.o.Candidates[0], l.o
	tell, end := l.quiet.journal.Monitor.Task("leaving out features", 0)
	defer end()
	predict := func(ctx context.Context, s *holdout.Splits, _ []float64, emit func(g, n int, held holdout.Held)) error {
		return l.whole.path().HoldOutWithout(ctx, s.Groups(), lambda, features,
			func(g, n int, f *data.Dense) { emit(g, n, holdout.Predictions(f)) })
	}
	o.Candidates, o.Progress = make([]float64, len(features)), tell
	for k := range features {
		o.Candidates[k] = float64(k)
	}
	estimates, err := holdout.Measure(ctx, predict, l.labels, o)
	if err != nil {
		return nil, l.quiet.Fault(err)
	}
	for k, j := range features {
		out = append(out, *l.against(j, estimates[0].Points[k]))
	}
	return out, nil
}
