package main

import (
	"cmp"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/option"
	"pairrank/kernel"
	"pairrank/relation"
	"pairrank/relation/similarity"
)

// edgeFlags are the flags of every verb that reads labelled edges between nodes.
type edgeFlags struct {
	edges                string
	format               table.EdgesFormat
	rowNodes, colNodes   string // files
	rowKernel, colKernel kernel.Kernel
	transpose            bool
}

// relationFlags are the flags of learning from edges between nodes.
type relationFlags struct {
	edgeFlags
	relation, pairKernel string
	setting              string
	lambdaCols           float64
	sample               int64 // of pairs
	symmetrize, unit     bool
	psd                  similarity.Repair
	earlyStop, curve     string
	patience             int
}

// targets are where the values of the options of edges go.
func (f *edgeFlags) targets() cli.Targets {
	return cli.Targets{
		"edges": &f.edges, "edge-format": option.Into(&f.format, table.ParseEdgesFormat), "transpose": &f.transpose,
		"rows": &f.rowNodes, "cols": &f.colNodes, "row-kernel": option.Into(&f.rowKernel, kernel.Parse),
		"col-kernel": option.Into(&f.colKernel, kernel.Parse),
	}
}

// nodes are the nodes that will be read, with their files and kernels.
func (f *edgeFlags) nodes() relation.Problem {
	p := relation.Problem{Rows: &relation.Nodes{Source: f.rowNodes, Kernel: f.rowKernel}}
	if f.colNodes != "" {
		p.Cols = &relation.Nodes{Source: f.colNodes, Kernel: cmp.Or(f.colKernel, f.rowKernel)}
	}
	return p
}
