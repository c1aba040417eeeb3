package comparison

import (
	"cmp"
	"math"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Score is a score of a Ranking on its scale.
type Score struct {
	Value, SE, Lo, Hi    float64 // NaN where there is none
	Rank, RankLo, RankHi int     // from 1; 0 where there is no set of ranks
}

// Item is an item of a Ranking.
type Item struct {
	Name  string
	Score // of Board
	// Unpenalised is the score of Free, where that is another board.
	Unpenalised *Score
	Comparisons float64
	Component   int // from 1; 0 where there is one alone
	// AboveNext is the probability that the item is above the next one of its component, NaN for the last; 0 where there
	// are no intervals.
	AboveNext float64
}

// Effect is a coefficient, or a difference of two items, with its interval.
type Effect struct{ Estimate, SE, Lo, Hi float64 }

// Items are the items, the best first. Cost O(N log N + C).
func (r *Ranking) Items() []Item {
	p, parts, seen := r.Problem, r.Board.Components(), r.Problem.seen()
	own, order := r.scores(r.Board)
	free := []Score(nil)
	if r.Free != nil && r.Free != r.Board {
		free, _ = r.scores(r.Free)
	}
	slices.SortFunc(order, func(i, j int) int { // almost as they stand: scores that differ may be equal on the scale
		return cmp.Or(cmp.Compare(own[j].Value, own[i].Value), cmp.Compare(i, j))
	})
	items := make([]Item, len(p.Items))
	for k, i := range order {
		items[k] = Item{Name: p.Items[i], Score: own[i], Comparisons: seen[i]}
		if parts.Len() > 1 {
			items[k].Component = int(parts.Of()[i]) + 1
		}
		if free == nil {
			continue
		}
		if p.Residual > 0 && seen[i] == 0 { // Free has no features, which would score an item never compared
			free[i] = Score{Value: math.NaN(), SE: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
		}
		items[k].Unpenalised = &free[i]
	}
	r.aboveNext(items, order, parts.Of())
	return items
}

// seen is how many outcomes each item has. Parts of the lines are counted apart. Cost O(N + C).
func (p *Problem) seen() []float64 {
	const size, most = 1 << 18, 4 // lines of a part at least, and parts
	n := max(size, (p.count()+most-1)/most)
	parts := make([][]float64, (p.count()+n-1)/n)
	parallel.Chunks(p.count(), n, func(_, lo, hi int) {
		own := make([]float64, len(p.Items))
		for c := lo; c < hi; c++ {
			l := p.source().At(c)
			own[l.Left], own[l.Right] = own[l.Left]+l.Count(), own[l.Right]+l.Count()
		}
		parts[lo/n] = own
	})
	for _, own := range parts[1:] {
		linalg.Axpy(1, own, parts[0])
	}
	return parts[0]
}

// aboveNext fills in the probability of each item that it is above the next one of its component; with features all
// items are of one. order has the items by their number.
func (r *Ranking) aboveNext(items []Item, order []int, parts []int32) {
	if r.Variance == nil {
		return
	}
	before := map[int32]int{} // the item above, of each component
	for k, i := range order {
		items[k].AboveNext = math.NaN()
		if above, is := before[parts[i]]; is {
			items[above].AboveNext = r.Free.above(r.Variance, order[above], i)
		}
		before[parts[i]] = k
	}
}

// scale returns how the scores of a board are shown, unit times the score plus shift.
func (r *Ranking) scale(b *Board) (unit, shift float64) {
	unit = 1
	if r.Elo {
		unit, shift = 400/math.Ln10, 1000
	}
	if r.Anchor >= 0 {
		shift = r.At - unit*b.Scores[r.Anchor]
	}
	return unit, shift
}

// scores are those of a board on the scale, with the intervals and ranks of Free, and the items from the largest score
// down.
func (r *Ranking) scores(b *Board) (out []Score, order []int) {
	type keyed struct { // so that scores are beside the numbers that are sorted
		score float64
		item  int
	}
	unit, shift := r.scale(b)
	keys := make([]keyed, len(b.Scores))
	out, order = make([]Score, len(b.Scores)), make([]int, len(b.Scores))
	for i, v := range b.Scores {
		e := r.effect(b, unit*v+shift, i, r.Anchor)
		out[i], keys[i] = Score{Value: e.Estimate, SE: e.SE, Lo: e.Lo, Hi: e.Hi}, keyed{v, i}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.item, b.item))
	})
	for k, key := range keys {
		order[k] = key.item
		if out[key.item].Rank = k + 1; k > 0 && key.score == keys[k-1].score {
			out[key.item].Rank = out[order[k-1]].Rank
		}
	}
	if r.Ranks == nil || b != r.Free {
		return out, order
	}
	for i := range out {
		out[i].Rank, out[i].RankLo, out[i].RankHi = r.Ranks.Rank[i], r.Ranks.Lo[i], r.Ranks.Hi[i]
	}
	return out, order
}

// effect is an estimate with the interval of entry i of a board, or of its difference to entry j where j is not
// negative.
func (r *Ranking) effect(b *Board, estimate float64, i, j int) Effect {
	if r.Variance == nil || b != r.Free {
		return Effect{estimate, math.NaN(), math.NaN(), math.NaN()}
	}
	unit, _ := r.scale(b)
	half := unit * r.Variance.Width(i, j)
	return Effect{estimate, half / r.Variance.Quantile, estimate - half, estimate + half}
}

// Covariate is the coefficient of covariate j, on the scale of the scores.
func (r *Ranking) Covariate(j int) Effect {
	unit, _ := r.scale(r.Board)
	return r.effect(r.Board, unit*r.Board.Gamma[j], len(r.Problem.Items)+j, -1)
}

// Difference is the score of item i less that of item j in Free, and the probability that i is above j. It needs
// Variance.
func (r *Ranking) Difference(i, j int) (d Effect, above float64) {
	unit, _ := r.scale(r.Free)
	return r.effect(r.Free, unit*(r.Free.Scores[i]-r.Free.Scores[j]), i, j), r.Free.above(r.Variance, i, j)
}
