package procedure

import (
	"cmp"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/pick"
)

// Ranks are the ranks of scores, each among the scores of its list; equal scores share one. nil is a single list. Cost
// O(m log m).
func Ranks(scores []float64, list []int32) []float64 {
	of := func(k int) int32 {
		if list == nil {
			return 0
		}
		return list[k]
	}
	order, ranks := pick.All[int](len(scores)), make([]float64, len(scores))
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(of(a), of(b)), cmp.Compare(scores[a], scores[b]))
	})
	for n, k := range order[min(1, len(order)):] {
		before := order[n]
		if ranks[k] = ranks[before] + 1; cmp.Compare(scores[k], scores[before]) == 0 {
			ranks[k]--
		}
		if of(k) != of(before) {
			ranks[k] = 0
		}
	}
	return ranks
}

// Settled returns the last λ before the end of those tried, or that at the end, from which on the held-out ranking is
// the same as far beyond the end. It is nil where no end is chosen, where the ranking still changes, and where it is
// not known. ranking returns a number for each held-out unit, or pair of units, at any λ: two λ with the same numbers
// have the same held-out ranking. It may return nil.
func Settled(k cv.KernelEstimate, ranking func(lambda float64) ([]float64, error)) (from *float64) {
	const far, most = 0x1p20, 8 // beyond the end, and at how many values it is looked for
	if k.Parameter != cv.Lambda || len(k.Outputs) > 1 || ends(k) == 0 {
		return nil
	}
	e, step, beyond := k.Outputs[0], -1, far
	if e.Best == 0 {
		step, beyond = 1, 1/far
	}
	at := e.Points[e.Best].Candidate * beyond
	if at == 0 || math.IsInf(at, 1) {
		return nil
	}
	end, err := ranking(at)
	if err != nil || end == nil {
		return nil
	}
	for n, l := 0, e.Best; n < most && l >= 0 && l < len(e.Points); n, l = n+1, l+step {
		here, err := ranking(e.Points[l].Candidate)
		if err != nil || !slices.Equal(here, end) {
			break
		}
		from = &e.Points[l].Candidate
	}
	return from
}
