package pairrank

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/naive"
	"pairrank/kernel"
	"pairrank/model"
)

// near is a list of rows that a kernel can hardly distinguish, with two kinds of labels.
func near(r *rand.Rand, m, n int) *data.Set {
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = float64(i % 2)
	}
	return &data.Set{X: x, Y: y, Queries: data.NewQueries(make([]int32, m), []string{"one"})}
}

// looExactly returns the leave-one-out scores of one list, in 4096 bits.
func looExactly(k [][]*big.Float, y []float64, lambda float64) []float64 {
	f := make([]float64, len(y))
	for i := range f {
		f[i] = naive.ListExactly(k, y, naive.Without(len(y), []int{i}), []int{i}, lambda)[0]
	}
	return f
}

// awayFrom is the largest difference, relative to the largest value.
func awayFrom(got, want []float64) float64 {
	most, size := 0.0, 0.0
	for i, v := range want {
		most, size = max(most, math.Abs(got[i]-v)), max(size, math.Abs(v))
	}
	return most / size
}

// The scores that leave-one-out pools, constants included, keep their digits if the values of a kernel differ
// by as little as 1e-9: in full for kernels of features, and for a given matrix as far as the matrix has them.
func TestNearKernelsKeepTheirDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 3))
	for _, apartBy := range []float64{1e-3, 1e-5, 2e-7, 2e-8, 1e-9} {
		const m, n = 11, 3
		set := near(r, m, n)
		gamma := apartBy / (2 * n)
		x := set.X.(*data.Dense).Data
		for name, c := range map[string]struct {
			kernel kernel.Kernel
			exact  [][]*big.Float
		}{
			"gaussian": {kernel.Gaussian{Gamma: gamma}, naive.GaussianExactly(x, n, gamma)},
			"polynomial": {
				kernel.Polynomial{Gamma: gamma, Coef0: 1.5, Degree: 3},
				naive.PolynomialExactly(x, n, gamma, 1.5, 3),
			},
		} {
			largest := float64(m) * apartBy // of the largest eigenvalue, about
			for _, share := range []float64{1, 1e-3, 1e-5} {
				lambda := share * largest
				want := looExactly(c.exact, set.Y, lambda)
				for _, way := range []string{"features", "given"} {
					p, kernels := Problem{Set: set}, []kernel.Kernel{c.kernel}
					if way == "given" {
						p.Kernel, kernels = kernel.Matrix(c.kernel, set.X, set.X), nil
					}
					loo, lambdas := &cv.Method{Kind: cv.LeaveOneOut}, []float64{lambda}
					o := EstimateOptions{Options: Options{Kernels: kernels, Lambdas: lambdas, Method: loo},
						HeldOut: true}
					e, err := Estimate(context.Background(), p, o)
					if err != nil {
						t.Fatal(err)
					}
					f, err := e.HeldOut(context.Background())
					if err != nil {
						t.Fatal(err)
					}
					limit := 1e-13 / share // for the condition number
					if way == "given" {
						limit = 1e-15 / apartBy / share // the digits of K − c that K has
					}
					if off := awayFrom(f.Data, want); !(off <= 16*limit) {
						t.Errorf("%s, 1−K = %g, λ = %g, %s: off by %.2g", name, apartBy, lambda, way, off)
					}
				}
			}
		}
	}
}

// A retrained fold predicts what it would without rounding, too. So does a single training, which keeps no
// matrix.
func TestNearKernelsTrainedAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 4))
	const m, n, apartBy = 12, 2, 1e-8
	set, gamma := near(r, m, n), apartBy/4
	exact := naive.GaussianExactly(set.X.(*data.Dense).Data, n, gamma)
	o := EstimateOptions{Options: Options{Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: gamma}},
		Lambdas: []float64{1e-9}}}
	p, err := prepared(&Problem{Set: set}, o, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.prepareEstimate(); err != nil {
		t.Fatal(err)
	}
	train, test := []int{0, 1, 2, 3, 6, 7, 8, 11}, []int{4, 5, 9, 10}
	want := naive.ListExactly(exact, set.Y, train, test, 1e-9)
	const rounding = 1e-11 // for a condition number of 100
	err = p.under(p.o.Kernels[0]).retrain(context.Background(), train, test, o.Lambdas, func(_ int, held holdout.Held) {
		if off := awayFrom(held.F.Data, want); !(off <= rounding) {
			t.Errorf("a fold is off by %.2g", off)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	result, err := learn(context.Background(), Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	every := indices(m)
	want = naive.ListExactly(exact, set.Y, every, every, 1e-9)
	coef := result.Model.Scorer.(*model.Kernel).Coef
	got := data.Multiply(kernel.Matrix(kernel.Lower(o.Kernels[0]), set.X, set.X), coef)
	if off := awayFrom(got.Data, want); !(off <= rounding) {
		t.Errorf("a single training is off by %.2g", off)
	}
}

// The scores of a model are sums of kernel values. If these sums are rounded, a note says by how much.
func TestNearKernelsWarn(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 5))
	const m, n = 20, 2
	set := near(r, m, n)
	for _, c := range []struct {
		apartBy float64
		warns   bool
	}{{1, false}, {1e-5, false}, {1e-12, true}} {
		kernels := []kernel.Kernel{kernel.Gaussian{Gamma: c.apartBy / 4}}
		for _, lambdas := range [][]float64{nil, {c.apartBy}} {
			result, err := learn(context.Background(), Problem{Set: set},
				EstimateOptions{Options: Options{Kernels: kernels, Lambdas: lambdas}})
			if err != nil {
				t.Fatal(err)
			}
			warns := slices.ContainsFunc(result.Notes,
				func(n event.Note) bool { return n.Code == codes.NoteDigits && n.Warning })
			if warns != c.warns && (c.warns || lambdas != nil) {
				t.Errorf("1−K = %g, %d λ: warns is %v: %v", c.apartBy, len(lambdas), warns, result.Notes)
			}
		}
	}
}
