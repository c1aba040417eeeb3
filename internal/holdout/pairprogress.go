package holdout

import (
	"sync"
	"sync/atomic"
)

// pairProgress reports how many of the held-out pairs, over all outputs and λ, are predicted: with
// many rows a single λ takes long.
type pairProgress struct {
	report      func(done, total int) // or nil
	total, tell int64
	done, told  atomic.Int64
	telling     sync.Mutex // held while told grows
}

// newPairProgress makes the progress for m rows with the given outputs and the λ of o.
func newPairProgress(o Options, m, outputs int) *pairProgress {
	const times, second = 10_000, 1 << 26 // progress is reported so many times, or once per so many pairs
	pairs := int64(m) * int64(m-1) / 2
	p := &pairProgress{report: o.Progress, total: pairs * int64(outputs) * int64(len(o.Candidates))}
	p.tell = max(1, min(p.total/times, second))
	if p.report != nil {
		p.report(0, int(p.total))
	}
	return p
}

// over wraps take, the emit function of rls.Path.OrderPairs, and counts its pairs.
func (p *pairProgress) over(take func(worker, i, c int, fi, fj []float64)) func(worker, i, c int, fi, fj []float64) {
	if p.report == nil {
		return take
	}
	return func(worker, i, c int, fi, fj []float64) {
		take(worker, i, c, fi, fj)
		p.add(len(fi))
	}
}

// add counts some pairs more.
func (p *pairProgress) add(pairs int) {
	if p.report == nil {
		return
	}
	done := p.done.Add(int64(pairs))
	if done < p.total && done < p.told.Load()+p.tell {
		return
	}
	p.telling.Lock()
	defer p.telling.Unlock()
	if done = p.done.Load(); done > p.told.Load() {
		p.told.Store(done)
		p.report(int(done), int(p.total))
	}
}
