package pencil

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// heldOut are the predictions of all rows at the λ of the instance, each without
// its group, by HoldOut.
func (in instance) heldOut(t *testing.T, p *Pencil, groups *data.Partition) linalg.Mat {
	t.Helper()
	out := linalg.NewMat(in.M, p.Outputs())
	var mu sync.Mutex
	err := p.HoldOut(context.Background(), HoldOut{
		Groups: groups, Lambdas: []float64{in.lambda}, Scale: in.goal.LambdaScales(groups),
		Emit: func(g, _ int, f linalg.Mat, _ *Rounding) {
			mu.Lock()
			defer mu.Unlock()
			for a, i := range groups.Part(g) {
				copy(out.Row(int(i)), f.Row(a))
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ways are all ways to hold out the rows of group g: by the lemma in both forms,
// and in the primal form by training again without the moments of the group.
func (in instance) ways(groups *data.Partition, g int) map[string]linalg.Mat {
	h, whole := groups.Part(g), in.l.Components().Refines(groups)
	lambdas, scale := []float64{in.lambda}, func(int) float64 { return 1 }
	if scales := in.goal.LambdaScales(groups); scales != nil {
		scale = scales
	}
	out := map[string]linalg.Mat{}
	for name, p := range in.forms() {
		rows := p.rows
		if !whole && !p.dual {
			rows = p.stored()
		}
		at := scaled(lambdas, scale(g))
		if inverse, err := InvertDual(matrix(in.k, in.M), in.problem(nil), at[0]); name == "dual" && err == nil {
			_ = inverse.HoldOut(context.Background(), HoldOut{Groups: groups, Lambdas: at,
				Wanted: func(of int) bool { return of == g },
				Emit:   func(_, _ int, f linalg.Mat, _ *Rounding) { out["inverse"] = f.Clone() }})
		}
		s := &scratch{res: p.resolventsAt(at)}
		p.lemma(s, rows, h, whole)
		out[name+" lemma"] = s.f.Clone()
		s = &scratch{res: p.resolventsAt([]float64{at[0], 2 * at[0], at[0] / 8})} // which a small group solves together
		p.lemma(s, rows, h, whole)
		out[name+" lemma, several λ"] = s.f.Slice(0, len(h), 0, p.Outputs()).Clone()
		source, ok := p.rows.(*primalRows)
		if !ok || !whole && p.listWeight() == 0 {
			continue
		}
		s = &scratch{res: p.resolventsAt(at)}
		if whole && p.holdOutByIterating(s, source, HoldOut{Groups: groups, Lambdas: at,
			Emit: func(_, _ int, f linalg.Mat, _ *Rounding) { out["primal iterations"] = f.Clone() }}, g, h) {
			s.res = nil
		}
		p.holdOutByDowndate(&scratch{}, source.source, HoldOut{Groups: groups, Lambdas: lambdas, Scale: scale,
			Emit: func(_, _ int, f linalg.Mat, _ *Rounding) { out["primal moments"] = f.Clone() }}, g, h)
	}
	return out
}

// TestWaysToHoldOutAgree compares every way to hold out a group, where the goal says that it is
// exact, with training again by definition: whole components, random folds of rows and single rows.
func TestWaysToHoldOutAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 2))
	worst, counts := 0.0, map[string]int{}
	eachInstance(t, 61, 48, gen.Options{MaxRows: 16, MaxFeatures: 20}, func(in instance) {
		of := make([]int32, in.M)
		for i := range of {
			of[i] = int32(r.IntN(3))
		}
		for _, groups := range []*data.Partition{in.l.Components(), data.NewPartition(of, 3), data.Singletons(in.M)} {
			_, blocks := in.l.(*goals.Blocks)
			if in.goal.CanHoldOut(groups) != nil || !blocks && !in.l.Components().Refines(groups) {
				continue
			}
			g := r.IntN(groups.Len())
			if len(groups.Part(g)) == 0 {
				continue
			}
			scale := in.scale()
			for name, f := range in.ways(groups, g) {
				counts[name]++
				for c := range in.labels {
					want, floor := in.retrained(ints(groups.Part(g)), c)
					d := difference(column(f, c), want, max(floor, scale))
					if worst = max(worst, d); d > tolerance {
						t.Errorf("%s, %+v, output %d of %d, %d of %d rows out, %d features, λ = %g: relative "+
							"difference %.2g",
							name, in.o, c, len(in.labels), len(want), in.M, in.N, in.lambda, d)
					}
				}
			}
		}
	})
	for _, name := range []string{"primal lemma", "primal moments", "primal iterations", "dual lemma", "inverse"} {
		if counts[name] == 0 {
			t.Errorf("%s was never used", name)
		}
	}
	t.Logf("%v groups, worst relative difference %.2g", counts, worst)
}

// TestHoldOutBoundsRounding: rows that are equal have predictions within the sum of
// their bounds, and equal ones in the dual form.
func TestHoldOutBoundsRounding(t *testing.T) {
	pairs := 0
	eachInstance(t, 62, 40, gen.Options{MaxFeatures: 4}, func(in instance) {
		equal := in.problem(nil).Equal()
		groups := in.l.Components()
		forms := in.forms()
		if p, err := InvertDual(matrix(in.k, in.M), in.problem(nil), in.lambda); err == nil {
			forms["inverse"] = p
		}
		for name, p := range forms {
			var mu sync.Mutex
			lambdas := []float64{in.lambda, 8 * in.lambda}
			if name == "inverse" {
				lambdas = lambdas[:1]
			}
			err := p.HoldOut(context.Background(), HoldOut{Groups: groups, Lambdas: lambdas,
				Emit: func(g, _ int, f linalg.Mat, r *Rounding) {
					mu.Lock()
					defer mu.Unlock()
					h := groups.Part(g)
					for a, i := range h {
						for b := range a {
							if equal[h[b]] != equal[i] {
								continue
							}
							pairs++
							for c := range f.Cols {
								d := math.Abs(f.Row(a)[c] - f.Row(b)[c])
								if bound := r.At(a, c) + r.At(b, c); d > bound || name != "primal" && d > 0 ||
									r.At(a, c) > r.Most() {
									t.Errorf("%s, %+v: equal rows differ by %g, with bounds of %g",
										name, in.o, d, bound)
								}
							}
						}
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if pairs == 0 {
		t.Error("no two equal rows were held out together")
	}
}

// TestPairsAgree compares LeavePairs of both forms, and by an inverse, with HoldOut of each pair as a group, where any
// two rows may be held out.
func TestPairsAgree(t *testing.T) {
	worst, compared, inverted := 0.0, 0, 0
	eachInstance(t, 63, 36, gen.Options{MaxRows: 9, MaxFeatures: 10}, func(in instance) {
		if _, blocks := in.l.(*goals.Blocks); !blocks || in.goal.CanHoldOutAny() != nil {
			return
		}
		scaledBy, scale := in.goal.LambdaScale()(0, 1), in.scale()
		forms := in.forms()
		_, list := goals.BlocksOf(in.l).ListWeight()
		if p, err := InvertDual(matrix(in.k, in.M), in.problem(nil), in.lambda*scaledBy); err == nil && list {
			forms["inverse"] = p
			inverted++
		}
		for name, p := range forms {
			var mu sync.Mutex
			err := p.LeavePairs(context.Background(), in.lambda*scaledBy, func(_, i, c int, fi, fj []float64) {
				mu.Lock()
				defer mu.Unlock()
				for b, j := range all(in.M)[i+1:] {
					compared++
					want, floor := in.retrained([]int{i, int(j)}, c)
					floor = max(floor, scale)
					d := difference([]float64{fi[b], fj[b]}, want, floor)
					if worst = max(worst, d); d > tolerance {
						t.Errorf("%s, %+v, rows %d and %d of %d, λ = %g: relative difference %.2g",
							name, in.o, i, j, in.M, in.lambda, d)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if inverted == 0 {
		t.Error("no problem was inverted")
	}
	t.Logf("%d pairs, worst relative difference %.2g", compared, worst)
}

// TestPairsOverflow: predictions that are not finite are an error with their row.
func TestPairsOverflow(t *testing.T) {
	r := rand.New(rand.NewPCG(64, 2))
	p := gen.New(r, gen.Options{OneQuery: true})
	in, _ := newInstance(t, r, p, objectives[1], 1, false)
	pencil := in.forms()["dual"]
	pencil.C.Data[0] = math.NaN()
	var over *OverflowError
	err := pencil.LeavePairs(context.Background(), in.lambda, func(_, _, _ int, _, _ []float64) {
		t.Error("predictions that are not finite are emitted")
	})
	if !errors.As(err, &over) || over.Error() == "" {
		t.Errorf("LeavePairs: %v", err)
	}
}

// TestHoldOutStops: nothing is emitted when the context has ended.
func TestHoldOutStops(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 2))
	in, _ := newInstance(t, r, gen.New(r, gen.Options{}), objectives[1], 1, false)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, p := range in.forms() {
		err := p.HoldOut(ctx, HoldOut{Groups: in.l.Components(), Lambdas: []float64{1},
			Emit: func(int, int, linalg.Mat, *Rounding) { t.Errorf("%s: emitted", name) }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
