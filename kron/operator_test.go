package kron

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
)

// drawEdges makes m edges of rows × cols nodes, some of them more than once.
func drawEdges(r *rand.Rand, m, rows, cols int) Edges {
	e := Edges{make([]int32, m), make([]int32, m)}
	for k := range m {
		e.Row[k], e.Col[k] = int32(r.IntN(rows)), int32(r.IntN(cols))
	}
	return e
}

// TestOperator compares every pairwise kernel with its definition, from and to
// random edges, for square and rectangular node kernels, and for every way of
// taking the two steps.
func TestOperator(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	n := gen.Count(t, 300)
	for range n {
		for _, k := range Kernels {
			one := k.OneDomain() || r.IntN(3) == 0
			p := drawProblem(r, 7, one)
			rows, cols := p.rows, p.cols
			if rectangular := k != Cartesian && r.IntN(2) == 0; rectangular {
				rows = data.Select(rows, drawIndices(r, 1+r.IntN(8), rows.Rows)).(*data.Dense)
				cols = data.Select(cols, drawIndices(r, 1+r.IntN(8), cols.Rows)).(*data.Dense)
			}
			out := drawEdges(r, 1+r.IntN(20), rows.Rows, cols.Rows)
			in := drawEdges(r, 1+r.IntN(20), rows.Cols, cols.Cols)
			v, got := make([]float64, in.Len()), make([]float64, out.Len())
			for e := range v {
				v[e] = r.NormFloat64()
			}
			o := NewOperator(k, rows, cols, out, in)
			for way := range 4 {
				for _, q := range o.products {
					q.first, q.second = way&1 == 0, way&2 == 0
				}
				o.MulTo(got, v)
				for h := range got {
					want := 0.0
					for e, c := range v {
						want += c * pairOf(k, rows, cols, out, h, in, e)
					}
					if math.Abs(got[h]-want) > 1e-11*(1+math.Abs(want)) {
						t.Fatalf("%s, way %d: %v at edge %d, want %v", k, way, got[h], h, want)
					}
				}
			}
		}
	}
}

func drawIndices(r *rand.Rand, n, most int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = r.IntN(most)
	}
	return out
}

// pairOf is the kernel between edge h of out and e of in. The nodes of out are
// rows of the matrices and those of in columns, so that for the oracle they get
// numbers apart.
func pairOf(k Kernel, rows, cols *data.Dense, out Edges, h int, in Edges, e int) float64 {
	const apart = 1000
	node := func(a int32) int { return int(a) }
	value := func(m *data.Dense) func(a, b int) float64 { return func(a, b int) float64 { return m.Row(a)[b] } }
	d, t, d2, t2 := node(out.Row[h]), node(out.Col[h]), node(in.Row[e]), node(in.Col[e])
	switch k {
	case Kronecker, Cartesian, Linear, Poly2:
		return naive.PairKernel(string(k), value(rows), value(cols), d, t, d2, t2)
	}
	// One domain: an end of out at the row is a row of rows, at the column one of
	// cols.
	between := func(a, b int) float64 {
		if a >= apart {
			return cols.Row(a - apart)[b]
		}
		return rows.Row(a)[b]
	}
	return naive.PairKernel(string(k), between, between, d, t+apart, d2, t2)
}

// TestOperatorOnThreads compares the bytes for one thread and several, sparse and
// dense.
func TestOperatorOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	k := drawKernel(r, 150, false)
	for _, m := range []int{300, 9000} {
		e := drawEdges(r, m, 150, 150)
		v := make([]float64, m)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		for _, kind := range Kernels {
			var first []float64
			for _, threads := range []int{1, 2, 3} {
				old := runtime.GOMAXPROCS(threads)
				got := make([]float64, m)
				NewOperator(kind, k, k, e, e).MulTo(got, v)
				runtime.GOMAXPROCS(old)
				if first == nil {
					first = got
				} else if !slices.Equal(first, got) {
					t.Errorf("%s of %d edges: %d threads give other bytes", kind, m, threads)
				}
			}
		}
	}
}
