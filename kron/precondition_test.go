package kron

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// badlyScaled is rows of n features of sizes from 1/20 to 20, far from 0.
func badlyScaled(r *rand.Rand, rows, n int) *data.Dense {
	x := data.NewDense(rows, n)
	for i := range rows {
		for j := range n {
			x.Row(i)[j] = math.Exp(3*math.Sin(float64(j))) * (r.NormFloat64() + 1)
		}
	}
	return x
}

// featureEdges is each pair with a probability, with values that features explain.
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

// TestSolveLinearNeedsFewIterations: without the preconditioner they are some
// sixty for features of one size, and more than two thousand for these.
func TestSolveLinearNeedsFewIterations(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 31))
	x, z := badlyScaled(r, 80, 12), badlyScaled(r, 60, 9)
	for _, c := range []struct {
		density float64
		most    int
	}{{1, 2}, {0.5, 20}, {0.2, 40}} {
		for _, relation := range []Relation{Arbitrary, Symmetric, Reciprocal} {
			cols, most := z, c.most
			if relation != Arbitrary {
				cols = x
			}
			e, y := featureEdges(r, x, cols, c.density)
			for _, loss := range []Loss{Regression, Ranking} {
				if relation != Arbitrary && loss == Ranking {
					most += 15 // the mean of two factors is neither
				}
				fit, err := SolveLinear(t.Context(), relation, x, cols, e, y, 0.01, SolveOptions{Loss: loss, Tolerance: 1e-9})
				if err != nil || !fit.Converged || fit.Iterations > most {
					t.Errorf("%s, %s, density %g: %d iterations, want at most %d (%v)", relation, loss, c.density, fit.Iterations, most, err)
				}
			}
		}
	}
}

// TestConditioner multiplies what it solves by the matrix as it is defined.
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
						t.Errorf("ranking %t, full %t, sparse %t: P z = %v at %d, want %v", ranking, full, sparse, sum, a, b[a])
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
