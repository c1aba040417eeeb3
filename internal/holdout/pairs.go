package holdout

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/parallel"
	"pairrank/internal/ratio"
	"pairrank/internal/student"
)

// checkPairMetric refuses labels and metrics that pairs of rows do not have.
func checkPairMetric(labels Labels, o Options) error {
	if labels.Edges != nil {
		return fmt.Errorf("leave-pair-out needs labels; with preferences hold out whole queries")
	}
	own := []metric.Metric{metric.Disagreement, metric.PooledDisagreement}
	if labels.Censored != nil {
		own = append(own[:0], metric.CIndex)
	}
	if o.Metric != nil && !slices.Contains(own, *o.Metric) {
		return fault.Optionf("Metric", "%s is of a ranking, and lpo orders one pair at a time: its metric is the %s",
			o.Metric, own[0])
	}
	return nil
}

func leavePairOut(ctx context.Context, path leavesPairsOut, labels Labels, o Options) ([]*cv.Estimate, error) {
	if err := checkPairMetric(labels, o); err != nil {
		return nil, err
	}
	if labels.Censored != nil {
		return starPairs(ctx, path, labels, o)
	}
	if counts, can := path.(countsPairs); can && labels.Queries.Len() == 1 &&
		(labels.rows() >= fewRows || o.Pairs > 0) && (labels.Weights == nil || o.Pairs <= 0) {
		whole := newWholeWeights(labels.Weights)
		if counter := counts.PairCounter(labels.Y, whole.of); counter != nil {
			return countPairs(ctx, counts, counter, whole, labels, o)
		}
	}
	if o.Pairs > 0 {
		return nil, errDrawn
	}
	return everyPair(ctx, path, labels, o)
}

// everyPair estimates from the predictions of all pairs.
func everyPair(ctx context.Context, path leavesPairsOut, labels Labels, o Options) ([]*cv.Estimate, error) {
	estimates := newEstimates(labels, o)
	count := newPairCount(labels)
	count.units = o.Units
	progress := newPairProgress(o, labels.rows(), labels.outputs())
	for l, lambda := range o.Candidates {
		err := count.all(ctx, path, lambda, l, estimates, progress.over(count.take))
		if err == nil {
			err = checkPairs(estimates, l, o.Method)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, e := range estimates {
		choose(e, nil)
	}
	return estimates, nil
}

// leavesStarsOut is a Factored of censored times whose pairs of rows can be left out, for all λ at once.
type leavesStarsOut interface {
	OrderStars(ctx context.Context, lambdas []float64, wanted func(i, j int32) bool,
		emit func(worker, i int, others []int32, apart *data.Dense)) error
}

// starPairs is everyPair of comparable times.
func starPairs(ctx context.Context, path leavesPairsOut, labels Labels, o Options) ([]*cv.Estimate, error) {
	stars, can := path.(leavesStarsOut)
	switch {
	case !can:
		return nil, errors.New("leave-pair-out of censored times needs rows")
	case o.Pairs > 0:
		return nil, errors.New("pairs of censored times are not drawn: all are left out")
	}
	estimates, of := newEstimates(labels, o), labels.Queries.Of()
	counts := make([]*pairCount, len(o.Candidates))
	counts[0] = newPairCount(labels)
	counts[0].units = o.Units
	for l := range counts[1:] {
		counts[1+l] = counts[0].another()
	}
	progress := newPairProgress(o, labels.rows(), 1)
	err := stars.OrderStars(ctx, o.Candidates,
		func(i, j int32) bool { return of[i] == of[j] && labels.order(i, j, 0) != 0 },
		func(worker, i int, others []int32, apart *data.Dense) {
			for a, j := range others {
				takeTimes(counts, labels.order(int32(i), j, 0), worker, i, int(j), apart.Row(a))
			}
			progress.add((labels.rows() - 1 - i) * len(counts))
		})
	if err != nil {
		return nil, err
	}
	sumTimes(counts)
	for l, lambda := range o.Candidates {
		p := counts[l].point(lambda, 0)
		if o.Metric != nil && *o.Metric == metric.CIndex {
			p.Metric.Value = 1 - p.Error
		}
		estimates[0].Points[l] = p
		if err := checkPairs(estimates, l, o.Method); err != nil {
			return nil, err
		}
	}
	choose(estimates[0], o.Metric)
	return estimates, nil
}

// takeTimes is take of a pair of censored times, of which row i is above or below row j, for each λ. The counts are
// changes since the λ before, since few pairs change; sumTimes adds them up.
func takeTimes(counts []*pairCount, above int64, worker, i, j int, apart []float64) {
	pair, before := counts[0].weights.pair(i, j), int64(0)
	rows := counts[0].workers[worker]
	rows[i].pairs += pair
	rows[j].pairs += pair
	for l, d := range apart {
		if wrong := 1 - above*sign(d, 0); wrong != before {
			rows := counts[l].workers[worker]
			rows[i].halves += (wrong - before) * pair
			rows[j].halves += (wrong - before) * pair
			before = wrong
		}
	}
}

// sumTimes makes the counts of takeTimes those of each λ.
func sumTimes(counts []*pairCount) {
	for l := range counts[1:] {
		for worker, rows := range counts[l].workers {
			for i, r := range rows {
				next := &counts[l+1].workers[worker][i]
				next.halves, next.pairs = next.halves+r.halves, r.pairs
			}
		}
	}
}

// newEstimates are those of each output, without their points.
func newEstimates(labels Labels, o Options) []*cv.Estimate {
	estimates := make([]*cv.Estimate, labels.outputs())
	for c := range estimates {
		estimates[c] = &cv.Estimate{Points: make([]cv.Point, len(o.Candidates))}
	}
	return estimates
}

// all sets the points of one λ from the predictions of all pairs; take counts each pair.
func (n *pairCount) all(ctx context.Context, path leavesPairsOut, lambda float64, l int, estimates []*cv.Estimate,
	take func(worker, i, c int, fi, fj []float64)) error {
	n.clear()
	if err := path.OrderPairs(ctx, lambda, take); err != nil {
		return err
	}
	for c, e := range estimates {
		e.Points[l] = n.point(lambda, c)
	}
	return nil
}

// errDrawn is the error where pairs cannot be drawn.
var errDrawn = errors.New("drawing pairs needs a single list of eight rows or more, from which any pair can be left " +
	"out")

// pairCount counts, for each output and row, the pairs that the row is in and the halves of them
// that are ordered wrongly. Each worker has separate counts; they are integers, so that their sum
// is the same in any order.
type pairCount struct {
	y       [][]float64 // labels of each output
	rarer   []int       // of each output; see Labels.rarer
	query   []int32     // of each row: pairs are within a query
	units   bool        // points have Units
	workers [][]rowPairs
	weights *fixedWeights // of the rows; nil where each is 1
	count   []int64       // the pairs of each output, where weights count them
}

// rowPairs are the pairs of one row of one output, or their weights in the unit of fixedWeights.
type rowPairs struct{ halves, pairs int64 }

func (r *rowPairs) add(halves, pair int64) {
	r.halves += halves * pair
	r.pairs += pair
}

func newPairCount(labels Labels) *pairCount {
	n := &pairCount{query: labels.Queries.Of(), y: make([][]float64, labels.outputs()),
		workers: make([][]rowPairs, parallel.Workers())}
	n.rarer = make([]int, len(n.y))
	for c := range n.y {
		n.y[c] = labels.column(c)
		n.rarer[c] = labels.rarer(c)
		if labels.Weights != nil {
			n.count = append(n.count, CountPairs(n.y[c], labels.Censored, labels.Queries))
		}
	}
	n.weights = newFixedWeights(labels.Weights)
	return n.another()
}

// another counts the same pairs from none on.
func (n *pairCount) another() *pairCount {
	of := *n
	of.workers = make([][]rowPairs, len(n.workers))
	for w := range of.workers {
		of.workers[w] = make([]rowPairs, len(n.y)*len(n.y[0]))
	}
	return &of
}

func (n *pairCount) clear() {
	for _, w := range n.workers {
		clear(w)
	}
}

// take receives what rls.Path.OrderPairs emits: row i and all rows after it. It has no branch on labels or scores,
// whose orders no processor guesses.
func (n *pairCount) take(worker, i, c int, fi, fj []float64) {
	if n.weights != nil {
		n.takeWeighted(worker, i, c, fi, fj)
		return
	}
	y, of := n.y[c], n.query[i]
	rows := n.workers[worker][c*len(y) : (c+1)*len(y)]
	yi, after, others := y[i], y[i+1:][:len(fi)], rows[i+1:][:len(fi)]
	queries, fj := n.query[i+1:][:len(fi)], fj[:len(fi)]
	var own rowPairs
	for b, f := range fi {
		if queries[b] != of {
			continue
		}
		label := sign(yi, after[b])
		pair := label * label
		wrong := pair - label*sign(f, fj[b])
		own.halves += wrong
		own.pairs += pair
		others[b].halves += wrong
		others[b].pairs += pair
	}
	rows[i].halves += own.halves
	rows[i].pairs += own.pairs
}

// sign is 1 where the first number is the greater, −1 where the second is, else 0.
func sign(first, second float64) int64 {
	greater, less := int64(0), int64(0)
	if first > second {
		greater = 1
	}
	if first < second {
		less = 1
	}
	return greater - less
}

// halves is 0 where the first score is the greater, 2 where the second is, 1 for a tie.
func halves(first, second float64) int64 { return 1 - sign(first, second) }

// point is the estimate for output c; each pair is in the counts of two rows.
func (n *pairCount) point(lambda float64, c int) cv.Point {
	m := len(n.y[c])
	rows := make([]rowPairs, m)
	var total rowPairs
	for _, w := range n.workers {
		for i, r := range w[c*m : (c+1)*m] {
			rows[i].halves += r.halves
			rows[i].pairs += r.pairs
			total.halves += r.halves
			total.pairs += r.pairs
		}
	}
	p := cv.Point{Candidate: lambda, Pairs: total.pairs / 2}
	if total.pairs == 0 {
		return p
	}
	if n.weights != nil {
		p.Pairs = n.count[c]
	}
	p.Error = float64(total.halves) / 2 / float64(total.pairs)
	p.Metric = metric.Value{Value: p.Error, Defined: true}
	sum, over := 0.0, metric.Over{Of: "row", Rarer: n.rarer[c]}
	var effective student.Effective
	for _, r := range rows {
		d := float64(r.halves)/2 - p.Error*float64(r.pairs)
		sum += d * d
		if r.pairs > 0 {
			over.N++
		}
		effective.Add(float64(r.pairs))
	}
	if n.weights != nil {
		over.Effective = effective.Rows()
	}
	setRows(&p, sum, float64(total.pairs/2), over)
	if n.units {
		p.Units = make([]metric.Term, m)
		for i, r := range rows {
			p.Units[i] = metric.Term{Num: n.weights.value(r.halves) / 2, Den: n.weights.value(r.pairs)}
		}
	}
	return p
}

// setRows sets the standard error of leave-pair-out from Σ_i (h_i − e d_i)² over rows or groups with pairs, of which
// there are so many, or with that weight. It is
// undefined over few of them, or of the rarer of two labels, and where that sum is no more than the drawing adds.
func setRows(p *cv.Point, sum, pairs float64, over metric.Over) {
	if p.Over = over; !ratio.Few(over) {
		p.StdErr = ratio.StandardError(sum/pairs/pairs, over.N)
	}
}

// rarer counts the rows, or groups, of the rarer of two labels of an output; 0 where there are other than two, and of
// times. Rows with weights count by the effective ones.
func (l Labels) rarer(output int) int {
	if l.Censored != nil {
		return 0
	}
	type label struct {
		y         float64
		n         int
		effective student.Effective
	}
	var found []label
	seen := map[[2]int]bool{} // groups by label
	for i := range l.rows() {
		y := l.Y[i*l.outputs()+output]
		at := slices.IndexFunc(found, func(f label) bool { return f.y == y })
		if at < 0 {
			if at = len(found); at == 2 {
				return 0
			}
			found = append(found, label{y: y})
		}
		if l.Weights != nil {
			found[at].effective.Add(l.Weights[i])
		}
		if l.Groups != nil {
			key := [2]int{at, int(l.Groups.Of()[i])}
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		found[at].n++
	}
	if len(found) < 2 {
		return 0
	}
	if l.Weights != nil && l.Groups == nil {
		return student.Whole(min(found[0].effective.Rows(), found[1].effective.Rows()))
	}
	return min(found[0].n, found[1].n)
}
