package study

import (
	"slices"
	"testing"

	"pairrank/data"
)

// TestJoin keeps the queries of two sets apart.
func TestJoin(t *testing.T) {
	one := func(x, y float64) *data.Set {
		return &data.Set{X: data.NewDense(1, 1, []float64{x}), Y: []float64{y}, HasQID: true,
			Queries: data.NewQueries([]int32{0}, []string{"q"})}
	}
	a, b := one(1, 2), one(3, 4)
	b.Queries = data.NewQueries([]int32{0}, []string{"r"})
	got := Join(a, b)
	if x := got.X.(*data.Dense); x.Rows != 2 || !slices.Equal(x.Data, []float64{1, 3}) ||
		!slices.Equal(got.Y, []float64{2, 4}) {
		t.Errorf("rows %v, labels %v", x, got.Y)
	}
	if !slices.Equal(got.Queries.Of(), []int32{0, 1}) || !slices.Equal(got.Queries.IDs, []string{"q", "r"}) {
		t.Errorf("queries %v", got.Queries)
	}
}

// TestRotations has each part once for choosing and once for testing.
func TestRotations(t *testing.T) {
	var parts []*data.Set
	for k := range 5 {
		y := []float64{float64(k)}
		parts = append(parts, &data.Set{X: data.NewDense(1, 1, y), Y: y, HasQID: true,
			Queries: data.NewQueries([]int32{0}, []string{string(rune('a' + k))})})
	}
	for k, s := range Rotations(parts) {
		want := []float64{float64(k), float64((k + 1) % 5), float64((k + 2) % 5)}
		if !slices.Equal(s.Set.Y, want) || s.Valid != parts[(k+3)%5] || s.Test != parts[(k+4)%5] {
			t.Errorf("fold %d: trains on %v, not %v, or chooses or tests on another part", k+1, s.Set.Y, want)
		}
	}
}
