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
	w := weights{inverse, linalg.NewMat(n, (n+columns-1)/columns), make([]float64, n)}
	own := make([]float64, n) // variances
	for i, a := range order {
		own[i] = v.Row(a)[a]
	}
	parallel.Chunks(n, columns, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			all, to, over, largest := v.Row(order[i]), cov.Row(i), inverse.Row(i), w.largest.Row(i)
			for j, c := range order[:i+1] {
				to[j] = all[c]
				se := math.Sqrt(max(0, own[i]+own[j]-2*all[c])) // NaN stays
				if parts[order[i]] == parts[c] && se*se > equal*(own[i]+own[j]) {
					over[j] = 1 / se
					largest[j/columns] = max(largest[j/columns], 1/se)
				}
			}
			w.most[i] = slices.Max(largest)
		}
	})
	linalg.Symmetrize(linalg.Lower, cov)
	root, triangular := rootOf(cov, pick.Rows(parts, order))
	draws := drawBlock
	if n >= manyItems {
		draws = rankDraws / manyBlocks
	}
	most, bound := make([]float64, rankDraws), w.boundOf(root, own, pick.Rows(parts, order))
	run := func(from, to int, least float64) { // blocks of draws: what is at most least need not be exact
		parallel.For(to-from, func(_, block int) {
			block += from
			rng := rand.New(rand.NewPCG(seed, 0x72616e6b0000+uint64(block)))
			z, x := linalg.NewMat(draws, n), linalg.NewMat(draws, n)
			for i := range z.Data {
				z.Data[i] = rng.NormFloat64()
			}
			drawTo(x, z, root, triangular)
			reach, spans := make([]float64, n), make([]span, w.largest.Cols)
			for k := range draws {
				scale := chi(freedom, rng)
				if bound.of(z.Row(k)) <= least*scale {
					continue
				}
				if m := w.largestDifference(x.Row(k), reach, spans, least*scale); m > least*scale {
					most[block*draws+k] = m / scale
				}
			}
		})
	}
	// Only the draws above the quantile must be exact: a first eighth says which ones surely are not.
	const at, surely = rankDraws * 95 / 100, 0.9
	first := rankDraws / manyBlocks
	run(0, first/draws, 0)
	least := slices.Sorted(slices.Values(most[:first]))[int(surely*float64(first))]
	run(first/draws, rankDraws/draws, least)
	slices.Sort(most)
	if most[at] <= least {
		run(first/draws, rankDraws/draws, 0)
		slices.Sort(most)
	}
	return most[at]
}

// chi is what deviations are divided by: 1, or the root of a χ² over its degrees of freedom.
func chi(freedom int, rng *rand.Rand) float64 {
	if freedom == 0 {
		return 1
	}
	sum := 0.0
	for range freedom {
		u := rng.NormFloat64()
		sum += u * u
	}
	return math.Sqrt(sum / float64(freedom))
}

// bound is how far a draw z may reach: a difference is (R_i − R_j)z, and its standard error the norm of R_i − R_j, so
// that their ratio is at most the norm of z along the axes that such differences have. A covariance of low rank, as
// that of features, has few of them. What is left of R_i − R_j beside them is rounding, and counts apart.
type bound struct {
	axes        linalg.Mat // orthonormal, a row each; none where they are too many to bound anything
	share, rest float64
}

func (w *weights) boundOf(root linalg.Mat, variances []float64, parts []int32) (b bound) {
	const tiny, unit, most = 1e-12, 0x1p-52, 64 // of squares among all, of a number, and axes
	n := root.Rows
	squares, total := make([]float64, n), 0.0
	for i := range n {
		for j, v := range root.Row(i) {
			squares[j] += v * v
			total += v * v
		}
	}
	var columns []int
	for j, square := range squares {
		if square > tiny*total {
			columns = append(columns, j)
		}
	}
	m := len(columns)
	if m == 0 || m > min(most, n/4) {
		return b
	}
	rows, axes, rounding := linalg.NewMat(n, m), linalg.NewMat(m, m), 0.0 // rounding is the square of an item
	groups := int(slices.Max(parts)) + 1
	means, counts := linalg.NewMat(groups, m), make([]float64, groups)
	for i, g := range parts {
		counts[g]++
		own := linalg.Dot(root.Row(i), root.Row(i))
		for k, j := range columns {
			v := root.Row(i)[j]
			rows.Row(i)[k] = v
			means.Row(int(g))[k] += v
			own -= v * v
		}
		rounding = max(rounding, own)
	}
	for i, g := range parts {
		linalg.Axpy(-1/counts[g], means.Row(int(g)), rows.Row(i))
	}
	gram, sizes := linalg.NewMat(m, m), make([]float64, m)
	linalg.Syrk(linalg.Lower, linalg.T, 1, rows, 0, gram)
	linalg.Symmetrize(linalg.Lower, gram)
	linalg.SymEigen(gram, sizes, axes)
	b.axes = linalg.NewMat(m, n)
	for k, size := range sizes {
		if size <= tiny*total {
			rounding += max(0, size)
			continue
		}
		for l, j := range columns {
			b.axes.Row(k)[j] = axes.Row(k)[l]
		}
	}
	sharpest := slices.Max(w.most) // 1 / se
	b.share = math.Sqrt(1 + 32*float64(n)*unit*slices.Max(variances)*sharpest*sharpest)
	b.rest = 2 * math.Sqrt(rounding+unit*total) * sharpest
	return b
}

func (b *bound) of(z []float64) float64 {
	if b.axes.Rows == 0 {
		return math.Inf(1)
	}
	along, all := 0.0, linalg.Dot(z, z)
	for k := range b.axes.Rows {
		v := linalg.Dot(b.axes.Row(k), z)
		along += v * v
	}
	return b.share*math.Sqrt(along) + b.rest*math.Sqrt(max(0, all-along))
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

// columns is how many columns of weights have one bound.
const columns = 32

// weights are w_ij of differences, of the lower triangle, the largest of each row in each so many columns, and the
// largest of each row.
type weights struct {
	w, largest linalg.Mat
	most       []float64
}

// span are the least and the largest of some numbers.
type span struct{ lo, hi float64 }

// farthest is how far a number may be from one within.
func (s span) farthest(x float64) float64 { return max(s.hi-x, x-s.lo) }

// with is the span of one number more.
func (s span) with(x float64) span { return span{min(s.lo, x), max(s.hi, x)} }

// largestDifference is max |x_i − x_j| w_ij over j < i, or most where that is larger. It begins with the row that may
// reach farthest, and passes over rows, and columns of them, whose largest weight cannot reach what others did: most of
// them. reach has room for a number a row, and spans for those of so many columns.
func (w *weights) largestDifference(x, reach []float64, spans []span, most float64) float64 {
	first, before := 0, span{math.Inf(1), math.Inf(-1)}
	for i, at := range x {
		if i%columns == 0 {
			spans[i/columns] = span{at, at}
		}
		if reach[i] = 0; i > 0 {
			reach[i] = before.farthest(at) * w.most[i]
		}
		spans[i/columns], before = spans[i/columns].with(at), before.with(at)
		if reach[i] > reach[first] {
			first = i
		}
	}
	if len(x) > 0 {
		most = w.rowsLargest(first, x, spans, most)
	}
	for i := range x {
		if reach[i] > most && i != first {
			most = w.rowsLargest(i, x, spans, most)
		}
	}
	return most
}

// rowsLargest is the largest difference of row i, or most where that is larger.
func (w *weights) rowsLargest(i int, x []float64, spans []span, most float64) float64 {
	at, row := x[i], w.w.Row(i)[:i]
	for q, largest := range w.largest.Row(i)[:(i+columns-1)/columns] {
		if spans[q].farthest(at)*largest <= most {
			continue
		}
		lo, hi := q*columns, min((q+1)*columns, i)
		for j, v := range row[lo:hi] {
			if d := math.Abs(at-x[lo+j]) * v; d > most {
				most = d
			}
		}
	}
	return most
}

// drawTo sets the rows of x to those of zRᵀ.
func drawTo(x, z, root linalg.Mat, triangular bool) {
	const strip = 256
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
