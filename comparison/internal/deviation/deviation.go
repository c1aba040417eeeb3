// Package deviation has the largest deviation of differences between items.
package deviation

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// rankDraws is how many draws give the critical value; its standard error is then a fifth of a percent of the level.
const rankDraws = 4000

// drawBlock is how many draws are made at a time. From manyItems on they are rankDraws/manyBlocks, since each block
// reads the whole root, and the root is a Cholesky factor: of 3,000 items it takes 0.2 s, where eigenvectors take 4 s.
const (
	drawBlock  = 100
	manyItems  = 1000
	manyBlocks = 8
)

// Quantile is the 95 % quantile of the largest deviation of a difference of two of some items, in its standard error:
// over differences within the parts of the items, whose covariance is the first rows of v. Deviations are normal, or
// where freedom is positive divided by the root of a χ² of so many degrees of freedom. A difference whose variance is
// at most equal times those of its items does not count. Cost O(M³) for M items, and O(M²) a draw.
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
	root, triangular := rootOf(cov, pick.Rows(parts, order))
	draws := drawBlock
	if n >= manyItems {
		draws = rankDraws / manyBlocks
	}
	most := make([]float64, rankDraws)
	parallel.For(rankDraws/draws, func(_, block int) {
		rng := rand.New(rand.NewPCG(seed, 0x72616e6b0000+uint64(block)))
		z, x := linalg.NewMat(draws, n), linalg.NewMat(draws, n)
		for i := range z.Data {
			z.Data[i] = rng.NormFloat64()
		}
		drawTo(x, z, root, triangular)
		for k := range draws {
			m := largestDifference(x.Row(k), inverse, largest)
			if freedom > 0 {
				chi := 0.0
				for range freedom {
					u := rng.NormFloat64()
					chi += u * u
				}
				m /= math.Sqrt(chi / float64(freedom))
			}
			most[block*draws+k] = m
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

// drawTo sets the rows of x to those of zRᵀ.
func drawTo(x, z, root linalg.Mat, triangular bool) {
	const strip = 512
	n := root.Rows
	if !triangular {
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, z, root, 0, x)
		return
	}
	for lo := 0; lo < n; lo += strip {
		hi := min(lo+strip, n)
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, z.Slice(0, z.Rows, 0, hi), root.Slice(lo, hi, 0, hi), 0,
			x.Slice(0, x.Rows, lo, hi))
	}
}

// rootOf is a matrix R with RRᵀ = V but for a constant that it may add to all items of a part, which no difference has:
// from the eigenvectors of V, or for many items its Cholesky factor, where rounding leaves V one.
func rootOf(v linalg.Mat, parts []int32) (root linalg.Mat, triangular bool) {
	n := v.Rows
	if n >= manyItems {
		if root = pinned(v, parts); root.Rows > 0 {
			return root, true
		}
	}
	w, vectors := make([]float64, n), linalg.NewMat(n, n)
	linalg.SymEigen(v.Clone(), w, vectors)
	root = linalg.NewMat(n, n)
	for j, lambda := range w {
		if lambda <= 0 {
			continue
		}
		for i, x := range vectors.Row(j) {
			root.Row(i)[j] = x * math.Sqrt(lambda)
		}
	}
	return root, false
}

// pinned is the Cholesky factor of V with the mean variance of each part added to all its entries: scores whose mean is
// 0 leave V singular. Variances grow by as much as rounding changes V, so that a V of lower rank has a factor, too. It
// has no rows where V is indefinite beyond that.
func pinned(v linalg.Mat, parts []int32) linalg.Mat {
	const unit = 0x1p-52
	n := v.Rows
	level, count := make([]float64, slices.Max(parts)+1), make([]float64, slices.Max(parts)+1)
	for i, g := range parts {
		level[g], count[g] = level[g]+v.Row(i)[i], count[g]+1
	}
	root := linalg.NewMat(n, n)
	for i, g := range parts {
		row := root.Row(i)[:i+1]
		copy(row, v.Row(i))
		for j := range row {
			if parts[j] == g {
				row[j] += level[g] / count[g]
			}
		}
		row[i] *= 1 + 4*float64(n)*unit
	}
	if _, ok := linalg.Cholesky(linalg.Lower, root); !ok {
		return linalg.Mat{}
	}
	return root
}
