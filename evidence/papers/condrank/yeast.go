package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"pairrank/data"
	"pairrank/format/table"
	"pairrank/internal/holdout"
	"pairrank/internal/parallel"
	"pairrank/relation"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
)

// network is a symmetric relation within one domain, with an edge in both directions
// between every two nodes, 1 for an interaction.
type network struct {
	nodes *relation.Nodes
	edges edge.Edges
	y     []float64
}

// readYeast reads the proteins, their kernel matrix and which of them interact.
func readYeast(dir string) (*network, error) {
	at := func(file string) string { return filepath.Join(dir, "yeast_ppi", file) }
	square := table.MatrixOptions{Separator: ' ', Header: table.HeaderNo, Names: table.HeaderNo}
	similarity, err := table.ReadMatrix(at("yeast_ppi_kernel.txt.gz"), square)
	if err != nil {
		return nil, err
	}
	known, err := table.ReadMatrix(at("yeast_ppi_adj.txt.gz"), square)
	if err != nil {
		return nil, err
	}
	if k, a := similarity.X, known.X; k.Rows != k.Cols || a.Rows != a.Cols || k.Rows != a.Rows {
		return nil, fmt.Errorf("yeast_ppi: similarities of %d×%d and interactions of %d×%d",
			k.Rows, k.Cols, a.Rows, a.Cols)
	}
	names, err := os.ReadFile(at("proteins.txt"))
	if err != nil {
		return nil, err
	}
	proteins := strings.Fields(string(names))
	if len(proteins) != known.X.Rows {
		return nil, fmt.Errorf("yeast_ppi: %d names of %d proteins", len(proteins), known.X.Rows)
	}
	return newNetwork(proteins, similarity.X, known.X), nil
}

// newNetwork is named nodes of a kernel matrix with the edges of a symmetric matrix; no
// node has one to itself.
func newNetwork(names []string, similarity, known *data.Dense) *network {
	n := &network{nodes: &relation.Nodes{ID: names, Similarity: similarity}}
	for u := range known.Rows {
		for v, y := range known.Row(u) {
			if u != v {
				n.edges.Row, n.edges.Col, n.y = append(n.edges.Row, int32(u)), append(n.edges.Col, int32(v)),
					append(n.y, y)
			}
		}
	}
	return n
}

// first is the network of its first nodes, so many of them.
func (n *network) first(most int) *network {
	most = min(most, n.nodes.Len())
	known := data.NewDense(most, most, nil)
	for e, u := range n.edges.Row {
		if v := n.edges.Col[e]; int(u) < most && int(v) < most {
			known.Row(int(u))[v] = n.y[e]
		}
	}
	return newNetwork(n.nodes.ID[:most], part(n.nodes.Similarity, count(0, most), count(0, most)), known)
}

// fold is what one training learns from, and which edges it then scores.
type fold struct{ train, test []int }

// folds deals the edges, or the nodes, into folds. An edge is with the one the other
// way round. A fold of nodes takes all edges that touch it from the training, and scores
// those from its nodes to others. These are the folds of relation.Estimate for a symmetric
// relation, which that takes for the symmetric kernel alone.
func (n *network) folds(setting edge.Setting, folds int, seed uint64) ([]fold, error) {
	units, sequence, what := len(n.y)/2, uint64(1), "edges"
	if setting == edge.Rows {
		units, sequence, what = n.nodes.Len(), 2, "nodes"
	}
	of, err := holdout.Deal(units, folds, seed, sequence, what)
	if err != nil {
		return nil, err
	}
	all := make([]fold, folds)
	number := map[[2]int32]int32{} // of the pairs of nodes
	for e, u := range n.edges.Row {
		v := n.edges.Col[e]
		var row, col int32 // the folds of its nodes, or its own
		if setting == edge.Pairs {
			pair := [2]int32{min(u, v), max(u, v)}
			k, seen := number[pair]
			if !seen {
				k = int32(len(number))
				number[pair] = k
			}
			row, col = of[k], of[k]
		} else {
			row, col = of[u], of[v]
		}
		for f := range all {
			switch {
			case int(row) != f && int(col) != f:
				all[f].train = append(all[f].train, e)
			case setting == edge.Pairs || int(col) != f:
				all[f].test = append(all[f].test, e)
			}
		}
	}
	return all, nil
}

// without trains on some edges and returns the scores of others, in their order.
func (n *network) without(ctx context.Context, f fold, o relation.Options) ([]float64, error) {
	p := relation.Problem{Rows: n.nodes}
	p.Edges, p.Y = n.some(f.train)
	trained, err := relation.Train(ctx, p, o)
	if err != nil {
		return nil, err
	}
	nodes := &pairmodel.Nodes{X: n.nodes.Similarity, Names: n.nodes.ID, ID: n.nodes.ID}
	rows, err := trained.Model.RowValues(nodes)
	if err != nil {
		return nil, err
	}
	cols, err := trained.Model.ColValues(nodes)
	if err != nil {
		return nil, err
	}
	out, _ := n.some(f.test)
	scores := make([]float64, len(f.test))
	trained.Model.ScorePairsTo(scores, rows, cols, out.Row, out.Col)
	return scores, nil
}

// some is some of the edges with their labels.
func (n *network) some(edges []int) (out edge.Edges, y []float64) {
	for _, e := range edges {
		out.Row, out.Col, y = append(out.Row, n.edges.Row[e]), append(out.Col, n.edges.Col[e]), append(y, n.y[e])
	}
	return out, y
}

// heldOut is the score of every edge that is left out by a fold, NaN for the others.
func (n *network) heldOut(ctx context.Context, folds []fold, o relation.Options) ([]float64, error) {
	scores := make([]float64, len(n.y))
	for e := range scores {
		scores[e] = math.NaN()
	}
	var failed error
	var once sync.Once
	parallel.For(len(folds), func(_, f int) {
		found, err := n.without(ctx, folds[f], o)
		if err != nil {
			once.Do(func() { failed = err })
			return
		}
		for k, e := range folds[f].test {
			scores[e] = found[k]
		}
	})
	return scores, failed
}

// counted is, by node, how many pairs of its edges with different labels there are, and
// how many of them are in the wrong order, ties ½.
type counted struct{ wrong, pairs []float64 }

// testedBy is, by edge, the number of the fold that scores it, 0 for none.
func (n *network) testedBy(folds []fold) []int {
	by := make([]int, len(n.y))
	for f := range folds {
		for _, e := range folds[f].test {
			by[e] = f + 1
		}
	}
	return by
}

// count compares the scored edges of each node, those of one training with each other;
// nil compares all. Scores of two trainings are not alike: one without an interaction of
// a node has another level for all edges of the node, which tells of the label.
func (n *network) count(scores []float64, by []int) counted {
	c := counted{make([]float64, n.nodes.Len()), make([]float64, n.nodes.Len())}
	for e, u := range n.edges.Row {
		if n.y[e] == 0 || math.IsNaN(scores[e]) {
			continue
		}
		for g := range n.edges.Row {
			if n.edges.Row[g] != u || n.y[g] != 0 || math.IsNaN(scores[g]) || by != nil && by[e] != by[g] {
				continue
			}
			c.pairs[u]++
			switch d := scores[g] - scores[e]; {
			case math.Abs(d) <= tied*(math.Abs(scores[e])+math.Abs(scores[g])):
				c.wrong[u] += 0.5
			case d > 0:
				c.wrong[u]++
			}
		}
	}
	return c
}

// tied is how far two scores may be apart by rounding, relative to their size.
const tied = 1e-12

// plus adds the pairs of another dealing.
func (c *counted) plus(other counted) {
	if c.pairs == nil {
		c.wrong, c.pairs = make([]float64, len(other.pairs)), make([]float64, len(other.pairs))
	}
	for i := range c.pairs {
		c.wrong[i] += other.wrong[i]
		c.pairs[i] += other.pairs[i]
	}
}

// error is the share of pairs in the wrong order, and its standard error as of a ratio
// over the nodes.
func (c counted) error() (share, stderr float64) {
	return c.above(counted{make([]float64, len(c.pairs)), c.pairs})
}

// above is how much larger the error is than another of the same pairs, and the
// standard error of that over the nodes.
func (c counted) above(other counted) (difference, stderr float64) {
	var wrong, pairs, rows, squares float64
	for i, d := range c.pairs {
		wrong, pairs = wrong+c.wrong[i]-other.wrong[i], pairs+d
	}
	difference = wrong / pairs
	for i, d := range c.pairs {
		if d > 0 {
			v := c.wrong[i] - other.wrong[i] - difference*d
			rows, squares = rows+1, squares+v*v
		}
	}
	return difference, math.Sqrt(rows/(rows-1)*squares) / pairs
}
