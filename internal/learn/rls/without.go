package rls

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"pairrank/data"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// Without returns the Path of the same problem without feature j of a primal basis of n features.
// It equals Factor of the other columns, up to rounding. It drops row and column j of RᵀLR and does
// not multiply the rows again. It costs O(n³), and a copy of the rows. It returns the errors of
// Factor, and panics for a basis that is not primal and when j is not in [0,n).
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
	q.pencil = pencil.FactorPrimal(moments, newDesign(q.basis.x, q.goal), problem, nil)
	if !linalg.Finite(q.pencil.Eigenvalues) || !linalg.Finite(q.pencil.C.Data) {
		return nil, errProductsOverflow
	}
	q.graded = isGraded(q.pencil)
	q.features = sync.OnceValue(func() *degeneracy { return ofFeatures(q.goal, q.basis) })
	q.stars = sync.OnceValue(func() *pencil.Stars { return q.pencil.NewStars(q.goal) })
	return q.prepareScaled(), ctx.Err()
}

// CanHoldOutWithout reports whether HoldOutWithout can hold out the groups at λ. It needs a primal
// basis of two features or more, groups that are whole components or part of a single list, and λ
// of at least a millionth of the largest eigenvalue, below which the shortcut loses digits.
func (p *Path) CanHoldOutWithout(groups *data.Partition, lambda float64) bool {
	checkLambda(lambda)
	return p.basis.kind == PrimalKind && p.goal.CanHoldOut(groups) == nil && !p.graded &&
		p.pencil.CanHoldOutWithout(groups, lambda)
}

// HoldOutWithout is HoldOut at one λ for Without of each of the given features, all at once. For
// each feature it corrects the inverse without a group by its column for the feature. With k
// features and J of them left out, a group of h rows costs O(k³ + k²J + hkJ), where a Path and a
// HoldOut for each feature cost J times O(k³ + mk²).
//
// emit receives the predictions of group g without features[n], h×v. HoldOutWithout calls it from
// several goroutines, for a group from one of them, in the order of the features. emit must not
// keep the predictions. HoldOutWithout returns ErrNumerical where double precision does not suffice
// for the solution or a prediction, and the error of ctx. It panics where CanHoldOutWithout is
// false.
func (p *Path) HoldOutWithout(ctx context.Context, groups *data.Partition, lambda float64, features []int,
	emit func(g, n int, f *data.Dense)) error {
	if !p.CanHoldOutWithout(groups, lambda) {
		panic("rls: HoldOutWithout of groups or a λ that it does not hold out")
	}
	degenerate, over := make([][]int, groups.Len()), overflow{}
	err := p.pencil.HoldOutWithout(ctx, groups, p.effective(lambda), p.goal.LambdaScales(groups), features,
		func(g, n int, f linalg.Mat) {
			if n == 0 {
				degenerate[g] = p.labels.without(groups.Part(g))
			}
			for _, c := range degenerate[g] {
				for i := range f.Rows {
					f.Row(i)[c] = 0
				}
			}
			if !linalg.Finite(f.Data) {
				over.check(groups.Part(g), f, lambda)
			}
			emit(g, n, dense(f))
		})
	if errors.Is(err, pencil.ErrNotPositive) {
		return fmt.Errorf("%w: λ = %g", ErrNumerical, lambda)
	}
	return cmp.Or(err, over.err)
}
