package rls_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/linalg"
	"pairrank/kernel"
	"pairrank/pref"
)

// rows are m×n standard normal features with labels 0…4, dealt to queries.
func rows(m, n, queries int) (*data.Dense, []float64, *data.Partition) {
	r := rand.New(rand.NewPCG(1, uint64(m)))
	x, y, of := data.NewDense(m, n, nil), make([]float64, m), make([]int32, m)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	for i := range y {
		y[i], of[i] = float64(r.IntN(5)), int32(i*queries/m)
	}
	return x, y, data.NewPartition(of, queries)
}

func scored(b testing.TB, y []float64, queries *data.Partition) *goals.Goal {
	goal, err := goals.Scored(y, 1, queries, pref.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return goal
}

func grid() []float64 {
	var lambdas []float64
	for e := -15; e <= 15; e++ {
		lambdas = append(lambdas, math.Exp2(float64(e)))
	}
	return lambdas
}

// BenchmarkDual measures the parts of a Gaussian dual problem in one run: its kernel matrix, one
// Cholesky and one eigenproblem of that size, the training for one λ, and the path of 31 λ with
// every query held out.
func BenchmarkDual(b *testing.B) {
	for _, m := range []int{1000, 2000} {
		x, y, queries := rows(m, 50, 40)
		goal := scored(b, y, queries)
		gaussian := kernel.Gaussian{Gamma: 0.02}
		k := kernel.Matrix(gaussian, x, x)
		name := fmt.Sprintf("m=%d/", m)
		b.Run(name+"kernel", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				gaussian.MatrixTo(k, x, x)
			}
		})
		b.Run(name+"cholesky", func(b *testing.B) {
			a := linalg.NewMat(m, m)
			for b.Loop() {
				b.StopTimer()
				copy(a.Data, k.Data)
				for i := range m {
					a.Row(i)[i]++
				}
				b.StartTimer()
				if _, ok := linalg.Cholesky(linalg.Upper, a); !ok {
					b.Fatal("not positive definite")
				}
			}
		})
		b.Run(name+"eigen", func(b *testing.B) {
			a, w, v := linalg.NewMat(m, m), make([]float64, m), linalg.NewMat(m, m)
			for b.Loop() {
				b.StopTimer()
				copy(a.Data, k.Data)
				b.StartTimer()
				linalg.SymEigen(a, w, v)
			}
		})
		b.Run(name+"kernel and solve", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rls.Solve(ctx, rls.Dual(kernel.Matrix(gaussian, x, x)), goal, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"kernel and solve in place", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rls.Solve(ctx, rls.DualOf(m, func(k *data.Dense, _ []int32) { kernel.UpperTo(gaussian, k, x) }), goal,
					1); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"kernel and path, queries=40 lambdas=31", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				holdEveryQuery(b, rls.Dual(kernel.Matrix(gaussian, x, x)), goal, queries)
			}
		})
	}
}

func holdEveryQuery(b *testing.B, basis *rls.Basis, goal *goals.Goal, queries *data.Partition) {
	path, err := rls.Factor(ctx, basis, goal)
	if err != nil {
		b.Fatal(err)
	}
	if err := path.HoldOut(ctx, queries, grid(), func(int, int, rls.Held) {}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkBasis measures the training for one λ on basis rows: with all rows at once, and a panel
// at a time.
func BenchmarkBasis(b *testing.B) {
	for _, size := range []struct{ m, n, basis int }{{20_000, 8, 200}, {100_000, 8, 500}} {
		x, y, _ := rows(size.m, size.n, 1)
		goal := scored(b, y, data.OneList(size.m))
		gaussian, support := kernel.Gaussian{Gamma: 0.1}, make([]int, size.basis)
		for c := range support {
			support[c] = c * size.m / size.basis
		}
		among := data.Select(x, support)
		for name, basis := range map[string]func() *rls.Basis{
			"all rows": func() *rls.Basis {
				return rls.Sparse(kernel.Matrix(gaussian, x, among), kernel.Matrix(gaussian, among, among))
			},
			"panels": func() *rls.Basis {
				return rls.SparseOf(size.m, kernel.Matrix(gaussian, among, among), func(dst *data.Dense, rows []int) {
					gaussian.MatrixTo(dst, data.Select(x, rows), among)
				})
			},
		} {
			b.Run(fmt.Sprintf("m=%d/n=%d/basis=%d/%s", size.m, size.n, size.basis, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := rls.Solve(ctx, basis(), goal, 1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkPrimal measures the training for one λ, and the path with every query held out.
func BenchmarkPrimal(b *testing.B) {
	for _, size := range []struct{ m, n, queries int }{{10_000, 20, 300}, {100_000, 20, 3000}, {100_000, 46, 400}} {
		x, y, queries := rows(size.m, size.n, size.queries)
		goal := scored(b, y, queries)
		name := fmt.Sprintf("m=%d/n=%d/queries=%d/", size.m, size.n, size.queries)
		b.Run(name+"solve", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rls.Solve(ctx, rls.Primal(x), goal, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"path, lambdas=31", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				holdEveryQuery(b, rls.Primal(x), goal, queries)
			}
		})
	}
}

// BenchmarkLeavePairOut measures every pair of a list at one λ, given the factorisation, and a
// matrix product of that size. BenchmarkLeavePairOutPrimal is all pairs of a list with few
// features: the sweep over pairs.
func BenchmarkLeavePairOutPrimal(b *testing.B) {
	const m, n = 2000, 8
	x, y, _ := rows(m, n, 1)
	path, err := rls.Factor(ctx, rls.Primal(x), scored(b, y, data.OneList(m)))
	if err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("m=%d/n=%d", m, n), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := path.LeavePairOut(ctx, 1, func(int, int, int, []float64, []float64) {}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(m*(m-1)/2), "ns/pair")
	})
}

func BenchmarkLeavePairOut(b *testing.B) {
	for _, m := range []int{500, 1000} {
		x, y, _ := rows(m, 50, 1)
		goal := scored(b, y, data.OneList(m))
		path, err := rls.Factor(ctx, rls.Dual(kernel.Matrix(kernel.Gaussian{Gamma: 0.02}, x, x)), goal)
		if err != nil {
			b.Fatal(err)
		}
		pairs := func(b *testing.B) {
			if err := path.LeavePairOut(ctx, 1, func(int, int, int, []float64, []float64) {}); err != nil {
				b.Fatal(err)
			}
		}
		pairs(b)
		b.Run(fmt.Sprintf("m=%d/gaussian", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pairs(b)
			}
		})
		b.Run(fmt.Sprintf("m=%d/product", m), func(b *testing.B) {
			p, q := linalg.NewMat(m, m), linalg.NewMat(m, m)
			for i := range p.Data {
				p.Data[i] = float64(i % 7)
			}
			for b.Loop() {
				linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, p, p, 0, q)
			}
		})
	}
}

// BenchmarkConjugateGradientsPath is a model of one λ and of 16, and ten folds of these, of
// the shape of text.
func BenchmarkConjugateGradientsPath(b *testing.B) {
	x, y := text(rand.New(rand.NewPCG(2, 3)), 5000, 20_000, 80)
	goal := scored(b, y, data.OneList(len(y)))
	top := math.Log2(rls.LargestEigenvalue(x, goal))
	var lambdas []float64
	for e := -12; e <= 3; e++ {
		lambdas = append(lambdas, math.Exp2(top+float64(e)))
	}
	o := rls.CGOptions{Scores: rls.DefaultScores}
	for _, count := range []int{1, len(lambdas)} {
		b.Run(fmt.Sprintf("m=5000/n=20000/lambdas=%d", count), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := rls.ConjugateGradientsPath(ctx, x, goal, lambdas[:count], o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	folds := make([]rls.Training, 10)
	for g := range folds {
		var labels []float64
		for i, v := range y {
			if i%len(folds) == g {
				folds[g].Held = append(folds[g].Held, int32(i))
				continue
			}
			folds[g].Rows, labels = append(folds[g].Rows, int32(i)), append(labels, v)
		}
		folds[g].Goal = scored(b, labels, data.OneList(len(labels)))
	}
	b.Run("m=5000/n=20000/lambdas=16/folds=10", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := rls.PredictIteratively(ctx, x, folds, lambdas, nil, o,
				func(int, int, *data.Dense, rls.CGResult) {}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
