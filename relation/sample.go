package relation

import "math/rand/v2"

// drawnOfRow is how many edges of a row are drawn, where there are rows enough.
const drawnOfRow = 10

// sample is the edges that Both leaves out, as Options.Sample says.
func (g *graph) sample(o scheme) []int {
	m := len(g.y)
	if o.sample == 0 || o.sample >= m {
		return allEdges(m)
	}
	random := rand.New(rand.NewPCG(o.seed, 0x73616d706c65))
	edges := g.ofSomeRows(o.sample, random)
	random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	label, some, two := g.rarer(edges)
	if !two {
		return edges[:o.sample]
	}
	least := min(some, o.sample/2)
	most := o.sample - least
	out := make([]int, 0, o.sample)
	for _, e := range edges {
		left := &most
		if g.y[e] == label {
			left = &least
		}
		if *left > 0 {
			*left--
			out = append(out, e)
		}
	}
	return out
}

// ofSomeRows is all edges of rows that are drawn: those of one row for drawnOfRow
// of n edges, and of more rows until there are n.
func (g *graph) ofSomeRows(n int, random *rand.Rand) []int {
	byRow := make([][]int, g.rows.Rows)
	for e, i := range g.edges.Row {
		byRow[i] = append(byRow[i], e)
	}
	var edges []int
	rows := 0
	for _, i := range random.Perm(len(byRow)) {
		if len(edges) >= n && rows*drawnOfRow >= n {
			break
		}
		if len(byRow[i]) > 0 {
			edges = append(edges, byRow[i]...)
			rows++
		}
	}
	return edges
}

// rarer is the rarer one of the labels of edges, how many have it, and whether
// there are two labels.
func (g *graph) rarer(edges []int) (label float64, some int, two bool) {
	count := make(map[float64]int, 2)
	for _, e := range edges {
		if count[g.y[e]]++; len(count) > 2 {
			return 0, 0, false
		}
	}
	some = len(edges)
	for v, n := range count {
		if n < some || n == some && v > label {
			label, some = v, n
		}
	}
	return label, some, len(count) == 2
}

// allEdges are the numbers of m edges.
func allEdges(m int) []int {
	all := make([]int, m)
	for e := range all {
		all[e] = e
	}
	return all
}
