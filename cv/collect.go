package cv

import (
	"sync"

	"pairrank/data"
	"pairrank/metric"
	"pairrank/pref"
)

// collector turns predictions into terms of the metrics, group by group.
type collector struct {
	labels  Labels
	o       Options
	groups  *pref.Partition
	metrics []metric.Metric
	// terms of group g: for each λ, each query of the group, each metric.
	terms  [][]metric.Term
	judges []*judge      // of the groups in work
	edges  [][]pref.Edge // of each group, where preferences count
	pool   sync.Pool     // *judge

	mu   sync.Mutex
	done int
	err  error
}

func newCollector(labels Labels, o Options, groups *pref.Partition, metrics []metric.Metric) *collector {
	c := &collector{labels: labels, o: o, metrics: metrics}
	c.pool.New = func() any { return &judge{} }
	c.regroup(groups)
	return c
}

// regroup begins anew with other groups.
func (c *collector) regroup(groups *pref.Partition) {
	c.groups, c.edges = groups, edgesWithin(groups, c.labels.Edges)
	c.terms = make([][]metric.Term, groups.Len())
	c.judges = make([]*judge, groups.Len())
}

// emit takes in the predictions of one group for one λ.
func (c *collector) emit(g, l int, f *data.Dense) {
	if c.labels.Edges != nil {
		c.compare(g, l, f)
	} else if err := c.judge(g, l, f); err != nil {
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
	}
	if l < len(c.o.Lambdas)-1 {
		return
	}
	c.mu.Lock()
	c.done++
	if c.o.Progress != nil {
		c.o.Progress(c.done, c.groups.Len())
	}
	c.mu.Unlock()
}

// judge evaluates the queries of a group for one λ. The first λ takes a judge
// that keeps their labels, the last gives it back.
func (c *collector) judge(g, l int, f *data.Dense) error {
	j := c.judges[g]
	if l == 0 {
		j = c.pool.Get().(*judge)
		c.judges[g] = j
		if err := j.take(c, c.groups.Part(g)); err != nil {
			return err
		}
		c.terms[g] = make([]metric.Term, len(c.o.Lambdas)*j.n*len(c.metrics))
	}
	size := j.n * len(c.metrics)
	err := j.termsTo(c.terms[g][l*size:(l+1)*size], f)
	if l == len(c.o.Lambdas)-1 {
		c.judges[g] = nil
		c.pool.Put(j)
	}
	return err
}

// compare counts the preferences within group g that f orders wrongly, a tie
// counting one half.
func (c *collector) compare(g, l int, f *data.Dense) {
	if l == 0 {
		c.terms[g] = make([]metric.Term, len(c.o.Lambdas))
	}
	term := &c.terms[g][l]
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

// edgesWithin are the preferences within each group, by places in the group.
func edgesWithin(groups *pref.Partition, edges []pref.Edge) [][]pref.Edge {
	if edges == nil {
		return nil
	}
	within := make([][]pref.Edge, groups.Len())
	of := groups.Of()
	place := make([]int, len(of))
	for g := range groups.Len() {
		for a, i := range groups.Part(g) {
			place[i] = a
		}
	}
	for _, e := range edges {
		if g := of[e.I]; g == of[e.J] {
			e.I, e.J = place[e.I], place[e.J]
			within[g] = append(within[g], e)
		}
	}
	return within
}

// judge evaluates the queries of one group after another, in its own memory.
type judge struct {
	n          int // queries of the group
	lists      []list
	evaluators []*metric.Evaluator
	scores     []float64
	number     map[int32]int // list of a query
}

// list is rows of one query within a group: their labels, and their places in
// the group's predictions.
type list struct {
	y  []float64
	at []int32
}

// take cuts a group by query and sorts the labels.
func (j *judge) take(c *collector, rows []int32) error {
	if j.number == nil {
		j.number = map[int32]int{}
	}
	clear(j.number)
	j.n = 0
	of := c.labels.Queries.Of()
	for a, i := range rows {
		k, ok := j.number[of[i]]
		if !ok {
			k = j.open(of[i])
		}
		j.lists[k].y = append(j.lists[k].y, c.labels.Y[i])
		j.lists[k].at = append(j.lists[k].at, int32(a))
	}
	for k := range j.n {
		if k == len(j.evaluators) {
			e, err := metric.NewEvaluator(c.metrics, c.o.MetricOptions)
			if err != nil {
				return err
			}
			j.evaluators = append(j.evaluators, e)
		}
		if err := j.evaluators[k].SetQuery(metric.Query{Labels: j.lists[k].y}); err != nil {
			return err
		}
	}
	return nil
}

// open begins the list of another query.
func (j *judge) open(query int32) int {
	if j.n == len(j.lists) {
		j.lists = append(j.lists, list{})
	}
	l := &j.lists[j.n]
	l.y, l.at = l.y[:0], l.at[:0]
	j.number[query] = j.n
	j.n++
	return j.n - 1
}

// termsTo writes the metrics of each query for predictions f of the group.
func (j *judge) termsTo(dst []metric.Term, f *data.Dense) error {
	size := len(dst) / max(j.n, 1)
	for k, l := range j.lists[:j.n] {
		j.scores = j.scores[:0]
		for _, a := range l.at {
			j.scores = append(j.scores, f.Data[int(a)*f.Stride])
		}
		if err := j.evaluators[k].TermsTo(dst[k*size:(k+1)*size], j.scores); err != nil {
			return err
		}
	}
	return nil
}
