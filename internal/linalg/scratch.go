package linalg

import (
	"math/bits"
	"sync"
)

// scratch keeps buffers between calls, one pool for every power of two, so
// that small products allocate nothing.
var scratch [64]sync.Pool

// pooled is the size in numbers up to which buffers are kept, 32 MB; larger
// ones are allocated as they are needed and not rounded up.
const pooled = 1 << 22

// borrow returns a buffer of n numbers with arbitrary contents; giveBack
// returns it.
func borrow(n int) *[]float64 {
	if n > pooled {
		s := make([]float64, n)
		return &s
	}
	class := bits.Len(uint(max(n, 1) - 1))
	p, _ := scratch[class].Get().(*[]float64)
	if p == nil {
		s := make([]float64, 1<<class)
		p = &s
	}
	*p = (*p)[:n]
	return p
}

func giveBack(p *[]float64) {
	if cap(*p) > pooled {
		return
	}
	*p = (*p)[:cap(*p)]
	scratch[bits.Len(uint(cap(*p)-1))].Put(p)
}

// borrowMat is borrow for a matrix without gaps.
func borrowMat(rows, cols int) (Mat, *[]float64) {
	p := borrow(rows * cols)
	return Mat{Rows: rows, Cols: cols, Stride: cols, Data: *p}, p
}
