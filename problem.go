package pairrank

import (
	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/pref"
)

// Problem is what is to be learnt from: m rows with n features each, their labels
// and the queries within which they are ranked.
type Problem struct {
	// Set has the rows, their labels and their queries, which are needed beside Labels and
	// Preferences, too: data.OneList where all rows are one list. It is not changed, unless
	// Options.InPlace allows it.
	Set *data.Set
	// Labels, where it is not nil, are the labels of v outputs, m×v, instead of those
	// of Set. Each output has a λ of its own.
	Labels *data.Dense
	// Preferences, where it is not nil, say which rows are preferred to which, instead
	// of the labels. Those of Weight 0 are not learnt from, but count in the held-out
	// error.
	Preferences []pref.Edge
	// Kernel, where it is not nil, is the kernel matrix of the rows, m×m, symmetric and
	// positive semidefinite, instead of their features.
	Kernel *data.Dense
	// Valid, where it is not nil, are rows of their own by which λ is chosen, with the
	// features of Set: they are normalised as those are.
	Valid *data.Set
}

// Rows makes a set of m rows x with n features each and their labels y. queries names
// the query of each row, in any order; nil makes one list of all rows. The features
// are copied and y is kept. The cost is O(mn). It returns an error where the lengths
// differ.
func Rows(x [][]float64, y []float64, queries []string) (*data.Set, error) {
	if len(x) == 0 {
		return nil, fault.Dataf("there are no rows")
	}
	m, n := len(x), len(x[0])
	if len(y) != m {
		return nil, fault.Dataf("%d rows with %d labels", m, len(y))
	}
	if queries != nil && len(queries) != m {
		return nil, fault.Dataf("%d rows with %d names of queries", m, len(queries))
	}
	set := &data.Set{Y: y, Queries: data.OneList(m), HasQID: queries != nil}
	rows := data.NewDense(m, n, nil)
	for i, row := range x {
		if len(row) != n {
			return nil, fault.Dataf("row %d has %d features, and row 1 has %d", i+1, len(row), n)
		}
		copy(rows.Row(i), row)
	}
	set.X = rows
	if queries != nil {
		set.Queries = queriesOf(queries)
	}
	return set, nil
}

// queriesOf numbers names of queries in the order in which they come first.
func queriesOf(names []string) *data.Partition {
	number, of := map[string]int32{}, make([]int32, len(names))
	var ids []string
	for i, name := range names {
		q, known := number[name]
		if !known {
			q = int32(len(ids))
			number[name] = q
			ids = append(ids, name)
		}
		of[i] = q
	}
	return data.NewQueries(of, ids)
}
