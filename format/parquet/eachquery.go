package parquet

import (
	"context"
	"errors"

	"pairrank/data"
	"pairrank/format/internal/rowfile"
)

// windowRows is how many rows are held at a time, in blocks; fewer of rows with many features.
const windowRows = 16 * blockRows

// eachQuery reads a file, or the files of a directory, row group by row group. It holds a page of each column and some
// thousand rows at a time, besides the largest query.
func eachQuery(ctx context.Context, path string, t rowfile.Table, emit func(data.Query) error) error {
	s, err := open(path)
	if err != nil {
		return err
	}
	return errors.Join(s.eachQuery(ctx, t, emit), s.close())
}

// columnsOf returns the names of the features, and what the columns are.
func columnsOf(path string, t rowfile.Table) (features []string, columns *data.Schema, err error) {
	s, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	c, err := s.columns()
	if err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	fill, err := t.Fill(path, c.names, 0)
	if err = errors.Join(err, s.close()); err != nil {
		return nil, nil, err
	}
	features, columns = fill.Columns()
	return features, columns, nil
}

func (s *source) eachQuery(ctx context.Context, t rowfile.Table, emit func(data.Query) error) error {
	q, err := t.Queries(s.path, emit)
	if err != nil {
		return err
	}
	c, err := s.columns()
	if err != nil {
		return err
	}
	fill, err := t.Fill(s.path, c.names, 0)
	if err != nil {
		return err
	}
	leaves, err := s.wanted(c, fill)
	if err != nil {
		return err
	}
	for _, p := range s.parts {
		first := p.first
		for g, group := range p.in.RowGroups() {
			w := &window{reader: reader{piece: &piece{p, g, first, int(group.NumRows()), leaves}, columns: c, fill: fill,
				values: make([]float64, blockRows)}, table: t, queries: q}
			if err := w.read(ctx); err != nil {
				return err
			}
			first += w.rows
		}
	}
	return q.End()
}

// window reads a row group, some rows at a time.
type window struct {
	reader
	table   rowfile.Table
	queries rowfile.Queries
}

func (w *window) read(ctx context.Context) error {
	const values = 1 << 19 // held at a time
	n := max(1, min(windowRows, values/len(w.names)/blockRows*blockRows))
	defer w.close()
	if err := guard(w.part.path, w.begin); err != nil {
		return err
	}
	for lo := 0; lo < w.rows; lo += n {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := min(n, w.rows-lo)
		fill, err := w.table.Fill(w.part.path, w.names, rows)
		if err != nil {
			return err
		}
		w.counted = w.first() + lo
		fill.CountFrom(w.counted)
		w.fill = fill
		if err := guard(w.part.path, func() error { return w.rowsTo(0, rows) }); err != nil {
			return err
		}
		set, err := fill.Set()
		if err != nil {
			return err
		}
		if err := w.queries.Add(set, func(i int) int { return w.counted + i + 1 }); err != nil {
			return err
		}
	}
	return guard(w.part.path, w.end)
}

// first is the number of rows before the row group.
func (w *window) first() int { return w.piece.first }
