package kron

import "fmt"

// Kernel is a pairwise kernel between edges (u,v) and (u',v'), made of the kernel
// k of the row nodes and g of the column nodes (Viljanen, Airola and Pahikkala
// 2022, Generalized vec trick for fast learning of pairwise kernel models).
type Kernel string

const (
	// Kronecker is k(u,u') g(v,v').
	Kronecker Kernel = "kronecker"
	// SymmetricKronecker is ½(k(u,u')k(v,v') + k(u,v')k(v,u')), one domain.
	SymmetricKronecker Kernel = "symmetric"
	// ReciprocalKronecker is the same with a minus, one domain.
	ReciprocalKronecker Kernel = "reciprocal"
	// Cartesian is k(u,u')[v=v'] + [u=u']g(v,v'); it says nothing of new nodes.
	Cartesian Kernel = "cartesian"
	// Linear is k(u,u') + g(v,v').
	Linear Kernel = "linear"
	// Poly2 is (k(u,u') + g(v,v'))².
	Poly2 Kernel = "poly2"
	// Metric is (k(u,u') − k(u,v') − k(v,u') + k(v,v'))², one domain: metric
	// learning, MLPK.
	Metric Kernel = "metric"
	// RankingKernel is k(u,u') − k(u,v') − k(v,u') + k(v,v'), one domain: the
	// difference of two scores.
	RankingKernel Kernel = "ranking"
)

// Kernels are the names of all pairwise kernels.
var Kernels = []Kernel{Kronecker, SymmetricKronecker, ReciprocalKronecker, Cartesian, Linear, Poly2, Metric, RankingKernel}

// OneDomain reports whether the kernel compares row nodes with column nodes.
func (k Kernel) OneDomain() bool {
	switch k {
	case SymmetricKronecker, ReciprocalKronecker, Metric, RankingKernel:
		return true
	}
	return false
}

// end is one of the two nodes of an edge.
type end int

const (
	atRow end = iota
	atCol
)

// shape is what a factor is.
type shape int

const (
	nodes    shape = iota // the node kernel
	squares               // its entries squared
	ones                  // 1 for every pair of nodes
	identity              // 1 for a node with itself
)

// part is a factor of a term: it compares one end of an edge with one end of
// another.
type part struct {
	shape   shape
	out, in end
}

// term is weight · a · b.
type term struct {
	weight float64
	a, b   part
}

// terms writes a pairwise kernel as a sum of products of node kernels.
func (k Kernel) terms() []term {
	rr, cc, rc, cr := part{nodes, atRow, atRow}, part{nodes, atCol, atCol}, part{nodes, atRow, atCol}, part{nodes, atCol, atRow}
	square := func(p part) part { p.shape = squares; return p }
	one := part{shape: ones}
	switch k {
	case Kronecker:
		return []term{{1, rr, cc}}
	case SymmetricKronecker:
		return []term{{0.5, rr, cc}, {0.5, rc, cr}}
	case ReciprocalKronecker:
		return []term{{0.5, rr, cc}, {-0.5, rc, cr}}
	case Cartesian:
		return []term{{1, rr, part{identity, atCol, atCol}}, {1, cc, part{identity, atRow, atRow}}}
	case Linear:
		return []term{{1, rr, one}, {1, cc, one}}
	case Poly2:
		return []term{{1, square(rr), one}, {2, rr, cc}, {1, square(cc), one}}
	case Metric:
		return []term{
			{1, square(rr), one}, {1, square(cc), one}, {1, square(rc), one}, {1, square(cr), one},
			{2, rr, cc}, {-2, rr, rc}, {-2, rr, cr}, {-2, cc, rc}, {-2, cc, cr}, {2, rc, cr},
		}
	case RankingKernel:
		return []term{{1, rr, one}, {-1, rc, one}, {-1, cr, one}, {1, cc, one}}
	}
	panic(fmt.Sprintf("kron: unknown pairwise kernel %q: known are %v", k, Kernels))
}

// Pairwise is the pairwise kernel that a relation asks for.
func (r Relation) Pairwise() Kernel {
	switch r {
	case Symmetric:
		return SymmetricKronecker
	case Reciprocal:
		return ReciprocalKronecker
	}
	return Kronecker
}
