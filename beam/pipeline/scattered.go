package pipeline

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/stream"
)

func init() {
	register.DoFn3x1[context.Context, file, func(int64, chunk), error](&scatterRows{})
	register.DoFn4x1[context.Context, int64, func(*chunk) bool, func(int64, unit), error](&sumBucket{})
	register.Emitter2[int64, chunk]()
	register.Iter1[chunk]()
}

// chunkSize is the number of bytes of rows in one element for a bucket: large enough that the
// overhead of an element is small, and small enough that the chunks of all buckets, which a worker
// fills at the same time, fit into memory.
const chunkSize = 256 << 10

// scatterRows sends the rows of a file to the buckets of their queries.
type scatterRows struct {
	Reading reading
	Buckets int
}

// bucketOf is the bucket of a query. It is another hash than the one of its fold, so that
// all folds are in every bucket.
func bucketOf(qid string, buckets int) int {
	h := fnv.New64a()
	io.WriteString(h, qid)
	return int(h.Sum64() % uint64(buckets))
}

// ProcessElement emits the rows of the file to each bucket in their order, in numbered chunks. One
// is marked as the last, even without rows, so that the receiver detects a lost chunk.
func (f *scatterRows) ProcessElement(ctx context.Context, in file, emit func(int64, chunk)) error {
	open := make([]chunk, f.Buckets)
	for k := range open {
		open[k].File, open[k].Name = in.Index, in.Name
	}
	flush := func(k int, last bool) {
		c := &open[k]
		c.Last = last
		emit(int64(k), *c)
		c.Number, c.Rows = c.Number+1, nil
	}
	err := f.Reading.eachRow(ctx, in.Name, func(row svmlight.Row) error {
		if !row.HasQID {
			return fmt.Errorf("%s:%d: row without a qid: queries that are scattered over files need one",
				in.Name, row.Line)
		}
		k := bucketOf(row.QID, f.Buckets)
		open[k].Rows = appendRow(open[k].Rows, row)
		if len(open[k].Rows) >= chunkSize {
			flush(k, false)
		}
		return nil
	})
	if err != nil {
		return say(err)
	}
	for k := range open {
		flush(k, true)
	}
	return nil
}

// sumBucket sums the queries of a bucket.
type sumBucket struct {
	Empty    []byte
	Files    int // that send chunks
	Features int // of every query, or 0 for as many as it has
}

// ProcessElement gathers the rows of each query, in the order of the files, and sums the
// queries in the order of their names.
func (f *sumBucket) ProcessElement(ctx context.Context, bucket int64, chunks func(*chunk) bool,
	emit func(int64, unit)) error {
	var all []chunk
	for c := (chunk{}); chunks(&c); c = (chunk{}) {
		all = append(all, c)
	}
	slices.SortFunc(all, chunk.compare)
	if err := complete(all, f.Files); err != nil {
		return say(fmt.Errorf("bucket %d: %w", bucket, err))
	}
	queries := gathering{}
	for i := range all {
		if err := queries.add(&all[i]); err != nil {
			return say(err)
		}
		all[i].Rows = nil
	}
	sum, err := f.sum(ctx, queries)
	if err != nil {
		return say(err)
	}
	emit(bucket, unit{fmt.Sprintf("bucket %d", bucket), sum})
	return nil
}

func (f *sumBucket) sum(ctx context.Context, queries gathering) (*stream.Statistics, error) {
	sum, err := statistics(f.Empty)
	if err != nil {
		return nil, err
	}
	err = queries.each(f.Features, func(q data.Query) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return sum.Add(q)
	})
	return sum, err
}

// complete reports whether sorted chunks are those of all files, each once.
func complete(sorted []chunk, files int) error {
	var file, number int64
	for _, c := range sorted {
		if c.File != file || c.Number != number {
			return fmt.Errorf("rows are lost or doubled near those of %s", c.Name)
		}
		if number++; c.Last {
			file, number = file+1, 0
		}
	}
	if file != int64(files) || number != 0 {
		return fmt.Errorf("the rows of %d of %d files have arrived", file, files)
	}
	return nil
}
