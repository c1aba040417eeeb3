package kernelsum

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/relation/edge"
)

// Edges is the Problem of a p×r matrix of labels of edges, with a sum of kernels K of the p row nodes and another sum G
// of the r column nodes: the loss of package kron with K ⊗ G. For the ranking loss G is taken over the vectors
// orthogonal to 1, in a basis of theirs, which leaves a ridge regression of the centred labels. The weights of the rows
// come first. In one domain both sums are one.
type Edges struct {
	// Norms are n_i of the rows and of the columns: the mean squared length of the nodes under each kernel, for the
	// columns of the ranking loss of their distances to their mean. The only kernel of a side has 1.
	Norms [2][]float64

	one     bool
	kernels [2][]linalg.Mat // over n_i, those of the columns in the basis
	sides   [2]*edgeSide    // of a side with one kernel, which does not change
	start   []float64
	basis   linalg.Mat // of the columns
	z       linalg.Mat // the labels in the basis
	setting edge.Setting
	lambdas []float64
	at      int // the place of the last λ, −1 at first
}

// NewEdges copies matrices of p×p of the rows and of r×r of the columns. Labels of edges that are not known are NaN;
// only Start takes these. In one domain the kernels of the columns are those of the rows, perhaps between other nodes.
// Cost O(n(p³ + r³)) for n kernels.
func NewEdges(kernels [2][]*data.Dense, y *data.Dense, loss edge.Loss, oneDomain bool) *Edges {
	e := &Edges{one: oneDomain}
	z := aboutMean(y, loss)
	e.basis = basisOf(y.Cols, loss)
	e.z = z.Mul(e.basis)
	for s, given := range kernels {
		for _, k := range given {
			a := linalg.Mat(*k).Clone()
			if s == 1 {
				a = e.basis.TMul(a).Mul(e.basis)
			}
			n := 1.0
			if len(given) > 1 {
				n = normOf(trace(a), trace(linalg.Mat(*k)), float64(k.Rows))
			}
			if s == 1 && e.one {
				n = e.Norms[0][len(e.Norms[1])]
			}
			divide(a, n)
			e.Norms[s], e.kernels[s] = append(e.Norms[s], n), append(e.kernels[s], a)
		}
	}
	e.align(kernels, z)
	return e
}

// HoldOut sets what is left out, an edge, a row or a column at a time, and the grid of λ. All labels are known.
func (e *Edges) HoldOut(setting edge.Setting, lambdas []float64) {
	e.setting, e.lambdas, e.at = setting, lambdas, -1
}

// Sizes are the numbers of weights of the rows and of the columns, or of both at once in one domain.
func (e *Edges) Sizes() []int {
	if e.one {
		return []int{len(e.kernels[0])}
	}
	return []int{len(e.kernels[0]), len(e.kernels[1])}
}

// Start is centred alignment of the kernels of each side with the labels of its nodes: with CZZᵀC for labels Z, which
// the ranking loss takes about the means of their rows. Unknown labels are at the mean.
func (e *Edges) Start() []float64 { return e.start }

func (e *Edges) align(kernels [2][]*data.Dense, z linalg.Mat) {
	inner, along := [2]linalg.Mat{}, [2][]float64{}
	for s, given := range kernels {
		labels := z.Clone()
		if s == 1 {
			labels = z.T()
		}
		centreColumns(labels)
		var centred []linalg.Mat
		for i, k := range given {
			a := linalg.Mat(*k).Clone()
			centreColumns(a)
			a = a.T()
			centreColumns(a)
			divide(a, e.Norms[s][i])
			centred = append(centred, a)
			along[s] = append(along[s], linalg.Dot(a.Mul(labels).Data, labels.Data))
		}
		inner[s] = linalg.NewMat(len(given), len(given))
		for i, a := range centred {
			for j, b := range centred {
				inner[s].Row(i)[j] = linalg.Dot(a.Data, b.Data)
			}
		}
	}
	if e.one { // the labels of both ends
		linalg.Axpy(1, along[1], along[0])
		linalg.Axpy(1, inner[1].Data, inner[0].Data)
		e.start = aligned(inner[0], along[0])
		return
	}
	e.start = append(aligned(inner[0], along[0]), aligned(inner[1], along[1])...)
}

// At is At of a Problem: an eigenproblem of each side that has several kernels, O(p³ + r³), and some products of
// matrices for each λ that it tries.
func (e *Edges) At(ctx context.Context, weights []float64) (float64, []float64, error) {
	f := &edgeSpectrum{Edges: e}
	own := [2][]float64{weights, weights}
	if !e.one {
		own = [2][]float64{weights[:len(e.kernels[0])], weights[len(e.kernels[0]):]}
	}
	f.rows, f.cols = e.side(0, own[0]), e.side(1, own[1])
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	f.e = f.rows.u.TMul(e.z).Mul(f.cols.v)
	e.at = best(len(e.lambdas), e.at, func(l int) float64 {
		value, _ := f.loss(e.lambdas[l])
		return value
	})
	value, left := f.loss(e.lambdas[e.at])
	value += negligible * linalg.Dot(e.z.Data, e.z.Data)
	ofRows, ofCols := left.slopes()
	slope := make([]float64, 0, len(weights))
	for s, gamma := range [2]linalg.Mat{ofRows, ofCols} {
		of := [2]*edgeSide{f.rows, f.cols}[s]
		gamma = of.v.Mul(gamma).MulT(of.v)
		for i, k := range e.kernels[s] {
			d := 2 * linalg.Dot(k.Data, gamma.Data) / value
			if s == 1 && e.one {
				slope[i] += d
			} else {
				slope = append(slope, d)
			}
		}
	}
	return math.Log(value), slope, ctx.Err()
}

// edgeSide is the sum of a side in its eigenvectors.
type edgeSide struct {
	d []float64
	v linalg.Mat // an eigenvector a column, of the columns in the basis
	u linalg.Mat // the same for each node
}

func (e *Edges) side(s int, weights []float64) *edgeSide {
	if e.sides[s] != nil {
		return e.sides[s]
	}
	a := linalg.NewMat(e.kernels[s][0].Rows, e.kernels[s][0].Cols)
	for i, k := range e.kernels[s] {
		linalg.Axpy(weights[i], k.Data, a.Data)
	}
	out, v := &edgeSide{d: make([]float64, a.Rows)}, linalg.NewMat(a.Rows, a.Rows)
	linalg.SymEigen(a, out.d, v)
	for k, d := range out.d {
		out.d[k] = max(0, d)
	}
	out.v = v.T()
	if out.u = out.v; s == 1 {
		out.u = e.basis.Mul(out.v)
	}
	if len(e.kernels[s]) == 1 {
		e.sides[s] = out
	}
	return out
}

// edgeSpectrum is both sums in their eigenvectors, and the labels in them.
type edgeSpectrum struct {
	*Edges
	rows, cols *edgeSide
	e          linalg.Mat
}

// aboutMean is the labels about the means of their rows, or of all for regression, and 0 where they are unknown.
func aboutMean(y *data.Dense, loss edge.Loss) linalg.Mat {
	z := linalg.NewMat(y.Rows, y.Cols)
	sum, known := 0.0, 0.0
	each := func(i int, do func(j int, v float64)) {
		for j, v := range y.Row(i) {
			if !math.IsNaN(v) {
				do(j, v)
			}
		}
	}
	if loss == edge.Regression {
		for i := range y.Rows {
			each(i, func(_ int, v float64) { sum, known = sum+v, known+1 })
		}
		if int(known) == len(y.Data) { // the loss has no constant, and the side of Start takes it away
			sum = 0
		}
	}
	for i := range y.Rows {
		if loss != edge.Regression {
			sum, known = 0, 0
			each(i, func(_ int, v float64) { sum, known = sum+v, known+1 })
		}
		each(i, func(j int, v float64) { z.Row(i)[j] = v - sum/known })
	}
	return z
}

// basisOf is an orthonormal basis of what the loss sees of r columns, a vector a column: of the vectors orthogonal to 1
// the last columns of the reflection by 1 + √r e, e the first axis, which takes 1 to that axis.
func basisOf(r int, loss edge.Loss) linalg.Mat {
	b, first := linalg.NewMat(r, r), 0
	for i := range r {
		b.Row(i)[i] = 1
	}
	if loss != edge.Regression {
		first = 1
		root := math.Sqrt(float64(r))
		for i := range r {
			v := 1.0
			if i == 0 {
				v += root
			}
			for j := range b.Row(i) {
				b.Row(i)[j] -= v / (root * (root + 1))
			}
		}
	}
	return b.Slice(0, r, first, r).Clone()
}

// centreColumns takes the mean off each column.
func centreColumns(a linalg.Mat) {
	mean := make([]float64, a.Cols)
	for i := range a.Rows {
		linalg.Axpy(1/float64(a.Rows), a.Row(i), mean)
	}
	parallel.For(a.Rows, func(_, i int) { linalg.Axpy(-1, mean, a.Row(i)) })
}

func trace(a linalg.Mat) (sum float64) {
	for i := range a.Rows {
		sum += a.Row(i)[i]
	}
	return sum
}
