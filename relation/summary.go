package relation

import (
	"slices"

	"pairrank/internal/similarity"
)

// Summary counts labelled edges and the nodes that they connect, before any training.
type Summary struct {
	Edges    int
	Repeated int  // edges beyond the first between the same two nodes
	Complete bool // there is exactly one edge for every pair of nodes
	Labels   int  // distinct ones
	// Degenerate counts the rows whose edges all have one label. Ordered reports whether some row has two;
	// otherwise no order can be learnt.
	Degenerate int
	Ordered    bool
	Rows       NodeSummary
	Cols       *NodeSummary // nil for one domain: then Rows counts both
}

// NodeSummary counts the nodes of the rows or of the columns.
type NodeSummary struct {
	Nodes, Unused int // all, and those without an edge
	Features      int // 0 if there are similarity matrices
	Similarities  []SimilaritySummary
}

// SimilaritySummary measures how far a similarity matrix is from a kernel matrix.
type SimilaritySummary struct {
	Source string // of the matrix
	// Asymmetry is the largest |k(i,j) − k(j,i)|, relative to the largest entry.
	Asymmetry float64
	// Smallest is the smallest eigenvalue of the symmetric part (k + kᵀ)/2.
	Smallest float64
	diagonal float64 // its largest entry
}

// Asymmetric reports whether Train refuses the matrix without Options.Symmetrize, since the asymmetry is more
// than rounding in a file.
func (s *SimilaritySummary) Asymmetric() bool { return s.Asymmetry > asymmetric }

// Indefinite reports whether Train refuses the matrix without Options.PSD, since an eigenvalue is negative
// beyond rounding.
func (s *SimilaritySummary) Indefinite() bool { return s.Smallest < -negligible*s.diagonal }

// Summarize counts the m edges of p, and examines its similarity matrices. It costs O(m), and O(p³) for the
// smallest eigenvalue of each matrix of p nodes. It panics if the parts of the problem do not fit together, as
// Train does.
func Summarize(p *Problem) *Summary {
	p.checkShapes()
	s := &Summary{Edges: len(p.Y), Rows: summarizeNodes(p.Rows)}
	pairs, labels := map[[2]int32]bool{}, map[float64]bool{}
	rows, cols := map[int32]bool{}, map[int32]bool{}
	first, ordered := map[int32]float64{}, map[int32]bool{} // labels of a row
	for e, y := range p.Y {
		i, j := p.Edges.Row[e], p.Edges.Col[e]
		pairs[[2]int32{i, j}] = true
		labels[y], rows[i], cols[j] = true, true, true
		if old, seen := first[i]; !seen {
			first[i] = y
		} else if old != y {
			ordered[i] = true
		}
	}
	s.Repeated, s.Labels = len(p.Y)-len(pairs), len(labels)
	s.Complete = s.Repeated == 0 && len(pairs) == p.Rows.Len()*p.cols().Len()
	s.Degenerate, s.Ordered = len(rows)-len(ordered), len(ordered) > 0
	if p.OneDomain() {
		for j := range cols {
			rows[j] = true
		}
	} else {
		side := summarizeNodes(p.Cols)
		side.Unused = side.Nodes - len(cols)
		s.Cols = &side
	}
	s.Rows.Unused = s.Rows.Nodes - len(rows)
	return s
}

func summarizeNodes(n *Nodes) NodeSummary {
	s := NodeSummary{Nodes: n.Len()}
	if !n.precomputed() {
		s.Features = n.X.Cols
		return s
	}
	for i, k := range n.similarities() {
		k = k.Clone()
		one := SimilaritySummary{Source: n.source(i), Asymmetry: similarity.Symmetrize(k),
			diagonal: slices.Max(similarity.Diagonal(k))}
		one.Smallest = similarity.SmallestEigenvalue(k)
		s.Similarities = append(s.Similarities, one)
	}
	return s
}
