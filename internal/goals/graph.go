package goals

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/joins"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// Weighted returns the edges whose weight is not 0, in a new slice, in O(edges). Use it for lists
// that mark edges to ignore with weight 0, which NewGraph and Preferences refuse.
func Weighted(edges []pref.Edge) []pref.Edge {
	kept := make([]pref.Edge, 0, len(edges))
	for _, e := range edges {
		if e.Weight != 0 {
			kept = append(kept, e)
		}
	}
	return kept
}

// Graph is the Laplacian M W Mᵀ of an explicit preference graph, a multigraph
// with oriented incidence matrix M and edge weights W (Pahikkala et al. 2009,
// section 2.3, equation 12; here Weight is the w_i² of the paper). A product
// with an m×k matrix costs O((m + edges) k).
type Graph struct {
	m      int
	edges  []pref.Edge
	parts  *data.Partition
	active []pref.Edge // the edges of positive weight, by component
	first  []int       // those of component p are active[first[p]:first[p+1]]
}

// NewGraph makes the Laplacian of edges over m rows, which it keeps. It returns an error, with the
// 1-based number of the edge, for a row out of range, a row compared with itself, a weight that is
// not positive and finite, or a magnitude that is not finite. Cost O(m + edges).
func NewGraph(m int, edges []pref.Edge) (*Graph, error) {
	if err := checkWeights(edges); err != nil {
		return nil, err
	}
	return newGraph(m, edges)
}

// checkWeights refuses the edges whose weight was left out.
func checkWeights(edges []pref.Edge) error {
	for e, edge := range edges {
		if edge.Weight == 0 {
			return fmt.Errorf("preference %d has weight 0: set its Weight, 1 where all count alike, or leave the "+
				"preference out", e+1)
		}
	}
	return nil
}

// newGraph is NewGraph for weights that may be 0, as quotients of small ones are.
func newGraph(m int, edges []pref.Edge) (*Graph, error) {
	joins := joins.NewJoins(m)
	for e, edge := range edges {
		switch {
		case edge.I < 0 || edge.I >= m || edge.J < 0 || edge.J >= m:
			return nil, fmt.Errorf("preference %d compares rows %d and %d of %d", e+1, edge.I+1, edge.J+1, m)
		case edge.I == edge.J:
			return nil, fmt.Errorf("preference %d compares row %d with itself", e+1, edge.I+1)
		case !(edge.Weight >= 0) || math.IsInf(edge.Weight, 0):
			return nil, fmt.Errorf("preference %d has weight %v: a weight is finite and not negative", e+1, edge.Weight)
		case math.IsNaN(edge.Magnitude) || math.IsInf(edge.Magnitude, 0):
			return nil, fmt.Errorf("preference %d has magnitude %v: a magnitude is finite", e+1, edge.Magnitude)
		}
		if edge.Weight > 0 {
			joins.Join(edge.I, edge.J)
		}
	}
	g := &Graph{m: m, edges: edges, parts: joins.Partition()}
	g.sortEdges()
	return g, nil
}

func (g *Graph) sortEdges() {
	of := g.parts.Of()
	g.first = make([]int, g.parts.Len()+1)
	for _, e := range g.edges {
		if e.Weight > 0 {
			g.first[of[e.I]+1]++
		}
	}
	for p := range g.parts.Len() {
		g.first[p+1] += g.first[p]
	}
	at := append([]int(nil), g.first...)
	g.active = make([]pref.Edge, g.first[g.parts.Len()])
	for _, e := range g.edges {
		if e.Weight > 0 {
			g.active[at[of[e.I]]] = e
			at[of[e.I]]++
		}
	}
}

// Dim returns the number of rows m.
func (g *Graph) Dim() int { return g.m }

// Components returns the connected components of the edges of positive weight.
func (g *Graph) Components() *data.Partition { return g.parts }

// Edges returns the edges as they were given; the caller must not change them.
func (g *Graph) Edges() []pref.Edge { return g.edges }

// DiagonalTo fills dst, of length m, with the diagonal of L, in O(m + edges). It panics
// when dst is shorter.
func (g *Graph) DiagonalTo(dst []float64) {
	clear(dst[:g.m])
	for _, e := range g.active {
		dst[e.I] += e.Weight
		dst[e.J] += e.Weight
	}
}

// MulTo computes dst = L x for x of m×k in O((m + edges) k), in parallel over blocks of
// columns. It panics when the lengths do not fit.
func (g *Graph) MulTo(dst, x []float64, k int) {
	checkShapes("Graph", g.m, k, dst, x)
	const width = 64
	out := make([]float64, len(dst))
	parallel.Chunks(k, width, func(_, lo, hi int) {
		for _, e := range g.active {
			xi, xj := x[e.I*k+lo:e.I*k+hi], x[e.J*k+lo:e.J*k+hi]
			yi, yj := out[e.I*k+lo:e.I*k+hi], out[e.J*k+lo:e.J*k+hi]
			for c, v := range xi {
				t := e.Weight * (v - xj[c])
				yi[c] += t
				yj[c] -= t
			}
		}
	})
	copy(dst, out)
}

// linearTerm is r = MWz: the sum over edges of weight times magnitude, added to the
// preferred row and subtracted from the other.
func (g *Graph) linearTerm() []float64 {
	r := make([]float64, g.m)
	for _, e := range g.edges {
		t := e.Weight * e.Magnitude
		r[e.I] += t
		r[e.J] -= t
	}
	return r
}
