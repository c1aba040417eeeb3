package rankboost

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/student"
	"pairrank/model"
	"pairrank/pref"
)

// defaultRounds is the number of rounds where Options has none.
const defaultRounds = 300

// Options are the choices of Train.
type Options struct {
	// Rounds is the largest number of stumps; 0 is 300.
	Rounds int
	// Censored, unless nil, makes times of the m labels: rows that had no event until their time. The lower row of a
	// pair is then one with an event, before the time of the other or at that of a censored one.
	Censored []bool
	// Weight says how much the pairs of a query count together; "" is
	// pref.Pairs.
	Weight pref.Weight
	// RowWeights, unless nil, are m weights above 0: a pair counts the product of those of its rows.
	RowWeights []float64
	// Progress, if set, is called after each round, from 1 up, with the loss.
	Progress func(round int, loss float64)
}

// Fit is the result of boosting.
type Fit struct {
	// Stumps is the ranker, one term a round; Stumps.Part(0, t) is the one after
	// t rounds.
	Stumps *model.Stumps
	// Loss is Σ D₀(i,j) e^(H_j − H_i) after each round, below 1 and falling; 0 where it is below
	// the smallest float64. It bounds the weighted share of the pairs that the training scores do
	// not order correctly, ties included.
	Loss []float64
	// Pairs is N, the number of compared pairs.
	Pairs float64
	// Exhausted reports that training ended before Options.Rounds because r = 0 for every stump:
	// further rounds would not change anything.
	Exhausted bool
}

// Train boosts stumps on the rows of x, m×n, dense or CSR, with m labels y. It compares the pairs
// of different labels within each part of queries (Freund, Iyer, Schapire and Singer 2003, section
// 3, with the weak rankers of section 3.4). The result does not depend on the number of threads,
// nor on the rows of queries without a pair.
//
// Cost: O(mn log m) once and O(mn) a round, for CSR O(s log m) and O(m + n + s) with s stored
// values. Memory: 4 bytes for each value that is not zero, and up to 100 bytes a row. Sorting takes
// 16 bytes a row and thread more, and for CSR 12 bytes a stored value.
//
// It returns goals.ErrNothingToLearn where no query has two labels, and an error for a weight that
// pref does not know. When ctx ends it returns the stumps so far with ctx.Err(). It panics when the
// lengths do not fit, a label or a feature is NaN, Rounds is negative, or x is neither *data.Dense
// nor *data.CSR.
func Train(ctx context.Context, x data.Matrix, y []float64, queries *data.Partition, o Options) (*Fit, error) {
	o.check(x, y, queries)
	if o.Rounds == 0 {
		o.Rounds = defaultRounds
	}
	o.RowWeights = student.Moderate(o.RowWeights)
	goal, err := o.goal(y, queries)
	if err != nil {
		return nil, err
	}
	_, n := x.Dims()
	fit := &Fit{Stumps: &model.Stumps{Features: n}, Pairs: goal.Pairs}
	t := newTrainer(ctx, x, goal, o.RowWeights)
	loss := 1.0
	for round := 1; round <= o.Rounds; round++ {
		if err := ctx.Err(); err != nil {
			return fit, err
		}
		stump, z, found := t.round()
		if !found {
			fit.Exhausted = true
			break
		}
		loss *= z
		fit.Stumps.Terms = append(fit.Stumps.Terms, stump)
		fit.Loss = append(fit.Loss, loss)
		if o.Progress != nil {
			o.Progress(round, loss)
		}
	}
	return fit, nil
}

// goal is that of the unit cost, of pairs without magnitudes: its Laplacian has the label levels and the pair weights
// that boosting needs.
func (o Options) goal(y []float64, queries *data.Partition) (*goals.Goal, error) {
	of := pref.Options{Cost: pref.Unit, Weight: o.Weight}
	if o.Censored != nil {
		return goals.WeightedTimes(y, o.Censored, queries, o.RowWeights, of)
	}
	return goals.WeightedScored(y, 1, queries, o.RowWeights, of)
}

func (o Options) check(x data.Matrix, y []float64, queries *data.Partition) {
	data.Check("rankboost: x", x)
	m, _ := x.Dims()
	data.CheckPartition("rankboost: queries", queries, m)
	if len(y) != m || o.Censored != nil && len(o.Censored) != m || o.RowWeights != nil && len(o.RowWeights) != m {
		panic(fmt.Sprintf("rankboost: %d rows with %d labels, %d marks and %d weights", m, len(y), len(o.Censored),
			len(o.RowWeights)))
	}
	if o.Rounds < 0 {
		panic(fmt.Sprintf("rankboost: %d rounds", o.Rounds))
	}
	if i := slices.IndexFunc(y, math.IsNaN); i >= 0 {
		panic(fmt.Sprintf("rankboost: the label of row %d is NaN", i))
	}
}

// trainer is the state between two rounds.
type trainer struct {
	pairs   *pairs
	columns *columns
	in      []float64 // 1 at the places where the stump of this round is 1, else 0
}

func newTrainer(ctx context.Context, x data.Matrix, goal *goals.Goal, weights []float64) *trainer {
	p := newPairs(goal, weights)
	return &trainer{pairs: p, columns: sortColumns(ctx, x, p.rows), in: make([]float64, len(p.rows))}
}

// round learns one stump and returns it with its Z. found is false where every stump has r = 0, up
// to rounding.
func (t *trainer) round() (stump model.Stump, z float64, found bool) {
	mass := t.pairs.weigh()
	best, found := t.columns.best(t.pairs.pi, mass)
	if !found {
		return model.Stump{}, 1, false
	}
	best.markTo(t.in)
	alpha, z := t.pairs.outcome(t.in).step(t.pairs.count)
	t.pairs.add(alpha, t.in)
	return model.Stump{Feature: best.column.feature, Threshold: t.columns.threshold(best), Weight: alpha}, z, true
}
