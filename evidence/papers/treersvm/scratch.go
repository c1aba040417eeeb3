package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"pairrank/data"
)

// A file of rows that any range can be read from, in the memory that the rows
// take: four 64-bit numbers (dense 0 or sparse 1, rows, columns, stored values),
// the labels, then the values of a dense matrix or Ptr, Val and Col of a sparse
// one, little-endian.

// pieceLength is the number of values that are encoded or decoded at a time.
const pieceLength = 1 << 14

const headLength = 4

// store writes a set.
func store(path string, s *data.Set) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	switch x := s.X.(type) {
	case *data.Dense:
		if x.Stride != x.Cols {
			panic("the rows of a dense matrix follow each other")
		}
		put(w, []int64{0, int64(x.Rows), int64(x.Cols), int64(len(x.Data))})
		put(w, s.Y)
		put(w, x.Data)
	case *data.CSR:
		put(w, []int64{1, int64(x.Rows), int64(x.Cols), int64(len(x.Val))})
		put(w, s.Y)
		ptr := make([]int64, len(x.Ptr))
		for i, p := range x.Ptr {
			ptr[i] = int64(p)
		}
		put(w, ptr)
		put(w, x.Val)
		put(w, x.Col)
	}
	return w.Flush() // tells the first error of all
}

// put writes values; the writer keeps the error.
func put[T any](w *bufio.Writer, v []T) {
	for ; len(v) > 0; v = v[min(len(v), pieceLength):] {
		_ = binary.Write(w, binary.LittleEndian, v[:min(len(v), pieceLength)])
	}
}

// load reads rows lo … hi−1 of a file, or to the last where hi is −1.
func load(path string, lo, hi int) (*data.Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &source{file: f}
	head := make([]int64, headLength)
	get(r, 0, head)
	if r.err != nil {
		return nil, r.err
	}
	rows, cols, stored := int(head[1]), int(head[2]), int(head[3])
	if hi < 0 {
		hi = rows
	}
	if lo < 0 || lo > hi || hi > rows {
		return nil, fmt.Errorf("%s: rows %d … %d of %d", path, lo, hi, rows)
	}
	m := hi - lo
	s := &data.Set{Y: make([]float64, m), Queries: data.OneList(m)}
	at := 8 * headLength
	get(r, at+8*lo, s.Y)
	at += 8 * rows
	if head[0] == 0 {
		x := data.NewDense(m, cols, nil)
		get(r, at+8*lo*cols, x.Data)
		s.X = x
		return s, r.err
	}
	ptr := make([]int64, m+1)
	if get(r, at+8*lo, ptr); r.err != nil {
		return nil, r.err
	}
	at += 8 * (rows + 1)
	first, n := int(ptr[0]), int(ptr[m]-ptr[0])
	x := &data.CSR{Rows: m, Cols: cols, Ptr: make([]int, m+1), Val: make([]float64, n), Col: make([]int32, n)}
	for i, p := range ptr {
		x.Ptr[i] = int(p) - first
	}
	get(r, at+8*first, x.Val)
	at += 8 * stored
	get(r, at+4*first, x.Col)
	s.X = x
	return s, r.err
}

// source is a file with the first error of reading it, and memory for a piece.
type source struct {
	file io.ReaderAt
	text []byte
	err  error
}

// get reads values from a place on.
func get[T any](r *source, at int, v []T) {
	size := binary.Size(v[:min(len(v), 1)])
	for r.err == nil && len(v) > 0 {
		n := min(len(v), pieceLength)
		if len(r.text) < n*size {
			r.text = make([]byte, n*size)
		}
		text := r.text[:n*size]
		if _, r.err = r.file.ReadAt(text, int64(at)); r.err != nil {
			return
		}
		_, r.err = binary.Decode(text, binary.LittleEndian, v[:n])
		v, at = v[n:], at+n*size
	}
}
