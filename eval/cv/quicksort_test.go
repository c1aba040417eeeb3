package cv

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// byValue compares rows by known values.
func byValue(value []float64) comparison {
	return func(_ int, pivot int32, others []int32, place []int8) {
		for b, j := range others {
			place[b] = int8(1 - halves(value[j], value[pivot]))
		}
	}
}

// scoresOf are the rows below each plus half of those tied, by definition.
func scoresOf(value []float64) []float64 {
	scores := make([]float64, len(value))
	for i, v := range value {
		for j, u := range value {
			if j != i {
				scores[i] += 1 - float64(halves(v, u))/2
			}
		}
	}
	return scores
}

// TestQuicksortOfAnOrder has comparisons of values, with few, many and only
// ties: the ranking is that of the values, exactly.
func TestQuicksortOfAnOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for _, m := range []int{0, 1, 2, 3, 10, 100, 3000} {
		for _, levels := range []int{1, 2, 7, 1 << 40} {
			value := make([]float64, m)
			for i := range value {
				value[i] = float64(r.IntN(levels))
			}
			s, err := quicksort(context.Background(), permutation(m, r), byValue(value))
			if err != nil {
				t.Fatal(err)
			}
			if want := scoresOf(value); !slices.Equal(s.Scores, want) {
				t.Errorf("m=%d, %d levels: wrong order", m, levels)
			}
			if pairs := int64(m) * int64(m-1) / 2; s.Comparisons > pairs || m > 1 && s.Comparisons < int64(m-1) {
				t.Errorf("m=%d, %d levels: %d comparisons of %d pairs", m, levels, s.Comparisons, pairs)
			}
			if levels == 1 && m > 0 && s.Comparisons != int64(m-1) {
				t.Errorf("m=%d, all tied: %d comparisons", m, s.Comparisons)
			}
		}
	}
}

// TestQuicksortComparesFewPairs compares the mean number of comparisons with 2(m+1)H_m − 4m, its
// expectation for random pivots and no ties. The standard deviation is about 0.65 m, so that the
// mean of 400 sorts is within 0.2 m of it except with probability 1e-9.
func TestQuicksortComparesFewPairs(t *testing.T) {
	const m, sorts = 500, 400
	value := make([]float64, m)
	harmonic := 0.0
	for i := range value {
		value[i] = float64(i)
		harmonic += 1 / float64(i+1)
	}
	sum := 0.0
	for seed := range sorts {
		s, err := quicksort(context.Background(), permutation(m, rand.New(rand.NewPCG(uint64(seed), 0))),
			byValue(value))
		if err != nil {
			t.Fatal(err)
		}
		sum += float64(s.Comparisons)
	}
	if mean, want := sum/sorts, 2*(m+1)*harmonic-4*m; math.Abs(mean-want) > 0.2*m {
		t.Errorf("%v comparisons in the mean, want about %v", mean, want)
	}
}

// tournament is the outcome of a comparison of every two of m rows, drawn at
// random: 1 where row i is above row j, −1 below, and 0 tied if ties is set.
func tournament(r *rand.Rand, m int, ties bool) [][]int8 {
	above := make([][]int8, m)
	for i := range above {
		above[i] = make([]int8, m)
		for j := range i {
			above[i][j] = []int8{1, -1, 0}[r.IntN(3)]
			if !ties && above[i][j] == 0 {
				above[i][j] = 1
			}
			above[j][i] = -above[i][j]
		}
	}
	return above
}

func sortTournament(t *testing.T, above [][]int8, seed uint64) *Sorted {
	t.Helper()
	order := permutation(len(above), rand.New(rand.NewPCG(seed, 1)))
	s, err := quicksort(context.Background(), order, func(_ int, pivot int32, others []int32, place []int8) {
		for b, j := range others {
			if j == pivot {
				t.Errorf("row %d is compared with itself", j)
			}
			place[b] = above[j][pivot]
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestQuicksortOfATournament has comparisons full of cycles and ties: the result is a ranking in
// which a row above all others is first.
func TestQuicksortOfATournament(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	for seed := range uint64(300) {
		m := 1 + r.IntN(40)
		above := tournament(r, m, seed%2 == 0)
		best := r.IntN(m)
		for j := range m {
			if j != best {
				above[best][j], above[j][best] = 1, -1
			}
		}
		s := sortTournament(t, above, seed)
		if !slices.Equal(s.Scores, scoresOf(s.Scores)) {
			t.Fatalf("%v are not scores of a ranking", s.Scores)
		}
		if s.Scores[best] != float64(m-1) {
			t.Errorf("m=%d: the row above all others has score %v", m, s.Scores[best])
		}
	}
}

// TestQuicksortKeepsTheExpectedAUC compares the mean AUC over pivots with the share of the pairs of
// two labels that cyclic comparisons order correctly. They are equal in expectation where there are
// no ties (Ailon and Mohri 2010). The tolerance is five standard errors of the mean, and 1e-9 for
// the rounding of sums where all sorts agree.
func TestQuicksortKeepsTheExpectedAUC(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	for range 10 {
		m := 3 + r.IntN(6)
		above := tournament(r, m, false)
		y := make([]float64, m)
		for i := range y {
			y[i] = float64(i % 2)
		}
		right, pairs := 0.0, 0.0
		for i := range m {
			for j := range m {
				if y[i] > y[j] {
					right += float64(1+above[i][j]) / 2
					pairs++
				}
			}
		}
		const sorts = 4000
		sum, squares := 0.0, 0.0
		for seed := range uint64(sorts) {
			roc, err := NewROC(sortTournament(t, above, seed).Scores, y)
			if err != nil {
				t.Fatal(err)
			}
			sum += roc.AUC
			squares += roc.AUC * roc.AUC
		}
		mean := sum / sorts
		stderr := math.Sqrt(max(0, squares/sorts-mean*mean) / sorts)
		if want := right / pairs; math.Abs(mean-want) > 5*stderr+1e-9 {
			t.Errorf("m=%d: AUC %v in the mean, %v by the comparisons, standard error %v", m, mean, want, stderr)
		}
	}
}

// TestQuicksortIsTheSameForAnyThreads sorts a cyclic tournament of more rows
// than a piece on one thread and on several.
func TestQuicksortIsTheSameForAnyThreads(t *testing.T) {
	const m = 3*piece + 17
	cyclic := func(_ int, pivot int32, others []int32, place []int8) {
		for b, j := range others {
			place[b] = 1
			if (int(j)-int(pivot)+m)%m > m/2 {
				place[b] = -1
			}
			if (int(j)+int(pivot))%97 == 0 {
				place[b] = 0
			}
		}
	}
	sorted := func(threads int) *Sorted {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		s, err := quicksort(context.Background(), permutation(m, rand.New(rand.NewPCG(9, 9))), cyclic)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one := sorted(1)
	for _, threads := range []int{2, 5} {
		if s := sorted(threads); !slices.Equal(s.Scores, one.Scores) || s.Comparisons != one.Comparisons {
			t.Errorf("%d threads sort otherwise than one", threads)
		}
	}
}

func TestQuicksortStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	value := []float64{3, 1, 2, 5, 4}
	order := permutation(5, rand.New(rand.NewPCG(1, 1)))
	_, err := quicksort(ctx, order, func(worker int, pivot int32, others []int32, place []int8) {
		cancel()
		byValue(value)(worker, pivot, others, place)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled sort returns %v", err)
	}
}

// BenchmarkQuicksortOrder measures the sort alone, of known values.
func BenchmarkQuicksortOrder(b *testing.B) {
	for _, m := range []int{10_000, 100_000} {
		value := make([]float64, m)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range value {
			value[i] = r.NormFloat64()
		}
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := quicksort(context.Background(), permutation(m, rand.New(rand.NewPCG(1, 1))),
					byValue(value)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
