package modelfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// Matrix reads dense or sparse rows, nil for another storage.
func (r *Reader) Matrix(storage string, rows, cols int) (data.Matrix, error) {
	switch storage {
	case "dense":
		return r.Dense(rows, cols)
	case "sparse":
		return r.sparse(rows, cols)
	}
	return nil, nil
}

// Dense reads a line of numbers for each row.
func (r *Reader) Dense(rows, cols int) (*data.Dense, error) {
	if err := r.Room(rows, cols); err != nil {
		return nil, err
	}
	x := data.NewDense(rows, cols, nil)
	for i := range rows {
		if err := r.Numbers(x.Row(i)); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (r *Reader) sparse(rows, cols int) (*data.CSR, error) {
	if err := r.Room(rows, 0); err != nil {
		return nil, err
	}
	x := &data.CSR{Rows: rows, Cols: cols, Ptr: make([]int, 1, rows+1)}
	for range rows {
		line, err := r.Line()
		if err != nil {
			return nil, err
		}
		last := 0
		for line != "" {
			var field string
			field, line, _ = strings.Cut(line, " ")
			index, value, ok := strings.Cut(field, ":")
			j, err := strconv.Atoi(index)
			if !ok || err != nil || j <= last || j > cols {
				return nil, fmt.Errorf("not an ascending index from 1 to %d with its value: %q", cols, Clip(field))
			}
			v, err := ParseNumber(value)
			if err != nil {
				return nil, err
			}
			x.Col, x.Val, last = append(x.Col, int32(j-1)), append(x.Val, v), j
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	return x, nil
}

// Numbers reads a line of exactly len(dst) numbers.
func (r *Reader) Numbers(dst []float64) error {
	line, err := r.Line()
	if err != nil {
		return err
	}
	if len(dst) == 0 && line == "" {
		return nil
	}
	for k := range dst {
		field, rest, more := strings.Cut(line, " ")
		if more != (k < len(dst)-1) {
			return fmt.Errorf("a line does not have %d numbers", len(dst))
		}
		if dst[k], err = ParseNumber(field); err != nil {
			return err
		}
		line = rest
	}
	return nil
}

// Storage is how the rows of x are written: "dense" or "sparse".
func Storage(x data.Matrix) string {
	if _, is := x.(*data.CSR); is {
		return "sparse"
	}
	return "dense"
}

// Rows writes a line for each row of x. The text of blocks of rows is made on all cores.
func (w *Writer) Rows(x data.Matrix) {
	rows, cols := x.Dims()
	s, sparse := x.(*data.CSR)
	stored := rows * cols
	if sparse {
		stored = len(s.Val)
	}
	block := max(1, blockNumbers*rows/max(1, stored))
	texts := make([][]byte, min(parallel.Workers(), (rows+block-1)/block))
	for lo := 0; lo < rows; lo += block * len(texts) {
		parallel.For(len(texts), func(_, k int) {
			b := texts[k][:0]
			var row []float64
			if !sparse {
				row = make([]float64, cols)
			}
			for i := lo + k*block; i < min(lo+(k+1)*block, rows); i++ {
				if sparse {
					b = appendSparse(b, s, i)
					continue
				}
				x.RowTo(row, i)
				b = appendNumbers(b, row)
			}
			texts[k] = b
		})
		for _, b := range texts {
			w.Write(b)
		}
	}
}

// blockNumbers is the number of entries of a block of rows whose text is made at once: some 300 kB.
const blockNumbers = 1 << 14

// Numbers writes a line of numbers, each in the shortest form that reads back
// exactly.
func (w *Writer) Numbers(row []float64) { w.Write(appendNumbers(w.AvailableBuffer(), row)) }

func appendNumbers(b []byte, row []float64) []byte {
	for k, v := range row {
		if k > 0 {
			b = append(b, ' ')
		}
		b = AppendNumber(b, v)
	}
	return append(b, '\n')
}

// appendSparse appends a line of index:value, the indices from 1.
func appendSparse(b []byte, x *data.CSR, i int) []byte {
	cols, vals := x.Row(i)
	for k, v := range vals {
		if k > 0 {
			b = append(b, ' ')
		}
		b = AppendNumber(append(strconv.AppendInt(b, int64(cols[k])+1, 10), ':'), v)
	}
	return append(b, '\n')
}

// CheckFinite returns an error about the first number of x that is NaN or infinite, with what as
// its name, or about a type of x that cannot be saved.
func CheckFinite(what string, x data.Matrix) error {
	rows, _ := x.Dims()
	for i := range rows {
		var vals []float64
		switch x := x.(type) {
		case *data.Dense:
			vals = x.Row(i)
		case *data.CSR:
			_, vals = x.Row(i)
		default:
			return fmt.Errorf("a matrix of type %T cannot be saved", x)
		}
		if k := slices.IndexFunc(vals, NotFinite); k >= 0 {
			return fmt.Errorf("a %s of row %d is not finite: %v", what, i+1, vals[k])
		}
	}
	return nil
}

// CheckKernel returns why the kernel of support rows would not be read back. Random features have
// weights instead.
func CheckKernel(k kernel.Kernel) error {
	switch k.(type) {
	case kernel.Fourier, kernel.Spline:
		return fmt.Errorf("kernel %s cannot be saved with support rows: it has weights of its features", k)
	}
	spec := k.String()
	if known, err := kernel.Parse(spec); err != nil || known != k {
		return fmt.Errorf("kernel %q cannot be saved: kernel.Parse does not read it back", spec)
	}
	return nil
}
