package kron

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/relation/pairwise"
)

// gaussian is a p×p Gaussian kernel matrix of nodes with 20 features.
func gaussian(r *rand.Rand, p int) *data.Dense {
	x := linalg.NewMat(p, 20)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	k := x.MulT(x)
	norms := make([]float64, p)
	for i := range norms {
		norms[i] = k.Row(i)[i]
	}
	for i := range p {
		row := k.Row(i)
		for j, v := range row {
			row[j] = norms[i] + norms[j] - 2*v
		}
		linalg.Scal(-0.05, row)
		linalg.Exp(row, row)
		row[i] = 1
	}
	for i := range p { // against rounding
		for j := range i {
			k.Row(i)[j] = k.Row(j)[i]
		}
	}
	return dense(k)
}

// BenchmarkClosedForm times the closed form on p nodes, and for comparison one product and one eigenproblem of
// that size.
func BenchmarkClosedForm(b *testing.B) {
	for _, p := range []int{500, 1000} {
		r := rand.New(rand.NewPCG(1, 1))
		k, y := gaussian(r, p), data.NewDense(p, p, nil)
		for i := range y.Data {
			y.Data[i] = r.NormFloat64()
		}
		run := func(name string, work func()) {
			b.Run(fmt.Sprintf("p=%d/%s", p, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					work()
				}
			})
		}
		c := linalg.NewMat(p, p)
		run("product", func() { linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, linalg.Mat(*k), linalg.Mat(*k), 0, c) })
		run("eigen", func() {
			if _, err := decompose(linalg.Mat(*k).Clone(), 0, ""); err != nil {
				b.Fatal(err)
			}
		})
		other := linalg.Mat(*k).Clone() // the operator does not know that it is the same
		run("regression/factor-two-kernels", func() {
			if _, err := Factor(b.Context(), k, dense(other), y, Options{Loss: Regression}); err != nil {
				b.Fatal(err)
			}
		})
		for _, loss := range []Loss{Regression, Ranking} {
			var path *Path
			run(string(loss)+"/factor", func() {
				var err error
				if path, err = Factor(b.Context(), k, k, y, Options{Loss: loss}); err != nil {
					b.Fatal(err)
				}
			})
			run(string(loss)+"/lambda", func() { path.At(1) })
			for _, s := range []Setting{Pairs, Rows, Cols} {
				run(string(loss)+"/without-"+string(s), func() {
					if _, err := path.HoldOut(1, s); err != nil {
						b.Fatal(err)
					}
				})
			}
			if loss == Regression && path != nil { // nil if a pattern leaves out the factorisation
				benchmarkBoth(b, p, path)
			}
		}
	}
}

// benchmarkBoth times pairs left out with their rows and columns: one pair, and 10,000 at values of λ that
// couple them by few and by many unknowns.
func benchmarkBoth(b *testing.B, p int, path *Path) {
	many := make([]Edge, 10_000)
	for h := range many {
		many[h] = Edge{h / p, h % p}
	}
	_, greatest := path.Extent()
	for _, c := range []struct {
		pairs  []Edge
		lambda float64
	}{{many[:1], 1}, {many, greatest}, {many, greatest / 0x1p12}, {many, greatest / 0x1p24}} {
		b.Run(fmt.Sprintf("p=%d/regression/without-both/pairs=%d/lambda=%.2g", p,
			len(c.pairs), c.lambda), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := path.HoldOutBoth(b.Context(), c.lambda, c.pairs, func(int, float64) {}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(c.pairs)), "µs/pair")
		})
	}
}

// BenchmarkIteration times a product with the operator, which is an iteration of Solve without its vectors.
func BenchmarkIteration(b *testing.B) {
	for _, size := range [][2]int{{500, 50_000}, {1000, 100_000}, {1000, 10_000}, {1000, 1_000_000}} {
		p, m := size[0], size[1]
		r := rand.New(rand.NewPCG(2, 2))
		k, e := gaussian(r, p), drawEdges(r, m, p, p)
		v, dst := make([]float64, m), make([]float64, m)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		for _, kind := range []pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric, pairwise.Metric} {
			o := NewOperator(kind, k, k, e, e)
			b.Run(fmt.Sprintf("p=%d/m=%d/%s/dense=%v,%v", p, m, kind, o.products[0].first,
				o.products[0].second), func(b *testing.B) {
				o.MulTo(dst, v)
				b.ReportAllocs()
				for b.Loop() {
					o.MulTo(dst, v)
				}
			})
		}
	}
}

// BenchmarkLarge factors a complete graph of 25 million edges and trains ten λ;
// run it with -benchtime 1x.
func BenchmarkLarge(b *testing.B) {
	const p = 5000
	r := rand.New(rand.NewPCG(3, 3))
	k, y := gaussian(r, p), data.NewDense(p, p, nil)
	for i := range y.Data {
		y.Data[i] = r.NormFloat64()
	}
	for _, loss := range []Loss{Regression, Ranking} {
		var path *Path
		b.Run(fmt.Sprintf("p=%d/%s/factor", p, loss), func(b *testing.B) {
			for b.Loop() {
				var err error
				if path, err = Factor(b.Context(), k, k, y, Options{Loss: loss}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("p=%d/%s/10-lambdas", p, loss), func(b *testing.B) {
			for b.Loop() {
				for l := range 10 {
					path.At(float64(int(1) << l))
				}
			}
		})
	}
}

// BenchmarkLinear times an iteration of SolveLinear on a million edges among
// 100,000 and 10,000 nodes with 50 of 1000 features each.
func BenchmarkLinear(b *testing.B) {
	const rows, cols, features, each, edges = 100_000, 10_000, 1000, 50, 1_000_000
	r := rand.New(rand.NewPCG(4, 4))
	sparse := func(n int) *data.CSR {
		x := &data.CSR{Rows: n, Cols: features, Ptr: []int{0}}
		for range n {
			at := int32(0)
			for range each {
				at += 1 + int32(r.IntN(2*features/each-1))
				if at >= features {
					break
				}
				x.Col, x.Val = append(x.Col, at), append(x.Val, r.NormFloat64())
			}
			x.Ptr = append(x.Ptr, len(x.Val))
		}
		return x
	}
	x, z, e := sparse(rows), sparse(cols), drawEdges(r, edges, rows, cols)
	y := make([]float64, edges)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	const iterations = 10
	b.Run(fmt.Sprintf("rows=%d/cols=%d/m=%d/%d-iterations", rows, cols, edges, iterations), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := SolveLinear(b.Context(), LinearSystem{Arbitrary, x, z, e, y},
				1, SolveOptions{MaxIterations: iterations}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
