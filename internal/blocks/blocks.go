// Package blocks cuts a text into blocks of whole lines, parses them on all cores, and returns them in the order of
// the text.
//
// The files:
//
//   - cutter.go: one block after the other
//   - blocks.go: blocks ahead of the one that is used
package blocks

import (
	"context"
	"io"
	"sync"

	"pairrank/internal/codec"
)

// Text is the text of a block, and where it stands. A block is a type that embeds Text and has what is parsed from it.
type Text struct {
	Bytes   []byte // ends with a line end, except at the end of the source
	Cut     bool   // the last line is longer than any may be, and goes on
	Dropped bool   // a longer line than any may be stood after the text, which is left out
	Number  int    // of the block, from 0
	Done    int64  // bytes of the source that had been read, as codec.Reader counts them

	parsed chan struct{} // receives once when the block is parsed
}

func (t *Text) text() *Text { return t }

// Block is a pointer to a type that embeds Text.
type Block interface{ text() *Text }

// Reader reads blocks ahead. One goroutine cuts the text, others parse blocks in any order, and the caller receives
// them in the order of the text. Blocks are reused.
type Reader[B Block] struct {
	source  *codec.Reader
	cutter  *Cutter
	free    chan B
	work    chan B
	ordered chan B
	quit    chan struct{}
	running sync.WaitGroup
	readErr error // set before ordered is closed
	shut    error // of closing the source
	last    B     // which the caller uses
	lent    bool
}

// Read returns a Reader of the blocks of cutter, whose text comes from source. Each of so many workers parses with a
// function of its own, which parser returns, into blocks that newBlock makes, two more than there are workers. The
// Reader closes source. Each or Close ends it, once.
func Read[B Block](source *codec.Reader, cutter *Cutter, workers int, newBlock func() B,
	parser func(worker int) func(B)) *Reader[B] {
	n := workers + 2
	r := &Reader[B]{source: source, cutter: cutter, free: make(chan B, n), work: make(chan B, n),
		ordered: make(chan B, n), quit: make(chan struct{})}
	for range n {
		b := newBlock()
		b.text().parsed = make(chan struct{}, 1)
		r.free <- b
	}
	for worker := range workers {
		r.running.Go(func() {
			// Allocate here, so that goroutines do not write to the same cache line.
			parse := parser(worker)
			for b := range r.work {
				parse(b)
				b.text().parsed <- struct{}{}
			}
		})
	}
	r.running.Go(r.cutAll)
	return r
}

// cutAll cuts the text into blocks until it ends or the Reader quits.
func (r *Reader[B]) cutAll() {
	defer func() { r.shut = r.source.Close() }()
	defer close(r.ordered)
	defer close(r.work)
	for {
		var b B
		select {
		case b = <-r.free:
		case <-r.quit:
			return
		}
		t := b.text()
		if err := r.cutter.Cut(t); err != nil {
			r.readErr = err
			return
		}
		t.Done = r.source.Done()
		r.work <- b
		r.ordered <- b
	}
}

// Next returns the next block, which is valid until the next call. It returns io.EOF after the last one, the error of
// reading after the blocks before it, or that of ctx.
func (r *Reader[B]) Next(ctx context.Context) (b B, err error) {
	if r.lent {
		r.free <- r.last
		r.lent = false
	}
	var more bool
	select {
	case b, more = <-r.ordered:
	case <-ctx.Done():
		return b, ctx.Err()
	}
	if !more {
		return b, r.readErr
	}
	<-b.text().parsed
	r.last, r.lent = b, true
	return b, ctx.Err()
}

// Close ends reading, waits until it has ended, and returns the error of closing the source.
func (r *Reader[B]) Close() error {
	close(r.quit)
	r.running.Wait()
	return r.shut
}

// Each passes the blocks to take until they end, or take or ctx ends it, and closes the Reader. It returns the error of
// take, of ctx, or of reading, not that of closing. When ctx ends while the source blocks, it returns at once, and a
// goroutine keeps waiting for the source.
func (r *Reader[B]) Each(ctx context.Context, take func(B) error) error {
	var err error
	for err == nil {
		var b B
		if b, err = r.Next(ctx); err == nil {
			err = take(b)
		}
	}
	if ctx.Err() != nil {
		close(r.quit)
	} else {
		r.Close()
	}
	if err == io.EOF {
		return nil
	}
	return err
}
