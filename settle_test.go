package pairrank

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/codes"
	"pairrank/internal/procedure"
)

// What a note says of the held-out ranking holds: at every λ from there on, far beyond those tried, the rows that are
// held out have the same order. One feature has it from the first λ on.
func TestTheRankingNoLongerChanges(t *testing.T) {
	told, quiet := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 45))
		m, n := 24, 1+int(seed%4)
		set := &data.Set{Y: make([]float64, m)}
		x, queries := data.NewDense(m, n, nil), make([]int32, m)
		for i := range m {
			for j := range n {
				x.Row(i)[j] = float64(r.IntN(7)) + r.Float64()/8
			}
			set.Y[i], queries[i] = float64(r.IntN(3)), int32(i/6)
		}
		set.X = x
		set.Queries = data.NewPartition(queries, 4)
		o := Options{Lambdas: []float64{1, 16, 256, 1 << 20, 1 << 30}}
		e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Options: o})
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(e.Notes, codes.NoteEndOfPath)
		from, is := strings.CutPrefix(text, "from lambda = ")
		if !is {
			quiet++
			continue
		}
		told++
		from, _, _ = strings.Cut(from, " ")
		on := strings.Contains(text, " on the held-out ranking")
		var first []float64
		for l, lambda := range []float64{0x1p-40, 0x1p-20, 1, 16, 256, 1 << 20, 1 << 30, 0x1p40, 0x1p50} {
			at := cv.Lambda.Text(lambda)
			if on && first == nil && at != from {
				continue
			}
			ranks := heldRanks(t, set, lambda)
			if first == nil {
				first = ranks
			}
			if !slices.Equal(ranks, first) {
				t.Errorf("%d: %q, and at λ %d, %s, the ranking is another one", seed, text, l, at)
			}
			if !on && at == from {
				break
			}
		}
	}
	if told < 10 || quiet < 3 {
		t.Errorf("%d told, %d quiet", told, quiet)
	}
}

// heldRanks are the ranks of the held-out rows at a λ, each in its query.
func heldRanks(t *testing.T, set *data.Set, lambda float64) []float64 {
	t.Helper()
	e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{HeldOut: true,
		Options: Options{Lambdas: []float64{lambda}}})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := e.HeldOut(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return procedure.Ranks(scores.Data, set.Queries.Of())
}
