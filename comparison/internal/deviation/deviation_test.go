package deviation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/internal/linalg"
	"pairrank/internal/pick"
)

// The covariance of the draws is V, but for a number that all items of a part share: of V of full rank, of scores
// whose means are 0, and of lower rank.
func TestPinned(t *testing.T) {
	const n = 24
	rng := rand.New(rand.NewPCG(4, 8))
	parts := make([]int32, n)
	for i := range parts {
		parts[i] = int32(i % 3)
	}
	for _, rank := range []int{n, n - 3, 5} {
		half := linalg.NewMat(n, rank)
		for i := range half.Data {
			half.Data[i] = rng.NormFloat64()
		}
		for j := range rank {
			mean := [3]float64{}
			for i, g := range parts {
				mean[g] += half.Row(i)[j] / (n / 3)
			}
			for i, g := range parts {
				half.Row(i)[j] -= mean[g]
			}
		}
		v := half.MulT(half)
		root := pinned(v, parts)
		if root.Rows != n {
			t.Fatalf("rank %d: no factor", rank)
		}
		x := linalg.NewMat(n, n)
		unit := linalg.NewMat(n, n)
		for i := range n {
			unit.Row(i)[i] = 1
		}
		drawTo(x, unit, root, true)
		got := x.TMul(x)
		for i := range n {
			for j := range i {
				at := func(m linalg.Mat) float64 { return m.Row(i)[i] + m.Row(j)[j] - 2*m.Row(i)[j] }
				if parts[i] == parts[j] && math.Abs(at(got)-at(v)) > 1e-10*at(v) {
					t.Errorf("rank %d: the difference of %d and %d has the variance %v, want %v", rank, i, j, at(got), at(v))
				}
			}
		}
	}
	v := linalg.NewMat(2, 2)
	v.Row(0)[0], v.Row(1)[1], v.Row(0)[1], v.Row(1)[0] = 1, 1, 9, 9
	if root := pinned(v, []int32{0, 1}); root.Rows > 0 {
		t.Errorf("a factor of an indefinite matrix: %v", root.Data)
	}
}

// The quantile of the largest difference of independent items is that of the studentized range over √2, on both sides
// of manyItems: two items more move it by less than the draws do.
func TestQuantileOfManyItems(t *testing.T) {
	of := func(n int) float64 {
		v := linalg.NewMat(n, n)
		for i := range n {
			v.Row(i)[i] = 1
		}
		return Quantile(v, make([]int32, n), 0, 1e-9, 3)
	}
	few, many := of(manyItems-1), of(manyItems+1)
	const rounded = 0.01 // of 4,000 draws, three standard errors
	if math.Abs(few-many) > rounded*few {
		t.Errorf("the quantile is %v for %d items, and %v for two more", few, manyItems-1, many)
	}
}

// The largest difference is that of all pairs, also where some have no weight, and rows and columns are passed over.
func TestLargestDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	for _, n := range []int{0, 1, 2, columns - 1, columns, columns + 1, 3*columns + 5} {
		w := weights{linalg.NewMat(n, n), linalg.NewMat(n, (n+columns-1)/columns), make([]float64, n)}
		for i := range n {
			for j := range i {
				if v := max(0, rng.NormFloat64()); rng.IntN(3) > 0 {
					w.w.Row(i)[j] = v * v
					w.largest.Row(i)[j/columns] = max(w.largest.Row(i)[j/columns], v*v)
					w.most[i] = max(w.most[i], v*v)
				}
			}
		}
		x, reach, spans := make([]float64, n), make([]float64, n), make([]span, w.largest.Cols)
		for range 20 {
			want := 0.0
			for i := range x {
				x[i] = float64(rng.IntN(1+n/4)) + float64(rng.IntN(2))*rng.NormFloat64()
				for j := range i {
					want = max(want, math.Abs(x[i]-x[j])*w.w.Row(i)[j])
				}
			}
			if got := w.largestDifference(x, reach, spans, 0); got != want {
				t.Errorf("%d items: %v, want %v", n, got, want)
			}
		}
	}
}

func BenchmarkQuantile(b *testing.B) {
	for _, size := range [][2]int{{300, 300}, {1000, 1000}, {1000, 5}, {3000, 3000}, {3000, 5}} {
		n, rank := size[0], size[1] // low as of features
		rng := rand.New(rand.NewPCG(uint64(n), uint64(rank)))
		v, x := linalg.NewMat(n, n), linalg.NewMat(n, rank)
		for i := range n {
			v.Row(i)[i] = 1 + float64(i%7)
			for j := range x.Row(i) {
				x.Row(i)[j] = rng.NormFloat64()
			}
		}
		if rank < n {
			linalg.Gemm(linalg.NoTrans, linalg.T, 1, x, x, 0, v)
		}
		b.Run(fmt.Sprintf("items=%d/rank=%d", n, rank), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Quantile(v, make([]int32, n), 0, 1e-9, 3)
			}
		})
	}
}

// The quantile is that of the largest differences of all draws, though few of them are computed: also of a covariance
// of low rank, where draws have a bound.
func TestQuantileOfAllDraws(t *testing.T) {
	for _, c := range []struct{ n, rank, freedom, parts int }{
		{30, 30, 0, 1}, {60, 3, 0, 1}, {60, 3, 4, 1}, {90, 2, 0, 3},
	} {
		rng := rand.New(rand.NewPCG(uint64(c.n), uint64(c.rank)))
		b, v := linalg.NewMat(c.n, c.rank), linalg.NewMat(c.n, c.n)
		for k := range b.Data {
			b.Data[k] = rng.NormFloat64()
		}
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, b, b, 0, v)
		parts, order := make([]int32, c.n), byVariance(v, c.n)
		for i := range parts {
			parts[i] = int32(i % c.parts)
		}
		cov := linalg.NewMat(c.n, c.n)
		for i, a := range order {
			for j, o := range order {
				cov.Row(i)[j] = v.Row(a)[o]
			}
		}
		root, triangular := rootOf(cov, pick.Rows(parts, order))
		most := make([]float64, rankDraws)
		for block := range rankDraws / drawBlock {
			rng := rand.New(rand.NewPCG(3, 0x72616e6b0000+uint64(block)))
			z, x := linalg.NewMat(drawBlock, c.n), linalg.NewMat(drawBlock, c.n)
			for i := range z.Data {
				z.Data[i] = rng.NormFloat64()
			}
			drawTo(x, z, root, triangular)
			for k := range drawBlock {
				m, row := 0.0, x.Row(k)
				for i := range c.n {
					for j := range i {
						if parts[order[i]] != parts[order[j]] {
							continue
						}
						se := math.Sqrt(cov.Row(i)[i] + cov.Row(j)[j] - 2*cov.Row(i)[j])
						m = max(m, math.Abs(row[i]-row[j])/se)
					}
				}
				most[block*drawBlock+k] = m / chi(c.freedom, rng)
			}
		}
		slices.Sort(most)
		want, got := most[int(0.95*rankDraws)], Quantile(v, parts, c.freedom, 1e-12, 3)
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%+v: a quantile of %v, want %v", c, got, want)
		}
	}
}
