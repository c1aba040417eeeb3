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

// Reader reads blocks ahead. Workers cut and parse blocks, and the caller takes them in the order of the text. While it
// waits for one, it cuts and parses another itself, where the source does not make it wait. A block stays on the core
// that cut it until the caller takes it: what moves from core to core is what parsing costs on many of them. Blocks are
// reused.
type Reader[B Block] struct {
	source  *codec.Reader
	cutting sync.Mutex // of cutter and readErr
	cutter  *Cutter
	readErr error   // that ended the text, set before ordered is closed
	free    chan B  // to be cut
	ordered chan B  // in the order of the text
	parse   func(B) // of the caller; nil where it only waits
	quit    chan struct{}
	closed  chan struct{}
	shut    error // of closing the source
	last    B     // which the caller uses
	lent    bool
}

// Read returns a Reader of the blocks of cutter, whose text comes from source. So many goroutines parse, each with a
// function of its own, which parser returns, into blocks that newBlock makes. The caller is one where the source is a
// regular file. The Reader closes source. Each or Close ends it, once.
func Read[B Block](source *codec.Reader, cutter *Cutter, workers int, newBlock func() B,
	parser func(worker int) func(B)) *Reader[B] {
	r := &Reader[B]{source: source, cutter: cutter, quit: make(chan struct{}), closed: make(chan struct{})}
	if source.Size() >= 0 {
		workers--
		r.parse = parser(workers)
	}
	n := 2*workers + 1
	r.free, r.ordered = make(chan B, n), make(chan B, n)
	for range n {
		b := newBlock()
		b.text().parsed = make(chan struct{}, 1)
		r.free <- b
	}
	var running sync.WaitGroup
	for worker := range workers {
		running.Go(func() { r.work(parser(worker)) }) // made here, so that no two write to the same cache line
	}
	go func() {
		running.Wait()
		<-r.quit
		r.shut = source.Close()
		close(r.closed)
	}()
	return r
}

// work cuts and parses blocks until the text ends or the Reader quits.
func (r *Reader[B]) work(parse func(B)) {
	for {
		select {
		case b := <-r.free:
			r.cutting.Lock()
			if !r.make(b, parse) {
				return
			}
		case <-r.quit:
			return
		}
	}
}

// help is a piece of work by the caller. It reports whether there was any.
func (r *Reader[B]) help() bool {
	if r.parse == nil {
		return false
	}
	select {
	case b := <-r.free:
		if r.cutting.TryLock() {
			return r.make(b, r.parse)
		}
		r.free <- b
	default:
	}
	return false
}

// make cuts b, whose turn it is under the lock, releases the lock and parses b. It is false at the end of the text.
func (r *Reader[B]) make(b B, parse func(B)) bool {
	ended := r.readErr != nil
	if !ended {
		t := b.text()
		if r.readErr = r.cutter.Cut(t); r.readErr == nil {
			t.Done = r.source.Done()
			r.ordered <- b
		} else {
			ended = true
			close(r.ordered)
		}
	}
	r.cutting.Unlock()
	if !ended {
		parse(b)
		b.text().parsed <- struct{}{}
	}
	return !ended
}

// Next returns the next block, which is valid until the next call. It returns io.EOF after the last one, the error of
// reading after the blocks before it, or that of ctx.
func (r *Reader[B]) Next(ctx context.Context) (b B, err error) {
	if r.lent {
		r.free <- r.last
		r.lent = false
	}
	for len(r.ordered) == 0 && r.help() {
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
	for len(b.text().parsed) == 0 && r.help() {
	}
	<-b.text().parsed
	r.last, r.lent = b, true
	return b, ctx.Err()
}

// Close ends reading, waits until it has ended, and returns the error of closing the source.
func (r *Reader[B]) Close() error {
	close(r.quit)
	<-r.closed
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
