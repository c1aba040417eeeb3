package pairrank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rankboost"
	"pairrank/internal/learn/rls"
	"pairrank/internal/rows"
	"pairrank/model"
	"pairrank/model/training"
	"pairrank/pref"
)

// RankBoost minimises the mean over pairs y_i > y_j of exp(f_j − f_i), where f is a sum of decision stumps, one
// a round (Freund, Iyer, Schapire and Singer 2003, An efficient boosting algorithm for combining preferences).
type RankBoost struct {
	// Rounds are the numbers of rounds to choose from, ascending; none is 300.
	Rounds []int
	// Weight is the total weight of the pairs of a query; "" is pref.Pairs.
	Weight pref.Weight

	retrained
}

// Name returns rankboost.
func (RankBoost) Name() string { return "rankboost" }

func (r RankBoost) learner(p *Problem, o *EstimateOptions) (learner, error) {
	if len(r.Rounds) == 0 {
		r.Rounds = []int{300}
	}
	if r.Weight == "" {
		r.Weight = pref.Pairs
	}
	return r, cmp.Or(
		fault.Refuse(!ascend(r.Rounds), "Rounds", "are at least 1 and ascend, not %v", r.Rounds),
		fault.Refuse(o.Lambdas != nil, "Lambdas", "are not for RankBoost, which has rounds"),
		fault.Refuse(len(o.Kernels) != 1 || !isLinear(o.Kernels[0]), "Kernels",
			"are not for RankBoost, whose stumps look at features"),
		fault.Refuse(p.compares(), "Learner",
			"rankboost counts the pairs that labels make: rankrls and ranksvm learn from preferences and comparisons"),
		fault.Refuse(p.Labels != nil, "Learner", "rankboost learns from the labels of the Set: several outputs are for "+
			"least squares"),
	)
}

func (r RankBoost) objective(t *trainer) string {
	mean := "mean"
	switch {
	case t.o.AllPairs:
	case r.Weight == pref.Edges:
		mean = "mean over queries of the mean"
	case r.Weight == pref.Size:
		mean = "mean, weighted by 1/m_q,"
	}
	_, below := t.difference()
	return mean + " exp(" + below + ") over " + t.overPairs() + ", f a sum of stumps"
}

func (r RankBoost) describe(t *trainer, i *training.Facts) {
	i.QueryWeight = string(r.Weight)
	rows.DescribeWeights(i, t.weights)
}

func (r RankBoost) basis() (Basis, bool) { return Basis{}, false }

func (r RankBoost) chooseSolver(t *trainer) (solution, error) {
	return t.iterative(solution{ofFeatures{}, nil, Boosting, "a decision stump a round"}, 9)
}

func (RankBoost) parameter() cv.Parameter { return cv.Rounds }

func (r RankBoost) count(*trainer) int { return len(r.Rounds) }

func (r RankBoost) candidates(*trainer, *goals.Goal, *rls.Path) ([]float64, error) {
	rounds := make([]float64, len(r.Rounds))
	for k, n := range r.Rounds {
		rounds[k] = float64(n)
	}
	return rounds, nil
}

// options are those of so many rounds on the rows of s.
func (r RankBoost) options(s *trainer, rounds float64) rankboost.Options {
	return rankboost.Options{Rounds: int(rounds), Censored: s.censored, Weight: r.Weight, RowWeights: s.weights}
}

// fit boosts stumps for so many rounds. If it is stopped, it returns the fit so far together with the error.
func (r RankBoost) fit(ctx context.Context, s *trainer, _ *goals.Goal, rounds float64) (*fit, error) {
	o := r.options(s, rounds)
	if tell := s.journal.Monitor.Progress; tell != nil {
		task, total := "boosting", int64(rounds)
		tell(event.Progress{Task: task, Total: total})
		defer tell(event.Progress{Task: task, Ended: true})
		o.Progress = func(round int, loss float64) {
			tell(event.Progress{Task: task, Done: int64(round), Total: total, State: map[string]any{"loss": loss},
				Text: fmt.Sprintf("loss %.4g", loss)})
		}
	}
	found, err := rankboost.Train(ctx, s.x, s.y, s.compared(), o)
	if found == nil || err != nil && len(found.Loss) == 0 {
		return nil, err
	}
	f := &fit{trainer: s, objective: 1, pairs: found.Pairs, outcome: boostEnd{found}}
	if n := len(found.Loss); n > 0 {
		f.objective = found.Loss[n-1]
	}
	return f, err
}

// predict boosts once for the largest number of rounds. The first rounds of this training are the trainings
// with fewer.
func (r RankBoost) predict(ctx context.Context, s *trainer, _ *rls.Path, held *heldRows, rounds []float64,
	emit func(l int, held holdout.Held)) error {
	found, err := rankboost.Train(ctx, s.x, s.y, s.compared(), r.options(s, slices.Max(rounds)))
	if err != nil {
		return err
	}
	x := held.features()
	m, _ := x.Dims()
	scores := data.NewDense(m, 1, nil)
	done := 0
	for l, n := range rounds {
		next := min(int(n), len(found.Stumps.Terms))
		found.Stumps.Part(done, next).AddTo(scores.Data, x)
		done = next
		emit(l, holdout.Predictions(scores.Clone()))
	}
	return nil
}

// foldWork is the work of the largest number of rounds.
func (RankBoost) foldWork(s *trainer, share float64, rounds []float64) float64 {
	const each = 16 // of a value in a round
	values, _ := s.iterated()
	return each * share * values * slices.Max(rounds)
}

// boostEnd is the outcome of boosting: stumps, and no coefficients.
type boostEnd struct{ *rankboost.Fit }

func (e boostEnd) tell(facts *Training) {
	facts.Rounds, facts.Exhausted = len(e.Stumps.Terms), e.Exhausted
}

func (e boostEnd) saved() []model.Fact {
	return []model.Fact{{Name: "rounds", Value: strconv.Itoa(len(e.Stumps.Terms))}}
}

func (e boostEnd) doubt(f *fit) {
	if !f.trainer.warnAlike(f.goal) && len(e.Stumps.Terms) == 0 {
		f.trainer.journal.Warn(codes.NoteNoStumps,
			"there are no stumps, so every row gets the same score: none orders more pairs rightly than wrongly, or "+
				"wrongly than rightly")
	}
}

func (e boostEnd) scorer(*trainer, *fit) model.Scorer { return e.Stumps }

// sizes are the sums of the weights of the stumps of each feature.
func (e boostEnd) sizes(f *fit) []float64 {
	sizes := make([]float64, f.trainer.features())
	for _, t := range e.Stumps.Terms {
		sizes[t.Feature] += math.Abs(t.Weight)
	}
	return sizes
}
