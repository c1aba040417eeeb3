package pairrank

import (
	"context"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/pick"
	"pairrank/internal/procedure"
)

// units are the units of random parts of the data: queries, which are independent of one another, or the rows
// of a single list.
type units struct {
	n     int
	of    string // "query" or "row"
	least int    // the least number in a part of a learning curve

	// rows are the rows of some units.
	rows func(some []int) []int
	// halves returns a function that draws two halves of some units, by their places in some.
	halves func(some []int) func(r *rand.Rand) [2][]int
}

// units are those of the rows.
func (t *trainer) units() units {
	if blocks := t.labels().Blocks(); blocks != nil {
		return units{n: blocks.Len(), of: "group", least: holdout.LeastUnits,
			rows: func(some []int) []int { return holdout.RowsOfQueries(blocks, some) },
			halves: func(some []int) func(r *rand.Rand) [2][]int {
				return holdout.SplitRows(t.dealtBy(blocks, some))
			},
		}
	}
	if t.queries.Len() == 1 {
		return units{n: t.rows(), of: "row", least: holdout.LeastUnits,
			rows: func(some []int) []int { return some },
			halves: func(some []int) func(r *rand.Rand) [2][]int {
				return holdout.SplitRows(t.dealtBy(data.Singletons(t.rows()), some))
			},
		}
	}
	return units{n: t.queries.Len(), of: "query", least: 4,
		rows:   func(some []int) []int { return holdout.RowsOfQueries(t.queries, some) },
		halves: func(some []int) func(r *rand.Rand) [2][]int { return holdout.SplitQueries(len(some)) },
	}
}

// dealtBy are the labels that stratify the halves of some groups or rows: the mean of each, where there is one output.
// Several outputs have none, since each has other labels.
func (t *trainer) dealtBy(blocks *data.Partition, some []int) []float64 {
	labels := make([]float64, len(some))
	for k, g := range some {
		rows := blocks.Part(g)
		for _, i := range rows {
			if t.outputs == 1 {
				labels[k] += t.dealtLabel(int(i)) / float64(len(rows))
			}
		}
	}
	return labels
}

// dealtLabel is the label of a row for halves: of a censored time 1, and 0 of an event, so that halves have as many.
func (t *trainer) dealtLabel(i int) float64 {
	switch {
	case t.censored == nil:
		return t.y[i]
	case t.censored[i]:
		return 1
	}
	return 0
}

// Parts draws random units, one part within another.
func (s *source) Parts(c *procedure.Choice) procedure.Parts {
	units := s.units()
	p := procedure.Parts{
		Halving: holdout.Halving{Units: units.n, Of: units.of, Least: holdout.LeastUnits,
			Draw: units.halves(indices(units.n))},
		Smallest: s.leastPart(),
		Halve:    func(r *rand.Rand, some []int) []int { return pick.Rows(some, units.halves(some)(r)[0]) },
	}
	p.Given = c.Method.Kind == cv.LeaveQueryOut || c.Method.Kind == cv.LeavePairOut && s.queries.Len() == 1
	p.Work = 2 * holdout.HalfSplits * s.choiceWork(c, 0.5)
	return p
}

// leastPart is the least number of units in a part of a learning curve: at least the number of folds.
func (t *trainer) leastPart() int {
	least := t.units().least
	if m := t.wanted; m != nil && m.Kind == cv.KFold {
		least = max(least, m.Folds)
	}
	return least
}

// NestPairs leaves out every pair twice, under the kernel of the source.
func (s *source) NestPairs(ctx context.Context, tell func(done, total int)) (e cv.KernelEstimate,
	pairs []holdout.NestedPair, err error) {
	e.Kernel, e.Parameter = s.spec, s.learner.parameter()
	if s.rows() < leastNest { // a half
		return e, nil, fault.Dataf("%d rows are too few to leave out two pairs", s.rows())
	}
	if err := s.Ready(ctx); err != nil {
		return e, nil, err
	}
	if e.Candidates, err = s.learner.candidates(s.trainer, s.aim, s.path()); err != nil {
		return e, nil, err
	}
	pairs, err = s.path().NestPairs(ctx, s.y, e.Candidates, tell)
	return e, pairs, err
}

// NestWork estimates the multiplications of NestPairs on a share of the rows, for every kernel: four for each two pairs
// with different labels; of rows with weights those of a choice for each pair.
func (s *source) NestWork(share float64) float64 { return s.nestWork(share) }

// unlikePairs is the number of pairs of rows with different labels, as one list.
func (t *trainer) unlikePairs() int64 { return t.countPairs(data.OneList(t.rows())) }

// countPairs is the number of pairs of a part with different labels, or of comparable times.
func (t *trainer) countPairs(parts *data.Partition) int64 {
	return holdout.CountPairs(t.y, t.censored, parts)
}

// UnitLabels are the labels of the rows.
func (s *source) UnitLabels() []float64 { return s.y }
