package krylov_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/krylov"
)

type matrix struct {
	n int
	a []float64
}

func (m matrix) MulTo(dst, x []float64) {
	for i := range dst {
		dst[i] = 0
		for j, v := range x {
			dst[i] += m.a[i*m.n+j] * v
		}
	}
}

// random is B Bᵀ + I with rows scaled by up to 10^spread.
func random(r *rand.Rand, n int, spread float64) matrix {
	b := make([]float64, n*n)
	for i := range n {
		scale := math.Pow(10, spread*r.Float64())
		for j := range n {
			b[i*n+j] = scale * r.NormFloat64()
		}
	}
	m := matrix{n, make([]float64, n*n)}
	for i := range n {
		for j := range n {
			for k := range n {
				m.a[i*n+j] += b[i*n+k] * b[j*n+k]
			}
		}
		m.a[i*n+i]++
	}
	return m
}

func TestCGReachesItsTolerance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for trial := range 100 {
		n := 1 + r.IntN(30)
		m := random(r, n, float64(trial%3))
		want, b, x := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range want {
			want[i] = r.NormFloat64()
		}
		m.MulTo(b, want)
		o := krylov.Options{Tolerance: 1e-10, MaxIterations: 200 * n}
		if trial%2 == 0 {
			for i := range n {
				o.Diagonal = append(o.Diagonal, m.a[i*n+i])
			}
		}
		got, err := krylov.CG(context.Background(), m, b, x, o)
		if err != nil || !got.Converged || got.Residual > 1e-10 {
			t.Fatalf("n=%d: %+v, %v", n, got, err)
		}
		res := make([]float64, n)
		m.MulTo(res, x)
		num, den := 0.0, 0.0
		for i := range res {
			num += (res[i] - b[i]) * (res[i] - b[i])
			den += b[i] * b[i]
		}
		if math.Sqrt(num/den) > 1e-10 {
			t.Fatalf("n=%d: residual %g", n, math.Sqrt(num/den))
		}
		again, err := krylov.CG(context.Background(), m, b, x, o)
		if err != nil || again.Iterations != 0 || !again.Converged {
			t.Fatalf("warm start at the solution: %+v, %v", again, err)
		}
	}
}

func TestCGEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := random(r, 20, 2)
	b, x := make([]float64, 20), make([]float64, 20)
	x[3] = 5
	if got, err := krylov.CG(context.Background(), m, b, x,
		krylov.Options{Tolerance: 1e-9, MaxIterations: 5}); err != nil || !got.Converged || x[3] != 0 {
		t.Errorf("zero right side: %+v, %v, %v", got, x[3], err)
	}
	b[0] = 1
	if got, err := krylov.CG(context.Background(), m, b, x,
		krylov.Options{Tolerance: 1e-12, MaxIterations: 2}); err != nil || got.Converged || got.Iterations != 2 {
		t.Errorf("two iterations: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := krylov.CG(ctx, m, b, make([]float64, 20),
		krylov.Options{Tolerance: 1e-12, MaxIterations: 99}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A right-hand side whose squares leave the numbers has the solution of another
// of usual size, to the power of two between them.
func TestCGScales(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n = 8
	a, b := random(r, n, 1), make([]float64, n)
	for i := range b {
		b[i] = r.NormFloat64()
	}
	want := make([]float64, n)
	o := krylov.Options{Tolerance: 1e-12, MaxIterations: 1000}
	if result, err := krylov.CG(t.Context(), a, b, want, o); err != nil || !result.Converged {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, exp := range []int{-900, -500, 500, 900} {
		far, x := make([]float64, n), make([]float64, n)
		for i, v := range b {
			far[i], x[i] = math.Ldexp(v, exp), math.Ldexp(want[i], exp+1) // a start of the same size
		}
		result, err := krylov.CG(t.Context(), a, far, x, o)
		if err != nil || !result.Converged || !(result.Residual <= o.Tolerance) {
			t.Errorf("2^%d: %+v, %v", exp, result, err)
		}
		for i, v := range x {
			if got := math.Ldexp(v, -exp); math.Abs(got-want[i]) > 1e-9 {
				t.Errorf("2^%d: x[%d] = %v, want %v", exp, i, got, want[i])
			}
		}
	}
}

// Where the scores end the iteration, the energy of the error is below the square of what
// ScoreError says of xᵀBx, and that at most what was asked for.
func TestCGScores(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for trial := range 60 {
		const n, ridge = 25, 0.5
		a := random(r, n, float64(trial%3))
		for i := range n {
			a.a[i*n+i] += ridge - 1
		}
		want, b, x := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range want {
			want[i] = r.NormFloat64()
		}
		a.MulTo(b, want)
		o := krylov.Options{Scores: math.Pow(10, -1-float64(trial%4)), Ridge: ridge, MaxIterations: 10_000}
		if trial%2 == 0 {
			for i := range n {
				o.Diagonal = append(o.Diagonal, a.a[i*n+i])
			}
		}
		got, err := krylov.CG(t.Context(), a, b, x, o)
		if err != nil || !got.Converged || got.ScoreError > o.Scores && got.Residual > krylov.DefaultTolerance {
			t.Fatalf("%+v, %v", got, err)
		}
		energy, spread := 0.0, 0.0
		e, ae, ax := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range e {
			e[i] = x[i] - want[i]
		}
		a.MulTo(ae, e)
		a.MulTo(ax, x)
		for i := range e {
			energy += e[i] * ae[i]
			spread += x[i] * (ax[i] - ridge*x[i])
		}
		if math.Sqrt(energy/spread) > got.ScoreError*(1+1e-6)+1e-12 {
			t.Errorf("trial %d: error %g of the scores, said to be %g", trial, math.Sqrt(energy/spread), got.ScoreError)
		}
	}
}
