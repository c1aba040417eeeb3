package kron

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/pairterms"
)

// product adds one term: dst_h += weight Σ_e A[h_a, e_a] B[h_b, e_b] v_e. Unless mirror is 0, it adds mirror
// times the same term at the reverse of edge h.
type product struct {
	weight, mirror float64
	kind           kind
	a              linalg.Mat // nodes of out × nodes of in
	b              linalg.Mat
	bt             linalg.Mat // B transposed: row of an in node
	outA, outB     []int32    // nodes of the edges of out
	inA, inB       []int32
	byA            *grouped // edges of in by their node at A
	first, second  bool     // the steps over B and over A are dense

	// Made on first use.
	into       *adjacency // edges of in by their node at A
	onto, back *runs      // edges of out, and reversed
}

// kind is the form of a product.
type kind int

const (
	general kind = iota // two matrices
	sums                // B is all ones
	sameAtB             // B is the identity
)

// edgeCost is the time of a multiplication in a pass through the edges, relative to one in a product of dense
// matrices.
const edgeCost = 3

func newProduct(t pairterms.Term, f *factors, out, in Edges, groups [2]*grouped) *product {
	p := &product{weight: t.Weight, a: linalg.Mat(*f.matrix(t.A, false)), outA: nodesAt(out, t.A.Of),
		inA: nodesAt(in, t.A.To), byA: groups[t.A.To]}
	if t.B.As == pairterms.One {
		p.kind = sums
		return p
	}
	p.outB, p.inB = nodesAt(out, t.B.Of), nodesAt(in, t.B.To)
	if t.B.As == pairterms.Same {
		p.kind = sameAtB
		p.bt = linalg.Mat(*f.matrix(t.A, true))
		p.byA = groups[t.B.To]
		return p
	}
	p.b, p.bt = linalg.Mat(*f.matrix(t.B, false)), transposeOf(f, t.B)
	p.plan(out.Len(), in.Len())
	// The other order of the steps, if it is cheaper.
	q := *p
	q.a, q.b, q.bt = p.b, p.a, transposeOf(f, t.A)
	q.outA, q.outB, q.inA, q.inB, q.byA = p.outB, p.outA, p.inB, p.inA, groups[t.B.To]
	q.plan(out.Len(), in.Len())
	if q.cost(out.Len(), in.Len()) < p.cost(out.Len(), in.Len()) {
		return &q
	}
	return p
}

// transposeOf is the transposed matrix of a link: the matrix itself if it is symmetric.
func transposeOf(f *factors, l pairterms.Link) linalg.Mat {
	if m := f.matrix(l, false); isSymmetric(m) {
		return linalg.Mat(*m)
	}
	return linalg.Mat(*f.matrix(l, true))
}

func isSymmetric(m *data.Dense) bool {
	if m.Rows != m.Cols {
		return false
	}
	for i := range m.Rows {
		for j, v := range m.Row(i)[:i] {
			if v != m.Data[j*m.Stride+i] {
				return false
			}
		}
	}
	return true
}

// plan chooses the cheaper way of each step: S = VBᵀ and then the entries of AS.
func (p *product) plan(out, in int) {
	na, nb := float64(p.a.Cols), float64(p.b.Rows)
	p.first = na*float64(p.b.Cols)*nb < edgeCost*float64(in)*nb
	p.second = float64(p.a.Rows)*na*nb < edgeCost*float64(out)*na
}

func (p *product) cost(out, in int) float64 {
	na, nb := float64(p.a.Cols), float64(p.b.Rows)
	step1 := min(na*float64(p.b.Cols)*nb, edgeCost*float64(in)*nb)
	return step1 + min(float64(p.a.Rows)*na*nb, edgeCost*float64(out)*na)
}

// mirrored joins the two terms of the symmetric or the reciprocal kernel if both node kernels are one symmetric
// matrix: the second term is the first at the reversed edge.
func mirrored(products []*product, one bool) []*product {
	if len(products) != 2 || !one || products[0].kind != general || products[1].kind != general {
		return products
	}
	p := products[0]
	if p.a.Rows != p.a.Cols || len(p.b.Data) == 0 || &p.bt.Data[0] != &p.b.Data[0] {
		return products
	}
	p.mirror = products[1].weight
	return products[:1]
}

// addTo adds the product of v to dst.
func (p *product) addTo(dst, v []float64, o *Operator) {
	switch p.kind {
	case sums:
		p.addSums(dst, v, o)
	case sameAtB:
		p.addSame(dst, v, o)
	default:
		p.addGeneral(dst, v, o)
	}
}

// addSums sums v by the node at A: dst_h += weight (A s)[h_a].
func (p *product) addSums(dst, v []float64, o *Operator) {
	s := o.memory(0, 1, p.a.Cols).Data
	clear(s)
	for e, i := range p.inA {
		s[i] += v[e]
	}
	t := o.memory(1, 1, p.a.Rows).Data
	linalg.Gemv(linalg.NoTrans, p.weight, p.a, s, 0, t)
	for h, i := range p.outA {
		dst[h] += t[i]
	}
}

// addSame goes through the edges of each node at B: S[j,:] = Σ v_e Aᵀ[e_a,:] over the e with e_b = j, and dst_h
// += weight S[h_b, h_a].
func (p *product) addSame(dst, v []float64, o *Operator) {
	s := o.memory(0, len(p.byA.start)-1, p.a.Rows)
	p.gather(s, v, p.bt, p.inA, o)
	p.collect(dst, p.outB, p.outA, s)
}

// gather sets row i of s to Σ v_e x[at_e] over the edges e of group i.
func (p *product) gather(s linalg.Mat, v []float64, x linalg.Mat, at []int32, o *Operator) {
	if p.into == nil {
		p.into = newAdjacency(p.byA, at)
	}
	p.into.sumRows(s, v, x, o.memory(2, 1, len(v)).Data)
}

// addGeneral takes S = VBᵀ, V_ij = Σ v_e over the edges e = (i,j), and then the
// entries of AS at the edges of out.
func (p *product) addGeneral(dst, v []float64, o *Operator) {
	na, nb := p.a.Cols, p.b.Rows
	s := o.memory(0, na, nb)
	if p.first {
		dense := o.memory(1, na, p.b.Cols)
		clear(dense.Data)
		for e, i := range p.inA {
			dense.Data[int(i)*dense.Stride+int(p.inB[e])] += v[e]
		}
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, dense, p.bt, 0, s)
	} else {
		p.gather(s, v, p.bt, p.inB, o)
	}
	if p.second {
		r := o.memory(2, p.a.Rows, nb)
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, p.a, s, 0, r)
		p.collect(dst, p.outA, p.outB, r)
		return
	}
	t := o.memory(2, nb, na)
	linalg.TransposeTo(t, s)
	entries := o.memory(1, 1, len(dst)).Data
	if p.onto == nil {
		p.onto = newRuns(group(p.outA, p.a.Rows), p.outB, nb, na)
	}
	p.onto.addEntries(dst, p.weight, p.a, t, entries)
	if p.mirror == 0 {
		return
	}
	if p.back == nil {
		p.back = newRuns(group(p.outB, p.a.Rows), p.outA, nb, na)
	}
	p.back.addEntries(dst, p.mirror, p.a, t, entries)
}

// collect adds the entries of r at rows i and columns j, and at the reversed ones.
func (p *product) collect(dst []float64, i, j []int32, r linalg.Mat) {
	eachEdge(len(dst), func(lo, hi int) {
		for h := lo; h < hi; h++ {
			sum := p.weight * r.Data[int(i[h])*r.Stride+int(j[h])]
			if p.mirror != 0 {
				sum += p.mirror * r.Data[int(j[h])*r.Stride+int(i[h])]
			}
			dst[h] += sum
		}
	})
}
