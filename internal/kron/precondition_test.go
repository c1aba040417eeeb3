package kron

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
)

// badlyScaled makes rows of n features with sizes from 1/20 to 20, far from 0.
func badlyScaled(r *rand.Rand, rows, n int) *data.Dense {
	x := data.NewDense(rows, n, nil)
	for i := range rows {
		for j := range n {
			x.Row(i)[j] = math.Exp(3*math.Sin(float64(j))) * (r.NormFloat64() + 1)
		}
	}
	return x
}

// featureEdges draws each pair with a probability, with labels that the features explain.
func featureEdges(r *rand.Rand, x, z *data.Dense, density float64) (e Edges, y []float64) {
	for i := range x.Rows {
		for j := range z.Rows {
			if r.Float64() < density {
				e.Row, e.Col = append(e.Row, int32(i)), append(e.Col, int32(j))
				y = append(y, r.NormFloat64()+x.Row(i)[0]*z.Row(j)[0])
			}
		}
	}
	return e, y
}

// TestSolveLinearNeedsFewIterations: without the preconditioner it takes some sixty iterations for features of
// one size, and more than two thousand for these.
func TestSolveLinearNeedsFewIterations(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 31))
	x, z := badlyScaled(r, 80, 12), badlyScaled(r, 60, 9)
	for _, c := range []struct {
		density float64
		most    int
	}{{1, 2}, {0.5, 20}, {0.2, 40}} {
		for _, relation := range []Relation{Arbitrary, Symmetric, Reciprocal} {
			cols := z
			if relation != Arbitrary {
				cols = x
			}
			e, y := featureEdges(r, x, cols, c.density)
			for _, loss := range []Loss{Regression, Ranking} {
				if relation != Arbitrary && loss == Ranking {
					continue
				}
				fit, err := SolveLinear(t.Context(), LinearSystem{relation, x, cols, e, y},
					0.01, SolveOptions{Loss: loss, Tolerance: 1e-9})
				if err != nil || !fit.Converged || fit.Iterations > c.most {
					t.Errorf("%s, %s, density %g: %d iterations, want at most %d (%v)",
						relation, loss, c.density, fit.Iterations, c.most, err)
				}
			}
		}
	}
}

// TestSolveLinearByScores: with Scores the scores, less the means of their rows, are off by at most that part of their
// length, with and without a preconditioner.
func TestSolveLinearByScores(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 31))
	x, z := badlyScaled(r, 40, 7), badlyScaled(r, 30, 5)
	for _, density := range []float64{1, 0.5, 0.03} {
		e, y := featureEdges(r, x, z, density)
		for _, loss := range []Loss{Regression, Ranking} {
			for _, lambda := range []float64{1, 1e4} {
				s, means := LinearSystem{Arbitrary, x, z, e, y}, newMeans(e.Row, x.Rows, loss)
				exact, err := SolveLinear(t.Context(), s, lambda, SolveOptions{Loss: loss, Tolerance: 1e-12})
				fit, also := SolveLinear(t.Context(), s, lambda, SolveOptions{Loss: loss, Scores: krylov.DefaultScores})
				if err != nil || also != nil || !fit.Converged {
					t.Fatal(err, also, fit)
				}
				means.takeOff(exact.Scores)
				means.takeOff(fit.Scores)
				length := linalg.Nrm2(fit.Scores)
				linalg.Axpy(-1, exact.Scores, fit.Scores)
				if off := linalg.Nrm2(fit.Scores); off > krylov.DefaultScores*length {
					t.Errorf("%s, density %g, λ = %g: off by %.2g of the length, %d iterations of %d", loss, density, lambda,
						off/length, fit.Iterations, exact.Iterations)
				}
			}
		}
	}
}

// integers makes n features of p nodes, whole multiples of 100 up to 2000.
func integers(r *rand.Rand, p, n int) *data.Dense {
	x := data.NewDense(p, n, nil)
	for i := range x.Data {
		x.Data[i] = float64(100 * (r.IntN(41) - 20))
	}
	return x
}

// scoresOf is XWZᵀ.
func scoresOf(x, z *data.Dense, w []float64) *data.Dense {
	return x.Mul(data.NewDense(x.Cols, z.Cols, w)).MulT(z)
}

// TestSolveLinearKeepsToWhatEdgesMeet has features of thousands and a small λ, with which a preconditioner may
// leave anything in directions without edges. It compares complete graphs with the closed form, one edge with
// its formula, and solves two edges of two nodes.
func TestSolveLinearKeepsToWhatEdgesMeet(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 34))
	compare := func(name string, got, want linalg.Mat) {
		for i := range want.Rows {
			for j, v := range want.Row(i) {
				if math.Abs(got.Row(i)[j]-v) > 1e-5*(1+math.Abs(v)) {
					t.Fatalf("%s: score of (%d,%d) is %v, want %v", name, i, j, got.Row(i)[j], v)
				}
			}
		}
	}
	for range 200 {
		x, z := integers(r, 2+r.IntN(3), 1+r.IntN(10)), integers(r, 2+r.IntN(3), 1+r.IntN(10))
		lambda := math.Exp2(-float64(r.IntN(10)))
		e, _ := featureEdges(r, x, z, 1)
		y := data.NewDense(x.Rows, z.Rows, nil)
		for h := range y.Data {
			y.Data[h] = float64(r.IntN(3))
		}
		for _, loss := range []Loss{Regression, Ranking} {
			path, err := Factor(t.Context(), x.MulT(x), z.MulT(z), y, Options{Loss: loss})
			if err != nil {
				t.Fatal(err)
			}
			fit, err := SolveLinear(t.Context(), LinearSystem{Arbitrary, x, z, e, y.Data},
				lambda, SolveOptions{Loss: loss})
			if err != nil || !fit.Converged {
				continue // with that error
			}
			compare("complete, "+string(loss), linalg.Mat(*scoresOf(x, z, fit.Coef)),
				linalg.Mat(*path.At(lambda).Scores()))
		}
		one := Edges{Row: []int32{1}, Col: []int32{0}}
		fit, err := SolveLinear(t.Context(), LinearSystem{Arbitrary, x, z, one, []float64{1}},
			lambda, SolveOptions{Loss: Regression})
		if err != nil {
			t.Fatal(err)
		}
		k, g := x.MulT(x), z.MulT(z)
		want := linalg.NewMat(x.Rows, z.Rows)
		for i := range x.Rows {
			for j := range z.Rows {
				want.Row(i)[j] = k.Row(i)[1] * g.Row(j)[0] / (k.Row(1)[1]*g.Row(0)[0] + lambda)
			}
		}
		compare("one edge", linalg.Mat(*scoresOf(x, z, fit.Coef)), want)
	}
	x := &data.Dense{Rows: 2, Cols: 2, Stride: 2, Data: []float64{2000, 0, 1000, 1000}}
	two := Edges{Row: []int32{0, 1}, Col: []int32{0, 1}}
	fit, err := SolveLinear(t.Context(), LinearSystem{Arbitrary, x, x, two, []float64{-1, 0}},
		1, SolveOptions{Loss: Regression})
	if err != nil {
		t.Fatal(err)
	}
	if f := scoresOf(x, x, fit.Coef); math.Abs(f.Row(0)[1]+1.0/3) > 1e-6 || math.Abs(f.Row(1)[0]+1.0/3) > 1e-6 {
		t.Errorf("two edges: %v, want -1/3 beside the diagonal", f.Data)
	}
}

// TestConditioner multiplies solutions by the matrix of the definition.
func TestConditioner(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 32))
	for _, ranking := range []bool{false, true} {
		for _, full := range []bool{true, false} {
			for _, sparse := range []bool{false, true} {
				x, z := badlyScaled(r, 15, 4), badlyScaled(r, 12, 3)
				e, y := featureEdges(r, x, z, 0.4)
				s := &linearSystem{x: features(x, sparse), z: features(z, sparse), e: e, n: 4, k: 3, lambda: 0.5}
				p, err := newConditioner(s, ranking, full)
				if err != nil {
					t.Fatal(err)
				}
				cx, cz := definedMoments(x, z, e, ranking)
				b, got := make([]float64, 12), make([]float64, 12)
				for i := range b {
					b[i] = r.NormFloat64()
				}
				p.solveTo(got, b)
				for a := range 12 {
					sum, size := 0.5*got[a], math.Abs(b[a])
					for c := range 12 {
						if !full && c != a {
							continue
						}
						term := cx.Row(a / 3)[c/3] * cz.Row(a % 3)[c%3] * got[c]
						sum, size = sum+term, size+math.Abs(term)
					}
					if math.Abs(sum-b[a]) > 1e-10*size {
						t.Errorf("ranking %t, full %t, sparse %t: P z = %v at %d, want %v",
							ranking, full, sparse, sum, a, b[a])
					}
				}
				if len(y) == 0 {
					t.Fatal("no edges")
				}
			}
		}
	}
}

// definedMoments is Cx and Cz, edge by edge.
func definedMoments(x, z *data.Dense, e Edges, ranking bool) (cx, cz linalg.Mat) {
	cx, cz = linalg.NewMat(x.Cols, x.Cols), linalg.NewMat(z.Cols, z.Cols)
	m := float64(e.Len())
	mean, used, count := make([]float64, z.Cols), map[int32]bool{}, map[int32]float64{}
	for h := range e.Row {
		used[e.Col[h]] = true
		count[e.Row[h]]++
		if ranking {
			linalg.Axpy(1/m, z.Row(int(e.Col[h])), mean)
		}
	}
	for h := range e.Row {
		d := append([]float64(nil), z.Row(int(e.Col[h]))...)
		linalg.Axpy(-1, mean, d)
		for a := range d {
			linalg.Axpy(d[a]/m, d, cz.Row(a))
		}
	}
	l := float64(len(used))
	for i, n := range count {
		if ranking {
			n = (n - 1) * l / (l - 1)
		}
		u := x.Row(int(i))
		for a := range u {
			linalg.Axpy(n*u[a], u, cx.Row(a))
		}
	}
	return cx, cz
}

func BenchmarkConditioner(b *testing.B) {
	const n = 300
	r := rand.New(rand.NewPCG(33, 33))
	x := badlyScaled(r, 400, n)
	e, _ := featureEdges(r, x, x, 0.3)
	s := &linearSystem{x: x, z: x, e: e, n: n, k: n, lambda: 1}
	p, err := newConditioner(s, true, true)
	if err != nil {
		b.Fatal(err)
	}
	z, v := make([]float64, n*n), make([]float64, n*n)
	b.Run("n=300/solve", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.solveTo(z, v)
		}
	})
}
