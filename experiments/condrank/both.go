package main

import (
	"context"
	"math/rand/v2"

	"pairrank/relation"
	"pairrank/relation/kron"
)

// leaveBothOut is the exact estimate of setting 4 from a sample of pairs, each left
// out with its drug and its target.
func (b *interactions) leaveBothOut(ctx context.Context, s settings) (inRow, overAll chosen, err error) {
	path, err := kron.Factor(ctx, b.rows, b.cols, b.y, kron.Options{Loss: kron.Regression, Relation: kron.Arbitrary})
	if err != nil {
		return inRow, overAll, err
	}
	pairs := b.sample(s.sample, s.seed)
	row, y := make([]int32, len(pairs)), make([]float64, len(pairs))
	for k, e := range pairs {
		row[k], y[k] = int32(e.Row), b.y.Row(e.Row)[e.Col]
	}
	within, together := relation.RowError(row, y), relation.RowError(make([]int32, len(pairs)), y)
	scores := make([]float64, len(pairs))
	for _, lambda := range coarseLambdas {
		if err := path.HoldOutBoth(ctx, lambda, pairs, func(k int, score float64) { scores[k] = score }); err != nil {
			return inRow, overAll, err
		}
		one, err := within(scores)
		if err != nil {
			return inRow, overAll, err
		}
		all, err := together(scores)
		if err != nil {
			return inRow, overAll, err
		}
		inRow.take(1-one.Value, lambda, 0)
		overAll.take(1-all.Value, lambda, 0)
	}
	return inRow, overAll, nil
}

// sample is at most n pairs, drawn; of 0/1 data half of them, or all, are the known
// ones: the share of wrongly ordered pairs does not depend on how many there are
// of each kind.
func (b *interactions) sample(n int, seed uint64) []kron.Edge {
	var known, others []kron.Edge
	for i := range b.y.Rows {
		for j, v := range b.y.Row(i) {
			if b.binary && v == 1 {
				known = append(known, kron.Edge{Row: i, Col: j})
			} else {
				others = append(others, kron.Edge{Row: i, Col: j})
			}
		}
	}
	random := rand.New(rand.NewPCG(seed, 0x626f7468))
	take := func(from []kron.Edge, most int) []kron.Edge {
		random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		return from[:min(most, len(from))]
	}
	first := take(known, n/2)
	return append(first, take(others, n-len(first))...)
}
