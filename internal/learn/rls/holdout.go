package rls

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// NotExactError says why rows cannot be held out without training again.
type NotExactError = goals.NotExactError

// Held holds the predictions of a held-out group of rows.
type Held struct {
	// F holds the predictions, h×v, in the order of the group's rows.
	F *data.Dense
	// Rounding bounds the rounding in F: predictions that are equal in exact
	// arithmetic differ by no more than the sum of their bounds.
	Rounding Rounding
}

// Rounding bounds the rounding in predictions.
type Rounding interface {
	// At is the bound of row a of the group and output c.
	At(a, c int) float64
	// Most is at least At of every row and output.
	Most() float64
}

// HoldOut predicts the rows of each group for each λ as if the group had been left out of training.
// emit receives the predictions for lambdas[l] without group g. HoldOut calls emit from several
// goroutines, for one group from one of them. emit must not keep the predictions.
//
// It is exact, to rounding, for whole queries of any goal, for any rows in
// regression and under query-size weighting, and for any rows of a single list
// with tied pairs included (Pahikkala et al. 2009, sections 3.3 and 3.4; see
// goals.Goal.CanHoldOut).
//
// A group of h rows costs, for nλ values of λ, the lesser of O(hk² + nλ(h²k + h³)) and O(hk² + k³ +
// nλ(k² + hk)) in the primal and sparse forms, and O(nλ(h²m + h³)) in the dual form.
//
// It returns a *NotExactError for other groups, ErrNumerical with the first row whose prediction is
// not finite, and the error of ctx where that ended it early. It panics unless every λ is positive
// and finite and groups has m rows.
func (p *Path) HoldOut(ctx context.Context, groups *data.Partition, lambdas []float64,
	emit func(g, l int, held Held)) error {
	return p.HoldOutSome(ctx, groups, nil, lambdas, emit)
}

// HoldOutSome is HoldOut of the groups for which wanted returns true; nil wants all. A group that is not wanted costs
// nothing.
func (p *Path) HoldOutSome(ctx context.Context, groups *data.Partition, wanted func(g int) bool, lambdas []float64,
	emit func(g, l int, held Held)) error {
	if err := p.Exact(groups); err != nil {
		return err
	}
	for _, lambda := range lambdas {
		checkLambda(lambda)
	}
	if p.goal.CanHoldOut(groups) != nil {
		return p.holdOutStars(ctx, groups, wanted, lambdas, emit)
	}
	degenerate, over := make([][]int, groups.Len()), overflow{}
	err := p.holdOut(ctx, pencil.HoldOut{
		Groups:  groups,
		Wanted:  wanted,
		Lambdas: lambdas,
		Scale:   p.goal.LambdaScales(groups),
		Emit: func(g, l int, f linalg.Mat, rounding *pencil.Rounding) {
			if l == 0 {
				degenerate[g] = p.degenerateWithout(groups.Part(g))
			}
			for _, c := range degenerate[g] {
				for i := range f.Rows {
					f.Row(i)[c] = 0
				}
			}
			if w := rounding.Widest(); math.IsNaN(w) || math.IsInf(w, 0) {
				over.check(groups.Part(g), f, lambdas[l])
			}
			emit(g, l, Held{F: dense(f), Rounding: rounding})
		},
	})
	if err != nil {
		return err
	}
	return over.err
}

// degenerateWithout lists the outputs for which nothing can be learnt without the rows h: those
// whose remaining labels carry no information, or all outputs where the rows that stay are equal in
// every component.
func (p *Path) degenerateWithout(h []int32) []int {
	if !p.goal.Centred() || p.features().without(h) == nil {
		return p.labels.without(h)
	}
	every := make([]int, p.goal.Outputs)
	for c := range every {
		every[c] = c
	}
	return every
}

// effectiveAll returns effective of each λ.
func (p *Path) effectiveAll(lambdas []float64) []float64 {
	out := make([]float64, len(lambdas))
	for l, v := range lambdas {
		out[l] = p.effective(v)
	}
	return out
}

// overflow finds the first row with a prediction that is not finite.
type overflow struct {
	mu  sync.Mutex
	row int32
	err error
}

func (o *overflow) check(rows []int32, f linalg.Mat, lambda float64) {
	for a, i := range rows {
		if linalg.Finite(f.Row(a)) {
			continue
		}
		o.mu.Lock()
		if o.err == nil || i < o.row {
			o.row, o.err = i, fmt.Errorf("%w: the held-out prediction of row %d overflows at λ = %g",
				ErrNumerical, i+1, lambda)
		}
		o.mu.Unlock()
	}
}

// Exact returns nil where HoldOut is exact for these groups of rows, and a *NotExactError with the
// reason where it is not: see goals.Goal.CanHoldOut. Of censored times any rows are held out exactly, by pencil.Stars,
// where the rows in coordinates fit. It panics unless groups has m rows. Cost O(m).
func (p *Path) Exact(groups *data.Partition) error {
	if err := p.goal.CanHoldOut(groups); err != nil && !p.hasStars() {
		return err
	}
	return nil
}

// LeavePairOut predicts, for every pair of rows i < j and each output c, both rows as if the pair
// had been left out of training. emit receives the predictions for row i and all j > i in ascending
// order. LeavePairOut calls it from several goroutines, each with its own worker in [0,GOMAXPROCS).
// emit must not keep the slices (Pahikkala, Airola, Boberg and Salakoski 2008, Exact and efficient
// leave-pair-out cross-validation for ranking RLS; Pahikkala et al. 2009, section 3.4). The cost is
// about one and a half products of m×k with k×m, and O(m²v).
//
// Where rows of a list have weights each pair has a λ of its own, unless the pairs weigh by size, which takes that
// cost at a few λ, from 4 for some thousand rows to 8 for ten; see goals.Goal.LambdaScale. OrderPairs takes less.
//
// It is exact where any rows can be held out: for a single list with tied pairs
// included, for regression, and under query-size weighting. Otherwise it returns a
// *NotExactError; ErrNumerical where a prediction is not finite; and the error of
// ctx. It panics unless λ is positive and finite.
func (p *Path) LeavePairOut(ctx context.Context, lambda float64, emit func(worker, i, c int, fi, fj []float64)) error {
	checkLambda(lambda)
	if p.hasStars() {
		return p.LeaveStarsOut(ctx, []float64{lambda}, func(_, _ int32) bool { return true },
			func(worker, _, i int, fi, fj []float64) { emit(worker, i, 0, fi, fj) })
	}
	if err := p.goal.CanHoldOutAny(); err != nil {
		return err
	}
	if _, uniform := p.goal.PairScale(); !uniform {
		return pairError(p.scaled().LeavePairs(ctx, p.effective(lambda), p.withoutDegenerate(emit)), lambda)
	}
	err := p.ofPencil(lambda).LeavePairs(ctx, p.ofPairs(lambda), p.withoutDegenerate(emit))
	return pairError(err, lambda)
}

// OrderPairs is LeavePairOut whose predictions have the right order only. Where the rows of a list or of regression
// have weights it costs one product and one system for each pair: 500 rows take as long as without weights, in both
// forms.
func (p *Path) OrderPairs(ctx context.Context, lambda float64, emit func(worker, i, c int, fi, fj []float64)) error {
	checkLambda(lambda)
	if !p.ordersPairs() {
		return p.LeavePairOut(ctx, lambda, emit)
	}
	return pairError(p.scaled().OrderPairs(ctx, p.effective(lambda), p.withoutDegenerate(emit)), lambda)
}

// ordersPairs reports whether OrderPairs is another computation than LeavePairOut.
func (p *Path) ordersPairs() bool {
	return p.goal.RowWeights != nil && p.goal.CanHoldOutAny() == nil &&
		(p.goal.Kind == goals.Rows || p.goal.L.Components().Len() <= 1)
}

// pairError gives an overflow of pencil its kind.
func pairError(err error, lambda float64) error {
	var over *pencil.OverflowError
	if errors.As(err, &over) {
		return fmt.Errorf("%w: the prediction of row %d overflows at λ = %g", ErrNumerical, over.Row+1, lambda)
	}
	return err
}

// withoutDegenerate is emit with exact zeros where nothing is learnt without a
// pair.
func (p *Path) withoutDegenerate(
	emit func(worker, i, c int, fi, fj []float64)) func(worker, i, c int, fi, fj []float64) {
	degenerate := p.labels.pairs()
	if degenerate == nil {
		return emit
	}
	return func(worker, i, c int, fi, fj []float64) {
		for b := range fi {
			if degenerate.without(int32(i), int32(i+1+b), c) {
				fi[b], fj[b] = 0, 0
			}
		}
		emit(worker, i, c, fi, fj)
	}
}

// PredictHeldOut is HoldOut at one λ > 0, gathered: the predictions of all rows, m×v,
// each as if its group had been left out of training. With the queries as groups it is
// leave-query-out, with data.Singletons leave-one-out. The cost and the errors are those
// of HoldOut (Pahikkala et al. 2009, sections 3.3 and 3.4).
func (p *Path) PredictHeldOut(ctx context.Context, groups *data.Partition, lambda float64) (*data.Dense, error) {
	out := data.NewDense(p.Rows(), p.Outputs(), nil)
	err := p.HoldOut(ctx, groups, []float64{lambda}, func(g, _ int, held Held) {
		for a, i := range groups.Part(g) {
			copy(out.Row(int(i)), held.F.Row(a))
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
