package linalg

import (
	"math"

	"pairrank/internal/parallel"
)

// symvParts is the largest number of pieces into which a product of a
// symmetric matrix with a vector is cut. It is fixed, so that the result does
// not depend on the number of cores.
const symvParts = 8

// Symv computes y := alpha A x + beta y with a symmetric A, on all cores when A is large, in 2n²
// operations for A of n×n. It reads the triangle ul of A once. x and y must not share memory. It
// panics if one is shorter than n.
func Symv(ul Uplo, alpha float64, a Mat, x []float64, beta float64, y []float64) {
	require(ul.valid() && a.isSquare() && len(x) >= a.Rows && len(y) >= a.Rows, "Symv")
	n := a.Rows
	x, y = x[:n], y[:n]
	scaleBy(beta, y)
	if n == 0 || alpha == 0 {
		return
	}
	p := borrow((symvParts + 1) * n)
	ax := (*p)[:n]
	symvTo(ax, ul, a, x, (*p)[n:])
	Axpy(alpha, ax, y)
	giveBack(p)
}

// symvTo writes A x to dst; sums is scratch for symvParts vectors.
func symvTo(dst []float64, ul Uplo, a Mat, x, sums []float64) {
	n := a.Rows
	parts := symvCount(n)
	if parts < 2 {
		clear(dst)
		symvRows(ul, a, x, dst, 0, n)
		return
	}
	if n*n < 2*level2Serial {
		for q := range parts {
			symvPart(ul, a, x, sums, parts, q)
		}
	} else {
		symvParallel(ul, a, x, sums, parts)
	}
	symvSum(dst, ul, sums, parts)
}

// symvCount is the number of parts of a matrix of order n.
func symvCount(n int) int { return min(symvParts, n/128) }

// symvSum adds the parts up in dst.
func symvSum(dst []float64, ul Uplo, sums []float64, parts int) {
	n := len(dst)
	clear(dst)
	for q := range parts {
		lo, hi := symvReach(ul, n, parts, q)
		Axpy(1, sums[q*n+lo:q*n+hi], dst[lo:])
	}
}

func symvParallel(ul Uplo, a Mat, x, sums []float64, parts int) {
	parallel.For(parts, func(_, q int) { symvPart(ul, a, x, sums, parts, q) })
}

// symvPart is the share of the rows of part q, in sums[q*n:].
func symvPart(ul Uplo, a Mat, x, sums []float64, parts, q int) {
	n := a.Rows
	lo, hi := symvReach(ul, n, parts, q)
	y := sums[q*n : q*n+n]
	clear(y[lo:hi])
	symvRows(ul, a, x, y, symvCut(ul, n, parts, q), symvCut(ul, n, parts, q+1))
}

// symvReach is the range of entries of the result to which part q adds.
func symvReach(ul Uplo, n, parts, q int) (lo, hi int) {
	if ul == Upper {
		return symvCut(ul, n, parts, q), n
	}
	return 0, symvCut(ul, n, parts, q+1)
}

// symvCut is the first row of part q: the parts of the triangle have equal areas.
func symvCut(ul Uplo, n, parts, q int) int {
	if q == parts {
		return n
	}
	share := float64(q) / float64(parts)
	if ul == Upper {
		return int(float64(n)*(1-math.Sqrt(1-share))) &^ 3
	}
	return int(float64(n)*math.Sqrt(share)) &^ 3
}

// symvRows adds to y the part of A x from the rows [r0,r1) of the triangle.
func symvRows(ul Uplo, a Mat, x, y []float64, r0, r1 int) {
	n, ld := a.Rows, a.Stride
	i := r0
	for ; i+4 <= r1; i += 4 {
		symvDiagonal(ul, a, x, y, i)
		lo, hi := i+4, n
		if ul == Lower {
			lo, hi = 0, i
		}
		if lo < hi {
			active.symv4(a.Data[i*ld+lo:], ld, x[lo:hi], y[lo:hi], x[i:i+4], y[i:i+4])
		}
	}
	for ; i < r1; i++ {
		lo, hi := i+1, n
		if ul == Lower {
			lo, hi = 0, i
		}
		row := a.Data[i*ld+lo : i*ld+hi : i*ld+hi]
		y[i] += a.Data[i*ld+i]*x[i] + Dot(row, x[lo:hi])
		Axpy(x[i], row, y[lo:hi])
	}
}

// symvDiagonal adds the product with the 4×4 diagonal block at (i,i).
func symvDiagonal(ul Uplo, a Mat, x, y []float64, i int) {
	d0, d1, d2, d3 := rows4(a.Data[i*a.Stride+i:], a.Stride, 4)
	a01, a02, a03, a12, a13, a23 := d0[1], d0[2], d0[3], d1[2], d1[3], d2[3]
	if ul == Lower {
		a01, a02, a03, a12, a13, a23 = d1[0], d2[0], d3[0], d2[1], d3[1], d3[2]
	}
	x, y = x[i:i+4], y[i:i+4]
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	y[0] += d0[0]*x0 + a01*x1 + a02*x2 + a03*x3
	y[1] += a01*x0 + d1[1]*x1 + a12*x2 + a13*x3
	y[2] += a02*x0 + a12*x1 + d2[2]*x2 + a23*x3
	y[3] += a03*x0 + a13*x1 + a23*x2 + d3[3]*x3
}
