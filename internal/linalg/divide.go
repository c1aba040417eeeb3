package linalg

import (
	"math"

	"pairrank/internal/parallel"
)

const (
	divideLeaf   = 32  // blocks up to this order are solved by qlEigen
	divideSerial = 128 // up to this order everything runs on one goroutine
	divideAlone  = 600 // merges up to this order run side by side, if there are enough
)

// divider finds the eigenvectors of a tridiagonal matrix by divide and
// conquer: the matrix is torn into blocks by rank-one changes, and solved
// blocks are merged two by two. (Cuppen, 1981; Gu and Eisenstat, A
// divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem,
// 1995.)
type divider struct {
	d, e []float64
	v    Mat       // rows are eigenvectors
	rows []float64 // n² numbers: the new eigenvectors of a merge
	u    []float64 // n² numbers: the eigenvectors of a merge's rank-one problem
}

// tridiagonalEigen finds the eigenvalues of the tridiagonal matrix with
// diagonal d and off-diagonal e, ascending in d, and its eigenvectors, the
// rows of v. e, of the length of d, is destroyed. All numbers must be finite.
func tridiagonalEigen(d, e []float64, v Mat) {
	n := len(d)
	if n == 0 {
		return
	}
	if n <= divideLeaf {
		qlEigen(d, e, v)
		return
	}
	_, exp := math.Frexp(max(MaxAbs(d), MaxAbs(e[:n-1])))
	shiftExponent(d, -exp)
	shiftExponent(e[:n-1], -exp)
	work := borrow(2 * n * n)
	t := divider{d: d, e: e, v: v, rows: (*work)[:n*n], u: (*work)[n*n:]}
	t.solve()
	giveBack(work)
	shiftExponent(d, exp)
}

// shiftExponent multiplies x by 2^exp, exactly except for overflow and underflow.
func shiftExponent(x []float64, exp int) {
	for i, v := range x {
		x[i] = math.Ldexp(v, exp)
	}
}

func (t *divider) solve() {
	n := len(t.d)
	blocks := 1
	for n > blocks*divideLeaf {
		blocks *= 2
	}
	cut := func(i int) int { return i * n / blocks }
	for i := 1; i < blocks; i++ {
		c := cut(i)
		b := math.Abs(t.e[c-1])
		t.d[c-1] -= b
		t.d[c] -= b
	}
	workers := parallel.Workers()
	if n <= divideSerial {
		workers = 1
	}
	parallel.ForWorkers(workers, blocks, func(_, i int) { t.leaf(cut(i), cut(i+1)) })
	for size := 1; size < blocks; size *= 2 {
		merges := blocks / (2 * size)
		wide := workers > 1 && (merges < workers || n/merges > divideAlone)
		merge := func(_, i int) {
			lo, mid, hi := cut(2*i*size), cut((2*i+1)*size), cut((2*i+2)*size)
			t.merge(lo, mid, hi, wide)
		}
		if wide {
			parallel.ForWorkers(1, merges, merge)
		} else {
			parallel.ForWorkers(workers, merges, merge)
		}
	}
}

// leaf solves the block [lo,hi).
func (t *divider) leaf(lo, hi int) {
	for i := lo; i < hi; i++ {
		clear(t.v.Row(i))
	}
	e := borrow(hi - lo)
	copy(*e, t.e[lo:hi])
	qlEigen(t.d[lo:hi], *e, t.v.Slice(lo, hi, lo, hi))
	giveBack(e)
}
