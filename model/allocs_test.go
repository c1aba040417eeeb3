//go:build !race

package model

import "testing"

// The race detector drops pooled items at random.
func TestScoreRowAllocatesNothing(t *testing.T) {
	for name, m := range models(7) {
		x := random(1, 7, 12).Row(0)
		m.ScoreRow(x)
		if n := testing.AllocsPerRun(100, func() { m.ScoreRow(x) }); n >= 1 { // a collection may empty the pools once
			t.Errorf("%s: %v allocations a row", name, n)
		}
	}
}
