package data

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Lines in columns are the lines that were appended and added to, whichever columns differ between them.
func TestComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 47))
	counts := []float64{0, 1, 1, 2, 255, 256, 0.5, 1 << 40}
	for problem := range 300 {
		kinds := []int{r.IntN(3), r.IntN(3), r.IntN(3), r.IntN(3)} // how different columns are
		most := 2 + r.IntN(len(counts)-1)
		number := func(kind int) float64 { return float64(r.IntN(1 + kinds[kind])) }
		var s Comparisons
		var want []Comparison
		for range r.IntN(60) {
			if len(want) > 0 && r.IntN(3) == 0 {
				at, n := r.IntN(len(want)), [3]float64{counts[r.IntN(most)], counts[r.IntN(most)], counts[r.IntN(most)]}
				s.Add(at, n[0], n[1], n[2])
				l := &want[at]
				l.Wins, l.Losses, l.Ties = l.Wins+n[0], l.Losses+n[1], l.Ties+n[2]
			}
			l := Comparison{Left: r.IntN(9), Right: math.MaxInt32 - r.IntN(9), Wins: counts[r.IntN(most)],
				Losses: counts[r.IntN(most)], Ties: counts[r.IntN(most)], Weight: number(0), Magnitude: number(0) + 0.1,
				Rest: number(1) / 7, Annotator: int(number(2)) - 1, Stratum: int(number(2)), Cluster: -1, Trusted: number(3) > 0}
			if r.IntN(20) == 0 {
				s.Grow(r.IntN(100))
			}
			s.Append(l)
			want = append(want, l)
		}
		if s.Len() != len(want) || len(want) > 0 && !reflect.DeepEqual(s.Rows(), want) {
			t.Fatalf("problem %d: %v, want %v", problem, s.Rows(), want)
		}
		for c := range want {
			if left, right := s.Items(c); left != want[c].Left || right != want[c].Right {
				t.Errorf("problem %d, line %d: items %d and %d", problem, c, left, right)
			}
		}
	}
	if (*Comparisons)(nil).Len() != 0 {
		t.Error("nil has lines")
	}
	defer func() {
		if recover() == nil {
			t.Error("an item beyond 32 bits is cut")
		}
	}()
	item := int64(1) << 32
	new(Comparisons).Append(Comparison{Left: int(item)})
}
