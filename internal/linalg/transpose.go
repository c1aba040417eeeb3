package linalg

import "pairrank/internal/parallel"

// tile is the side of the square tiles in which matrices are transposed: two
// tiles fit the first-level cache.
const tile = 32

// T returns Aᵀ, a new matrix, as TransposeTo does.
func (a Mat) T() Mat {
	t := NewMat(a.Cols, a.Rows)
	TransposeTo(t, a)
	return t
}

// TransposeTo sets dst = Aᵀ, tile by tile on all cores. They must not share memory. It panics
// when the shapes do not fit.
func TransposeTo(dst, a Mat) {
	require(dst.valid() && a.valid() && dst.Rows == a.Cols && dst.Cols == a.Rows, "TransposeTo")
	parallel.Chunks(dst.Rows, tile, func(_, lo, hi int) {
		for i := 0; i < a.Rows; i += tile {
			transposeTile(dst, a, i, min(a.Rows, i+tile), lo, hi)
		}
	})
}

// transposeTo is TransposeTo on one core.
func transposeTo(dst, a Mat) {
	for i0 := 0; i0 < a.Rows; i0 += tile {
		i1 := min(a.Rows, i0+tile)
		for j0 := 0; j0 < a.Cols; j0 += tile {
			transposeTile(dst, a, i0, i1, j0, min(a.Cols, j0+tile))
		}
	}
}

func transposeTile(dst, a Mat, i0, i1, j0, j1 int) {
	packRows(dst.Data[j0*dst.Stride+i0:], dst.Stride, a.Data[i0*a.Stride+j0:], a.Stride, i1-i0, j1-j0, 1)
}

// Symmetrize copies the triangle ul of the square a to the other side, tile
// by tile and on all cores when a is large. It panics if a is not square.
func Symmetrize(ul Uplo, a Mat) {
	require(ul.valid() && a.isSquare(), "Symmetrize")
	if a.Rows <= 256 {
		for i0 := 0; i0 < a.Rows; i0 += tile {
			mirrorTiles(ul, a, i0)
		}
		return
	}
	symmetrizeParallel(ul, a)
}

func symmetrizeParallel(ul Uplo, a Mat) {
	parallel.For((a.Rows+tile-1)/tile, func(_, q int) { mirrorTiles(ul, a, q*tile) })
}

// mirrorTiles fills the rows [i0,i0+tile) of the missing triangle.
func mirrorTiles(ul Uplo, a Mat, i0 int) {
	n := a.Rows
	i1 := min(n, i0+tile)
	if ul == Lower {
		for j0 := i1; j0 < n; j0 += tile {
			transposeTile(a, a, j0, min(n, j0+tile), i0, i1)
		}
	} else {
		for j0 := 0; j0 < i0; j0 += tile {
			transposeTile(a, a, j0, min(n, j0+tile), i0, i1)
		}
	}
	for i := i0; i < i1; i++ { // the diagonal tile
		for j := i + 1; j < i1; j++ {
			if ul == Upper {
				a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
			} else {
				a.Data[i*a.Stride+j] = a.Data[j*a.Stride+i]
			}
		}
	}
}
