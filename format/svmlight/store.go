package svmlight

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/memory"
)

// physicalMemory is the memory of the machine in bytes; a test changes it.
var physicalMemory = memory.Total

// store keeps the values while the file is read, sparse or dense, and converts when the rows so far
// suggest it. The final form depends only on the whole file.
type store struct {
	kind    Storage
	rows    int
	cols    int // the least number of features, widened while reading
	nonzero int

	isDense bool
	dense   []float64 // rows × stride
	stride  int

	ptr []int // of the sparse form
	col []int32
	val []float64

	decided int // rows at the last decision between dense and sparse
}

// add takes the rows of a block. growth is the estimated ratio of the whole file to the part
// including this block, 0 when unknown. stable is false, and the form stays sparse, until there are
// enough rows for the estimate.
func (s *store) add(b *block, growth float64, stable bool) error {
	cols := max(s.cols, b.width)
	rows := s.rows + len(b.labels)
	nonzero := s.nonzero + b.nonzero
	err := s.adapt(rows, cols, nonzero, growth, stable)
	if err == nil {
		err = s.ask(s.claim(b, growth))
	}
	if err != nil {
		return err
	}
	if s.isDense {
		s.addDense(b, growth)
	} else {
		s.addSparse(b, growth)
	}
	s.rows, s.cols, s.nonzero = rows, cols, nonzero
	return nil
}

// adapt makes the form of the store the one for so many rows, columns and values.
func (s *store) adapt(rows, cols, nonzero int, growth float64, stable bool) (err error) {
	expected := rows
	if growth > 0 {
		expected = int(float64(rows) * growth)
	}
	dense := s.wantsDense(rows, expected, cols, nonzero)
	wide := s.isDense && cols > s.stride
	switch {
	case s.isDense && !dense && (wide || rows >= 2*s.decided):
		err = s.toSparse(capacity(nonzero, growth))
		s.decided = rows
	case !s.isDense && dense && stable && rows >= 2*s.decided:
		if err = checkFits(rows, cols); err == nil {
			err = s.toDense(cols, capacity(rows*cols, growth))
		}
		s.decided = rows
	case wide:
		if err = checkFits(rows, cols); err == nil {
			err = s.widen(rows, cols, growth)
		}
	}
	return err
}

// claim returns how many further bytes the rows of b need.
func (s *store) claim(b *block, growth float64) float64 {
	all := func(need int) int { return capacity(need, growth) }
	if s.isDense {
		return memory.Claim(s.dense, len(b.labels)*s.stride, all)
	}
	values := memory.Claim(s.col, b.nonzero, all) + memory.Claim(s.val, b.nonzero, all)
	return values + memory.Claim(s.ptr, len(b.ends)+1, all)
}

// ask returns an error where need bytes are not free.
func (s *store) ask(need float64) error { return memory.Ask(need, memory.Rows(s.rows)) }

// wantsDense reports whether the rows so far suggest the dense form.
func (s *store) wantsDense(rows, expected, cols, nonzero int) bool {
	switch s.kind {
	case StoreDense:
		return true
	case StoreCSR:
		return false
	}
	return float64(nonzero) >= DenseFrom*float64(rows)*float64(cols) && checkFits(expected, cols) == nil
}

// addDense appends the rows of b; stride is at least their width.
func (s *store) addDense(b *block, growth float64) {
	at := len(s.dense)
	s.dense = grow(s.dense, len(b.labels)*s.stride, growth)
	s.dense = s.dense[:at+len(b.labels)*s.stride]
	start := 0
	for _, end := range b.ends {
		cols, vals := b.cols[start:end], b.vals[start:end]
		row := s.dense[at : at+s.stride]
		if last := len(cols) - 1; last >= 0 && int(cols[last]) == last {
			clear(row[copy(row, vals):]) // no index is left out
		} else {
			clear(row)
			for k, j := range cols {
				row[j] = vals[k]
			}
		}
		start, at = end, at+s.stride
	}
}

// addSparse appends the values of b that are not zero.
func (s *store) addSparse(b *block, growth float64) {
	s.ptr = grow(s.ptr, len(b.ends)+1, growth)
	if len(s.ptr) == 0 {
		s.ptr = append(s.ptr, 0)
	}
	s.col = grow(s.col, b.nonzero, growth)
	s.val = grow(s.val, b.nonzero, growth)
	if n := len(b.ends); n > 0 && b.ends[n-1] == b.nonzero { // none is zero
		at := len(s.val)
		s.col, s.val = append(s.col, b.cols[:b.nonzero]...), append(s.val, b.vals[:b.nonzero]...)
		for _, end := range b.ends {
			s.ptr = append(s.ptr, at+end)
		}
		return
	}
	start := 0
	for _, end := range b.ends {
		for k := start; k < end; k++ {
			if b.vals[k] != 0 {
				s.col = append(s.col, b.cols[k])
				s.val = append(s.val, b.vals[k])
			}
		}
		s.ptr = append(s.ptr, len(s.val))
		start = end
	}
}

// toDense changes to the dense form of cols columns, in memory for total
// numbers.
func (s *store) toDense(cols, total int) error {
	what := denseText(s.rows, cols)
	if expected := total / max(cols, 1); expected > s.rows {
		what = fmt.Sprintf("a dense matrix of %d features and some %d rows, as the size of the file suggests,", cols,
			expected)
	}
	if err := memory.Ask(8*float64(total), what); err != nil {
		return err
	}
	s.stride = cols
	dense := make([]float64, s.rows*cols, total)
	for i := range s.rows {
		row := dense[i*cols : (i+1)*cols]
		for k := s.ptr[i]; k < s.ptr[i+1]; k++ {
			row[s.col[k]] = s.val[k]
		}
	}
	s.isDense, s.dense = true, dense
	s.ptr, s.col, s.val = nil, nil, nil
	return nil
}

// toSparse changes to the sparse form, in memory for total values.
func (s *store) toSparse(total int) error {
	const perRow, perValue = 8, 12
	if err := s.ask(perRow*float64(s.rows) + perValue*float64(total)); err != nil {
		return err
	}
	s.ptr = append(make([]int, 0, s.rows+1), 0)
	s.col = make([]int32, 0, total)
	s.val = make([]float64, 0, total)
	for i := range s.rows {
		for j, x := range s.dense[i*s.stride : (i+1)*s.stride] {
			if x != 0 {
				s.col = append(s.col, int32(j))
				s.val = append(s.val, x)
			}
		}
		s.ptr = append(s.ptr, len(s.val))
	}
	s.isDense, s.dense, s.stride = false, nil, 0
	return nil
}

// widen allocates for cols features in every row, and an eighth more so that
// it is rarely needed. Rows move in place, the last one first.
func (s *store) widen(rows, cols int, growth float64) error {
	old, stride := s.stride, cols+cols/8
	used := s.rows * old
	all := func(need int) int { return capacity(need, growth) }
	if err := memory.Ask(memory.Claim(s.dense[:used], rows*stride-used, all), denseText(rows, cols)); err != nil {
		return err
	}
	s.dense = grow(s.dense[:used], rows*stride-used, growth)[:s.rows*stride]
	for i := s.rows - 1; i >= 0; i-- {
		row := s.dense[i*stride : (i+1)*stride]
		copy(row, s.dense[i*old:(i+1)*old])
		clear(row[old:])
	}
	s.stride = stride
	return nil
}

// matrix returns the matrix of all rows in the form that they ask for.
func (s *store) matrix() (data.Matrix, error) {
	x, err := s.as(s.wantsDense(s.rows, s.rows, s.cols, s.nonzero))
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case *data.CSR:
		x.Ptr, x.Col, x.Val = trimmed(x.Ptr), trimmed(x.Col), trimmed(x.Val)
	case *data.Dense:
		x.Data = trimmed(x.Data)
	}
	return x, nil
}

// as returns the rows as a dense or sparse matrix, in the memory of the store.
func (s *store) as(dense bool) (data.Matrix, error) {
	var err error
	if dense {
		err = checkFits(s.rows, s.cols)
	}
	switch {
	case err != nil:
	case dense && !s.isDense:
		err = s.toDense(s.cols, s.rows*s.cols)
	case !dense && s.isDense:
		err = s.toSparse(s.nonzero)
	}
	if err != nil {
		return nil, err
	}
	if !dense {
		return &data.CSR{Rows: s.rows, Cols: s.cols, Ptr: s.ptr, Col: s.col, Val: s.val}, nil
	}
	if s.stride > s.cols { // widen allocated too much
		for i := range s.rows {
			copy(s.dense[i*s.cols:(i+1)*s.cols], s.dense[i*s.stride:(i+1)*s.stride])
		}
	}
	return data.NewDense(s.rows, s.cols, s.dense[:s.rows*s.cols]), nil
}

// clear forgets the rows, and keeps their memory.
func (s *store) clear() {
	s.rows, s.nonzero, s.decided = 0, 0, 0
	s.dense, s.ptr, s.col, s.val = s.dense[:0], s.ptr[:0], s.col[:0], s.val[:0]
}

// trimmed returns s without spare capacity: as a copy when more than half is unused and the copy
// fits, else by hiding it.
func trimmed[T any](s []T) []T {
	if cap(s) > 2*len(s) && memory.Ask(memory.Claim([]T(nil), len(s), exactly), "") == nil {
		return append(make([]T, 0, len(s)), s...)
	}
	return s[:len(s):len(s)]
}

func exactly(need int) int { return need }

// checkFits returns an error when a dense matrix is larger than the memory of
// the machine.
func checkFits(rows, cols int) error {
	if need, have := 8*float64(rows)*float64(cols), physicalMemory(); need > have {
		return &memory.Lack{Err: fmt.Errorf("%s takes %s, more than the %s of this machine; read it sparse",
			denseText(rows, cols), memory.Size(need), memory.Size(have))}
	}
	return nil
}

func denseText(rows, cols int) string { return fmt.Sprintf("a dense matrix of %d × %d", rows, cols) }
