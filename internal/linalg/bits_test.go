package linalg

import (
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"testing"
)

// routine computes something large enough for all its blocks and goroutines.
type routine struct {
	name string
	run  func() []float64
}

func bitsRoutines(n int) []routine {
	a, b := randomMat(1, n, n), randomMat(2, n, n)
	spd := positiveDefinite(3, n)
	long := randomMat(4, 3*splitTerms, 40)
	x := randomMat(5, 1, n).Data
	into := func(f func(c Mat)) func() []float64 {
		return func() []float64 {
			c := NewMat(n, n)
			f(c)
			return c.Data
		}
	}
	return []routine{
		{"gemm", into(func(c Mat) { Gemm(NoTrans, T, 1.5, a, b, 0, c) })},
		{"gemmt", into(func(c Mat) { Gemmt(Lower, T, NoTrans, 1, a, b, 0, c) })},
		{"syrk", into(func(c Mat) { Syrk(Upper, NoTrans, 1, a, 0, c); Syrk(Lower, T, -1, a, 1, c) })},
		{"symm", into(func(c Mat) { Symm(Right, Lower, 1, a, b, 0, c) })},
		{"split", into(func(c Mat) { Syrk(Upper, T, 1, long, 0, c.Slice(0, 40, 0, 40)) })},
		{"few rows", into(func(c Mat) { Gemm(T, NoTrans, 1, a.Slice(0, n, 0, 7), b, 0, c.Slice(0, 7, 0, n)) })},
		{"trsm", into(func(c Mat) {
			copy(c.Data, a.Data)
			Trsm(Left, Lower, NoTrans, 1, spd, c)
			Trsm(Right, Upper, T, 1, spd, c)
		})},
		{"cholesky", into(func(c Mat) { copy(c.Data, spd.Data); Cholesky(Upper, c); Cholesky(Lower, c) })},
		{"eigen", into(func(c Mat) { s := NewMat(n, n); copy(s.Data, a.Data); SymEigen(s, make([]float64, n), c) })},
		{"symmetrize", into(func(c Mat) { copy(c.Data, a.Data); Symmetrize(Lower, c) })},
		{"gaussian", into(func(c Mat) { GaussianKernel(c, a, 0.01) })},
		{"gaussian cross", into(func(c Mat) { GaussianCross(c, a, b, 0.01) })},
		{"gemv", into(func(c Mat) { Gemv(NoTrans, 1, a, x, 0, c.Row(0)); Gemv(T, 1, a, x, 0, c.Row(1)) })},
		{"rows", into(func(c Mat) {
			list := make([]int32, n)
			for k := range list {
				list[k] = int32(k * k % n)
			}
			AddRows(x, list, a, c.Row(0))
			DotRows(x, list, b, c.Row(1))
		})},
		{"symv", into(func(c Mat) { Symv(Upper, 1, a, x, 0, c.Row(0)); Symv(Lower, 1, a, x, 0, c.Row(1)) })},
		{"trsv", into(func(c Mat) { copy(c.Row(0), x); Trsv(Lower, T, spd, c.Row(0)) })},
		{"level 1", into(func(c Mat) {
			copy(c.Data, a.Data)
			c.Data[0] = Dot(x, b.Data) + Nrm2(x) + Sum(x)
			Axpy(c.Data[0], x, c.Data[1:])
			Exp(c.Row(n-1), c.Row(n-1))
			SinCos(c.Row(n-2), c.Row(n-3), c.Row(n-3))
		})},
		{"tridiagonal", into(func(c Mat) {
			copy(c.Data, b.Data)
			w := NewTridiagonal(n)
			w.Reduce(spd)
			w.MulQT(c)
			w.SolveShifted(0.1, c.Row(0), c.Row(0))
			w.MulQ(c)
		})},
	}
}

func hash(x []float64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, v := range x {
		u := math.Float64bits(v)
		for i := range b {
			b[i] = byte(u >> (8 * i))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}

// manyCuts are the routines that only a larger matrix cuts in all their ways: merges of eigenvectors past
// divideAlone, panels of factors, and strips of a product with few rows.
var manyCuts = []string{"eigen", "tridiagonal", "trsm", "cholesky", "few rows"}

// TestSameBits: no result depends on the number of threads, and AVX2 and
// AVX-512 agree to the last bit.
func TestSameBits(t *testing.T) {
	plain := bitsRoutines(201) // already more than one goroutine
	native := plain
	if !testing.Short() {
		native = bitsRoutines(401) // several blocks of rows and of terms, with remainders
		for _, r := range bitsRoutines(701) {
			if slices.Contains(manyCuts, r.name) {
				native = append(native, routine{r.name + " of order 701", r.run})
			}
		}
	}
	seen := map[string]uint64{}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	forKernels(t, func(t *testing.T) {
		class := Kernel()
		if class == "avx512" {
			class = "avx2"
		}
		routines, procs := native, []int{1, 2, 3, 7}
		if class == "go" || testing.Short() { // slower
			routines, procs = plain, []int{1, 3}
		}
		for _, p := range procs {
			runtime.GOMAXPROCS(p)
			for _, r := range routines {
				got, key := hash(r.run()), class+r.name
				if want, ok := seen[key]; !ok {
					seen[key] = got
				} else if got != want {
					t.Errorf("%s: other bits on %d threads", r.name, p)
				}
			}
		}
	})
}

// TestBlockingKeepsBits: how rows and columns are cut does not show in the
// result; only the cut along the terms would.
func TestBlockingKeepsBits(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		routines := bitsRoutines(150)
		want := make([]uint64, len(routines))
		for i, r := range routines {
			want[i] = hash(r.run())
		}
		withBlocking(24, blockK, 72, func() {
			for i, r := range routines {
				if hash(r.run()) != want[i] {
					t.Errorf("%s: other bits with smaller blocks", r.name)
				}
			}
		})
	})
}

// TestRowsAlone: a row of a product is the same alone and among others, so
// that what is predicted for a row does not depend on the batch.
func TestRowsAlone(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		for _, k := range []int{1, 5, 46, 300, 2*splitTerms + 5} {
			for _, n := range []int{1, 3, 5, 30} {
				const m = 27
				a, b := randomMat(1, m, k), randomMat(2, n, k)
				c, y := NewMat(m, n), make([]float64, m)
				Gemm(NoTrans, T, 1, a, b, 0, c)
				Gemv(NoTrans, 1, a, b.Row(0), 0, y)
				for i := range m {
					alone, one := NewMat(1, n), make([]float64, 1)
					Gemm(NoTrans, T, 1, a.Slice(i, i+1, 0, k), b, 0, alone)
					Gemv(NoTrans, 1, a.Slice(i, i+1, 0, k), b.Row(0), 0, one)
					if hash(alone.Data) != hash(c.Row(i)) || one[0] != y[i] {
						t.Fatalf("k=%d n=%d: row %d alone differs", k, n, i)
					}
				}
			}
		}
	})
}
