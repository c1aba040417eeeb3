package linalg

// inOrder names the rows 0, 1, 2, … of a block of terms.
var inOrder = func() (list [256]int32) {
	for k := range list {
		list[k] = int32(k)
	}
	return list
}()

// MulRowTo sets dst to the row xᵀB, 2kn operations for a k×n B: a row of a Gemm, of
// the same bits where C has more than four columns and the number of terms is not
// cut (a transposed A of 8192 and more). It runs on the caller's goroutine and allocates nothing
// once the scratch memory is there. dst must not share memory with x or B.
func MulRowTo(dst, x []float64, b Mat) {
	require(b.valid() && len(x) == b.Rows && len(dst) == b.Cols, "MulRowTo")
	clear(dst)
	if b.Cols == 0 || b.Rows == 0 {
		return
	}
	size := min(blockK, len(inOrder))
	first := min(size, b.Rows)
	active.addRows(x[:first], inOrder[:first], b.Data, b.Stride, dst)
	if first == b.Rows {
		return
	}
	p := borrow(b.Cols)
	for k := first; k < b.Rows; k += size {
		terms := min(size, b.Rows-k)
		clear(*p)
		active.addRows(x[k:k+terms], inOrder[:terms], b.Data[k*b.Stride:], b.Stride, *p)
		Axpy(1, *p, dst)
	}
	giveBack(p)
}

// GaussianRows is rows y_j made ready for their Gaussian kernel with one row at a
// time, l(n+1) numbers for an l×n Y. It is only read after construction.
type GaussianRows struct {
	mean    []float64 // of the columns
	centred Mat       // (Y − mean)ᵀ, n×l
	norms   []float64 // of the centred rows, squared
}

// NewGaussianRows makes rows ready, in O(ln). y is not kept.
func NewGaussianRows(y Mat) *GaussianRows {
	require(y.valid(), "NewGaussianRows")
	g := &GaussianRows{mean: make([]float64, y.Cols), centred: NewMat(y.Cols, y.Rows), norms: make([]float64, y.Rows)}
	if y.Rows == 0 {
		return g
	}
	mean := columnMeans(y)
	c, cp := centred(y, *mean)
	norms := squaredNorms(c)
	copy(g.mean, *mean)
	copy(g.norms, *norms)
	transposeTo(g.centred, c)
	for _, p := range []*[]float64{mean, cp, norms} {
		giveBack(p)
	}
	return g
}

// RowTo sets dst[j] = exp(-gamma ‖x-y_j‖²), as a row of GaussianCross, in 2ln
// operations, on the caller's goroutine. It allocates nothing once the scratch memory
// is there. It is safe for concurrent use.
func (g *GaussianRows) RowTo(dst, x []float64, gamma float64) {
	n := g.centred.Rows
	require(len(dst) == len(g.norms) && len(x) == n, "GaussianRows.RowTo")
	p := borrow(n + 1)
	c, norm := (*p)[:n], (*p)[n:]
	for j, v := range x {
		c[j] = v - g.mean[j]
	}
	MulRowTo(norm, c, Mat{Rows: n, Cols: 1, Stride: 1, Data: c})
	MulRowTo(dst, c, g.centred)
	GaussianRow(dst, g.norms, norm[0], gamma)
	giveBack(p)
}
