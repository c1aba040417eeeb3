package pairwise

import "slices"

// Kernel is a pairwise kernel between edges (u,v) and (u',v'), made of the kernel k of
// the row nodes and g of the column nodes.
type Kernel string

const (
	// Kronecker is k(u,u') g(v,v').
	Kronecker Kernel = "kronecker"
	// Symmetric is ½(k(u,u')k(v,v') + k(u,v')k(v,u')), one domain.
	Symmetric Kernel = "symmetric"
	// Reciprocal is the same with a minus, one domain.
	Reciprocal Kernel = "reciprocal"
	// Cartesian is k(u,u')[v=v'] + [u=u']g(v,v'); it is 0 if both nodes are new.
	Cartesian Kernel = "cartesian"
	// Linear is k(u,u') + g(v,v').
	Linear Kernel = "linear"
	// Poly2 is (k(u,u') + g(v,v'))².
	Poly2 Kernel = "poly2"
	// Metric is (k(u,u') − k(u,v') − k(v,u') + k(v,v'))², one domain: metric
	// learning, MLPK.
	Metric Kernel = "metric"
	// Ranking is k(u,u') − k(u,v') − k(v,u') + k(v,v'), one domain: the difference of
	// two scores.
	Ranking Kernel = "ranking"
)

// Kernels are the names of all pairwise kernels.
var Kernels = []Kernel{Kronecker, Symmetric, Reciprocal, Cartesian, Linear, Poly2, Metric, Ranking}

// Known reports whether k is one of Kernels.
func (k Kernel) Known() bool { return slices.Contains(Kernels, k) }

// OneDomain reports whether the kernel compares row nodes with column nodes, so that both
// must be the same nodes with one kernel.
func (k Kernel) OneDomain() bool {
	switch k {
	case Symmetric, Reciprocal, Metric, Ranking:
		return true
	}
	return false
}
