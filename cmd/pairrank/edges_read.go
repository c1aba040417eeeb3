package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/table"
	"pairrank/kernel"
	"pairrank/model/training"
	"pairrank/relation"
	"pairrank/relation/edge"
)

// edgeProblem is labelled edges between nodes, as they were read.
type edgeProblem struct {
	relation.Problem
	unobserved int // pairs that the file of edges names without a value
}

// readProblem reads the nodes and the edges between them. So far only the files and kernels of the
// nodes are known. A threshold that is not nil makes the labels 0 and 1.
func (a *app) readProblem(f *edgeFlags, nodes relation.Problem, threshold *float64) (*edgeProblem, error) {
	p := &edgeProblem{Problem: nodes}
	for _, n := range p.sides() {
		if err := a.fillNodes(n); err != nil {
			return nil, err
		}
	}
	if threshold != nil {
		p.Facts = []training.Fact{{Name: "binarize", Value: strconv.FormatFloat(*threshold, 'g', -1, 64)}}
	}
	var err error
	p.Edges, p.Y, p.unobserved, err = a.readLabelled(f.edges, f, p, threshold)
	return p, err
}

// sides are the row nodes and, where they are others, the column nodes.
func (p *edgeProblem) sides() []*relation.Nodes {
	if p.Cols == nil {
		return []*relation.Nodes{p.Rows}
	}
	return []*relation.Nodes{p.Rows, p.Cols}
}

// columns are the column nodes.
func (p *edgeProblem) columns() *relation.Nodes { return cmp.Or(p.Cols, p.Rows) }

// readNodes, readSimilarity and readEdges read one file. Where it is a pipe to which nobody
// writes, an interrupted run ends without waiting for it.
func (a *app) readNodes(path string) (*table.Nodes, error) {
	o := table.NodesOptions{MaxLine: a.MaxLine}
	n, err := cli.AwaitFor(a.Ctx, func() (*table.Nodes, error) { return table.ReadNodes(path, o) })
	return n, cli.FileError(err)
}

func (a *app) readSimilarity(path string) (*table.Similarity, error) {
	read := func() (*table.Similarity, error) { return table.ReadSimilarityLines(path, a.MaxLine) }
	m, err := cli.AwaitFor(a.Ctx, read)
	return m, cli.FileError(err)
}

func (a *app) readEdges(path string, o table.EdgesOptions, transpose bool) (*table.Edges, error) {
	o.MaxLine = a.MaxLine
	e, err := cli.AwaitFor(a.Ctx, func() (*table.Edges, error) { return table.ReadEdges(path, o) })
	if err == nil && transpose {
		e.Transpose()
	}
	return e, cli.FileError(err)
}

// matchError makes an error about ids of edges that no node has an error of the data, with
// a way out where the edges only have rows and columns exchanged.
func matchError(err error, transposed bool) error {
	var exchanged *table.ExchangedError
	switch {
	case !errors.As(err, &exchanged):
		return cli.AsData(err)
	case transposed:
		return cli.WithHint(cli.AsData(err), "without --transpose they are as the nodes")
	}
	return cli.WithHint(cli.AsData(err), "--transpose exchanges them as it reads the edges; or exchange --rows and "+
		"--cols")
}

// fillNodes reads the features, or the similarities, of nodes.
func (a *app) fillNodes(n *relation.Nodes) error {
	_, precomputed := n.Kernel.(kernel.Precomputed)
	if precomputed && n.Sources != nil {
		return a.fillSimilarities(n)
	}
	if precomputed {
		m, err := a.readSimilarity(n.Source)
		if err != nil {
			return err
		}
		n.ID = m.RowID
		n.Similarity, err = m.Align(m.RowID, m.RowID)
		return cli.AsData(err)
	}
	nodes, err := a.readNodes(n.Source)
	if err != nil {
		return err
	}
	n.ID, n.X, n.Names = nodes.ID, nodes.X, nodes.Names
	return nil
}

// fillSimilarities reads several similarities of the nodes of the first.
func (a *app) fillSimilarities(n *relation.Nodes) error {
	for _, path := range n.Sources {
		m, err := a.readSimilarity(path)
		if err != nil {
			return err
		}
		if n.ID == nil {
			n.ID = m.RowID
		}
		k, err := m.Align(n.ID, n.ID)
		if err == nil && len(m.RowID) != len(n.ID) {
			err = fmt.Errorf("%s has %d nodes, and %s has %d: all similarities of a side are of the same nodes", path,
				len(m.RowID), n.Sources[0], len(n.ID))
		}
		if err != nil {
			return cli.AsData(err)
		}
		n.Similarities = append(n.Similarities, k)
	}
	n.Sources = shortNames(n.Sources)
	return nil
}

// shortNames are the names of files without their folders, where these differ.
func shortNames(files []string) []string {
	names := make([]string, len(files))
	for i, file := range files {
		if names[i] = filepath.Base(file); slices.Contains(names[:i], names[i]) {
			return files
		}
	}
	return names
}

// checkUTF8 refuses names of nodes and features that a model cannot keep.
func (p *edgeProblem) checkUTF8() error {
	for _, n := range p.sides() {
		if err := cmp.Or(checkUTF8(n.Source, "node", n.ID), checkUTF8(n.Source, "feature", n.Names)); err != nil {
			return err
		}
	}
	return nil
}

// readLabelled reads labelled edges between the nodes of p. unobserved is how many pairs
// the file names without a value.
func (a *app) readLabelled(path string, f *edgeFlags, p *edgeProblem, threshold *float64) (of edge.Edges,
	y []float64, unobserved int, err error) {
	e, err := a.readEdges(path, table.EdgesOptions{Format: f.format}, f.transpose)
	if err != nil {
		return of, nil, 0, err
	}
	if of.Row, of.Col, err = e.Match(p.Rows.ID, p.columns().ID); err != nil {
		return of, nil, 0, matchError(err, f.transpose)
	}
	if threshold != nil {
		data.Binarize(e.Y, *threshold)
	}
	return of, e.Y, e.Unobserved, nil
}
