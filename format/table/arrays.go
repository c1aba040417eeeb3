package table

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"pairrank/data"
)

// readArrays reads a Set from .npz or .npy.
func readArrays(path string, format Format, opts Options) (*data.Set, error) {
	nan := opts.Missing != data.MissingError
	arrays := map[string]*Array{}
	var err error
	if format == NPY {
		arrays["X"], err = readNPYFile(path, nan)
		if err == nil && !opts.NoLabel {
			err = &SyntaxError{File: path, Msg: "an .npy file has no labels; an .npz file holds X and y"}
		}
	} else {
		arrays, err = readNPZ(path, nan)
	}
	if err != nil {
		return nil, err
	}
	set, err := setOf(arrays, opts)
	if err != nil {
		return nil, &SyntaxError{File: path, Msg: err.Error(), Err: errors.Unwrap(err)}
	}
	return set, nil
}

// setOf puts the arrays X (m × n), y (m), qid (m numbers or texts; optional)
// and names (n texts; optional) together.
func setOf(arrays map[string]*Array, opts Options) (*data.Set, error) {
	x := arrays["X"]
	m, n, err := x.features()
	if err != nil {
		return nil, err
	}
	if err := opts.checkFeatures(n); err != nil {
		return nil, err
	}
	if opts.NoLabel && n == 0 {
		return nil, fmt.Errorf("the array X has no features") // and rows by its word alone
	}
	set := &data.Set{X: data.NewDense(m, n, x.Data)}
	if opts.Missing != data.MissingError {
		data.FillMissing(set.X, opts.Missing)
	}
	set.Y = make([]float64, m)
	if !opts.NoLabel {
		if set.Y, err = arrays["y"].labels(m); err != nil {
			return nil, err
		}
	}
	if names := arrays["names"]; names != nil {
		if len(names.Strings) != n {
			return nil, fmt.Errorf("there are not %d texts in the array names", n)
		}
		set.Names = names.Strings
	}
	set.Queries = data.OneList(m)
	if qid := arrays["qid"]; qid != nil {
		texts, err := qid.texts(m)
		if err != nil {
			return nil, err
		}
		set.Queries, set.HasQID = queriesOf(texts), true
	}
	return set, nil
}

// features returns the shape of a matrix of rows × features, an array that is nil
// where the file has none.
func (a *Array) features() (m, n int, err error) {
	if a == nil || a.Strings != nil || len(a.Shape) != 2 {
		return 0, 0, fmt.Errorf("there is no array X of rows × features")
	}
	if m = a.Shape[0]; m == 0 || m > math.MaxInt32 {
		return 0, 0, fmt.Errorf("the array X has %d rows", m)
	}
	return m, a.Shape[1], nil
}

// labels returns the m labels of an array, nil where the file has none.
func (a *Array) labels(m int) ([]float64, error) {
	if a == nil || a.Strings != nil || a.Len() != m {
		return nil, fmt.Errorf("there is no array y of %d labels", m)
	}
	for i, label := range a.Data {
		if math.IsNaN(label) {
			return nil, fmt.Errorf("label %d is missing", i+1)
		}
	}
	return a.Data, nil
}

// texts returns the names of the queries.
func (a *Array) texts(m int) ([]string, error) {
	if a.Len() != m {
		return nil, fmt.Errorf("qid has %d entries for %d rows", a.Len(), m)
	}
	texts := a.Strings
	if texts == nil {
		texts = make([]string, m)
		for i, x := range a.Data {
			texts[i] = strconv.FormatFloat(x, 'f', -1, 64)
		}
	}
	for i, text := range texts {
		if text == "" || text == "NaN" {
			return nil, fmt.Errorf("qid %d is missing", i+1)
		}
	}
	return texts, nil
}

func queriesOf(texts []string) *data.Partition {
	number := map[string]int32{}
	of := make([]int32, len(texts))
	var ids []string
	for i, text := range texts {
		g, known := number[text]
		if !known {
			g = int32(len(ids))
			ids = append(ids, text)
			number[text] = g
		}
		of[i] = g
	}
	return data.NewQueries(of, ids)
}
