package comparison

import (
	"cmp"
	"math"
	"slices"

	"pairrank/comparison/internal/incidence"
	"pairrank/internal/pick"
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
	p, parts := r.Problem, r.Board.Components()
	seen := make([]float64, len(p.Items))
	for c := range p.count() {
		l := p.source().At(c)
		seen[l.Left], seen[l.Right] = seen[l.Left]+l.Count(), seen[l.Right]+l.Count()
	}
	own, free := r.scores(r.Board), []Score(nil)
	if r.Free != nil && r.Free != r.Board {
		free = r.scores(r.Free)
	}
	items := make([]Item, len(p.Items))
	for i, name := range p.Items {
		items[i] = Item{Name: name, Score: own[i], Comparisons: seen[i]}
		if parts.Len() > 1 {
			items[i].Component = int(parts.Of()[i]) + 1
		}
		if free == nil {
			continue
		}
		if p.Residual > 0 && seen[i] == 0 { // Free has no features, which would score an item never compared
			free[i] = Score{Value: math.NaN(), SE: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
		}
		items[i].Unpenalised = &free[i]
	}
	r.aboveNext(items, parts.Of())
	return pick.Rows(items, byValue(items))
}

// aboveNext fills in the probability of each item that it is above the next one of its component; with features all
// items are of one. items are in the order of the problem.
func (r *Ranking) aboveNext(items []Item, parts []int32) {
	if r.Variance == nil {
		return
	}
	order := byValue(items)
	before := map[int32]int{} // the item above, of each component
	for _, i := range order {
		items[i].AboveNext = math.NaN()
		if k, is := before[parts[i]]; is {
			items[k].AboveNext = r.Free.above(r.Variance, k, i)
		}
		before[parts[i]] = i
	}
}

// byValue are the items from the largest score down, equal ones as they stand.
func byValue(items []Item) []int {
	order := incidence.All(len(items))
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(items[j].Value, items[i].Value), cmp.Compare(i, j))
	})
	return order
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

// scores are those of a board on the scale, with the intervals and ranks of Free.
func (r *Ranking) scores(b *Board) []Score {
	unit, shift := r.scale(b)
	out, order := make([]Score, len(b.Scores)), incidence.All(len(b.Scores))
	for i, v := range b.Scores {
		e := r.effect(b, unit*v+shift, i, r.Anchor)
		out[i] = Score{Value: e.Estimate, SE: e.SE, Lo: e.Lo, Hi: e.Hi}
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
