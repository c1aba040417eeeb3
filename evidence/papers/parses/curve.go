package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
)

// sizes are numbers of sentences for training.
var sizes = []int{5, 10, 20, 30}

// drawsOfSize are draws of sentences for one draw of folds, which tests all.
const drawsOfSize = 4

// bySize is the disagreement by how many sentences train: in each draw some, and those
// that are left test. It tells whether more sentences would help.
func bySize(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := read(ctx, s.dir)
	if err != nil {
		return found, err
	}
	heads := []string{"disagreement after training on … sentences", "%s"}
	for _, n := range sizes {
		heads = append(heads, fmt.Sprint(n), "%.3f", "±", "%.3f")
	}
	t := experiment.NewTable(heads...)
	for _, l := range learners {
		row := []any{l.Name}
		for _, n := range sizes {
			var errors []float64
			for draw := range drawsOfSize * s.repeat {
				e, err := all.drawn(ctx, l, n, s.seed+uint64(draw))
				if err != nil {
					return found, err
				}
				errors = append(errors, e)
			}
			e, stderr := mean(errors)
			row = append(row, e, stderr)
		}
		t.Row(row...)
	}
	found.Add(t)
	return found, nil
}

// drawn is the disagreement on the sentences that are left of n drawn.
func (s *sentences) drawn(ctx context.Context, l study.Learner, n int, seed uint64) (float64, error) {
	held := map[int32]bool{}
	for k, q := range rand.New(rand.NewPCG(seed, 1)).Perm(s.queries.Len()) {
		if k >= n {
			held[int32(q)] = true
		}
	}
	others, rows := s.of(held)
	split := s.split(others, rows, seed)
	t, err := l.Train(ctx, split)
	if err != nil {
		return 0, err
	}
	values, err := measure(split.Test, t.Scores)
	if err != nil {
		return 0, err
	}
	e, _ := mean(values[0])
	return e, nil
}
