package laplacian

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
)

// Factor is an approximate factor U D Uᵀ of L + ridge I in an order of the vertices: U is a unit triangle.
type Factor struct {
	order  []int32 // the vertex of each place
	pivot  []float64
	bounds []int     // of the columns in place and share
	place  []int32   // later places
	share  []float32 // the negative of entries of U: their rounding is that of the factor and costs no steps
	work   []float64
}

// Factorize eliminates the vertices of a graph with ridge ≥ 0 on the diagonal, those with the fewest edges
// first, and at random among these (Kyng and Sachdeva 2016, Approximate Gaussian elimination for Laplacians; without
// splitting edges, as Gao, Kyng and Spielman 2023, Robust and practical solution of Laplacian equations by approximate
// elimination). Eliminating a vertex with d neighbours, of weights w_1 ≤ … ≤ w_d and sum S, would join all of
// them; instead each i < d is joined with one k > i, drawn with probability w_k / (w_{i+1} + … + w_d), by an edge of
// w_i (w_{i+1} + … + w_d) / S: the expected weight of every pair is the exact one, w_i w_k / S. Trees and paths
// are eliminated exactly where the order begins with leaves. The ridge is an edge to one more vertex, the
// last. Where it is 0, the last vertex of each component has the pivot 0.
//
// The result is the same for the same seed. It takes memory for at most as many edges as the graph has, and 8 bytes
// for each entry of the factor: two to three times the edges on paths, grids and neighbours, seven times on random
// graphs of degree 20, which the diagonal preconditions as well. The error is that of ctx.
func Factorize(ctx context.Context, g *Graph, ridge float64, seed uint64) (*Factor, error) {
	n := g.Len()
	e := newElimination(g, ridge, seed)
	const often = 1 << 12
	for k, v := range e.order {
		if k%often == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e.gather(k, v)
		e.column()
		e.sample()
	}
	e.work = make([]float64, n)
	return &e.Factor, nil
}

// elimination is the state of a factorisation: the edges of the graph between vertices that are left, and those
// that were added, each with the vertex that comes first.
type elimination struct {
	Factor
	g      *Graph
	rank   []int32   // the place of each vertex
	excess []float64 // the weight of each vertex' edge to the last one; nil where the ridge is 0
	head   []int32   // the first added edge of each vertex, −1 for none
	added  []addedEdge
	free   int32 // the first unused entry of added, −1 for none
	rng    *rand.Rand

	near []neighbour // of the vertex that is eliminated
	mark []int32     // the entry of near of each vertex, from 1
	sums []float64
}

type addedEdge struct {
	weight   float64
	to, next int32
}

type neighbour struct {
	weight float64
	to     int32 // ground for the last vertex
}

const ground = -1

func newElimination(g *Graph, ridge float64, seed uint64) *elimination {
	n := g.Len()
	e := &elimination{g: g, rank: make([]int32, n), head: make([]int32, n), mark: make([]int32, n), free: -1,
		rng: rand.New(rand.NewPCG(seed, 0x6b73))}
	e.order = byDegree(g, e.rng)
	for k, v := range e.order {
		e.rank[v] = int32(k)
		e.head[v] = -1
	}
	if ridge > 0 {
		e.excess = make([]float64, n)
		for i := range e.excess {
			e.excess[i] = ridge
		}
	}
	e.bounds, e.pivot = make([]int, 1, n+1), make([]float64, 0, n)
	e.place, e.share = make([]int32, 0, len(g.To)), make([]float32, 0, len(g.To))
	return e
}

// byDegree is the vertices by their numbers of edges, at random where these are equal.
func byDegree(g *Graph, rng *rand.Rand) []int32 {
	n := g.Len()
	most := 0
	for v := range n {
		most = max(most, g.Bounds[v+1]-g.Bounds[v])
	}
	start := make([]int, most+2) // of each number of edges
	for v := range n {
		start[g.Bounds[v+1]-g.Bounds[v]+1]++
	}
	for d := range most {
		start[d+1] += start[d]
	}
	order := make([]int32, n)
	for _, v := range rng.Perm(n) {
		at := &start[g.Bounds[v+1]-g.Bounds[v]]
		order[*at] = int32(v)
		*at++
	}
	return order
}

// gather collects the neighbours of v that are left, each once, the lightest first.
func (e *elimination) gather(k int, v int32) {
	e.near = e.near[:0]
	g := e.g
	for at := g.Bounds[v]; at < g.Bounds[v+1]; at++ {
		if u := g.To[at]; int(e.rank[u]) > k && g.Weight[at] > 0 {
			e.join(u, g.Weight[at])
		}
	}
	for at := e.head[v]; at >= 0; {
		edge := &e.added[at]
		e.join(edge.to, edge.weight)
		next := edge.next
		edge.next, e.free = e.free, at
		at = next
	}
	for _, u := range e.near {
		e.mark[u.to] = 0
	}
	if e.excess != nil {
		e.near = append(e.near, neighbour{e.excess[v], ground})
	}
	slices.SortFunc(e.near, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.to, b.to))
	})
}

// join adds a weight to a neighbour.
func (e *elimination) join(u int32, weight float64) {
	if at := e.mark[u]; at > 0 {
		e.near[at-1].weight += weight
		return
	}
	e.near = append(e.near, neighbour{weight, u})
	e.mark[u] = int32(len(e.near))
}

// column appends the column of the vertex whose neighbours are gathered.
func (e *elimination) column() {
	sum := 0.0
	e.sums = e.sums[:0]
	for _, u := range e.near {
		sum += u.weight
		e.sums = append(e.sums, sum)
	}
	e.pivot = append(e.pivot, sum)
	for _, u := range e.near {
		if u.to != ground {
			e.place = append(e.place, e.rank[u.to])
			e.share = append(e.share, float32(u.weight/sum))
		}
	}
	e.bounds = append(e.bounds, len(e.place))
}

// sample joins each neighbour with one heavier one.
func (e *elimination) sample() {
	last := len(e.near) - 1
	if last < 0 {
		return
	}
	all := e.sums[last]
	for i, u := range e.near[:last] {
		rest := all - e.sums[i]
		at := e.sums[i] + e.rng.Float64()*rest
		k, _ := slices.BinarySearch(e.sums[i+1:], at)
		other := e.near[min(i+1+k, last)]
		e.add(u.to, other.to, u.weight*rest/all)
	}
}

// add adds an edge.
func (e *elimination) add(a, b int32, weight float64) {
	switch {
	case !(weight > 0):
		return
	case a == ground:
		e.excess[b] += weight
		return
	case b == ground:
		e.excess[a] += weight
		return
	case e.rank[a] > e.rank[b]:
		a, b = b, a
	}
	at := e.free
	if at >= 0 {
		e.free = e.added[at].next
	} else {
		at = int32(len(e.added))
		e.added = append(e.added, addedEdge{})
	}
	e.added[at] = addedEdge{weight, b, e.head[a]}
	e.head[a] = at
}

// SolveTo sets z to the solution of (U D Uᵀ) z = r, with 0 where a pivot is 0. It is symmetric and positive, but for
// those pivots. One call at a time may run. The cost is that of the entries below the diagonal.
func (f *Factor) SolveTo(z, r []float64) {
	y := f.work
	for k, v := range f.order {
		y[k] = r[v]
	}
	for k := range y {
		at, end := f.bounds[k], f.bounds[k+1]
		v := y[k]
		if v != 0 {
			share := f.share[at:end:end]
			for j, p := range f.place[at:end] {
				y[p] += float64(share[j]) * v
			}
		}
		if d := f.pivot[k]; d > 0 {
			y[k] = v / d
		} else {
			y[k] = 0
		}
	}
	for k := len(y) - 1; k >= 0; k-- {
		at, end := f.bounds[k], f.bounds[k+1]
		share := f.share[at:end:end]
		sum := y[k]
		for j, p := range f.place[at:end] {
			sum += float64(share[j]) * y[p]
		}
		y[k] = sum
	}
	for k, v := range f.order {
		z[v] = y[k]
	}
}
