package relation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/relation/kron"
)

// TestSample draws edges of few and many labels: as many as are asked for,
// each once, by the seed, some ten of a row, half of them of the rarer of two
// labels where there are enough.
func TestSample(t *testing.T) {
	const rows, cols, n = 60, 50, 200
	for _, c := range []struct {
		share float64 // of label 1; 0: labels are all different
		rarer int
	}{{0, -1}, {0.3, n / 2}, {0.7, n / 2}, {0.001, -1}, {1, -1}} {
		t.Run(fmt.Sprint(c.share), func(t *testing.T) {
			random := rand.New(rand.NewPCG(4, 0))
			rel := &graph{rows: data.NewDense(rows, rows, nil)}
			for i := range rows {
				for j := range cols {
					rel.edges.Row, rel.edges.Col = append(rel.edges.Row, int32(i)), append(rel.edges.Col, int32(j))
					y := random.Float64()
					if c.share > 0 {
						y = float64(map[bool]int{true: 1}[y < c.share])
					}
					rel.y = append(rel.y, y)
				}
			}
			o := scheme{setting: kron.Both, seed: 5, sample: n}
			got := rel.sample(o)
			if again := rel.sample(o); !slices.Equal(got, again) {
				t.Error("the same seed draws other edges")
			}
			o.seed++
			if other := rel.sample(o); slices.Equal(got, other) {
				t.Error("another seed draws the same edges")
			}
			ofRow, ones := make([]int, rows), 0
			for _, e := range got {
				ofRow[rel.edges.Row[e]]++
				if rel.y[e] == 1 {
					ones++
				}
			}
			slices.Sort(got)
			if len(slices.Compact(got)) != n {
				t.Errorf("%d different edges, not %d", len(slices.Compact(got)), n)
			}
			if ofRow = slices.DeleteFunc(ofRow, func(k int) bool { return k == 0 }); len(ofRow) > n/drawnOfRow || len(ofRow) < n/drawnOfRow/2 {
				t.Errorf("edges of %d rows, for %d edges of %d a row", len(ofRow), n, drawnOfRow)
			}
			if c.rarer >= 0 && ones != c.rarer {
				t.Errorf("%d edges have label 1, not %d", ones, c.rarer)
			}
			if o.sample = len(rel.y); len(rel.sample(o)) != len(rel.y) {
				t.Error("a sample of all edges is not all edges")
			}
		})
	}
}
