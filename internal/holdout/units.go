package holdout

import (
	"pairrank/eval/metric"
	"pairrank/internal/ratio"
)

// unit names what the standard error is over.
func (c *collector) unit() string {
	switch {
	case c.labels.Queries.Len() == 1 && len(c.lists) > 1:
		return "fold"
	case c.labels.Queries.Len() == 1:
		return "ranking"
	case c.labels.Groups != nil:
		return "group"
	}
	return "query"
}

// stdErr is the standard error of the error of one λ over the units that Options says.
func (c *collector) stdErr(units []metric.Term, l int, e, den float64) (metric.Value, metric.Over) {
	switch a := c.o.Across; {
	case a == nil:
		return ratio.Error(units)
	case a.Of == nil:
		v, _ := ratio.Error(units)
		return v, metric.Over{}
	case a.Alone:
		return ratio.CrossedError(metric.Term{Num: e * den, Den: den}, c.across[l]), metric.Over{}
	}
	return ratio.CrossedError(metric.Term{Num: e * den, Den: den}, units, c.across[l]), metric.Over{}
}

// clusters are the independent units: a term for each query of each list, in order, or with ByQuery for each query.
// Queries that a group connects are one unit.
func (c *collector) clusters(units []metric.Term) []metric.Term {
	by := c.labels.Queries
	switch connected := c.labels.Groups != nil && by.Len() > 1; {
	case connected:
		by = c.labels.Blocks()
	case !c.o.ByQuery:
		return units
	}
	queries, of, next := c.labels.Queries.Of(), by.Of(), 0
	sums, seen := make([]metric.Term, by.Len()), make([]int, c.labels.Queries.Len())
	for g, rows := range c.lists {
		for _, i := range rows {
			q := queries[i]
			if seen[q] == g+1 {
				continue
			}
			seen[q] = g + 1
			sums[of[i]].Num += units[next].Num
			sums[of[i]].Den += units[next].Den
			next++
		}
	}
	return sums
}
