package comparison

import (
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// sparseTimes sets dst to a b, of which a has a row for each item and few entries in it where few items are compared.
func sparseTimes(a, b, dst linalg.Mat) {
	const strip, few = 512, 12 // columns of b, which stay near; and the share of entries from which a is not sparse
	entries := 0
	for _, v := range a.Data {
		if v != 0 {
			entries++
		}
	}
	if few*entries > len(a.Data) {
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, a, b, 0, dst)
		return
	}
	at := make([][]int32, a.Rows)
	for i := range at {
		for j, v := range a.Row(i) {
			if v != 0 {
				at[i] = append(at[i], int32(j))
			}
		}
	}
	for lo := 0; lo < b.Cols; lo += strip {
		hi := min(lo+strip, b.Cols)
		parallel.For(a.Rows, func(_, i int) {
			row := a.Row(i)
			clear(dst.Row(i)[lo:hi])
			for _, j := range at[i] {
				linalg.Axpy(row[j], b.Row(int(j))[lo:hi], dst.Row(i)[lo:hi])
			}
		})
	}
}
