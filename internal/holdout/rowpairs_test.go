package holdout

import (
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

// Counts of rows are those of all pairs one by one, whatever the order in which rows come in.
func TestRowPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		m := 1 + random.IntN(9)
		y, of := make([]float64, m), make([]int32, m)
		for i := range y {
			y[i], of[i] = float64(random.IntN(3)), int32(i*2/m)
		}
		queries := data.NewQueries(of, []string{"a", "b"}[:of[m-1]+1])
		f := make([][]float64, m) // the score of row i without j
		for i := range f {
			f[i] = make([]float64, m)
			for j := range f[i] {
				f[i][j] = float64(random.IntN(3))
			}
		}
		counts := NewRowPairCounts(Labels{Y: y, Queries: queries})
		for _, i := range random.Perm(m) {
			var fi, fj []float64
			for j := i + 1; j < m; j++ {
				fi, fj = append(fi, f[i][j]), append(fj, f[j][i])
			}
			counts.Add(i, fi, fj)
		}
		seen := map[int]bool{}
		last := 1.0
		for _, r := range counts.Worst() {
			pairs, wrong := int64(0), 0.0
			for j := range m {
				if of[j] != of[r.Row] || y[j] == y[r.Row] {
					continue
				}
				pairs++
				switch above := f[r.Row][j] - f[j][r.Row]; {
				case above == 0:
					wrong += 0.5
				case above > 0 != (y[r.Row] > y[j]):
					wrong++
				}
			}
			if r.Pairs != pairs || r.Wrong != wrong || pairs == 0 || seen[r.Row] || share(r) > last {
				t.Fatalf("%+v, want %d pairs, %g wrong", r, pairs, wrong)
			}
			seen[r.Row], last = true, share(r)
		}
		for i := range m {
			for j := range m {
				if of[i] == of[j] && y[i] != y[j] && !seen[i] {
					t.Fatalf("row %d has a pair and is not listed", i)
				}
			}
		}
	}
}
