package relation

import (
	"fmt"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model/training"
	"pairrank/relation/edge"
)

// Problem is the training data: labelled edges between nodes. Nothing changes it.
type Problem struct {
	Rows *Nodes
	// Cols are the column nodes; nil, or Rows itself, means one domain, in which the column nodes are the row
	// nodes.
	Cols *Nodes
	// Edges are m edges, by the numbers of their nodes from 0. Pairs of nodes may have no edge, or several.
	Edges edge.Edges
	Y     []float64 // their m labels
	// Facts are kept with the model: the origin of the labels, by name.
	Facts []training.Fact
}

// Nodes are the p nodes of the rows or of the columns, with a kernel of features, or a precomputed one of
// similarities.
type Nodes struct {
	// Source names the nodes in errors and notes, as their file; "" is "the row nodes" or "the column nodes".
	Source string
	ID     []string // p different names; nil numbers the nodes from 1
	// Kernel is the node kernel; nil is kernel.Linear, or kernel.Precomputed for nodes with a Similarity.
	Kernel kernel.Kernel
	// X has the p×n features; nil for a precomputed kernel. Nodes have X or Similarity, not both.
	X     *data.Dense
	Names []string // of the n features, or nil
	// Similarity is the p×p matrix of a precomputed kernel. A copy is repaired as the options say.
	Similarity *data.Dense
	// Similarities are several such matrices in its place, each repaired and normalised as the options say. The
	// weights of their sum are learnt, as those of a kernel.Sum without weights: see Choice.
	Similarities []*data.Dense
	Sources      []string // of Similarities, as their files; nil numbers them
}

// OneDomain reports whether the column nodes are the row nodes.
func (p *Problem) OneDomain() bool { return p.Cols == nil || p.Cols == p.Rows }

// cols are the column nodes.
func (p *Problem) cols() *Nodes {
	if p.Cols == nil {
		return p.Rows
	}
	return p.Cols
}

// NodeKernel is the node kernel with its default.
func (n *Nodes) NodeKernel() kernel.Kernel {
	switch {
	case n.Kernel != nil:
		return n.Kernel
	case n.Similarity != nil || n.Similarities != nil:
		return kernel.Precomputed{}
	}
	return kernel.Linear{}
}

func (n *Nodes) precomputed() bool { return n.NodeKernel() == kernel.Kernel(kernel.Precomputed{}) }

// Len is p.
func (n *Nodes) Len() int {
	switch {
	case n.precomputed() && n.Similarity != nil:
		return n.Similarity.Rows
	case n.precomputed() && n.Similarities != nil:
		return n.Similarities[0].Rows
	case n.X != nil:
		return n.X.Rows
	}
	return len(n.ID)
}

// names are those of the nodes.
func (n *Nodes) names() []string {
	if n.ID != nil {
		return slices.Clone(n.ID)
	}
	names := make([]string, n.Len())
	for i := range names {
		names[i] = n.name(i)
	}
	return names
}

// name is that of node i.
func (n *Nodes) name(i int) string {
	if n.ID != nil {
		return n.ID[i]
	}
	return strconv.Itoa(i + 1)
}

// checkShapes panics if the parts of the problem do not fit together.
func (p *Problem) checkShapes() {
	if p.Rows == nil {
		panic("relation: a problem without row nodes")
	}
	for _, n := range []*Nodes{p.Rows, p.cols()} {
		size := n.Len()
		switch {
		case n.precomputed() && !n.square(size):
			panic("relation: a precomputed kernel of nodes without a square matrix of similarities")
		case !n.precomputed() && n.X == nil:
			panic(fmt.Sprintf("relation: kernel %s of nodes without features", n.NodeKernel()))
		case n.ID != nil && len(n.ID) != size:
			panic(fmt.Sprintf("relation: %d names of %d nodes", len(n.ID), size))
		}
	}
	p.checkEdges("edges", p.Edges, p.Y)
}

// square reports whether all similarities are between p nodes.
func (n *Nodes) square(p int) bool {
	all := n.similarities()
	return all != nil && !slices.ContainsFunc(all, func(k *data.Dense) bool {
		return k == nil || k.Rows != p || k.Cols != p
	})
}

// similarities are the one matrix or several.
func (n *Nodes) similarities() []*data.Dense {
	if n.Similarity != nil {
		return []*data.Dense{n.Similarity}
	}
	return n.Similarities
}

// checkEdges panics if an edge is not between the nodes.
func (p *Problem) checkEdges(what string, e edge.Edges, y []float64) {
	if len(e.Row) != len(y) || len(e.Col) != len(y) {
		panic(fmt.Sprintf("relation: %s of %d row nodes and %d column nodes with %d labels",
			what, len(e.Row), len(e.Col), len(y)))
	}
	rows, cols := p.Rows.Len(), p.cols().Len()
	for h := range y {
		if i, j := e.Row[h], e.Col[h]; i < 0 || int(i) >= rows || j < 0 || int(j) >= cols {
			panic(fmt.Sprintf("relation: one of the %s is from node %d of %d to node %d of %d", what, i, rows, j, cols))
		}
	}
}
