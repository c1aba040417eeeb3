package pipeline

import (
	"context"
	"io"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/codec"
)

// reading is how files are read, as a DoFn carries it.
type reading struct {
	ZeroBased bool
	Features  int
	Extra     bool
	Missing   data.Missing
	MaxLine   int
	Columns   table.Options // of tables
}

func newReading(o svmlight.Options, columns table.Options) reading {
	columns.Missing, columns.MaxLine = o.Missing, o.MaxLine
	return reading{o.ZeroBased, o.Features, o.Extra, o.Missing, o.MaxLine, columns}
}

// IsTable reports whether a file is a table by its name, CSV or TSV, which may be compressed.
func IsTable(name string) bool {
	ending := codec.Ending(name)
	return ending == ".csv" || ending == ".tsv"
}

// openTable calls read with the text of a table.
func openTable(ctx context.Context, name string, read func(io.Reader) error) error {
	return Open(ctx, name, func(stored io.Reader) error {
		plain, err := codec.NewReader(stored, name)
		if err != nil {
			return contentError(err)
		}
		defer plain.Close()
		return contentError(read(plain))
	})
}

// Columns returns the names of the features of a table, nil without a header, and what its columns are.
func Columns(ctx context.Context, name string, opts table.Options) (features []string, schema *data.Schema, err error) {
	err = openTable(ctx, name, func(plain io.Reader) error {
		features, schema, err = table.Columns(plain, name, opts)
		return err
	})
	return features, schema, err
}

func (r reading) options() svmlight.Options {
	return svmlight.Options{ZeroBased: r.ZeroBased, Features: r.Features, Extra: r.Extra,
		Missing: r.Missing, MaxLine: r.MaxLine}
}

// eachQuery calls add with the queries of a file, one after the other.
func (r reading) eachQuery(ctx context.Context, name string, add func(data.Query) error) error {
	if IsTable(name) {
		return openTable(ctx, name, func(plain io.Reader) error {
			return table.EachQueryFrom(ctx, plain, name, r.Columns, add)
		})
	}
	return Open(ctx, name, func(stored io.Reader) error {
		return contentError(svmlight.EachQueryOf(ctx, stored, name, r.options(), add))
	})
}

// eachRow calls add with the rows of a file, in their order, wherever the rows of a query stand.
func (r reading) eachRow(ctx context.Context, name string, add func(svmlight.Row) error) error {
	return Open(ctx, name, func(stored io.Reader) error {
		rows := svmlight.NewReader(stored, name, r.options())
		for n := 0; ; n++ {
			row, err := rows.Read()
			if err == io.EOF {
				return nil
			}
			if err == nil && n%checkEvery == 0 {
				err = ctx.Err()
			}
			if err == nil {
				err = add(row)
			}
			if err != nil {
				return contentError(err)
			}
		}
	})
}

// checkEvery is the number of rows between two looks at whether reading was cancelled.
const checkEvery = 1000
