package pencil

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/pref"
)

// queriesAlike is a problem of q queries of h rows with k features and v outputs; in each query two rows are equal.
func queriesAlike(t testing.TB, q, h, k, v int, o pref.Options) (*Pencil, *goals.Goal) {
	r := rand.New(rand.NewPCG(66, uint64(k)))
	m := q * h
	x, y, of := linalg.NewMat(m, k), make([]float64, m*v), make([]int32, m)
	for i := range m {
		of[i] = int32(i / h)
		for j := range k {
			x.Row(i)[j] = r.NormFloat64() * math.Exp2(float64(-j%8))
		}
		if i%h == 1 {
			copy(x.Row(i), x.Row(i-1))
		}
	}
	for i := range y {
		y[i] = float64(r.IntN(4))
	}
	resolved, err := o.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	goal, err := goals.Scored(y, v, data.NewPartition(of, q), resolved)
	if err != nil {
		t.Fatal(err)
	}
	problem := Problem{L: goal.L, R: linalg.Mat{Rows: m, Cols: v, Stride: v, Data: goal.R}, Centred: true,
		Zero: goal.Constants}
	w := x.Clone()
	goals.Centre(goal.L.Components(), w.Data, k)
	lx := linalg.NewMat(m, k)
	goal.L.MulTo(lx.Data, w.Data, k)
	moments := Moments{A: w.TMul(lx), B: w.TMul(problem.R)}
	return FactorPrimal(moments, &rowsOf{x: x, goal: goal}, problem, nil), goal
}

// rowsOf is the Source of some rows whose components are held out whole.
type rowsOf struct {
	Source
	x    linalg.Mat
	goal *goals.Goal
}

func (s *rowsOf) RowsTo(dst linalg.Mat, h []int32) {
	for a, i := range h {
		copy(dst.Row(a), s.x.Row(int(i)))
	}
}

func (s *rowsOf) RowsView([]int32) (linalg.Mat, bool) { return linalg.Mat{}, false }

func manyLambdas() []float64 {
	lambdas := make([]float64, 31)
	for l := range lambdas {
		lambdas[l] = math.Exp2(float64(l - 8))
	}
	return lambdas
}

// TestIterationsAreTheLemma compares groups that conjugate gradients hold out with those of the lemma: they differ by
// no more than the bounds of both, and equal rows are equal.
func TestIterationsAreTheLemma(t *testing.T) {
	lambdas := manyLambdas()
	worst, groups := 0.0, 0
	for _, o := range []pref.Options{{}, {Ties: "exclude"}, {Cost: pref.Unit, Weight: pref.Edges}} {
		v := 2
		if o.Ties != "" || o.Cost != "" {
			v = 1
		}
		const q, h, k = 60, 40, 60
		p, goal := queriesAlike(t, q, h, k, v, o)
		parts := goal.L.Components()
		rows := p.rows.(*primalRows)
		for g := range 5 {
			rows0 := parts.Part(g)
			s := &scratch{res: p.resolventsAt(lambdas)}
			p.lemma(s, rows, rows0, true)
			one := &scratch{res: s.res}
			ok := p.holdOutByIterating(one, rows, HoldOut{Lambdas: lambdas, Emit: func(_, l int, f linalg.Mat, r *Rounding) {
				want := s.f.Slice(0, len(rows0), l*v, (l+1)*v)
				of := s.lemmaRounding(p, l, want)
				for a := range rows0 {
					for c := range v {
						d, bound := math.Abs(f.Row(a)[c]-want.Row(a)[c]), r.At(a, c)+of.At(a, c)
						worst = max(worst, d/largestOf(f))
						if !(d <= bound) || r.At(a, c) > r.Most() {
							t.Errorf("%+v, λ %g, row %d: %g from the lemma, bounds of %g; %g of at most %g", o, lambdas[l], a, d,
								bound, r.At(a, c), r.Most())
						}
						if f.Row(0)[c] != f.Row(1)[c] {
							t.Errorf("%+v, λ %g: equal rows have %v and %v", o, lambdas[l], f.Row(0)[c], f.Row(1)[c])
						}
					}
				}
			}}, g, rows0)
			if !ok {
				t.Fatalf("%+v: the share of group %d is too large", o, g)
			}
			groups++
		}
	}
	t.Logf("%d groups, at most %.2g of the largest prediction apart", groups, worst)
}

// TestIterationsMakeNoMatrix: a query of many features takes this way, in memory that was used before, and allocates
// only what the Laplacian of its rows is made of.
func TestIterationsMakeNoMatrix(t *testing.T) {
	const q, h, k = 200, 100, 230
	p, goal := queriesAlike(t, q, h, k, 1, pref.Options{})
	lambdas := manyLambdas()
	if !p.iteratesBest(h, len(lambdas), p.dimensions(lambdas)) {
		t.Error("queries with a share of 1/200 are held out in another way")
	}
	s, rows := &scratch{res: p.resolventsAt(lambdas)}, goal.L.Components().Part(3)
	ho := HoldOut{Lambdas: lambdas, Emit: func(int, int, linalg.Mat, *Rounding) {}}
	allocations := testing.AllocsPerRun(20, func() { p.holdOutByIterating(s, p.rows.(*primalRows), ho, 3, rows) })
	t.Logf("%v allocations", allocations)
	if most := 200.0; allocations > most { // of a row, or of some for each λ, would be thousands
		t.Errorf("%v allocations, more than %v", allocations, most)
	}
}

// BenchmarkHoldOutQueries holds out queries of 100 rows at 31 λ.
func BenchmarkHoldOutQueries(b *testing.B) {
	lambdas := manyLambdas()
	p, goal := queriesAlike(b, 200, 100, 230, 1, pref.Options{})
	b.ReportAllocs()
	for b.Loop() {
		err := p.HoldOut(context.Background(), HoldOut{Groups: goal.L.Components(), Lambdas: lambdas,
			Emit: func(int, int, linalg.Mat, *Rounding) {}})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(200*float64(b.N)/b.Elapsed().Seconds(), "queries/s")
}
