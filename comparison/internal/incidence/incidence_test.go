package incidence

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
)

// The pairs of lines, the rows of the graph and the lines of each item are those of their definitions.
func TestLinesOfItems(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 0x696e63))
		n := 2 + rng.IntN(6)
		var of []data.Comparison
		for range 1 + rng.IntN(30) {
			i := rng.IntN(n)
			of = append(of, data.Comparison{Left: i, Right: (i + 1 + rng.IntN(n-1)) % n})
		}
		l, g := newIn(Source{Rows: of}, n, 1+int(seed)%7)
		pairOf := func(c int) [2]int { return [2]int{min(of[c].Left, of[c].Right), max(of[c].Left, of[c].Right)} }
		var order [][2]int // of first appearance
		got, pairs := l.Pairs()
		for c := range of {
			if !slices.Contains(order, pairOf(c)) {
				order = append(order, pairOf(c))
			}
			if want := slices.Index(order, pairOf(c)); int(got[c]) != want {
				t.Fatalf("problem %d: line %d is of pair %d, want %d", seed, c, got[c], want)
			}
		}
		if pairs != len(order) || len(g.To) != 2*pairs {
			t.Fatalf("problem %d: %d pairs and %d entries of the graph, want %d pairs", seed, pairs, len(g.To), len(order))
		}
		for i := range n {
			var others []int32
			for c := range of {
				if p := pairOf(c); p[0] == i || p[1] == i {
					others = append(others, int32(p[0]+p[1]-i))
				}
			}
			if len(l.Row(i)) != len(others) {
				t.Fatalf("problem %d: item %d has %d lines, want %d", seed, i, len(l.Row(i)), len(others))
			}
			slices.Sort(others)
			if row := g.To[g.Bounds[i]:g.Bounds[i+1]]; !slices.Equal(row, slices.Compact(others)) {
				t.Fatalf("problem %d: item %d meets %v, want %v", seed, i, row, others)
			}
			for _, e := range l.Row(i) {
				if item := of[e.Line()].Left; e.Right() == (item == i) {
					t.Fatalf("problem %d: line %d is on the other side of item %d", seed, e.Line(), i)
				}
			}
		}
		seen := 0
		for i := range n {
			last := -1
			for k, e := range l.Above(i) {
				c := e.Line()
				if pairOf(c)[0] != i || e.First() != (k == 0 || pairOf(c) != pairOf(last)) || !e.First() && c < last {
					t.Fatalf("problem %d: %v are the lines of item %d with later ones", seed, l.Above(i), i)
				}
				last = c
				seen++
			}
		}
		if seen != len(of) {
			t.Fatalf("problem %d: %d lines of pairs, want %d", seed, seen, len(of))
		}
	}
}
