package laplacian

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/internal/krylov"
)

// eachGraph runs a benchmark on graphs of 100,000 vertices, with and without a ridge.
func eachGraph(b *testing.B, body func(b *testing.B, g *Graph, ridge float64)) {
	const n = 90_000
	r := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct {
		name  string
		edges []edge
	}{{"path", path(n)}, {"grid", grid(300)}, {"neighbours", neighbours(n, r)}, {"random", random(n, r)}} {
		g := graphOf(n, c.edges, r)
		for _, ridge := range []float64{0, 0.1} {
			b.Run(fmt.Sprintf("%s/vertices=%d/edges=%d/ridge=%v", c.name, n, len(c.edges), ridge), func(b *testing.B) {
				body(b, g, ridge)
			})
		}
	}
}

// random joins random vertices, ten times as often as there are any.
func random(n int, r *rand.Rand) (edges []edge) {
	seen := map[[2]int]bool{}
	for len(edges) < 10*n {
		i, j := r.IntN(n), r.IntN(n)
		if pair := [2]int{min(i, j), max(i, j)}; i != j && !seen[pair] {
			seen[pair] = true
			edges = append(edges, edge{i, j, 1})
		}
	}
	return edges
}

func BenchmarkFactorize(b *testing.B) {
	eachGraph(b, func(b *testing.B, g *Graph, ridge float64) {
		for b.Loop() {
			f, err := Factorize(b.Context(), g, ridge, 1)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(2*float64(len(f.place))/float64(len(g.To)), "entries/edge")
		}
	})
}

// BenchmarkSolve solves to a residual of 1e-8 by the factor and by the diagonal, in at most 3,000 steps.
func BenchmarkSolve(b *testing.B) {
	for _, by := range []string{"factor", "diagonal"} {
		b.Run(by, func(b *testing.B) {
			eachGraph(b, func(b *testing.B, g *Graph, ridge float64) { benchmarkSolve(b, g, ridge, by == "factor") })
		})
	}
}

func benchmarkSolve(b *testing.B, g *Graph, ridge float64, factored bool) {
	r := rand.New(rand.NewPCG(3, 3))
	a := newOperator(g, ridge)
	right := make([]float64, g.Len())
	for v := range right { // random outcomes of the edges
		for at := g.Bounds[v]; at < g.Bounds[v+1]; at++ {
			if u := int(g.To[at]); u > v {
				x := r.NormFloat64()
				right[v], right[u] = right[v]+x, right[u]-x
			}
		}
	}
	o := krylov.Options{Tolerance: 1e-8, MaxIterations: 3000, Diagonal: a.diagonal}
	if factored {
		f, err := Factorize(b.Context(), g, ridge, 1)
		if err != nil {
			b.Fatal(err)
		}
		o.Diagonal, o.Precondition = nil, f.SolveTo
	}
	for b.Loop() {
		got, err := krylov.CG(b.Context(), a, right, make([]float64, g.Len()), o)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(got.Iterations), "steps")
		b.ReportMetric(got.Residual*1e9, "residual/1e-9")
	}
}
