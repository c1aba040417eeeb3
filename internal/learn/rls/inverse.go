package rls

import (
	"context"
	"sync"

	"pairrank/internal/goals"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// inverse holds what the pairs of one λ need, and factors the problem once something else is asked.
type inverse struct {
	lambda float64
	pencil *pencil.Pencil
	whole  func() *pencil.Pencil
}

// FactorPairs is Factor for the pairs at one λ: LeavePairOut, OrderPairs and PairCounter. For a dual basis of a single
// list with tied pairs, or of regression, of rows without weights, it takes a Cholesky factor and an inverse, m³
// operations and 2m² numbers, where the eigenproblem takes some 9m³ operations and 5m² numbers. All else, and pairs at
// other λ, solve the eigenproblem once it is needed. The kernel matrix must be positive semidefinite: Indefinite does
// not look. FactorPairs is FactorTold for other problems, and where λ is below some 1e-8 of the size of FKF or far
// above its eigenvalues. Its errors and panics are those of Factor; it panics unless λ is positive and finite.
func FactorPairs(ctx context.Context, b *Basis, goal *goals.Goal, lambda float64, tell func(share float64)) (*Path,
	error) {
	checkLambda(lambda)
	scale, uniform := goal.PairScale()
	if b.kind != DualKind || !uniform || goal.CanHoldOutAny() != nil || ctx.Err() != nil {
		return FactorTold(ctx, b, goal, tell)
	}
	b = b.withMatrix()
	problem := newProblem(b, goal)
	of, err := pencil.InvertDual(b.k, problem, lambda*scale)
	if err != nil || !linalg.Finite(of.C.Data) {
		return FactorTold(ctx, b, goal, tell)
	}
	whole := sync.OnceValue(func() *pencil.Pencil { return pencil.FactorDual(b.k, problem, nil) })
	p := &Path{basis: b, goal: goal, inverse: &inverse{lambda, of, whole}}
	return p.prepare(), ctx.Err()
}

// retarget is the inverse for other labels.
func (v *inverse) retarget(problem pencil.Problem) *inverse {
	return &inverse{v.lambda, v.pencil.Retarget(problem, linalg.Mat{}, nil),
		sync.OnceValue(func() *pencil.Pencil { return v.whole().Retarget(problem, linalg.Mat{}, nil) })}
}

// inverts reports whether the path has an inverse at λ.
func (p *Path) inverts(lambda float64) bool { return p.inverse != nil && p.inverse.lambda == lambda }

// factored is the pencil of all λ.
func (p *Path) factored() *pencil.Pencil {
	if p.inverse != nil {
		return p.inverse.whole()
	}
	return p.pencil
}

// ofPencil is the pencil of the pairs at λ.
func (p *Path) ofPencil(lambda float64) *pencil.Pencil {
	if p.inverts(lambda) {
		return p.inverse.pencil
	}
	return p.factored()
}
