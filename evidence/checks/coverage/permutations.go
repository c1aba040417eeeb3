package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
)

// shuffled are samples whose features are independent of the labels.
var shuffled = []struct {
	name                string
	lists, rows, labels int // lists of so many rows, with labels 0 to labels−1
	features            int
}{
	{"40 rows, 10 features, 2 labels, lpo", 1, 40, 2, 10},
	{"40 rows, 100 features, 2 labels, lpo", 1, 40, 2, 100},
	{"20 queries of 8 rows, 10 features, 3 labels, lqo", 20, 8, 3, 10},
	{"8 queries of 5 rows, 50 features, 3 labels, lqo", 8, 5, 3, 50},
}

// permutations is the section on the permutation test of cv.
func permutations(ctx context.Context, s settings) (string, error) {
	const n = 99
	var b strings.Builder
	fmt.Fprintf(&b, "Simulations in %% with p at most the level: %d permutations, the default values of λ; "+
		"%d simulations per cell, seed %d:\n\n", n, s.simulations, s.seed)
	b.WriteString("| sample without anything to learn | 0.01 | 0.05 | 0.10 | 0.50 |\n|---|---|---|---|---|\n")
	for cell, sample := range shuffled {
		p, err := results(ctx, s, uint64(200+cell), func(_ int, rng *rand.Rand) (float64, error) {
			return permuted(ctx, rng, sample.lists, sample.rows, sample.labels, sample.features, n)
		})
		if err != nil {
			return "", err
		}
		b.WriteString("| " + sample.name)
		for _, level := range []float64{0.01, 0.05, 0.1, 0.5} {
			below := make([]bool, len(p))
			for k, v := range p {
				below[k] = v <= level+1e-12
			}
			b.WriteString(" | " + share(below))
		}
		b.WriteString(" |\n")
	}
	return b.String(), nil
}

// permuted is the p-value of a sample of normal features and labels that are dealt in
// turn.
func permuted(ctx context.Context, rng *rand.Rand, lists, rows, labels, features, n int) (float64, error) {
	m := lists * rows
	x, y, of := data.NewDense(m, features, nil), make([]float64, m), make([]int32, m)
	for i := range m {
		for j := range features {
			x.Row(i)[j] = rng.NormFloat64()
		}
		y[i], of[i] = float64(i%rows%labels), int32(i/rows)
	}
	queries := data.NewPartition(of, lists)
	target := func(y []float64, v int) (*goals.Goal, error) { return goals.Scored(y, v, queries, pref.Options{}) }
	goal, err := target(y, 1)
	if err != nil {
		return 0, err
	}
	basis := rls.Primal(x)
	if features > m-lists {
		basis = rls.Dual(kernel.Matrix(kernel.Linear{}, x, x))
	}
	path, err := rls.Factor(ctx, basis, goal)
	if err != nil {
		return 0, err
	}
	method := cv.Method{Kind: cv.LeavePairOut}
	if lists > 1 {
		method.Kind = cv.LeaveQueryOut
	}
	o := holdout.Options{Method: method, Candidates: holdout.Lambdas(path.Eigenvalues(),
		holdout.Spread(path.Squares())),
		Seed: rng.Uint64()}
	test, err := holdout.Permutations(ctx, holdout.OfPath(path, target), holdout.Labels{Y: y, Queries: queries}, o, n,
		nil)
	if err != nil {
		return 0, err
	}
	return test.P, nil
}
