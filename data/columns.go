package data

import "fmt"

// SelectColumns returns a copy of the given columns of a *Dense or *CSR, which ascend
// strictly, in O(m) a column, or a pass over the stored values. It panics when x does not
// fit, or is of single precision, or has fewer columns.
func SelectColumns(x Matrix, columns []int) Matrix {
	Check("data: SelectColumns: x", x)
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
		place := make(map[int32]int32, len(columns))
		for k, j := range columns {
			place[int32(j)] = int32(k)
		}
		out := &CSR{Rows: x.Rows, Cols: len(columns), Ptr: make([]int, x.Rows+1)}
		for i := range x.Rows {
			cols, values := x.Row(i)
			for k, j := range cols {
				if at, kept := place[j]; kept {
					out.Col, out.Val = append(out.Col, at), append(out.Val, values[k])
				}
			}
			out.Ptr[i+1] = len(out.Val)
		}
		return out
	}
	panic(fmt.Sprintf("data: no columns of a matrix of type %T", x))
}
