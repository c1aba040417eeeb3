package linalg

import "math"

// choleskyUpper factors a small matrix, four rows of the factor at a time:
// the rows below are then updated by all four in one pass.
func choleskyUpper(a Mat) int {
	n, ld := a.Rows, a.Stride
	j := 0
	for ; j+4 <= n; j += 4 {
		for r := range 4 {
			row := a.Data[(j+r)*ld : (j+r)*ld+n]
			for q := range r { // subtract the rows above in this group
				above := a.Data[(j+q)*ld : (j+q)*ld+n]
				Axpy(-above[j+r], above[j+r:], row[j+r:])
			}
			if !pivotRow(row[j+r:]) {
				return j + r
			}
		}
		rows := a.Data[j*ld:]
		for i := j + 4; i < n; i++ {
			active.axpy4(-rows[i], -rows[ld+i], -rows[2*ld+i], -rows[3*ld+i], rows[i:], ld, a.Data[i*ld+i:i*ld+n])
		}
	}
	for first := j; j < n; j++ {
		row := a.Data[j*ld : j*ld+n]
		for q := first; q < j; q++ {
			above := a.Data[q*ld : q*ld+n]
			Axpy(-above[j], above[j:], row[j:])
		}
		if !pivotRow(row[j:]) {
			return j
		}
	}
	return n
}

// pivotRow divides a row by the root of its first entry, the pivot.
func pivotRow(row []float64) bool {
	if !(row[0] > 0) {
		return false
	}
	root := math.Sqrt(row[0])
	row[0] = root
	divideBy(root, row[1:])
	return true
}

// choleskyLower is choleskyUpper on a transposed copy.
func choleskyLower(a Mat) int {
	n := a.Rows
	u, p := borrowMat(n, n)
	for i := range n {
		for j, v := range a.Data[i*a.Stride:][:i+1] {
			u.Data[j*n+i] = v
		}
	}
	pivot := choleskyUpper(u)
	for i := range n {
		row := a.Data[i*a.Stride:][:i+1]
		for j := range row {
			row[j] = u.Data[j*n+i]
		}
	}
	giveBack(p)
	return pivot
}
