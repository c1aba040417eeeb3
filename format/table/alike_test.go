package table

import (
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

// TestAlike: a comparison has the line of the first one that is like it, by a map of what they share.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var a alike
	var lines []data.Comparison
	want := map[data.Comparison]int32{}
	for k := range 20_000 {
		c := data.Comparison{Left: r.IntN(40), Right: r.IntN(40), Annotator: r.IntN(3) - 1, Stratum: r.IntN(2) - 1,
			Weight: float64(1 + r.IntN(2)), Magnitude: 1}
		at, is := a.find(&c, hashOf(&c), lines)
		first, was := want[c]
		if !was {
			first = int32(len(lines))
			want[c] = first
			lines = append(lines, c)
		}
		if at != first || is != was {
			t.Fatalf("comparison %d: line %d, known %v; want %d, %v", k, at, is, first, was)
		}
	}
	if len(lines) < 5000 || len(lines) == 20_000 {
		t.Errorf("%d lines: too few, or none alike", len(lines))
	}
}
