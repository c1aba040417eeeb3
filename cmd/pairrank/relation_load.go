package main

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/table"
	"pairrank/kernel"
	"pairrank/relation"
	"pairrank/relation/pairmodel"
)

// relationProblem is edges between nodes, as they were read.
type relationProblem struct {
	relation.Problem
	plan *relationPlan
}

func (a *app) loadRelation(plan *relationPlan) (*relationProblem, error) {
	p := &relationProblem{plan: plan}
	var err error
	if p.Rows, err = a.loadNodes(plan.relationFlags.rows, plan.rowKernel); err != nil {
		return nil, err
	}
	if plan.relationFlags.cols != "" {
		if p.Cols, err = a.loadNodes(plan.relationFlags.cols, plan.colKernel); err != nil {
			return nil, err
		}
	}
	if p.Edges, p.Y, err = p.readEdges(a, plan.relationFlags.edges); err != nil {
		return nil, err
	}
	if plan.threshold != nil {
		p.Facts = []pairmodel.Fact{{Name: "binarize", Value: strconv.FormatFloat(*plan.threshold, 'g', -1, 64)}}
	}
	return p, nil
}

// columns are the column nodes.
func (p *relationProblem) columns() *relation.Nodes {
	if p.Cols == nil {
		return p.Rows
	}
	return p.Cols
}

// readNodes, readSimilarity and readEdges read a file, which may be a pipe that
// never has more: the end of the run does not wait for it.
func (a *app) readNodes(path string) (*table.Nodes, error) {
	n, err := cli.AwaitFor(a.Ctx, func() (*table.Nodes, error) { return table.ReadNodes(path, table.NodesOptions{MaxLine: a.MaxLine}) })
	return n, fileError(err)
}

func (a *app) readSimilarity(path string) (*table.Similarity, error) {
	m, err := cli.AwaitFor(a.Ctx, func() (*table.Similarity, error) { return table.ReadSimilarityLines(path, a.MaxLine) })
	return m, fileError(err)
}

func (a *app) readEdges(path string, o table.EdgesOptions, transpose bool) (*table.Edges, error) {
	o.MaxLine = a.MaxLine
	e, err := cli.AwaitFor(a.Ctx, func() (*table.Edges, error) { return table.ReadEdges(path, o) })
	if err == nil && transpose {
		e.Transpose()
	}
	return e, fileError(err)
}

// transposeFlag gives a verb that reads edges the flag --transpose.
func transposeFlag(cmd *cobra.Command, target *bool) {
	cmd.Flags().BoolVar(target, "transpose", false, "exchange rows and columns of the edges as they are read: col_id row_id value, or columns × rows")
}

// matchError gives the error of edges whose ids are not those of the nodes its
// kind, and a way out where rows and columns are exchanged.
func matchError(err error, transposed bool) error {
	var exchanged *table.ExchangedError
	switch {
	case !errors.As(err, &exchanged):
		return cli.AsData(err)
	case transposed:
		return cli.WithHint(cli.AsData(err), "without --transpose they are as the nodes")
	}
	return cli.WithHint(cli.AsData(err), "--transpose exchanges them as it reads the edges; or exchange --rows and --cols")
}

// loadNodes reads nodes with their features, or their similarities.
func (a *app) loadNodes(path string, k kernel.Kernel) (*relation.Nodes, error) {
	if _, precomputed := k.(kernel.Precomputed); precomputed {
		m, err := a.readSimilarity(path)
		if err != nil {
			return nil, err
		}
		square, err := m.Align(m.RowID, m.RowID)
		return &relation.Nodes{Source: path, ID: m.RowID, Kernel: k, Similarity: square}, cli.AsData(err)
	}
	nodes, err := a.readNodes(path)
	if err != nil {
		return nil, err
	}
	return &relation.Nodes{Source: path, ID: nodes.ID, Kernel: k, X: nodes.X, Names: nodes.Names}, nil
}

// checkUTF8 refuses names of nodes and features that a model cannot keep.
func (p *relationProblem) checkUTF8() error {
	for _, side := range []struct {
		path string
		of   *relation.Nodes
	}{{p.plan.relationFlags.rows, p.Rows}, {p.plan.relationFlags.cols, p.Cols}} {
		if side.path == "" {
			continue
		}
		if err := checkUTF8(side.path, "node", side.of.ID); err != nil {
			return err
		}
		if err := checkUTF8(side.path, "feature", side.of.Names); err != nil {
			return err
		}
	}
	return nil
}

// readEdges reads labelled edges between the nodes.
func (p *relationProblem) readEdges(a *app, path string) (relation.Edges, []float64, error) {
	format, err := table.ParseEdgesFormat(p.plan.edgeFormat)
	if err != nil {
		return relation.Edges{}, nil, cli.AsUsage(err)
	}
	e, err := a.readEdges(path, table.EdgesOptions{Format: format}, p.plan.transpose)
	if err != nil {
		return relation.Edges{}, nil, err
	}
	row, col, err := e.Match(p.Rows.ID, p.columns().ID)
	if err != nil {
		return relation.Edges{}, nil, matchError(err, p.plan.transpose)
	}
	if p.plan.threshold != nil {
		data.Binarize(e.Y, *p.plan.threshold)
	}
	return relation.Edges{Row: row, Col: col}, e.Y, nil
}
