package comparison

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/internal/student"
)

// The triangles are those of the definition: all three items in both directions, with Holm's correction by its
// definition; with annotators one vote each.
func TestTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	found := 0
	for trial := range 60 {
		annotators := trial%2 == 1
		p, order, want, pairs := madeCycles(r, annotators)
		got := p.triangles(order, 0.05)
		if got.Found != len(want) || got.More || (got.Unit == "annotator") != annotators || got.Pairs != pairs {
			t.Fatalf("trial %d: %+v, want %v of %d pairs", trial, got, want, pairs)
		}
		for _, x := range got.List {
			if order[x.Items[0]] < order[x.Items[1]] || order[x.Items[0]] < order[x.Items[2]] {
				t.Errorf("trial %d: %v does not start with its first item", trial, x.Items)
			}
			y := x.Items
			for y[0] != min(y[0], y[1], y[2]) {
				y = [3]int{y[1], y[2], y[0]}
			}
			if !want[y] {
				t.Errorf("trial %d: %v is no triangle", trial, x.Items)
			}
			delete(want, y)
		}
		found += got.Found
	}
	if found < 20 {
		t.Errorf("only %d triangles were made", found)
	}
}

// madeCycles is a board with many circles, scores in some order, its triangles by the definition, and how many pairs
// have decided outcomes.
func madeCycles(r *rand.Rand, annotators bool) (p *Problem, order []float64, want map[[3]int]bool, pairs int) {
	n := 4 + r.IntN(5)
	p, order = &Problem{}, make([]float64, n)
	for i := range n {
		p.Items = append(p.Items, string(rune('A'+i)))
		order[i] = float64(r.IntN(4)) // some are equal
	}
	if annotators {
		p.Annotators = slices.Repeat([]string{"h"}, 40)
	}
	votes := map[[2]int]map[int]float64{} // of i < j: net wins of i, by annotator
	single := map[[2]int][2]float64{}
	for range 4 * n * n {
		i, j := r.IntN(n), r.IntN(n)
		if i == j {
			continue
		}
		l := Line{Left: i, Right: j, Annotator: -1, Stratum: -1, Wins: float64(1 + r.IntN(4))}
		if (i+j)%3 == 0 == (i < j) || r.IntN(12) == 0 {
			l.Wins, l.Losses = 0, l.Wins
		}
		if annotators {
			l.Annotator = r.IntN(40)
		}
		p.Lines = append(p.Lines, l)
		a, b, net := i, j, l.Wins-l.Losses
		w := [2]float64{l.Wins, l.Losses}
		if i > j {
			a, b, net, w = j, i, -net, [2]float64{l.Losses, l.Wins}
		}
		key := [2]int{a, b}
		if votes[key] == nil {
			votes[key] = map[int]float64{}
		}
		votes[key][l.Annotator] += net
		single[key] = [2]float64{single[key][0] + w[0], single[key][1] + w[1]}
	}
	beats := map[[2]int]bool{}
	var ps []float64
	raw := map[[2]int]float64{}
	for key, w := range single {
		if annotators {
			w = [2]float64{}
			for _, net := range votes[key] {
				if net > 0 {
					w[0]++
				} else if net < 0 {
					w[1]++
				}
			}
		}
		if w[0]+w[1] == 0 {
			continue
		}
		if w[1] > w[0] {
			key = [2]int{key[1], key[0]}
		}
		raw[key] = student.SignTest(w[0], w[1])
		ps = append(ps, raw[key])
	}
	slices.Sort(ps)
	for key, v := range raw {
		sure := true
		for k, q := range ps {
			sure = sure && (q > v || q*float64(len(ps)-k) <= 0.05)
		}
		beats[key] = sure
	}
	want = map[[3]int]bool{}
	for i := range n {
		for j := range n {
			for k := range n {
				if i < j && i < k && beats[[2]int{i, j}] && beats[[2]int{j, k}] && beats[[2]int{k, i}] {
					want[[3]int{i, j, k}] = true
				}
			}
		}
	}
	return p, order, want, len(ps)
}
