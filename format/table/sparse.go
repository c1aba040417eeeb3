package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
	"pairrank/internal/npy"
)

// sparseArrays are the arrays of scipy.sparse.save_npz.
var sparseArrays = []string{"format", "data", "indices", "indptr", "row", "col", "shape", "_is_array"}

// rowsBuilder makes a sparse matrix row by row.
type rowsBuilder struct {
	data.CSR
	from int // where the row begins
	perm []stored
}

// stored is a value of a row.
type stored struct {
	col int32
	val float64
}

func newRowsBuilder(m, n, entries int) *rowsBuilder {
	return &rowsBuilder{CSR: data.CSR{Rows: m, Cols: n, Ptr: make([]int, 1, m+1), Col: make([]int32, 0, entries),
		Val: make([]float64, 0, entries)}}
}

// add appends a value to the row.
func (b *rowsBuilder) add(col int32, val float64) {
	b.Col, b.Val = append(b.Col, col), append(b.Val, val)
}

// end ends the row: its values are sorted by column, those of one column summed, and zeros dropped.
func (b *rowsBuilder) end() error {
	cols, vals := b.Col[b.from:], b.Val[b.from:]
	tidy := true
	for k, c := range cols {
		tidy = tidy && vals[k] != 0 && (k == 0 || c > cols[k-1])
	}
	if !tidy {
		if err := b.tidy(cols, vals); err != nil {
			return err
		}
	}
	b.from = len(b.Val)
	b.Ptr = append(b.Ptr, b.from)
	return nil
}

func (b *rowsBuilder) tidy(cols []int32, vals []float64) error {
	b.perm = b.perm[:0]
	for k, c := range cols {
		b.perm = append(b.perm, stored{c, vals[k]})
	}
	slices.SortStableFunc(b.perm, func(a, o stored) int { return cmp.Compare(a.col, o.col) })
	b.Col, b.Val = b.Col[:b.from], b.Val[:b.from]
	for k := 0; k < len(b.perm); {
		e := b.perm[k]
		for k++; k < len(b.perm) && b.perm[k].col == e.col; k++ {
			e.val += b.perm[k].val
		}
		if math.IsInf(e.val, 0) {
			return fmt.Errorf("the values of column %d add up to more than a float64 holds", e.col+1)
		}
		if e.val != 0 {
			b.add(e.col, e.val)
		}
	}
	return nil
}

// sparseOf reads the arrays that scipy.sparse.save_npz writes of a matrix in the form csr, csc or
// coo. Like SciPy it takes columns in any order, and adds values of one place.
func sparseOf(arrays map[string]*npy.Array) (*data.CSR, error) {
	form := arrays["format"]
	if len(form.Strings) != 1 {
		return nil, fmt.Errorf("the array format is not a text, as scipy.sparse.save_npz writes it")
	}
	kind := form.Strings[0]
	if !slices.Contains([]string{"coo", "csr", "csc"}, kind) {
		return nil, fmt.Errorf("a sparse matrix of the form %q is not read: .tocsr() of SciPy makes csr of it",
			data.ClipText(kind))
	}
	m, n, err := sparseShape(arrays["shape"])
	if err != nil {
		return nil, err
	}
	vals, err := sparseArray(arrays, "data")
	if err != nil {
		return nil, err
	}
	var rows, cols func(k int) int
	count := len(vals)
	switch kind {
	case "coo":
		if rows, err = indicesOf(arrays, "row", m, count); err != nil {
			return nil, err
		}
		cols, err = indicesOf(arrays, "col", n, count)
	case "csr":
		if cols, err = indicesOf(arrays, "indices", n, count); err != nil {
			return nil, err
		}
		rows, count, err = pointersOf(arrays, m, count)
	default:
		if rows, err = indicesOf(arrays, "indices", m, count); err != nil {
			return nil, err
		}
		cols, count, err = pointersOf(arrays, n, count)
	}
	if err != nil {
		return nil, err
	}
	const most, free = codec.MaxRatio, 1 << 24 // of a file that is a header and little else
	if wide := max(m, n); wide > max(free, most*count) {
		return nil, fmt.Errorf("a sparse matrix of %d × %d with %d values: its shape is damaged", m, n, count)
	}
	if err := memory.Ask(16*float64(m)+24*float64(count), "the rows of a sparse matrix"); err != nil {
		return nil, err
	}
	return sortedRows(m, n, count, rows, cols, vals)
}

// sparseShape is the shape of a sparse matrix.
func sparseShape(a *npy.Array) (m, n int, err error) {
	if a == nil || len(a.Data) != 2 {
		return 0, 0, fmt.Errorf("the array shape of a sparse matrix does not have two numbers")
	}
	for _, k := range a.Data {
		if k != math.Trunc(k) || k < 0 || k >= math.MaxInt32 {
			return 0, 0, fmt.Errorf("a sparse matrix of shape %v", a.Data)
		}
	}
	if a.Data[0] == 0 {
		return 0, 0, fmt.Errorf("the sparse matrix has 0 rows")
	}
	return int(a.Data[0]), int(a.Data[1]), nil
}

// sparseArray are the numbers of an array of a sparse matrix.
func sparseArray(arrays map[string]*npy.Array, name string) ([]float64, error) {
	a := arrays[name]
	if a == nil || a.Strings != nil || len(a.Shape) != 1 {
		return nil, fmt.Errorf("there is no array %s of numbers of a sparse matrix: the arrays are %s", name,
			listedArrays(arrays))
	}
	return a.Data, nil
}

// indicesOf is an array of so many whole numbers of at least 0 and below limit.
func indicesOf(arrays map[string]*npy.Array, name string, limit, count int) (func(k int) int, error) {
	a, err := sparseArray(arrays, name)
	switch {
	case err != nil:
		return nil, err
	case len(a) != count:
		return nil, fmt.Errorf("%s has %d entries, and data has %d", name, len(a), count)
	}
	for k, x := range a {
		if !(x >= 0 && x < float64(limit) && x == math.Trunc(x)) {
			return nil, fmt.Errorf("entry %d of %s is %v, not in 0 … %d", k+1, name, x, limit-1)
		}
	}
	return func(k int) int { return int(a[k]) }, nil
}

// pointersOf returns to which row, or column, each entry belongs. It must be called for ascending
// entries from 0. used is how many there are.
func pointersOf(arrays map[string]*npy.Array, lines, count int) (of func(k int) int, used int, err error) {
	a, err := sparseArray(arrays, "indptr")
	switch {
	case err != nil:
		return nil, 0, err
	case len(a) != lines+1:
		return nil, 0, fmt.Errorf("indptr has %d entries, not %d", len(a), lines+1)
	case a[0] != 0:
		return nil, 0, fmt.Errorf("indptr begins with %v, not 0", a[0])
	}
	for k, x := range a[1:] {
		if !(x >= a[k] && x <= float64(count) && x == math.Trunc(x)) {
			return nil, 0, fmt.Errorf("entry %d of indptr is %v, not in %v … %d", k+2, x, a[k], count)
		}
	}
	at := 0
	return func(k int) int {
		if k == 0 {
			at = 0
		}
		for float64(k) >= a[at+1] {
			at++
		}
		return at
	}, int(a[lines]), nil
}

// sortedRows sorts count entries by rows.
func sortedRows(m, n, count int, rows, cols func(k int) int, vals []float64) (*data.CSR, error) {
	next := make([]int, m+1) // where the next entry of a row goes
	for k := range count {
		next[rows(k)+1]++
	}
	for i := range m {
		next[i+1] += next[i]
	}
	order := data.CSR{Rows: m, Cols: n, Ptr: slices.Clone(next), Col: make([]int32, count), Val: make([]float64, count)}
	for k := range count {
		i := rows(k)
		order.Col[next[i]], order.Val[next[i]] = int32(cols(k)), vals[k]
		next[i]++
	}
	b := newRowsBuilder(m, n, 0)
	b.Col, b.Val = order.Col[:0], order.Val[:0] // a row that is tidied grows no longer
	for i := range m {
		for k := order.Ptr[i]; k < order.Ptr[i+1]; k++ {
			b.add(order.Col[k], order.Val[k])
		}
		if err := b.end(); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return &b.CSR, nil
}
