package rls

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/learn/rls/internal/pencil"
	"pairrank/pref"
)

// NotExactError says why rows cannot be held out without retraining.
type NotExactError struct{ Reason string }

func (e *NotExactError) Error() string {
	return "no exact shortcut: " + e.Reason
}

// Held are the predictions of a group of rows that was held out.
type Held struct {
	// F is h×v, in the order of the group's rows.
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
	// Widest is the largest size of a prediction of the group; NaN where one is.
	Widest() float64
}

// HoldOut predicts the rows of each group for each λ as if the group had been
// left out of training. emit receives the predictions for lambdas[l] without
// group g; it is called from several goroutines and must not keep them.
//
// It is exact, to rounding, for whole queries of any goal, for any rows in
// regression and under query-size weighting, and for any rows of a single list
// with tied pairs included (Pahikkala et al. 2009, sections 3.3 and 3.4). Other
// sets return a NotExactError, and a prediction that is not finite is ErrNumerical,
// with the first row that has one. The cost is that of pencil.HoldOut.
func (p *Path) HoldOut(ctx context.Context, groups *pref.Partition, lambdas []float64, emit func(g, l int, held Held)) error {
	if err := p.Exact(groups); err != nil {
		return err
	}
	for _, lambda := range lambdas {
		checkLambda(lambda)
	}
	silent, over := make([][]int, groups.Len()), overflow{}
	every := make([]int, p.goal.Outputs)
	for c := range every {
		every[c] = c
	}
	err := p.pencil.HoldOut(ctx, pencil.HoldOut{
		Groups:  groups,
		Lambdas: p.allWithin(lambdas),
		Scale:   p.scale(groups),
		Emit: func(g, l int, f linalg.Mat, rounding *pencil.Rounding) {
			if l == 0 {
				silent[g] = p.pulls.silent(groups.Part(g))
				if p.goal.Centred() && p.alike().silent(groups.Part(g)) != nil {
					silent[g] = every
				}
			}
			for _, c := range silent[g] {
				for i := range f.Rows {
					f.Row(i)[c] = 0
				}
			}
			if w := rounding.Widest(); math.IsNaN(w) || math.IsInf(w, 0) {
				over.look(groups.Part(g), f, lambdas[l])
			}
			emit(g, l, Held{F: dense(f), Rounding: rounding})
		},
	})
	if err != nil {
		return err
	}
	return over.err
}

// allWithin is within of each λ.
func (p *Path) allWithin(lambdas []float64) []float64 {
	out := make([]float64, len(lambdas))
	for l, v := range lambdas {
		out[l] = p.within(v)
	}
	return out
}

// overflow finds the first row with a prediction that is not finite.
type overflow struct {
	mu  sync.Mutex
	row int32
	err error
}

func (o *overflow) look(rows []int32, f linalg.Mat, lambda float64) {
	for a, i := range rows {
		if finite(f.Row(a)) {
			continue
		}
		o.mu.Lock()
		if o.err == nil || i < o.row {
			o.row, o.err = i, fmt.Errorf("%w: the held-out prediction of row %d overflows at λ = %g", ErrNumerical, i+1, lambda)
		}
		o.mu.Unlock()
	}
}

// Exact returns nil where HoldOut is exact for these groups of rows, and a
// *NotExactError with the reason where it is not.
func (p *Path) Exact(groups *pref.Partition) error {
	if len(groups.Rows) != p.goal.L.Dim() {
		panic(fmt.Sprintf("rls: groups of %d rows for a problem of %d", len(groups.Rows), p.goal.L.Dim()))
	}
	if p.goal.L.Components().Refines(groups) || p.goal.Kind == pref.Rows {
		return nil
	}
	switch {
	case p.goal.Kind == pref.Explicit:
		return &NotExactError{"a group cuts through preferences that connect its rows with others; hold out whole components"}
	case p.goal.Kind != pref.Complete:
		return &NotExactError{"part of a query is held out and tied pairs are left out; hold out whole queries, or include ties"}
	case p.goal.Weight == pref.Size || p.goal.L.Components().Len() == 1:
		return nil
	}
	return &NotExactError{"part of a query is held out, which changes the weight of the rest of it; hold out whole queries, or weight by size"}
}

// scale is the factor on λ that makes up for the pairs that a group of h rows
// takes from the rows that stay. With C the centring of a list, every pair of m
// rows counting w is w m C; after h rows leave it is w' (m−h) C', so that C'
// meets λ/(w'(m−h)) where C meets λ/(w m).
func (p *Path) scale(groups *pref.Partition) func(g int) float64 {
	if p.goal.Kind != pref.Complete || p.goal.Weight == pref.Size || p.goal.L.Components().Refines(groups) {
		return nil
	}
	return func(g int) float64 { return p.listScale(len(groups.Part(g))) }
}

func (p *Path) listScale(h int) float64 {
	m := float64(p.goal.L.Dim())
	left := m - float64(h)
	switch {
	case p.goal.Kind != pref.Complete || p.goal.Weight == pref.Size || left < 2:
		return 1
	case p.goal.Weight == pref.Edges:
		return (left - 1) / (m - 1)
	}
	return m / left
}

// LeavePairOut predicts, for every pair of rows i < j and each output c, both
// rows as if the pair had been left out of training. emit receives the
// predictions for row i and all j > i in ascending order; it is called from
// several goroutines, told apart by worker in [0,GOMAXPROCS), and must not keep
// the slices. It is exact for a single
// list with tied pairs included, for regression, and under query-size
// weighting; otherwise it returns a *NotExactError. The cost is about one and a
// half products of m×k with k×m, and O(m²v).
func (p *Path) LeavePairOut(ctx context.Context, lambda float64, emit func(worker, i, c int, fi, fj []float64)) error {
	checkLambda(lambda)
	if p.goal.Kind != pref.Rows {
		if err := p.Exact(pref.Singletons(p.goal.L.Dim())); err != nil {
			return err
		}
	}
	err := p.pencil.LeavePairs(ctx, p.within(lambda)*p.listScale(2), p.silenced(emit))
	return pairError(err, lambda)
}

// pairError gives an overflow of pencil its kind.
func pairError(err error, lambda float64) error {
	var over *pencil.OverflowError
	if errors.As(err, &over) {
		return fmt.Errorf("%w: the prediction of row %d overflows at λ = %g", ErrNumerical, over.Row+1, lambda)
	}
	return err
}

// silenced is emit with exact zeros where nothing is learnt without a pair.
func (p *Path) silenced(emit func(worker, i, c int, fi, fj []float64)) func(worker, i, c int, fi, fj []float64) {
	silence := p.pulls.pairs()
	if silence == nil {
		return emit
	}
	return func(worker, i, c int, fi, fj []float64) {
		for b := range fi {
			if silence.silent(int32(i), int32(i+1+b), c) {
				fi[b], fj[b] = 0, 0
			}
		}
		emit(worker, i, c, fi, fj)
	}
}

// errSolved is what a fit without a path answers.
var errSolved = &NotExactError{"the fit was solved for one λ and has no factorisation to hold out from; use Factor"}

// HoldOut is Path.HoldOut at the λ of the fit: the predictions of all rows, m×v,
// each as if its group had been left out of training. A fit of Solve or
// ConjugateGradients returns a *NotExactError.
func (f *Fit) HoldOut(ctx context.Context, groups *pref.Partition) (*data.Dense, error) {
	if f.path == nil {
		return nil, errSolved
	}
	out := data.NewDense(len(groups.Rows), f.goal.Outputs, nil)
	err := f.path.HoldOut(ctx, groups, []float64{f.Lambda}, func(g, _ int, held Held) {
		for a, i := range groups.Part(g) {
			copy(out.Row(int(i)), held.F.Row(a))
		}
	})
	return out, err
}

// LeaveQueryOut is HoldOut of each query.
func (f *Fit) LeaveQueryOut(ctx context.Context, queries *pref.Partition) (*data.Dense, error) {
	return f.HoldOut(ctx, queries)
}

// LeaveOneOut is HoldOut of each row.
func (f *Fit) LeaveOneOut(ctx context.Context) (*data.Dense, error) {
	return f.HoldOut(ctx, pref.Singletons(f.goal.L.Dim()))
}

// LeavePairOut is Path.LeavePairOut at the λ of the fit.
func (f *Fit) LeavePairOut(ctx context.Context, emit func(worker, i, c int, fi, fj []float64)) error {
	if f.path == nil {
		return errSolved
	}
	return f.path.LeavePairOut(ctx, f.Lambda, emit)
}
