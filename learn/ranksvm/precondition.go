package ranksvm

import (
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/internal/processes"
)

// preconditioner is a cheap approximation of the Hessian 2XᵀLX + 2λI. It replaces XᵀLX by its value
// if the active pairs joined the rows of a query at random, Σ_i g_i (x_i − x̄)(x_i − x̄)ᵀ with the
// degrees g of the graph and the mean x̄ weighted by them. With few features it is a matrix with
// its Cholesky factor, else its diagonal. It sums over the rows of all processes.
type preconditioner struct {
	x       data.Matrix
	group   *processes.Group
	degrees []float64
	mean    []float64

	full     linalg.Mat // lower factor, or empty
	packed   []float64  // its rows, as they are added over processes
	ok       bool       // full is positive definite
	panel    linalg.Mat
	diagonal []float64
}

// fullFeatures is the largest number of features for which the matrix costs no
// more than a few products with the Hessian.
const fullFeatures = 64

// newPreconditioner is the full matrix where the rows of all processes are dense.
func newPreconditioner(x data.Matrix, group *processes.Group) *preconditioner {
	m, n := x.Dims()
	c := &preconditioner{x: x, group: group, degrees: make([]float64, m), mean: make([]float64, n),
		diagonal: make([]float64, n)}
	sparse := [1]float64{}
	if _, dense := x.(*data.Dense); !dense {
		sparse[0] = 1
	}
	group.Sum(sparse[:])
	if sparse[0] == 0 && n <= fullFeatures {
		c.full = linalg.NewMat(n, n)
		c.panel = linalg.NewMat(min(m, 1024), n)
	}
	return c
}

// set makes the preconditioner of the pairs that are active in r at the moment.
func (c *preconditioner) set(r risk, lambda float64) {
	r.degreesTo(c.degrees)
	c.x.MulTransVecTo(c.mean, c.degrees)
	total := [1]float64{}
	for _, g := range c.degrees {
		total[0] += g
	}
	c.group.Sum(c.mean, total[:])
	if total[0] == 0 {
		total[0] = 1
	}
	linalg.Scal(1/total[0], c.mean)
	if c.full.Rows > 0 {
		if c.ok = c.setFull(lambda); c.ok {
			return
		}
	}
	c.setDiagonal(total[0], lambda)
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
	c.sumFull()
	for j := range c.full.Rows {
		c.full.Row(j)[j] += 2 * lambda
	}
	_, ok = linalg.Cholesky(linalg.Lower, c.full)
	return ok
}

// sumFull adds the lower triangle over the processes.
func (c *preconditioner) sumFull() {
	if c.group == nil {
		return
	}
	c.packed = c.packed[:0]
	for j := range c.full.Rows {
		c.packed = append(c.packed, c.full.Row(j)[:j+1]...)
	}
	c.group.Sum(c.packed)
	rest := c.packed
	for j := range c.full.Rows {
		rest = rest[copy(c.full.Row(j)[:j+1], rest):]
	}
}

// setDiagonal makes the diagonal, at least 2λ as the Hessian's is.
func (c *preconditioner) setDiagonal(total, lambda float64) {
	data.SquaresMulTransTo(c.diagonal, c.x, c.degrees)
	c.group.Sum(c.diagonal)
	for j, v := range c.diagonal {
		c.diagonal[j] = 2*max(v-total*c.mean[j]*c.mean[j], 0) + 2*lambda
	}
}

// solveTo sets z to the solution of Pz = r for the preconditioner P.
func (c *preconditioner) solveTo(z, r []float64) {
	copy(z, r)
	if c.ok {
		linalg.CholeskySolve(linalg.Lower, c.full, linalg.Mat{Rows: len(z), Cols: 1, Stride: 1, Data: z})
		return
	}
	for j, d := range c.diagonal {
		z[j] /= d
	}
}
