package main

import (
	"context"
	"path/filepath"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/kernel"
)

// features is how many there are: parts of the graphs of all parses.
const features = 195097

// sentences are parses with their goodness y and the sentence of each. The kernel of two
// parses is the inner product of their features, which is the graph kernel.
type sentences struct {
	y       []float64
	queries *data.Partition
	k       *data.Dense
	train   int // of the parses, the first ones, are those for training
}

// read reads the two files.
func read(ctx context.Context, dir string) (*sentences, error) {
	s := &sentences{}
	x := &data.CSR{Cols: features, Ptr: []int{0}}
	var of []int32
	var names []string
	for _, name := range []string{"rank_train.light.gz", "rank_test.light.gz"} {
		set, err := svmlight.ReadFile(ctx, filepath.Join(dir, "rlscore_examples", name),
			svmlight.Options{Storage: svmlight.StoreCSR, Features: features})
		if err != nil {
			return nil, err
		}
		s.train = len(s.y) // before the last file
		part := set.X.(*data.CSR)
		for _, end := range part.Ptr[1:] {
			x.Ptr = append(x.Ptr, len(x.Col)+end)
		}
		x.Col, x.Val, x.Rows = append(x.Col, part.Col...), append(x.Val, part.Val...), x.Rows+part.Rows
		for _, q := range set.Queries.Of() {
			of = append(of, q+int32(len(names)))
		}
		for q := range set.Queries.Len() {
			names = append(names, set.Queries.ID(q))
		}
		s.y = append(s.y, set.Y...)
	}
	s.queries = data.NewQueries(of, names)
	s.k = kernel.Matrix(kernel.Linear{}, x, x)
	return s, nil
}

// of are the parses of some sentences, and of the others.
func (s *sentences) of(held map[int32]bool) (others, rows []int) {
	for i, q := range s.queries.Of() {
		if held[q] {
			rows = append(rows, i)
		} else {
			others = append(others, i)
		}
	}
	return others, rows
}

// whole is all parses.
func (s *sentences) whole() *data.Set {
	return &data.Set{X: s.k, Y: s.y, Queries: s.queries, HasQID: true}
}

// set is some of the parses, by their kernel values with others, which ascend.
func (s *sentences) set(rows, others []int) *data.Set {
	part := s.whole().Subset(rows)
	part.X = data.SelectColumns(part.X, others)
	return part
}
