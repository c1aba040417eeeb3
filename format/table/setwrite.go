package table

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/npy"
	"pairrank/internal/quote"
	"pairrank/internal/textline"
)

// Format is a form of a table.
type Format int

const (
	CSV Format = iota
	TSV
	NPY
	NPZ
	JSONL // one object a line
	JSON  // a list of objects
)

// FormatOf returns the format for the ending of a file name, in letters of any size, TSV for an unknown one or none.
func FormatOf(path string) Format {
	switch codec.Ending(path) {
	case ".npz":
		if codec.FormatOf(path) == codec.Plain {
			return NPZ
		}
	case ".npy":
		return NPY
	case ".jsonl", ".ndjson":
		return JSONL
	case ".json":
		return JSON
	case ".csv":
		return CSV
	}
	return TSV
}

// WriteSet writes s so that ReadSet reads the same labels, queries, features and names:
//
//   - as text with a header line (label, qid when s.HasQID, id when the rows have IDs, then the names
//     of the features, f1, f2, … for unnamed ones), row by row also for a sparse matrix. Comment lines
//     are written, those before the first row above the header.
//   - as .npz with the arrays X, y, qid, names, id, group and fold, as far as s has them; a sparse
//     matrix takes the arrays data, indices, indptr, shape and format of SciPy instead of X;
//   - as JSON, one object a line or a list of objects, with label, qid, id, group and fold, as far as s
//     has them, and features: an object of names, or a list where they have none.
//     Names that are equal, or not UTF-8, are an error;
//   - as .npy with X alone, which is an error for a sparse matrix.
//
// Zeros are written, comments of rows are not. It panics when the matrix of s does not fit.
func WriteSet(w io.Writer, format Format, s *data.Set) error {
	data.Check("table: WriteSet: X", s.X)
	switch format {
	case CSV:
		return writeText(w, ',', s)
	case TSV:
		return writeText(w, '\t', s)
	case JSONL:
		return writeJSON(w, s, "", "\n", "\n")
	case JSON:
		return writeJSON(w, s, "[", ",\n", "]\n")
	}
	x, dense := s.X.(*data.Dense)
	if format == NPZ {
		return writeArchive(w, s)
	}
	if !dense {
		return fmt.Errorf("a sparse matrix has no form in .npy: write .npz, or read it dense")
	}
	return npy.Write(w, arrayOf(x))
}

// writeArchive writes the arrays of .npz.
func writeArchive(w io.Writer, s *data.Set) error {
	m, _ := s.X.Dims()
	arrays := map[string]*npy.Array{}
	if s.Names != nil {
		arrays["names"] = &npy.Array{Shape: []int{len(s.Names)}, Strings: s.Names}
	}
	for _, c := range ValuesOf(s, true) {
		a := &npy.Array{Shape: []int{m}, Data: c.Numbers}
		if c.Text != nil {
			a.Strings = make([]string, m)
			for i := range m {
				a.Strings[i] = c.Text(i)
			}
		}
		arrays[c.array] = a
	}
	x, sparse := s.X.(*data.CSR)
	if !sparse {
		arrays["X"] = arrayOf(s.X.(*data.Dense))
		return npy.WriteArchive(w, arrays)
	}
	lo, hi := x.Ptr[0], x.Ptr[x.Rows]
	arrays["data"] = &npy.Array{Shape: []int{hi - lo}, Data: x.Val[lo:hi]}
	arrays["format"] = &npy.Array{Shape: []int{}, Strings: []string{"csr"}}
	members := npy.MembersOf(arrays)
	members["indices"] = func(w io.Writer) error { return npy.WriteWhole(w, x.Col[lo:hi], 0) }
	members["indptr"] = func(w io.Writer) error { return npy.WriteWhole(w, x.Ptr[:x.Rows+1], lo) }
	members["shape"] = func(w io.Writer) error { return npy.WriteWhole(w, []int{x.Rows, x.Cols}, 0) }
	return npy.WriteMembers(w, members)
}

func arrayOf(x *data.Dense) *npy.Array {
	values := x.Data
	if x.Stride != x.Cols {
		values = make([]float64, 0, x.Rows*x.Cols)
		for i := range x.Rows {
			values = append(values, x.Row(i)...)
		}
	}
	return &npy.Array{Shape: []int{x.Rows, x.Cols}, Data: values[:x.Rows*x.Cols]}
}

func writeText(w io.Writer, sep byte, s *data.Set) error {
	out := bufio.NewWriterSize(w, 1<<16)
	m, n := s.X.Dims()
	notes, err := textline.WriteNotes(out, s.Notes, 0)
	if err != nil {
		return err
	}
	cells := ValuesOf(s, false)
	line, err := headerOf(s, cells, n, sep)
	if err != nil {
		return err
	}
	out.Write(append(line, '\n'))
	row := make([]float64, n)
	for i := range m {
		if notes, err = textline.WriteNotes(out, notes, i); err != nil {
			return err
		}
		line = line[:0]
		for k, c := range cells {
			if k > 0 {
				line = append(line, sep)
			}
			if c.Text == nil {
				line, err = c.appendNumber(line, i, s.Number(i))
			} else if line, err = quote.AppendField(line, c.Text(i), sep); err != nil {
				err = fmt.Errorf("row %d: %w", s.Number(i)+1, err)
			}
			if err != nil {
				return err
			}
		}
		s.X.RowTo(row, i)
		if line, err = appendFeatures(line, row, sep, s.Number(i)); err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	if _, err := textline.WriteNotes(out, notes, m); err != nil {
		return err
	}
	return out.Flush()
}

// headerOf is the line of the names of the columns.
func headerOf(s *data.Set, cells []Values, features int, sep byte) (line []byte, err error) {
	for k, c := range cells {
		if k > 0 {
			line = append(line, sep)
		}
		line = append(line, c.Name...)
	}
	for j := range features {
		name := "f" + strconv.Itoa(j+1)
		if s.Names != nil && !unnamed(s.Names[j]) {
			name = s.Names[j]
		}
		if line, err = quote.AppendField(append(line, sep), name, sep); err != nil {
			return nil, err
		}
		if len(line) > data.MaxLine {
			return nil, fmt.Errorf("the names of %d features make a header of more than %d bytes, which could not "+
				"be read back: use SVMlight text for sparse rows", features, data.MaxLine)
		}
	}
	return line, nil
}

// appendFeatures appends the features of row i, each behind a separator.
func appendFeatures(line []byte, row []float64, sep byte, i int) (_ []byte, err error) {
	for j, x := range row {
		if line, err = appendNumber(append(line, sep), x); err != nil {
			return line, fmt.Errorf("feature %d of row %d: %w", j+1, i+1, err)
		}
	}
	return line, nil
}

// appendNumber appends the number of row i, which an error calls by its number in the input.
func (c *Values) appendNumber(line []byte, i, number int) ([]byte, error) {
	line, err := appendNumber(line, c.Numbers[i])
	if err != nil {
		err = fmt.Errorf("%s of row %d: %w", c.noun, number+1, err)
	}
	return line, err
}

// appendNumber appends the shortest text that reads back as x.
func appendNumber(line []byte, x float64) ([]byte, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return line, fmt.Errorf("%v cannot be written", x)
	}
	return strconv.AppendFloat(line, x, 'g', -1, 64), nil
}
