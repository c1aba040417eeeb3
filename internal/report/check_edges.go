package report

import (
	"fmt"

	"pairrank/internal/spell"
	"pairrank/relation"
)

// EdgeCheck is the document of a check of edges between nodes.
type EdgeCheck struct {
	Kind       Kind         `json:"kind"`
	Edges      int          `json:"edges"`
	Repeated   int          `json:"repeated"`
	Unobserved int          `json:"unobserved"` // pairs that were listed without a value
	Complete   bool         `json:"complete"`
	Labels     int          `json:"distinct_labels"`
	Degenerate int          `json:"rows_of_one_label"` // rows without two different labels
	Rows       CheckedSide  `json:"rows"`
	Cols       *CheckedSide `json:"cols,omitempty"` // null for one domain
	Problems   []string     `json:"problems"`
}

// CheckedSide is the row nodes or the column nodes.
type CheckedSide struct {
	Nodes     int     `json:"nodes"`
	Unused    int     `json:"unused"` // nodes without an edge
	Features  int     `json:"features,omitempty"`
	Asymmetry *Number `json:"asymmetry,omitempty"` // of a similarity matrix, relative to its largest entry
	Smallest  *Number `json:"smallest_eigenvalue,omitempty"`
	// Matrices are the similarity matrices, 0 for one; the numbers are the worst of them.
	Matrices int `json:"matrices,omitempty"`
}

// NewEdgeCheck is the document of counted edges, with the number of unobserved pairs and the problems.
func NewEdgeCheck(s *relation.Summary, unobserved int, problems []string) *EdgeCheck {
	d := &EdgeCheck{
		Kind: KindEdgeCheck, Edges: s.Edges, Repeated: s.Repeated, Unobserved: unobserved, Complete: s.Complete,
		Labels:     s.Labels,
		Degenerate: s.Degenerate, Rows: checkedSide(&s.Rows), Problems: append([]string{}, problems...),
	}
	if s.Cols != nil {
		d.Cols = new(checkedSide(s.Cols))
	}
	return d
}

func checkedSide(n *relation.NodeSummary) CheckedSide {
	side := CheckedSide{Nodes: n.Nodes, Unused: n.Unused, Features: n.Features}
	for k, s := range n.Similarities {
		if k == 0 {
			side.Asymmetry, side.Smallest = new(Number(s.Asymmetry)), new(Number(s.Smallest))
			continue
		}
		*side.Asymmetry, *side.Smallest = max(*side.Asymmetry, Number(s.Asymmetry)), min(*side.Smallest, Number(s.Smallest))
		side.Matrices = k + 1
	}
	return side
}

// View is the counts and the problems.
func (d *EdgeCheck) View() *View {
	v, kind := &View{Keys: 10}, "incomplete"
	if d.Complete {
		kind = "complete"
	}
	v.state("edges", "%d, %s, %d repeated, %d unobserved, %s", d.Edges, kind, d.Repeated,
		d.Unobserved, spell.Plural(d.Labels, "distinct label"))
	v.state("silent", "%s with edges of one label", spell.Plural(d.Degenerate, "row"))
	v.state("rows", "%s", d.Rows.text())
	if d.Cols != nil {
		v.state("cols", "%s", d.Cols.text())
	}
	for _, p := range d.Problems {
		v.state("problem", "%s", p)
	}
	return v
}

func (s *CheckedSide) text() string {
	text := fmt.Sprintf("%s, %d without an edge, ", spell.Plural(s.Nodes, "node"), s.Unused)
	if s.Smallest == nil {
		return text + spell.Plural(s.Features, "feature")
	}
	what := "similarity matrix"
	if s.Matrices > 0 {
		what = fmt.Sprintf("the worst of %d similarity matrices", s.Matrices)
	}
	return text + fmt.Sprintf("%s: asymmetry %.3g, smallest eigenvalue %.3g", what,
		float64(*s.Asymmetry), float64(*s.Smallest))
}
