package comparison

import (
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Ranks are the ranks of items with the sets in which they lie, all at the same time, in 95 % of samples.
type Ranks struct {
	Rank   []int // from 1; equal scores share the best
	Lo, Hi []int
	// Top are the items that are not surely below another one.
	Top []int
	// Critical is the number of standard errors by which two items of all are told apart.
	Critical float64
}

// rankDraws is how many draws give the critical value; its standard error is then a fifth of a percent of the level.
const rankDraws = 4000

// RanksOf returns the ranks of the scores, and simultaneous sets of ranks: items are told apart if their
// difference is above the 95 % quantile of max |d_ij| / se_ij, for normal deviations with the covariance of the
// scores (max-t: Hothorn, Bretz and Westfall 2008, Simultaneous inference in general parametric models; sets
// of ranks by tests of all differences: Mogstad, Romano, Shaikh and Wilhelm 2024, Inference for ranks).
// With annotators, deviations are divided by the root of a χ² of their degrees of freedom. Items of
// different components are not told apart. It costs O(N³) and 4,000 draws of O(N²).
func (b *Board) RanksOf(v *Covariance, seed uint64) *Ranks {
	n := len(b.Scores)
	r := &Ranks{Rank: make([]int, n), Lo: make([]int, n), Hi: make([]int, n)}
	r.Critical = b.critical(v, seed)
	parts := b.s.p.informative(b.s.o).Components().Of()
	if b.s.basis.Rows > 0 {
		parts = make([]int32, n)
	}
	for i := range n {
		r.Rank[i], r.Lo[i], r.Hi[i] = 1, 1, n
		for j := range n {
			d := b.Scores[j] - b.Scores[i]
			if d > 0 && parts[i] == parts[j] {
				r.Rank[i]++
			}
			if i == j || parts[i] != parts[j] {
				continue
			}
			if se := v.Of(i, j); d > r.Critical*se {
				r.Lo[i]++
			} else if -d > r.Critical*se {
				r.Hi[i]--
			}
		}
		if r.Lo[i] == 1 {
			r.Top = append(r.Top, i)
		}
	}
	return r
}

// critical is the 95 % quantile of the largest deviation of a difference, in its standard errors.
func (b *Board) critical(v *Covariance, seed uint64) float64 {
	n := len(b.Scores)
	root := rootOf(v.V.Slice(0, n, 0, n))
	inverse := linalg.NewMat(n, n) // 1 / se, of differences
	for i := range n {
		for j := range i {
			if se := v.Of(i, j); se > 0 {
				inverse.Row(i)[j] = 1 / se
			}
		}
	}
	most := make([]float64, rankDraws)
	parallel.For(rankDraws, func(_, k int) {
		rng := rand.New(rand.NewPCG(seed, 0x72616e6b0000+uint64(k)))
		z, x := make([]float64, root.Cols), make([]float64, n)
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		linalg.Gemv(linalg.NoTrans, 1, root, z, 0, x)
		for i := range n {
			for j, w := range inverse.Row(i)[:i] {
				most[k] = max(most[k], math.Abs(x[i]-x[j])*w)
			}
		}
		if df := v.Annotators - 1; df > 0 {
			chi := 0.0
			for range df {
				u := rng.NormFloat64()
				chi += u * u
			}
			most[k] /= math.Sqrt(chi / float64(df))
		}
	})
	slices.Sort(most)
	return most[int(0.95*rankDraws)]
}

// rootOf is a matrix R with RRᵀ = V, from its eigenvectors.
func rootOf(v linalg.Mat) linalg.Mat {
	n := v.Rows
	w, vectors := make([]float64, n), linalg.NewMat(n, n)
	linalg.SymEigen(v.Clone(), w, vectors)
	root := linalg.NewMat(n, n)
	for j, lambda := range w {
		if lambda <= 0 {
			continue
		}
		for i, x := range vectors.Row(j) {
			root.Row(i)[j] = x * math.Sqrt(lambda)
		}
	}
	return root
}
