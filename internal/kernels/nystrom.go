package kernels

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/kernel"
)

// Nystrom makes the features of the Nyström approximation of a kernel by b basis rows: their
// empirical kernel map K_mB C⁻ᵀ with K_BB = CCᵀ, k ≤ b features (Williams and Seeger 2001, Using
// the Nyström method to speed up kernel machines). Inner products with basis rows are exact.
type Nystrom struct {
	kernel kernel.Kernel
	of     *Map

	basis data.Matrix

	widening sync.Mutex
	wide     map[int]data.Matrix // the basis with more columns, by their number
}

// NewNystrom makes the map of b basis rows of n features, in O(b²n + b³). basis must not change
// while it is used. It returns an error where all kernel values of the basis rows are 0, since
// there are no features then. It panics when k is Precomputed, or basis does not fit.
func NewNystrom(k kernel.Kernel, basis data.Matrix) (*Nystrom, error) {
	of := NewMap(kernel.Matrix(k, basis, basis))
	if of.Lift.Cols == 0 {
		return nil, fmt.Errorf("the kernel of the basis rows is 0 everywhere, so every row would get the same score")
	}
	return &Nystrom{kernel: k, of: of, basis: basis}, nil
}

// Features is k, the rank of the kernel matrix of the basis rows.
func (n *Nystrom) Features() int { return n.of.Lift.Cols }

// Warning says why the basis is doubtful, or is empty: see NewMap.
func (n *Nystrom) Warning() string { return n.of.Warning }

// Coefficients returns the coefficients c, b×v, of the basis rows for the weights w, k×v, of the
// features: the same function is Σ_i c_i k(x_i, ·) over the basis rows. Cost O(bkv). It panics when
// w does not have k rows.
func (n *Nystrom) Coefficients(w *data.Dense) *data.Dense { return data.Multiply(n.of.Lift, w) }

// nystromRows is the number of rows whose kernel values are computed at a time.
const nystromRows = 1024

// upTo returns the basis rows for rows of cols columns. It does not depend on earlier rows, since
// sums of products may round differently with another width.
func (n *Nystrom) upTo(cols int) data.Matrix {
	if _, width := n.basis.Dims(); cols <= width {
		return n.basis
	}
	n.widening.Lock()
	defer n.widening.Unlock()
	const kept = 4
	if n.wide[cols] == nil {
		if n.wide == nil || len(n.wide) == kept {
			n.wide = map[int]data.Matrix{}
		}
		n.wide[cols] = data.Widen(n.basis, cols)
	}
	return n.wide[cols]
}

// RowsTo sets dst, m×k, to K_mB C⁻ᵀ, in O(mb(n + k)). Features that x lacks, or that the
// basis rows lack, are zero. It panics when dst is not m×k.
func (n *Nystrom) RowsTo(dst *data.Dense, x data.Matrix) {
	m, cols := x.Dims()
	basis := n.upTo(cols)
	b, width := basis.Dims()
	if dst.Rows != m || dst.Cols != n.Features() {
		panic(fmt.Sprintf("kernel: %d features of %d basis rows to %d×%d, of %d rows",
			n.Features(), b, dst.Rows, dst.Cols, m))
	}
	for lo := 0; lo < m; lo += nystromRows {
		hi := min(m, lo+nystromRows)
		cross := data.NewDense(hi-lo, b, nil)
		n.kernel.MatrixTo(cross, data.Widen(data.Slice(x, lo, hi), width), basis)
		rows := n.of.Rows(cross)
		for i := range rows.Rows {
			copy(dst.Row(lo+i), rows.Row(i))
		}
	}
}
