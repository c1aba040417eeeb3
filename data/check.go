package data

import "fmt"

// Check panics where the fields of a matrix do not fit its shape, as those of a Dense
// without a Stride, whose rows would all be the first one. name is that of the
// argument, in the message. It is for functions that take matrices of their callers;
// NewDense makes matrices that fit.
func Check(name string, x Matrix) {
	switch x := x.(type) {
	case nil:
		panic(fmt.Sprintf("%s: there is no matrix", name))
	case *Dense:
		if x == nil {
			panic(fmt.Sprintf("%s: there is no matrix", name))
		}
		last := 0 // one past the last number
		if x.Rows > 0 {
			last = (x.Rows-1)*x.Stride + x.Cols
		}
		if x.Rows < 0 || x.Cols < 0 || x.Rows > 1 && x.Stride < x.Cols || len(x.Data) < last {
			panic(fmt.Sprintf("%s: a Dense of %d×%d with Stride %d and %d numbers: NewDense makes one that fits", name, x.Rows, x.Cols, x.Stride, len(x.Data)))
		}
	case *CSR:
		if x == nil {
			panic(fmt.Sprintf("%s: there is no matrix", name))
		}
		if x.Rows < 0 || x.Cols < 0 || len(x.Ptr) != x.Rows+1 || len(x.Col) != len(x.Val) || x.Ptr[x.Rows] != len(x.Val) {
			panic(fmt.Sprintf("%s: a CSR of %d×%d with %d row bounds, %d columns and %d values", name, x.Rows, x.Cols, len(x.Ptr), len(x.Col), len(x.Val)))
		}
	}
}
