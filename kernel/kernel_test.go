package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/kernels"
	"pairrank/kernel"
)

// tolerance is relative to the largest entry; the rows are centred around a point up to 1e3 spreads
// away; their squared distances keep 13 digits.
const tolerance = 1e-12

var every = []kernel.Kernel{
	kernel.Linear{}, kernel.Gaussian{Gamma: 0.1}, kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 3},
	kernel.Clinical{},
}

// define is the kernel by its formula.
func define(k kernel.Kernel, x, z []float64) float64 {
	dot, dist, apart := 0.0, 0.0, 0.0
	for j := range x {
		apart += math.Abs(min(max(x[j], 0), 1)-min(max(z[j], 0), 1)) / float64(len(x))
		dot += x[j] * z[j]
		dist += (x[j] - z[j]) * (x[j] - z[j])
	}
	switch k := k.(type) {
	case kernel.Gaussian:
		return math.Exp(-k.Gamma * dist)
	case kernel.Polynomial:
		return math.Pow(k.Gamma*dot+k.Coef0, float64(k.Degree))
	case kernel.Clinical:
		return 1 - apart
	}
	return dot
}

func random(r *rand.Rand, m, n int, density, shift float64) *data.Dense {
	x := data.NewDense(m, n, nil)
	for i := range x.Data {
		if r.Float64() < density {
			x.Data[i] = r.NormFloat64() + shift
		}
	}
	return x
}

func sparse(x *data.Dense) *data.CSR { return gen.Sparse(x, gen.NotZero) }

// TestMatricesAreTheirFormula compares every kernel on dense and sparse rows, of
// each with itself and with others, with the definition.
func TestMatricesAreTheirFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n := 1 + r.IntN(40)
		a, b := random(r, 1+r.IntN(50), n, 0.6, 0), random(r, 1+r.IntN(50), n, 0.6, 0)
		for _, k := range every {
			for _, x := range []data.Matrix{a, sparse(a)} {
				check(t, k, x, x, a, a)
				for _, z := range []data.Matrix{b, sparse(b)} {
					check(t, k, x, z, a, b)
				}
			}
		}
	}
}

func check(t *testing.T, k kernel.Kernel, x, z data.Matrix, a, b *data.Dense) {
	t.Helper()
	got := kernel.Matrix(k, x, z)
	top := 0.0
	for i := range a.Rows {
		for j := range b.Rows {
			top = max(top, math.Abs(define(k, a.Row(i), b.Row(j))))
		}
	}
	for i := range a.Rows {
		for j := range b.Rows {
			if d := math.Abs(got.Row(i)[j] - define(k, a.Row(i), b.Row(j))); !(d <= tolerance*max(top, 1e-300)) {
				t.Fatalf("%s of %T and %T: entry (%d,%d) differs by %g of %g", k, x, z, i, j, d, top)
			}
			if x == z && got.Row(i)[j] != got.Row(j)[i] {
				t.Fatalf("%s of %T is not symmetric at (%d,%d)", k, x, i, j)
			}
		}
	}
}

// TestGaussianFarFromTheOrigin: near-equal rows of large norm keep their
// distance.
func TestGaussianFarFromTheOrigin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := random(r, 40, 5, 1, 1e6)
	got := kernel.Matrix(kernel.Gaussian{Gamma: 1}, x, x)
	for i := range x.Rows {
		if got.Row(i)[i] != 1 {
			t.Fatalf("diagonal %v", got.Row(i)[i])
		}
		for j := range x.Rows {
			if d := math.Abs(got.Row(i)[j] - define(kernel.Gaussian{Gamma: 1}, x.Row(i), x.Row(j))); d > 1e-9 {
				t.Fatalf("entry (%d,%d) differs by %g", i, j, d)
			}
		}
	}
}

// ownInner is a kernel that embeds one of the package.
type ownInner struct{ kernel.Polynomial }

func TestSelfIsTheDiagonal(t *testing.T) {
	x := random(rand.New(rand.NewPCG(3, 5)), 9, 3, 1, 0)
	for _, k := range append([]kernel.Kernel{ownInner{kernel.Polynomial{Gamma: 0.5, Coef0: 2, Degree: 3}},
		kernel.Fourier{Gamma: 0.5, Features: 20, Seed: 1}}, every...) {
		for _, rows := range []data.Matrix{x, sparse(x)} {
			gram := kernel.Matrix(k, rows, rows)
			for i := range x.Rows {
				if v, want := kernel.Self(k, rows, i), gram.Row(i)[i]; !(math.Abs(v-want) <= selfRounding*want) {
					t.Errorf("%s, %T: k(x,x) of row %d is %g, want %g", k, rows, i, v, want)
				}
			}
		}
	}
}

// selfRounding bounds the difference of a sum of three products and its power to one in
// another order, relative to it.
const selfRounding = 1e-13

func TestParseRoundTrip(t *testing.T) {
	for spec, want := range map[string]kernel.Kernel{
		"linear": kernel.Linear{},
		"fourier:gamma=0.25,features=500,seed=9007199254740992": kernel.Fourier{Gamma: 0.25, Features: 500,
			Seed: 1 << 53},
		"precomputed":                            kernel.Precomputed{},
		"gaussian:gamma=2^-3":                    kernel.Gaussian{Gamma: 0.125},
		"polynomial:degree=2":                    kernel.Polynomial{Gamma: 1, Degree: 2},
		"polynomial:gamma=0.5,coef0=1,degree=10": kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 10},
	} {
		got, err := kernel.Parse(spec)
		if err != nil || got != want {
			t.Errorf("%s is read as %v, %v", spec, got, err)
			continue
		}
		if again, err := kernel.Parse(got.String()); err != nil || again != got {
			t.Errorf("%s does not read back: %v, %v", got, again, err)
		}
	}
	for _, spec := range []string{
		"", "rbf", "linear:gamma=1", "gaussian", "gaussian:gamma=0", "gaussian:gamma=-1", "gaussian:gamma=NaN",
		"gaussian:gamma=Inf",
		"gaussian:gamma=1,gamma=2", "gaussian:sigma=1", "gaussian:gamma", "polynomial:degree=1.5",
		"polynomial:degree=0", "polynomial:gamma=1", "polynomial:degree=2,coef0=-1",
	} {
		if k, err := kernel.Parse(spec); err == nil {
			t.Errorf("%q is read as %v", spec, k)
		}
	}
}

func TestParseGrid(t *testing.T) {
	got, err := kernel.ParseGrid("gaussian:gamma=2^-10:2^4:15")
	if err != nil || len(got) != 15 {
		t.Fatalf("%v, %v", got, err)
	}
	for e := -10; e <= 4; e++ {
		if got[e+10] != (kernel.Gaussian{Gamma: math.Exp2(float64(e))}) {
			t.Errorf("kernel %d is %v", e+10, got[e+10])
		}
	}
	got, err = kernel.ParseGrid("polynomial:gamma=1:4:3,coef0=1,degree=2")
	if err != nil || len(got) != 3 || got[1] != (kernel.Polynomial{Gamma: 2, Coef0: 1, Degree: 2}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, spec := range []string{"gaussian:gamma=1:2", "gaussian:gamma=2:1:3", "gaussian:gamma=0:1:3",
		"gaussian:gamma=1:2:1", "gaussian:gamma=1:2:3:4", "linear:1:2:3"} {
		if k, err := kernel.ParseGrid(spec); err == nil {
			t.Errorf("%q is read as %v", spec, k)
		}
	}
	if k, err := kernel.Parse("gaussian:gamma=1:2:3"); err == nil {
		t.Errorf("a grid is read as the one kernel %v", k)
	}
}

// TestGramOfAnyType uses a kernel over strings.
func TestGramOfAnyType(t *testing.T) {
	common := func(a, b string) float64 {
		n := 0.0
		for _, c := range "abcdefgh" {
			if strings.ContainsRune(a, c) && strings.ContainsRune(b, c) {
				n++
			}
		}
		return n
	}
	words := []string{"abc", "bcd", "", "hgfe", "abcdefgh"}
	g, c := kernel.Gram(words, common), kernel.Cross(words[:2], words, common)
	for i := range words {
		for j := range words {
			if g.Row(i)[j] != common(words[i], words[j]) || i < 2 && c.Row(i)[j] != g.Row(i)[j] {
				t.Errorf("entry (%d,%d) is %v", i, j, g.Row(i)[j])
			}
		}
	}
}

// Grids of several parameters multiply, and are refused before they are made.
func TestParseGridHasALimit(t *testing.T) {
	if ks, err := kernel.ParseGrid("polynomial:gamma=1:2:100,coef0=1:2:100,degree=2"); err != nil || len(ks) != 10_000 {
		t.Errorf("%d kernels, %v", len(ks), err)
	}
	for _, spec := range []string{
		"polynomial:gamma=1:2:101,coef0=1:2:100,degree=2",
		"polynomial:gamma=1:2:10000,coef0=1:2:10000,degree=2",
		"gaussian:gamma=1:2:10001",
	} {
		if ks, err := kernel.ParseGrid(spec); err == nil {
			t.Errorf("%s makes %d kernels", spec, len(ks))
		}
	}
}

// TestForgottenStride: a Dense without its Stride, whose rows would all be the first
// one, panics with the name of the argument.
func TestForgottenStride(t *testing.T) {
	broken := func() *data.Dense { return &data.Dense{Rows: 2, Cols: 2, Data: make([]float64, 4)} }
	whole := func() *data.Dense { return data.NewDense(2, 2, nil) }
	bugs := map[string]func(){
		"among": func() { kernels.NewMap(broken()) },
		"cross": func() { kernels.NewMap(whole()).Rows(broken()) },
		"rows":  func() { kernel.Prepare(kernel.Linear{}, broken()) },
	}
	for _, k := range every {
		bugs["kernel: dst"] = func() { k.MatrixTo(broken(), whole(), whole()) }
		bugs["kernel: a"] = func() { k.MatrixTo(whole(), broken(), whole()) }
		bugs["kernel: b"] = func() { k.MatrixTo(whole(), whole(), broken()) }
		for want, bug := range bugs {
			func() {
				defer func() {
					if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), want+":") {
						t.Errorf("%s: %v, want a panic about %q", k, p, want)
					}
				}()
				bug()
			}()
		}
	}
}

// twice is a kernel of another package that is made of one of this.
type twice struct{ kernel.Gaussian }

func (k twice) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	k.Gaussian.MatrixTo(dst, a, b)
	for i := range dst.Data {
		dst.Data[i] *= 2
	}
}

// UpperTo is the upper triangle of MatrixTo, which is exactly symmetric, and the kernels of
// the package leave the rest of the matrix alone.
func TestUpperTo(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, m := range []int{0, 1, 2, 40, 300} {
		dense := random(r, m, 9, 0.6, 1)
		for _, x := range []data.Matrix{dense, sparse(dense)} {
			for _, k := range append(every, kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 7},
				twice{kernel.Gaussian{Gamma: 0.2}}) {
				_, other := k.(twice)
				want, got := kernel.Matrix(k, x, x), data.NewDense(m, m, nil)
				for i := range got.Data {
					got.Data[i] = -7
				}
				kernel.UpperTo(k, got, x)
				for i := range m {
					for j := range m {
						switch v := got.Row(i)[j]; {
						case want.Row(i)[j] != want.Row(j)[i]:
							t.Fatalf("%s of %T: (%d,%d) is not symmetric", k, x, i, j)
						case (j >= i || other) && v != want.Row(i)[j]:
							t.Fatalf("%s of %T: (%d,%d) is %v, want %v", k, x, i, j, v, want.Row(i)[j])
						case j < i && !other && v != -7:
							t.Fatalf("%s of %T: (%d,%d) below the diagonal is %v", k, x, i, j, v)
						}
					}
				}
			}
		}
	}
}
