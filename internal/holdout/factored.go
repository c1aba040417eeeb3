package holdout

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
)

// Factored is a problem that is factored once. It then predicts held-out rows (see OfPath), or
// edges between nodes, for every λ without training again. It is safe for concurrent use.
type Factored interface {
	// Exact returns nil where the test sets can be held out exactly, else an error with the
	// reason.
	Exact(s *Splits) error
	// HoldOut is a Predictor: it predicts each test set from its training set. It returns the error
	// of Exact.
	HoldOut(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error
	// Extent returns the scale for λ: the least eigenvalue above rounding, the largest eigenvalue,
	// and the spread by features of different size, 1 where they are alike; see LambdasBetween.
	// Without a positive eigenvalue least is +∞ and largest 0.
	Extent() (least, largest, spread float64)
	// Relabel returns the same problem for other labels, m×v row-major, with the same
	// factorisation.
	Relabel(y []float64, outputs int) (Factored, error)
}

// leavesPairsOut is a Factored that orders every two rows that are left out, as leave-pair-out
// does.
type leavesPairsOut interface {
	OrderPairs(ctx context.Context, lambda float64, emit func(worker, i, c int, fi, fj []float64)) error
}

// estimatesPairs is a Factored that implements leave-pair-out itself, as edges do.
type estimatesPairs interface {
	EstimatePairs(ctx context.Context, labels Labels, o Options) ([]*cv.Estimate, error)
}

// OfPath returns the Factored of a path over m rows. retarget makes the goal for labels m×v; where
// it is nil Relabel returns an error.
func OfPath(path *rls.Path, retarget func(y []float64, v int) (*goals.Goal, error)) Factored {
	return ofPath{path, retarget}
}

type ofPath struct {
	*rls.Path
	retarget func(y []float64, v int) (*goals.Goal, error)
}

func (p ofPath) Exact(s *Splits) error {
	groups, err := p.groups(s)
	if err != nil {
		return err
	}
	return p.Path.Exact(groups)
}

func (p ofPath) HoldOut(ctx context.Context, s *Splits, lambdas []float64, emit func(g, l int, held Held)) error {
	groups, err := p.groups(s)
	if err != nil {
		return err
	}
	return p.Path.HoldOutSome(ctx, groups, s.wanted, lambdas, emit)
}

// groups are the test sets, where training is on all other rows.
func (ofPath) groups(s *Splits) (*data.Partition, error) {
	if g := s.Groups(); g != nil {
		return g, nil
	}
	return nil, &rls.NotExactError{Reason: "the training sets leave out more than what is held out"}
}

func (p ofPath) Extent() (least, largest, spread float64) {
	least, largest = extent(p.Eigenvalues())
	return least, largest, Spread(p.Squares())
}

func (p ofPath) Relabel(y []float64, outputs int) (Factored, error) {
	if p.retarget == nil {
		return nil, errors.New("the problem has no goal for other labels")
	}
	goal, err := p.retarget(y, outputs)
	if err != nil {
		return nil, err
	}
	return ofPath{p.Path.Retarget(goal), p.retarget}, nil
}

// EstimateFactored returns the exact estimates of a factored problem, without retraining: one for
// each of the v outputs, with a Point for each λ (Pahikkala et al. 2009, sections 3.3 and 3.4). It
// costs a HoldOut, or for leave-pair-out all m(m−1)/2 pairs for each λ, and O(m log m) for each λ,
// output and metric. Where the problem has no shortcut it returns the error of its Exact, for a
// path an *rls.NotExactError. It returns a *NoPairsError as Measure does, and the error of ctx. It
// panics where f has a method Rows whose result differs from the number of rows of the labels.
func EstimateFactored(ctx context.Context, f Factored, labels Labels, o Options) ([]*cv.Estimate, error) {
	labels, o = labels.resolved(), o.resolved(labels)
	if of, can := f.(interface{ Rows() int }); can && of.Rows() != labels.rows() {
		panic(fmt.Sprintf("holdout: labels.Y has %d rows, and what is factored %d", labels.rows(), of.Rows()))
	}
	if err := check(o.Method); err != nil {
		return nil, err
	}
	if len(o.Candidates) == 0 {
		o.Candidates = LambdasBetween(f.Extent())
	}
	if o.Splits != nil || o.Method.Kind != cv.LeavePairOut {
		_, o.skips = f.(ofPath)
		return Measure(ctx, f.HoldOut, labels, o)
	}
	if labels.Groups != nil {
		return pairsOfGroups(ctx, f.HoldOut, labels, o)
	}
	if own, can := f.(estimatesPairs); can {
		return own.EstimatePairs(ctx, labels, o)
	}
	pairs, can := f.(leavesPairsOut)
	if !can {
		return nil, fmt.Errorf("leave-pair-out needs pairs of rows")
	}
	return leavePairOut(ctx, pairs, labels, o)
}

// extent returns the least eigenvalue above rounding, +∞ where none is positive, and the largest,
// at least 0.
func extent(eigenvalues []float64) (least, largest float64) {
	for _, v := range eigenvalues {
		largest = max(largest, v)
	}
	rounding := float64(len(eigenvalues)) * 0x1p-52 * largest
	least = math.Inf(1)
	for _, v := range eigenvalues {
		if v > rounding {
			least = min(least, v)
		}
	}
	return least, largest
}
