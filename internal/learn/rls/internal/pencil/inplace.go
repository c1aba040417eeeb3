package pencil

import (
	"math"
	"sync"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// SolveDual solves for one λ by Cholesky: a = F (FKF + λI)⁻¹ F⁺ r, m×v. k is only
// read: the factorisation takes a copy of it.
func SolveDual(k linalg.Mat, problem Problem, lambda float64) (linalg.Mat, error) {
	order := problem.Order()
	if order == nil {
		a, _, err := solveDual(k.Clone(), problem, lambda)
		return a, err
	}
	sorted := linalg.NewMat(k.Rows, k.Cols)
	for a, i := range order {
		for b, j := range order[a:] {
			sorted.Row(a)[a+b] = k.Row(int(i))[j]
		}
	}
	a, _, err := solveDual(sorted, problem, lambda)
	return a, err
}

// UpperSuffices reports whether the upper triangle of FKF needs only that of K: for one list, for
// censored times in their order, and for regression.
func UpperSuffices(l goals.Laplacian) bool {
	_, list := goals.BlocksOf(l).ListWeight()
	_, timed := l.(*goals.Timed)
	return list || timed
}

// Order is the order of the rows in which a K is solved: that of goals.Timed; nil is as they are.
func (p Problem) Order() []int32 {
	if t, is := p.L.(*goals.Timed); is {
		return t.Order()
	}
	return nil
}

// places gathers the rows order[a] of x or, with scatter, puts row a of x in the place order[a]. Without an order it is
// x.
func places(x linalg.Mat, order []int32, scatter bool) linalg.Mat {
	if order == nil {
		return x
	}
	out := linalg.NewMat(x.Rows, x.Cols)
	for a, i := range order {
		if scatter {
			copy(out.Row(int(i)), x.Row(a))
		} else {
			copy(out.Row(a), x.Row(int(i)))
		}
	}
	return out
}

// SolveDualUpper is SolveDual in the upper triangle of k, with the same bits, for a Laplacian for
// which UpperSuffices is true; the rows and columns of k are in the Order of the problem. It also
// returns rᵀKa, summed over the outputs. With t = F⁺r and (FKF + λI)x = t that is tᵀFKFx = tᵀ(t −
// λx). It overwrites the triangle, and neither reads nor writes below it.
func SolveDualUpper(k linalg.Mat, problem Problem, lambda float64) (a linalg.Mat, gain float64, err error) {
	return solveDual(k, problem, lambda)
}

// SolveDualInPlace is SolveDual in the memory of k, with the same bits. It also returns f = Ka,
// m×v: FKF and its factor take the upper triangle of k, while the lower one and a copy of the
// diagonal stay. It overwrites k.
func SolveDualInPlace(k linalg.Mat, problem Problem, lambda float64) (a, f linalg.Mat, err error) {
	diagonal := make([]float64, k.Rows)
	for i := range diagonal {
		diagonal[i] = k.Row(i)[i]
	}
	if a, _, err = solveDual(k, problem, lambda); err != nil {
		return a, f, err
	}
	for i, v := range diagonal {
		k.Row(i)[i] = v
	}
	return a, symmetricProduct(k, a), nil
}

// symmetricProduct is K x, for the lower triangle of K.
func symmetricProduct(k, x linalg.Mat) linalg.Mat {
	out := linalg.NewMat(x.Rows, x.Cols)
	from, to := make([]float64, x.Rows), make([]float64, x.Rows)
	for c := range x.Cols {
		for i := range from {
			from[i] = x.Row(i)[c]
		}
		linalg.Symv(linalg.Lower, 1, k, from, 0, to)
		for i, v := range to {
			out.Row(i)[c] = v
		}
	}
	return out
}

// solveDual is SolveDual in the upper triangle of k, which is in the Order of the problem, and tᵀ(t − λx).
func solveDual(k linalg.Mat, problem Problem, lambda float64) (a linalg.Mat, gain float64, err error) {
	order := problem.Order()
	if order != nil {
		problem.L, problem.R = problem.L.(*goals.Timed).Sorted(), places(problem.R, order, false)
	}
	root, pinv := problem.roots()
	x := linalg.NewMat(k.Rows, problem.R.Cols)
	pinv.MulTo(x.Data, problem.R.Data, x.Cols)
	t := x.Clone()
	root.upperCongruence(k)
	size := frobenius(k)
	if err := solveShifted(k, lambda, x); err != nil {
		return linalg.Mat{}, 0, err
	}
	if losesDigits(x, t, size, lambda) {
		return linalg.Mat{}, 0, ErrNotPositive
	}
	for i, v := range t.Data {
		gain += v * (v - lambda*x.Data[i])
	}
	root.MulTo(x.Data, x.Data, x.Cols)
	return places(x, order, true), gain, nil
}

// frobenius is the Frobenius norm of a symmetric matrix, from its upper triangle.
func frobenius(a linalg.Mat) float64 {
	norms := make([]float64, a.Rows)
	parallel.For(a.Rows, func(_, i int) {
		row := a.Row(i)
		norms[i] = math.Hypot(row[i], math.Sqrt2*linalg.Nrm2(row[i+1:]))
	})
	return linalg.Nrm2(norms)
}

func (f blocksRoot) upperCongruence(k linalg.Mat) {
	c, sum, list := f.List()
	switch {
	case list && k.Rows > 0 && !(math.IsInf(sum, 1) && f.weights == nil): // one list, or regression with weights
		centreUpper(k, c*c, f.weights, sum)
	case list: // F = I
	default:
		c := &blockCongruence{f: f, k: k, pool: sync.Pool{New: func() any { return &congruenceRows{} }}}
		parts := f.Components()
		eachBySize(parts, 0, parts.Len(), c.component)
	}
}

// centreUpper replaces the upper triangle of the symmetric K by that of c CKC, with the
// centring C = I − 11ᵀ/m: c (K_ij − s_i − s_j + t) for the means s of the rows and t of all. With the roots of weights
// of that sum the means are weighted, and an entry is multiplied by both roots; of an infinite sum they are 0.
func centreUpper(k linalg.Mat, c float64, roots []float64, sum float64) {
	m := k.Rows
	if m == 0 {
		return
	}
	each, means := make([]float64, m), make([]float64, m)
	for i := range each {
		if each[i] = 1 / sum; roots != nil {
			each[i] *= roots[i] * roots[i]
		}
	}
	linalg.Symv(linalg.Upper, 1, k, each, 0, means)
	mean := linalg.Dot(each, means)
	parallel.Chunks(m, 16, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, rest := k.Row(i)[i:], mean-means[i]
			linalg.Axpy(-1, means[i:], row)
			for j, v := range row {
				row[j] = c * (v + rest)
			}
			if roots != nil {
				for j, v := range roots[i:] {
					row[j] *= roots[i] * v
				}
			}
		}
	})
}

func (b *blockOperator) upperCongruence(k linalg.Mat) {
	parallel.For(b.parts.Len(), func(_, p int) { b.upperCongruenceOf(p, k) })
}

// upperCongruenceOf is upperCongruence for the rows of component p.
func (b *blockOperator) upperCongruenceOf(p int, k linalg.Mat) {
	rows := b.parts.Part(p)
	in, out := linalg.NewMat(len(rows), k.Cols), linalg.NewMat(len(rows), k.Cols)
	for a, i := range rows {
		copy(in.Row(a), k.Row(int(i)))
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, b.blocks[p], in, 0, out)
	parallel.For(len(rows), func(_, a int) {
		i, row := rows[a], out.Row(a)
		b.MulTo(row, row, 1)
		copy(k.Row(int(i))[i:], row[i:])
	})
}

// blockCongruence is upperCongruence for a root of the form of goals.Blocks: a
// row of FK is d_i times that of K, and the sums of the rows of its component and
// class of ties, by their weights; with weights of rows it is multiplied by their root.
type blockCongruence struct {
	f    blocksRoot
	k    linalg.Mat
	pool sync.Pool // *congruenceRows
}

// congruenceRows are rows of K and of sums of such.
type congruenceRows struct{ row, all, class []float64 }

func (c *blockCongruence) scratch() *congruenceRows {
	s := c.pool.Get().(*congruenceRows)
	if m := c.k.Rows; len(s.row) != m {
		s.row, s.all, s.class = make([]float64, m), make([]float64, m), make([]float64, m)
	}
	return s
}

// wide is the size of a component or class from which its rows are distributed over the cores,
// instead of whole components or classes.
const wide = 256

// eachBySize calls body for the parts lo to hi: for the wide ones one after the other, and for the
// others in parallel.
func eachBySize(parts *data.Partition, lo, hi int, body func(p int)) {
	small := make([]int, 0, hi-lo)
	for p := lo; p < hi; p++ {
		if len(parts.Part(p)) >= wide {
			body(p)
		} else {
			small = append(small, p)
		}
	}
	parallel.Chunks(len(small), 16, func(_, lo, hi int) {
		for _, p := range small[lo:hi] {
			body(p)
		}
	})
}

// component writes the rows of component p.
func (c *blockCongruence) component(p int) {
	s := c.scratch()
	defer c.pool.Put(s)
	rows := c.f.Components().Part(p)
	clear(s.all)
	if whole := c.f.Whole()[p]; whole != 0 {
		c.sumTo(s.all, rows)
		linalg.Scal(whole, s.all)
	}
	classes, scale := c.f.Classes()
	if classes == nil {
		c.rows(rows, s.all)
		return
	}
	lo, hi := c.f.ClassesOf(p)
	eachBySize(classes, lo, hi, func(g int) {
		if scale[g] == 0 {
			c.rows(classes.Part(g), s.all)
			return
		}
		own := c.scratch()
		defer c.pool.Put(own)
		clear(own.class)
		c.sumTo(own.class, classes.Part(g))
		linalg.Scal(scale[g], own.class)
		linalg.Axpy(1, s.all, own.class)
		c.rows(classes.Part(g), own.class)
	})
}

// sumTo adds the listed rows of K to dst, in their order.
func (c *blockCongruence) sumTo(dst []float64, rows []int32) {
	width := len(dst)
	if len(rows) >= wide {
		width = 2048
	}
	parallel.Chunks(len(dst), width, func(_, lo, hi int) {
		for _, i := range rows {
			linalg.Axpy(c.f.Square(int(i)), c.k.Row(int(i))[lo:hi], dst[lo:hi])
		}
	})
}

// rows writes F along d_i K_i + sum to the upper part of each row i listed.
func (c *blockCongruence) rows(rows []int32, sum []float64) {
	size := max(1, len(rows))
	if size >= wide {
		size = 16
	}
	diag := c.f.Diag()
	parallel.Chunks(len(rows), size, func(_, lo, hi int) {
		s := c.scratch()
		defer c.pool.Put(s)
		for _, i := range rows[lo:hi] {
			copy(s.row, sum)
			linalg.Axpy(diag[i], c.k.Row(int(i)), s.row)
			if c.f.weights != nil {
				linalg.Scal(c.f.weights[i], s.row)
			}
			c.f.mulTransTo(s.row, s.row, 1)
			copy(c.k.Row(int(i))[i:], s.row[i:])
		}
	})
}
