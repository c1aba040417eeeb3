package rls

import (
	"context"
	"slices"

	"pairrank/data"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// PairsWithout is leave-pair-out without one of some features of a linear kernel, in its dual form, for several λ.
type PairsWithout struct {
	path    *Path
	lambdas []float64
	of      []*pencil.PairsWithout
}

// PairsWithout prepares leave-pair-out for every λ without one of some features each, whose values are the columns of
// x, m×J, and y the labels. The kernel matrix is the sum of their products and of others. It costs O(m³ + m²J) for
// each λ and mJ numbers of memory, where a Path for each feature costs J times O(m³ + m²n). It panics where
// CanLeavePairsWithout is false, or x or y has another number of rows.
func (p *Path) PairsWithout(lambdas, y []float64, x *data.Dense) *PairsWithout {
	if !p.CanLeavePairsWithout(lambdas) || x.Rows != len(y) || len(y) != p.Rows() {
		panic("rls: leave-pair-out without features of another problem, or of λ that it does not have")
	}
	out := &PairsWithout{path: p, lambdas: lambdas}
	columns := linalg.NewMat(x.Cols, x.Rows)
	linalg.TransposeTo(columns, linalg.Mat(*x))
	for _, lambda := range lambdas {
		out.of = append(out.of, p.factored().NewPairsWithout(p.ofPairs(lambda), y, columns))
	}
	return out
}

// CanLeavePairsWithout reports whether there is PairsWithout for these λ. It needs the dual form of one output, a
// single list with tied pairs or regression, and λ at which the shortcut keeps its digits: from a millionth of the
// largest eigenvalue, less the least one, to ten thousand times the largest.
func (p *Path) CanLeavePairsWithout(lambdas []float64) bool {
	if p.basis.kind != DualKind || p.graded || p.goal.CanHoldOutAny() != nil || p.goal.RowWeights != nil {
		return false
	}
	return !slices.ContainsFunc(lambdas, func(lambda float64) bool {
		return !p.factored().CanLeavePairsWithout(p.ofPairs(lambda))
	})
}

// ofPairs is the shift of the eigenvalues at λ without two rows. It panics where each pair has its own.
func (p *Path) ofPairs(lambda float64) float64 {
	checkLambda(lambda)
	c, uniform := p.goal.PairScale()
	if !uniform {
		panic("rls: each pair has a λ of its own")
	}
	return p.effective(lambda) * c
}

// Can reports whether double precision suffices without feature n at every λ.
func (w *PairsWithout) Can(n int) bool {
	return !slices.ContainsFunc(w.of, func(o *pencil.PairsWithout) bool { return !o.Can(n) })
}

// OrderPairs is Path.OrderPairs without feature n, in O(m²). The scores of a pair that it emits have the right
// difference. It panics when λ is not one of those of PairsWithout.
func (w *PairsWithout) OrderPairs(ctx context.Context, n int, lambda float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	at := slices.Index(w.lambdas, lambda)
	if at < 0 {
		panic("rls: leave-pair-out without a feature at another λ")
	}
	return w.of[at].LeavePairs(ctx, n, w.path.withoutDegenerate(emit))
}
