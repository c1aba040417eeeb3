package kron

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
	"pairrank/relation/pairwise"
)

// TestSolve compares conjugate gradients, to convergence, with the explicit
// solution over all edges, for every pairwise kernel, both losses, complete,
// incomplete and repeated edges.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	worst := tally{}
	n := gen.Count(t, 100)
	for range n {
		for _, k := range pairwise.Kernels {
			p := drawProblem(r, 6, k.OneDomain() || r.IntN(3) == 0)
			e, y, kind := someEdges(r, p)
			for _, loss := range []Loss{Regression, Ranking} {
				fit, err := Solve(t.Context(), System{k, p.rows, p.cols, e, y}, p.lambda,
					SolveOptions{Loss: loss, Tolerance: 1e-12})
				if err != nil {
					t.Fatal(err)
				}
				want := naive.Relational(listed(e, y), p.kernel(string(k)), loss == Ranking, p.lambda)
				for h, f := range fit.Scores {
					// the iteration ends at a residual of 1e-12, or at rounding
					worst.near(t, string(k)+" "+string(loss)+" "+kind, f, want(int(e.Row[h]), int(e.Col[h])),
						largestOf(y)+1e-3, 1e-7)
				}
			}
		}
	}
	t.Logf("%d problems, largest relative differences %v", n, worst)
}

// someEdges are all pairs of a problem, a part of them, or some more than once.
func someEdges(r *rand.Rand, p problem) (e Edges, y []float64, kind string) {
	kind = []string{"complete", "incomplete", "repeated"}[r.IntN(3)]
	add := func(i, j int) {
		e.Row, e.Col = append(e.Row, int32(i)), append(e.Col, int32(j))
		y = append(y, p.y.Row(i)[j]+0.1*float64(r.IntN(2)))
	}
	for i := range p.y.Rows {
		for j := range p.y.Cols {
			if kind == "incomplete" && r.IntN(3) == 0 && len(y) > 0 {
				continue
			}
			add(i, j)
			if kind == "repeated" && r.IntN(4) == 0 {
				add(i, j)
			}
		}
	}
	return e, y, kind
}

func listed(e Edges, y []float64) []naive.Edge {
	out := make([]naive.Edge, len(y))
	for h, v := range y {
		out[h] = naive.Edge{Row: int(e.Row[h]), Col: int(e.Col[h]), Y: v}
	}
	return out
}

func largestOf(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	return largest
}

// TestSolveMeetsClosedForm compares conjugate gradients with the closed form, which is exact on complete
// graphs, with a warm start from another λ.
func TestSolveMeetsClosedForm(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 22))
	worst := tally{}
	for range gen.Count(t, 60) {
		p := drawProblem(r, 20, r.IntN(2) == 0)
		var e Edges
		for i := range p.y.Rows {
			for j := range p.y.Cols {
				e.Row, e.Col = append(e.Row, int32(i)), append(e.Col, int32(j))
			}
		}
		for _, o := range []Options{{Regression, Arbitrary}, {Ranking, Arbitrary},
			{Regression, Symmetric}, {Regression, Reciprocal}} {
			if o.Relation != Arbitrary && !p.one {
				continue
			}
			path, err := Factor(t.Context(), p.rows, p.cols, p.y, o)
			if err != nil {
				t.Fatal(err)
			}
			closed := path.At(p.lambda)
			options := SolveOptions{Loss: o.Loss, Tolerance: 1e-12}
			first, err := Solve(t.Context(), System{o.Relation.Pairwise(), p.rows, p.cols, e, p.y.Data},
				2*p.lambda, options)
			if err != nil {
				t.Fatal(err)
			}
			options.Start = first.Coef
			fit, err := Solve(t.Context(), System{o.Relation.Pairwise(), p.rows, p.cols, e, p.y.Data},
				p.lambda, options)
			if err != nil {
				t.Fatal(err)
			}
			scores := closed.Scores()
			for h, f := range fit.Scores {
				worst.near(t, string(o.Loss)+" "+string(o.Relation), f, scores.Data[h], size(p.y), 1e-7)
			}
			worst.near(t, "objective", fit.Objective, closed.Objective(), closed.Objective(), 1e-7)
		}
	}
	t.Logf("largest relative differences %v", worst)
}

// TestSolveLinear compares the primal with the kernel form, dense with sparse.
func TestSolveLinear(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 23))
	worst := tally{}
	for range gen.Count(t, 60) {
		one := r.IntN(2) == 0
		x := drawFeatures(r)
		z := x
		if !one {
			z = drawFeatures(r)
		}
		e := drawEdges(r, 1+r.IntN(60), x.Rows, z.Rows)
		y := make([]float64, e.Len())
		for h := range y {
			y[h] = r.NormFloat64()
		}
		lambda := math.Exp2(8*r.Float64() - 6)
		for _, relation := range []Relation{Arbitrary, Symmetric, Reciprocal} {
			if relation != Arbitrary && !one {
				continue
			}
			for _, loss := range []Loss{Regression, Ranking} {
				o := SolveOptions{Loss: loss, Tolerance: 1e-12}
				want, err := Solve(t.Context(), System{relation.Pairwise(), x.MulT(x), z.MulT(z), e, y}, lambda, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, sparse := range []bool{false, true} {
					fx, fz := features(x, sparse), features(z, sparse)
					fit, err := SolveLinear(t.Context(), LinearSystem{relation, fx, fz, e, y}, lambda, o)
					if err != nil {
						t.Fatal(err)
					}
					name := string(relation) + " " + string(loss)
					for h, f := range fit.Scores {
						worst.near(t, name, f, want.Scores[h], largestOf(y), 1e-7)
					}
					worst.near(t, name+" objective", fit.Objective, want.Objective, want.Objective+1e-9, 1e-7)
				}
			}
		}
	}
	t.Logf("largest relative differences %v", worst)
}

func drawFeatures(r *rand.Rand) *data.Dense {
	x := data.NewDense(1+r.IntN(12), 1+r.IntN(5), nil)
	for i := range x.Data {
		if r.IntN(3) > 0 {
			x.Data[i] = r.NormFloat64()
		}
	}
	return x
}

func features(x *data.Dense, sparse bool) data.Matrix {
	if !sparse {
		return x
	}
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

// TestSolveStops stops by Each, by iterations and by the context.
func TestSolveStops(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 24))
	k := drawKernel(r, 30, false)
	e := drawEdges(r, 200, 30, 30)
	y := make([]float64, e.Len())
	for h := range y {
		y[h] = r.NormFloat64()
	}
	var curve []float64
	o := SolveOptions{Each: func(iteration int, _ float64, coef []float64) bool {
		curve = append(curve, coef[0])
		return iteration < 4
	}}
	fit, err := Solve(t.Context(), System{pairwise.Kronecker, k, k, e, y}, 1e-6, o)
	if err != nil || fit.Iterations != 4 || len(curve) != 4 || fit.Converged || slices.Contains(curve[1:], curve[0]) {
		t.Errorf("stopped by Each: %+v, %v, curve %v", fit, err, curve)
	}
	fit, err = Solve(t.Context(), System{pairwise.Kronecker, k, k, e, y}, 1e-6, SolveOptions{MaxIterations: 7})
	if err != nil || fit.Iterations != 7 || fit.Converged {
		t.Errorf("stopped by iterations: %+v, %v", fit, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Each = func(iteration int, _ float64, _ []float64) bool { cancel(); return true }
	if fit, err = Solve(ctx, System{pairwise.Kronecker, k, k, e, y}, 1e-6, o); !errors.Is(err, context.Canceled) ||
		fit.Iterations != 1 {
		t.Errorf("stopped by the context: %+v, %v", fit, err)
	}
	if _, err = Solve(t.Context(), System{pairwise.Kronecker, k, k, e, y}, 1, SolveOptions{Loss: "log"}); err == nil {
		t.Error("an unknown loss is taken")
	}
}
