package rls

import (
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// pending holds weighted rows of queries that wait to be multiplied. The sums do not fit into the
// cache; multiplying more rows at a time fetches them less often. The time of the multiplication
// has no effect on the bits, since each piece is multiplied by itself.
type pending struct {
	buffer []float64
	used   int
	pieces []piece
}

// piece is up to pieceRows rows [T Z] of one query, whose product is LᵀR; L is R but for
// a Laplacian without block structure.
type piece struct {
	left, right linalg.Mat // columns up to a multiple of eight, zeros at the end
	columns     int
	fold        int
}

const (
	// pieceRows is the number of rows whose products are rounded as one sum. tileSide is the side
	// of the squares in which products are computed and added: large for the product, and small
	// enough to stay on one goroutine and, with the sums, in the second-level cache.
	pieceRows = 216
	tileSide  = 96
	// pendingNumbers is the size of the buffer, 16 MB, unless a piece takes more.
	pendingNumbers = 1 << 21
	// pendingRows bounds the rows: waiting for more gains nothing.
	pendingRows = 4096
)

// paddedColumns is a number of columns up to a multiple of eight: a product of very few columns
// would be rounded differently.
func paddedColumns(columns int) int { return (columns + 7) / 8 * 8 }

// reserve returns room for rows of the given number of columns, at the end of the buffer.
func (m *Statistics) reserve(rows, columns int) linalg.Mat {
	p := &m.pending
	stride := paddedColumns(columns)
	need := rows * stride
	if p.used+need > len(p.buffer) {
		m.flush()
	}
	if size := max(need, min(pendingNumbers, pendingRows*stride)); p.used == 0 && size > len(p.buffer) {
		p.buffer = make([]float64, size)
	}
	return linalg.Mat{Rows: rows, Cols: columns, Stride: stride, Data: p.buffer[p.used : p.used+need]}
}

// take makes a piece of the first rows that were reserved; two says that they are those
// of the left and of the right factor.
func (p *pending) take(rows, columns, fold int, two bool) {
	stride := paddedColumns(columns)
	all := linalg.Mat{Rows: rows, Cols: stride, Stride: stride, Data: p.buffer[p.used : p.used+rows*stride]}
	p.used += rows * stride
	for a := range rows {
		clear(all.Row(a)[columns:])
	}
	next := piece{left: all, right: all, columns: columns, fold: fold}
	if two {
		next.left, next.right = all.Slice(0, rows/2, 0, stride), all.Slice(rows/2, rows, 0, stride)
	}
	p.pieces = append(p.pieces, next)
}

// flush adds the products of the pieces to the sums.
func (m *Statistics) flush() {
	p := &m.pending
	if len(p.pieces) == 0 {
		return
	}
	tasks := p.tasks(len(m.folds))
	tiles := make([][]float64, parallel.Workers())
	parallel.For(len(tasks), func(worker, t int) {
		if tiles[worker] == nil {
			tiles[worker] = make([]float64, tileSide*tileSide)
		}
		tasks[t].add(&m.folds[tasks[t].fold], p.pieces, tiles[worker])
	})
	p.pieces, p.used = p.pieces[:0], 0
}

// tileTask is one tile of one fold.
type tileTask struct{ fold, i0, j0 int }

// tasks are the tiles that the pieces touch.
func (p *pending) tasks(folds int) []tileTask {
	widest := make([]int, folds)
	for _, q := range p.pieces {
		widest[q.fold] = max(widest[q.fold], q.columns)
	}
	var tasks []tileTask
	for f, columns := range widest {
		for j := 0; j < columns; j += tileSide {
			for i := 0; i <= j; i += tileSide {
				tasks = append(tasks, tileTask{f, i, j})
			}
		}
	}
	return tasks
}

// add adds the products of the pieces, in their order, with memory for one of them.
func (t tileTask) add(s *foldSums, pieces []piece, memory []float64) {
	for _, q := range pieces {
		if q.fold != t.fold || q.columns <= t.j0 {
			continue
		}
		left := q.left.Slice(0, q.left.Rows, t.i0, min(t.i0+tileSide, q.left.Cols))
		right := q.right.Slice(0, q.right.Rows, t.j0, min(t.j0+tileSide, q.right.Cols))
		tile := linalg.Mat{Rows: right.Cols, Cols: left.Cols, Stride: left.Cols, Data: memory[:right.Cols*left.Cols]}
		if t.i0 == t.j0 {
			linalg.Gemmt(linalg.Lower, linalg.T, linalg.NoTrans, 1, right, left, 0, tile)
		} else {
			linalg.Gemm(linalg.T, linalg.NoTrans, 1, right, left, 0, tile)
		}
		s.addTile(tile, t.i0, t.j0, q.columns)
	}
}
