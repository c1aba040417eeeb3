package svmlight

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
)

// sizes are amounts of text in bytes.
type sizes struct {
	block   int   // parsed by one goroutine at a time
	portion int64 // after which the whole is estimated and the storage chosen
}

var usualSizes = sizes{block: 1 << 20, portion: 8 << 20}

// blockSize returns the block size that the free memory allows: parsing takes up to ten times the
// text of a block, for each block in flight. It returns an error where not even small blocks fit.
func blockSize(name string) (size int, err error) {
	const least, share, parsed = 1 << 16, 64, 10
	size = usualSizes.block
	blocks := float64(parallel.Workers() + 2)
	for free := memory.Free(); size > least && share*blocks*float64(size) > free; size /= 2 {
	}
	if err := memory.Ask(parsed*blocks*float64(size), "to read"); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return size, nil
}

// ReadFile reads the m×n set in the file at path, plain or compressed by gzip or zstd, on all
// cores. The cost is linear in the size of the file. Beyond the matrix it needs a few megabytes,
// and for a regular file no second copy of the matrix.
//
// It returns a *SyntaxError where the text is not in the format, the errors of the file, which
// contain its name, and the error of ctx.
func ReadFile(ctx context.Context, path string, opts Options) (*data.Set, error) {
	source, err := codec.Open(path)
	if err != nil {
		return nil, err
	}
	return loadUsual(ctx, source, opts)
}

// ReadAll is ReadFile for a reader, which errors call name. The size is unknown in advance, so the
// matrix may be copied when it grows. When ctx ends while r blocks, ReadAll returns the error of
// ctx, and a goroutine keeps waiting for r.
func ReadAll(ctx context.Context, r io.Reader, name string, opts Options) (*data.Set, error) {
	source, err := codec.NewReader(r, name)
	if err != nil {
		return nil, err
	}
	return loadUsual(ctx, source, opts)
}

// pipeline reads a file: one goroutine cuts the text into blocks, workers parse them in any order,
// and the caller receives them in file order.
type pipeline struct {
	source  *codec.Reader
	free    chan *block
	work    chan *block
	ordered chan *block
	quit    chan struct{}
	workers int
	block   int
	longest int // line, in bytes
	// dropsLong removes a too long line and all text after it. Otherwise the parser learns that the
	// line was cut.
	dropsLong bool
	readErr   error // set before ordered is closed
}

// newPipeline returns a pipeline with blocks of size bytes for so many parsers.
func newPipeline(source *codec.Reader, size, workers int) *pipeline {
	blocks := workers + 2
	p := &pipeline{
		source: source, free: make(chan *block, blocks), work: make(chan *block, blocks),
		ordered: make(chan *block, blocks), quit: make(chan struct{}), workers: workers, block: size,
	}
	for range blocks {
		p.free <- &block{done: make(chan struct{}, 1)}
	}
	return p
}

// loadUsual is load in blocks of the usual size, or smaller if memory is short.
func loadUsual(ctx context.Context, source *codec.Reader, opts Options) (*data.Set, error) {
	block, err := blockSize(source.Name())
	if err != nil {
		return nil, errors.Join(err, source.Close())
	}
	return load(ctx, source, opts, sizes{block: block, portion: usualSizes.portion})
}

// load reads the source to its end and closes it.
func load(ctx context.Context, source *codec.Reader, opts Options, sizes sizes) (*data.Set, error) {
	b := newBuilder(source, opts, sizes.portion)
	if err := eachBlock(ctx, source, opts, sizes.block, b.add); err != nil {
		return nil, err
	}
	return b.finish()
}

// eachBlock reads the source to its end and closes it. It parses blocks of size bytes on all cores
// and passes them to take in file order.
func eachBlock(ctx context.Context, source *codec.Reader, opts Options, size int, take func(b *block) error) error {
	p := newPipeline(source, size, parallel.Workers())
	p.longest = opts.maxLine()
	parser := func(int) func(b *block) {
		return (&parser{grammar: newGrammar(opts), keep: opts.KeepComments, notes: opts.KeepNotes,
			number: map[string]int32{}}).parse
	}
	if opts.Progress == nil {
		return p.run(ctx, parser, take)
	}
	return p.run(ctx, parser, func(b *block) error {
		err := take(b)
		if err == nil {
			opts.Progress(b.sourceDone, source.Size())
		}
		return err
	})
}

// run cuts the text and parses each block with one of the functions that parser returns, one
// goroutine each. It passes the blocks to take in file order until they end, or take or ctx ends
// it. It returns the error of take, of ctx, or of reading.
func (p *pipeline) run(ctx context.Context, parser func(worker int) func(b *block), take func(b *block) error) error {
	var wg sync.WaitGroup
	for worker := range p.workers {
		wg.Go(func() {
			// Allocate here, so that goroutines do not write to the same cache line.
			parse := parser(worker)
			for b := range p.work {
				parse(b)
				b.done <- struct{}{}
			}
		})
	}
	wg.Go(p.cutAll)
	err := p.takeAll(ctx, take)
	close(p.quit)
	if ctx.Err() == nil {
		wg.Wait()
	}
	return err
}

// cutAll cuts the text into blocks until it ends or the pipeline quits.
func (p *pipeline) cutAll() {
	defer p.source.Close()
	defer close(p.ordered)
	defer close(p.work)
	var rest []byte // of the last block, after its last line end
	number := 0
	for ended := false; !ended; number++ {
		var b *block
		select {
		case b = <-p.free:
		case <-p.quit:
			return
		}
		b.text = append(b.text[:0], rest...)
		var err error
		if rest, err = p.fill(b); err != nil {
			ended = true
			if err != io.EOF {
				p.readErr = err
			}
		}
		b.sourceDone, b.number, b.dropped = p.source.Done(), number, p.dropsLong && p.dropLong(b)
		ended = ended || b.dropped
		p.work <- b
		p.ordered <- b
	}
}

// fill reads until b has a block of text that ends with a line. It returns the text after that
// line, in memory of b that its parser does not touch, for the next block. At the end of the source
// it returns io.EOF, and the text may end without a line end. It also may where a line exceeds the
// limit; the parser refuses that line. After another error the text ends with the last whole line.
func (p *pipeline) fill(b *block) (rest []byte, err error) {
	for size := p.block; ; size *= 2 {
		have := len(b.text)
		for size <= have {
			size *= 2
		}
		if cap(b.text) < size {
			b.text = append(make([]byte, 0, size), b.text...)
		}
		n, err := io.ReadFull(p.source, b.text[have:size])
		b.text = b.text[:have+n]
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			// The codec wraps its own ErrUnexpectedEOF: this one is ReadFull's.
			return nil, io.EOF
		}
		// Only the new bytes can hold a line end.
		if end := bytes.LastIndexByte(b.text[have:], '\n') + 1; end > 0 || err != nil {
			rest, b.text = b.text[have:][end:], b.text[:have+end]
			if end == 0 {
				b.text = b.text[:0]
			}
			return rest, err
		}
		if len(b.text) > p.longest {
			b.cut = true
			return nil, io.EOF
		}
	}
}

// dropLong removes the first line above the limit, and all text after it, from a block. It reports
// whether there was one.
func (p *pipeline) dropLong(b *block) bool {
	for from := 0; len(b.text)-from > p.longest; {
		end := bytes.IndexByte(b.text[from:], '\n')
		if end < 0 {
			end = len(b.text) - from
		}
		if end > p.longest {
			b.text = b.text[:from]
			return true
		}
		from += end + 1
	}
	return false
}

// takeAll hands the blocks to take in the order of the file.
func (p *pipeline) takeAll(ctx context.Context, take func(b *block) error) error {
	for {
		var b *block
		var more bool
		select {
		case b, more = <-p.ordered:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !more {
			return p.readErr
		}
		<-b.done
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := take(b); err != nil {
			return err
		}
		p.free <- b
	}
}
