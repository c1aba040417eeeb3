package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

func vector(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// closeTo compares vectors.
func closeTo(t *testing.T, name string, got, want []float64, tol float64) {
	t.Helper()
	for i, v := range got {
		if d := math.Abs(v - want[i]); !(d <= tol) {
			t.Errorf("%s: entry %d of %d is %g, want %g, off by %g > %g", name, i, len(got), v, want[i], d, tol)
			return
		}
	}
}

// start is the y of a test and its copy for the oracle; with beta 0 it holds NaN.
func start(r *rand.Rand, n int, beta float64) (y, want []float64) {
	y = vector(r, n)
	want = append([]float64(nil), y...)
	if beta == 0 {
		clear(want)
		for i := range y {
			y[i] = math.NaN()
		}
	}
	return y, want
}

func TestGemv(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, s := range [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {4, 4}, {5, 7}, {33, 19}, {100, 46}, {700, 400},
			{3, 200000}, {9000, 40}} {
			if testing.Short() && s[0]*s[1] > 4*level2Serial {
				continue
			}
			a := newGuarded(r, s[0], s[1], full)
			for _, tr := range bothTrans {
				m, n := a.shape(tr)
				x := vector(r, n)
				for _, f := range factors {
					y, want := start(r, m, f[1])
					Gemv(tr, f[0], a.Mat, x, f[1], y)
					if s[0] > 0 && s[1] > 0 {
						oracle.Dgemv(transOf(tr), s[0], s[1], f[0], a.Data, a.Stride, x, 1, f[1], want, 1)
					} else {
						Scal(f[1], want)
					}
					name := fmt.Sprintf("%v %v alpha %g beta %g", s, tr, f[0], f[1])
					closeTo(t, name, y, want, productTolerance(n))
					a.unchanged(t, name)
				}
			}
		}
	})
}

func TestSymv(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, n := range []int{0, 1, 2, 3, 4, 5, 17, 46, 130, 259, 600} {
			for _, ul := range bothUplos {
				for _, f := range factors {
					a := newGuarded(r, n, n, ul)
					x := vector(r, n)
					y, want := start(r, n, f[1])
					Symv(ul, f[0], a.Mat, x, f[1], y)
					clean := a.clean()
					if n > 0 {
						oracle.Dsymv(uploOf(ul), n, f[0], clean.Data, a.Stride, x, 1, f[1], want, 1)
					}
					name := fmt.Sprintf("%d %c alpha %g beta %g", n, ul, f[0], f[1])
					closeTo(t, name, y, want, productTolerance(n))
					a.unchanged(t, name)
				}
			}
		}
	})
}

func TestTrsv(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, n := range []int{0, 1, 2, 3, 17, 46, 130} {
			for _, ul := range bothUplos {
				for _, tr := range bothTrans {
					a, x := triangle(r, n, ul), vector(r, n)
					want := append([]float64(nil), x...)
					Trsv(ul, tr, a.Mat, x)
					clean := a.clean()
					if n > 0 {
						oracle.Dtrsv(uploOf(ul), transOf(tr), blas.NonUnit, n, clean.Data, a.Stride, want, 1)
					}
					name := fmt.Sprintf("%d %c %v", n, ul, tr)
					closeTo(t, name, x, want, 1e3*epsilon*float64(n+8))
					a.unchanged(t, name)
				}
			}
		}
	})
}

func TestSymmetrize(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{0, 1, 2, 31, 32, 33, 100, 300} {
		for _, ul := range bothUplos {
			a := newGuarded(r, n, n, ul)
			want := a.clean()
			a.part = full
			for i := range n {
				for j := range n {
					p, q := i, j
					if (ul == Upper) == (p > q) && p != q {
						p, q = q, p
					}
					want.Data[i*a.Stride+j] = a.Data[p*a.Stride+q]
				}
			}
			Symmetrize(ul, a.Mat)
			a.equals(t, fmt.Sprintf("%d %c", n, ul), want.Data, 0)
		}
	}
}

func TestLevel1(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		for n := range 70 {
			x, y := vector(r, n), vector(r, n+1)
			dot, sum, squares := 0.0, 0.0, 0.0
			added := append([]float64(nil), y...)
			for i, v := range x {
				dot += v * y[i]
				sum += v
				squares += v * v
				added[i] += 0.7 * v
			}
			tol := productTolerance(n)
			closeTo(t, "dot, sum, norm", []float64{Dot(x, y), Sum(x), Nrm2(x)}, []float64{dot, sum, math.Sqrt(squares)},
				tol)
			Axpy(0.7, x, y)
			closeTo(t, "axpy", y, added, tol)
			want := append([]float64(nil), x...)
			for i := range want {
				want[i] *= -3
			}
			Scal(-3, x)
			closeTo(t, "scal", x, want, 0)
		}
	})
}

func TestNrm2Range(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{3e300, 4e300}, 5e300}, {[]float64{3e-300, -4e-300}, 5e-300},
		{[]float64{-inf, 1}, inf}, {[]float64{5e-324}, 5e-324}, {[]float64{math.MaxFloat64}, math.MaxFloat64},
		{[]float64{3e-320, 4e-320}, 5e-320}, {[]float64{3e200, 4e-200}, 3e200},
	} {
		if got := Nrm2(c.x); got != c.want && !(math.Abs(got-c.want) <= 2*epsilon*c.want) {
			t.Errorf("norm of %v is %g, want %g", c.x, got, c.want)
		}
	}
	if got := Nrm2([]float64{1, math.NaN()}); !math.IsNaN(got) {
		t.Errorf("norm with NaN is %g", got)
	}
}

func TestDivideBy(t *testing.T) {
	for _, d := range []float64{3, -0.1, 5e-324, 1e-310, math.MaxFloat64, -1e308} {
		x := []float64{d, 2 * d, 0, -d}
		want := []float64{1, 2 * d / d, 0, -1}
		divideBy(d, x)
		for i, v := range x {
			if v != want[i] && !(math.Abs(v-want[i]) <= 2*epsilon*math.Abs(want[i])) {
				t.Errorf("division by %g: %g, want %g", d, v, want[i])
			}
		}
	}
}

// TestRows compares AddRows and DotRows with their definitions, over every length that a loop of
// the assembly ends at, with rows named twice and in any order.
func TestRows(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 11, 15, 16, 19, 47, 48, 49, 67, 96, 131, 500} {
			for _, terms := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 40} {
				a := newGuarded(r, 9, n, full)
				rows := make([]int32, terms)
				for k := range rows {
					rows[k] = int32(r.IntN(9))
				}
				coef, x := vector(r, terms), vector(r, n)
				y := vector(r, n+1)
				want := append([]float64(nil), y...)
				for k, i := range rows {
					for j, v := range a.Row(int(i)) {
						want[j] += coef[k] * v
					}
				}
				AddRows(coef, rows, a.Mat, y)
				name := fmt.Sprintf("%d rows of %d", terms, n)
				closeTo(t, "AddRows: "+name, y, want, productTolerance(terms))

				dst := vector(r, terms+1)
				want = append([]float64(nil), dst...)
				for k, i := range rows {
					want[k] = 0
					for j, v := range a.Row(int(i)) {
						want[k] += x[j] * v
					}
				}
				DotRows(x, rows, a.Mat, dst)
				closeTo(t, "DotRows: "+name, dst, want, productTolerance(n))
				for k := range rows {
					alone := []float64{0}
					DotRows(x, rows[k:k+1], a.Mat, alone)
					if alone[0] != dst[k] {
						t.Fatalf("DotRows: %s: row %d alone is %v, among others %v", name, k, alone[0], dst[k])
					}
				}
				a.unchanged(t, name)
			}
		}
	})
}
