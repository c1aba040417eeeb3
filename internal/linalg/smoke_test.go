package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSmoke(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 5, 31, 33, 64, 65, 100, 200, 300} {
		a := NewMat(n, n)
		for i := range a.Data {
			a.Data[i] = r.NormFloat64()
		}
		Symmetrize(Upper, a)
		s := NewMat(n, n)
		copy(s.Data, a.Data)
		w, v := make([]float64, n), NewMat(n, n)
		SymEigen(s, w, v)
		g := NewMat(n, n)
		Gemm(NoTrans, NoTrans, 1, v, a, 0, g)
		worst := 0.0
		for i := range n {
			for j := range n {
				worst = max(worst, math.Abs(g.Row(i)[j]-w[i]*v.Row(i)[j]))
			}
		}
		Syrk(Upper, NoTrans, 1, v, 0, g)
		orth := 0.0
		for i := range n {
			for j := i; j < n; j++ {
				x := g.Row(i)[j]
				if i == j {
					x--
				}
				orth = max(orth, math.Abs(x))
			}
		}
		td := NewTridiagonal(n)
		td.Reduce(a)
		b := NewMat(6, n)
		for i := range b.Data {
			b.Data[i] = r.NormFloat64()
		}
		b0 := NewMat(6, n)
		copy(b0.Data, b.Data)
		lam := 3 * math.Sqrt(float64(n)) + 10
		td.MulQT(b)
		for i := range 6 {
			if !td.SolveShifted(lam, b.Row(i), b.Row(i)) {
				t.Fatal("pivot")
			}
		}
		td.MulQ(b)
		shifted := NewMat(n, n)
		copy(shifted.Data, a.Data)
		for i := range n {
			shifted.Row(i)[i] += lam
		}
		res := NewMat(6, n)
		Gemm(NoTrans, NoTrans, 1, b, shifted, 0, res)
		d := 0.0
		for i := range res.Data {
			d = max(d, math.Abs(res.Data[i]-b0.Data[i]))
		}
		for _, ul := range []Uplo{Upper, Lower} {
			f := NewMat(n, n)
			copy(f.Data, shifted.Data)
			if p, ok := Cholesky(ul, f); !ok {
				t.Fatal(p)
			}
			x := NewMat(n, 6)
			transposeTo(x, b0)
			CholeskySolve(ul, f, x)
			for i := range n {
				for j := range 6 {
					d = max(d, math.Abs(x.Row(i)[j]-b.Row(j)[i]))
				}
			}
		}
		t.Log(n, worst, orth, d)
		if worst > 1e-12 || orth > 1e-12 || d > 1e-11 {
			t.Error("bad")
		}
	}
}
