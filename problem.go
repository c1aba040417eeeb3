package pairrank

import (
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/internal/compared"
	"pairrank/internal/fault"
	"pairrank/internal/rows"
	"pairrank/pref"
)

// Problem is the data of a training: m rows with n features each, their labels, and the queries within which
// they are ranked.
type Problem struct {
	// Set has the rows, their labels and their queries; data.OneList makes all rows one list. Labels,
	// Preferences and Comparisons need Set, too. Set is not changed unless Options.InPlace allows it.
	Set *data.Set
	// Labels, unless nil, replaces the labels of Set by those of v outputs, m×v. Each output gets a separate λ.
	Labels *data.Dense
	// Preferences, unless nil, replaces the labels by pairs of rows, the first preferred to the second. One of
	// Magnitude 0 is a tie, and one of Weight 0 is left out.
	Preferences []pref.Edge
	// Comparisons, unless nil, replaces the labels by comparisons between rows: wins of either, ties and their
	// counts, with weights, magnitudes, annotators and strata. Its items are the rows of Set; its Items, which
	// name them, may be nil, and it has no covariates, Features or Residual.
	Comparisons *comparison.Problem
	// Kernel, unless nil, replaces the features by the kernel matrix of the rows, m×m, symmetric and positive
	// semidefinite.
	Kernel *data.Dense
	// Valid, unless nil, has separate rows for the choice of λ. They have the features of Set and are
	// normalised as those of Set.
	Valid *data.Set
}

// rows converts the problem to that of package internal/rows.
func (p *Problem) rows() rows.Problem {
	return rows.Problem{Set: p.Set, Labels: p.Labels, Pairs: compared.Of(p.Set, p.Preferences, p.Comparisons),
		Kernel: p.Kernel, Valid: p.Valid}
}

// Rows makes a set of m rows x with n features each and labels y. queries[i] names the query of row i, in any
// order; nil makes one list of all rows. Rows copies the features and keeps y. It costs O(mn). It returns an
// error if the lengths differ.
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

// queriesOf numbers the names of queries in the order of their first appearance.
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
