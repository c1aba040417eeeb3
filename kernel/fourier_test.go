package kernel_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/kernels"
	"pairrank/kernel"
)

// angleRounding bounds the difference of features from their formula: the rounding of angles of
// some tens, summed in another order.
const angleRounding = 1e-13

// TestFrequenciesAreDocumented draws them again as the comment of NewFourierMap says.
func TestFrequenciesAreDocumented(t *testing.T) {
	k := kernel.Fourier{Gamma: 0.3, Features: 40, Seed: 1<<53 - 7}
	w := kernel.NewFourierMap(k).Frequencies(5)
	for j := range w.Rows {
		var key [32]byte
		binary.LittleEndian.PutUint64(key[:8], k.Seed)
		binary.LittleEndian.PutUint64(key[8:16], uint64(j))
		copy(key[16:], "pairrank.fourier")
		sequence := rand.NewChaCha8(key)
		for p, got := range w.Row(j) {
			u := (float64(sequence.Uint64()>>12) + 0.5) / (1 << 52)
			want := math.Sqrt(2*k.Gamma) * math.Sqrt2 * math.Erfinv(2*u-1)
			if math.Abs(got-want) > 1e-13*math.Abs(want) { // Erfinv loses digits where 2u-1 is near 1
				t.Fatalf("frequency %d of feature %d is %v, not %v", p, j, got, want)
			}
		}
	}
}

// TestFrequenciesAreForEver pins the bits on which files depend. Never change them.
func TestFrequenciesAreForEver(t *testing.T) {
	f := kernel.NewFourierMap(kernel.Fourier{Gamma: 0.5, Features: 2000, Seed: 1})
	w := f.Frequencies(3)
	got := ""
	for j := range w.Rows {
		for _, v := range w.Row(j)[:3] {
			got += fmt.Sprintf("%016x ", math.Float64bits(v))
		}
	}
	const want = "3febe8682b7cfe10 bff26563409da48f 3fe61f2e1bb9c658 3fe11ad6dfd8f6fb bff2a28ed51d01b2 " +
		"bfdf073577448b64 " +
		"3fc91cc5280587c3 bffe644fe0be8bfd 3fde513675b92e9b "
	if got != want {
		t.Errorf("the first frequencies are\n%s not\n%s", got, want)
	}
	sum := f.Checksum()
	const wantSum = "41ce4f4695054f9965fdd9ff75f1d44b3b994553142bec557f6adff8feb6372d"
	if s := hex.EncodeToString(sum[:]); s != wantSum {
		t.Errorf("the checksum of 1000 frequencies is %s, not %s", s, wantSum)
	}
}

// formula is z of a row, feature by feature.
func formula(w *data.Dense, x []float64) []float64 {
	z := make([]float64, 2*w.Cols)
	for p := range w.Cols {
		angle := 0.0
		for j, v := range x {
			angle += w.Row(j)[p] * v
		}
		scale := math.Sqrt(1 / float64(w.Cols))
		z[p], z[w.Cols+p] = scale*math.Cos(angle), scale*math.Sin(angle)
	}
	return z
}

// TestFourierRowsAreTheirFormula compares the features of dense and sparse rows, of rows
// that end early, and of single rows with the definition.
func TestFourierRowsAreTheirFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 40 {
		n, m := r.IntN(60), r.IntN(40)
		f := kernel.NewFourierMap(kernel.Fourier{Gamma: 0.05, Features: 2 * (1 + r.IntN(60)),
			Seed: uint64(r.IntN(100))})
		x := random(r, m, n, 0.5, 0)
		dense, thin := kernel.Mapped(f, x), kernel.Mapped(f, sparse(x))
		wide := kernel.Mapped(f, data.Widen(x, n+3))
		alone := make([]float64, f.Features())
		for i := range m {
			f.RowTo(alone, x.Row(i))
			for p, want := range formula(f.Frequencies(n), x.Row(i)) {
				for name, got := range map[string]float64{"dense": dense.Row(i)[p], "sparse": thin.Row(i)[p],
					"wider": wide.Row(i)[p], "alone": alone[p]} {
					if math.Abs(got-want) > angleRounding {
						t.Fatalf("n=%d D=%d: feature %d of a %s row is %v, not %v", n, f.Features(), p, name, got, want)
					}
				}
			}
		}
	}
}

// TestFrequenciesGrow: the frequencies of a feature do not depend on earlier rows, also when rows
// of many widths come at once.
func TestFrequenciesGrow(t *testing.T) {
	k := kernel.Fourier{Gamma: 2, Features: 10, Seed: 3}
	want := kernel.NewFourierMap(k).Frequencies(200)
	f, wider := kernel.NewFourierMap(k),
		kernel.NewFourierMap(kernel.Fourier{Gamma: 2, Features: 30, Seed: 3}).Frequencies(200)
	var wg sync.WaitGroup
	for n := 200; n > 0; n -= 7 {
		wg.Go(func() {
			if got := f.Frequencies(n); got.Rows != n {
				t.Errorf("%d rows of frequencies, want %d", got.Rows, n)
			}
			f.RowsTo(data.NewDense(3, 10, nil), data.NewDense(3, n, nil))
		})
	}
	wg.Wait()
	for j := range 200 {
		for p, v := range f.Frequencies(200).Row(j) {
			if v != want.Row(j)[p] || v != wider.Row(j)[p] {
				t.Fatalf("frequency %d of feature %d: %v, %v at once, %v of more pairs",
					p, j, v, want.Row(j)[p], wider.Row(j)[p])
			}
		}
	}
}

// TestFourierError compares the mean squared error of the kernel over seeds with its variance
// (1−k²)²/D. The error of one seed is nearly normal, so that the mean of its square over S seeds
// has the relative deviation √(2/S); the tolerance of five deviations has an error probability of
// one in a million.
func TestFourierError(t *testing.T) {
	const seeds, gamma = 400, 0.25
	bound := 5 * math.Sqrt(2.0/seeds)
	x := data.NewDense(2, 3, nil)
	for _, distance := range []float64{0.3, 1, 2, 4} {
		copy(x.Row(0), []float64{0.5, -1, 2})
		copy(x.Row(1), []float64{0.5, -1 + 0.6*distance, 2 + 0.8*distance})
		exact := math.Exp(-gamma * distance * distance)
		for _, features := range []int{50, 200, 800} {
			squares, bias := 0.0, 0.0
			for seed := range uint64(seeds) {
				k := kernel.Matrix(kernel.Fourier{Gamma: gamma, Features: features, Seed: seed}, x, x)
				d := k.Row(0)[1] - exact
				squares, bias = squares+d*d/seeds, bias+d/seeds
				if one := k.Row(0)[0]; math.Abs(one-1) > 1e-14 { // P sums of cos² + sin², each 1 but for rounding
					t.Fatalf("k(x,x) is %v", one)
				}
			}
			variance := (1 - exact*exact) * (1 - exact*exact) / float64(features)
			if math.Abs(squares/variance-1) > bound {
				t.Errorf("distance %v, D=%d: mean squared error %.4g, variance %.4g",
					distance, features, squares, variance)
			}
			if math.Abs(bias) > 5*math.Sqrt(variance/seeds) {
				t.Errorf("distance %v, D=%d: mean error %.3g, deviation %.3g",
					distance, features, bias, math.Sqrt(variance/seeds))
			}
		}
	}
}

func TestFourierIsRefused(t *testing.T) {
	for spec, says := range map[string]string{
		"fourier:gamma=1":                                         "needs features",
		"fourier:gamma=1,features=10":                             "needs seed",
		"fourier:gamma=0,features=10,seed=1":                      "gamma of a fourier kernel is positive",
		"fourier:gamma=1,features=9,seed=1":                       "even number",
		"fourier:gamma=1,features=0,seed=1":                       "even number",
		"fourier:gamma=1,features=2.5,seed=1":                     "even number",
		"fourier:gamma=1,features=10,seed=0.5":                    "whole number from 0 to 2^53",
		"fourier:gamma=1,features=10,seed=18014398509481984":      "whole number from 0 to 2^53",
		"fourier:gamma=1,features=10,seed=1,phase=3":              "no parameter",
		"fourier:gamma=1,features=99999999999999999999999,seed=1": "even number",
	} {
		if _, err := kernel.Parse(spec); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want what says %q", spec, err, says)
		}
	}
	for name, f := range map[string]func(){
		"odd":  func() { kernel.NewFourierMap(kernel.Fourier{Gamma: 1, Features: 3}) },
		"seed": func() { kernel.NewFourierMap(kernel.Fourier{Gamma: 1, Features: 2, Seed: 1<<53 + 1}) },
		"shape": func() {
			kernel.NewFourierMap(kernel.Fourier{Gamma: 1, Features: 4}).RowsTo(data.NewDense(2, 3, nil),
				data.NewDense(2, 3, nil))
		},
		"length": func() { kernel.NewFourierMap(kernel.Fourier{Gamma: 1, Features: 4}).RowTo(make([]float64, 5), nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestNystromRows: inner products with basis rows are values of the kernel, a function of
// weights is that of its coefficients, and rows may lack features.
func TestNystromRows(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, k := range []kernel.Kernel{kernel.Gaussian{Gamma: 0.1}, kernel.Polynomial{Gamma: 0.2, Coef0: 1, Degree: 3}} {
		basis, x := random(r, 30, 6, 0.7, 0), random(r, 2500, 6, 0.7, 0)
		for i := range x.Rows { // the last feature is one that the rows lack
			x.Row(i)[5] = 0
		}
		of, err := kernels.NewNystrom(k, sparse(basis))
		if err != nil || of.Warning() != "" {
			t.Fatalf("%v, %q", err, of.Warning())
		}
		narrow := data.SelectColumns(x, []int{0, 1, 2, 3, 4})
		z, zb := kernel.Mapped(of, narrow), kernel.Mapped(of, basis)
		w := random(r, of.Features(), 2, 1, 0)
		coef, exact := of.Coefficients(w), kernel.Matrix(k, x, basis)
		for i := range x.Rows {
			for j := range basis.Rows {
				inner := 0.0
				for c, v := range z.Row(i) {
					inner += v * zb.Row(j)[c]
				}
				// the condition of K_BB, see wellConditioned
				if math.Abs(inner-exact.Row(i)[j]) > 1e-10*(1+math.Abs(exact.Row(i)[j])) {
					t.Fatalf("%s: inner product %v with a basis row, kernel %v", k, inner, exact.Row(i)[j])
				}
			}
			for o := range 2 {
				f, g := 0.0, 0.0
				for c, v := range z.Row(i) {
					f += v * w.Row(c)[o]
				}
				for j, v := range exact.Row(i) {
					g += v * coef.Row(j)[o]
				}
				if math.Abs(f-g) > 1e-9*(1+math.Abs(f)) {
					t.Fatalf("%s: score %v by weights, %v by coefficients", k, f, g)
				}
			}
		}
	}
	wide, basis := random(r, 20, 9, 0.5, 0), random(r, 5, 4, 0.5, 0)
	k := kernel.Gaussian{Gamma: 0.3}
	of, err := kernels.NewNystrom(k, basis)
	if err != nil {
		t.Fatal(err)
	}
	same, err := kernels.NewNystrom(k, data.Widen(basis, 9))
	if err != nil {
		t.Fatal(err)
	}
	want := kernel.Mapped(same, wide)
	for i, v := range kernel.Mapped(of, wide).Data { // features that the basis lacks
		if math.Abs(v-want.Data[i]) > 1e-12 {
			t.Fatalf("of a narrow basis %v, of a wide one %v", v, want.Data[i])
		}
	}
	for n := range 10 { // whatever came before, the bits are the same
		fresh, err := kernels.NewNystrom(k, basis)
		if err != nil {
			t.Fatal(err)
		}
		x := random(r, 3, n, 1, 3)
		if a, b := kernel.Mapped(fresh, x), kernel.Mapped(of, x); !slices.Equal(a.Data, b.Data) {
			t.Fatalf("%d features: other bits after wider rows", n)
		}
	}
	if _, err := kernels.NewNystrom(kernel.Linear{}, data.NewDense(3, 2, nil)); err == nil {
		t.Error("a basis of zeros is taken")
	}
}

func BenchmarkFourierRows(b *testing.B) {
	for _, s := range []struct{ n, features int }{{46, 1000}, {700, 1000}} {
		b.Run(fmt.Sprintf("n=%d/D=%d", s.n, s.features), func(b *testing.B) {
			const m = 1000
			f, x := kernel.NewFourierMap(kernel.Fourier{Gamma: 0.01, Features: s.features, Seed: 1}),
				random(rand.New(rand.NewPCG(1, 1)), m, s.n, 1, 0)
			z := data.NewDense(m, s.features, nil)
			f.RowsTo(z, x)
			b.ReportAllocs()
			for b.Loop() {
				f.RowsTo(z, x)
			}
			b.ReportMetric(m*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkFourierFrequencies(b *testing.B) {
	for b.Loop() {
		kernel.NewFourierMap(kernel.Fourier{Gamma: 0.01, Features: 1000, Seed: 1}).Frequencies(1000)
	}
	b.ReportMetric(500*1000*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mdraws/s")
}
