package linalg

import (
	"fmt"

	"pairrank/internal/parallel"
)

// Mat is a view of a row-major matrix: element (i,j) is Data[i*Stride+j].
// The zero value is the empty matrix. Two views may share memory; routines
// say where that is not allowed.
type Mat struct {
	Rows, Cols int
	Stride     int // distance between the starts of two rows, at least Cols
	Data       []float64
}

// NewMat returns a rows×cols matrix of zeros without gaps between its rows. It panics
// if one is negative.
func NewMat(rows, cols int) Mat {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("linalg: NewMat: %d×%d is not a shape", rows, cols))
	}
	return Mat{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

// Column is the matrix whose only column is x, sharing memory with it.
func Column(x []float64) Mat { return Mat{Rows: len(x), Cols: 1, Stride: 1, Data: x} }

// Row returns row i, sharing memory with a.
func (a Mat) Row(i int) []float64 {
	o := i * a.Stride
	return a.Data[o : o+a.Cols : o+a.Cols]
}

// Slice returns the view of rows [i0,i1) and columns [j0,j1).
// It panics unless 0 ≤ i0 ≤ i1 ≤ Rows and 0 ≤ j0 ≤ j1 ≤ Cols.
func (a Mat) Slice(i0, i1, j0, j1 int) Mat {
	if i0 < 0 || i1 < i0 || a.Rows < i1 || j0 < 0 || j1 < j0 || a.Cols < j1 {
		panic(fmt.Sprintf("linalg: Slice: [%d,%d)×[%d,%d) of a %d×%d matrix", i0, i1, j0, j1, a.Rows, a.Cols))
	}
	s := Mat{Rows: i1 - i0, Cols: j1 - j0, Stride: a.Stride}
	if s.Rows > 0 && s.Cols > 0 {
		s.Data = a.Data[i0*a.Stride+j0 : (i1-1)*a.Stride+j1]
	}
	return s
}

// Clone returns a copy without gaps between its rows.
func (a Mat) Clone() Mat {
	const piece = 1 << 16 // numbers: the pages of a new matrix take longer than the copy
	b := NewMat(a.Rows, a.Cols)
	parallel.Chunks(a.Rows, 1+piece/(1+a.Cols), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(b.Row(i), a.Row(i))
		}
	})
	return b
}

// Trans says whether an operand is taken transposed.
type Trans bool

const (
	NoTrans Trans = false // op(A) = A
	T       Trans = true  // op(A) = Aᵀ
)

// Uplo names the triangle, diagonal included, in which a symmetric or
// triangular matrix is stored. The other triangle is neither read nor written.
type Uplo byte

const (
	Upper Uplo = 'U'
	Lower Uplo = 'L'
)

// full is the Uplo of a product all of whose entries are wanted.
const full Uplo = 0

// Side is the side of the unknown or of the plain operand on which the
// symmetric or triangular matrix stands.
type Side byte

const (
	Left  Side = 'L'
	Right Side = 'R'
)

// shape gives the rows and columns of op(a).
func (a Mat) shape(t Trans) (rows, cols int) {
	if t {
		return a.Cols, a.Rows
	}
	return a.Rows, a.Cols
}

func (a Mat) valid() bool {
	return a.Rows >= 0 && a.Cols >= 0 && a.Stride >= a.Cols &&
		(a.Rows == 0 || a.Cols == 0 || len(a.Data) >= (a.Rows-1)*a.Stride+a.Cols)
}

func (a Mat) isSquare() bool { return a.valid() && a.Rows == a.Cols }

func (ul Uplo) valid() bool { return ul == Upper || ul == Lower }

func (s Side) valid() bool { return s == Left || s == Right }

// require panics unless ok: the arguments of a routine do not fit together,
// which is a bug of the caller.
func require(ok bool, routine string) {
	if !ok {
		panic("linalg: " + routine + ": the shapes, strides or flags of the arguments do not fit together")
	}
}
