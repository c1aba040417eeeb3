package rows

import (
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
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

// units are those of a task.
func (t *task) units() units {
	if blocks := t.outerLabels().Blocks(); blocks != nil {
		return units{n: blocks.Len(), of: "group", least: holdout.LeastUnits,
			rows: func(some []int) []int { return holdout.RowsOfQueries(blocks, some) },
			halves: func(some []int) func(r *rand.Rand) [2][]int {
				return holdout.SplitRows(t.dealtGroups(blocks, some))
			},
		}
	}
	if t.queries.Len() == 1 {
		return units{n: t.rows(), of: "row", least: holdout.LeastUnits,
			rows:   func(some []int) []int { return some },
			halves: func(some []int) func(r *rand.Rand) [2][]int { return holdout.SplitRows(t.dealtBy(some)) },
		}
	}
	return units{n: t.queries.Len(), of: "query", least: 4,
		rows:   func(some []int) []int { return holdout.RowsOfQueries(t.queries, some) },
		halves: func(some []int) func(r *rand.Rand) [2][]int { return holdout.SplitQueries(len(some)) },
	}
}

// dealtGroups are the labels that stratify the halves of some groups: the mean of each, where there is one output.
func (t *task) dealtGroups(blocks *data.Partition, some []int) []float64 {
	labels := make([]float64, len(some))
	for k, g := range some {
		rows := blocks.Part(g)
		for _, i := range rows {
			if t.outputs == 1 {
				labels[k] += t.y[i] / float64(len(rows))
			}
		}
	}
	return labels
}

// dealtBy are the labels that stratify the halves of some rows: those of the only output. Several outputs have
// none, since each has other labels.
func (t *task) dealtBy(some []int) []float64 {
	labels := make([]float64, len(some))
	if t.outputs == 1 {
		for k, i := range some {
			labels[k] = t.y[i]
		}
	}
	return labels
}

// Parts draws random units, one part within another.
func (s *source) Parts(c *procedure.Choice) procedure.Parts {
	units := s.units()
	p := procedure.Parts{
		Halving: holdout.Halving{Units: units.n, Of: units.of, Least: holdout.LeastUnits,
			Draw: units.halves(indices(units.n))},
		Smallest: s.leastPart(),
		Halve:    func(r *rand.Rand, some []int) []int { return among(some, units.halves(some)(r)[0]) },
	}
	p.Given = c.Method.Kind == cv.LeaveQueryOut || c.Method.Kind == cv.LeavePairOut && s.queries.Len() == 1
	p.Work = 2 * holdout.HalfSplits * s.choiceWork(c, 0.5)
	return p
}

// leastPart is the least number of units in a part of a learning curve: at least the number of folds.
func (t *task) leastPart() int {
	least := t.units().least
	if m := t.o.Method; m != nil && m.Kind == cv.KFold {
		least = max(least, m.Folds)
	}
	return least
}

// among are members of a list by their places.
func among(list, places []int) []int {
	out := make([]int, len(places))
	for k, at := range places {
		out[k] = list[at]
	}
	return out
}

// choiceWork estimates the multiplications of repeating a choice on a share of the rows and queries.
func (s *source) choiceWork(c *procedure.Choice, share float64) float64 {
	if c.Retrained {
		return float64(len(s.o.Kernels)) * s.foldsWork(c.Method, share, c.Chosen().Candidates)
	}
	return s.chooseWork(c.Method, share)
}

// chooseWork estimates the multiplications of a choice on a share of the rows and queries, if it is exact.
func (s *space) chooseWork(method cv.Method, share float64) float64 {
	kernels, lambdas := float64(len(s.o.Kernels)), float64(s.learner.count(s.task))
	return kernels * s.work(method, share, lambdas)
}

// tellFactoring divides the progress of an estimate: the factorisation has its share of the work where it takes a
// second or more, and what follows has the rest. Both are nil where progress is.
func (s *space) tellFactoring(progress func(done, total int)) (factoring func(share float64),
	after func(done, total int)) {
	const steps, second = 1000, 2e9
	exact := s.exact()
	if progress == nil || exact == nil {
		return nil, progress
	}
	m := float64(s.rows())
	k, counted := exact.factorWork(s, m)
	factor := 0.1*m*k*k + 0.6*k*k*k // in the time of other multiplications; see cv.Options.Pairs
	if factor < second {
		return nil, progress
	}
	method := cv.Method{Kind: cv.LeavePairOut}
	if s.o.Method != nil {
		method = *s.o.Method
	} else if s.queries.Len() > 1 {
		method.Kind = cv.LeaveQueryOut
	}
	rest := s.work(method, 1, float64(s.learner.count(s.task))) - counted
	if method.Kind == cv.LeavePairOut && s.groups == nil && s.o.PairsSample == cv.PairsAuto {
		rest = min(rest, holdout.PairsBudget+factor/4)
	}
	first := steps * factor / (factor + rest)
	return func(share float64) { progress(int(first*share), steps) }, func(done, total int) {
		progress(int(first+(steps-first)*float64(done)/float64(max(total, 1))), steps)
	}
}

// work estimates the multiplications of an estimate on a share of the rows and queries: a factorisation, and so
// many values of λ over the pairs or groups that are left out; 0 if nothing is factored.
func (s *space) work(method cv.Method, share, lambdas float64) float64 {
	exact := s.exact()
	if exact == nil {
		return 0
	}
	m, outputs := float64(s.rows())*share, float64(s.outputs)
	k, factor := exact.factorWork(s, m)
	if method.Kind != cv.LeavePairOut || s.groups != nil {
		groups := m
		if s.groups != nil {
			groups = float64(s.groups.Len()) * share
		}
		if method.Kind == cv.LeavePairOut {
			const least = 4000     // for few rows, measured
			rows := 2 * m / groups // of two groups
			return factor + groups*groups/2*lambdas*(least+rows*rows*k+8*rows*k*outputs+rows*rows*rows)
		}
		switch {
		case method.Kind == cv.KFold:
			groups = float64(method.Folds)
		case s.queries.Len() > 1 && method.Kind == cv.LeaveQueryOut:
			groups = float64(s.queries.Len()) * share
		}
		rows := m / groups
		const ordering = 300 // of a row among those of its query, with its ties; measured
		return factor + lambdas*m*outputs*ordering + groups*min(k*k*k+lambdas*outputs*(k*k+rows*k),
			lambdas*(rows*rows*k+8*rows*k*outputs+rows*rows*rows))
	}
	return factor + lambdas*m*m*(1.5*k+40*outputs) // every pair
}
