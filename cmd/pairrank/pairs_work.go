package main

import (
	"fmt"

	"pairrank/eval/cv"
	"pairrank/internal/memory"
)

// longPairs is how many predictions of pairs are told of before they begin: some
// seconds to a minute.
const longPairs = 2e9

// leavesPairs reports whether the estimate will leave out pairs: leave-pair-out
// was asked for, or is the default of a single list.
func (p *trainProblem) leavesPairs() bool {
	if p.valid != nil || !p.plan.factors() || p.plan.noSelection || p.edges != nil {
		return false
	}
	if m := p.plan.method; m != nil {
		return m.Kind == cv.LeavePairOut
	}
	return p.queries.Len() == 1 && (p.plan.learner == plainRLS || p.plan.goal.Ties == "include")
}

// announcePairs tells how much work leaving out pairs is where that is much, and
// refuses what does not fit in memory. flag is the one that chooses the method.
func (a *app) announcePairs(p *trainProblem, flag string) error {
	if !p.leavesPairs() {
		return nil
	}
	m := float64(p.rows())
	hint := flag + " kfold:10 is exact, too, and quick"
	if p.queries.Len() > 1 {
		hint = flag + " lqo leaves out queries, and is quick"
	}
	const panels, panelRows = 4, 256 // of m numbers each, see rls.Path.LeavePairOut
	if need, free := 8*panels*panelRows*m, memory.Free(); need > free {
		return withHint(fmt.Errorf("leaving out pairs of %d rows would take about %s of memory, and %s are free", p.rows(), memory.Size(need), memory.Size(free)), "%s", hint)
	}
	pairs, times := m*(m-1)/2, float64(p.plan.candidates()*len(p.plan.kernels)*p.outputs)
	if pairs*times < longPairs {
		return nil
	}
	each := plural(p.plan.candidates(), "value") + " of λ"
	if n := len(p.plan.kernels); n > 1 {
		each += " and " + plural(n, "kernel")
	}
	if p.outputs > 1 {
		each += fmt.Sprintf(" and %d outputs", p.outputs)
	}
	a.note("leaving out all %.3g pairs for %s is %.3g predictions; %s", pairs, each, pairs*times, hint)
	return nil
}
