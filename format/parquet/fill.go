package parquet

import (
	"cmp"

	"pairrank/format/internal/rowfile"
	"pairrank/internal/parallel"
)

// piece is some leaves of a row group.
type piece struct {
	part   *part
	group  int
	first  int // the number of rows before
	rows   int
	leaves []int
}

// fill reads the rows, their columns on all cores, and flushes them where the table has no more room.
func (s *source) fill(c *columns, fill rowfile.Filling, leaves []int) error {
	for _, p := range s.parts {
		first := p.first
		for g, group := range p.in.RowGroups() {
			rows := int(group.NumRows())
			if err := fillFrom(&piece{p, g, first, rows, leaves}, c, fill); err != nil {
				return err
			}
			first += rows
		}
	}
	return nil
}

// fillFrom reads a row group. A check goes through the rows in their order.
func fillFrom(all *piece, c *columns, fill rowfile.Filling) (err error) {
	readers := make([]*reader, min(len(all.leaves), parallel.Workers()))
	if fill.Checking() {
		readers = readers[:min(len(readers), 1)]
	}
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
			errs[k] = guard(all.part.path, func() error { return work(readers[k]) })
		})
		return cmp.Or(errs...)
	}
	err = each((*reader).begin)
	for at, end := all.first, all.first+all.rows; at < end && err == nil; {
		var room int
		if room, err = fill.Room(at); err == nil {
			n := min(room, end-at)
			err = each(func(r *reader) error { return r.rowsTo(at, n) })
			at += n
		}
	}
	if err != nil {
		return err
	}
	return each((*reader).end)
}
