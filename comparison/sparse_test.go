package comparison

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/comparison/internal/outcome"
)

// Boards that are almost a tree: the steps of their bias-reduced scores shorten slowly, and need more than 200.
func TestReducedBiasOfSparseBoards(t *testing.T) {
	for _, sim := range []int{473, 1463, 2133} {
		rng := rand.New(rand.NewPCG(uint64(sim), 77))
		items, each := 20, 3
		s := make([]float64, items)
		p := &Problem{}
		for i := range s {
			s[i] = rng.NormFloat64()
			p.Items = append(p.Items, fmt.Sprint(i))
		}
		for p.Lines == nil || p.Components().Len() > 1 {
			p.Lines = nil
			for c := range items * each / 2 {
				i, j := c%items, rng.IntN(items-1)
				if j >= i {
					j++
				}
				l := Line{Left: i, Right: j, Annotator: -1, Stratum: -1}
				if rng.Float64() < outcome.Logistic(s[i]-s[j]) {
					l.Wins = 1
				} else {
					l.Losses = 1
				}
				p.Lines = append(p.Lines, l)
			}
		}
		_, err := Fit(context.Background(), p, Options{Loss: Logistic, BiasReduced: true, Ties: Drop})
		if err != nil {
			t.Errorf("board %d: %v", sim, err)
		}
	}
}
