package relation

import (
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/internal/kron"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// graph is labelled edges between nodes with kernel matrices, and how to learn from them.
type graph struct {
	rows, cols *data.Dense // kernel matrices of the nodes; the same for one domain
	edges      edge.Edges
	y          []float64
	learn      kron.Options    // loss and relation
	kernel     pairwise.Kernel // the kernel in use
	solve      kron.SolveOptions
	// twoStep, unless 0, is the λ of the columns of two-step kernel ridge regression; the λ of the rows is the
	// candidate.
	twoStep float64
	sums    *sums // nil where no weights of kernels are learnt
	// iterative requests the iterative solver even if there is a closed form.
	iterative bool
}

// system is the graph in the form of the iterative solver.
func (g *graph) system() kron.System {
	return kron.System{Kernel: g.kernel, Rows: g.rows, Cols: g.cols, Edges: g.edges, Y: g.y}
}

// complete returns the labels as a matrix if there is exactly one edge for each pair of nodes, else nil.
func (g *graph) complete() *data.Dense {
	p, n := g.rows.Rows, g.cols.Rows
	if len(g.y) != p*n {
		return nil
	}
	y := data.NewDense(p, n, nil)
	seen := make([]bool, p*n)
	for e, v := range g.y {
		at := int(g.edges.Row[e])*n + int(g.edges.Col[e])
		if seen[at] {
			return nil
		}
		seen[at] = true
		y.Data[at] = v
	}
	return y
}

// closedForm returns why a graph has no closed form; nil if it has one. y are the labels of a complete graph.
func (g *graph) closedForm(y *data.Dense) error {
	switch {
	case g.iterative:
		return errors.New("the iterative solver was asked for")
	case g.kernel != g.learn.Relation.Pairwise():
		return fmt.Errorf("the pairwise kernel %s has no closed form", g.kernel)
	case g.mirrored() && g.learn.Loss != edge.Regression:
		return &kron.NoClosedFormError{Relation: g.learn.Relation}
	case y == nil:
		return errIncomplete
	}
	return nil
}

var errIncomplete = errors.New("not every pair of nodes has exactly one edge")

// mirrored reports whether the label of (u,v) determines that of (v,u).
func (g *graph) mirrored() bool {
	return g.learn.Relation == edge.Symmetric || g.learn.Relation == edge.Reciprocal
}

// part is the graph of some edges, over the nodes that they touch.
type part struct {
	*graph
	// The numbers of its edges and nodes in the whole graph.
	edgeNumbers            []int
	rowNumbers, colNumbers []int32
}

func (g *graph) part(edges []int) part {
	one := g.rows == g.cols && (g.mirrored() || g.kernel.OneDomain())
	ends := func(nodes []int32) []int32 {
		out := make([]int32, len(edges))
		for a, e := range edges {
			out[a] = nodes[e]
		}
		return out
	}
	row, col := ends(g.edges.Row), ends(g.edges.Col)
	var rows, cols []int32
	if one {
		at, used := distinct(append(row, col...), g.rows.Rows)
		row, col, rows, cols = at[:len(edges)], at[len(edges):], used, used
	} else {
		row, rows = distinct(row, g.rows.Rows)
		col, cols = distinct(col, g.cols.Rows)
	}
	p := *g
	p.rows = between(g.rows, rows, rows)
	if p.cols = p.rows; !one {
		p.cols = between(g.cols, cols, cols)
	}
	p.edges = edge.Edges{Row: row, Col: col}
	p.y = make([]float64, len(edges))
	for a, e := range edges {
		p.y[a] = g.y[e]
	}
	return part{&p, edges, rows, cols}
}

// between returns the entries of k at some rows and columns.
func between(k *data.Dense, rows, cols []int32) *data.Dense {
	out := data.NewDense(len(rows), len(cols), nil)
	for a, i := range rows {
		from, to := k.Row(int(i)), out.Row(a)
		for b, j := range cols {
			to[b] = from[j]
		}
	}
	return out
}

// distinct returns the nodes of a list without repetition, ascending, and the place among them of each entry of
// the list; there are n nodes.
func distinct(nodes []int32, n int) (at, used []int32) {
	of := make([]int32, n)
	for _, v := range nodes {
		of[v] = 1
	}
	for v := range of {
		if of[v] == 1 {
			of[v] = int32(len(used))
			used = append(used, int32(v))
		}
	}
	at = make([]int32, len(nodes))
	for a, v := range nodes {
		at[a] = of[v]
	}
	return at, used
}
