package linalg

// operand is a matrix as the packing reads it: element (i,j) is
// data[i*rs+j*cs], and rs or cs is 1. With tri set it is symmetric, only that
// triangle is stored, and cs is 1.
type operand struct {
	data   []float64
	rs, cs int
	tri    Uplo
}

// operandOf is op(a).
func operandOf(a Mat, t Trans) operand {
	if t {
		return operand{data: a.Data, rs: 1, cs: a.Stride}
	}
	return operand{data: a.Data, rs: a.Stride, cs: 1}
}

// pack writes alpha times the rows [i0,i0+m) and columns [k0,k0+k) of src to
// dst as panels of w rows: a panel holds its first column, then its second,
// and so on; the rows missing from the last panel are zeros.
func pack(dst []float64, w int, src operand, i0, m, k0, k int, alpha float64) {
	if src.tri == full && src.rs == 1 {
		packAcross(dst, w, src, i0, m, k0, k, alpha)
		return
	}
	for i := 0; i < m; i += w {
		panel := dst[i*k : (i+w)*k]
		h := min(w, m-i)
		if src.tri == full {
			packPanel(panel, w, src.data[(i0+i)*src.rs+k0*src.cs:], src.rs, src.cs, h, k, alpha)
		} else {
			packSymmetric(panel, w, src, i0+i, h, k0, k, alpha)
		}
	}
}

// packedAcross is the number of columns that packAcross reads at a time.
const packedAcross = 8

// packAcross is pack for contiguous columns: a few of them at a time are read along, for
// all panels, since the columns of one panel alone are short pieces of memory that lie
// far apart.
func packAcross(dst []float64, w int, src operand, i0, m, k0, k int, alpha float64) {
	whole := m / w
	last := whole * w // the first row of a panel that is not full
	for kk := 0; kk < k; kk += packedAcross {
		terms := min(packedAcross, k-kk)
		data := src.data[i0+(k0+kk)*src.cs:]
		if whole > 0 {
			active.packColumns(dst[kk*w:], w, k*w, alpha, data, src.cs, terms, whole)
		}
		if last < m {
			packColumns(dst[last*k+kk*w:], w, data[last:], src.cs, m-last, terms, alpha)
		}
	}
}

// packPanel writes one panel of h ≤ w rows and k columns; data starts at its
// first element.
func packPanel(dst []float64, w int, data []float64, rs, cs, h, k int, alpha float64) {
	switch {
	case h == 0 || k == 0:
	case cs == 1:
		packRows(dst, w, data, rs, h, k, alpha)
		for kk := 0; h < w && kk < k; kk++ {
			clear(dst[kk*w+h : kk*w+w])
		}
	case h == w:
		active.packColumns(dst, w, 0, alpha, data, cs, k, 1)
	default:
		packColumns(dst, w, data, cs, h, k, alpha)
	}
}

// packRows sets dst[i*w+r] to alpha times the i-th of the k terms of row r, which is contiguous, for h rows.
func packRows(dst []float64, w int, data []float64, rs, h, k int, alpha float64) {
	r := 0
	for ; r+4 <= h; r += 4 {
		active.packRows(dst[r:], w, alpha, data[r*rs:], rs, k)
	}
	for ; r < h; r++ {
		for kk, v := range data[r*rs:][:k] {
			dst[kk*w+r] = alpha * v
		}
	}
}

// packColumns reads contiguous columns, each a row of the matrix in memory, of a panel that is not full.
func packColumns(dst []float64, w int, data []float64, cs, h, k int, alpha float64) {
	for kk := range k {
		d := dst[kk*w : kk*w+w]
		for r, v := range data[kk*cs:][:h] {
			d[r] = alpha * v
		}
		clear(d[h:])
	}
}

// packSymmetric writes one panel of a symmetric matrix: the columns left of
// the panel's diagonal block, the block itself, and those to its right.
func packSymmetric(dst []float64, w int, src operand, i, h, k0, k int, alpha float64) {
	lo := min(max(i, k0), k0+k)   // columns [k0,lo) are left of the block
	hi := min(max(i+h, k0), k0+k) // columns [hi,k0+k) are right of it
	left, right := dst[:(lo-k0)*w], dst[(hi-k0)*w:]
	ld := src.rs
	if src.tri == Upper {
		if lo > k0 {
			packPanel(left, w, src.data[k0*ld+i:], 1, ld, h, lo-k0, alpha)
		}
		if hi < k0+k {
			packPanel(right, w, src.data[i*ld+hi:], ld, 1, h, k0+k-hi, alpha)
		}
	} else {
		if lo > k0 {
			packPanel(left, w, src.data[i*ld+k0:], ld, 1, h, lo-k0, alpha)
		}
		if hi < k0+k {
			packPanel(right, w, src.data[hi*ld+i:], 1, ld, h, k0+k-hi, alpha)
		}
	}
	for kk := lo; kk < hi; kk++ {
		d := dst[(kk-k0)*w : (kk-k0)*w+w]
		for r := range h {
			p, q := i+r, kk
			if (src.tri == Upper) == (p > q) && p != q {
				p, q = q, p
			}
			d[r] = alpha * src.data[p*ld+q]
		}
		clear(d[h:])
	}
}
