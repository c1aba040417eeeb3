package rls

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/learn/rls/internal/pencil"
)

// Without returns the Path of the same problem without feature j of a primal basis of n
// features: what Factor of the other columns gives, to rounding. Row and column j of
// RᵀLR are left out, so that the rows are not multiplied again: it costs O(n³), and a
// copy of the rows. It returns the errors of Factor, and panics for a basis that is not
// primal and when j is not in [0,n).
func (p *Path) Without(ctx context.Context, j int) (*Path, error) {
	if p.basis.kind != PrimalKind {
		panic(fmt.Sprintf("rls: Without a feature of a %s basis", p.basis.kind))
	}
	n := p.basis.Rank()
	if j < 0 || j >= n {
		panic(fmt.Sprintf("rls: Without feature %d of %d", j, n))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	others := make([]int, 0, n-1)
	for i := range n {
		if i != j {
			others = append(others, i)
		}
	}
	q := &Path{basis: Primal(data.SelectColumns(p.basis.x, others)), goal: p.goal, labels: p.labels}
	if p.basis.constant != nil {
		q.basis.constant = slices.Delete(slices.Clone(p.basis.constant), j, j+1)
	}
	problem := newProblem(q.basis, q.goal)
	problem.Equal = q.basis.equal
	total := p.pencil.Total
	moments := pencil.Moments{A: linalg.NewMat(n-1, n-1), B: linalg.NewMat(n-1, total.B.Cols)}
	for a, i := range others {
		for b, k := range others {
			moments.A.Row(a)[b] = total.A.Row(i)[k]
		}
		copy(moments.B.Row(a), total.B.Row(i))
	}
	q.pencil = pencil.FactorPrimal(moments, newDesign(q.basis.x, q.goal), problem)
	if !finite(q.pencil.Eigenvalues) || !finite(q.pencil.C.Data) {
		return nil, fmt.Errorf("%w: the products of the features with the weights of the pairs overflow", ErrNumerical)
	}
	q.graded = q.isGraded()
	q.features = sync.OnceValue(func() *degeneracy { return ofFeatures(q.goal, q.basis) })
	return q, ctx.Err()
}
