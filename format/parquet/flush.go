package parquet

import (
	"pairrank/format/table"
	"pairrank/internal/parallel"
)

// flush reads the rows some at a time, their columns on all cores, and flushes them where the table has no more room.
func (s *source) flush(c *columns, fill *table.Filling, leaves []int) error {
	for _, p := range s.parts {
		first := p.first
		for g, group := range p.in.RowGroups() {
			rows := int(group.NumRows())
			if err := p.flush(&piece{p, g, first, rows, leaves}, c, fill); err != nil {
				return err
			}
			first += rows
		}
	}
	return nil
}

// flush reads a row group.
func (p *part) flush(all *piece, c *columns, fill *table.Filling) error {
	readers := make([]*reader, min(len(all.leaves), parallel.Workers()))
	for k := range readers {
		some := *all
		lo, hi := k*len(all.leaves)/len(readers), (k+1)*len(all.leaves)/len(readers)
		some.leaves = all.leaves[lo:hi]
		readers[k] = &reader{piece: &some, columns: c, fill: fill, values: make([]float64, blockRows)}
		defer readers[k].close()
	}
	errs := make([]error, len(readers))
	each := func(work func(r *reader) error) error {
		parallel.For(len(readers), func(_, k int) {
			errs[k] = guard(p.path, func() error { return work(readers[k]) })
		})
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	}
	err := each((*reader).begin)
	for at, end := all.first, all.first+all.rows; at < end && err == nil; {
		n := min(fill.Room(at), end-at)
		err = each(func(r *reader) error { return r.rowsTo(at, n) })
		if at += n; err == nil && fill.Room(at) == 0 {
			err = fill.Flush(at)
		}
	}
	if err != nil {
		return err
	}
	return each((*reader).end)
}
