//go:build !race

package linalg

import (
	"runtime/debug"
	"testing"
)

// TestSmallProblemsAllocateNothing: they are solved a hundred thousand times
// from parallel loops. (The race detector empties pools at random.)
func TestSmallProblemsAllocateNothing(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties the pools
	const n = 46
	spd, f := positiveDefinite(1, n), NewMat(n, n)
	x, c := randomMat(2, 250, n), NewMat(n, n)
	same := NewMat(250, n)
	wide, many := NewMat(250, 250), NewMat(n, 250)
	w := NewTridiagonal(n)
	row, y := x.Row(0), make([]float64, 250)
	list := []int32{5, 249, 0, 5, 7, 7, 1}
	for name, run := range map[string]func(){
		"Cholesky upper": func() { copy(f.Data, spd.Data); Cholesky(Upper, f) },
		"Cholesky lower": func() { copy(f.Data, spd.Data); Cholesky(Lower, f) },
		"CholeskySolve":  func() { CholeskySolve(Upper, spd, many) },
		"Trsm":           func() { Trsm(Right, Lower, T, 1, spd, x) },
		"Trsv":           func() { Trsv(Upper, NoTrans, spd, row) },
		"Gemm":           func() { Gemm(T, NoTrans, 1, x, x, 0, c) },
		"Syrk":           func() { Syrk(Upper, T, 1, x, 0, c); Syrk(Lower, NoTrans, 1, x, 0, wide) },
		"Symm":           func() { Symm(Right, Upper, 1, spd, x, 0, same) },
		"Gemv":           func() { Gemv(NoTrans, 1, x, row, 0, y); Gemv(T, 1, x, y, 0, row) },
		"Symv":           func() { Symv(Upper, 1, spd, row, 0, y) },
		"Symmetrize":     func() { Symmetrize(Upper, wide) },
		"Tridiagonal": func() {
			w.Reduce(spd)
			w.MulQT(x)
			w.MulQ(x.Slice(0, 1, 0, n))
			w.SolveShifted(1, row, row)
		},
		"AddRows":     func() { AddRows(row, list, x, y) },
		"DotRows":     func() { DotRows(row, list, x, y); DotRows(row, list[:3], x, y) },
		"Exp":         func() { Exp(row, row) },
		"GaussianRow": func() { GaussianRow(row, y, 1, 0.1) },
		"PairMargins": func() { PairMargins(y, row[:3], row, row[:40], same.Data, 240, 9, 2, 1) },
	} {
		run() // fills the pools
		if got := testing.AllocsPerRun(20, run); got > 0 {
			t.Errorf("%s: %g allocations", name, got)
		}
	}
}
