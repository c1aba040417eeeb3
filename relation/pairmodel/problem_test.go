package pairmodel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// pairRoundoff bounds the difference from the definition: some dozen units in the last place of the terms. The
// terms of the metric kernel, multiplied out, are some hundred times its value.
const pairRoundoff = 1e-11

// pairProblem is a model with nodes to score, and the same as names and numbers.
type pairProblem struct {
	name       string
	p          *Model
	rows, cols *Nodes
	train      [2]*data.Dense // features of the training nodes
	given      [2]*data.Dense // features of the nodes to score
}

// define is f of pair (i,j) of the nodes to score, added up edge by edge.
func (q *pairProblem) define(i, j int) float64 {
	p := q.p
	d, t := q.given[0].Row(i), q.given[1].Row(j)
	if p.Kernel == Similarity {
		return naiveNodeKernel(&p.Rows, d, t)
	}
	sum := 0.0
	each := func(e, f int, c float64) {
		sum += c * naivePairKernel(p, d, t, q.train[0].Row(e), q.train[1].Row(f),
			q.rows.ID[i], q.cols.ID[j], p.Rows.ID[e], p.ColSide().ID[f])
	}
	if p.Edges != nil {
		for k, c := range p.Edges.Value {
			each(int(p.Edges.Row[k]), int(p.Edges.Col[k]), c)
		}
		return sum
	}
	for e := range p.Coef.Rows {
		for f, c := range p.Coef.Row(e) {
			each(e, f, c)
		}
	}
	return sum
}

func naivePairKernel(p *Model, d, t, e, f []float64, dID, tID, eID, fID string) float64 {
	rows, cols := &p.Rows, p.ColSide()
	de, tf := naiveNodeKernel(rows, d, e), naiveNodeKernel(cols, t, f)
	var df, te float64
	if p.Cols == nil {
		df, te = naiveNodeKernel(rows, d, f), naiveNodeKernel(rows, t, e)
	}
	switch p.Kernel {
	case pairwise.Kronecker:
		return de * tf
	case pairwise.Symmetric:
		return (de*tf + df*te) / 2
	case pairwise.Reciprocal:
		return (de*tf - df*te) / 2
	case pairwise.Cartesian:
		sum := 0.0
		if tID == fID {
			sum += de
		}
		if dID == eID {
			sum += tf
		}
		return sum
	case pairwise.Linear:
		return de + tf
	case pairwise.Poly2:
		return (de + tf) * (de + tf)
	case pairwise.Metric:
		return (de - df - te + tf) * (de - df - te + tf)
	case pairwise.Ranking:
		return de - df - te + tf
	}
	panic(p.Kernel)
}

// naiveNodeKernel assumes that the kernel of a precomputed side is Gaussian with γ = 0.3, times ‖x‖‖z‖ so that
// its diagonal is not 1.
func naiveNodeKernel(s *Side, x, z []float64) float64 {
	raw := func(x, z []float64) float64 {
		if s.Precomputed() {
			lengths := math.Sqrt(naiveKernel(kernel.Linear{}, x, x) * naiveKernel(kernel.Linear{}, z, z))
			return naiveKernel(kernel.Gaussian{Gamma: 0.3}, x, z) * lengths
		}
		return naiveKernel(s.Kernel, x, z)
	}
	if !s.Normalize {
		return raw(x, z)
	}
	return raw(x, z) / math.Sqrt(raw(x, x)*raw(z, z))
}

func naiveGram(s *Side, x, z *data.Dense) *data.Dense {
	k := data.NewDense(x.Rows, z.Rows, nil)
	for i := range x.Rows {
		for j := range z.Rows {
			k.Row(i)[j] = naiveNodeKernel(s, x.Row(i), z.Row(j))
		}
	}
	return k
}

// makeSide makes p training nodes of a kernel, and r nodes to score; with known the first of these are training
// nodes.
func makeSide(r *rand.Rand, prefix string, k kernel.Kernel,
	normalize, known bool) (s Side, n *Nodes, train, given *data.Dense) {
	p, features := 1+r.IntN(6), 1+r.IntN(4)
	train = random(p, features, r.Uint64())
	given = random(r.IntN(7), features, r.Uint64())
	s = Side{Kernel: k, Normalize: normalize}
	n = &Nodes{ID: []string{}}
	for i := range p {
		s.ID = append(s.ID, fmt.Sprintf("%s%d", prefix, i))
	}
	for i := range given.Rows {
		if at := r.IntN(p); known || r.IntN(2) == 0 {
			copy(given.Row(i), train.Row(at))
			n.ID = append(n.ID, s.ID[at])
		} else {
			n.ID = append(n.ID, fmt.Sprintf("new%d", i))
		}
	}
	if s.Precomputed() {
		fillPrecomputed(r, &s, n, train, given)
		return s, n, train, given
	}
	s.Names = []string{"a", "b", "c", "d"}[:features]
	s.Support, n.X = train, given
	if r.IntN(2) == 0 && !normalize { // a row of zeros cannot be normalised
		s.Support = sparse(train)
		train = data.ToDense(s.Support)
		for i, id := range n.ID { // known nodes lose the same values
			if at := slices.Index(s.ID, id); at >= 0 {
				copy(given.Row(i), train.Row(at))
			}
		}
	}
	if r.IntN(2) == 0 {
		n.X = allStored(given)
	}
	if r.IntN(2) == 0 {
		n.Names = s.Names
	}
	return s, n, train, given
}

// allStored is x with every value stored.
func allStored(x *data.Dense) *data.CSR { return gen.Sparse(x, nil) }

// fillPrecomputed gives the kernel matrix with its columns in another order.
func fillPrecomputed(r *rand.Rand, s *Side, n *Nodes, train, given *data.Dense) {
	raw := *s
	raw.Normalize = false
	k := naiveGram(&raw, given, train)
	wide := data.NewDense(k.Rows, k.Cols+1, nil)
	order := r.Perm(k.Cols + 1)
	n.Names = make([]string, k.Cols+1)
	for j, at := range order {
		n.Names[at] = "other"
		if j < k.Cols {
			n.Names[at] = s.ID[j]
		}
		for i := range k.Rows {
			wide.Row(i)[at] = math.NaN()
			if j < k.Cols {
				wide.Row(i)[at] = k.Row(i)[j]
			}
		}
	}
	n.X = wide
	if s.Normalize {
		n.Self = []float64{}
		for i := range given.Rows {
			n.Self = append(n.Self, naiveNodeKernel(&raw, given.Row(i), given.Row(i)))
		}
		for i := range train.Rows {
			s.Diag = append(s.Diag, naiveNodeKernel(&raw, train.Row(i), train.Row(i)))
		}
	}
}

var nodeKernels = []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.3},
	kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2}, kernel.Precomputed{}}

// makePairs is a random problem of a kind with coefficients.
func makePairs(kind pairwise.Kernel, twoDomains, edges bool, seed uint64) *pairProblem {
	r := rand.New(rand.NewPCG(seed, 7))
	k1, k2 := nodeKernels[r.IntN(4)], nodeKernels[r.IntN(4)]
	normalize, known := r.IntN(3) == 0, kind == pairwise.Cartesian
	q := &pairProblem{name: fmt.Sprintf("%s, two domains %v, edges %v, kernels %v %v, normalized %v, seed %d",
		kind, twoDomains, edges, k1, k2, normalize, seed)}
	p := &Model{Kernel: kind}
	p.Rows, q.rows, q.train[0], q.given[0] = makeSide(r, "r", k1, normalize, known)
	q.cols, q.train[1], q.given[1] = q.rows, q.train[0], q.given[0]
	if twoDomains {
		p.Cols = &Side{}
		*p.Cols, q.cols, q.train[1], q.given[1] = makeSide(r, "c", k2, r.IntN(3) == 0, known)
	}
	n1, n2 := len(p.Rows.ID), len(p.ColSide().ID)
	if edges {
		p.Edges = &EdgeCoef{}
		for range r.IntN(n1 * n2) {
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(r.IntN(n1))), append(p.Edges.Col, int32(r.IntN(n2)))
			p.Edges.Value = append(p.Edges.Value, r.NormFloat64())
		}
	} else {
		p.Coef = random(n1, n2, r.Uint64())
	}
	q.p = p
	return q
}

// scores returns the scores of the block.
func (q *pairProblem) scores(p *Model) (*data.Dense, *Values, *Values, error) {
	rows, err := p.RowValues(q.rows)
	if err != nil {
		return nil, nil, nil, err
	}
	cols, err := p.ColValues(q.cols)
	if err != nil {
		return nil, nil, nil, err
	}
	dst := &data.Dense{Rows: rows.Len(), Cols: cols.Len(), Stride: cols.Len() + 1,
		Data: make([]float64, rows.Len()*(cols.Len()+1))}
	p.ScoreBlockTo(dst, rows, cols)
	return dst, rows, cols, nil
}

// eachProblem calls f with random problems of every kind.
func eachProblem(t *testing.T, count int, f func(q *pairProblem)) {
	t.Helper()
	for _, kind := range kernels {
		if kind == Similarity {
			continue
		}
		for seed := range uint64(count) {
			for _, twoDomains := range []bool{false, true} {
				if twoDomains && (&Model{Kernel: kind}).oneDomain() {
					continue
				}
				f(makePairs(kind, twoDomains, seed%2 == 0, seed))
			}
		}
	}
}
