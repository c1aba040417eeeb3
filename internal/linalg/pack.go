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
	for kk := 0; kk < k; kk += packedAcross {
		terms := min(packedAcross, k-kk)
		data := src.data[i0+(k0+kk)*src.cs:]
		for i := 0; i < m; i += w {
			packColumns(dst[i*k+kk*w:(i+w)*k], w, data[i:], src.cs, min(w, m-i), terms, alpha)
		}
	}
}

// packPanel writes one panel of h ≤ w rows and k columns; data starts at its
// first element.
func packPanel(dst []float64, w int, data []float64, rs, cs, h, k int, alpha float64) {
	if h == 0 || k == 0 {
		return
	}
	if cs == 1 {
		packRows(dst, w, data, rs, h, k, alpha)
	} else {
		packColumns(dst, w, data, cs, h, k, alpha)
	}
}

// packRows reads contiguous rows, eight or four at a time.
func packRows(dst []float64, w int, data []float64, rs, h, k int, alpha float64) {
	r := 0
	for ; r+8 <= h; r += 8 {
		s0, s1, s2, s3 := rows4(data[r*rs:], rs, k)
		s4, s5, s6, s7 := rows4(data[(r+4)*rs:], rs, k)
		for kk, v := range s0 {
			d := (*[8]float64)(dst[kk*w+r:])
			d[0], d[1], d[2], d[3] = alpha*v, alpha*s1[kk], alpha*s2[kk], alpha*s3[kk]
			d[4], d[5], d[6], d[7] = alpha*s4[kk], alpha*s5[kk], alpha*s6[kk], alpha*s7[kk]
		}
	}
	for ; r+4 <= h; r += 4 {
		s0, s1, s2, s3 := rows4(data[r*rs:], rs, k)
		for kk, v := range s0 {
			d := dst[kk*w+r:][:4]
			d[0] = alpha * v
			d[1] = alpha * s1[kk]
			d[2] = alpha * s2[kk]
			d[3] = alpha * s3[kk]
		}
	}
	for ; r < h; r++ {
		for kk, v := range data[r*rs:][:k] {
			dst[kk*w+r] = alpha * v
		}
	}
	if h < w {
		for kk := range k {
			clear(dst[kk*w+h : kk*w+w])
		}
	}
}

// packColumns reads contiguous columns, each a row of the matrix in memory.
func packColumns(dst []float64, w int, data []float64, cs, h, k int, alpha float64) {
	if h == w && h%8 == 0 {
		packEights(dst, w, data, cs, k, alpha)
		return
	}
	for kk := range k {
		d := dst[kk*w : kk*w+w]
		for r, v := range data[kk*cs:][:h] {
			d[r] = alpha * v
		}
		clear(d[h:])
	}
}

// packEights is packColumns for whole panels whose width is a multiple of eight. (Loops,
// and copies of slices or arrays, which call memmove, take longer than this.)
func packEights(dst []float64, w int, data []float64, cs, k int, alpha float64) {
	for r := 0; r < w; r += 8 {
		d, s := dst[r:], data[r:]
		for kk := range k {
			to, from := (*[8]float64)(d[kk*w:]), (*[8]float64)(s[kk*cs:])
			to[0], to[1], to[2], to[3] = alpha*from[0], alpha*from[1], alpha*from[2], alpha*from[3]
			to[4], to[5], to[6], to[7] = alpha*from[4], alpha*from[5], alpha*from[6], alpha*from[7]
		}
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
