package kron

import (
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// conditioner is a matrix near ΦᵀLΦ + λI: its average if the columns of the edges were drawn at random, for any
// rows,
//
//	P = Cx ⊗ Cz + λI    Cx = Σ_i w_i x_i x_iᵀ    Cz = Σ_j c_j z_j z_jᵀ / Σ_j c_j
//
// with c_j the edges of column node j, and w_i those of row node i. For the ranking loss Cz is the covariance,
// and w_i is (w − 1) l/(l − 1) for l column nodes with an edge, as for draws without replacement. On a complete
// graph it is the matrix itself. With Cx = U D₁ Uᵀ and Cz = V D₂ Vᵀ a solution costs four products of matrices
// of n×k. If that does not pay, P is the diagonal of this matrix. For symmetric and reciprocal relations both
// factors are the mean of the two, so that a solution has the symmetry of its right side.
type conditioner struct {
	rows, cols     []float64 // D₁ and D₂, or the diagonals of Cx and Cz
	u, v           linalg.Mat
	full           bool
	lambda, sign   float64
	half, together linalg.Mat
}

// productSpeed is how many multiplications in a product of matrices take as long as one in an iteration over
// the edges.
const productSpeed = 8

// dearer is how many times as long an iteration with all of P may take. The diagonal compensates the sizes of
// the features, but not their correlations; with it the iteration may need ten times as many steps, or not
// converge.
const dearer = 10

// mostMoments is the number of features up to which their moments are computed and decomposed, which takes
// seconds.
const mostMoments = 3000

// preconditions reports whether a preconditioner is safe, the full one and its diagonal. Plain conjugate
// gradients from 0 never leave the space of ΦᵀLv, but P does not know this space. In directions of W without
// edges P divides by far more than their λ, and the rest that rounding or the tolerance leave there would be
// large compared with the solution. So P has to be the matrix itself, on a complete graph, or the edges have to
// outnumber the products of features twice. The ranking loss of symmetric and reciprocal relations has such
// directions in the mean of its factors.
func preconditions(s *linearSystem, ranking bool) (full, diagonal bool) {
	usedRows, usedCols := positive(degrees(s.e.Row, rowsOf(s.x))), positive(degrees(s.e.Col, rowsOf(s.z)))
	if s.sign != 0 && ranking {
		return false, false
	}
	m := s.e.Len()
	full = m >= 2*min(s.n, usedRows)*min(s.k, usedCols) || isComplete(s, usedRows, usedCols)
	return full && fullPays(s), usedRows >= 2*s.n && usedCols >= 2*s.k && m >= 2*s.n*s.k
}

// positive counts the numbers above 0.
func positive(x []float64) (count int) {
	for _, v := range x {
		if v > 0 {
			count++
		}
	}
	return count
}

// isComplete reports whether each used row has one edge to each used column.
func isComplete(s *linearSystem, usedRows, usedCols int) bool {
	if s.e.Len() != usedRows*usedCols {
		return false
	}
	last := make([]int32, rowsOf(s.x)) // the column, from 1, in which a row was last seen
	for j := range s.half.Rows {
		for _, e := range s.edgesOf(j) {
			if i := s.e.Row[e]; last[i] == int32(j+1) {
				return false
			} else {
				last[i] = int32(j + 1)
			}
		}
	}
	return true
}

// fullPays reports whether all of P pays: it takes four products an iteration, and about 10(n³ + k³)
// multiplications for the eigenvectors, spread over 30 iterations.
func fullPays(s *linearSystem) bool {
	n, k, m := float64(s.n), float64(s.k), float64(s.e.Len())
	iteration := m*float64(data.Stored(s.x))/float64(max(1, rowsOf(s.x))) + float64(data.Stored(s.z))*n
	cost := 2*n*k*(n+k) + (n*n*n+k*k*k)/3
	return max(s.n, s.k) <= mostMoments && cost <= dearer*productSpeed*iteration
}

// newConditioner makes the conditioner of a system, or its diagonal.
func newConditioner(s *linearSystem, ranking, full bool) (*conditioner, error) {
	y := s.e.Len()
	w, c := degrees(s.e.Row, rowsOf(s.x)), degrees(s.e.Col, rowsOf(s.z))
	l := float64(positive(c))
	mean := make([]float64, s.k)
	if ranking {
		for i, d := range w {
			w[i] = max(0, d-1) * l / max(1, l-1)
		}
		scaled := append([]float64(nil), c...)
		linalg.Scal(1/float64(max(1, y)), scaled)
		s.z.MulTransVecTo(mean, scaled)
	}
	linalg.Scal(1/float64(max(1, y)), c)
	p := &conditioner{lambda: s.lambda, sign: s.sign, full: full}
	if !full {
		p.rows, p.cols = make([]float64, s.n), make([]float64, s.k)
		data.SquaresMulTransTo(p.rows, s.x, w)
		data.SquaresMulTransTo(p.cols, s.z, c)
		for j, m := range mean {
			p.cols[j] = varianceOf(p.cols[j], m)
		}
		if s.sign != 0 { // the same for both, so the solution stays (anti)symmetric
			p.rows, p.cols = alike(p.rows, p.cols)
		}
		return p, nil
	}
	cx, cz := moments(s.x, w), moments(s.z, c)
	size := centre(cz, mean)
	if s.sign != 0 {
		cx.Data, cz.Data = alike(cx.Data, cz.Data)
	}
	left, err := decompose(cx, 0, "moments of the row features")
	if err != nil {
		return nil, err
	}
	right, err := decompose(cz, size, "moments of the column features")
	if err != nil {
		return nil, err
	}
	p.rows, p.cols, p.u, p.v = left.d, right.d, left.u, right.u
	p.half, p.together = linalg.NewMat(s.n, s.k), linalg.NewMat(s.n, s.k)
	return p, nil
}

// varianceOf is E z² − m², or 0 if that is rounding.
func varianceOf(square, m float64) float64 {
	const rounding = 1e-12
	if v := square - m*m; v > rounding*square {
		return v
	}
	return 0
}

// centre turns second moments into covariances, and returns the largest second moment. A constant feature has
// covariance 0.
func centre(c linalg.Mat, mean []float64) (size float64) {
	varies := make([]bool, c.Rows)
	for j, m := range mean {
		size = max(size, c.Row(j)[j])
		varies[j] = varianceOf(c.Row(j)[j], m) > 0
		linalg.Axpy(-m, mean, c.Row(j))
	}
	for i := range c.Rows {
		for j := range c.Cols {
			if !varies[i] || !varies[j] {
				c.Row(i)[j] = 0
			}
		}
	}
	return size
}

// alike returns two arrays, both with the geometric mean of the sizes of a and b and the arithmetic mean of
// their shapes, so that their product keeps its size.
func alike(a, b []float64) (x, y []float64) {
	sizeA, sizeB := linalg.Nrm2(a), linalg.Nrm2(b)
	if sizeA == 0 || sizeB == 0 {
		return a, b
	}
	root := math.Sqrt(sizeA * sizeB)
	x = make([]float64, len(a))
	for i := range a {
		x[i] = (a[i]/sizeA + b[i]/sizeB) / 2 * root
	}
	return x, append([]float64(nil), x...)
}

// solveTo sets z to the solution of Pz = r in the range of Cx ⊗ Cz, which contains every right side and every
// solution.
func (p *conditioner) solveTo(z, r []float64) {
	n, k := len(p.rows), len(p.cols)
	out := linalg.Mat{Rows: n, Cols: k, Stride: k, Data: z}
	from := linalg.Mat{Rows: n, Cols: k, Stride: k, Data: r}
	if p.full { // UrVᵀ, in the eigenvectors
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, p.u, from, 0, p.half)
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, p.half, p.v, 0, p.together)
		from = p.together
	}
	parallel.Chunks(n, 64, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, to := from.Row(i), out.Row(i)
			for j, v := range row {
				d := p.rows[i] * p.cols[j]
				if to[j] = v / (d + p.lambda); d == 0 {
					to[j] = 0 // no edge has a component there, up to rounding
				}
			}
		}
	})
	if p.full {
		linalg.Gemm(linalg.T, linalg.NoTrans, 1, p.u, out, 0, p.half)
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, p.half, p.v, 0, out)
	}
	if p.sign != 0 { // up to rounding it is (anti)symmetric already
		takePart(out, p.sign)
	}
}

// degrees counts how often each of n nodes is in a list.
func degrees(nodes []int32, n int) []float64 {
	d := make([]float64, n)
	for _, i := range nodes {
		d[i]++
	}
	return d
}

func rowsOf(x data.Matrix) int {
	rows, _ := x.Dims()
	return rows
}

// moments is Σ_i w_i x_i x_iᵀ.
func moments(x data.Matrix, w []float64) linalg.Mat {
	_, n := x.Dims()
	c := linalg.NewMat(n, n)
	switch x := x.(type) {
	case *data.Dense:
		scaled := linalg.Mat(*x).Clone()
		for i, v := range w {
			linalg.Scal(math.Sqrt(v), scaled.Row(i))
		}
		linalg.Syrk(linalg.Upper, linalg.T, 1, scaled, 0, c)
	case *data.CSR:
		const pieces = 16
		parallel.Chunks(n, (n+pieces-1)/pieces, func(_, lo, hi int) {
			for i, v := range w {
				if v > 0 {
					addMoments(c, v, x, i, int32(lo), int32(hi))
				}
			}
		})
	default:
		panic(fmt.Sprintf("kron: features in a matrix of type %T", x))
	}
	linalg.Symmetrize(linalg.Upper, c)
	return c
}

// addMoments adds the rows [lo,hi) of the upper triangle of v x_i x_iᵀ.
func addMoments(c linalg.Mat, v float64, x *data.CSR, i int, lo, hi int32) {
	cols, vals := x.Row(i)
	vals = vals[:len(cols)]
	from, _ := slices.BinarySearch(cols, lo)
	for a := from; a < len(cols) && cols[a] < hi; a++ {
		row, scaled := c.Row(int(cols[a])), v*vals[a]
		for b := a; b < len(cols); b++ {
			row[cols[b]] += scaled * vals[b]
		}
	}
}
