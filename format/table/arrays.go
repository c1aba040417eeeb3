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
	nan := opts.Missing != data.MissingError || opts.check != nil
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

// setOf makes a Set of the arrays X (m × n), y (m), qid (m numbers or texts; optional) and names (n
// texts; optional).
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
		return nil, fmt.Errorf("the array X has no features") // and any number of rows by its header alone
	}
	set := &data.Set{X: data.NewDense(m, n, x.Data), Schema: &data.Schema{}}
	if opts.check != nil {
		opts.check.missingIn(set.X.(*data.Dense), opts.Missing)
	} else if opts.Missing != data.MissingError {
		data.FillMissing(set.X, opts.Missing)
	}
	set.Y = make([]float64, m)
	if !opts.NoLabel {
		if set.Y, err = arrays["y"].labels(m, opts.check); err != nil {
			return nil, err
		}
		set.Schema.Label = "y"
	}
	if names := arrays["names"]; names != nil {
		if len(names.Strings) != n {
			return nil, fmt.Errorf("the array names does not have %d texts", n)
		}
		set.Names = names.Strings
	}
	qid := arrays["qid"]
	if qid == nil {
		set.Queries = data.OneList(m)
		return set, nil
	}
	set.HasQID, set.Schema.Query = true, "qid"
	set.Queries, err = qid.queries(m)
	return set, err
}

// features returns the shape of a matrix of rows × features; a is nil where the file has none.
func (a *Array) features() (m, n int, err error) {
	if a == nil || a.Strings != nil || len(a.Shape) != 2 {
		return 0, 0, fmt.Errorf("there is no array X of rows × features")
	}
	if m = a.Shape[0]; m == 0 || m > math.MaxInt32 {
		return 0, 0, fmt.Errorf("the array X has %d rows", m)
	}
	return m, a.Shape[1], nil
}

// labels returns the m labels of an array; a is nil where the file has none.
func (a *Array) labels(m int, check *checking) ([]float64, error) {
	if a == nil || a.Strings != nil || a.Len() != m {
		return nil, fmt.Errorf("there is no array y of %d labels", m)
	}
	for i, label := range a.Data {
		if math.IsNaN(label) {
			err := &reason{FaultUnlabelled, fmt.Sprintf("label %d is missing", i+1)}
			if err := check.pass(FaultUnlabelled, err); err != nil {
				return nil, err
			}
		}
	}
	return a.Data, nil
}

// queries returns the queries of m rows from an array of their names, one a row.
func (a *Array) queries(m int) (*data.Partition, error) {
	if a.Len() != m {
		return nil, fmt.Errorf("qid has %d entries for %d rows", a.Len(), m)
	}
	of := make([]int32, m)
	var first []int
	name := func(i int) string { return a.Strings[i] }
	if a.Strings != nil {
		first = number(of, a.Strings, func(text string) string { return text })
	} else {
		first = number(of, a.Data, math.Float64bits) // 0 and −0 differ, like their names
		name = func(i int) string { return strconv.FormatFloat(a.Data[i], 'f', -1, 64) }
	}
	ids := make([]string, len(first))
	for g, i := range first {
		if ids[g] = name(i); ids[g] == "" || ids[g] == "NaN" {
			return nil, fmt.Errorf("qid %d is missing", i+1)
		}
	}
	return data.NewQueries(of, ids), nil
}

// number sets of_i to the number of the key of entry i, counted from 0 in order of first
// appearance, and returns where each key first appears.
func number[T any, K comparable](of []int32, entries []T, key func(T) K) (first []int) {
	known := map[K]int32{}
	var last K
	for i, x := range entries {
		k := key(x)
		if i > 0 && k == last { // usual: the next row of a query
			of[i] = of[i-1]
			continue
		}
		g, is := known[k]
		if !is {
			g = int32(len(first))
			known[k] = g
			first = append(first, i)
		}
		of[i], last = g, k
	}
	return first
}
