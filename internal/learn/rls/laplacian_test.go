package rls_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
)

// entries is a Laplacian that package pref does not know: an m×m matrix by its entries.
type entries struct {
	parts *data.Partition
	l     *data.Dense
}

// entriesOf are those of any other Laplacian.
func entriesOf(l goals.Laplacian) *entries {
	e := &entries{l.Components(), data.NewDense(l.Dim(), l.Dim(), nil)}
	for i := range l.Dim() {
		e.l.Row(i)[i] = 1
	}
	l.MulTo(e.l.Data, e.l.Data, l.Dim())
	return e
}

func (e *entries) Dim() int                    { return e.l.Rows }
func (e *entries) Components() *data.Partition { return e.parts }

func (e *entries) MulTo(dst, x []float64, k int) {
	copy(dst, e.l.Mul(data.NewDense(e.l.Cols, k, x)).Data)
}

func (e *entries) Restrict(rows []int32) goals.Laplacian {
	at := ints(rows)
	return &entries{data.NewPartition(naive.Pick(e.parts.Of(), at), e.parts.Len()), e.l.Submatrix(at, at)}
}

func (e *entries) DiagonalTo(dst []float64) {
	for i := range dst {
		dst[i] = e.l.Row(i)[i]
	}
}

// TestLaplacianOfAnotherPackage trains with a Laplacian that has only the methods of the interface,
// and holds out queries, folds, rows and pairs, against the definition.
func TestLaplacianOfAnotherPackage(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	var trained, held, pairs tally
	for trial := range problems(t, 60) {
		p := gen.New(r, gen.Options{OneQuery: trial%2 == 0, MaxRows: 12, MaxFeatures: 15})
		of := make([]int32, p.M)
		for i := range of {
			of[i] = int32(r.IntN(3))
		}
		for _, g := range everyWeighed() {
			s := newWeighed(t, p, g)
			known := s.goal.L
			s.goal.L = entriesOf(known)
			if got, want := goals.Trace(s.goal.L), goals.Trace(known); math.Abs(got-want) > bar*want {
				t.Fatalf("%+v: trace %g, want %g", g, got, want)
			}
			lambda := gen.Lambda(r, -3, 15) * s.pairWeight()
			for _, sp := range append(s.spaces(), space{"dual of linear", dualOf(square(s.Linear())), s.Linear()}) {
				path, err := rls.Factor(ctx, sp.basis, s.goal)
				if err != nil {
					t.Fatal(err)
				}
				fit, err := rls.Solve(ctx, sp.basis, s.goal, lambda)
				if err != nil {
					t.Fatal(err)
				}
				check := func(what string, of *tally, d, limit float64) {
					if of.add(d, lambda, s.pairWeight()); d > limit {
						t.Errorf("%s, %s %+v λ=%g m=%d n=%d: relative difference %.2g", what, sp.name, g, lambda, p.M,
							p.N, d)
					}
				}
				want, floor := s.trained(sp.k, lambda)
				check("solved", &trained, relative(fit.Predictions().Data, want, floor), s.allowed(sp, nil, lambda))
				check("path", &trained, relative(path.At(lambda).Predictions().Data, want, floor),
					s.allowed(sp, nil, lambda))
				if sp.name == "primal" {
					fit, _, err := rls.ConjugateGradients(ctx, s.x(), s.goal, lambda, rls.CGOptions{Tolerance: 1e-14})
					if err != nil {
						t.Fatal(err)
					}
					check("conjugate gradients", &trained, relative(fit.Predictions().Data, want, floor), bar)
				}
				for _, groups := range []*data.Partition{partition(p), data.NewPartition(of, 3), data.Singletons(p.M)} {
					if path.Exact(groups) == nil {
						d, limit := s.leaveGroupsOut(t, sp, groups, lambda)
						check("held out", &held, d, limit)
					}
				}
				if d, exact := s.leavePairsOut(t, path, sp.k, lambda); exact {
					check("pairs", &pairs, d, s.allowed(sp, path, lambda))
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("trained: %s; held out: %s; pairs: %s", &trained, &held, &pairs)
}
