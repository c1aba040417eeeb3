// Package pairterms multiplies out pairwise kernels as sums of products of two node kernels with index maps (Viljanen,
// Airola and Pahikkala 2022, Generalized vec trick for fast learning of pairwise kernel models, section 3). Training
// and scoring share these sums.
package pairterms

import (
	"fmt"

	"pairrank/relation/pairwise"
)

// End is one of the two nodes of an edge.
type End uint8

const (
	Row End = iota
	Col
)

// String is "row" or "column".
func (e End) String() string { return [...]string{Row: "row", Col: "column"}[e] }

// Factor is a function of a node x and a training node z.
type Factor uint8

const (
	Value  Factor = iota // k(x,z)
	Square               // k(x,z)²
	One                  // 1
	Same                 // [x=z]
)

// Link is a factor between the end Of of the edge that is scored, and the end To of a training edge. For One
// they have no meaning.
type Link struct {
	Of, To End
	As     Factor
}

// Term is Weight · A · B, a product of two node kernels with index maps. A is a Value or a Square; if B is One
// the term has a single link.
type Term struct {
	Weight float64
	A, B   Link
}

// Alone returns the only link of a term whose other factor is 1.
func (t Term) Alone() (l Link, is bool) { return t.A, t.B.As == One }

// TermsOf returns a kernel as a sum of products, multiplied out: 1 to 10 of them (Viljanen, Airola and
// Pahikkala 2022, Generalized vec trick for fast learning of pairwise kernel models). It panics unless the
// kernel is Known.
func TermsOf(k pairwise.Kernel) []Term {
	rr, cc, rc, cr := Link{Row, Row, Value}, Link{Col, Col, Value}, Link{Row, Col, Value}, Link{Col, Row, Value}
	as := func(f Factor, l Link) Link { l.As = f; return l }
	one := Link{As: One}
	switch k {
	case pairwise.Kronecker:
		return []Term{{1, rr, cc}}
	case pairwise.Symmetric:
		return []Term{{0.5, rr, cc}, {0.5, rc, cr}}
	case pairwise.Reciprocal:
		return []Term{{0.5, rr, cc}, {-0.5, rc, cr}}
	case pairwise.Cartesian:
		return []Term{{1, rr, as(Same, cc)}, {1, cc, as(Same, rr)}}
	case pairwise.Linear:
		return []Term{{1, rr, one}, {1, cc, one}}
	case pairwise.Poly2:
		return []Term{{1, as(Square, rr), one}, {2, rr, cc}, {1, as(Square, cc), one}}
	case pairwise.Metric:
		return []Term{
			{1, as(Square, rr), one}, {1, as(Square, cc), one}, {1, as(Square, rc), one}, {1, as(Square, cr), one},
			{2, rr, cc}, {-2, rr, rc}, {-2, rr, cr}, {-2, cc, rc}, {-2, cc, cr}, {2, rc, cr},
		}
	case pairwise.Ranking:
		return []Term{{1, rr, one}, {-1, rc, one}, {-1, cr, one}, {1, cc, one}}
	}
	panic(fmt.Sprintf("pairwise: unknown kernel %q: known are %v", k, pairwise.Kernels))
}
