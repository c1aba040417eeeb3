package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
)

// kind is what samples are drawn from: so many rows, a share of them positive, with
// normal features of variance 1. Where there is a signal the mean of the first features
// of positives is ½: of four in ten, sixteen in a thousand.
type kind struct {
	rows     int
	share    float64
	features int
	kernel   kernel.Kernel
	signal   bool
}

// informative is how many features have a signal.
func (k kind) informative() int {
	switch {
	case !k.signal:
		return 0
	case k.features >= 1000:
		return 16
	}
	return 4
}

// positives is how many rows of a sample are positive.
func (k kind) positives() int { return int(math.Round(k.share * float64(k.rows))) }

// lambda is the number of rows: the pairs of one list are that many times the centred
// squares of its rows.
func (k kind) lambda() float64 { return float64(k.rows) }

// sample is rows with labels, and the source of further ones.
type sample struct {
	kind
	set    *data.Set
	random *rand.Rand
}

// draw draws sample number n.
func (k kind) draw(n int, seed uint64) *sample {
	s := &sample{kind: k, random: rand.New(rand.NewPCG(seed, uint64(n)))}
	y := make([]float64, k.rows)
	for i := range k.positives() {
		y[i] = 1
	}
	s.random.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
	s.set = &data.Set{X: s.rowsOf(y), Y: y, Queries: data.OneList(k.rows)}
	return s
}

// rowsOf draws rows for labels.
func (s *sample) rowsOf(y []float64) *data.Dense {
	x := data.NewDense(len(y), s.features, nil)
	for i, label := range y {
		row := x.Row(i)
		for j := range row {
			row[j] = s.random.NormFloat64()
			if j < s.informative() {
				row[j] += label / 2
			}
		}
	}
	return x
}

// estimators are the ways to estimate the AUC, in the order of sample.estimates.
var estimators = []string{"leave-pair-out", "pairs of a fold", "averaged", "pooled", "pooled, with a constant",
	"leave-one-out, pooled"}

// estimates are those of the AUC of the sample's scorer, and its AUC on rows that are
// not in the sample. NaN is an estimate that does not exist: no fold has both labels.
func (s *sample) estimates(ctx context.Context, seed uint64) (of []float64, auc float64, err error) {
	list := data.OneList(s.rows)
	goal, err := goals.Scored(s.set.Y, 1, list, pref.Options{})
	if err != nil {
		return nil, 0, err
	}
	path, err := rls.Factor(ctx, basis(s.kernel, centred(s.set.X.(*data.Dense))), goal)
	if err != nil {
		return nil, 0, err
	}
	labels := holdout.Labels{Y: s.set.Y, Queries: list}
	e, err := holdout.EstimatePath(ctx, path, labels, holdout.Options{Method: leavePairOut,
		Candidates: []float64{s.lambda()}})
	if err != nil {
		return nil, 0, err
	}
	of = append(make([]float64, 0, len(estimators)), 1-e[0].Points[0].Error)
	for _, method := range []cv.Method{tenFold, {Kind: cv.KFold, Folds: s.rows}} {
		groups, scores, err := s.heldOut(ctx, path, labels, method, seed)
		if err != nil {
			return nil, 0, err
		}
		if method == tenFold {
			mean, _, pairs := averaged(groups, scores, s.set.Y)
			of = append(of, pairs, mean)
		}
		if of, err = appendAUC(of, scores, s.set.Y); err != nil {
			return nil, 0, err
		}
		if method == tenFold {
			addConstants(groups, scores, s.set.Y)
			if of, err = appendAUC(of, scores, s.set.Y); err != nil {
				return nil, 0, err
			}
		}
	}
	auc, err = s.true(path)
	return of, auc, err
}

// heldOut are the scores of all rows, each predicted without its fold.
func (s *sample) heldOut(ctx context.Context, path *rls.Path, labels holdout.Labels, method cv.Method,
	seed uint64) (*data.Partition, []float64, error) {
	splits, err := holdout.MethodSplits(method, labels.Queries, seed)
	if err != nil {
		return nil, nil, err
	}
	held, err := holdout.HeldOut(ctx, holdout.OfPath(path, nil).HoldOut, labels,
		holdout.Options{Method: method, Seed: seed},
		s.lambda())
	if err != nil {
		return nil, nil, err
	}
	return splits.Groups(), held.Data, nil
}

func appendAUC(of, scores, y []float64) ([]float64, error) {
	roc, err := cv.NewROC(scores, y)
	if err != nil {
		return nil, err
	}
	return append(of, roc.AUC), nil
}

// fresh is how many rows of each label the AUC of a scorer is found on where there is
// no formula.
const fresh = 500

// true is the AUC of the scorer that is trained on the whole sample. That of a linear one
// has a formula: its scores are normal with the same variance for both labels.
func (s *sample) true(path *rls.Path) (float64, error) {
	coef := path.At(s.lambda()).Coef.Data
	x := s.set.X.(*data.Dense)
	if s.kernel == (kernel.Linear{}) {
		w := coef
		if s.features > s.rows { // the dual form
			w = make([]float64, s.features)
			x.MulTransVecTo(w, coef)
		}
		gain, squares := 0.0, 0.0
		for j, v := range w {
			squares += v * v
			if j < s.informative() {
				gain += v / 2
			}
		}
		return math.Erfc(-gain/math.Sqrt(squares)/2) / 2, nil
	}
	y := make([]float64, 2*fresh)
	for i := range fresh {
		y[i] = 1
	}
	scores := make([]float64, len(y))
	kernel.Matrix(s.kernel, s.rowsOf(y), x).MulVecTo(scores, coef)
	roc, err := cv.NewROC(scores, y)
	if err != nil {
		return 0, fmt.Errorf("the AUC of fresh rows: %w", err)
	}
	return roc.AUC, nil
}

// centred is a copy whose columns have mean 0.
func centred(x *data.Dense) *data.Dense {
	c := data.NewDense(x.Rows, x.Cols, append([]float64(nil), x.Data...))
	for j := range c.Cols {
		mean := 0.0
		for i := range c.Rows {
			mean += c.Row(i)[j] / float64(c.Rows)
		}
		for i := range c.Rows {
			c.Row(i)[j] -= mean
		}
	}
	return c
}
