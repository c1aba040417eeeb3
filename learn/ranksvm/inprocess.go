package ranksvm

import (
	"errors"
	"fmt"
	"sync"
)

// InProcess is a member of a group within one program. A separate goroutine uses each member.
type InProcess struct {
	process int
	group   *meeting
}

// ErrLeft is returned by Sum where a process has left the group.
var ErrLeft = errors.New("a process has left the group")

// meeting is where the processes of a group wait for each other.
type meeting struct {
	mu    sync.Mutex
	moved sync.Cond
	parts [][]float64 // that have joined the current sum
	here  int
	round int
	sum   []float64
	err   error
}

// NewInProcess makes the n members of a group within this program, to train on the rows of each at
// the same time, or to test code for several machines. It adds in the order of the members, so that
// sums have the same bits in each run. It panics unless n ≥ 1.
func NewInProcess(n int) []*InProcess {
	if n < 1 {
		panic(fmt.Sprintf("ranksvm: a group has at least one process, not %d", n))
	}
	g := &meeting{parts: make([][]float64, n)}
	g.moved.L = &g.mu
	all := make([]*InProcess, n)
	for r := range all {
		all[r] = &InProcess{r, g}
	}
	return all
}

// Rank is the number of this process, from 0.
func (p *InProcess) Rank() int { return p.process }

// Size is the number of processes.
func (p *InProcess) Size() int { return len(p.group.parts) }

// Leave removes this member from the group, as the end of a process does: no Sum waits for it any
// more, and each incomplete Sum returns cause, or ErrLeft where cause is nil. Call it at the end of
// a goroutine that may have ended with an error. A second Leave does nothing.
func (p *InProcess) Leave(cause error) {
	g := p.group
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		if g.err = cause; cause == nil {
			g.err = fmt.Errorf("%w: process %d", ErrLeft, p.process)
		}
		g.moved.Broadcast()
	}
}

// Sum adds v over the processes, once all of them have called it. It returns an error where a
// process has left, and on all processes where the lengths of v differ. It costs O(len(v)) for each
// process.
func (p *InProcess) Sum(v []float64) error {
	g := p.group
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return g.err
	}
	round := g.round
	g.parts[p.process] = v
	if g.here++; g.here == len(g.parts) {
		g.add()
	}
	for g.round == round && g.err == nil {
		g.moved.Wait()
	}
	if g.round == round {
		return g.err
	}
	copy(v, g.sum)
	return nil
}

// add sums the parts, drops them, and wakes all members.
func (g *meeting) add() {
	g.sum = append(g.sum[:0], g.parts[0]...)
	for r, part := range g.parts[1:] {
		if len(part) != len(g.sum) {
			g.err = fmt.Errorf("process 0 adds %d numbers, and process %d adds %d", len(g.sum), r+1, len(part))
			g.moved.Broadcast()
			return
		}
		for i, x := range part {
			g.sum[i] += x
		}
	}
	clear(g.parts)
	g.here = 0
	g.round++
	g.moved.Broadcast()
}
