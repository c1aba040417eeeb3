package svmlight

import (
	"context"
	"errors"
	"fmt"
	"io"

	"pairrank/data"
	"pairrank/internal/blocks"
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
// It returns a *data.SyntaxError where the text is not in the format, the errors of the file, which
// contain its name, and the error of ctx.
func ReadFile(ctx context.Context, path string, opts Options) (*data.Set, error) {
	source, err := codec.Open(path)
	if err != nil {
		return nil, err
	}
	set, err := loadUsual(ctx, source, opts, source.Size() >= 0)
	var other *formError
	if !errors.As(err, &other) {
		return set, err
	}
	opts.Storage = other.storage
	return ReadFile(ctx, path, opts)
}

// ReadAll is ReadFile for a reader, which errors call name. The size is unknown in advance, so the
// matrix may be copied when it grows. When ctx ends while r blocks, ReadAll returns the error of
// ctx, and a goroutine keeps waiting for r.
func ReadAll(ctx context.Context, r io.Reader, name string, opts Options) (*data.Set, error) {
	source, err := codec.NewReader(r, name)
	if err != nil {
		return nil, err
	}
	return loadUsual(ctx, source, opts, false)
}

// loadUsual is load in blocks of the usual size, or smaller if memory is short.
func loadUsual(ctx context.Context, source *codec.Reader, opts Options, twice bool) (*data.Set, error) {
	block, err := blockSize(source.Name())
	if err != nil {
		return nil, errors.Join(err, source.Close())
	}
	return load(ctx, source, opts, sizes{block: block, portion: usualSizes.portion}, twice)
}

// load reads the source to its end and closes it. twice says that it can be read again.
func load(ctx context.Context, source *codec.Reader, opts Options, sizes sizes, twice bool) (*data.Set, error) {
	b := newBuilder(source, opts, sizes.portion)
	if opts.Each != nil && opts.Features > 0 && (twice || opts.Storage != StoreAuto) {
		b.passing = &passing{forms: map[bool]bool{}}
	}
	if err := eachBlock(ctx, source, opts, sizes.block, b.add); err != nil {
		return nil, err
	}
	return b.finish()
}

// eachBlock reads the source to its end and closes it. It parses blocks of size bytes on all cores
// and passes them to take in file order.
func eachBlock(ctx context.Context, source *codec.Reader, opts Options, size int, take func(b *block) error) error {
	cutter := &blocks.Cutter{From: source, Size: size, Longest: opts.maxLine()}
	parser := func(int) func(b *block) {
		return (&parser{grammar: newGrammar(opts), keep: opts.KeepComments, notes: opts.KeepNotes,
			number: map[string]int32{}}).parse
	}
	ahead := blocks.Read(source, cutter, parallel.Workers(), newBlock, parser)
	if opts.Progress == nil {
		return ahead.Each(ctx, take)
	}
	return ahead.Each(ctx, func(b *block) error {
		err := take(b)
		if err == nil {
			opts.Progress(b.Done, source.Size())
		}
		return err
	})
}

func newBlock() *block { return new(block) }
