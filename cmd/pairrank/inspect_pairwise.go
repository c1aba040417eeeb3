package main

import (
	"fmt"
	"io"

	"pairrank/model"
)

// inspectionPairwise is what a model of edges holds.
type inspectionPairwise struct {
	Kernel       string         `json:"kernel"`
	Rows         inspectedSide  `json:"rows"`
	Cols         *inspectedSide `json:"cols,omitempty"`
	Coefficients string         `json:"coefficients"` // dense, edges, weights or none
	Count        int            `json:"count"`
}

// inspectedSide is the nodes of one side.
type inspectedSide struct {
	Kernel     string `json:"kernel"`
	Nodes      int    `json:"nodes"`
	Normalized bool   `json:"normalized"`
}

func inspectPairwise(p *model.Pairwise) *inspectionPairwise {
	side := func(s *model.Side) inspectedSide {
		return inspectedSide{s.Kernel.String(), len(s.ID), s.Normalize}
	}
	out := &inspectionPairwise{Kernel: p.Kind, Rows: side(&p.Rows), Coefficients: "none"}
	if p.Cols != nil {
		cols := side(p.Cols)
		out.Cols = &cols
	}
	switch {
	case p.Coef != nil:
		out.Coefficients, out.Count = "dense", p.Coef.Rows*p.Coef.Cols
	case p.Edges != nil:
		out.Coefficients, out.Count = "edges", len(p.Edges.Value)
	case p.Weights != nil:
		out.Coefficients, out.Count = "weights", p.Weights.Rows*p.Weights.Cols
	}
	return out
}

// write prints it for people.
func (p *inspectionPairwise) write(w io.Writer) error {
	fmt.Fprintf(w, "\npairwise kernel %s\n", p.Kernel)
	side := func(name string, s *inspectedSide) {
		fmt.Fprintf(w, "  %-5s kernel %s, %s", name, s.Kernel, plural(s.Nodes, "node"))
		if s.Normalized {
			fmt.Fprint(w, ", normalised")
		}
		fmt.Fprintln(w)
	}
	side("rows", &p.Rows)
	if p.Cols != nil {
		side("cols", p.Cols)
	}
	_, err := fmt.Fprintf(w, "  %s: %s\n", p.Coefficients, plural(p.Count, "coefficient"))
	return err
}
