package cv

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/relation/kron"
)

// TestRelationSample draws edges of few and many labels: as many as are asked for,
// each once, by the seed, some ten of a row, half of them of the rarer of two
// labels where there are enough.
func TestRelationSample(t *testing.T) {
	const rows, cols, n = 60, 50, 200
	for _, c := range []struct {
		share float64 // of label 1; 0: labels are all different
		rarer int
	}{{0, -1}, {0.3, n / 2}, {0.7, n / 2}, {0.001, -1}, {1, -1}} {
		t.Run(fmt.Sprint(c.share), func(t *testing.T) {
			random := rand.New(rand.NewPCG(4, 0))
			rel := Relation{Rows: data.NewDense(rows, rows, nil)}
			for i := range rows {
				for j := range cols {
					rel.Edges.Row, rel.Edges.Col = append(rel.Edges.Row, int32(i)), append(rel.Edges.Col, int32(j))
					y := random.Float64()
					if c.share > 0 {
						y = float64(map[bool]int{true: 1}[y < c.share])
					}
					rel.Y = append(rel.Y, y)
				}
			}
			o := RelationOptions{Setting: kron.Both, Seed: 5, Sample: n}
			got := rel.sample(o)
			if again := rel.sample(o); !slices.Equal(got, again) {
				t.Error("the same seed draws other edges")
			}
			o.Seed++
			if other := rel.sample(o); slices.Equal(got, other) {
				t.Error("another seed draws the same edges")
			}
			ofRow, ones := make([]int, rows), 0
			for _, e := range got {
				ofRow[rel.Edges.Row[e]]++
				if rel.Y[e] == 1 {
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
			if o.Sample = len(rel.Y); len(rel.sample(o)) != len(rel.Y) {
				t.Error("a sample of all edges is not all edges")
			}
		})
	}
}
