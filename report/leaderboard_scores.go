package report

import (
	"cmp"
	"math"
	"slices"

	"pairrank/comparison"
	"pairrank/data"
)

// addItems adds the items, the best first: seen counts their comparisons.
func (r *Rated) addItems(d *Leaderboard, seen []float64, parts *data.Partition) {
	var free []BoardScore
	if r.Free != nil && r.Free != r.Board {
		d.Unpenalised, free = r.FreeBy, r.scores(r.Free)
	}
	if r.Problem.Residual > 0 { // the board without a penalty has no features, which would score items never compared
		none := Number(math.NaN())
		for i := range free {
			if seen[i] == 0 {
				free[i] = BoardScore{Score: none, SE: none, Lo: none, Hi: none}
			}
		}
	}
	own := r.scores(r.Board)
	for i, id := range r.Problem.Items {
		b := &own[i]
		item := BoardItem{ID: id, Score: b.Score, SE: b.SE, Lo: b.Lo, Hi: b.Hi, Rank: b.Rank, RankLo: b.RankLo,
			RankHi: b.RankHi, Comparisons: Number(seen[i])}
		if d.Components > 1 {
			item.Component = int(parts.Of()[i]) + 1
		}
		if free != nil {
			item.Unpenalised = &free[i]
		}
		d.Items = append(d.Items, item)
	}
	if r.Ranks != nil {
		d.Top = len(r.Ranks.Top)
	}
	r.aboveNext(d.Items, parts)
	slices.SortStableFunc(d.Items, func(a, b BoardItem) int { return cmp.Compare(b.Score, a.Score) })
}

// aboveNext fills in the probability of each item that it is above the next one of its component; with features all
// items are of one. items are in the order of the problem.
func (r *Rated) aboveNext(items []BoardItem, parts *data.Partition) {
	if r.Variance == nil {
		return
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(items[j].Score, items[i].Score) })
	before := map[int32]int{} // the item above, of each component
	for _, i := range order {
		part := parts.Of()[i]
		if r.Problem.Features != nil {
			part = 0
		}
		items[i].AboveNext = Number(math.NaN())
		if k, is := before[part]; is {
			items[k].AboveNext = Number(r.Free.Above(r.Variance, k, i))
		}
		before[part] = i
	}
}

// scale returns how the scores of a board are shown, unit times the score plus shift.
func (r *Rated) scale(b *comparison.Board) (unit, shift float64) {
	unit = 1
	if r.Elo {
		unit, shift = 400/math.Ln10, 1000
	}
	if r.Anchor >= 0 {
		shift = r.At - unit*b.Scores[r.Anchor]
	}
	return unit, shift
}

// scores are those of a board as they are shown, with the intervals and ranks of Free. Cost O(N log N).
func (r *Rated) scores(b *comparison.Board) []BoardScore {
	unit, shift := r.scale(b)
	out, order := make([]BoardScore, len(b.Scores)), make([]int, len(b.Scores))
	for i, v := range b.Scores {
		order[i] = i
		s := &out[i]
		s.Score = Number(unit*v + shift)
		s.SE, s.Lo, s.Hi = r.interval(b, s.Score, unit, i, r.Anchor)
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(b.Scores[j], b.Scores[i]) })
	for k, i := range order {
		if out[i].Rank = k + 1; k > 0 && b.Scores[i] == b.Scores[order[k-1]] {
			out[i].Rank = out[order[k-1]].Rank
		}
	}
	if r.Ranks == nil || b != r.Free {
		return out
	}
	for i := range out {
		out[i].Rank, out[i].RankLo, out[i].RankHi = r.Ranks.Rank[i], r.Ranks.Lo[i], r.Ranks.Hi[i]
	}
	return out
}

// interval is the standard error of entry i of a board, of its difference to another where that is not negative, and
// the 95 % interval.
func (r *Rated) interval(b *comparison.Board, at Number, unit float64, i, other int) (se, lo, hi Number) {
	if r.Variance == nil || b != r.Free {
		none := Number(math.NaN())
		return none, none, none
	}
	half := unit * r.Variance.Width(i, other)
	return Number(half / r.Variance.Quantile), at - Number(half), at + Number(half)
}
