package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

var oracle gonum.Implementation

// shapes are m, n and k of products: empty, tiny, odd, with remainders for
// every tile size, over the limit of serial execution, and long enough to be
// split along k.
var shapes = [][3]int{
	{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {2, 3, 1}, {1, 17, 5}, {13, 1, 7}, {5, 4, 3},
	{8, 24, 9}, {25, 49, 33}, {67, 50, 101}, {180, 150, 90}, {3, 200, 120}, {200, 4, 120}, {20, 31, 2*splitTerms + 3},
}

// factors are pairs of alpha and beta.
var factors = [][2]float64{{1, 0}, {1, 1}, {-1.3, 0.7}, {0, 0.7}, {0, 0}}

// target is the C of a test: with beta 0 it holds NaN that must be overwritten.
func target(r *rand.Rand, rows, cols int, part Uplo, beta float64) (c, want guarded) {
	c = newGuarded(r, rows, cols, part)
	want = c.clean()
	if beta == 0 {
		c.each(func(_, _ int, v *float64) { *v = math.NaN() })
		clear(want.Data)
	}
	return c, want
}

func eachProduct(t *testing.T, test func(t *testing.T, r *rand.Rand, m, n, k int, alpha, beta float64)) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		run := func(long bool) {
			for _, s := range shapes {
				for i, f := range factors {
					if s[2] < 200 || long && (i == 0 || i == 2) {
						test(t, r, s[0], s[1], s[2], f[0], f[1])
					}
				}
			}
		}
		if !testing.Short() {
			run(true)
		}
		withBlocking(16, 24, 48, func() { run(false) })
	})
}

func TestGemm(t *testing.T) {
	eachProduct(t, func(t *testing.T, r *rand.Rand, m, n, k int, alpha, beta float64) {
		for _, ta := range bothTrans {
			for _, tb := range bothTrans {
				name := fmt.Sprintf("%dx%dx%d %v %v alpha %g beta %g", m, n, k, ta, tb, alpha, beta)
				a, b := operands(r, m, n, k, ta, tb)
				c, want := target(r, m, n, full, beta)
				Gemm(ta, tb, alpha, a.Mat, b.Mat, beta, c.Mat)
				oracle.Dgemm(transOf(ta), transOf(tb), m, n, k, alpha, a.Data, a.Stride, b.Data, b.Stride, beta,
					want.Data, want.Stride)
				c.equals(t, name, want.Data, productTolerance(k))
				a.unchanged(t, name)
				b.unchanged(t, name)
			}
		}
	})
}

// operands are matrices whose product op(A) op(B) is m×n with k terms.
func operands(r *rand.Rand, m, n, k int, ta, tb Trans) (a, b guarded) {
	if ta {
		a = newGuarded(r, k, m, full)
	} else {
		a = newGuarded(r, m, k, full)
	}
	if tb {
		return a, newGuarded(r, n, k, full)
	}
	return a, newGuarded(r, k, n, full)
}

func TestGemmt(t *testing.T) {
	eachProduct(t, func(t *testing.T, r *rand.Rand, _, n, k int, alpha, beta float64) {
		for _, ta := range bothTrans {
			for _, tb := range bothTrans {
				a, b := operands(r, n, n, k, ta, tb)
				for _, ul := range bothUplos {
					name := fmt.Sprintf("%c %d %d %v %v alpha %g beta %g", ul, n, k, ta, tb, alpha, beta)
					c, want := target(r, n, n, ul, beta)
					Gemmt(ul, ta, tb, alpha, a.Mat, b.Mat, beta, c.Mat)
					oracle.Dgemm(transOf(ta), transOf(tb), n, n, k, alpha, a.Data, a.Stride, b.Data, b.Stride, beta,
						want.Data, want.Stride)
					c.equals(t, name, want.Data, productTolerance(k))
					a.unchanged(t, name)
					b.unchanged(t, name)
				}
			}
		}
	})
}

func TestSyrk(t *testing.T) {
	eachProduct(t, func(t *testing.T, r *rand.Rand, _, n, k int, alpha, beta float64) {
		for _, tr := range bothTrans {
			a, _ := operands(r, n, n, k, tr, !tr)
			for _, ul := range bothUplos {
				name := fmt.Sprintf("%c %d %d %v alpha %g beta %g", ul, n, k, tr, alpha, beta)
				c, want := target(r, n, n, ul, beta)
				Syrk(ul, tr, alpha, a.Mat, beta, c.Mat)
				oracle.Dsyrk(uploOf(ul), transOf(tr), n, k, alpha, a.Data, a.Stride, beta, want.Data, want.Stride)
				c.equals(t, "syrk "+name, want.Data, productTolerance(k))
				a.unchanged(t, name)
			}
		}
	})
}

func TestSymm(t *testing.T) {
	eachProduct(t, func(t *testing.T, r *rand.Rand, m, n, _ int, alpha, beta float64) {
		for _, ul := range bothUplos {
			for _, side := range bothSides {
				name := fmt.Sprintf("%c %c %dx%d alpha %g beta %g", side, ul, m, n, alpha, beta)
				order := m
				if side == Right {
					order = n
				}
				a, b := newGuarded(r, order, order, ul), newGuarded(r, m, n, full)
				c, want := target(r, m, n, full, beta)
				Symm(side, ul, alpha, a.Mat, b.Mat, beta, c.Mat)
				clean := a.clean()
				oracle.Dsymm(sideOf(side), uploOf(ul), m, n, alpha, clean.Data, a.Stride, b.Data, b.Stride, beta,
					want.Data, want.Stride)
				c.equals(t, name, want.Data, productTolerance(order))
				a.unchanged(t, name)
				b.unchanged(t, name)
			}
		}
	})
}

// triangle is a triangular matrix with a dominant diagonal, so that solving
// with it is well conditioned.
func triangle(r *rand.Rand, n int, ul Uplo) guarded {
	g := newGuarded(r, n, n, ul)
	scale := 1 / (1 + math.Sqrt(float64(n)))
	g.each(func(i, j int, v *float64) {
		*v *= scale
		if i == j {
			*v = 1 + math.Abs(*v)
		}
	})
	return g.remember()
}

func TestTrsm(t *testing.T) {
	// Both solutions carry errors of a few n epsilon; the triangles' inverses
	// have norms of the order of 10.
	tolerance := func(n int) float64 { return 1e3 * epsilon * float64(n+8) }
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, s := range [][2]int{{0, 3}, {3, 0}, {1, 1}, {2, 5}, {7, 300}, {47, 130}, {48, 3}, {49, 4}, {49, 50},
			{130, 70}, {48, 1800}, {201, 400}} {
			if testing.Short() && s[0] > 150 {
				continue
			}
			for _, side := range bothSides {
				for _, ul := range bothUplos {
					for _, tr := range bothTrans {
						for _, alpha := range []float64{1, -1.3, 0} {
							n, rows, cols := s[0], s[0], s[1]
							if side == Right {
								rows, cols = cols, rows
							}
							a, b := triangle(r, n, ul), newGuarded(r, rows, cols, full)
							want := b.clean()
							if alpha == 0 {
								b.each(func(_, _ int, v *float64) { *v = math.NaN() })
							}
							Trsm(side, ul, tr, alpha, a.Mat, b.Mat)
							clean := a.clean()
							oracle.Dtrsm(sideOf(side), uploOf(ul), transOf(tr), blas.NonUnit, rows, cols, alpha,
								clean.Data, a.Stride, want.Data, want.Stride)
							name := fmt.Sprintf("%c %c %v %dx%d alpha %g", side, ul, tr, rows, cols, alpha)
							b.equals(t, name, want.Data, tolerance(n))
							a.unchanged(t, name)
						}
					}
				}
			}
		}
	})
}

// TestNewMatrices: the copy, the transpose and the products that are new matrices, of
// operands with gaps, which they leave as they are.
func TestNewMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	for _, s := range [][3]int{{0, 3, 2}, {3, 0, 2}, {1, 1, 1}, {5, 7, 3}, {33, 70, 65}} {
		a, b := newGuarded(r, s[0], s[1], full), newGuarded(r, s[1], s[2], full)
		at, bt, product := a.T(), b.T(), NewMat(s[0], s[2])
		for i := range s[0] {
			if !slices.Equal(a.Clone().Row(i), a.Row(i)) {
				t.Fatalf("%v: row %d of the copy differs", s, i)
			}
			for j, v := range a.Row(i) {
				if at.Row(j)[i] != v {
					t.Fatalf("%v: entry %d, %d of the transpose is %v, want %v", s, j, i, at.Row(j)[i], v)
				}
				Axpy(v, b.Row(j), product.Row(i))
			}
		}
		for name, c := range map[string]Mat{"AB": a.Mul(b.Mat), "AᵀB": at.TMul(b.Mat), "ABᵀ": a.MulT(bt)} {
			for k, v := range product.Data {
				if math.Abs(c.Data[k]-v) > productTolerance(s[1]) {
					t.Errorf("%v: entry %d of %s is %v, want %v", s, k, name, c.Data[k], v)
				}
			}
		}
		a.unchanged(t, "A")
		b.unchanged(t, "B")
	}
}

// TestGemmScales: operands near the ends of the range whose product is not.
func TestGemmScales(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		const n = 40
		a, b := randomMat(1, n, n), randomMat(2, n, n)
		want := a.Mul(b)
		const up = 0x1p+1000
		Scal(up, a.Data)
		Scal(1/up, b.Data)
		for i, v := range a.Mul(b).Data {
			if v != want.Data[i] { // powers of two change no digit
				t.Fatalf("entry %d is %g, want %g", i, v, want.Data[i])
			}
		}
	})
}

func TestProductsPanicOnShapes(t *testing.T) {
	a, b, c := NewMat(3, 4), NewMat(5, 6), NewMat(3, 6)
	short := Mat{Rows: 3, Cols: 3, Stride: 3, Data: make([]float64, 8)}
	for name, call := range map[string]func(){
		"Gemm":        func() { Gemm(NoTrans, NoTrans, 1, a, b, 0, c) },
		"Gemmt":       func() { Gemmt(Upper, NoTrans, NoTrans, 1, a, b, 0, c) },
		"Syrk":        func() { Syrk(Upper, NoTrans, 1, a, 0, c) },
		"Syrk uplo":   func() { Syrk('x', NoTrans, 1, a, 0, NewMat(3, 3)) },
		"Symm":        func() { Symm(Left, Upper, 1, NewMat(4, 4), c, 0, c) },
		"Trsm":        func() { Trsm(Left, Upper, NoTrans, 1, NewMat(4, 4), c) },
		"Cholesky":    func() { Cholesky(Upper, a) },
		"short":       func() { Cholesky(Upper, short) },
		"SymEigen":    func() { SymEigen(NewMat(3, 3), make([]float64, 2), NewMat(3, 3)) },
		"Gemv":        func() { Gemv(NoTrans, 1, a, make([]float64, 3), 0, make([]float64, 3)) },
		"Symv":        func() { Symv(Upper, 1, a, make([]float64, 9), 0, make([]float64, 9)) },
		"Trsv":        func() { Trsv(Upper, NoTrans, a, make([]float64, 9)) },
		"Slice":       func() { a.Slice(0, 4, 0, 1) },
		"NewMat":      func() { NewMat(-1, 2) },
		"AddRows":     func() { AddRows([]float64{1}, []int32{9}, NewMat(9, 3), make([]float64, 3)) },
		"DotRows":     func() { DotRows(make([]float64, 3), []int32{-1}, NewMat(9, 3), make([]float64, 2)) },
		"Dot":         func() { Dot(make([]float64, 3), make([]float64, 2)) },
		"Tridiagonal": func() { NewTridiagonal(3).Reduce(NewMat(4, 4)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
