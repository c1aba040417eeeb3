package rls

import (
	"context"
	"math"
	"slices"

	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// FoldLoss is the exact loss on one fold of the functions trained on the other folds:
//
//	Σ w_ij ((y_i−y_j) − (f_i−f_j))² = c − 2Bᵀw + wᵀAw
//
// over the pairs of the fold, or Σ (y_i−f_i)² for regression. c, B and A are the sums of the fold;
// w are the weights trained on the others.
type FoldLoss struct {
	// Rows, Queries and Pairs are the counts of the fold. Without pairs, or in regression without
	// rows, every loss is 0.
	Rows, Queries, Pairs int64
	// Zero is c of each output: the loss of f = 0.
	Zero []float64
	// Learnt says for each output whether the other folds carry information. It is false, and the
	// function 0, where none of their queries has two labels (in regression, where no label differs
	// from 0), or all their compared rows are equal.
	Learnt []bool
	// Loss is the loss for each λ and output, not negative.
	Loss [][]float64
	// Rounding estimates a bound on the rounding error of each Loss from the size of its terms, 32u
	// (√c + Σ_j |w_j| √A_jj)² for u = 2⁻⁵³. Unless dependent features have large weights that
	// cancel it is about 1e-14 c.
	Rounding [][]float64
}

// HeldOut returns the loss on each fold for each λ. It leaves out whole queries, so the loss equals
// that of training again without them, at the same λ (Pahikkala et al. 2009, section 3.3). It sums
// the other folds rather than subtracting one from the total. A loss that is small compared with c
// = Zero loses digits; Rounding says how many.
//
// Each of the K folds with rows costs an eigenproblem, O(n³), K n² additions, and O(n²v) for each
// λ. A fold in work takes about 64n² bytes; as many folds are in work as there are cores and 256 MB
// allow. Folds without rows cost nothing, and share their slices. It panics unless every λ is
// positive and finite. It returns ErrNumerical where double precision does not carry a solution,
// and the error of ctx.
func (m *Statistics) HeldOut(ctx context.Context, lambdas []float64) ([]FoldLoss, error) {
	for _, lambda := range lambdas {
		checkLambda(lambda)
	}
	m.flush()
	losses, errs := make([]FoldLoss, len(m.folds)), make([]error, len(m.folds))
	const memory, numbers = 1 << 28, 64
	n := float64(max(1, m.features))
	workers := min(parallel.Workers(), int(max(1, memory/(numbers*n*n))))
	empty, filled := m.emptyLoss(len(lambdas)), []int{}
	for f := range m.folds {
		if losses[f] = empty; m.folds[f].counts[countRows] > 0 {
			filled = append(filled, f)
		}
	}
	parallel.ForWorkers(workers, len(filled), func(_, i int) {
		f := filled[i]
		losses[f], errs[f] = m.foldLoss(ctx, f, lambdas)
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return losses, ctx.Err()
}

// emptyLoss is that of a fold without rows.
func (m *Statistics) emptyLoss(lambdas int) FoldLoss {
	v, sum := m.options.Outputs, m.total(-1)
	loss := FoldLoss{Zero: make([]float64, v), Learnt: make([]bool, v), Loss: newLosses(lambdas, v),
		Rounding: newLosses(lambdas, v)}
	zero := m.degenerate(sum, sum.moments(m.features).A)
	for c, n := range sum.counts[countInformed:] {
		loss.Learnt[c] = n > 0 && !zero
	}
	return loss
}

func (m *Statistics) foldLoss(ctx context.Context, f int, lambdas []float64) (FoldLoss, error) {
	own, v := &m.folds[f], m.options.Outputs
	loss := FoldLoss{Rows: own.counts[countRows], Queries: own.counts[countQueries], Pairs: own.counts[countPairs],
		Zero:   slices.Clone(own.constant.hi),
		Learnt: make([]bool, v), Loss: newLosses(len(lambdas), v), Rounding: newLosses(len(lambdas), v)}
	others := m.total(f)
	path, err := m.factor(ctx, others)
	if err != nil {
		return loss, err
	}
	for c, n := range others.counts[countInformed:] {
		loss.Learnt[c] = n > 0 && !path.zero
	}
	w := linalg.NewMat(m.features, len(lambdas)*v) // those of λ l and output c in column lv + c
	for l, lambda := range lambdas {
		if err := ctx.Err(); err != nil {
			return loss, err
		}
		fit, err := path.best(lambda)
		if err != nil {
			return loss, err
		}
		for j := range w.Rows {
			copy(w.Row(j)[l*v:], fit.Coef.Row(j))
		}
	}
	path = nil // its memory is free again
	m.lossesTo(&loss, own.moments(m.features), w)
	return loss, nil
}

// best is At, or Refit where the features are graded: the eigenvalues then lose the smaller
// features.
func (p *StatisticsPath) best(lambda float64) (*StatisticsFit, error) {
	if p.graded {
		return p.Refit(lambda)
	}
	fit := p.At(lambda)
	if !linalg.Finite(fit.Coef.Data) {
		return nil, errOverflow
	}
	return fit, nil
}

func newLosses(lambdas, outputs int) [][]float64 {
	losses := make([][]float64, lambdas)
	for l := range losses {
		losses[l] = make([]float64, outputs)
	}
	return losses
}

// lossesTo fills in the losses c − Bᵀw + wᵀ(Aw − B) of the columns of w, whose last two
// terms are summed as double words.
func (m *Statistics) lossesTo(loss *FoldLoss, fold pencil.Moments, w linalg.Mat) {
	v, k := m.options.Outputs, m.features
	aw := linalg.NewMat(w.Rows, w.Cols)
	linalg.Symm(linalg.Left, linalg.Upper, 1, fold.A, w, 0, aw)
	sum := newDoubles(1)
	for column := range w.Cols {
		l, c := column/v, column%v
		sum.hi[0], sum.lo[0] = loss.Zero[c], 0
		size := math.Sqrt(max(0, loss.Zero[c]))
		for j := range k {
			x, b := w.Row(j)[column], fold.B.Row(j)[c]
			addProduct(sum, x, aw.Row(j)[column])
			addProduct(sum, -2*x, b)
			size += math.Abs(x) * math.Sqrt(max(0, fold.A.Row(j)[j]))
		}
		const rounding = 32 * 0x1p-53
		loss.Loss[l][c] = max(0, sum.hi[0])
		loss.Rounding[l][c] = rounding * size * size
	}
}

// addProduct adds x y, exactly multiplied.
func addProduct(sum doubles, x, y float64) {
	p := x * y
	sum.addFloats([]float64{p})
	sum.addFloats([]float64{math.FMA(x, y, -p)})
}
