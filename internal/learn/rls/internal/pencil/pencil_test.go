package pencil

import (
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/linalg"
	"pairrank/internal/naive"
)

// eachInstance runs f on random problems with each objective: ties, queries of
// one row, duplicate rows, rows of zeros and dependent features, of one to three
// outputs, and with L as blocks or as a graph.
func eachInstance(t *testing.T, seed uint64, usual int, o gen.Options, f func(in instance)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	for trial := range problems(t, usual) {
		o.OneQuery = trial%3 == 0
		p := gen.New(r, o)
		for _, objective := range objectives {
			if in, ok := newInstance(t, r, p, objective, 1+trial%4/2*(trial%3), trial%5 == 4); ok {
				f(in)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// TestSolutionsAgree compares the two factorisations and the two Cholesky solvers with the
// definition.
func TestSolutionsAgree(t *testing.T) {
	worst, solved := 0.0, 0
	eachInstance(t, 51, 60, gen.Options{}, func(in instance) {
		x, k := linalg.Mat{Rows: in.M, Cols: in.N, Stride: in.N, Data: in.X}, matrix(in.k, in.M)
		forms := in.forms()
		predictions := map[string]linalg.Mat{
			"primal path": x.Mul(forms["primal"].Coefficients(in.lambda)),
			"dual path":   k.Mul(forms["dual"].Coefficients(in.lambda)),
		}
		if w, err := SolvePrimal(in.source().total(), in.lambda); err == nil {
			predictions["primal Cholesky"] = x.Mul(w)
			solved++
		}
		if a, err := SolveDual(k, in.problem(nil), in.lambda); err == nil {
			predictions["dual Cholesky"] = k.Mul(a)
			solved++
		}
		for c := range in.labels {
			every := naive.Without(in.M, nil)
			_, want := naive.Dual(in.k, in.pairs(every, c), in.labels[c], in.lambda)
			_, floor := in.retrained(nil, c)
			for name, f := range predictions {
				d := difference(column(f, c), want, floor)
				if worst = max(worst, d); d > tolerance {
					t.Errorf("%s, %+v, output %d of %d, %d rows, %d features, λ = %g: relative difference %.2g",
						name, in.o, c, len(in.labels), in.M, in.N, in.lambda, d)
				}
			}
		}
	})
	if solved == 0 {
		t.Error("no problem was solved by Cholesky")
	}
	t.Logf("%d solved by Cholesky, worst relative difference %.2g", solved, worst)
}

// TestConstant: a constant in addition to the features, or to a kernel matrix, is a point added to
// all rows, held out and not.
func TestConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 2))
	eachInstance(t, 52, 30, gen.Options{MaxFeatures: 6}, func(in instance) {
		if in.o == nil {
			return // regression sees a constant
		}
		point := make([]float64, in.N)
		for c := range point {
			point[c] = r.NormFloat64()
		}
		x := linalg.Mat{Rows: in.M, Cols: in.N, Stride: in.N, Data: in.X}
		inner := make([]float64, in.M)
		for i := range inner {
			inner[i] = linalg.Dot(x.Row(i), point)
		}
		moved := in
		moved.X = append([]float64(nil), in.X...)
		for i := range moved.X {
			moved.X[i] += point[i%in.N]
		}
		moved.k = moved.Linear()
		want := moved.heldOut(t, moved.forms()["primal"], in.l.Components())
		for name, p := range map[string]*Pencil{
			"primal": FactorPrimal(in.source().total(), in.source(), in.problem(point), nil),
			"dual":   FactorDual(matrix(in.k, in.M), in.problem(inner), nil),
		} {
			got := in.heldOut(t, p, in.l.Components())
			if d := difference(got.Data, want.Data, max(in.scale(), moved.scale())); d > tolerance {
				t.Errorf("%s, %+v, %d rows, λ = %g: relative difference %.2g", name, in.o, in.M, in.lambda, d)
			}
		}
	})
}

// TestRetarget: another r on an old factorisation gives the solution of a new one.
func TestRetarget(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 2))
	eachInstance(t, 53, 30, gen.Options{}, func(in instance) {
		if in.o != nil && in.o.Ties == "exclude" {
			return // L depends on the labels
		}
		again, ok := newInstance(t, r, shuffled(r, in.Problem), in.o, 2, false)
		if !ok || again.l.Components().Len() != in.l.Components().Len() {
			return
		}
		again.lambda, again.l = in.lambda, in.l
		want := again.forms()
		b := linalg.Mat{Rows: in.M, Cols: in.N, Stride: in.N, Data: in.X}.TMul(again.r)
		got := in.forms()
		got["primal"] = got["primal"].Retarget(again.problem(nil), b, again.source())
		got["dual"] = got["dual"].Retarget(again.problem(nil), linalg.Mat{}, nil)
		for name := range got {
			d := difference(again.heldOut(t, got[name], in.l.Components()).Data,
				again.heldOut(t, want[name], in.l.Components()).Data, again.scale())
			if d > tolerance {
				t.Errorf("%s, %+v: relative difference %.2g", name, in.o, d)
			}
		}
	})
}

func shuffled(r *rand.Rand, p gen.Problem) gen.Problem {
	p.Y = append([]float64(nil), p.Y...)
	r.Shuffle(p.M, func(i, j int) { p.Y[i], p.Y[j] = p.Y[j], p.Y[i] })
	return p
}

// TestDegenerate: nothing can be learnt from rows that are all equal, held out or not, whatever
// rounding says.
func TestDegenerate(t *testing.T) {
	r := rand.New(rand.NewPCG(54, 2))
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{})
		for i := range p.M {
			copy(p.X[i*p.N:(i+1)*p.N], p.X[:p.N])
		}
		in, ok := newInstance(t, r, p, objectives[1], 1, false)
		if !ok {
			continue
		}
		for name, f := range in.forms() {
			if !f.Degenerate() {
				t.Errorf("%s: %d equal rows of %d features are not degenerate", name, p.M, p.N)
			}
			for _, v := range in.heldOut(t, f, in.l.Components()).Data {
				if v != 0 {
					t.Errorf("%s: a prediction of %g", name, v)
				}
			}
		}
	}
}

// TestRoots: F F = L, and F F⁺ projects out the constants of components, as blocks and as dense
// roots of a graph.
func TestRoots(t *testing.T) {
	const rounding = 1e-10 // of numbers of the size of L, whose weights may span many digits
	eachInstance(t, 55, 40, gen.Options{MaxFeatures: 1, MaxRows: 12}, func(in instance) {
		root, pinv := in.problem(nil).roots()
		l, f, p := identity(in.M), identity(in.M), identity(in.M)
		in.l.MulTo(l.Data, l.Data, in.M)
		root.MulTo(f.Data, f.Data, in.M)
		root.MulTo(f.Data, f.Data, in.M)
		if d := difference(f.Data, l.Data, 0); d > rounding {
			t.Errorf("%+v: F F differs from L by %.2g", in.o, d)
		}
		pinv.MulTo(p.Data, p.Data, in.M)
		root.MulTo(p.Data, p.Data, in.M)
		in.l.MulTo(p.Data, p.Data, in.M)
		if d := difference(p.Data, l.Data, 0); d > rounding {
			t.Errorf("%+v: L F F⁺ differs from L by %.2g", in.o, d)
		}
	})
}
