package kernelsum

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Leave is what is left out of a complete graph at a time.
type Leave int

// An edge, the edges of a row node, or those of a column node.
const (
	Edge Leave = iota
	Row
	Col
)

// Edges is the Problem of a complete graph with labels y, p×r, and the kernel K(β) ⊗ G(γ) of similarities of the row and
// of the column nodes. Its weights are β, and then γ, each of sum 1. The loss of ranking, Σ ‖C(y_i − f_i)‖² over the rows
// with the centring C, is ridge regression of yC by the kernel K ⊗ CGC.
type Edges struct {
	// The matrices over n_i, so that their diagonals have the mean 1.
	rows, cols []linalg.Mat
	y          linalg.Mat // centred for ranking
	ranking    bool
	leave      Leave
	lambdas    []float64
	at         int // the place of the last λ, −1 at first
}

// NewEdges takes over labels and matrices, which it changes. One matrix of a side has the weight 1. Cost O(np²) for n
// matrices of p nodes.
func NewEdges(rows, cols []*data.Dense, y *data.Dense, ranking bool, leave Leave, lambdas []float64) *Edges {
	e := &Edges{y: linalg.Mat(*y), ranking: ranking, leave: leave, lambdas: lambdas, at: -1}
	if ranking {
		centreRows(e.y)
	}
	for _, k := range rows {
		e.rows = append(e.rows, Normalize(k))
	}
	for _, g := range cols {
		a := Normalize(g)
		if ranking {
			centreRows(a)
			a = a.T()
			centreRows(a)
		}
		e.cols = append(e.cols, a)
	}
	return e
}

// Normalize divides a matrix by the mean of its diagonal, unless that is 0.
func Normalize(k *data.Dense) linalg.Mat {
	mean := 0.0
	for i := range k.Rows {
		mean += k.Row(i)[i] / float64(k.Rows)
	}
	if mean > 0 {
		for i := range k.Rows {
			linalg.Scal(1/mean, k.Row(i))
		}
	}
	return linalg.Mat(*k)
}

// centreRows subtracts the mean of each row.
func centreRows(a linalg.Mat) {
	parallel.For(a.Rows, func(_, i int) {
		row := a.Row(i)
		mean := linalg.Sum(row) / float64(len(row))
		for j := range row {
			row[j] -= mean
		}
	})
}

// Start is centred alignment of each side: of the rows with yyᵀ, of the columns with yᵀy. Cost O(n²p² + p²r + pr²).
func (e *Edges) Start() []float64 {
	of := func(kernels []linalg.Mat, labels linalg.Mat) []float64 {
		m, a := linalg.NewMat(len(kernels), len(kernels)), make([]float64, len(kernels))
		target, centred := labels.MulT(labels), make([]linalg.Mat, len(kernels))
		for i, k := range kernels {
			c := k.Clone()
			centreRows(c)
			c = c.T()
			centreRows(c)
			centred[i] = c
		}
		for i, k := range centred {
			for j, other := range centred {
				m.Row(i)[j] = linalg.Dot(k.Data, other.Data)
			}
			a[i] = linalg.Dot(k.Data, target.Data)
		}
		return aligned(m, a)
	}
	return append(of(e.rows, e.y), of(e.cols, e.y.T())...)
}

// Sides are those of the rows and of the columns.
func (e *Edges) Sides() []int { return []int{len(e.rows), len(e.cols)} }

// sum is Σ w_i A_i.
func sum(kernels []linalg.Mat, weights []float64) linalg.Mat {
	a := linalg.NewMat(kernels[0].Rows, kernels[0].Cols)
	for i, k := range kernels {
		linalg.Axpy(weights[i], k.Data, a.Data)
	}
	return a
}

// At is At of a Problem. It costs an eigenproblem for each side, O(p³ + r³), and some products of p×p or r×r with p×r
// for each λ that it tries.
func (e *Edges) At(ctx context.Context, weights []float64) (float64, []float64, error) {
	n := len(e.rows)
	rows, cols := newEigen(sum(e.rows, weights[:n]), false), newEigen(sum(e.cols, weights[n:]), e.ranking)
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	h := newHeldEdges(e, rows, cols)
	e.at = best(len(e.lambdas), e.at, func(l int) float64 { return h.solve(e.lambdas[l]) })
	value := h.solve(e.lambdas[e.at]) + negligible*linalg.Dot(e.y.Data, e.y.Data)
	left, right := h.slopes()
	slope := make([]float64, len(weights))
	for i := range slope {
		k, t := e.rows, left
		at := i
		if i >= n {
			k, t, at = e.cols, right, i-n
		}
		slope[i] = 2 * linalg.Dot(k[at].Data, t.Data) / value
	}
	return math.Log(value), slope, ctx.Err()
}

// eigen is a matrix in its eigenvectors; of a centred one without the constant.
type eigen struct {
	d []float64
	u linalg.Mat // an eigenvector a row
}

func newEigen(a linalg.Mat, centred bool) *eigen {
	n := a.Rows
	tau := 0.0
	if centred { // the constant gets an eigenvalue apart from all others
		for i := range n {
			tau += a.Row(i)[i]
		}
		tau = 2 * (tau + math.SmallestNonzeroFloat64)
		for i := range a.Data {
			a.Data[i] += tau / float64(n)
		}
	}
	e := &eigen{make([]float64, n), linalg.NewMat(n, n)}
	linalg.SymEigen(a, e.d, e.u)
	if centred {
		e.d, e.u = e.d[:n-1], e.u.Slice(0, n-1, 0, n)
	}
	for k, d := range e.d {
		e.d[k] = max(0, d)
	}
	return e
}

// squares are u_ik², a node a row.
func (e *eigen) squares() linalg.Mat {
	s := e.u.T()
	for i := range s.Rows {
		for k, v := range s.Row(i) {
			s.Row(i)[k] = v * v
		}
	}
	return s
}
