package similarity_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/similarity"
	"pairrank/kernel"
	"pairrank/relation/edge"
)

// gapped is a matrix with gaps between its rows, which must not change.
func gapped(m, n int, entry func(i, j int) float64) *data.Dense {
	const gap = 3
	k := &data.Dense{Rows: m, Cols: n, Stride: n + gap, Data: make([]float64, m*(n+gap))}
	for at := range k.Data {
		k.Data[at] = math.Inf(1)
	}
	for i := range m {
		for j := range n {
			k.Row(i)[j] = entry(i, j)
		}
	}
	return k
}

func checkGaps(t *testing.T, k *data.Dense) {
	t.Helper()
	for i := range k.Rows {
		for _, v := range k.Data[i*k.Stride+k.Cols : (i+1)*k.Stride] {
			if !math.IsInf(v, 1) {
				t.Fatalf("%v is written behind row %d", v, i+1)
			}
		}
	}
}

func clone(k *data.Dense) *data.Dense {
	c := *k
	c.Data = slices.Clone(k.Data)
	return &c
}

// indefinite is a symmetric matrix with eigenvalues of both signs.
func indefinite(r *rand.Rand, n int) *data.Dense {
	shift := r.NormFloat64()
	k := gapped(n, n, func(i, j int) float64 { return r.NormFloat64() })
	for i := range n {
		for j := range i {
			k.Row(i)[j] = k.Row(j)[i]
		}
		k.Row(i)[i] += shift * math.Sqrt(float64(n))
	}
	return k
}

func TestSymmetrize(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 200} {
		k := gapped(n, n, func(i, j int) float64 { return r.NormFloat64() })
		before := clone(k)
		apart, largest := 0.0, 0.0
		for i := range n {
			for j := range n {
				largest = max(largest, math.Abs(k.Row(i)[j]))
				apart = max(apart, math.Abs(k.Row(i)[j]-k.Row(j)[i]))
			}
		}
		want := 0.0
		if apart > 0 {
			want = apart / largest
		}
		got := similarity.Symmetrize(k)
		const rounding = 4e-16 // for a difference, a quotient and halves
		if math.Abs(got-want) > rounding*want {
			t.Errorf("n = %d: asymmetry %v, want %v", n, got, want)
		}
		checkGaps(t, k)
		for i := range n {
			for j := range n {
				a, b := before.Row(i)[j], before.Row(j)[i]
				if v := k.Row(i)[j]; v != k.Row(j)[i] || math.Abs(v-(a+b)/2) > rounding*largest {
					t.Fatalf("n = %d: the mean of %v and %v is %v", n, a, b, v)
				}
			}
		}
		if again := similarity.Symmetrize(k); again != 0 {
			t.Errorf("n = %d: asymmetry %v of a symmetric matrix", n, again)
		}
	}
	for _, c := range []struct {
		name       string
		a, b, want float64 // k_12, k_21 and the asymmetry
	}{
		{"opposite", 1, -1, 2},
		{"one is zero", 0, 4, 1},
		{"largest numbers", math.MaxFloat64, -math.MaxFloat64, 2},
		{"all zero", 0, 0, 0},
		{"not a number", math.NaN(), 1, math.NaN()},
	} {
		k := gapped(2, 2, func(i, j int) float64 { return []float64{0, c.a, c.b, 0}[2*i+j] })
		if got := similarity.Symmetrize(k); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: asymmetry %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNormalize(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	const rounding = 4e-16 // for two roots, a product and a quotient
	for _, n := range []int{0, 1, 5, 130} {
		scale := make([]float64, n)
		for i := range scale {
			scale[i] = math.Exp(20 * r.NormFloat64())
		}
		k := indefinite(r, n)
		for i := range n {
			for j := range n {
				k.Row(i)[j] *= scale[i] * scale[j]
			}
			k.Row(i)[i] = scale[i] * scale[i] * (1 + r.Float64())
		}
		before, diag := clone(k), similarity.Diagonal(k)
		if err := similarity.Normalize(k); err != nil {
			t.Fatal(err)
		}
		checkGaps(t, k)
		for i := range n {
			if k.Row(i)[i] != 1 {
				t.Errorf("n = %d: diagonal %v", n, k.Row(i)[i])
			}
			for j := range n {
				want := before.Row(i)[j] / math.Sqrt(diag[i]) / math.Sqrt(diag[j])
				if got := k.Row(i)[j]; got != k.Row(j)[i] || math.Abs(got-want) > rounding*math.Abs(want) {
					t.Fatalf("n = %d: entry (%d,%d) is %v, want %v", n, i, j, got, want)
				}
			}
		}
	}
}

func TestNormalizeRefuses(t *testing.T) {
	k := gapped(4, 4, func(i, j int) float64 {
		if i == j {
			return []float64{1, 0, -0.5, math.NaN()}[i]
		}
		return 0.25
	})
	before := clone(k)
	err := similarity.Normalize(k)
	const want = "the similarity of a node with itself must be above 0 to normalise by it, and is not for 3 of 4 " +
		"rows: 2 (0), 3 (-0.5), 4 (NaN)"
	var diagonal *similarity.DiagonalError
	if !errors.As(err, &diagonal) || err.Error() != want || !slices.Equal(diagonal.At, []int{1, 2, 3}) {
		t.Errorf("error %v, want %s", err, want)
	}
	for at, v := range before.Data {
		if v != k.Data[at] && !math.IsNaN(v) {
			t.Fatal("a matrix that is refused changes")
		}
	}
	err = similarity.Normalize(data.NewDense(25, 25, nil))
	if err == nil || err.Error()[len(err.Error())-17:] != "20 (0) and 5 more" {
		t.Errorf("error %v", err)
	}
}

// eigenError bounds the error of the eigenvalues of a matrix of n rows, relative to its entries of order one.
func eigenError(n int) float64 { return 1e-14 * float64(n) }

// The clipped matrix P of K is the nearest positive semidefinite one: P and P − K
// have no negative eigenvalue, and P(P − K) = 0.
func TestClip(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, n := range []int{1, 2, 3, 10, 40, 100} {
		for range 10 {
			k := indefinite(r, n)
			p := clone(k)
			least := similarity.SmallestEigenvalue(k)
			smallest, err := similarity.MakePSD(p, edge.Clip)
			if err != nil || smallest != least {
				t.Fatalf("n = %d: smallest eigenvalue %v and %v, error %v", n, smallest, least, err)
			}
			checkGaps(t, p)
			if least > 0 && !slices.Equal(p.Data, k.Data) {
				t.Fatalf("n = %d: a positive definite matrix changes", n)
			}
			rest := gapped(n, n, func(i, j int) float64 { return p.Row(i)[j] - k.Row(i)[j] })
			tolerance := eigenError(n)
			if w := similarity.SmallestEigenvalue(p); w < -tolerance {
				t.Errorf("n = %d: the clipped matrix has eigenvalue %g", n, w)
			}
			if w := similarity.SmallestEigenvalue(rest); w < -tolerance {
				t.Errorf("n = %d: what was added has eigenvalue %g", n, w)
			}
			for i := range n {
				for j := range n {
					s := 0.0
					for c := range n {
						s += p.Row(i)[c] * rest.Row(c)[j]
					}
					if math.Abs(s) > tolerance*float64(n) || p.Row(i)[j] != p.Row(j)[i] {
						t.Fatalf("n = %d: entry (%d,%d) of P(P−K) is %g", n, i, j, s)
					}
				}
			}
		}
	}
}

func TestMakePSD(t *testing.T) {
	two := func(a, b, c float64) *data.Dense {
		return gapped(2, 2, func(i, j int) float64 { return []float64{a, b, b, c}[2*i+j] })
	}
	const rounding = 1e-15 // for eigenvalues of order one
	for _, c := range []struct {
		name     string
		k        *data.Dense
		how      edge.Repair
		smallest float64
		want     [3]float64 // k_11, k_12, k_22
	}{
		{"none", two(1, 2, 1), edge.None, -1, [3]float64{1, 2, 1}},
		{"clip", two(1, 2, 1), edge.Clip, -1, [3]float64{1.5, 1.5, 1.5}},
		{"shift", two(1, 2, 1), edge.Shift, -1, [3]float64{2, 2, 2}},
		{"clip of a negative definite matrix", two(-1, 0, -2), edge.Clip, -2, [3]float64{0, 0, 0}},
		{"shift of one", two(-1, 0, -2), edge.Shift, -2, [3]float64{1, 0, 0}},
		{"clip of a definite matrix", two(2, 1, 2), edge.Clip, 1, [3]float64{2, 1, 2}},
		{"clip of a singular matrix", two(1, 1, 1), edge.Clip, 0, [3]float64{1, 1, 1}},
		{"shift of a singular matrix", two(1, 1, 1), edge.Shift, 0, [3]float64{1, 1, 1}},
		{"zero", two(0, 0, 0), edge.Clip, 0, [3]float64{0, 0, 0}},
	} {
		smallest, err := similarity.MakePSD(c.k, c.how)
		got := [3]float64{c.k.Row(0)[0], c.k.Row(0)[1], c.k.Row(1)[1]}
		if err != nil || math.Abs(smallest-c.smallest) > rounding || c.k.Row(1)[0] != got[1] {
			t.Errorf("%s: smallest eigenvalue %v, want %v, error %v", c.name, smallest, c.smallest, err)
		}
		for e := range got {
			if math.Abs(got[e]-c.want[e]) > rounding {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
	bad := two(1, math.NaN(), 1)
	if smallest, err := similarity.MakePSD(bad, edge.Clip); !errors.Is(err, similarity.ErrNotFinite) ||
		!math.IsNaN(smallest) || bad.Row(0)[0] != 1 {
		t.Errorf("NaN: smallest eigenvalue %v, error %v", smallest, err)
	}
	empty := data.NewDense(0, 0, nil)
	if smallest, err := similarity.MakePSD(empty, edge.Shift); smallest != 0 ||
		err != nil || similarity.SmallestEigenvalue(empty) != 0 {
		t.Errorf("no rows: smallest eigenvalue %v, error %v", smallest, err)
	}
}

// Negative eigenvalues that rounding alone explains are not corrected: a kernel of fewer features than rows
// does not change.
func TestMakePSDLeavesRoundoff(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{10, 60, 150} {
		x := data.NewDense(n, 3, nil)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64() + 5
		}
		k := kernel.Matrix(kernel.Linear{}, x, x)
		before := clone(k)
		smallest, err := similarity.MakePSD(k, edge.Shift)
		if err != nil || !slices.Equal(k.Data, before.Data) {
			t.Errorf("n = %d: a linear kernel of smallest eigenvalue %g is changed; error %v", n, smallest, err)
		}
	}
}

func TestPSDFixNames(t *testing.T) {
	for _, f := range []edge.Repair{edge.None, edge.Clip, edge.Shift} {
		if got, err := edge.ParseRepair(f.String()); err != nil || got != f {
			t.Errorf("%v is read as %v, %v", f, got, err)
		}
	}
	if f, err := edge.ParseRepair("flip"); err == nil {
		t.Errorf("flip is read as %v", f)
	}
}

func TestHygieneWantsSquareMatrices(t *testing.T) {
	k := data.NewDense(2, 3, nil)
	for name, call := range map[string]func(){
		"Symmetrize": func() { similarity.Symmetrize(k) },
		"Normalize":  func() { similarity.Normalize(k) },
		"Diagonal":   func() { similarity.Diagonal(k) },
		"MakePSD":    func() { similarity.MakePSD(k, edge.None) },
		"Smallest":   func() { similarity.SmallestEigenvalue(k) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			call()
		}()
	}
}

// TestForgottenStride: a Dense without its Stride, whose rows would all be the first one, panics with the name
// of the argument.
func TestForgottenStride(t *testing.T) {
	broken := func() *data.Dense { return &data.Dense{Rows: 2, Cols: 2, Data: make([]float64, 4)} }
	bugs := map[string]func(){
		"asymmetry: k":   func() { similarity.Symmetrize(broken()) },
		"diagonal: k":    func() { similarity.Diagonal(broken()) },
		"eigenvalue: k":  func() { similarity.SmallestEigenvalue(broken()) },
		"eigenvalues: k": func() { _, _ = similarity.MakePSD(broken(), edge.Clip) },
	}
	for want, bug := range bugs {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), want+":") {
					t.Errorf("%v, want a panic about %q", p, want)
				}
			}()
			bug()
		}()
	}
}
