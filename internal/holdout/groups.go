package holdout

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/joins"
	"pairrank/internal/pick"
	"pairrank/internal/student"
)

// Splits returns the test sets of a method, dealt by seed where it deals folds. Rows of one of
// Groups are in one test set: lqo leaves out queries together that a group connects, loo leaves out
// each group, and kfold deals groups, or the queries that they connect. Folds take the place of
// dealt ones. It costs O(m), and returns the errors of Method.Splits, and an error where folds cut
// a group or are not those of the method. Rows or groups of a single list of censored times are dealt so that folds
// have as many with an event, but for one.
func (l Labels) Splits(m cv.Method, seed uint64) (*Splits, error) {
	l = l.resolved()
	if err := check(m); err != nil {
		return nil, err
	}
	if l.Folds != nil {
		return l.givenFolds(m)
	}
	if l.Groups == nil {
		return l.ungrouped(m, seed)
	}
	blocks := l.Blocks()
	switch {
	case m.Kind == cv.LeaveOneOut:
		return SplitsOf(blocks).Together(), nil
	case m.Kind == cv.KFold && l.Queries.Len() > 1:
		return folds(blocks, nil, m.Folds, seed, "sets of queries with groups in common")
	case m.Kind == cv.KFold:
		return folds(blocks, l.events(blocks), m.Folds, seed, "groups")
	case m.Kind == cv.LeaveQueryOut && blocks.Len() < 2 && l.Queries.Len() > 1:
		return nil, errors.New("groups connect all queries, so that none can be left out without the others")
	case m.Kind == cv.LeaveQueryOut && l.Queries.Len() > 1:
		return SplitsOf(blocks), nil
	}
	return MethodSplits(m, l.Queries, seed)
}

// givenFolds are the splits of Folds.
func (l Labels) givenFolds(m cv.Method) (*Splits, error) {
	k := l.Folds.Len()
	if m.Kind != cv.KFold {
		return nil, fmt.Errorf("folds are given, which %s does not leave out", m)
	}
	if m.Folds != k {
		return nil, fmt.Errorf("%d folds are given, and %s would deal others", k, m)
	}
	if l.Groups != nil && !l.Groups.Refines(l.Folds) {
		return nil, errors.New("the given folds cut a group, whose rows leave together")
	}
	return SplitsOf(l.Folds), nil
}

// ungrouped are the splits without Groups.
func (l Labels) ungrouped(m cv.Method, seed uint64) (*Splits, error) {
	if l.Censored == nil || l.Queries.Len() > 1 || m.Kind != cv.KFold {
		return MethodSplits(m, l.Queries, seed)
	}
	rows := data.Singletons(l.rows())
	return folds(rows, l.events(rows), m.Folds, seed, "rows")
}

// events reports which units have a row that had the event; nil where labels are no censored times.
func (l Labels) events(units *data.Partition) []bool {
	if l.Censored == nil {
		return nil
	}
	event := make([]bool, units.Len())
	for u := range event {
		event[u] = slices.ContainsFunc(units.Part(u), func(i int32) bool { return !l.Censored[i] })
	}
	return event
}

// Blocks returns the rows that leave together: each of Groups or, with several queries, the queries
// that groups connect. It is nil without Groups. Blocks are numbered in order of first appearance.
// Cost O(m).
func (l Labels) Blocks() *data.Partition {
	if l.Groups == nil {
		return nil
	}
	l = l.resolved()
	queries, groups, q := l.Queries.Of(), l.Groups.Of(), l.Queries.Len()
	if q == 1 {
		return renumbered(groups, l.Groups.Len())
	}
	joins := joins.NewJoins(q + l.Groups.Len()) // queries, then groups: a row connects one of each
	for i := range queries {
		joins.Join(int(queries[i]), q+int(groups[i]))
	}
	of := make([]int32, len(queries))
	for i := range of {
		of[i] = int32(joins.First(int(queries[i])))
	}
	return renumbered(of, q)
}

// renumbered is the partition of rows in the given parts, of at most so many, without empty ones.
func renumbered(part []int32, parts int) *data.Partition {
	number := make([]int32, parts) // + 1; 0 where none is given yet
	of, next := make([]int32, len(part)), int32(0)
	for i, g := range part {
		if number[g] == 0 {
			next++
			number[g] = next
		}
		of[i] = number[g] - 1
	}
	return data.NewPartition(of, int(next))
}

// pairsOfGroups is leave-pair-out of a single list whose rows leave in groups. The groups of the
// two rows of a pair are left out together. Rounds of a tournament, in which every two groups meet
// once, leave out disjoint sets of two groups each; a last round leaves out every group alone, for
// the pairs within. It costs a HoldOut for each of about as many rounds as there are groups.
//
// The standard error is that of a U-statistic over groups, √Σ_g (h_g − e d_g)² / pairs with h_g of
// the d_g pairs of group g wrong.
func pairsOfGroups(ctx context.Context, predict Predictor, labels Labels, o Options) ([]*cv.Estimate, error) {
	if err := checkPairMetric(labels, o); err != nil {
		return nil, err
	}
	if labels.Queries.Len() > 1 {
		return nil, errors.New("leave-pair-out of groups is for a single list: use lqo, which leaves out queries")
	}
	if o.Pairs > 0 {
		return nil, errors.New("pairs are not drawn where rows of a group leave together")
	}
	blocks := labels.Blocks()
	if blocks.Len() < 2 {
		return nil, errors.New("leave-pair-out needs rows of two groups, and all are of one")
	}
	c := &groupCount{labels: labels, of: blocks.Of(), groups: blocks.Len(),
		points: make([][]groupPairs, len(o.Candidates))}
	for l := range c.points {
		c.points[l] = make([]groupPairs, labels.outputs()*c.groups)
	}
	rounds := tournamentRounds(c.groups)
	for r, meets := range rounds {
		splits := SplitsOf(renumbered(pick.Rows(meets, c.of), c.groups))
		err := predict(ctx, splits, o.Candidates, func(g, l int, held Held) {
			c.take(splits.Test(g), l, held, r == len(rounds)-1)
		})
		if err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(r+1, len(rounds))
		}
	}
	estimates := newEstimates(labels, o)
	for l, lambda := range o.Candidates {
		for k, e := range estimates {
			e.Points[l] = c.point(lambda, l, k, o.Units)
		}
		if err := checkPairs(estimates, l, o.Method); err != nil {
			return nil, err
		}
	}
	for _, e := range estimates {
		choose(e, nil)
	}
	return estimates, nil
}

// tournamentRounds are the rounds in which each two of n groups meet once, by the circle method,
// and a last round in which each is alone: the number of the set that each group is in.
func tournamentRounds(n int) [][]int32 {
	even := n + n%2
	var rounds [][]int32
	for r := range even - 1 {
		meets := make([]int32, n)
		for k := range even / 2 {
			a, b := (r+k)%(even-1), (r+even-1-k)%(even-1)
			if k == 0 {
				b = even - 1
			}
			for _, g := range []int{a, b} {
				if g < n {
					meets[g] = int32(k)
				}
			}
		}
		rounds = append(rounds, meets)
	}
	return append(rounds, pick.All[int32](n))
}

// groupCount counts, for each λ, output and group, the pairs of its rows and the halves of them that
// are ordered wrongly.
type groupCount struct {
	labels Labels
	of     []int32 // the group of each row
	groups int
	points [][]groupPairs // by λ, then output and group
}

// groupPairs are the pairs of a group with others, and those within.
type groupPairs struct{ across, within weighedPairs }

// weighedPairs are the halves and the weight of some pairs, and their number. Without weights they are whole.
type weighedPairs struct {
	halves, pairs float64
	count         int64
}

// take counts the pairs between the two groups of a set, or within its only group. Sets are counted
// at the same time; no group is in two of a round.
func (c *groupCount) take(rows []int32, l int, held Held, within bool) {
	scores := make([]float64, len(rows))
	for k := range c.labels.outputs() {
		for a := range rows {
			scores[a] = held.F.Row(a)[k]
		}
		tieWithin(scores, held.Rounding.Most(), func(a int) float64 { return held.Rounding.At(a, k) })
		of := c.points[l][k*c.groups : (k+1)*c.groups]
		for a, i := range rows {
			for b, j := range rows[:a] {
				above := c.labels.order(i, j, k)
				if above == 0 || (c.of[i] == c.of[j]) != within {
					continue
				}
				wrong := 1 - above*sign(scores[a], scores[b])
				weight := 1.0
				if w := c.labels.Weights; w != nil {
					weight = w[i] * w[j]
				}
				if within {
					of[c.of[i]].within.add(wrong, weight)
				} else {
					of[c.of[i]].across.add(wrong, weight)
					of[c.of[j]].across.add(wrong, weight)
				}
			}
		}
	}
}

func (r *weighedPairs) add(halves int64, weight float64) {
	r.halves += weight * float64(halves)
	r.pairs += weight
	r.count++
}

// point is the estimate of one λ and output.
func (c *groupCount) point(lambda float64, l, k int, units bool) cv.Point {
	p := cv.Point{Candidate: lambda}
	of := c.points[l][k*c.groups : (k+1)*c.groups]
	halves, pairs, count := 0.0, 0.0, int64(0) // twice
	var effective student.Effective
	for _, g := range of {
		halves += g.across.halves + 2*g.within.halves
		pairs += g.across.pairs + 2*g.within.pairs
		count += g.across.count + 2*g.within.count
		effective.Add(g.across.pairs + g.within.pairs)
	}
	if p.Pairs = count / 2; count == 0 {
		return p
	}
	p.Error = halves / 2 / pairs
	p.Metric = metric.Value{Value: p.Error, Defined: true}
	sum, over := 0.0, metric.Over{Of: "group", Rarer: c.labels.rarer(k)}
	if len(of) == c.labels.rows() {
		over.Of = "row"
	}
	for _, g := range of {
		h, d := (g.across.halves+g.within.halves)/2, g.across.pairs+g.within.pairs
		sum += (h - p.Error*d) * (h - p.Error*d)
		if d > 0 {
			over.N++
		}
		if units {
			p.Units = append(p.Units, metric.Term{Num: g.across.halves/2 + g.within.halves,
				Den: g.across.pairs + 2*g.within.pairs})
		}
	}
	if c.labels.Weights != nil {
		over.Effective = effective.Rows()
	}
	setRows(&p, sum, pairs/2, over)
	return p
}
