package holdout

import (
	"errors"
	"sync"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/pick"
	"pairrank/pref"
)

// collector turns predictions into terms of the metrics, list by list.
type collector struct {
	labels  Labels
	o       Options
	lists   [][]int32 // rows that are ranked apart from others
	metrics []metric.Metric
	// terms of list g: for each λ, each query of the list, each metric.
	terms   [][]metric.Term
	pooled  [][]metric.Term // of list g: for each λ, each output; with Options.Pooled
	working []*evaluation   // of the lists in work
	edges   [][]pref.Edge   // of each list, where preferences count
	rarer   []int           // of each output of a single list; see Labels.rarer
	across  [][]metric.Term // of each λ, by unit, with Options.Across
	pairs   []int64         // of each output, where rows have weights; else the terms count them
	pool    sync.Pool       // *evaluation

	mu    sync.Mutex
	err   error // of the first list that has one
	wrong int   // that list
}

func newCollector(labels Labels, o Options, splits *Splits, metrics []metric.Metric) *collector {
	lists := splits.lists(labels.Queries)
	n := len(lists)
	c := &collector{labels: labels, o: o, lists: lists, metrics: metrics, edges: edgesWithin(lists, labels),
		terms: make([][]metric.Term, n), pooled: make([][]metric.Term, n), working: make([]*evaluation, n)}
	if o.Across != nil {
		c.across = make([][]metric.Term, len(o.Candidates))
		for l := range c.across {
			c.across[l] = make([]metric.Term, o.Across.N)
		}
	}
	if labels.Weights != nil {
		c.pairs = c.pairsWithin()
	}
	c.pool.New = func() any { return &evaluation{} }
	c.rarer = make([]int, labels.outputs())
	for k := range c.rarer {
		if labels.Queries.Len() == 1 && labels.Edges == nil {
			c.rarer[k] = labels.rarer(k)
		}
	}
	for g := range lists {
		if !splits.wanted(g) {
			c.terms[g] = make([]metric.Term, len(o.Candidates)*c.queries(g)*labels.outputs()*len(metrics))
		}
	}
	return c
}

// queries counts the queries of list g.
func (c *collector) queries(g int) int {
	seen := map[int32]bool{}
	for _, i := range c.lists[g] {
		seen[c.labels.Queries.Of()[i]] = true
	}
	return len(seen)
}

// progress returns a function that counts finished test sets. within is how many sets a predictor has done of those
// that it emits next; from then on thousandths of sets are counted. It returns nil where Options.Progress is nil.
func (c *collector) progress(splits *Splits) func(sets int, within float64) {
	if c.o.Progress == nil {
		return nil
	}
	var mu sync.Mutex
	done, parts, told := 0, 1, 0
	for g := range splits.Len() {
		if !splits.wanted(g) {
			done++
		}
	}
	return func(sets int, within float64) {
		mu.Lock()
		defer mu.Unlock()
		if done += sets; within > 0 {
			parts = 1000
		}
		told = max(told, done*parts+int(within*float64(parts)))
		c.o.Progress(told, splits.Len()*parts)
	}
}

// emit takes in the predictions of one list for one λ.
func (c *collector) emit(g, l int, held Held) {
	if c.labels.Edges != nil {
		c.compare(g, l, held)
	} else if err := c.evaluate(g, l, held); err != nil {
		c.mu.Lock()
		if c.err == nil || g < c.wrong {
			c.err, c.wrong = err, g
		}
		c.mu.Unlock()
	}
}

// evaluate computes the metrics of the queries of a list for one λ. The first λ takes an evaluation
// from the pool, which keeps the labels; the last λ returns it.
func (c *collector) evaluate(g, l int, held Held) error {
	j := c.working[g]
	if l == 0 {
		j = c.pool.Get().(*evaluation)
		if err := j.take(c, c.lists[g]); err != nil {
			return c.o.aboutMetric(err)
		}
		c.working[g] = j
		c.terms[g] = make([]metric.Term, len(c.o.Candidates)*j.n*len(c.metrics))
		c.pooled[g] = make([]metric.Term, len(c.o.Candidates)*len(j.whole))
	}
	if j == nil {
		return nil // refused at the first λ
	}
	size := j.n * len(c.metrics)
	var each func(l list, scores []float64)
	if a := c.o.Across; a != nil && a.Of != nil {
		each = func(list list, scores []float64) {
			rows := make([]int32, len(list.at))
			for b, at := range list.at {
				rows[b] = c.lists[g][at]
			}
			c.addAcross(l, rows, list.y, scores)
		}
	}
	err := j.termsTo(c.terms[g][l*size:(l+1)*size], j.lists[:j.n], j.evaluators, held, each)
	if err == nil && c.o.Pooled {
		err = j.termsTo(c.pooled[g][l*j.outputs:(l+1)*j.outputs], j.whole, j.overAll, held, nil)
	}
	if l == len(c.o.Candidates)-1 {
		c.working[g] = nil
		c.pool.Put(j)
	}
	return err
}

// compare counts the preferences within list g that are ordered wrongly, a tie
// counting one half.
func (c *collector) compare(g, l int, held Held) {
	if l == 0 {
		c.terms[g] = make([]metric.Term, len(c.o.Candidates))
	}
	tieLists(held, [][]int{pick.All[int](held.F.Rows)})
	term, f := &c.terms[g][l], held.F
	for _, e := range c.edges[g] {
		term.Den++
		switch a, b := f.Row(e.I)[0], f.Row(e.J)[0]; {
		case a < b:
			term.Num++
		case a == b:
			term.Num += 0.5
		}
	}
}

// edgesWithin returns the preferences within each list, with rows numbered by their places in the
// list.
func edgesWithin(lists [][]int32, labels Labels) [][]pref.Edge {
	if labels.Edges == nil {
		return nil
	}
	within := make([][]pref.Edge, len(lists))
	of, place := make([]int, labels.rows()), make([]int, labels.rows())
	for i := range of {
		of[i] = -1
	}
	for g, rows := range lists {
		for a, i := range rows {
			of[i], place[i] = g, a
		}
	}
	for _, e := range labels.Edges {
		if g := of[e.I]; g >= 0 && g == of[e.J] {
			e.I, e.J = place[e.I], place[e.J]
			within[g] = append(within[g], e)
		}
	}
	return within
}

// estimates are those of each output.
func (c *collector) estimates() ([]*cv.Estimate, error) {
	out := make([]*cv.Estimate, c.labels.outputs())
	for o := range out {
		out[o] = &cv.Estimate{Points: make([]cv.Point, len(c.o.Candidates))}
		for l, lambda := range c.o.Candidates {
			p, err := c.point(o, l)
			if err != nil {
				return nil, err
			}
			p.Candidate = lambda
			out[o].Points[l] = p
		}
		choose(out[o], c.o.Metric)
	}
	return out, nil
}

// point adds up the terms of one output and λ.
func (c *collector) point(output, l int) (cv.Point, error) {
	n, v := len(c.metrics), c.labels.outputs()
	means := make([]metric.Mean, n)
	each := func(f func(terms []metric.Term)) {
		for _, terms := range c.terms {
			lists := len(terms) / (len(c.o.Candidates) * n * v)
			for a := range lists {
				at := ((l*lists+a)*v + output) * n
				f(terms[at : at+n])
			}
		}
	}
	each(func(terms []metric.Term) {
		for k, t := range terms {
			means[k].Add(t)
		}
	})
	if means[0].Den == 0 {
		return cv.Point{}, &NoPairsError{c.o.Method}
	}
	chosen := 0
	if c.o.Metric != nil {
		chosen = n - 1
	}
	p := cv.Point{Error: means[0].Value().Value, Pairs: int64(means[0].Den), Metric: means[chosen].Value()}
	if c.pairs != nil {
		p.Pairs = c.pairs[output]
	}
	for k := range c.o.Also {
		p.Also = append(p.Also, means[1+k].Value())
	}
	if c.o.Pooled {
		p.Pooled = c.pooledError(output, l)
	}
	var units []metric.Term
	each(func(terms []metric.Term) { units = append(units, terms[0]) })
	p.StdErr, p.Over = c.stdErr(c.clusters(units), l, p.Error, means[0].Den)
	if c.o.Across == nil {
		p.Over.Of, p.Over.Rarer = c.unit(), c.rarer[output]
	}
	if c.o.Units {
		each(func(terms []metric.Term) { p.Units = append(p.Units, terms[chosen]) })
	}
	return p, nil
}

// pooledError is the error over all pairs of a group, over all groups.
func (c *collector) pooledError(output, l int) metric.Value {
	var mean metric.Mean
	for _, terms := range c.pooled {
		if len(terms) > 0 {
			mean.Add(terms[l*c.labels.outputs()+output])
		}
	}
	return mean.Value()
}

// evaluation evaluates the queries of one group after another, in its own memory.
type evaluation struct {
	n          int // lists of the group: its queries, for each output
	lists      []list
	evaluators []*metric.Evaluator
	outputs    int
	scores     []float64
	number     map[int32]int       // first list of a query
	whole      []list              // all rows of the group, for each output, where they are pooled
	overAll    []*metric.Evaluator // of these
}

// take cuts a group by query and sorts the labels.
func (j *evaluation) take(c *collector, rows []int32) (err error) {
	if j.number == nil {
		j.number = map[int32]int{}
	}
	clear(j.number)
	j.n, j.outputs = 0, c.labels.outputs()
	v, of := j.outputs, c.labels.Queries.Of()
	for a, i := range rows {
		k, ok := j.number[of[i]]
		if !ok {
			k = j.open(of[i], v)
		}
		for o := range v {
			j.lists[k+o].add(c.labels, i, a, o)
		}
	}
	if j.evaluators, err = setQueries(j.evaluators, c.metrics, c.o.MetricOptions, j.lists[:j.n], rows); err != nil ||
		!c.o.Pooled {
		return err
	}
	j.whole = make([]list, v)
	for o := range v {
		for a, i := range rows {
			j.whole[o].add(c.labels, i, a, o)
		}
	}
	j.overAll, err = setQueries(j.overAll, c.metrics[:1], c.o.MetricOptions, j.whole, rows)
	return err
}

// setQueries gives each list an evaluator with its labels; rows are those of the group.
func setQueries(evaluators []*metric.Evaluator, metrics []metric.Metric, o metric.Options, lists []list,
	rows []int32) ([]*metric.Evaluator, error) {
	for k, l := range lists {
		if k == len(evaluators) {
			e, err := metric.NewEvaluator(metrics, o)
			if err != nil {
				return evaluators, err
			}
			evaluators = append(evaluators, e)
		}
		if err := evaluators[k].SetQuery(metric.Query{Labels: l.y, Censored: l.censored, Weights: l.weights}); err != nil {
			if row, ok := errors.AsType[*metric.RowError](err); ok { // of the data, not of the list
				err = &metric.RowError{Row: int(rows[l.at[row.Row]]), Problem: row.Problem}
			}
			return evaluators, err
		}
	}
	return evaluators, nil
}

// open begins the lists of another query, one for each of v outputs, and returns
// the first.
func (j *evaluation) open(query int32, v int) int {
	first := j.n
	j.number[query] = first
	for range v {
		if j.n == len(j.lists) {
			j.lists = append(j.lists, list{})
		}
		l := &j.lists[j.n]
		l.y, l.censored, l.weights, l.at = l.y[:0], l.censored[:0], l.weights[:0], l.at[:0]
		j.n++
	}
	return first
}

// termsTo writes the metrics of each list for the predictions of the group. each, unless nil, receives the scores of
// each list.
func (j *evaluation) termsTo(dst []metric.Term, lists []list, evaluators []*metric.Evaluator, held Held,
	each func(l list, scores []float64)) error {
	size, most := len(dst)/max(len(lists), 1), held.Rounding.Most()
	for k, l := range lists {
		c, e, terms := k%j.outputs, evaluators[k], dst[k*size:(k+1)*size]
		scores := j.pick(held.F, c, l.at)
		if err := e.TermsTo(terms, scores); err != nil {
			return err
		}
		if e.Closer(scores, 2*most) {
			tieWithin(scores, most, func(a int) float64 { return held.Rounding.At(int(l.at[a]), c) })
			if err := e.TermsTo(terms, scores); err != nil {
				return err
			}
		}
		if l.censored != nil {
			terms[0].Num = terms[0].Den - terms[0].Num // of the c-index
		}
		if each != nil {
			each(l, scores)
		}
	}
	return nil
}

// pick is column c of f at the given rows, ascending: a view where it lies in one
// piece.
func (j *evaluation) pick(f *data.Dense, c int, at []int32) []float64 {
	if f.Stride == 1 && len(at) > 0 && int(at[len(at)-1]-at[0]) == len(at)-1 {
		return f.Data[at[0] : int(at[0])+len(at)]
	}
	j.scores = j.scores[:0]
	for _, a := range at {
		j.scores = append(j.scores, f.Data[int(a)*f.Stride+c])
	}
	return j.scores
}
