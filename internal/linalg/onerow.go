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

// packedStrip is the number of rows in a strip: the widest kernel keeps as many sums in its
// registers.
const packedStrip = 96

// PackedRows holds rows y_j for inner products with one row at a time, ln numbers for an l×n Y:
// strips of 96 rows, transposed and one after the other, so that memory is read sequentially. It is
// immutable.
type PackedRows struct {
	rows, width int
	data        []float64
}

// NewPackedRows packs the rows of an l×n y, in O(ln). It does not keep y.
func NewPackedRows(y Mat) *PackedRows {
	require(y.valid(), "NewPackedRows")
	p := &PackedRows{rows: y.Rows, width: y.Cols, data: make([]float64, y.Rows*y.Cols)}
	for lo := 0; lo < p.rows; lo += packedStrip {
		hi := min(p.rows, lo+packedStrip)
		transposeTo(p.strip(lo, hi), y.Slice(lo, hi, 0, y.Cols))
	}
	return p
}

// strip is the rows [lo,hi) of one strip, as columns.
func (p *PackedRows) strip(lo, hi int) Mat {
	return Mat{Rows: p.width, Cols: hi - lo, Stride: hi - lo, Data: p.data[lo*p.width : hi*p.width]}
}

// MulTo sets dst[j] = ⟨x, y_j⟩, of length l, in 2ln operations, to the bits of MulRowTo
// by Yᵀ. It runs on the caller's goroutine, allocates nothing once the scratch memory is
// there, and is safe for concurrent use. dst must not share memory with x.
func (p *PackedRows) MulTo(dst, x []float64) {
	require(len(dst) == p.rows && len(x) == p.width, "PackedRows.MulTo")
	for lo := 0; lo < p.rows; lo += packedStrip {
		hi := min(p.rows, lo+packedStrip)
		MulRowTo(dst[lo:hi], x, p.strip(lo, hi))
	}
}

// GaussianRows holds rows y_j for the Gaussian kernel with one row at a time, l(n+1) numbers for an
// l×n Y. It is immutable.
type GaussianRows struct {
	mean    []float64 // of the columns
	centred *PackedRows
	norms   []float64 // of the centred rows, squared
}

// NewGaussianRows packs the rows of y, in O(ln). It does not keep y.
func NewGaussianRows(y Mat) *GaussianRows {
	require(y.valid(), "NewGaussianRows")
	g := &GaussianRows{mean: make([]float64, y.Cols), norms: make([]float64, y.Rows)}
	if y.Rows == 0 {
		g.centred = NewPackedRows(y)
		return g
	}
	mean := columnMeans(y)
	c, cp := centred(y, *mean)
	norms := squaredNorms(c)
	copy(g.mean, *mean)
	copy(g.norms, *norms)
	g.centred = NewPackedRows(c)
	for _, p := range []*[]float64{mean, cp, norms} {
		giveBack(p)
	}
	return g
}

// RowTo sets dst[j] = exp(-gamma ‖x-y_j‖²), as a row of GaussianCross, in 2ln
// operations, on the caller's goroutine. It allocates nothing once the scratch memory
// is there. It is safe for concurrent use.
func (g *GaussianRows) RowTo(dst, x []float64, gamma float64) {
	n := len(g.mean)
	require(len(dst) == len(g.norms) && len(x) == n, "GaussianRows.RowTo")
	p := borrow(n + 1)
	c, norm := (*p)[:n], (*p)[n:]
	for j, v := range x {
		c[j] = v - g.mean[j]
	}
	MulRowTo(norm, c, Column(c))
	g.centred.MulTo(dst, c)
	GaussianRow(dst, g.norms, norm[0], gamma)
	giveBack(p)
}
