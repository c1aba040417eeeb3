package rls

import (
	"context"
	"sync"

	"pairrank/internal/goals"
	"pairrank/internal/learn/rls/internal/pencil"
	"pairrank/internal/linalg"
)

// inverse has the inverses of one λ, and factors the problem once something else is asked.
type inverse struct {
	lambda float64
	pairs  *pencil.Pencil                     // at the λ of pairs, or nil
	at     func(scale float64) *pencil.Pencil // at scale·λ; nil where double precision does not suffice
	whole  func() *pencil.Pencil              // with the eigenvectors
}

// mostInverses is the number of scales of λ up to which groups are held out by an inverse for each: an eigenproblem
// takes as long as nine.
const mostInverses = 3

// FactorOnce is Factor for what is left out at one λ: HoldOut, and with pairs LeavePairOut, OrderPairs and
// PairCounter. For a dual basis of queries with tied pairs, or of regression, of rows without weights, each takes a
// Cholesky factor and an inverse, m³ operations and 2m² numbers, where the eigenproblem takes some 9m³ operations and
// 5m² numbers. Folds of a list of several sizes take up to three; pairs are those of a single list, or of regression,
// and their inverse is made at once. All else, and other λ, solve the eigenproblem once it is needed. The kernel
// matrix must be positive semidefinite: Indefinite does not look. FactorOnce is FactorTold for other bases and with
// pairs of other problems; inverses are not used where λ is below some 1e-8 of the size of FKF, for groups 1e-6, or far
// above its eigenvalues. Its errors and panics are those of Factor; it panics unless λ is positive and finite.
func FactorOnce(ctx context.Context, b *Basis, goal *goals.Goal, lambda float64, pairs bool,
	tell func(share float64)) (*Path, error) {
	checkLambda(lambda)
	if b.kind != DualKind || ctx.Err() != nil {
		return FactorTold(ctx, b, goal, tell)
	}
	b = b.withMatrix()
	problem, v := newProblem(b, goal), &inverse{lambda: lambda}
	made := map[float64]*pencil.Pencil{}
	var mu sync.Mutex
	v.at = func(scale float64) *pencil.Pencil {
		mu.Lock()
		defer mu.Unlock()
		of, known := made[scale]
		if !known {
			var err error
			if of, err = pencil.InvertDual(b.k, problem, lambda*scale); err != nil || !linalg.Finite(of.C.Data) {
				of = nil
			}
			made[scale] = of
		}
		return of
	}
	v.whole = sync.OnceValue(func() *pencil.Pencil { return pencil.FactorDual(b.k, problem, nil) })
	if pairs {
		scale, uniform := goal.PairScale()
		if _, list := goals.BlocksOf(goal.L).ListWeight(); list && uniform && goal.CanHoldOutAny() == nil {
			v.pairs = v.at(scale)
		}
		if v.pairs == nil {
			return FactorTold(ctx, b, goal, tell)
		}
	}
	p := &Path{basis: b, goal: goal, inverse: v}
	return p.prepare(), ctx.Err()
}

// retarget is the inverse for other labels.
func (v *inverse) retarget(problem pencil.Problem) *inverse {
	other := func(of *pencil.Pencil) *pencil.Pencil {
		if of == nil {
			return nil
		}
		return of.Retarget(problem, linalg.Mat{}, nil)
	}
	return &inverse{v.lambda, other(v.pairs), func(scale float64) *pencil.Pencil { return other(v.at(scale)) },
		sync.OnceValue(func() *pencil.Pencil { return other(v.whole()) })}
}

// inverts reports whether the path has inverses at λ.
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
	if p.invertsPairs(lambda) {
		return p.inverse.pairs
	}
	return p.factored()
}

// hasPairs reports whether the path has an inverse for pairs, and invertsPairs whether it is that of λ.
func (p *Path) hasPairs() bool { return p.inverse != nil && p.inverse.pairs != nil }

func (p *Path) invertsPairs(lambda float64) bool { return p.hasPairs() && p.inverts(lambda) }

// holdOut is HoldOut of a pencil: of an inverse for each scale of λ, or of the pencil of all λ.
func (p *Path) holdOut(ctx context.Context, ho pencil.HoldOut) error {
	if len(ho.Lambdas) == 1 && p.inverts(ho.Lambdas[0]) {
		if inverses := p.inverse.ofScales(ho); inverses != nil {
			for scale, of := range inverses {
				one := ho
				one.Scale, one.Wanted = nil, func(g int) bool { return scaleOf(ho, g) == scale && wants(ho, g) }
				if err := of.HoldOut(ctx, one); err != nil {
					return err
				}
			}
			return nil
		}
	}
	ho.Lambdas = p.effectiveAll(ho.Lambdas)
	return p.factored().HoldOut(ctx, ho)
}

// ofScales are the inverses for the groups, nil where these have too many scales, or one has no inverse.
func (v *inverse) ofScales(ho pencil.HoldOut) map[float64]*pencil.Pencil {
	scales := map[float64]*pencil.Pencil{}
	for g := range ho.Groups.Len() {
		if len(ho.Groups.Part(g)) > 0 && wants(ho, g) {
			scales[scaleOf(ho, g)] = nil
		}
	}
	if len(scales) > mostInverses {
		return nil
	}
	for scale := range scales {
		of := v.at(scale)
		if of == nil || !of.HoldsOut() {
			return nil
		}
		scales[scale] = of
	}
	return scales
}

func wants(ho pencil.HoldOut, g int) bool { return ho.Wanted == nil || ho.Wanted(g) }

func scaleOf(ho pencil.HoldOut, g int) float64 {
	if ho.Scale == nil {
		return 1
	}
	return ho.Scale(g)
}
