package compare

import (
	"fmt"
	"slices"

	"pairrank/eval/metric"
	"pairrank/internal/pick"
	"pairrank/internal/spell"
)

// Level is the level of significance of the letters of All: 5 %.
const Level = 0.05

// Comparisons is the result of comparing every two of several rankings.
type Comparisons struct {
	Pairs     []Pair     // of rankings 0 and 1, 0 and 2 and so on, the smaller number first
	Standings []Standing // in the order of the metrics
	Warnings  []string   // sentences for people
}

// Pair is two rankings, by their numbers, and every metric under them. The corrected p-values are
// Holm's over all pairs and metrics.
type Pair struct {
	A, B    int
	Results []Result
}

// Standing is one metric of every ranking.
type Standing struct {
	Metric    metric.Metric
	Means     []metric.Value // of each ranking, over the queries compared
	Groups    [][]int        // of each ranking, the letters of the display, from 0
	Queries   int            // compared: those with a value under all rankings
	Undefined int            // left out
}

// All compares, metric by metric, every two of k evaluations of rankings of the same data, over the
// queries that have a value under all of them. Each pair has the results of Reports. The corrected
// p-values are Holm's over all pairs and metrics, so that the family-wise error rate is at most
// Level. The intervals are not corrected.
//
// The groups are a compact letter display: two rankings share a letter of a metric unless the
// corrected sign-flip test rejects their equality at Level. The algorithm inserts one pair that
// differs after the other, splits every letter that has both, and absorbs letters that others
// contain (Piepho, An algorithm for a letter-based representation of all-pairwise comparisons,
// Journal of Computational and Graphical Statistics 13, 2004). Letters are in the order of the best
// ranking that has them. The cost is k(k−1)/2 times that of Reports, except for the random words,
// which are generated once.
//
// It returns an error for a metric that pools the pairs of all queries. It panics unless there are two
// evaluations or more, of the same metrics and queries.
func All(reports []*metric.Report, opts Options) (*Comparisons, error) {
	if len(reports) < 2 {
		panic("compare: fewer than two rankings")
	}
	for _, r := range reports[1:] {
		checkPaired(reports[0], r)
	}
	for _, res := range reports[0].Results {
		if pools(res.Metric, reports[0]) {
			return nil, pooled(res.Metric)
		}
	}
	values := complete(reports)
	c := &Comparisons{}
	var results []Result
	var samples []*sample
	for a := range reports {
		for b := a + 1; b < len(reports); b++ {
			c.Pairs = append(c.Pairs, Pair{A: a, B: b})
			for j, res := range reports[0].Results {
				result, s := compareMetric(res.Metric, values[a], values[b], j, opts)
				results, samples = append(results, result), append(samples, s)
			}
		}
	}
	finish(results, samples, opts)
	var told spell.Once
	n := len(reports[0].Results)
	for k := range c.Pairs {
		p := &c.Pairs[k]
		p.Results = results[k*n : (k+1)*n : (k+1)*n]
		for j := range p.Results {
			p.Results[j].warn(&told, fmt.Sprintf("%s of %s and %s", p.Results[j].Metric, spell.Letter(p.A),
				spell.Letter(p.B)))
		}
	}
	c.Warnings = told.Sentences()
	c.warnDraws(len(results), draws(opts.Resamples))
	for j := range n {
		c.Standings = append(c.Standings, c.standing(values, j))
	}
	return c, nil
}

// warnDraws warns where too few patterns of signs are drawn for any pair to be significant.
func (c *Comparisons) warnDraws(comparisons, resamples int) {
	least := float64(comparisons) / float64(1+resamples) // of a corrected p-value
	for _, p := range c.Pairs {
		for _, r := range p.Results {
			if !r.Flips.Exact && least > Level {
				c.Warnings = append(c.Warnings, fmt.Sprintf(
					"with %d comparisons and %d patterns of signs the least p-value after Holm's correction is %.2g: "+
						"no difference can be significant with fewer than %d resamples",
					comparisons, resamples, min(1, least), int(float64(comparisons)/Level)))
				return
			}
		}
	}
}

// pooled is the error of a metric that has no value for each query.
func pooled(m metric.Metric) error {
	return fmt.Errorf("%s pools the pairs of all queries, and a comparison needs a value of each query", m)
}

// finish finds the intervals of results, and Holm's correction over all of them.
func finish(results []Result, samples []*sample, opts Options) {
	addIntervals(results, samples, opts)
	wilcoxon, flips := make([]float64, len(results)), make([]float64, len(results))
	for j, res := range results {
		wilcoxon[j], flips[j] = res.Wilcoxon.P, res.Flips.P
	}
	wilcoxon, flips = Holm(wilcoxon), Holm(flips)
	for j := range results {
		results[j].WilcoxonHolm, results[j].FlipsHolm = wilcoxon[j], flips[j]
	}
}

// complete are the values of every query under each ranking, undefined where one ranking has none.
func complete(reports []*metric.Report) [][]metric.QueryValues {
	values := make([][]metric.QueryValues, len(reports))
	for k, r := range reports {
		for g, q := range r.PerQuery {
			own := slices.Clone(q.Values)
			for j := range own {
				for _, other := range reports {
					own[j].Defined = own[j].Defined && other.PerQuery[g].Values[j].Defined
				}
			}
			values[k] = append(values[k], metric.QueryValues{ID: q.ID, Values: own})
		}
	}
	return values
}

// standing is metric number j of every ranking.
func (c *Comparisons) standing(values [][]metric.QueryValues, j int) Standing {
	s := Standing{Metric: c.Pairs[0].Results[j].Metric, Means: make([]metric.Value, len(values))}
	s.Queries, s.Undefined = c.Pairs[0].Results[j].Queries, c.Pairs[0].Results[j].Undefined
	differ := make([][2]int, 0, len(c.Pairs))
	for _, p := range c.Pairs {
		s.Means[p.A], s.Means[p.B] = p.Results[j].A, p.Results[j].B
		if p.Results[j].FlipsHolm <= Level {
			differ = append(differ, [2]int{p.A, p.B})
		}
	}
	s.group(differ)
	return s
}

// group sets the letters of rankings, some of which differ.
func (s *Standing) group(differ [][2]int) {
	order := pick.All[int](len(s.Means)) // the best first
	slices.SortStableFunc(order, func(a, b int) int { return better(s.Means[a], s.Means[b], s.Metric) })
	s.Groups = letters(order, differ)
}

// GroupLists sets the letters of metrics over a single list, where no test over queries says anything: those of the AUC
// and the disagreement by DeLong's tests with Holm's correction, and none of other metrics, and where areas is nil.
func (c *Comparisons) GroupLists(areas []AreaDifference) {
	var differ [][2]int
	for _, d := range areas {
		if d.PHolm.Defined && d.PHolm.Value <= Level {
			differ = append(differ, [2]int{d.A, d.B})
		}
	}
	for j := range c.Standings {
		switch s := &c.Standings[j]; {
		case s.Queries > 1:
		case areas != nil && (s.Metric == metric.AUC || s.Metric == metric.Disagreement):
			s.group(differ)
		default:
			s.Groups = make([][]int, len(s.Means))
		}
	}
}

// better is negative where a is the better mean.
func better(a, b metric.Value, m metric.Metric) int {
	switch {
	case a.Value == b.Value || !a.Defined:
		return 0
	case a.Value > b.Value != m.Loss():
		return -1
	}
	return 1
}

// letters returns the groups of each of k rankings, in order with the best first: two rankings
// share a group unless differ lists them.
func letters(order []int, differ [][2]int) [][]int {
	k := len(order)
	all := make([]bool, k)
	for i := range all {
		all[i] = true
	}
	groups := [][]bool{all}
	for _, pair := range differ {
		var next [][]bool
		for _, g := range groups {
			if !g[pair[0]] || !g[pair[1]] {
				next = append(next, g)
				continue
			}
			for _, out := range pair {
				without := slices.Clone(g)
				without[out] = false
				next = append(next, without)
			}
		}
		groups = absorbed(next)
	}
	slices.SortStableFunc(groups, func(a, b []bool) int {
		for _, i := range order {
			if a[i] != b[i] {
				if a[i] {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	of := make([][]int, k)
	for letter, g := range groups {
		for i, in := range g {
			if in {
				of[i] = append(of[i], letter)
			}
		}
	}
	return of
}

// absorbed returns the groups that no other group contains, and one of several equal groups.
func absorbed(groups [][]bool) (kept [][]bool) {
	holds := func(a, b []bool) bool {
		for i := range b {
			if b[i] && !a[i] {
				return false
			}
		}
		return true
	}
	for x, g := range groups {
		held := false
		for y, other := range groups {
			held = held || x != y && holds(other, g) && (y < x || !holds(g, other))
		}
		if !held {
			kept = append(kept, g)
		}
	}
	return kept
}
