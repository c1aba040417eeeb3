package main

import (
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/kernel"
	"pairrank/relation"
)

// edgeFlags are the flags of every verb that reads labelled edges between nodes.
type edgeFlags struct {
	edges, edgeFormat    string
	rowNodes, colNodes   string // files
	rowKernel, colKernel string
	transpose            bool
}

// relationFlags are the flags of learning from edges between nodes.
type relationFlags struct {
	edgeFlags
	relation, pairKernel string
	setting              string
	lambdaCols           string
	sample               string
	symmetrize, unit     bool
	psdFix               string
	earlyStop, curve     string
	patience             int
}

// targets are where the values of the options of edges go.
func (f *edgeFlags) targets() cli.Targets {
	return cli.Targets{
		"edges": &f.edges, "edge-format": &f.edgeFormat, "transpose": &f.transpose, "rows": &f.rowNodes,
		"cols": &f.colNodes, "row-kernel": &f.rowKernel, "col-kernel": &f.colKernel,
	}
}

// nodes are the nodes that will be read, with their files and kernels.
func (f *edgeFlags) nodes() (p relation.Problem, err error) {
	of, err := kernel.Parse(f.rowKernel)
	if err != nil {
		return p, cli.AsUsage(err)
	}
	p.Rows = &relation.Nodes{Source: f.rowNodes, Kernel: of}
	if f.colKernel != "" {
		of, err = kernel.Parse(f.colKernel)
	}
	if f.colNodes != "" {
		p.Cols = &relation.Nodes{Source: f.colNodes, Kernel: of}
	}
	return p, cli.AsUsage(err)
}
