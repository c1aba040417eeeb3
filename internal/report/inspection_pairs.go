package report

import (
	"cmp"

	"pairrank/internal/spell"
	"pairrank/relation/pairmodel"
)

// InspectedPairs describes a model of edges.
type InspectedPairs struct {
	Kernel       string         `json:"kernel"`
	Rows         InspectedSide  `json:"rows"`
	Cols         *InspectedSide `json:"cols,omitempty"`
	Coefficients string         `json:"coefficients"` // dense, edges, weights or none
	Count        int            `json:"count"`
}

// InspectedSide describes the nodes of one side.
type InspectedSide struct {
	Kernel     string `json:"kernel"`
	Nodes      int    `json:"nodes,omitempty"` // kept nodes
	Features   int    `json:"features,omitempty"`
	Normalized bool   `json:"normalized"`
	// Sum is the similarities that a precomputed kernel adds up.
	Sum []KernelShare `json:"sum,omitempty"`
}

func inspectPairwise(p *pairmodel.Model) *InspectedPairs {
	side := func(s *pairmodel.Side) InspectedSide {
		out := InspectedSide{Kernel: s.Kernel.String(), Nodes: len(s.ID), Features: len(s.Names),
			Normalized: s.Normalize, Sum: newKernelSum(s.Terms)}
		switch {
		case s.Support != nil:
			_, out.Features = s.Support.Dims()
		case p.Weights != nil && s == &p.Rows:
			out.Features = p.Weights.Rows
		case p.Weights != nil:
			out.Features = p.Weights.Cols
		}
		return out
	}
	out := &InspectedPairs{Kernel: string(p.Kernel), Rows: side(&p.Rows), Coefficients: "none"}
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

// tell adds the kernel and the sides.
func (p *InspectedPairs) tell(v *View) {
	v.fact(Aside, "pairwise kernel", "%s", p.Kernel)
	t := &Table{Above: "pairwise kernel " + p.Kernel, Columns: []Column{{Head: "side", Left: true},
		{Head: "kernel", Left: true}}}
	t.row("rows", p.Rows.text())
	if p.Cols != nil {
		t.row("cols", p.Cols.text())
	}
	switch p.Coefficients {
	case "none":
	case "weights":
		t.Below = []string{p.Coefficients + ": " + spell.Plural(p.Count, "weight")}
	default:
		t.Below = []string{p.Coefficients + ": " + spell.Plural(p.Count, "coefficient")}
	}
	v.tell(t)
}

func (s *InspectedSide) text() string {
	text := "kernel " + cmp.Or(sumText(s.Sum), s.Kernel)
	if s.Nodes > 0 {
		text += ", " + spell.Plural(s.Nodes, "node")
	}
	if s.Features > 0 {
		text += ", " + spell.Plural(s.Features, "feature")
	}
	if s.Normalized {
		text += ", normalised"
	}
	return text
}
