package comparison

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/fault"
)

// TestVariation: independent votes by Bradley and Terry seldom vary so much that they are told, copies of them mostly
// do, and the ratio is about Σ k² / Σ k for k copies.
func TestVariation(t *testing.T) {
	const boards, much, level = 200, 1.5, 0.001
	var told [2]int
	ratio := [2]float64{}
	for seed := range uint64(boards) {
		r := rand.New(rand.NewPCG(seed, 5))
		items := 5 + int(seed%4)*5
		scores := make([]float64, items)
		var p [2]Problem
		for i := range scores {
			scores[i] = r.NormFloat64()
			for k := range p {
				p[k].Items = append(p[k].Items, string(rune('a'+i)))
			}
		}
		squares, sum := 0.0, 0.0
		for range 40 * items {
			i := r.IntN(items)
			l := Line{Left: i, Right: (i + 1 + r.IntN(items-1)) % items, Annotator: -1, Stratum: -1}
			if l.Wins = 1; r.Float64()*(1+math.Exp(scores[l.Right]-scores[l.Left])) > 1 {
				l.Wins, l.Losses = 0, 1
			}
			p[0].Lines = append(p[0].Lines, l)
			copies := 1 + r.IntN(5)
			squares, sum = squares+float64(copies*copies), sum+float64(copies)
			for range copies {
				p[1].Lines = append(p[1].Lines, l)
			}
		}
		for k := range p {
			found, chance := p[k].Variation(t.Context())
			ratio[k] += found / boards
			if k == 1 {
				ratio[k] += (1 - squares/sum) / boards
			}
			if found >= much && chance <= level {
				told[k]++
			}
		}
	}
	t.Logf("told of %v of %d boards, mean ratios %.2f", told, boards, ratio)
	if told[0] > 1 || told[1] < boards*8/10 {
		t.Errorf("told of %d independent boards and %d with copies, of %d", told[0], told[1], boards)
	}
	for k, v := range ratio {
		if math.Abs(v-1) > 0.3 {
			t.Errorf("%d: the ratio is %.2f beside what copies make of it", k, v)
		}
	}
}

// TestGradedOutcomes: outcomes between wins and losses have neither the variance nor the bias of wins, so that neither
// is taken for theirs: Variation says nothing of copies, and bias is not reduced, also not beside a penalty.
func TestGradedOutcomes(t *testing.T) {
	p := &Problem{Items: []string{"a", "b", "c"}}
	for k := range 90 { // a wins wholly
		l := Line{Left: k % 3, Right: (k + 1) % 3, Wins: 1, Rest: 0.3, Annotator: -1, Stratum: -1, Cluster: -1}
		if l.Right == 0 {
			l.Left, l.Right = 0, 2
		}
		if l.Left == 0 {
			l.Rest = 0
		}
		p.Lines = append(p.Lines, l)
	}
	if ratio, chance := p.Variation(t.Context()); ratio != 1 || chance != 1 {
		t.Errorf("graded outcomes vary %v times, p = %v", ratio, chance)
	}
	var refused *fault.Error
	if _, err := Fit(t.Context(), p, Options{Loss: Logistic, BiasReduced: true}); !errors.As(err, &refused) ||
		refused.Option != "BiasReduced" {
		t.Errorf("reduced bias of graded outcomes: %v", err)
	}
	r, err := Rank(t.Context(), *p, RankOptions{Options: Options{Loss: Logistic, Lambda: 1}})
	if err != nil || r.FreeBy == FreeReduced || r.Variance != nil {
		t.Errorf("beside a penalty: %v", err)
	}
}
