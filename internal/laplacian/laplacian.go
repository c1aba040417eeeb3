// Package laplacian has the matrix L + ridge I of a weighted graph, and an approximate factor of it
// that preconditions conjugate gradients. Steps to a residual of 1e-8 by the diagonal and by the factor,
// for 90,000 vertices (go test ./internal/laplacian -bench .):
//
//	                                ridge 0                ridge 0.1
//	                                diagonal    factor     diagonal    factor
//	path                            over 3,000  2          82          16
//	grid                            1,058       46         72          27
//	neighbours, at most 100 apart   1,407       20         120         15
//	random, degree 20               13          13         17          12
package laplacian

import (
	"fmt"

	"pairrank/internal/parallel"
)

// Graph is a weighted undirected graph with each edge in the rows of both its vertices. A vertex stands at most
// once in a row, and not in its own; weights are at least 0.
type Graph struct {
	Bounds []int // of the rows in To and Weight: one more than vertices
	To     []int32
	Weight []float64
}

// Len is the number of vertices.
func (g *Graph) Len() int { return len(g.Bounds) - 1 }

// rowBlock is how many rows one piece of parallel work has.
const rowBlock = 4096

// DegreesTo sets dst to the sums of the weights of the rows.
func (g *Graph) DegreesTo(dst []float64) {
	parallel.Chunks(g.Len(), rowBlock, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := 0.0
			for _, w := range g.Weight[g.Bounds[i]:g.Bounds[i+1]] {
				sum += w
			}
			dst[i] = sum
		}
	})
}

// MulTo sets dst to (D − W) x with the weights W and a diagonal D: with the degrees that is the Laplacian. It
// panics where lengths differ. Cost O(edges).
func (g *Graph) MulTo(dst, x, diagonal []float64) {
	n := g.Len()
	if len(dst) != n || len(x) != n || len(diagonal) != n {
		panic(fmt.Sprintf("laplacian: MulTo with %d, %d and %d of %d numbers", len(dst), len(x), len(diagonal), n))
	}
	parallel.Chunks(n, rowBlock, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			at, end := g.Bounds[i], g.Bounds[i+1]
			to, weight := g.To[at:end], g.Weight[at:end:end]
			sum := diagonal[i] * x[i]
			for k, j := range to {
				sum -= weight[k] * x[j]
			}
			dst[i] = sum
		}
	})
}
