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
	"pairrank/relation/pairwise"
)

// drawEdges makes m edges of rows × cols nodes, some of them more than once.
func drawEdges(r *rand.Rand, m, rows, cols int) Edges {
	e := Edges{Row: make([]int32, m), Col: make([]int32, m)}
	for k := range m {
		e.Row[k], e.Col[k] = int32(r.IntN(rows)), int32(r.IntN(cols))
	}
	return e
}

// TestOperator compares every pairwise kernel with its definition, from and to random edges, for square and
// rectangular node kernels, and for every way to take the two steps.
func TestOperator(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	n := gen.Count(t, 300)
	for range n {
		for _, k := range pairwise.Kernels {
			one := k.OneDomain() || r.IntN(3) == 0
			p := drawProblem(r, 7, one)
			rows, cols := p.rows, p.cols
			if rectangular := k != pairwise.Cartesian && r.IntN(2) == 0; rectangular {
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

// pairOf is the kernel between edge h of out and e of in. The nodes of out are rows of the matrices and those
// of in columns, so the oracle gets different numbers for them.
func pairOf(k pairwise.Kernel, rows, cols *data.Dense, out Edges, h int, in Edges, e int) float64 {
	const apart = 1000
	node := func(a int32) int { return int(a) }
	value := func(m *data.Dense) func(a, b int) float64 { return func(a, b int) float64 { return m.Row(a)[b] } }
	d, t, d2, t2 := node(out.Row[h]), node(out.Col[h]), node(in.Row[e]), node(in.Col[e])
	switch k {
	case pairwise.Kronecker, pairwise.Cartesian, pairwise.Linear, pairwise.Poly2:
		return naive.PairKernel(string(k), value(rows), value(cols), d, t, d2, t2)
	}
	// One domain: the row end of an edge of out is a row of rows, the column end a row of cols.
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
		for _, kind := range pairwise.Kernels {
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

// TestOperatorInPieces has more nodes than a strip and a block hold.
func TestOperatorInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	const p, few = 700, 40
	k := drawKernel(r, p, false)
	for _, c := range []struct{ out, in int }{{60_000, few}, {few, 60_000}} {
		out, in := drawEdges(r, c.out, p, p), drawEdges(r, c.in, p, p)
		v, got := make([]float64, c.in), make([]float64, c.out)
		for e := range v {
			v[e] = r.NormFloat64()
		}
		for _, kind := range []pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric} {
			o := NewOperator(kind, k, k, out, in)
			for _, q := range o.products {
				q.first, q.second = false, false
			}
			o.MulTo(got, v)
			blocks := map[int32]bool{}
			for _, q := range o.products {
				for run := range q.onto.first {
					blocks[q.onto.second[q.onto.start[run]]/int32(max(1, cached/p))] = true
				}
			}
			if c.out > few && len(blocks) < 2 {
				t.Errorf("%s: one block only", kind)
			}
			for h := 0; h < c.out; h += 1 + c.out/500 {
				want := 0.0
				for e, x := range v {
					want += x * pairOf(kind, k, k, out, h, in, e)
				}
				if math.Abs(got[h]-want) > 1e-10*(1+math.Abs(want)) {
					t.Fatalf("%s from %d to %d edges: %v at edge %d, want %v", kind, c.in, c.out, got[h], h, want)
				}
			}
		}
	}
}

// TestNoNodes checks that an empty graph works.
func TestNoNodes(t *testing.T) {
	none := data.NewDense(0, 0, nil)
	for _, kind := range pairwise.Kernels {
		NewOperator(kind, none, none, Edges{}, Edges{}).MulTo(nil, nil)
	}
	fit, err := Solve(t.Context(), System{pairwise.Kronecker, none, none, Edges{}, nil}, 1, SolveOptions{})
	if err != nil || len(fit.Coef) != 0 {
		t.Errorf("%v, %v", fit, err)
	}
	if fit, err = SolveLinear(t.Context(), LinearSystem{Arbitrary, none, none, Edges{}, nil},
		1, SolveOptions{}); err != nil || len(fit.Coef) != 0 {
		t.Errorf("primal: %v, %v", fit, err)
	}
}
