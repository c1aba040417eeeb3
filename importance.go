package pairrank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
)

// importanceBudget bounds the work of Importance, in multiplications, up to which cv.ImportanceAuto leaves out
// features and λ is chosen again: some ten seconds of one core.
const importanceBudget = holdout.HalvesBudget

// Importance estimates the worth of each feature exactly, by leaving features out one at a time. It uses the
// error, or the metric, that Estimate held out, for the chosen kernel and candidate, without the feature; the
// importance is the difference from the estimate with all features. features is how many features are left out,
// cv.ImportanceAuto or cv.ImportanceAll. If the work takes at most some ten seconds of one core, Importance
// also chooses the candidate again. If pairs of leave-pair-out are sampled, the two estimates use different
// pairs and the difference has no standard error.
//
// EstimateOptions.Importance must have been set. In a linear primal problem of n features, a feature is a row
// and a column of the n×n system. Importance factors the system without them, O(n³) for each feature, and holds
// out again, O(mn²). With one λ and groups held out it does all features at once, in O(n³ + mn²) for each group
// and O(mn) for each feature: see rls.Path.Without and HoldOutWithout. For any other problem it factors again,
// or trains the folds again, for each feature. It returns an error for a kernel matrix, which has no features,
// and for several outputs, the errors of Estimate, and that of ctx.
//
// A feature of a spline leaves with all its hinges, and one whose missing values have a level with that: for these the
// problem is factored again for each feature.
//
// If two features carry the same information, both have importance 0: the other one remains.
func (e *Estimated) Importance(ctx context.Context, features int) (*cv.Importance, error) {
	s := e.source()
	if !s.o.Importance {
		return nil, fault.Optionf("Importance", "was not set")
	}
	if err := cmp.Or(s.checkImportance(), fault.Refuse(features < cv.ImportanceAll, "Importance",
		"is of at least 1 feature, not %d", features)); err != nil {
		return nil, err
	}
	out, err := newLeavingOut(e).all(ctx, features)
	if err != nil {
		return nil, rows.Conclude(err)
	}
	e.Notes = s.journal.Notes()
	return out, nil
}

// checkImportance refuses problems without features, and several outputs.
func (t *trainer) checkImportance() error {
	return cmp.Or(
		fault.Refuse(t.given != nil, "Importance", "is of features, and a kernel matrix has none"),
		fault.Refuse(random(t.o.Kernels), "Importance", "is of features, and each random feature mixes all of them"),
		fault.Refuse(t.outputs > 1, "Importance", "is for one output, not %d", t.outputs),
		fault.Refuse(t.edges != nil, "Importance", "is of labels, and preferences and comparisons replace them"),
	)
}

// leavingOut leaves features out of an estimate.
type leavingOut struct {
	e      *Estimated
	groups [][]int // the columns of each feature, or nil where a feature is a column
	whole  *source // of the estimate
	quiet  *source // the same, for trainings that are not recorded
	labels holdout.Labels
	o      holdout.Options // for holding out, at the chosen candidate first
	base   cv.Point        // with all features
}

func newLeavingOut(e *Estimated) *leavingOut {
	s, chosen := e.source(), e.Choice.Chosen()
	own := &source{trainer: s.of(s.sample, s.unrecorded()), aim: s.aim, factored: s.factored}
	own.lowered, own.k = s.lowered, s.k
	pairs := s.o.PairsSample
	best := chosen.Outputs[0].Points[chosen.Outputs[0].Best]
	if chosen.Method.Kind == cv.LeavePairOut && pairs == cv.PairsAuto && best.Drawn == 0 {
		pairs = cv.PairsAll // as in the estimate of this candidate
	}
	return &leavingOut{e: e, whole: s, quiet: own, groups: s.groupsOfColumns(),
		o: holdout.Options{Method: chosen.Method, Candidates: []float64{chosen.Best()}, Seed: s.o.Seed, Metric: s.o.Metric,
			Units: true, Pairs: pairs}}
}

// all leaves out the requested number of features, one at a time.
func (l *leavingOut) all(ctx context.Context, asked int) (out *cv.Importance, err error) {
	s := l.quiet
	l.labels = s.labels()
	sizes, err := l.sizes(ctx)
	if err != nil {
		return nil, err
	}
	with, err := s.holdOut(ctx, l.labels, l.o)
	if err != nil {
		return nil, err
	}
	l.base = with[0].Points[0]
	n := l.features()
	count := l.count(n, asked)
	out = &cv.Importance{Method: l.o.Method, Metric: l.o.Metric, Candidate: l.o.Candidates[0],
		Value:  valueOf(l.base, l.o.Metric),
		StdErr: l.base.StdErr, Pairs: l.base.Pairs, Sized: sizes != nil, Again: l.again(count)}
	order := bySize(n, sizes)
	features := order[:count]
	if together := order[:l.together(n, asked)]; !out.Again && len(together) >= count {
		out.Features, err = l.atOnce(ctx, together)
		features = together
	} else {
		out.Features, err = l.oneByOne(ctx, features, out.Again)
	}
	if err != nil {
		return nil, err
	}
	out.Left = n - len(features)
	for k, f := range out.Features {
		if out.Features[k].Size = math.NaN(); sizes != nil {
			out.Features[k].Size = sizes[f.Feature]
		}
	}
	slices.SortStableFunc(out.Features, func(a, b cv.FeatureImportance) int { return cmp.Compare(b.Worse, a.Worse) })
	if n := s.Unconverged(); n > 0 {
		procedure.WarnFolds(s.journal, n)
	}
	if out.Left > 0 && asked == cv.ImportanceAuto {
		s.journal.Add(event.Note{Code: codes.NoteFeaturesLeft,
			Text: fmt.Sprintf("the importance of %s is left out: leaving out each takes a while",
				spell.Plural(out.Left, "further feature")), Remedy: "the number of features is an option"})
	}
	return out, nil
}

// features is the number of features.
func (l *leavingOut) features() int {
	if l.groups != nil {
		return len(l.groups)
	}
	return l.quiet.features()
}

// columns are those of a feature.
func (l *leavingOut) columns(j int) []int {
	if l.groups != nil {
		return l.groups[j]
	}
	return []int{j}
}

// valueOf returns the error of a point, or its metric.
func valueOf(p cv.Point, m *metric.Metric) float64 {
	switch {
	case m == nil:
		return p.Error
	case !p.Metric.Defined:
		return math.NaN()
	}
	return p.Metric.Value
}

// bySize orders the features by falling size, or by number without sizes.
func bySize(n int, sizes []float64) []int {
	order := indices(n)
	if sizes != nil {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	}
	return order
}

// oneByOne estimates without each of some features, one after the other.
func (l *leavingOut) oneByOne(ctx context.Context, features []int, again bool) (out []cv.FeatureImportance, err error) {
	tell, end := l.quiet.journal.Monitor.Task("leaving out features", int64(len(features)))
	defer end()
	o := l.o
	o.Candidates = l.candidates(again)
	at := slices.Index(o.Candidates, l.o.Candidates[0])
	var made map[int]*cv.Estimate
	for k, j := range features {
		if k%pairsAtOnce == 0 {
			if made, err = l.byPairs(ctx, features[k:min(k+pairsAtOnce, len(features))], o); err != nil {
				return nil, err
			}
		}
		estimate := made[j]
		if estimate == nil {
			if estimate, err = l.estimate(ctx, j, o); err != nil {
				return nil, fmt.Errorf("without feature %d: %w", j+1, err)
			}
		}
		f := l.against(j, estimate.Points[at])
		if best := estimate.Points[estimate.Best]; again {
			f.AgainCandidate, f.AgainValue = best.Candidate, valueOf(best, o.Metric)
		}
		out = append(out, *f)
		if tell != nil {
			tell(k+1, len(features))
		}
	}
	return out, nil
}

// candidates are all, to choose from again, or the chosen one.
func (l *leavingOut) candidates(again bool) []float64 {
	if again {
		return l.e.Choice.Chosen().Candidates
	}
	return l.o.Candidates
}

// against compares the estimate without a feature with the estimate with all.
func (l *leavingOut) against(j int, point cv.Point) *cv.FeatureImportance {
	f := &cv.FeatureImportance{Feature: j, Value: valueOf(point, l.o.Metric), AgainCandidate: math.NaN(),
		AgainValue: math.NaN()}
	f.Worse, f.StdErr = holdout.Worse(point, l.base, l.o.Method, l.o.Metric)
	if names := l.quiet.problem.Set.Names; names != nil {
		f.Name = names[j]
	}
	return f
}
