package metric

import "pairrank/internal/ostat"

// timed counts pairs of censored times, in memory that is reused.
type timed struct {
	ostat.Censored
	each   []ostat.TimedPairs // of the rows
	within struct {           // a unit of several rows
		ostat.Censored
		times, scores, weights []float64
		censored               []bool
	}
}

// timing is which pairs a metric of times counts.
func (m Metric) timing() ostat.Timing {
	until, _ := m.Horizon()
	return ostat.Timing{Weighing: m.row().times, Until: until}
}

func timedTerm(p ostat.TimedPairs) Term { return Term{Num: p.Right, Den: p.Pairs} }

// unitTerms sets the terms of the pairs that each unit is in, a metric after the other: those of its rows, of which the
// pairs within it are in two.
func (e *Evaluator) unitTerms(dst []Term, f []float64) {
	t, units := &e.timed, e.query.Units
	t.each = grown(t.each, len(f))
	for j, m := range e.metrics {
		t.EachTo(t.each, m.timing())
		for u := range units.Len() {
			d := &dst[u*len(e.metrics)+j]
			*d = Term{}
			for _, i := range units.Part(u) {
				d.Num, d.Den = d.Num+t.each[i].Right, d.Den+t.each[i].Pairs
			}
		}
	}
	for u := range units.Len() {
		rows := units.Part(u)
		if len(rows) < 2 {
			continue
		}
		t.restrict(rows, &e.query, f)
		for j, m := range e.metrics {
			d, p := &dst[u*len(e.metrics)+j], t.within.Sum(m.timing())
			d.Num, d.Den = d.Num-p.Right, d.Den-p.Pairs
		}
	}
}

// restrict sets within to some rows, with G of all.
func (t *timed) restrict(rows []int32, q *Query, f []float64) {
	w, n := &t.within, len(rows)
	w.times, w.scores, w.censored = grown(w.times, n), grown(w.scores, n), grown(w.censored, n)
	for k, i := range rows {
		w.times[k], w.scores[k], w.censored[k] = q.Labels[i], f[i], q.Censored[i]
	}
	w.SetTimes(w.times, w.censored)
	if q.Weights != nil {
		w.weights = grown(w.weights, n)
		for k, i := range rows {
			w.weights[k] = q.Weights[i]
		}
		w.SetWeights(w.weights)
	}
	w.Reweigh(&t.Censored, rows)
	w.Place(w.scores)
}
