package linalg

import (
	"math"
	"slices"
)

const (
	epsilon     = 0x1p-52 // distance from 1 to the next float64
	qlSweeps    = 60      // more than any eigenvalue has been seen to need
	qlMaxSweeps = 600
)

// qlEigen finds the eigenvalues of a small tridiagonal matrix, ascending in d,
// and its eigenvectors, the rows of v, by the QL iteration with implicit
// shifts. e, of the length of d, is destroyed. The matrix is scaled to a norm
// between ½ and 1 meanwhile.
// (Dubrulle, A short note on the implicit QL algorithm, 1970; Parlett, The
// Symmetric Eigenvalue Problem, 1998, §8.)
func qlEigen(d, e []float64, v Mat) {
	n := len(d)
	norm, exp := math.Frexp(max(MaxAbs(d), MaxAbs(e[:max(0, n-1)])))
	shiftExponent(d, -exp)
	shiftExponent(e, -exp)
	for i := range n {
		clear(v.Row(i))
		v.Row(i)[i] = 1
	}
	for l := range n {
		for sweep := 0; ; sweep++ {
			m := qlBlockEnd(d, e, l, sweep, norm)
			if m == l {
				break
			}
			if sweep == qlMaxSweeps {
				panic("linalg: the QL iteration did not converge")
			}
			qlSweep(d, e, l, m, v)
		}
	}
	shiftExponent(d, exp)
	sortEigen(d, v)
}

// qlBlockEnd is the end of the unreduced block that begins at l. Where the iteration is slow, it
// also neglects entries that are small compared with the norm of the matrix.
func qlBlockEnd(d, e []float64, l, sweep int, norm float64) int {
	m := l
	for ; m+1 < len(d); m++ {
		size := math.Abs(e[m])
		if size <= epsilon*(math.Abs(d[m])+math.Abs(d[m+1])) || size <= tinyVector*norm ||
			sweep > qlSweeps && size <= epsilon*norm {
			break
		}
	}
	return m
}

// qlSweep chases the bulge of one shifted step from m up to l.
func qlSweep(d, e []float64, l, m int, v Mat) {
	shift := (d[l+1] - d[l]) / (2 * e[l])
	root := math.Hypot(shift, 1)
	g := d[m] - d[l] + e[l]/(shift+math.Copysign(root, shift))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r, up := hypotenuse(f, g)
		f, g = f*up, g*up
		e[i+1] = r / up
		if r == 0 { // the block falls apart here
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		rotateRows(v.Row(i), v.Row(i+1), c, -s)
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}

// hypotenuse is r = √(f²+g²) after f and g are multiplied by up, a power of
// two that is not 1 only for tiny numbers.
func hypotenuse(f, g float64) (r, up float64) {
	up = 1
	if max(math.Abs(f), math.Abs(g)) < tinyVector {
		up = math.Ldexp(1, tinyShift)
	}
	return math.Hypot(f*up, g*up), up
}

// rotateRows replaces (x, y) by (c x + s y, c y - s x).
func rotateRows(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, a := range x {
		b := y[i]
		x[i], y[i] = c*a+s*b, c*b-s*a
	}
}

// sortEigen orders a few eigenvalues and their vectors.
func sortEigen(d []float64, v Mat) {
	for i := range d {
		least := i
		for j := i + 1; j < len(d); j++ {
			if d[j] < d[least] {
				least = j
			}
		}
		if least != i {
			d[i], d[least] = d[least], d[i]
			x, y := v.Row(i), v.Row(least)
			for k, a := range x {
				x[k], y[k] = y[k], a
			}
		}
	}
}

// ascending is the order of x's indices by value.
func ascending(order []int, x []float64) {
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
}
