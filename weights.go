package pairrank

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/internal/rows"
)

// checkWeights refuses weights of rows that are no weights, and those beside pairs that have their own.
func (p *Problem) checkWeights() error {
	if p.Set.Weights != nil && p.compares() {
		return &fault.Error{Kind: fault.Use, Code: rows.FaultWeights, Err: errors.New("weights of rows are of labels: " +
			"preferences and comparisons have weights of their own")}
	}
	for _, set := range []*data.Set{p.Set, p.Valid} {
		if set == nil || set.Weights == nil {
			continue
		}
		if n, m := len(set.Weights), len(set.Y); n != m {
			return fault.Dataf("%d labels of rows with %d weights", m, n)
		}
		for i, w := range set.Weights {
			if !(w >= 0) || math.IsInf(w, 1) {
				return &fault.Error{Kind: fault.Data, Code: rows.FaultWeights,
					Err: fmt.Errorf("the weight of %s is %v: a weight is finite and at least 0", set.Called(i), w)}
			}
		}
		if !slices.ContainsFunc(set.Weights, func(w float64) bool { return w > 0 }) {
			return fault.Dataf("all rows have weight 0: none is left")
		}
	}
	return nil
}

// weighted is the problem without rows of weight 0, and without weights where all are 1; the same where there are none.
// The weights of its rows are checked.
func (p *Problem) weighted() *Problem {
	out := *p
	out.Valid, _ = present(p.Valid)
	set, rows := present(p.Set)
	out.Set, out.Valid = unlessOnes(set), unlessOnes(out.Valid)
	if rows == nil {
		return &out
	}
	if p.Labels != nil {
		out.Labels = p.Labels.SelectRows(rows)
	}
	if p.Kernel != nil {
		out.Kernel = p.Kernel.Submatrix(rows, rows)
	}
	return &out
}

// unlessOnes is the set, without weights that are all 1.
func unlessOnes(set *data.Set) *data.Set {
	if set == nil || set.Weights == nil || slices.ContainsFunc(set.Weights, func(w float64) bool { return w != 1 }) {
		return set
	}
	plain := *set
	plain.Weights = nil
	return &plain
}

// present are the rows of a set with a weight above 0; rows is nil where these are all.
func present(set *data.Set) (of *data.Set, rows []int) {
	if set == nil || !slices.Contains(set.Weights, 0) {
		return set, nil
	}
	for i, w := range set.Weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	if set.X != nil {
		return set.Subset(rows), rows
	}
	bare := *set
	bare.X = data.NewDense(len(set.Y), 0, nil)
	of = bare.Subset(rows)
	of.X = nil
	return of, rows
}

// checkWeighs refuses weights of rows for a learner that takes none, and drawn pairs of them.
func (t *trainer) checkWeighs() error {
	if t.weights == nil && (t.valid == nil || t.valid.Weights == nil) {
		return nil
	}
	if t.censored != nil {
		return &fault.Error{Kind: fault.Use, Code: rows.FaultWeights,
			Err: errors.New("rows have weights and censored times: learners take one of them, measures take both")}
	}
	if _, none := t.learner.(Greedy); none {
		return &fault.Error{Kind: fault.Use, Code: rows.FaultWeights, Option: "Learner",
			Err: fmt.Errorf("%s takes no weights of rows", t.o.Learner.Name())}
	}
	return fault.Refuse(t.o.PairsSample > 0, "PairsSample", "draws pairs that count alike, and rows have weights")
}

// weighted returns the sum of the weights of the rows, 0 where they have none.
func (r *sample) weighted() float64 { return rows.Weighed(r.weights) }

// mostWeighted is the largest number of rows with weights of which every pair is left out by default: each has a λ of
// its own, and all of them are predicted.
const mostWeighted = 1000
