package greedy

import (
	"math"

	"pairrank/internal/linalg"
)

// Set is a selected set of features.
type Set struct {
	// Features are numbers from 0, in the order in which they came in. After a backward search the feature that would
	// leave last comes first.
	Features []int
	// Error is the held-out share of pairs in the wrong order, ties ½, and Loss the mean held-out squared error: of
	// the differences of these pairs, or with Rows of the rows. Both are too low, since the set minimises them.
	Error, Loss float64

	score score
}

// Path is the best set found of each size.
type Path struct {
	// Sets has the set of k features at k − 1.
	Sets []Set
	// Pairs is the number of pairs of Set.Error.
	Pairs int64

	of     *columns
	lambda float64
}

func newPath(of *columns, o Options, start *state, sets []Set) *Path {
	pairs, weight := start.held.judged()
	p := &Path{Sets: sets, Pairs: pairs, of: of, lambda: o.Lambda}
	for k := range sets {
		sets[k].Error = sets[k].score.halves / 2 / weight
		sets[k].Loss = sets[k].score.loss
	}
	return p
}

// Weights returns the n weights of training on all rows with the set of k features, and the value of the objective.
// They solve the normal equations of the set and the baseline, centred within queries, by Cholesky; a baseline
// feature that others before it determine gets the weight 0. It costs O(mk² + k³). It panics unless there is a set of
// k features.
func (p *Path) Weights(k int) (weights []float64, objective float64) {
	of := p.of
	set := append([]int{}, of.p.Baseline...)
	for _, f := range p.Sets[k-1].Features {
		set = append(set, of.p.columns(f)...)
	}
	size, base := len(set), len(of.p.Baseline)
	products := make([]float64, size*of.m) // LX of the set
	a, b := make([]float64, size*size), make([]float64, size)
	for r, j := range set {
		row := products[r*of.m : (r+1)*of.m]
		of.timesTo(row, of.column(j))
		b[r] = linalg.Dot(row, of.y)
		for c, other := range set[:r+1] {
			a[r*size+c] = linalg.Dot(row, of.column(other))
		}
		if r >= base {
			a[r*size+r] += p.lambda
		}
	}
	solve(a, b)
	weights = make([]float64, of.n)
	rest := append([]float64(nil), of.y...)
	for r, j := range set {
		weights[j] = b[r]
		linalg.Axpy(-b[r], of.column(j), rest)
		if r >= base {
			objective += p.lambda * b[r] * b[r]
		}
	}
	return weights, objective + of.product(rest)
}

// solve replaces b by a solution of Ax = b for a positive semidefinite A, of which a has the lower triangle, row by
// row. A column that those before it determine up to rounding gets 0.
func solve(a, b []float64) {
	n := len(b)
	at := func(r, c int) *float64 { return &a[r*n+c] }
	out := factor(a, n)
	for r := range n {
		for c := range r {
			if !out[c] {
				b[r] -= *at(r, c) * b[c]
			}
		}
		if out[r] {
			b[r] = 0
			continue
		}
		b[r] /= *at(r, r)
	}
	for r := n - 1; r >= 0; r-- {
		if out[r] {
			b[r] = 0
			continue
		}
		for c := r + 1; c < n; c++ {
			if !out[c] {
				b[r] -= *at(c, r) * b[c]
			}
		}
		b[r] /= *at(r, r)
	}
}

// factor replaces the lower triangle of A by its Cholesky factor, apart from the columns that are out: those that
// others before them determine up to rounding.
func factor(a []float64, n int) (out []bool) {
	at := func(r, c int) *float64 { return &a[r*n+c] }
	out = make([]bool, n)
	for r := range n {
		first := *at(r, r)
		for c := range r + 1 {
			sum := *at(r, c)
			for k := range c {
				if !out[k] {
					sum -= *at(r, k) * *at(c, k)
				}
			}
			switch {
			case c < r && !out[c]:
				*at(r, c) = sum / *at(c, c)
			case c == r && sum <= relativeRounding*first:
				out[r] = true
			case c == r:
				*at(r, r) = math.Sqrt(sum)
			}
		}
	}
	return out
}
