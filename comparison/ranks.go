package comparison

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Ranks are the ranks of items, with sets of ranks that hold for all items at the same time in 95 % of samples.
type Ranks struct {
	Rank []int // from 1; equal scores share the best
	// Lo and Hi are the ends of the sets: ranks among the items that the covariance is about, 0 for others, and for all
	// without a covariance.
	Lo, Hi []int
	// Top are the items that are not surely below another one.
	Top []int
	// Critical is the number of standard errors by which two items of all are told apart.
	Critical float64
}

// rankDraws is how many draws give the critical value; its standard error is then a fifth of a percent of the level.
const rankDraws = 4000

// RanksOf returns the ranks of the scores, and simultaneous sets of ranks: items are told apart if their difference is
// above the 95 % quantile of max |d_ij| / se_ij, for normal deviations with the covariance of the scores (max-t:
// Hothorn, Bretz and Westfall 2008, Simultaneous inference in general parametric models; sets of ranks by tests of all
// differences: Mogstad, Romano, Shaikh and Wilhelm 2024, Inference for ranks). With annotators, deviations are divided
// by the root of a χ² of their degrees of freedom. Items of different components, and items without a standard error,
// are not told apart; an item that no comparison joins to another has no set. It costs O(M³) for the M items of v, and
// 4,000 draws of O(M²), most of which stop early. If items are chosen by their scores, as the first ten, a covariance
// of these alone tells them apart too often.
func (b *Board) RanksOf(v *Covariance, seed uint64) *Ranks {
	n := len(b.Scores)
	parts := b.connected()
	r := &Ranks{Rank: b.ranks(parts), Lo: make([]int, n), Hi: make([]int, n)}
	if v == nil {
		return r
	}
	among := v.About
	if among == nil {
		for i := range n {
			among = append(among, i)
		}
	}
	r.Critical = b.critical(v, among, parts, seed)
	size := make([]int, n) // of components
	for _, g := range parts {
		size[g]++
	}
	alone := func(i int) bool { return n > 1 && size[parts[i]] == 1 }
	ranked := slices.DeleteFunc(slices.Clone(among), alone)
	for _, i := range ranked {
		r.Lo[i], r.Hi[i] = 1, len(ranked)
		for _, j := range ranked {
			if i == j || parts[i] != parts[j] {
				continue
			}
			d, width := b.Scores[j]-b.Scores[i], v.Width(i, j)/v.Quantile*r.Critical
			if d > width {
				r.Lo[i]++
			} else if -d > width {
				r.Hi[i]--
			}
		}
		if r.Lo[i] == 1 {
			r.Top = append(r.Top, i)
		}
	}
	return r
}

// connected is the component of each item, one for all with features.
func (b *Board) connected() []int32 {
	return b.Components().Of()
}

// ranks are the ranks of the scores within components.
func (b *Board) ranks(parts []int32) []int {
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(parts[i], parts[j]), cmp.Compare(b.Scores[j], b.Scores[i]))
	})
	rank, first := make([]int, len(parts)), 0
	for k, i := range order {
		switch {
		case k == 0 || parts[i] != parts[order[k-1]]:
			rank[i], first = 1, k
		case b.Scores[i] == b.Scores[order[k-1]]:
			rank[i] = rank[order[k-1]]
		default:
			rank[i] = k - first + 1
		}
	}
	return rank
}

// drawBlock is how many draws are made at a time.
const drawBlock = 100

// critical is the 95 % quantile of the largest deviation of a difference of some items, in its standard errors. They
// are the first rows of v.
func (b *Board) critical(v *Covariance, among []int, parts []int32, seed uint64) float64 {
	order := byVariance(v, len(among))
	n := len(order)
	cov, inverse := linalg.NewMat(n, n), linalg.NewMat(n, n) // inverse is 1 / se, of differences
	largest := make([]float64, n)                            // of each row of inverse
	for i, a := range order {
		for j, c := range order[:i+1] {
			cov.Row(i)[j], cov.Row(j)[i] = v.V.Row(a)[c], v.V.Row(a)[c]
			se := v.Of(among[a], among[c])
			if parts[among[a]] == parts[among[c]] && se*se > equal*(v.V.Row(a)[a]+v.V.Row(c)[c]) {
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
			if df := v.Freedom; df > 0 {
				chi := 0.0
				for range df {
					u := rng.NormFloat64()
					chi += u * u
				}
				m /= math.Sqrt(chi / float64(df))
			}
			most[block*drawBlock+k] = m
		}
	})
	slices.Sort(most)
	return most[int(0.95*rankDraws)]
}

// byVariance are the rows of items that have a variance, the smallest first.
func byVariance(v *Covariance, items int) (order []int) {
	for i := range items {
		if !math.IsNaN(v.V.Row(i)[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(v.V.Row(i)[i], v.V.Row(j)[j]), cmp.Compare(i, j))
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
