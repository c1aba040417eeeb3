package comparison

import (
	"cmp"
	"slices"

	"pairrank/comparison/internal/deviation"
	"pairrank/internal/pick"
)

// Ranks are the ranks of items, with sets of ranks that hold for all items at the same time in 95 % of samples.
type Ranks struct {
	Rank []int // from 1; equal scores share the best
	// Lo and Hi are the ends of the sets: ranks among the items that the covariance is about, 0 for others, and for all
	// without a covariance.
	Lo, Hi []int
	// Top are the items that are not surely below another one.
	Top []int
	// Critical is the number of standard errors by which two items of all are told apart.
	Critical float64
}

// RanksOf returns the ranks of the scores, and simultaneous sets of ranks: items are told apart if their difference is
// above the 95 % quantile of max |d_ij| / se_ij, for normal deviations with the covariance of the scores (max-t:
// Hothorn, Bretz and Westfall 2008, Simultaneous inference in general parametric models; sets of ranks by tests of all
// differences: Mogstad, Romano, Shaikh and Wilhelm 2024, Inference for ranks). With annotators, deviations are divided
// by the root of a χ² of their degrees of freedom. Items of different components, and items without a standard error,
// are not told apart; an item that no comparison joins to another has no set. It costs O(M³) for the M items of v, and
// 4,000 draws of O(M²), most of which stop early. If items are chosen by their scores, as the first ten, a covariance
// of these alone tells them apart too often.
func (b *Board) RanksOf(v *Covariance, seed uint64) *Ranks {
	n := len(b.Scores)
	parts := b.connected()
	r := &Ranks{Rank: b.ranks(parts), Lo: make([]int, n), Hi: make([]int, n)}
	if v == nil {
		return r
	}
	among := v.About
	if among == nil {
		for i := range n {
			among = append(among, i)
		}
	}
	r.Critical = deviation.Quantile(v.cov, pick.Rows(parts, among), v.Freedom, equal, seed)
	size := make([]int, n) // of components
	for _, g := range parts {
		size[g]++
	}
	alone := func(i int) bool { return n > 1 && size[parts[i]] == 1 }
	ranked := slices.DeleteFunc(slices.Clone(among), alone)
	for _, i := range ranked {
		r.Lo[i], r.Hi[i] = 1, len(ranked)
		for _, j := range ranked {
			if i == j || parts[i] != parts[j] {
				continue
			}
			d, width := b.Scores[j]-b.Scores[i], v.Width(i, j)/v.Quantile*r.Critical
			if d > width {
				r.Lo[i]++
			} else if -d > width {
				r.Hi[i]--
			}
		}
		if r.Lo[i] == 1 {
			r.Top = append(r.Top, i)
		}
	}
	return r
}

// connected is the component of each item, one for all with features.
func (b *Board) connected() []int32 {
	return b.Components().Of()
}

// ranks are the ranks of the scores within components.
func (b *Board) ranks(parts []int32) []int {
	order := pick.All[int](len(parts))
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(parts[i], parts[j]), cmp.Compare(b.Scores[j], b.Scores[i]))
	})
	rank, first := make([]int, len(parts)), 0
	for k, i := range order {
		switch {
		case k == 0 || parts[i] != parts[order[k-1]]:
			rank[i], first = 1, k
		case b.Scores[i] == b.Scores[order[k-1]]:
			rank[i] = rank[order[k-1]]
		default:
			rank[i] = k - first + 1
		}
	}
	return rank
}
