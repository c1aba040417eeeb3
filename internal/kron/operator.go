package kron

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/pairterms"
	"pairrank/internal/parallel"
	"pairrank/relation/pairwise"
)

func nodesAt(e Edges, x pairterms.End) []int32 {
	if x == pairterms.Row {
		return e.Row
	}
	return e.Col
}

// Operator is the matrix of a pairwise kernel between edges, given by its products: dst_h = Σ_e k(h,e) v_e for
// the edges h of one set and e of another. Every term Σ_e A[h,e] B[h,e] v_e takes two steps, over one factor
// and then the other. A step is a product of dense matrices, or goes through the edges (the generalised vec
// trick of Airola and Pahikkala 2018, Fast Kronecker product kernel methods via generalized vec trick),
// whichever needs fewer operations. Results do not depend on the number of threads. An Operator keeps its
// memory between products, and is not safe for concurrent use.
type Operator struct {
	out, in  Edges
	products []*product
	scratch  [3][]float64
}

// NewOperator returns the operator of kernel k from the edges in to the edges out. rows are the node kernels
// (row nodes of out)×(row nodes of in), and cols those of the column nodes. For kernels of one domain both are
// over the same nodes, and one matrix may serve for both. NewOperator keeps the edges and matrices. It costs
// O(1) an edge and O(1) an entry of the matrices; it keeps transposes of asymmetric ones. It panics when a node
// of an edge is out of range, and for Cartesian matrices that are not square.
func NewOperator(k pairwise.Kernel, rows, cols *data.Dense, out, in Edges) *Operator {
	data.Check("kron: rows", rows)
	data.Check("kron: cols", cols)
	check := func(nodes []int32, n int, what string) {
		for _, v := range nodes {
			if v < 0 || int(v) >= n {
				panic(fmt.Sprintf("kron: an edge has %s node %d of %d", what, v, n))
			}
		}
	}
	check(out.Row, rows.Rows, "row")
	check(out.Col, cols.Rows, "column")
	check(in.Row, rows.Cols, "row")
	check(in.Col, cols.Cols, "column")
	if k.OneDomain() && rows.Cols != cols.Cols {
		panic(fmt.Sprintf("kron: kernel %s of %d row nodes and %d column nodes", k, rows.Cols, cols.Cols))
	}
	o := &Operator{out: out, in: in}
	f := &factors{rows: rows, cols: cols}
	groups := [2]*grouped{group(in.Row, rows.Cols), group(in.Col, cols.Cols)}
	for _, t := range pairterms.TermsOf(k) {
		o.products = append(o.products, newProduct(t, f, out, in, groups))
	}
	o.products = mirrored(o.products, rows == cols)
	return o
}

// factors makes the matrices of the factors, once each.
type factors struct {
	rows, cols *data.Dense
	made       map[key]*data.Dense
}

type key struct {
	as         pairterms.Factor
	of         pairterms.End
	transposed bool
}

// matrix is the matrix of a link, or its transpose. The end of the edge in out decides which of the two
// matrices it is: with kernels of one domain both have the same nodes as columns.
func (f *factors) matrix(l pairterms.Link, transposed bool) *data.Dense {
	k := f.rows
	if l.Of == pairterms.Col {
		k = f.cols
	}
	if l.As == pairterms.Value && !transposed {
		return k
	}
	at := key{l.As, l.Of, transposed}
	if m := f.made[at]; m != nil {
		return m
	}
	m := data.NewDense(k.Rows, k.Cols, nil)
	if transposed {
		m = data.NewDense(k.Cols, k.Rows, nil)
	}
	for i := range k.Rows {
		for j, v := range k.Row(i) {
			if l.As == pairterms.Square {
				v *= v
			}
			if transposed {
				m.Data[j*m.Stride+i] = v
			} else {
				m.Data[i*m.Stride+j] = v
			}
		}
	}
	if f.made == nil {
		f.made = map[key]*data.Dense{}
	}
	f.made[at] = m
	return m
}

// grouped is edges by the node at one end: those of node i are edge[start[i]:start[i+1]].
type grouped struct{ start, edge []int32 }

func group(nodes []int32, n int) *grouped {
	g := &grouped{start: make([]int32, n+1), edge: make([]int32, len(nodes))}
	for _, v := range nodes {
		g.start[v+1]++
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	next := append([]int32(nil), g.start[:n]...)
	for e, v := range nodes {
		g.edge[next[v]] = int32(e)
		next[v]++
	}
	return g
}

// MulTo sets dst to the product with v; dst has the length of out and v that of in. They must not overlap. For
// m edges in and out of p and r nodes each term of the kernel costs at most O((p + r)m) by the generalised vec
// trick (Airola and Pahikkala 2018), and O(p²r + pr²) if matrix products are faster. It panics when the lengths
// do not fit.
func (o *Operator) MulTo(dst, v []float64) {
	if len(dst) != o.out.Len() || len(v) != o.in.Len() {
		panic(fmt.Sprintf("kron: a product from %d to %d edges with vectors of %d and %d",
			o.in.Len(), o.out.Len(), len(v), len(dst)))
	}
	clear(dst)
	for _, p := range o.products {
		p.addTo(dst, v, o)
	}
}

// memory returns scratch k as a matrix, with arbitrary contents.
func (o *Operator) memory(k, rows, cols int) linalg.Mat {
	if cap(o.scratch[k]) < rows*cols {
		o.scratch[k] = make([]float64, rows*cols)
	}
	return linalg.Mat{Rows: rows, Cols: cols, Stride: cols, Data: o.scratch[k][:rows*cols]}
}

// pieceEdges is the number of edges in a piece of work.
const pieceEdges = 1024

// eachEdge calls do for ranges of n edges, on all cores.
func eachEdge(n int, do func(lo, hi int)) {
	parallel.Chunks(n, pieceEdges, func(_, lo, hi int) { do(lo, hi) })
}
