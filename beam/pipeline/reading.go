package pipeline

import (
	"context"
	"io"

	"pairrank/data"
	"pairrank/format/svmlight"
)

// reading is how files are read, as a DoFn carries it.
type reading struct {
	ZeroBased bool
	Features  int
	Extra     bool
	Missing   data.Missing
	MaxLine   int
}

func newReading(o svmlight.Options) reading {
	return reading{o.ZeroBased, o.Features, o.Extra, o.Missing, o.MaxLine}
}

func (r reading) options() svmlight.Options {
	return svmlight.Options{ZeroBased: r.ZeroBased, Features: r.Features, Extra: r.Extra,
		Missing: r.Missing, MaxLine: r.MaxLine}
}

// eachQuery calls add with the queries of a file, one after the other.
func (r reading) eachQuery(ctx context.Context, name string, add func(data.Query) error) error {
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
