package model

import (
	"fmt"
	"slices"

	"pairrank/data"
)

// Normalized returns the given rows of a set, in that order, as the Scorer takes them: r×n,
// normalised as the training rows were, with zeros for features that the set lacks. It does not
// change the set. It costs O(n) a row, or its stored values; for query-minmax O(n) for every row of
// the queries involved. It returns the errors of Score for these rows and queries, and panics when
// a row is not in [0,m).
func (m *Model) Normalized(set *data.Set, rows []int) (data.Matrix, error) {
	if err := m.checkSet(set); err != nil {
		return nil, err
	}
	if err := m.checkFactors(data.Select(set.X, rows)); err != nil {
		return nil, err
	}
	if idle(m.Normalizer) {
		return data.Widen(data.Select(set.X, rows), m.Features()), nil
	}
	if scales(m.Normalizer) {
		return m.normalizedRows(set.X, rows, nil)
	}
	return m.normalizedInQuery(set, rows)
}

// normalizedRows normalises a copy of some rows; queries are theirs, or nil.
func (m *Model) normalizedRows(x data.Matrix, rows []int, queries *data.Partition) (data.Matrix, error) {
	own := &data.Set{X: copyRows(data.Select(x, rows), 0, len(rows), m.Features()), Queries: queries}
	if err := m.Normalizer.Apply(own); err != nil {
		return nil, err
	}
	return own.X, nil
}

// normalizedInQuery normalises a copy of the queries that contain the rows, and returns the rows.
func (m *Model) normalizedInQuery(set *data.Set, rows []int) (data.Matrix, error) {
	queries := set.Queries
	if queries == nil {
		all, _ := set.X.Dims()
		queries = data.OneList(all)
	}
	var parts, of []int32
	var members []int
	place := map[int]int{} // of a row of the set among the members
	for _, i := range rows {
		g := queries.Of()[i]
		if slices.Contains(parts, g) {
			continue
		}
		for _, member := range queries.Part(int(g)) {
			place[int(member)] = len(members)
			members, of = append(members, int(member)), append(of, int32(len(parts)))
		}
		parts = append(parts, g)
	}
	x, err := m.normalizedRows(set.X, members, data.NewPartition(of, len(parts)))
	if err != nil {
		return nil, err
	}
	kept := make([]int, len(rows))
	for k, i := range rows {
		kept[k] = place[i]
	}
	return data.Select(x, kept), nil
}

// Output returns the model of output o of v, counted from 0. It shares the numbers of m. The cost
// is O(1), for a Kernel O(b). It panics when o is not in [0,v).
func (m *Model) Output(o int) *Model {
	v := m.Outputs()
	if o < 0 || o >= v {
		panic(fmt.Sprintf("model: output %d of %d", o, v))
	}
	if v == 1 {
		return m
	}
	one := &Model{Info: m.Info, Names: m.Names, Normalizer: m.Normalizer}
	switch s := m.Scorer.(type) {
	case *Linear:
		one.Scorer = &Linear{Weights: data.Slice(s.Weights, o, o+1).(*data.Dense)}
	case *Fourier:
		one.Scorer = &Fourier{Kernel: s.Kernel, Inputs: s.Inputs, Weights: data.Slice(s.Weights, o, o+1).(*data.Dense)}
	case *Spline:
		one.Scorer = s.output(o)
	case *Kernel:
		coef := data.NewDense(s.Coef.Rows, 1, nil)
		for i := range coef.Rows {
			coef.Data[i] = s.Coef.Row(i)[o]
		}
		one.Scorer = &Kernel{Kernel: s.Kernel, Support: s.Support, SupportRows: s.SupportRows, Coef: coef}
	}
	return one
}
