package ostat

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestArgsort compares the order of values with that of a comparison sort, for
// lists of every way of sorting.
func TestArgsort(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var s Argsorter
	for _, m := range []int{0, 1, 2, 3, 50, 1000, bucketRows, bucketRows + 1, 3 * bucketRows} {
		for kind := range kinds {
			v := draw(r, m, kind)
			rows := make([]int32, m)
			if !s.ArgsortTo(rows, v) {
				t.Fatalf("m=%d kind %d: refused", m, kind)
			}
			want := slices.Clone(v)
			slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(a+0, b+0) })
			seen := make([]bool, m)
			for a, i := range rows {
				if seen[i] || v[i] != want[a] {
					t.Fatalf("m=%d kind %d: row %d, value %v, at %d; want value %v", m, kind, i, v[i], a, want[a])
				}
				seen[i] = true
			}
			if m > 0 {
				v[r.IntN(m)] = math.NaN()
				if s.ArgsortTo(rows, v) {
					t.Fatalf("m=%d kind %d: NaN is sorted", m, kind)
				}
			}
		}
	}
}

// TestRadixTellsLowBitsApart sorts keys whose highest differing bits are equal
// for most pairs, so that the repair after the radix passes has work.
func TestRadixTellsLowBitsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	v := make([]float64, 2*bucketRows)
	for i := range v {
		v[i] = math.Ldexp(1, r.IntN(3)*500-500) * (1 + float64(r.IntN(1000))*0x1p-52)
		if r.IntN(2) == 0 {
			v[i] = -v[i]
		}
	}
	rows := make([]int32, len(v))
	new(Argsorter).ArgsortTo(rows, v)
	for a := 1; a < len(rows); a++ {
		if v[rows[a]] < v[rows[a-1]] {
			t.Fatalf("%v before %v", v[rows[a-1]], v[rows[a]])
		}
	}
}

// TestOrderOfEqualNumbers sorts long lists full of ties, one with a bin that has most
// of the numbers, on one and on several threads: the order is the same, ties included.
func TestOrderOfEqualNumbers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r := rand.New(rand.NewPCG(15, 16))
	for _, m := range []int{bucketRows + 1, 10*bucketRows + 7} {
		for _, outlier := range []float64{0, 1e9} {
			v := make([]float64, m)
			for i := range v {
				v[i] = math.Round(100*r.NormFloat64()) / 8
				if r.IntN(2) == 0 {
					v[i] = r.NormFloat64()
				}
			}
			v[m/2] += outlier
			var want []int32
			for _, threads := range []int{1, 3} {
				runtime.GOMAXPROCS(threads)
				rows := make([]int32, m)
				if !new(Argsorter).ArgsortTo(rows, v) {
					t.Fatal("refused")
				}
				if want == nil {
					want = rows
				}
				if !slices.Equal(rows, want) {
					t.Fatalf("m=%d outlier %v: %d threads order rows otherwise than one", m, outlier, threads)
				}
				for a := 1; a < m; a++ {
					if v[rows[a]] < v[rows[a-1]] {
						t.Fatalf("m=%d outlier %v: %v before %v", m, outlier, v[rows[a-1]], v[rows[a]])
					}
				}
			}
		}
	}
}
