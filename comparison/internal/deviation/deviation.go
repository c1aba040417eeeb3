// Package deviation has the largest deviation of differences between items.
package deviation

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// rankDraws is how many draws give the critical value; its standard error is then a fifth of a percent of the level.
const rankDraws = 4000

// drawBlock is how many draws are made at a time.
const drawBlock = 100

// Quantile is the 95 % quantile of the largest deviation of a difference of two of some items, in its standard error:
// over differences within the parts of the items, whose covariance is the first rows of v. Deviations are normal, or
// where freedom is positive divided by the root of a χ² of so many degrees of freedom. A difference whose variance is
// at most equal times those of its items does not count.
func Quantile(v linalg.Mat, parts []int32, freedom int, equal float64, seed uint64) float64 {
	order := byVariance(v, len(parts))
	n := len(order)
	cov, inverse := linalg.NewMat(n, n), linalg.NewMat(n, n) // inverse is 1 / se, of differences
	largest := make([]float64, n)                            // of each row of inverse
	for i, a := range order {
		for j, c := range order[:i+1] {
			cov.Row(i)[j], cov.Row(j)[i] = v.Row(a)[c], v.Row(a)[c]
			se := math.Sqrt(max(0, v.Row(a)[a]+v.Row(c)[c]-2*v.Row(a)[c])) // NaN stays
			if parts[a] == parts[c] && se*se > equal*(v.Row(a)[a]+v.Row(c)[c]) {
				inverse.Row(i)[j] = 1 / se
				largest[i] = max(largest[i], 1/se)
			}
		}
	}
	root := rootOf(cov)
	most := make([]float64, rankDraws)
	parallel.For(rankDraws/drawBlock, func(_, block int) {
		rng := rand.New(rand.NewPCG(seed, 0x72616e6b0000+uint64(block)))
		z, x := linalg.NewMat(drawBlock, n), linalg.NewMat(drawBlock, n)
		for i := range z.Data {
			z.Data[i] = rng.NormFloat64()
		}
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, z, root, 0, x)
		for k := range drawBlock {
			m := largestDifference(x.Row(k), inverse, largest)
			if freedom > 0 {
				chi := 0.0
				for range freedom {
					u := rng.NormFloat64()
					chi += u * u
				}
				m /= math.Sqrt(chi / float64(freedom))
			}
			most[block*drawBlock+k] = m
		}
	})
	slices.Sort(most)
	return most[int(0.95*rankDraws)]
}

// byVariance are the rows of items that have a variance, the smallest first.
func byVariance(v linalg.Mat, items int) (order []int) {
	for i := range items {
		if !math.IsNaN(v.Row(i)[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(v.Row(i)[i], v.Row(j)[j]), cmp.Compare(i, j))
	})
	return order
}

// largestDifference is max |x_i − x_j| w_ij over j < i. It skips rows whose largest weight cannot reach it: with the
// variances in order, most of them.
func largestDifference(x []float64, w linalg.Mat, largest []float64) (most float64) {
	if len(x) == 0 {
		return 0
	}
	lo, hi := x[0], x[0]
	for i, at := range x {
		if max(hi-at, at-lo)*largest[i] > most {
			for j, v := range w.Row(i)[:i] {
				if d := math.Abs(at-x[j]) * v; d > most {
					most = d
				}
			}
		}
		lo, hi = min(lo, at), max(hi, at)
	}
	return most
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
