package pairrank

import (
	"cmp"
	"context"
	"errors"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/linalg"
)

// losses are the squared losses of held-out rows, fᵀLf − 2rᵀf without what no function changes, where the linear kernel
// and splines are to choose from. Units are queries or, of a single list, what is left out together.
type losses struct {
	goal    *goals.Goal
	units   *data.Partition
	unit    []int32
	outputs int
	splits  *holdout.Splits // where the estimate leaves out what has no loss, or nil
	all     [][]float64     // of each candidate and output, by units
}

// newLosses are the losses of an estimate; nil where none are compared. Rows and pairs that are left out leave in folds
// here, or with their query where there are several, since a loss compares the rows of a unit.
func (s *source) newLosses(e *cv.KernelEstimate) (*losses, error) {
	if !comparesSplines(s.o.Kernels) {
		return nil, nil
	}
	held, l := *s.sample, &losses{}
	if v := s.valid; v != nil {
		held = sample{y: v.Y, censored: v.Censored, weights: v.Weights, outputs: 1, queries: v.Queries}
	} else if labels := s.labels(); s.queries.Len() == 1 {
		of := e.Method
		if of.Kind != cv.KFold {
			leave := cmp.Or(labels.Blocks(), data.Singletons(s.rows()))
			of = cv.Method{Kind: cv.KFold, Folds: foldsOfList(leave.Len())}
		}
		splits, err := labels.Splits(of, s.o.Seed)
		if err != nil {
			return nil, s.Fault(err)
		}
		if held.queries = splits.Groups(); of != e.Method {
			l.splits = splits
		}
	}
	judge, within := *s.plan, *s.o
	within.AllPairs, judge.o, held.edges = false, &within, nil
	e.Losses, e.Simple = make([]float64, held.queries.Len()), isLinear(s.spec)
	var err error
	if l.goal, err = (&trainer{plan: &judge, sample: &held, round: s.round}).goal(); err != nil {
		if errors.Is(err, goals.ErrNothingToLearn) {
			return nil, nil // all losses are equal
		}
		return nil, s.Fault(err)
	}
	if s.valid == nil && s.queries.Len() > 1 {
		splits, err := s.labels().Splits(e.Method, s.o.Seed)
		if err != nil || !l.goal.L.Components().Refines(splits.Groups()) {
			if l.splits, err = s.labels().Splits(cv.Method{Kind: cv.LeaveQueryOut}, s.o.Seed); err != nil {
				return nil, s.Fault(err)
			}
		}
	}
	l.units, l.unit, l.outputs = held.queries, held.queries.Of(), held.outputs
	l.all = make([][]float64, len(e.Candidates)*l.outputs)
	for k := range l.all {
		l.all[k] = make([]float64, l.units.Len())
	}
	return l, nil
}

// seen is holdout.Options.Seen for an estimate whose held-out rows have losses, else nil.
func (l *losses) seen() func(rows []int32, k int, h holdout.Held) {
	if l == nil || l.splits != nil {
		return nil
	}
	return l.add
}

// add adds the losses of predicted rows to those of their units. Test sets are predicted on several goroutines, and
// each has its units to itself.
func (l *losses) add(rows []int32, k int, h holdout.Held) {
	v, f := l.outputs, h.F.Clone().Data // which is compact
	lf := make([]float64, len(f))
	l.goal.L.Restrict(rows).MulTo(lf, f, v)
	for a, score := range f {
		i := rows[a/v]
		l.all[k*v+a%v][l.unit[i]] += score * (lf[a] - 2*l.goal.R[int(i)*v+a%v])
	}
}

// losses sets the losses of the candidate with the least sum, for each output. What is left out otherwise than for its
// error costs the predictions of the candidates.
func (s *source) losses(ctx context.Context, e *cv.KernelEstimate, l *losses) error {
	if l == nil {
		return nil
	}
	if l.splits != nil {
		by := s.solution.form.again(s.trainer, s.aim)
		if s.factored != nil && !e.Outputs[0].Retrained {
			by = holdout.OfPath(s.path(), nil).HoldOut
		}
		err := by(ctx, l.splits, e.Candidates, func(g, k int, h holdout.Held) {
			l.add(l.splits.Test(g)[:h.F.Rows], k, h) // small sets come several at a time, one after another
		})
		if err != nil {
			return s.Fault(err)
		}
	}
	e.LossConstant = l.goal.Constant()
	for o := range l.outputs {
		best, least := 0, math.Inf(1)
		for k := range e.Candidates {
			sum := 0.0
			for _, loss := range l.all[k*l.outputs+o] {
				sum += loss
			}
			if sum < least {
				best, least = k, sum
			}
		}
		linalg.Axpy(1, l.all[best*l.outputs+o], e.Losses)
	}
	return nil
}
