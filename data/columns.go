package data

import "fmt"

// SelectColumns returns a copy, m×len(columns), of the given columns of x. It costs O(m) a column of a dense matrix,
// and a pass over the stored values of a sparse one of n columns and 4n bytes. Of a matrix whose rows are made, it
// makes these columns when they are read. It panics when x does not fit, and unless columns ascends strictly within
// those of x.
func SelectColumns(x Matrix, columns []int) Matrix {
	Check("data: SelectColumns: x", x)
	_, n := x.Dims()
	for k, j := range columns {
		if j < 0 || j >= n || k > 0 && j <= columns[k-1] {
			panic(fmt.Sprintf("data: SelectColumns: column %d at place %d does not ascend strictly within [0,%d)",
				j, k, n))
		}
	}
	switch x := x.(type) {
	case *Dense:
		out := NewDense(x.Rows, len(columns), nil)
		for i := range x.Rows {
			from, to := x.Row(i), out.Row(i)
			for k, j := range columns {
				to[k] = from[j]
			}
		}
		return out
	case *CSR:
		place := make([]int32, n) // of each column among those selected, from 1
		for k, j := range columns {
			place[j] = int32(k) + 1
		}
		out := &CSR{Rows: x.Rows, Cols: len(columns), Ptr: make([]int, x.Rows+1)}
		for i := range x.Rows {
			cols, values := x.Row(i)
			for k, j := range cols {
				if at := place[j]; at > 0 {
					out.Col, out.Val = append(out.Col, at-1), append(out.Val, values[k])
				}
			}
			out.Ptr[i+1] = len(out.Val)
		}
		return out
	case *made:
		return x.selectColumns(columns)
	}
	panic(fmt.Sprintf("data: no columns of a matrix of type %T", x))
}
