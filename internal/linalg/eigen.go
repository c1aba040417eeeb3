package linalg

import "math"

// Matrices whose largest entry is outside this range are scaled by a power of
// two, so that squares neither overflow nor vanish.
const (
	eigenSmall = 0x1p-400
	eigenLarge = 0x1p+400
)

// The shares of the time of two of the stages, of order 2000 to 4000.
const (
	reduceShare = 0.55
	divideShare = 0.15
)

// SymEigen finds the eigenvalues of a symmetric matrix, ascending in w, and its eigenvectors: row j
// of v belongs to w[j]. The upper triangle of a is read and destroyed, the lower is not touched. v
// must not share memory with a. It takes about 9n³ operations at worst, and 3n² numbers of work
// space. The error of an eigenvalue is about 1e-15 ‖A‖; the vectors deviate from orthonormality by
// about 1e-15. If an entry is not finite, w and v are filled with NaN. It panics unless a and v are
// n×n and w of length n or more.
//
// The stages: tridiagonal form (reduce.go), divide and conquer (divide.go; Cuppen
// 1981; Gu and Eisenstat 1995), and the reflectors applied to its eigenvectors
// (householder.go).
func SymEigen(a Mat, w []float64, v Mat) { SymEigenTold(a, w, v, nil) }

// SymEigenTold is SymEigen whose progress tell hears, as the share of the time that is over; nil hears nothing.
func SymEigenTold(a Mat, w []float64, v Mat, tell func(share float64)) {
	n := a.Rows
	require(a.isSquare() && len(w) >= n && v.isSquare() && v.Rows == n, "SymEigen")
	if n == 0 {
		return
	}
	w = w[:n]
	largest := largestInUpper(a)
	if math.IsNaN(largest) || math.IsInf(largest, 1) {
		fillNaN(w, v)
		return
	}
	exp := 0
	if largest != 0 && (largest < eigenSmall || largest > eigenLarge) {
		_, exp = math.Frexp(largest)
		for i := range n {
			shiftExponent(a.Row(i)[i:], -exp)
		}
	}
	p := borrow(2 * n)
	e, tau := (*p)[:n], (*p)[n:2*n-1]
	r := newReducer(n)
	if tell == nil {
		tell = func(float64) {}
	} else {
		r.tell = func(share float64) { tell(reduceShare * share) }
	}
	r.reduce(a, w, e, tau)
	tridiagonalEigen(w, e, v)
	tell(reduceShare + divideShare)
	reflectors{rows: a, tau: tau}.mulQ(v, NoTrans)
	giveBack(p)
	if exp != 0 {
		shiftExponent(w, exp)
	}
	tell(1)
}

func largestInUpper(a Mat) float64 {
	largest := 0.0
	for i := range a.Rows {
		largest = max(largest, MaxAbs(a.Row(i)[i:]))
	}
	return largest
}

func fillNaN(w []float64, v Mat) {
	nan := math.NaN()
	for i := range w {
		w[i] = nan
		row := v.Row(i)
		for j := range row {
			row[j] = nan
		}
	}
}
