package kron

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/naive"
)

// problem is random nodes with kernels, and labels of all their pairs.
type problem struct {
	rows, cols *data.Dense // kernel matrices; the same for one domain
	one        bool
	linear     bool
	y          *data.Dense
	lambda     float64
}

func drawProblem(r *rand.Rand, most int, one bool) problem {
	p := problem{one: one, linear: r.IntN(2) == 0, lambda: math.Exp2(16*r.Float64() - 10)}
	m, n := 2+r.IntN(most-1), 2+r.IntN(most-1)
	p.rows = drawKernel(r, m, p.linear)
	if p.cols = p.rows; !one {
		p.cols = drawKernel(r, n, p.linear)
	} else {
		n = m
	}
	p.y = data.NewDense(m, n, nil)
	for i := range p.y.Data {
		p.y.Data[i] = r.NormFloat64()
		if r.IntN(3) == 0 {
			p.y.Data[i] = float64(r.IntN(2))
		}
	}
	return p
}

// drawKernel is a kernel matrix of random nodes, some of them equal: linear on few features, and so singular,
// or Gaussian.
func drawKernel(r *rand.Rand, n int, linear bool) *data.Dense {
	features := 1 + r.IntN(3)
	x := data.NewDense(n, features, nil)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	if n > 2 && r.IntN(4) == 0 {
		copy(x.Row(1), x.Row(0))
	}
	k := data.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			dot, distance := 0.0, 0.0
			for c, v := range x.Row(i) {
				dot += v * x.Row(j)[c]
				distance += (v - x.Row(j)[c]) * (v - x.Row(j)[c])
			}
			if k.Row(i)[j] = math.Exp(-0.5 * distance); linear {
				k.Row(i)[j] = dot
			}
		}
	}
	return k
}

func (p problem) kernel(name string) func(d, t, d2, t2 int) float64 {
	rows := func(a, b int) float64 { return p.rows.Row(a)[b] }
	cols := func(a, b int) float64 { return p.cols.Row(a)[b] }
	return func(d, t, d2, t2 int) float64 { return naive.PairKernel(name, rows, cols, d, t, d2, t2) }
}

// edges are all pairs for which keep is true.
func (p problem) edges(keep func(i, j int) bool) []naive.Edge {
	var out []naive.Edge
	for i := range p.y.Rows {
		for j, y := range p.y.Row(i) {
			if keep == nil || keep(i, j) {
				out = append(out, naive.Edge{Row: i, Col: j, Y: y})
			}
		}
	}
	return out
}

// tally keeps the largest relative difference of each kind of result.
type tally map[string]float64

// near compares a number with that of the oracle, relative to the size of the numbers around it.
func (w tally) near(t *testing.T, what string, got, want, size, tolerance float64) {
	t.Helper()
	off := math.Abs(got-want) / (size + 1e-300)
	w[what] = max(w[what], off)
	if !(off <= tolerance) {
		t.Fatalf("%s: %v, the oracle has %v, relative difference %.3g", what, got, want, off)
	}
}

// size is the largest number of a matrix.
func size(a *data.Dense) float64 {
	largest := 0.0
	for i := range a.Rows {
		for _, v := range a.Row(i) {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// String lists what was compared.
func (w tally) String() string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(w)) {
		text += fmt.Sprintf("\n\t%-40s %.2g", name, w[name])
	}
	return text
}
