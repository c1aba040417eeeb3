package data

import "fmt"

// Check panics where the fields of a matrix do not fit its shape, as those of a Dense
// without a Stride, whose rows would all be the first one. name is that of the
// argument, in the message. It is for functions that take matrices of their callers,
// and costs O(1): the columns of sparse rows are not looked at. NewDense makes matrices
// that fit. What is called for every row of a matrix, as Each is, does not check.
func Check(name string, x Matrix) {
	switch x := x.(type) {
	case *Dense:
		x.check(name)
	case *CSR:
		if x != nil {
			checkSparse(name, "CSR", x.Rows, x.Cols, x.Ptr, len(x.Col), len(x.Val))
			return
		}
		panic(name + noMatrix)
	case *Dense32:
		if x == nil {
			panic(name + noMatrix)
		}
		if x.Rows < 0 || x.Cols < 0 || len(x.Data) != x.Rows*x.Cols {
			panic(fmt.Sprintf("%s: a Dense32 of %d×%d with %d numbers", name, x.Rows, x.Cols, len(x.Data)))
		}
	case *CSR32:
		if x != nil {
			checkSparse(name, "CSR32", x.Rows, x.Cols, x.Ptr, len(x.Col), len(x.Val))
			return
		}
		panic(name + noMatrix)
	default:
		panic(name + noMatrix)
	}
}

const noMatrix = ": there is no matrix"

func (x *Dense) check(name string) {
	if x == nil {
		panic(name + noMatrix)
	}
	last := 0 // one past the last number
	if x.Rows > 0 {
		last = (x.Rows-1)*x.Stride + x.Cols
	}
	if x.Rows < 0 || x.Cols < 0 || x.Rows > 1 && x.Stride < x.Cols || len(x.Data) < last {
		panic(fmt.Sprintf("%s: a Dense of %d×%d with Stride %d and %d numbers: NewDense makes one that fits", name, x.Rows, x.Cols, x.Stride, len(x.Data)))
	}
}

func checkSparse(name, kind string, rows, cols int, ptr []int, columns, values int) {
	if rows < 0 || cols < 0 || len(ptr) != rows+1 || columns != values || ptr[0] < 0 || ptr[rows] < ptr[0] || ptr[rows] > values {
		panic(fmt.Sprintf("%s: a %s of %d×%d with %d row bounds, %d columns and %d values", name, kind, rows, cols, len(ptr), columns, values))
	}
}
