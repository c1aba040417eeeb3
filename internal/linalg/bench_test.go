package linalg

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func randomMat(seed uint64, rows, cols int) Mat {
	r := rand.New(rand.NewPCG(seed, 1))
	a := NewMat(rows, cols)
	for i := range a.Data {
		a.Data[i] = r.NormFloat64()
	}
	return a
}

// positiveDefinite is a well-conditioned random matrix.
func positiveDefinite(seed uint64, n int) Mat {
	a := NewMat(n, n)
	Syrk(Upper, NoTrans, 1/float64(n), randomMat(seed, n, n), 0, a)
	for i := range n {
		a.Row(i)[i]++
	}
	Symmetrize(Upper, a)
	return a
}

func reportFlops(b *testing.B, flops float64) {
	b.ReportAllocs()
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}

func BenchmarkGemm(b *testing.B) {
	for _, m := range []int{46, 250, 1000, 2000, 4000} {
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			x, y, z := randomMat(1, m, m), randomMat(2, m, m), NewMat(m, m)
			for b.Loop() {
				Gemm(NoTrans, NoTrans, 1, x, y, 0, z)
			}
			reportFlops(b, 2*float64(m)*float64(m)*float64(m))
		})
	}
}

// BenchmarkGemmThin has few columns, as with few outputs.
func BenchmarkGemmThin(b *testing.B) {
	const m = 2000
	for _, n := range []int{1, 4, 8} {
		b.Run(fmt.Sprintf("m=%d/n=%d", m, n), func(b *testing.B) {
			x, y, z := randomMat(1, m, m), randomMat(2, m, n), NewMat(m, n)
			for b.Loop() {
				Gemm(NoTrans, NoTrans, 1, x, y, 0, z)
			}
			reportFlops(b, 2*m*m*float64(n))
		})
	}
}

func BenchmarkSyrk(b *testing.B) {
	for _, s := range [][2]int{{250, 46}, {2000, 2000}, {4000, 4000}} {
		m, n := s[0], s[1]
		b.Run(fmt.Sprintf("m=%d/n=%d", m, n), func(b *testing.B) {
			x, z := randomMat(1, m, n), NewMat(m, m)
			for b.Loop() {
				Syrk(Upper, NoTrans, 1, x, 0, z)
			}
			reportFlops(b, float64(n)*float64(m)*float64(m))
		})
	}
}

// BenchmarkNormalEquations is XᵀX of a long table.
func BenchmarkNormalEquations(b *testing.B) {
	for _, s := range [][2]int{{250, 46}, {100000, 46}, {20000, 700}} {
		m, n := s[0], s[1]
		b.Run(fmt.Sprintf("m=%d/n=%d", m, n), func(b *testing.B) {
			x, z := randomMat(1, m, n), NewMat(n, n)
			for b.Loop() {
				Syrk(Upper, T, 1, x, 0, z)
			}
			reportFlops(b, float64(m)*float64(n)*float64(n))
		})
	}
}

func BenchmarkSymm(b *testing.B) {
	const m = 2000
	b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
		x, y, z := randomMat(1, m, m), randomMat(2, m, m), NewMat(m, m)
		for b.Loop() {
			Symm(Left, Upper, 1, x, y, 0, z)
		}
		reportFlops(b, 2*m*m*m)
	})
}

func BenchmarkTrsm(b *testing.B) {
	const m = 2000
	for _, side := range []Side{Left, Right} {
		b.Run(fmt.Sprintf("m=%d/side=%c", m, side), func(b *testing.B) {
			l, rhs, x := positiveDefinite(1, m), randomMat(2, m, m), NewMat(m, m)
			for b.Loop() {
				b.StopTimer()
				copy(x.Data, rhs.Data)
				b.StartTimer()
				Trsm(side, Lower, NoTrans, 1, l, x)
			}
			reportFlops(b, m*m*m)
		})
	}
}

func BenchmarkCholesky(b *testing.B) {
	for _, m := range []int{250, 500, 1000, 2000, 4000} {
		for _, ul := range []Uplo{Upper, Lower} {
			b.Run(fmt.Sprintf("m=%d/%c", m, ul), func(b *testing.B) {
				a, f := positiveDefinite(1, m), NewMat(m, m)
				for b.Loop() {
					b.StopTimer()
					copy(f.Data, a.Data)
					b.StartTimer()
					if _, ok := Cholesky(ul, f); !ok {
						b.Fatal("not positive definite")
					}
				}
				reportFlops(b, float64(m)*float64(m)*float64(m)/3)
			})
		}
	}
}

func BenchmarkCholeskySmall(b *testing.B) {
	for _, n := range []int{20, 46, 60} {
		for _, ul := range []Uplo{Upper, Lower} {
			b.Run(fmt.Sprintf("n=%d/%c", n, ul), func(b *testing.B) {
				a, f := positiveDefinite(1, n), NewMat(n, n)
				for b.Loop() {
					copy(f.Data, a.Data)
					Cholesky(ul, f)
				}
				reportFlops(b, float64(n)*float64(n)*float64(n)/3)
			})
		}
	}
}

func BenchmarkCholeskySolve(b *testing.B) {
	for _, s := range [][2]int{{46, 1}, {46, 250}, {2000, 1}} {
		n, cols := s[0], s[1]
		b.Run(fmt.Sprintf("n=%d/columns=%d", n, cols), func(b *testing.B) {
			f, x := positiveDefinite(1, n), randomMat(2, n, cols)
			Cholesky(Upper, f)
			y := NewMat(n, cols)
			for b.Loop() {
				copy(y.Data, x.Data)
				CholeskySolve(Upper, f, y)
			}
			reportFlops(b, 2*float64(n)*float64(n)*float64(cols))
		})
	}
}

func BenchmarkTridiagonal(b *testing.B) {
	for _, n := range []int{20, 46, 100} {
		a, rows := positiveDefinite(1, n), randomMat(2, 250, n)
		t := NewTridiagonal(n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				t.Reduce(a)
			}
			reportFlops(b, 4*float64(n)*float64(n)*float64(n)/3)
		})
		b.Run(fmt.Sprintf("n=%d/product of 250 rows", n), func(b *testing.B) {
			for b.Loop() {
				t.MulQT(rows)
			}
			reportFlops(b, 2*250*float64(n)*float64(n))
		})
		b.Run(fmt.Sprintf("n=%d/product of 1 row", n), func(b *testing.B) {
			row := rows.Slice(0, 1, 0, n)
			for b.Loop() {
				t.MulQT(row)
			}
			reportFlops(b, 2*float64(n)*float64(n))
		})
		b.Run(fmt.Sprintf("n=%d/solve", n), func(b *testing.B) {
			x := make([]float64, n)
			for b.Loop() {
				t.SolveShifted(0.5, x, rows.Row(0))
			}
			b.ReportAllocs()
		})
	}
}

func BenchmarkSymEigen(b *testing.B) {
	for _, m := range []int{30, 100, 300, 1000, 2000} {
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			a, s := positiveDefinite(1, m), NewMat(m, m)
			w, v := make([]float64, m), NewMat(m, m)
			for b.Loop() {
				b.StopTimer()
				copy(s.Data, a.Data)
				b.StartTimer()
				SymEigen(s, w, v)
			}
			b.ReportAllocs()
		})
	}
}

func BenchmarkGemv(b *testing.B) {
	for _, s := range [][2]int{{250, 46}, {2000, 2000}, {4000, 4000}, {100000, 46}} {
		for _, t := range []Trans{NoTrans, T} {
			b.Run(fmt.Sprintf("m=%d/n=%d/trans=%v", s[0], s[1], t), func(b *testing.B) {
				a := randomMat(1, s[0], s[1])
				m, n := a.shape(t)
				x, y := randomMat(2, 1, n).Data, make([]float64, m)
				for b.Loop() {
					Gemv(t, 1, a, x, 0, y)
				}
				reportFlops(b, 2*float64(m)*float64(n))
			})
		}
	}
}

func BenchmarkSymv(b *testing.B) {
	for _, m := range []int{46, 500, 2000, 4000} {
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			a, x, y := randomMat(1, m, m), randomMat(2, 1, m).Data, make([]float64, m)
			for b.Loop() {
				Symv(Upper, 1, a, x, 0, y)
			}
			reportFlops(b, 2*float64(m)*float64(m))
		})
	}
}

func BenchmarkExp(b *testing.B) {
	x := randomMat(1, 1, 8192).Data
	y := make([]float64, len(x))
	for b.Loop() {
		Exp(y, x)
	}
	b.ReportAllocs()
	b.ReportMetric(float64(len(x))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mexp/s")
}

func BenchmarkSinCos(b *testing.B) {
	x := randomMat(1, 1, 8192).Data
	sin, cos := make([]float64, len(x)), make([]float64, len(x))
	for b.Loop() {
		SinCos(sin, cos, x)
	}
	b.ReportAllocs()
	b.ReportMetric(float64(len(x))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msincos/s")
}

func BenchmarkGaussianKernel(b *testing.B) {
	for _, s := range [][2]int{{250, 46}, {1000, 50}, {4000, 100}} {
		b.Run(fmt.Sprintf("m=%d/n=%d", s[0], s[1]), func(b *testing.B) {
			x, k := randomMat(1, s[0], s[1]), NewMat(s[0], s[0])
			for b.Loop() {
				GaussianKernel(k, x, 0.01)
			}
			b.ReportAllocs()
		})
	}
}

func BenchmarkSymmetrize(b *testing.B) {
	const m = 4000
	a := NewMat(m, m)
	for b.Loop() {
		Symmetrize(Upper, a)
	}
	b.ReportAllocs()
}

// BenchmarkRows goes through a fifth of the rows for each row of a product, as with
// a fifth of the edges of a graph.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{500, 1000} {
		a, y, terms := randomMat(1, n, n), NewMat(n, n), n/5
		rows, coef := make([]int32, terms), randomMat(2, 1, terms).Data
		for k := range rows {
			rows[k] = int32(5 * k)
		}
		run := func(name string, do func(i int)) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					for i := range n {
						do(i)
					}
				}
				reportFlops(b, 2*float64(n)*float64(n)*float64(terms))
			})
		}
		run("AddRows", func(i int) { AddRows(coef, rows, a, y.Row(i)) })
		run("Axpy", func(i int) {
			for k, j := range rows {
				Axpy(coef[k], a.Row(int(j)), y.Row(i))
			}
		})
		run("DotRows", func(i int) { DotRows(a.Row(i), rows, a, y.Row(i)) })
		run("Dot", func(i int) {
			for k, j := range rows {
				y.Row(i)[k] = Dot(a.Row(i), a.Row(int(j)))
			}
		})
	}
}
