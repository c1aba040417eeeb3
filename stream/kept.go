package stream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
	"pairrank/internal/spell"
)

// keptQueries holds the sums of single queries, if they are kept.
type keptQueries struct {
	of           map[queryKey]keptQuery
	bytes, asked float64 // their size, and the size for which memory was found
}

// keptQuery is the sums of a query; alike reports that all its labels are equal.
type keptQuery struct {
	statistics *rls.QueryStatistics
	alike      bool
}

// idle counts the query if it has nothing to compare.
func (k keptQuery) idle(o *Options) (c idleCounts) {
	switch {
	case k.alike:
		c.Alike++
	case o.Outputs == 1 && k.statistics.Rows() == 1:
		c.Single++
	}
	return c
}

// checkKept refuses to keep the sums of one more query if they do not fit into memory. It looks at the free
// memory in large steps.
func (s *Statistics) checkKept(rows, n int) error {
	const step = 1 << 29
	if !s.options.KeepQueries {
		return nil
	}
	k := &s.kept
	need := rls.QueryStatisticsBytes(rows, s.options.Map.width(n), s.options.Outputs)
	if all := k.bytes + need; all > k.asked {
		if free, beyond := memory.Beyond(need + step); beyond {
			return fmt.Errorf("the kept sums of %s take about %s of memory, and %s are free",
				spell.Plural(len(s.names)+1, "query"), memory.Size(all), memory.Size(free))
		}
		k.asked = all + step
	}
	k.bytes += need
	return nil
}

// appendKept appends the length of the sums of the queries, and the sums, to b.
func (s *Statistics) appendKept(b []byte, keys []queryKey) []byte {
	const length = 8
	b = append(slices.Grow(b, int(s.kept.bytes)), make([]byte, length)...)
	start := len(b)
	for _, key := range keys {
		k := s.kept.of[key]
		alike := byte(0)
		if k.alike {
			alike = 1
		}
		b, _ = k.statistics.AppendBinary(append(b, alike)) // its error is nil
	}
	binary.LittleEndian.PutUint64(b[start-length:], uint64(len(b)-start))
	return b
}

// readKept reads the sums of the queries, after their names.
func (s *Statistics) readKept(b []byte) (err error) {
	for _, key := range s.sortedKeys() {
		if len(b) == 0 || b[0] > 1 {
			return errors.New("the kept sums of a query are missing")
		}
		k := keptQuery{alike: b[0] == 1}
		if k.statistics, b, err = rls.ReadQueryStatistics(b[1:], s.options.statistics()); err != nil {
			return err
		}
		rows := s.names[key].rows
		if k.statistics.Rows() != int64(rows) || k.statistics.Features() > s.statistics.Features() {
			return errors.New("the kept sums of a query are those of another one")
		}
		s.kept.of[key] = k
		s.kept.bytes += rls.QueryStatisticsBytes(int(rows), k.statistics.Features(), s.options.Outputs)
	}
	if len(b) > 0 {
		return fmt.Errorf("%d bytes of kept sums too many", len(b))
	}
	return nil
}
