package goals_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// TestTrace compares it and the diagonal with products with the unit vectors, for every kind of
// Laplacian.
func TestTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 100 {
		m := 2 + r.IntN(10)
		y, of := make([]float64, m), make([]int32, m)
		for i := range y {
			y[i], of[i] = float64(r.IntN(3)), int32(r.IntN(3))
		}
		y[0], y[1], of[0], of[1] = 0, 1, 0, 0
		queries := data.NewPartition(of, 3)
		all := []*goals.Goal{goals.Regression(y, 1)}
		for _, o := range []pref.Options{{}, {Ties: "exclude"}, {Cost: pref.Relative}, {Weight: pref.Size},
			{Weight: pref.Edges, Cost: pref.Unit}} {
			goal, err := goals.Scored(y, 1, queries, o)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, goal)
		}
		graph, err := goals.Preferences(m, []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 0.5},
			{I: 1, J: 0, Magnitude: 2, Weight: 3}, {I: 0, J: m - 1, Magnitude: 1, Weight: 0x1p-80}}, "")
		if err != nil {
			t.Fatal(err)
		}
		for k, goal := range append(all, graph) {
			want, diagonal := 0.0, goals.Diagonal(goal.L)
			for i := range m {
				unit := make([]float64, m)
				unit[i] = 1
				goal.L.MulTo(unit, unit, 1)
				want += unit[i]
				if math.Abs(diagonal[i]-unit[i]) > 1e-12*max(1, unit[i]) {
					t.Errorf("trial %d, goal %d: L has %g at row %d, want %g", trial, k, diagonal[i], i, unit[i])
				}
			}
			if got := goals.Trace(goal.L); math.Abs(got-want) > 1e-12*want {
				t.Errorf("trial %d, goal %d: %g, want %g", trial, k, got, want)
			}
		}
	}
}
