package stream

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/kernel"
)

// mappingJSON is a Mapping in a file.
type mappingJSON struct {
	Kernel string      `json:"kernel"`
	Basis  *basisJSON  `json:"basis,omitempty"`
	Knots  [][]float64 `json:"knots,omitempty"`
}

// basisJSON holds basis rows: all values of each, or with columns, from 0, the stored values.
type basisJSON struct {
	Features int         `json:"features"`
	Columns  [][]int32   `json:"columns,omitempty"`
	Rows     [][]float64 `json:"rows"`
}

// json returns the form of a mapping in a file, nil for nil.
func (m *Mapping) json() *mappingJSON {
	if m == nil {
		return nil
	}
	out := &mappingJSON{Kernel: m.Kernel.String(), Knots: m.Knots}
	if m.Basis == nil {
		return out
	}
	b, n := m.Basis.Dims()
	out.Basis = &basisJSON{Features: n, Rows: make([][]float64, b)}
	switch x := m.Basis.(type) {
	case *data.Dense:
		for i := range b {
			out.Basis.Rows[i] = x.Row(i)
		}
	case *data.CSR:
		out.Basis.Columns = make([][]int32, b)
		for i := range b {
			cols, vals := x.Row(i)
			out.Basis.Columns[i], out.Basis.Rows[i] = append([]int32{}, cols...), append([]float64{}, vals...)
		}
	}
	return out
}

// mapping returns the mapping that a file describes, nil for nil. It allocates in proportion to the bytes read.
func (j *mappingJSON) mapping() (m *Mapping, err error) {
	if j == nil {
		return nil, nil
	}
	m = &Mapping{Knots: j.Knots}
	if m.Kernel, err = kernel.Parse(j.Kernel); err != nil || j.Basis == nil {
		return m, err
	}
	m.Basis, err = j.Basis.matrix()
	return m, err
}

func (j *basisJSON) matrix() (data.Matrix, error) {
	if j.Features < 0 || j.Features > math.MaxInt32 || j.Columns != nil && len(j.Columns) != len(j.Rows) {
		return nil, fmt.Errorf("a basis of %d features, %d rows and columns of %d",
			j.Features, len(j.Rows), len(j.Columns))
	}
	if j.Columns == nil {
		values := []float64{}
		for i, row := range j.Rows {
			if len(row) != j.Features {
				return nil, fmt.Errorf("basis row %d has %d values of %d features", i+1, len(row), j.Features)
			}
			values = append(values, row...)
		}
		return data.NewDense(len(j.Rows), j.Features, values), nil
	}
	x := &data.CSR{Rows: len(j.Rows), Cols: j.Features, Ptr: []int{0}}
	for i, row := range j.Rows {
		last := int32(-1)
		for _, c := range j.Columns[i] {
			if c <= last || int(c) >= j.Features {
				return nil, fmt.Errorf("basis row %d has column %d after %d, of %d", i+1, c, last, j.Features)
			}
			last = c
		}
		if len(row) != len(j.Columns[i]) {
			return nil, fmt.Errorf("basis row %d has %d values in %d columns", i+1, len(row), len(j.Columns[i]))
		}
		x.Col, x.Val = append(x.Col, j.Columns[i]...), append(x.Val, row...)
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	return x, nil
}
