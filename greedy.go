package pairrank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/greedy"
	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
	"pairrank/internal/rows"
	"pairrank/model"
	"pairrank/model/training"
	"pairrank/pref"
)

// Greedy is LeastSquares on a few features, selected step by step by the held-out error: Greedy RankRLS (Pahikkala,
// Airola, Naula and Salakoski 2010), and with Regression greedy RLS (Pahikkala, Airola and Salakoski 2010). λ and the
// number of features are chosen together by the method of holding out, which selects anew for each test set, so that
// the error is one of rows that the selection did not see. The model is a linear model whose other weights are 0. A
// search of k steps over m rows and n features costs O(kmn) by leave-query-out and leave-one-out, and O(kmn + kn·pairs)
// by leave-pair-out, for each λ and each test set; see package internal/learn/greedy.
//
// The criterion of the search does not choose λ or the number of features, though that would be thirty times cheaper,
// since it saw the rows that it judges. For one λ and five of 2,000 genes (colon, Alon and others 1999) it is 0.017,
// and the error of pairs that had no part in the selection 0.150. One search has the best sets of all numbers.
//
// With weights of rows the search leaves out queries, or with Regression rows; rows and pairs of a list leave where
// Weight is pref.Size, since else each has a λ of its own.
//
// A feature of a spline comes in or leaves with all its hinges, and one whose missing values have a level with that:
// they are one step, of k columns at the cost of k².
//
// It needs the labels of the Set and the linear kernel or one spline, and compares all pairs within queries, tied ones
// too. It does not take Importance. Each permutation of the labels is estimated anew, and an ROC curve trains without
// each pair that it compares.
type Greedy struct {
	// Regression fits the label of each row instead of the differences of pairs.
	Regression bool
	// Weight is the total weight of the pairs of a query; "" is pref.Pairs. With Regression it is not used.
	Weight pref.Weight
	// Features is the number of selected features; 0 chooses among all numbers up to 30, or up to the features that
	// vary.
	Features int
	// OneSE takes the smallest number of features whose error is within one standard error of the least.
	OneSE bool
	// Search is the kind of steps; "" is greedy.Forward.
	Search string
	// Criterion is what the search leaves out to judge a set of features; "" is greedy.Queries for several queries,
	// greedy.Pairs for a single list, and greedy.Rows with Regression.
	Criterion string
	// Baseline are features, by their numbers from 0, that every model has. Their weights are not penalised.
	Baseline []int
}

// Name returns rankrls, or rls for regression: the model is one of least squares.
func (g Greedy) Name() string { return g.leastSquares().Name() }

// leastSquares is the learner of the selected features.
func (g Greedy) leastSquares() LeastSquares {
	return LeastSquares{Regression: g.Regression,
		Pairs: pref.Options{Cost: pref.Magnitude, Ties: pref.IncludeTies, Weight: cmp.Or(g.Weight, pref.Pairs)}}
}

func (g Greedy) learner(p *Problem, o *EstimateOptions) (learner, error) {
	g.Weight, g.Search = cmp.Or(g.Weight, pref.Pairs), cmp.Or(g.Search, greedy.Forward)
	seen := map[int]bool{}
	for _, j := range g.Baseline {
		if p.Set != nil && p.Set.X != nil {
			_, n := p.Set.X.Dims()
			if j < 0 || j >= n || seen[j] {
				return nil, fault.Optionf("Baseline", "names feature %d, of %d each at most once", j+1, n)
			}
		}
		seen[j] = true
	}
	return g, cmp.Or(
		fault.Refuse(g.Features < 0, "Features", "are at least 1, or 0 for auto, not %d", g.Features),
		fault.Refuse(!slices.Contains([]string{greedy.Forward, greedy.Backward, greedy.Floating}, g.Search),
			"Search", "%q is unknown: known are forward, backward, floating", g.Search),
		fault.Refuse(!slices.Contains([]string{"", greedy.Queries, greedy.Rows, greedy.Pairs}, g.Criterion),
			"Criterion", "%q is unknown: known are lqo, loo, lpo", g.Criterion),
		fault.Refuse(len(o.Kernels) != 1 || !isLinear(o.Kernels[0]) && !isSpline(o.Kernels[0]), "Features",
			"are selected for the linear kernel or one spline"),
		fault.Refuse(len(g.Baseline) > 0 && mapped(o.Kernels), "Baseline", "is not penalised, and a spline without a "+
			"penalty of its bends is no smooth curve"),
		fault.Refuse(len(g.Baseline) > 0 && p.Set != nil && p.Set.Substitutes.Levels() != nil, "Baseline", "is of single "+
			"columns without a penalty, and features with levels of missing values have two"),
		fault.Refuse(p.replacesLabels(), "Features",
			"are selected by the labels of the Set, which preferences, comparisons and labels of outputs replace"),
		fault.Refuse(o.AllPairs, "Features", "are selected by pairs within queries, not by all pairs"),
		fault.Refuse(o.Importance, "Features", "and Importance do not go together: the rounds of the selection tell "+
			"which features come up again"),
		p.refuseTimes("features are selected by labels; rankrls without a selection compares times"),
	)
}

func (g Greedy) objective(t *trainer) string {
	text := g.leastSquares().objective(t) + ", over selected features"
	if len(g.Baseline) > 0 {
		text += "; the baseline is not penalised"
	}
	return text
}

func (g Greedy) describe(t *trainer, i *training.Facts) { g.leastSquares().describe(t, i) }

// checkShuffled refuses permuted labels of a choice by a metric: the test compares errors.
func (g Greedy) checkShuffled(p *Problem, o *EstimateOptions) error {
	return g.leastSquares().checkShuffled(p, o)
}

func (g Greedy) goal(t *trainer) (*goals.Goal, error) { return g.leastSquares().goal(t) }

func (Greedy) basis() (Basis, bool) { return Basis{}, false }

// criterion is what is left out to select.
func (g Greedy) criterion(t *trainer) string {
	p := greedy.Problem{Regression: g.Regression, Queries: t.queries}
	return cmp.Or(g.Criterion, p.Default())
}

// checkLeaves refuses a search that would leave out rows or pairs of a list with a λ of their own.
func (g Greedy) checkLeaves(t *trainer) error {
	p := g.problem(t)
	return fault.Refuse(!p.LeavesOut(g.criterion(t)), "Weight", "is by %s, so that each row with a weight that leaves "+
		"has a λ of its own, and a search has one: where pairs weigh by size it leaves out rows and pairs of a list",
		g.Weight)
}

func (g Greedy) chooseSolver(t *trainer) (solution, error) {
	criterion := g.criterion(t)
	if t.groups != nil && criterion != greedy.Queries {
		return solution{}, fault.Optionf("Features", "are selected by leaving out single rows or pairs, and rows of a "+
			"group leave together")
	}
	if err := g.checkLeaves(t); err != nil {
		return solution{}, err
	}
	if criterion == greedy.Pairs {
		if err := t.checkLone(); err != nil {
			return solution{}, err
		}
	}
	m, n := float64(t.rows()), float64(t.width())
	if need, free := 8*4*m*n+t.mapMemory(ofFeatures{}), memory.Free(); need > free {
		return solution{}, &fault.Error{Kind: fault.Memory, Code: codes.FaultSelection,
			Err: fmt.Errorf("selecting among %.0f features of %.0f rows would take about %s of memory, and %s are free",
				n, m, memory.Size(need), memory.Size(free))}
	}
	return solution{ofFeatures{}, nil, GreedySearch, fmt.Sprintf("%s selection by %s", g.Search, criterion)}, nil
}

func (Greedy) parameter() cv.Parameter { return cv.Features }

// mostAuto is the largest number of features that auto tries.
const mostAuto = 30

func (g Greedy) count(t *trainer) int {
	sizes := 1
	if g.Features == 0 {
		if sizes = mostAuto; t.problem.Set != nil {
			sizes = max(1, min(sizes, t.inputs()-len(g.Baseline)))
		}
	}
	return g.lambdas(t) * sizes
}

// grid is the λ and the numbers of features to choose from. A candidate is the place of a λ, times the number of
// sizes, plus the place of a size.
type grid struct {
	lambdas []float64
	sizes   []int
}

// at is the λ and the number of features of a candidate.
func (g *grid) at(candidate float64) (lambda float64, features int) {
	k := int(candidate)
	return g.lambdas[k/len(g.sizes)], g.sizes[k%len(g.sizes)]
}

// searched are the candidates from lo to hi: one search for their λ, up to so many features, has them all.
type searched struct {
	lambda           float64
	features, lo, hi int
}

// searches are those of some candidates.
func (g *grid) searches(candidates []float64) (all []searched) {
	for l, candidate := range candidates {
		lambda, features := g.at(candidate)
		if n := len(all); n == 0 || all[n-1].lambda != lambda {
			all = append(all, searched{lambda: lambda, lo: l})
		}
		last := &all[len(all)-1]
		last.features, last.hi = max(last.features, features), l+1
	}
	return all
}

// candidates are those of the grid of all rows, which parts of the rows have, too: it does not look at labels.
func (g Greedy) candidates(s *trainer, goal *goals.Goal, _ *rls.Path) ([]float64, error) {
	if s.grid == nil {
		made := &grid{lambdas: s.lambdas, sizes: []int{g.Features}}
		if made.lambdas == nil {
			made.lambdas = holdout.FeatureLambdas(rls.Squares(s.x, goal))
		}
		usable, err := greedy.Usable(g.problem(s), g.Features)
		if err != nil {
			return nil, refusedSelection(err)
		}
		if g.Features == 0 {
			made.sizes = made.sizes[:0]
			for k := range max(1, min(mostAuto, usable)) {
				made.sizes = append(made.sizes, k+1)
			}
		}
		s.grid = made
	}
	all := make([]float64, len(s.grid.lambdas)*len(s.grid.sizes))
	for k := range all {
		all[k] = float64(k)
	}
	return all, nil
}

// problem is the rows of a trainer.
func (g Greedy) problem(s *trainer) greedy.Problem {
	return greedy.Problem{X: s.x, Y: s.y, Queries: s.queries, Regression: g.Regression, Weight: g.Weight,
		Weights: s.weights, Baseline: g.Baseline, Groups: s.groupsOfColumns(), Name: s.featureName}
}

// search selects up to so many features for one λ. A part of the rows, and auto, take fewer if there are not as many;
// path is nil if there is none.
func (g Greedy) search(ctx context.Context, s *trainer, lambda float64, features int,
	progress func(done, total int)) (*greedy.Path, error) {
	if err := g.checkLeaves(s); err != nil { // of a part that is a single list, too
		return nil, err
	}
	o := greedy.Options{Lambda: lambda, Features: features, Criterion: g.Criterion, Search: g.Search,
		Progress: progress}
	path, err := greedy.Select(ctx, g.problem(s), o)
	var few *greedy.FewFeaturesError
	if errors.As(err, &few) && (s.whole != nil || g.Features == 0) {
		if few.Usable == 0 && s.whole != nil {
			return nil, nil
		}
		if few.Usable > 0 {
			o.Features = few.Usable
			path, err = greedy.Select(ctx, g.problem(s), o)
		}
	}
	if err != nil && !rows.IsNothing(err) && ctx.Err() == nil {
		err = refusedSelection(err)
	}
	return path, err
}

// refusedSelection gives an error of a selection its kind.
func refusedSelection(err error) error {
	if few := new(greedy.FewFeaturesError); errors.As(err, &few) {
		if few.Usable == 0 {
			return fault.Optionf("Features", "find nothing to select: %w", err)
		}
		return fault.Optionf("Features", "are too many: %w", err)
	}
	return fault.As(fault.Data, "", err)
}

// fit selects and trains for one candidate.
func (g Greedy) fit(ctx context.Context, s *trainer, goal *goals.Goal, candidate float64) (*fit, error) {
	lambda, features := s.grid.at(candidate)
	tell, end := s.journal.Monitor.Task("selecting features", int64(features))
	defer end()
	path, err := g.search(ctx, s, lambda, features, tell)
	if err != nil {
		return nil, err
	}
	if path == nil {
		return nil, fault.Optionf("Features", "cannot be selected: none distinguishes compared rows")
	}
	k := min(features, len(path.Sets))
	weights, least := path.Weights(k)
	return &fit{trainer: s, lambda: lambda, objective: least, pairs: goal.Pairs, coef: column(weights), goal: goal,
		outcome: greedyEnd{set: path.Sets[k-1], criterion: g.criterion(s), baseline: g.Baseline}}, nil
}

// predict selects once for each λ: the best sets of all sizes come from one search.
func (g Greedy) predict(ctx context.Context, s *trainer, _ *rls.Path, held *heldRows, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	x := held.features()
	for _, of := range s.grid.searches(candidates) {
		path, err := g.search(ctx, s, of.lambda, of.features, nil)
		if err != nil {
			return err
		}
		for l := of.lo; l < of.hi; l++ {
			if path == nil {
				emit(l, holdout.Predictions(data.NewDense(rowsOf(x), 1, nil)))
				continue
			}
			_, size := s.grid.at(candidates[l])
			set := path.Sets[min(size, len(path.Sets))-1]
			s.picks.add(candidates[l], set.Features)
			weights, _ := path.Weights(len(set.Features))
			emit(l, holdout.Predictions(data.Multiply(x, column(weights))))
		}
	}
	return nil
}

func rowsOf(x data.Matrix) int {
	m, _ := x.Dims()
	return m
}

// foldWork is the work of one search for each λ. Without a grid it is that of all candidates.
func (g Greedy) foldWork(s *trainer, share float64, candidates []float64) float64 {
	const value, pair = 80, 3 // multiplications of a value, or of a pair and feature, in a step, measured
	m, n := share*float64(s.rows()), float64(s.features())
	step := value * m * n * (n / float64(s.inputs())) // k columns of a feature cost k²
	if g.criterion(s) == greedy.Pairs {
		pairs := float64(s.unlikePairs()) * share * share
		step = pair * n * (pairs + m)
	}
	grid := s.grid
	if grid == nil {
		return step * float64(g.lambdas(s)*cmp.Or(g.Features, mostAuto))
	}
	steps := 0
	for _, of := range grid.searches(candidates) {
		steps += of.features
	}
	return step * float64(steps)
}

// lambdas is the number of values of λ.
func (Greedy) lambdas(t *trainer) int {
	return cmp.Or(len(t.lambdas), len(holdout.FeatureLambdas(nil)))
}

// mark gives the points of an estimate their λ and number of features, and chooses the best.
func (g Greedy) mark(s *trainer, outputs []*cv.Estimate) error {
	for _, e := range outputs {
		for l := range e.Points {
			p := &e.Points[l]
			p.Lambda, p.Features = s.grid.at(p.Candidate)
		}
		if err := e.ChooseFeatures(s.o.Metric, g.OneSE); err != nil {
			return fault.Optionf("OneSE", "%w", err)
		}
	}
	return nil
}

// greedyEnd is the outcome of a selection.
type greedyEnd struct {
	direct
	set       greedy.Set
	criterion string
	baseline  []int
}

func (e greedyEnd) tell(facts *Training) { facts.Chosen = e.set.Features }

func (e greedyEnd) saved() []model.Fact {
	list := func(features []int) string {
		texts := make([]string, len(features))
		for k, j := range features {
			texts[k] = fmt.Sprint(j + 1)
		}
		return strings.Join(texts, " ")
	}
	facts := []model.Fact{{Name: "features-chosen", Value: list(e.set.Features)}}
	if len(e.baseline) > 0 {
		facts = append(facts, model.Fact{Name: "baseline", Value: list(e.baseline)})
	}
	return facts
}
