package ranksvm

import (
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// preconditioner is a cheap approximation of the Hessian 2XᵀLX + 2λI. It replaces XᵀLX by its value
// if the active pairs joined the rows of a query at random, Σ_i g_i (x_i − x̄)(x_i − x̄)ᵀ with the
// degrees g of the graph and the mean x̄ weighted by them. With few features it is a matrix with
// its Cholesky factor, else its diagonal.
type preconditioner struct {
	x       data.Matrix
	degrees []float64
	mean    []float64

	full     linalg.Mat // lower factor, or empty
	ok       bool       // full is positive definite
	panel    linalg.Mat
	diagonal []float64
}

// fullFeatures is the largest number of features for which the matrix costs no
// more than a few products with the Hessian.
const fullFeatures = 64

// newPreconditioner is the full matrix where the rows are dense.
func newPreconditioner(x data.Matrix) *preconditioner {
	m, n := x.Dims()
	c := &preconditioner{x: x, degrees: make([]float64, m), mean: make([]float64, n), diagonal: make([]float64, n)}
	if _, dense := x.(*data.Dense); dense && n <= fullFeatures {
		c.full = linalg.NewMat(n, n)
		c.panel = linalg.NewMat(min(m, 1024), n)
	}
	return c
}

// set makes the preconditioner of the pairs that are active in r at the moment.
func (c *preconditioner) set(r risk, lambda float64) {
	r.degreesTo(c.degrees)
	c.x.MulTransVecTo(c.mean, c.degrees)
	total := 0.0
	for _, g := range c.degrees {
		total += g
	}
	if total == 0 {
		total = 1
	}
	linalg.Scal(1/total, c.mean)
	if c.full.Rows > 0 {
		if c.ok = c.setFull(lambda); c.ok {
			return
		}
	}
	c.setDiagonal(total, lambda)
}

// setFull makes the matrix and its factor from the rows in panels.
func (c *preconditioner) setFull(lambda float64) (ok bool) {
	x := c.x.(*data.Dense)
	clear(c.full.Data)
	for lo := 0; lo < x.Rows; lo += c.panel.Rows {
		rows := min(c.panel.Rows, x.Rows-lo)
		part := c.panel.Slice(0, rows, 0, x.Cols)
		parallel.Chunks(rows, 256, func(_, from, to int) {
			for i := from; i < to; i++ {
				root, row := math.Sqrt(2*c.degrees[lo+i]), part.Row(i)
				for j, v := range x.Row(lo + i) {
					row[j] = root * (v - c.mean[j])
				}
			}
		})
		linalg.Gemmt(linalg.Lower, linalg.T, linalg.NoTrans, 1, part, part, 1, c.full)
	}
	for j := range c.full.Rows {
		c.full.Row(j)[j] += 2 * lambda
	}
	_, ok = linalg.Cholesky(linalg.Lower, c.full)
	return ok
}

// setDiagonal makes the diagonal, at least 2λ as the Hessian's is.
func (c *preconditioner) setDiagonal(total, lambda float64) {
	data.SquaresMulTransTo(c.diagonal, c.x, c.degrees)
	for j, v := range c.diagonal {
		c.diagonal[j] = 2*max(v-total*c.mean[j]*c.mean[j], 0) + 2*lambda
	}
}

// solveTo sets z to the solution of Pz = r for the preconditioner P.
func (c *preconditioner) solveTo(z, r []float64) {
	copy(z, r)
	if c.ok {
		linalg.CholeskySolve(linalg.Lower, c.full, linalg.Column(z))
		return
	}
	for j, d := range c.diagonal {
		z[j] /= d
	}
}
