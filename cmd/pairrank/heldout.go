package main

import (
	"cmp"
	"fmt"
	"io"
	"sync"
)

// pairWriter writes the held-out pairs of rows of a query row by row, in order,
// whatever order the rows come in: i, j, f_i and f_j with tabs, rows numbered from 1.
type pairWriter struct {
	w       io.Writer
	query   []int32 // of each row
	mu      sync.Mutex
	next    int            // the row to be written next
	pending map[int][]byte // rows that came early
	err     error
}

func (p *pairWriter) take(i int, fi, fj []float64) {
	var text []byte
	overflow := cmp.Or(finiteScores(fi, func(b int) string { return fmt.Sprintf("row %d without row %d", i+1, i+2+b) }),
		finiteScores(fj, func(b int) string { return fmt.Sprintf("row %d without row %d", i+2+b, i+1) }))
	for b := range fi {
		if p.query[i] != p.query[i+1+b] {
			continue
		}
		text = fmt.Appendf(text, "%d\t%d\t", i+1, i+2+b)
		text = append(appendNumber(text, fi[b]), '\t')
		text = append(appendNumber(text, fj[b]), '\n')
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = cmp.Or(p.err, overflow)
	p.pending[i] = text
	for {
		text, ok := p.pending[p.next]
		if !ok || p.err != nil {
			return
		}
		delete(p.pending, p.next)
		p.next++
		_, p.err = p.w.Write(text)
	}
}
