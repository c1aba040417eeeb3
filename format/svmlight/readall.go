package svmlight

import (
	"bytes"
	"context"
	"io"
	"sync"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/parallel"
)

// sizes are amounts of text in bytes.
type sizes struct {
	block   int   // parsed by one goroutine at a time
	portion int64 // after which the whole is estimated and the storage chosen
}

var usualSizes = sizes{block: 1 << 20, portion: 8 << 20}

// ReadFile reads the m×n set in the file at path, plain or compressed by gzip or zstd, on
// all cores. The cost is linear in the size of the file. Beyond the matrix it needs a few
// megabytes, and for a regular file no second copy of the matrix. It returns a
// *SyntaxError where the text is not in the format, the errors of the file, which name
// it, and that of ctx.
func ReadFile(ctx context.Context, path string, opts Options) (*data.Set, error) {
	source, err := codec.Open(path)
	if err != nil {
		return nil, err
	}
	return load(ctx, source, opts, usualSizes)
}

// ReadAll is ReadFile for a reader; errors call it name. The size is not known
// beforehand, and the matrix may be copied when it grows. When ctx ends while r blocks,
// ReadAll returns the error of ctx and a goroutine keeps waiting for r.
func ReadAll(ctx context.Context, r io.Reader, name string, opts Options) (*data.Set, error) {
	source, err := codec.NewReader(r, name)
	if err != nil {
		return nil, err
	}
	return load(ctx, source, opts, usualSizes)
}

// pipeline is a file on its way: a goroutine cuts the text into blocks, workers
// parse them in any order, and the caller takes them in the order of the file.
type pipeline struct {
	source  *codec.Reader
	free    chan *block
	work    chan *block
	ordered chan *block
	quit    chan struct{}
	block   int
	longest int   // line, in bytes
	readErr error // set before ordered is closed
}

// load reads the source to its end and closes it.
func load(ctx context.Context, source *codec.Reader, opts Options, sizes sizes) (*data.Set, error) {
	workers := parallel.Workers()
	blocks := workers + 2
	p := &pipeline{
		source: source, free: make(chan *block, blocks), work: make(chan *block, blocks),
		ordered: make(chan *block, blocks), quit: make(chan struct{}), block: sizes.block, longest: opts.maxLine(),
	}
	for range blocks {
		p.free <- &block{done: make(chan struct{}, 1)}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { p.parseAll(opts) })
	}
	wg.Go(p.cutAll)

	b := newBuilder(source, opts, sizes.portion)
	err := p.takeAll(ctx, b, opts.Progress)
	close(p.quit)
	if ctx.Err() == nil {
		wg.Wait()
	}
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// cutAll cuts the text into blocks until it ends or the pipeline quits.
func (p *pipeline) cutAll() {
	defer p.source.Close()
	defer close(p.ordered)
	defer close(p.work)
	var rest []byte // of the last block, after its last line end
	for ended := false; !ended; {
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
		b.sourceDone = p.source.Done()
		p.work <- b
		p.ordered <- b
	}
}

// fill reads on until b has a block of text that ends with a line, and returns
// what follows that line: memory of b that its parser does not touch, to be
// copied into the next block. At the end of the source it returns io.EOF; the
// text may then end without a line end, and so it does after the longest line and
// more, which the parser refuses. After another error the text ends with
// the last whole line.
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

// parseAll parses blocks until there are no more.
func (p *pipeline) parseAll(opts Options) {
	worker := &parser{grammar: newGrammar(opts), keep: opts.KeepComments, notes: opts.KeepNotes, number: map[string]int32{}}
	for b := range p.work {
		worker.parse(b)
		b.done <- struct{}{}
	}
}

// takeAll hands the blocks to the builder in the order of the file.
func (p *pipeline) takeAll(ctx context.Context, to *builder, progress func(done, total int64)) error {
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
		if err := to.add(b); err != nil {
			return err
		}
		if progress != nil {
			progress(b.sourceDone, p.source.Size())
		}
		p.free <- b
	}
}
