package metric

import (
	"fmt"
	"slices"
	"strings"
)

// rank fills order and ends: the rows by descending score, and where each group
// of tied scores ends. A style that orders ties has groups of one.
func (e *Evaluator) rank(f []float64) error {
	m := len(f)
	e.order = grown(e.order, m)
	if !e.sorter.ArgsortTo(e.order, f) {
		return nanScore(f)
	}
	slices.Reverse(e.order)
	e.ends = e.ends[:0]
	for t := 0; t < m; {
		end := t + 1
		for end < m && f[e.order[end]] == f[e.order[t]] {
			end++
		}
		if e.convention.ties == averaged {
			e.ends = append(e.ends, int32(end))
		} else {
			if err := e.breakTie(e.order[t:end]); err != nil {
				return err
			}
			for q := t + 1; q <= end; q++ {
				e.ends = append(e.ends, int32(q))
			}
		}
		t = end
	}
	return nil
}

// breakTie orders rows of equal score as the style does.
func (e *Evaluator) breakTie(rows []int32) error {
	if len(rows) < 2 {
		return nil
	}
	if e.convention.ties == asWritten {
		slices.Sort(rows)
		return nil
	}
	ids := e.query.DocIDs
	if ids == nil {
		return &RowError{Row: int(slices.Min(rows)),
			Problem: fmt.Sprintf("score is tied with that of another row: style %s orders ties by document id, and there are "+
				"no ids", e.convention.name)}
	}
	slices.SortFunc(rows, func(a, b int32) int { return strings.Compare(ids[b], ids[a]) })
	for q := 1; q < len(rows); q++ {
		if ids[rows[q]] == ids[rows[q-1]] {
			return &RowError{Row: int(max(rows[q], rows[q-1])), Problem: fmt.Sprintf("document %q is in the list twice",
				ids[rows[q]])}
		}
	}
	return nil
}

// positionTerm is metric j, one of those that look at positions.
func (e *Evaluator) positionTerm(j int, m Metric) Term {
	r := m.row()
	if e.lacks(r.needs) {
		return e.empty()
	}
	return Term{r.position(e, j, m), 1}
}

// lacks reports whether a query has nothing that a metric of positions could find.
func (e *Evaluator) lacks(n needs) bool {
	switch {
	case n.gain:
		return len(e.best) == 0 || e.best[0] == 0
	case n.stop:
		return !e.stopping
	}
	return e.total == 0
}

// gainAt is metric j, NDCG of the first positions.
func (e *Evaluator) gainAt(j int, m Metric) float64 {
	if e.convention.shortNDCG && len(e.order) < m.k {
		return 0
	}
	return min(e.dcg(m.k)/e.idealAt[j], 1) // at most 1 except for rounding
}

// empty is a query without a relevant document.
func (e *Evaluator) empty() Term {
	if e.convention.countEmpty {
		return Term{0, 1}
	}
	return Term{}
}

// setGains computes the gains of the query's documents, sorts those of the
// ideal order, and takes the ideal DCG of every metric.
func (e *Evaluator) setGains() error {
	y, rest := e.query.Labels, e.query.Unretrieved
	e.gains = grown(e.gains, len(y))
	e.best = grown(e.best, len(y)+len(rest))
	for i, v := range y {
		g, err := e.convention.gain(v)
		if err != nil {
			return &RowError{Row: i, Problem: err.Error()}
		}
		e.gains[i] = g
	}
	copy(e.best, e.gains)
	for i, v := range rest {
		g, err := e.convention.gain(v)
		if err != nil {
			return fmt.Errorf("unretrieved document: %w", err)
		}
		e.best[len(y)+i] = g
	}
	slices.Sort(e.best)
	slices.Reverse(e.best)
	e.growDiscounts(len(e.best))
	for j, m := range e.metrics {
		if m.row().needs.gain {
			e.idealAt[j] = e.ideal(m.k)
		}
	}
	return nil
}

// growDiscounts extends the tables of discounts to m positions.
func (e *Evaluator) growDiscounts(m int) {
	if len(e.sums) == 0 {
		e.sums = append(e.sums, 0)
	}
	for i := len(e.discounts) + 1; i <= m; i++ {
		d := e.convention.discount(i)
		e.discounts = append(e.discounts, d)
		e.sums = append(e.sums, e.sums[i-1]+d)
	}
}

// ideal is the DCG of the best order of all documents, up to position k (0:
// all).
func (e *Evaluator) ideal(k int) (dcg float64) {
	if k == 0 || k > len(e.best) {
		k = len(e.best)
	}
	for i, g := range e.best[:k] {
		if g == 0 {
			break
		}
		dcg += g * e.discounts[i]
	}
	return dcg
}

// dcg is the discounted cumulative gain of the first k positions (0: all). In a
// tie group every document is at every position of the group equally often, so
// each of those positions has the group's mean gain.
func (e *Evaluator) dcg(k int) (dcg float64) {
	if k == 0 || k > len(e.order) {
		k = len(e.order)
	}
	t := 0
	for _, end := range e.ends {
		if t >= k {
			break
		}
		if int(end) == t+1 {
			dcg += e.gains[e.order[t]] * e.discounts[t]
			t++
			continue
		}
		sum := 0.0
		for _, i := range e.order[t:end] {
			sum += e.gains[i]
		}
		dcg += sum / float64(int(end)-t) * (e.sums[min(int(end), k)] - e.sums[t])
		t = int(end)
	}
	return dcg
}

// meanNDCG is the mean of NDCG@1 … NDCG@m of an order without ties.
func (e *Evaluator) meanNDCG() float64 {
	dcg, ideal, sum := 0.0, 0.0, 0.0
	for t, i := range e.order {
		dcg += e.gains[i] * e.discounts[t]
		ideal += e.best[t] * e.discounts[t]
		sum += dcg / ideal
	}
	return sum / float64(len(e.order))
}

// groupRelevant counts the relevant rows among positions t+1 … end.
func (e *Evaluator) groupRelevant(t, end int) (r int) {
	for _, i := range e.order[t:end] {
		if e.relevant[i] {
			r++
		}
	}
	return r
}

// relevantWithin is the expected number of relevant documents among the first k
// positions: a group of n with r relevant ones that the cut goes through gives
// each position inside r/n.
func (e *Evaluator) relevantWithin(k int) (found float64) {
	t := 0
	for _, end := range e.ends {
		if t >= k {
			break
		}
		r := float64(e.groupRelevant(t, int(end)))
		if int(end) > k {
			r *= float64(k-t) / float64(int(end)-t)
		}
		found += r
		t = int(end)
	}
	return found
}

// averagePrecision is the expected sum, over relevant documents in the list, of
// the precision at their position, divided by the number of all relevant ones.
// In a group of n behind t documents, a of them relevant, the position t+j holds
// a relevant document with probability r/n, and given that, the j−1 positions
// before it hold (j−1)(r−1)/(n−1) others on average:
//
//	Σ_{j=1..n} (r/n) (a + 1 + (j−1)(r−1)/(n−1)) / (t+j).
func (e *Evaluator) averagePrecision() float64 {
	sum := 0.0
	t, a := 0, 0
	for _, last := range e.ends {
		if a == e.rows {
			break
		}
		end := int(last)
		n, r := end-t, e.groupRelevant(t, end)
		if r > 0 {
			others := 0.0
			if n > 1 {
				others = float64(r-1) / float64(n-1)
			}
			share := 0.0
			for j := 1; j <= n; j++ {
				share += (float64(a+1) + float64(j-1)*others) / float64(t+j)
			}
			sum += float64(r) / float64(n) * share
		}
		a += r
		t = end
	}
	return sum / float64(e.total)
}

// reciprocalRank is the expected reciprocal position of the first relevant
// document. It is in the first group, of n behind t documents, that has r > 0
// relevant ones; it is at t+j with probability p_j,
//
//	p_1 = r/n,  p_{j+1} = p_j (n−r−j+1)/(n−j),  j ≤ n−r+1.
func (e *Evaluator) reciprocalRank() float64 {
	t := 0
	for _, last := range e.ends {
		end := int(last)
		n, r := end-t, e.groupRelevant(t, end)
		if r == 0 {
			t = end
			continue
		}
		sum, p := 0.0, float64(r)/float64(n)
		for j := 1; j <= n-r+1; j++ {
			sum += p / float64(t+j)
			p *= float64(n-r-j+1) / float64(n-j)
		}
		return sum
	}
	return 0
}
