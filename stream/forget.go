package stream

import (
	"cmp"
	"fmt"
	"strings"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/learn/rls"
)

// Subtract forgets the queries of o, which must all be in s. It leaves the sums of the other queries, up to
// a relative 1e-22 of the largest after 10⁹ queries; if the rows of a query come in another order, up to 1e-16
// of its products. Features stay, with sums of 0. It costs O(n²) a fold, and O(1) a query. It returns a
// *fault.Error, and leaves s unchanged, if the options differ, or if a query of o is not in s or has there
// another number of rows or other values (codes.FaultQueryUnknown). If values are not known (see Unchecked), it
// refuses to leave a negative sum of squares.
func (s *Statistics) Subtract(o *Statistics) error {
	if err := s.sameOptions(o); err != nil {
		return err
	}
	if err := s.contains(o); err != nil {
		return err
	}
	var err error
	if s.Unchecked(o) > 0 {
		err = s.statistics.CheckSubtract(o.statistics)
	}
	if err == nil {
		err = s.statistics.Subtract(o.statistics)
	}
	if err != nil {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultQueryUnknown, Err: err}
	}
	for key := range o.names {
		q := s.names[key]
		delete(s.names, key)
		delete(s.kept.of, key)
		s.sources[q.source].Rows -= int64(q.rows)
		s.sources[q.source].Queries--
	}
	s.idle.add(-1, o.idle)
	s.dropEmpty()
	return nil
}

// contains refuses queries that are not in s, or not with the same rows.
func (s *Statistics) contains(o *Statistics) error {
	absent, rows, values := 0, 0, 0
	first := addedQuery{source: uint32(len(o.sources))}
	for key, q := range o.names {
		p, in := s.names[key]
		switch {
		case !in:
			absent++
		case p.rows != q.rows:
			rows++
		case p.content.known() && q.content.known() && p.content != q.content:
			values++
		default:
			continue
		}
		if cmp.Or(cmp.Compare(q.source, first.source), cmp.Compare(q.line, first.line)) < 0 {
			first = q
		}
	}
	var wrong []string
	for _, is := range []struct {
		count int
		what  string
	}{
		{absent, "were not added"}, {rows, "have another number of rows than was added"},
		{values, "have other labels or features than were added"},
	} {
		if is.count > 0 {
			wrong = append(wrong, fmt.Sprintf("%d %s", is.count, is.what))
		}
	}
	if wrong == nil {
		return nil
	}
	from := place(named(o.sources[first.source].Name), int(first.line))
	return &fault.Error{Kind: fault.Data, Code: codes.FaultQueryUnknown,
		Err: fmt.Errorf("of %d queries to forget %s, the first of them from %s: what is forgotten is what was added",
			len(o.names), strings.Join(wrong, " and "), from)}
}

// Unchecked counts the queries of o, which must all be in s, whose values Subtract cannot compare with the
// added ones, because the program that wrote s or o kept no hash of them. It costs O(1) a query of o.
func (s *Statistics) Unchecked(o *Statistics) int {
	unknown := 0
	for key, q := range o.names {
		if !q.content.known() || !s.names[key].content.known() {
			unknown++
		}
	}
	return unknown
}

// Forget forgets the queries with the given names, as Subtract does with their rows; KeepQueries must have kept
// their sums. It costs O(n²) a query and a fold. It returns a *fault.Error, and leaves s unchanged, if the
// sums are not kept, for a name that comes twice, and for a query that was not added (codes.FaultQueryUnknown).
func (s *Statistics) Forget(ids ...string) error {
	if !s.options.KeepQueries {
		return fault.Optionf("KeepQueries", "is not set, and the sums of single queries are not there")
	}
	statistics, err := rls.NewStatistics(s.options.statistics())
	if err != nil {
		return fault.As(fault.Use, "", err)
	}
	o := empty(s.options, statistics)
	o.sources = s.sources
	for _, id := range ids {
		key := keyOfQuery(id)
		q, in := s.names[key]
		if !in {
			return unknownQuery(id, "was not added")
		}
		if _, twice := o.names[key]; twice {
			return unknownQuery(id, "is named twice")
		}
		k := s.kept.of[key]
		if err := statistics.AddQuery(k.statistics, key.fold(s.options.Folds)); err != nil {
			return fault.As(fault.Data, "", err)
		}
		o.names[key] = q
		o.idle.add(1, k.idle(&s.options))
	}
	return s.Subtract(o)
}

func unknownQuery(id, what string) error {
	return &fault.Error{Kind: fault.Data, Code: codes.FaultQueryUnknown,
		Err: fmt.Errorf("the query %q, which is to be forgotten, %s", data.ClipText(id), what)}
}

// dropEmpty drops the sources that have no query left.
func (s *Statistics) dropEmpty() {
	number, kept := make([]uint32, len(s.sources)), s.sources[:0]
	for k, source := range s.sources {
		number[k] = uint32(len(kept))
		if source.Queries > 0 {
			kept = append(kept, source)
		}
	}
	if len(kept) == len(number) {
		return
	}
	s.sources = kept
	for key, q := range s.names {
		q.source = number[q.source]
		s.names[key] = q
	}
}
