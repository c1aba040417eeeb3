package linalg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestTridiagonalSolves: (A+λI)x = b through T and Q agrees with Cholesky.
func TestTridiagonalSolves(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 9))
		for _, n := range []int{1, 2, 3, 4, 5, 20, 46, 97, 200} {
			w := NewTridiagonal(n)
			for _, count := range []int{1, 4, 5, 40} {
				a, b := definite(r, n, Upper), newGuarded(r, count, n, full)
				rhs := NewMat(n, count)
				transposeTo(rhs, b.Mat)
				w.Reduce(a.Mat)
				a.unchanged(t, "Reduce")
				w.MulQT(b.Mat)
				const lambda = 0.25
				for i := range count {
					if !w.SolveShifted(lambda, b.Row(i), b.Row(i)) {
						t.Fatalf("n=%d: not positive definite", n)
					}
				}
				w.MulQ(b.Mat)
				for i := range n {
					a.Row(i)[i] += lambda
				}
				Cholesky(Upper, a.Mat)
				CholeskySolve(Upper, a.Mat, rhs)
				want := b.clean()
				x := want.Mat
				transposeTo(x, rhs)
				b.equals(t, fmt.Sprintf("n=%d, %d vectors", n, count), want.Data, 1e3*epsilon*float64(n+8))
			}
		}
	})
}

// TestTridiagonalForm: QTQᵀ is A, found by applying Q to the rows of T and
// then to the rows of the transpose.
func TestTridiagonalForm(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 3, 30, 46, 130, 300} {
			a := randomMat(uint64(n), n, n)
			Symmetrize(Upper, a)
			w := NewTridiagonal(n)
			w.Reduce(a)
			x, y := NewMat(n, n), NewMat(n, n)
			for i := range n {
				x.Row(i)[i] = w.d[i]
				if i+1 < n {
					x.Row(i)[i+1], x.Row(i + 1)[i] = w.e[i], w.e[i]
				}
			}
			w.MulQ(x)
			transposeTo(y, x)
			w.MulQ(y)
			closeTo(t, fmt.Sprintf("n=%d", n), y.Data, a.Data, 100*epsilon*float64(n+8))
			w.MulQT(y) // and back
			transposeTo(x, y)
			w.MulQT(x)
			for i := range n {
				x.Row(i)[i] -= w.d[i]
			}
			for i := range n - 1 {
				x.Row(i)[i+1] -= w.e[i]
				x.Row(i + 1)[i] -= w.e[i]
			}
			closeTo(t, fmt.Sprintf("back, n=%d", n), x.Data, make([]float64, n*n), 200*epsilon*float64(n+8))
		}
	})
}

func TestSolveShiftedPivot(t *testing.T) {
	a := NewMat(3, 3)
	for i := range 3 {
		a.Row(i)[i] = float64(i) - 1
	}
	w := NewTridiagonal(3)
	w.Reduce(a)
	x := make([]float64, 3)
	b := []float64{1, 2, 3}
	if w.SolveShifted(0.5, x, b) {
		t.Error("accepted an indefinite matrix")
	}
	if !w.SolveShifted(1.5, x, b) {
		t.Error("refused a positive definite matrix")
	}
}

// TestTridiagonalConcurrent: after Reduce the workspace is only read.
func TestTridiagonalConcurrent(t *testing.T) {
	const n = 46
	w := NewTridiagonal(n)
	w.Reduce(positiveDefinite(1, n))
	want := randomMat(2, 1, n)
	w.MulQT(want)
	w.SolveShifted(0.5, want.Data, want.Data)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				got := randomMat(2, 1, n)
				w.MulQT(got)
				w.SolveShifted(0.5, got.Data, got.Data)
				closeTo(t, "concurrent", got.Data, want.Data, 0)
			}
		})
	}
	wg.Wait()
}

// TestSolveShiftedTo: several λ at once have the bits of each alone, and those
// without a positive pivot are listed.
func TestSolveShiftedTo(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{1, 2, 5, 46} {
		a := NewMat(n, n)
		for i := range n {
			for j := i; j < n; j++ {
				a.Row(i)[j] = r.NormFloat64()
			}
		}
		w := NewTridiagonal(n)
		w.Reduce(a)
		for count := range 12 {
			lambdas, b := make([]float64, count), make([]float64, n)
			for l := range lambdas {
				lambdas[l] = 4 * float64(n) * r.Float64() // too small for some
			}
			for i := range b {
				b[i] = r.NormFloat64()
			}
			got := Mat{Rows: count, Cols: n, Stride: n + 3, Data: make([]float64, count*(n+3)+1)}
			bad := w.SolveShiftedTo(got, lambdas, b)
			want := make([]float64, n)
			for l, lambda := range lambdas {
				ok := w.SolveShifted(lambda, want, b)
				if ok == slices.Contains(bad, l) {
					t.Fatalf("n=%d λ=%g: solved %v, listed in %v", n, lambda, ok, bad)
				}
				if ok && !slices.Equal(got.Row(l), want) {
					t.Fatalf("n=%d λ=%g: %v, alone %v", n, lambda, got.Row(l), want)
				}
			}
		}
	}
}
