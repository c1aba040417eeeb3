package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

// eigenTolerance bounds, for a matrix of order n: the entries of VVᵀ - I, and
// relative to the largest eigenvalue the entries of A - VᵀWV and the
// differences of eigenvalues to another program's.
func eigenTolerance(n int) float64 { return 3e-15 * float64(max(n, 20)) }

// family is a kind of symmetric matrix that is hard in its own way.
type family struct {
	name  string
	entry func(i, j int) float64 // for j ≥ i
}

func families(r *rand.Rand, n int) []family {
	a := make([]float64, n*n)
	for i := range a {
		a[i] = r.NormFloat64()
	}
	const d = 5
	x := NewMat(n, d)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	return []family{
		{"random", func(i, j int) float64 { return a[i*n+j] }},
		{"gaussian kernel", func(i, j int) float64 { return gaussianWant(x.Row(i), x.Row(j), 0.1) }},
		{"rank 5", func(i, j int) float64 { return dotGo(x.Row(i), x.Row(j)) }},
		{"identity", func(i, j int) float64 { return kronecker(i, j) }},
		{"zero", func(i, j int) float64 { return 0 }},
		{"ones", func(i, j int) float64 { return 1 }},
		{"glued Wilkinson", gluedWilkinson},
		{"graded", func(i, j int) float64 {
			return math.Pow(10, -float64(i+j)/float64(n)*8) * (1 + 0.1*a[i*n+j])
		}},
		{"graded upwards", func(i, j int) float64 {
			return math.Pow(10, -float64(2*n-i-j)/float64(n)*8) * (1 + 0.1*a[i*n+j])
		}},
		{"huge", func(i, j int) float64 { return 1e300 * a[i*n+j] }},
		{"tiny", func(i, j int) float64 { return 1e-290 * a[i*n+j] }},
		{"subnormal block", func(i, j int) float64 {
			if i < n/2 && j >= n/2 {
				return 0
			}
			if i < n/2 {
				return a[i*n+j]
			}
			return 1e-319 * a[i*n+j]
		}},
		{"min", func(i, j int) float64 { return float64(min(i, j) + 1) }},
	}
}

func kronecker(i, j int) float64 {
	if i == j {
		return 1
	}
	return 0
}

// gluedWilkinson has many eigenvalues that agree to all digits but one.
func gluedWilkinson(i, j int) float64 {
	switch {
	case i == j:
		return math.Abs(float64(i%21) - 10)
	case j == i+1 && j%21 == 0:
		return 1e-8
	case j == i+1:
		return 1
	}
	return 0
}

func TestSymEigenFamilies(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		sizes := []int{1, 2, 3, 7, 32, 33, 64, 65, 100, 257}
		if Kernel() == available[len(available)-1].name {
			sizes = append(sizes, 500)
		}
		r := rand.New(rand.NewPCG(4, 4))
		for _, n := range sizes {
			if testing.Short() && n > 100 {
				continue
			}
			for _, f := range families(r, n) {
				checkEigen(t, f, n)
			}
		}
	})
}

func TestSymEigenLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	const n = 1000
	fs := families(rand.New(rand.NewPCG(4, 5)), n)
	for _, f := range []family{fs[0], fs[1], fs[6]} {
		checkEigen(t, f, n)
	}
}

func checkEigen(t *testing.T, f family, n int) {
	t.Helper()
	a := newGuarded(rand.New(rand.NewPCG(1, 1)), n, n, Upper).fill(f.entry)
	symmetric := NewMat(n, n)
	a.each(func(i, j int, v *float64) { symmetric.Row(i)[j] = *v })
	Symmetrize(Upper, symmetric)
	w, v := make([]float64, n), newGuarded(rand.New(rand.NewPCG(1, 2)), n, n, full)
	SymEigen(a.Mat, w, v.Mat)

	norm := max(math.Abs(w[0]), math.Abs(w[n-1]), math.SmallestNonzeroFloat64)
	tol := eigenTolerance(n)
	name := fmt.Sprintf("%s, n=%d", f.name, n)
	if o := orthogonality(v.Mat); !(o <= tol) {
		t.Errorf("%s: VVᵀ differs from I by %.2g > %.2g", name, o, tol)
	}
	if d := reconstruction(symmetric, w, v.Mat, norm); !(d <= tol) {
		t.Errorf("%s: VᵀWV differs from A by %.2g > %.2g", name, d, tol)
	}
	for i := 1; i < n; i++ {
		if w[i] < w[i-1] {
			t.Fatalf("%s: eigenvalues not ascending", name)
		}
	}
	// Beyond these sizes and scales the other program is slow or panics.
	if n <= 100 && norm > 1e-100 && norm < 1e100 && f.name != "subnormal block" {
		want := make([]float64, n)
		lapackgonum.Implementation{}.Dsyev(lapack.EVNone, blas.Upper, n, symmetric.Data, n, want,
			make([]float64, 70*n), 70*n)
		closeTo(t, name, w, want, tol*norm)
	}
	a.part = Upper // the lower triangle and the gaps are as before
	a.equals(t, name, a.Data, math.Inf(1))
	v.equals(t, name, v.Data, 0)
}

// orthogonality is the largest entry of VVᵀ - I.
func orthogonality(v Mat) float64 {
	n := v.Rows
	g := NewMat(n, n)
	Syrk(Upper, NoTrans, 1, v, 0, g)
	worst := 0.0
	for i := range n {
		for j := i; j < n; j++ {
			worst = max(worst, math.Abs(g.Row(i)[j]-kronecker(i, j)))
		}
	}
	return worst
}

// reconstruction is the largest entry of A - VᵀWV relative to the norm of A.
func reconstruction(a Mat, w []float64, v Mat, norm float64) float64 {
	n := len(w)
	scaled, g := NewMat(n, n), NewMat(n, n)
	for i := range n {
		for j, x := range v.Row(i) {
			scaled.Row(i)[j] = w[i] / norm * x
		}
	}
	Gemm(T, NoTrans, 1, v, scaled, 0, g)
	worst := 0.0
	for i, x := range a.Data {
		worst = max(worst, math.Abs(x/norm-g.Data[i]))
	}
	return worst
}

func TestSymEigenNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, n := range []int{1, 5, 70} {
			a, w, v := positiveDefinite(1, n), make([]float64, n), NewMat(n, n)
			a.Row(n / 2)[n-1] = bad
			SymEigen(a, w, v)
			for _, x := range append(w, v.Data...) {
				if !math.IsNaN(x) {
					t.Fatalf("n=%d, %g: got a number", n, bad)
				}
			}
		}
	}
}
