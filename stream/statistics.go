package stream

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/learn/rls"
)

// The codes of errors that have a way out of their own, beside those of package pairrank.
const (
	FaultQueryTwice   fault.Code = "query-twice"       // a query is added that was added before
	FaultQueryUnknown fault.Code = "query-unknown"     // a query is forgotten that was not added
	FaultMemory       fault.Code = "statistics-memory" // the statistics do not fit into memory
	FaultFewFolds     fault.Code = "few-folds"         // less than two folds have something to compare
)

// Statistics are the sums over queries that RankRLS and plain least squares are trained
// from, see rls.Statistics, and the names of the queries. For n features they take 8n² bytes a
// fold, whatever the number of rows, and 60 to 100 bytes a query. Of each query they keep the
// first 16 bytes of the SHA-256 of its name, by which one that comes twice is refused, and a
// hash of its rows, in any order, against which what is forgotten is held. They are not safe
// for concurrent use.
type Statistics struct {
	options    Options
	statistics *rls.Statistics
	names      map[queryKey]addedQuery
	sources    []Source
	idle       idleCounts
	widest     int // number of features for which there is memory
	inputs     int // the width of the widest query
	kept       keptQueries
}

// Source is where queries are from: a file, or a part of the data.
type Source struct {
	Name    string
	Rows    int64
	Queries int
}

// addedQuery is a query that was added.
type addedQuery struct {
	source, rows uint32
	line         uint32 // where it began; 0 where that is not known
	content      queryContent
}

// idleCounts are the queries with nothing to compare: of one row, and of one label.
type idleCounts struct{ Single, Alike int64 }

// New returns the statistics of no query; of a Map with b basis rows it costs
// O(b³). It returns a *pairrank.Error for options that are unknown, out of range or do not go
// together, for folds or basis rows whose map do not fit into memory, and for a map that is
// singular.
func New(o Options) (*Statistics, error) {
	o, err := o.Resolved()
	if err != nil {
		return nil, err
	}
	if err := o.checkMemory(0, o.memory(0)); err != nil {
		return nil, err
	}
	if o.Map != nil {
		if _, err := o.Map.features(); err != nil {
			return nil, err
		}
	}
	statistics, err := rls.NewStatistics(o.statistics())
	if err != nil {
		return nil, fault.As(fault.Use, "", err)
	}
	return empty(o, statistics), nil
}

func empty(o Options, statistics *rls.Statistics) *Statistics {
	return &Statistics{options: o, statistics: statistics, names: map[queryKey]addedQuery{},
		kept: keptQueries{of: map[queryKey]keptQuery{}}}
}

// Options returns the options, with their defaults filled in.
func (s *Statistics) Options() Options { return s.options }

// Rows returns the number of rows that were added.
func (s *Statistics) Rows() int64 { return s.statistics.Rows() }

// Queries returns the number of queries that were added.
func (s *Statistics) Queries() int { return len(s.names) }

// Pairs returns the number of pairs that are compared; 0 for regression.
func (s *Statistics) Pairs() int64 { return s.statistics.Pairs() }

// Features returns n, the width of the widest query, or of the basis rows of a Map.
func (s *Statistics) Features() int {
	if m := s.options.Map; m != nil && m.Basis != nil {
		_, basis := m.Basis.Dims()
		return max(s.inputs, basis)
	}
	return s.inputs
}

// width is the number of features that weights are of: those of the map, or of the rows.
func (s *Statistics) width() int {
	if s.options.Map != nil {
		return s.statistics.Features()
	}
	return s.inputs
}

// Sources returns what the queries are from, in the order in which it was added.
func (s *Statistics) Sources() []Source { return slices.Clone(s.sources) }

// Add adds a query, normalised and with the labels that the options ask for; q is not
// changed, and not kept. It costs O(m_q n²) for m_q rows. It returns a *pairrank.Error, and leaves
// the statistics as they are, for a query without rows or with another number of labels, for
// what is not finite or too large to be multiplied, for sums that do not fit into memory, and
// for a query that was added before (FaultQueryTwice), with both places.
func (s *Statistics) Add(q data.Query) error {
	key := keyOfQuery(q.ID)
	if err := s.admit(key, &q); err != nil {
		return err
	}
	summed, err := s.options.add(s.statistics, key.fold(s.options.Folds), &q, nil)
	if err != nil {
		return err
	}
	s.register(key, &q)
	s.settle(key, summed)
	return nil
}

// admit refuses a query that cannot be added, by its size and name.
func (s *Statistics) admit(key queryKey, q *data.Query) error {
	if q.X == nil {
		return placed(q, errors.New("the query has no matrix"))
	}
	rows, n := q.X.Dims()
	if v := s.options.Outputs; len(q.Y) != rows*v || rows == 0 {
		return placed(q, fmt.Errorf("a query of %d rows and %d labels, of %d outputs", rows, len(q.Y), v))
	}
	if before, twice := s.names[key]; twice {
		return s.twice(q, before)
	}
	if err := cmp.Or(s.checkWidth(n), s.checkKept(rows, n)); err != nil {
		return fault.As(fault.Memory, FaultMemory, at(q, err))
	}
	return nil
}

// twice is the error of a query that was added before.
func (s *Statistics) twice(q *data.Query, before addedQuery) error {
	first := place(s.sources[before.source].Name, int(before.line))
	text := fmt.Sprintf("the query %q comes twice", data.ClipText(q.ID))
	if first != "" {
		text += ", first in " + first
	}
	return &fault.Error{Kind: fault.Data, Code: FaultQueryTwice, Err: at(q, errors.New(text+": all rows of a query are added at once"))}
}

// register counts a query that is added; settle follows when its rows are summed.
func (s *Statistics) register(key queryKey, q *data.Query) {
	rows := len(q.Y) / s.options.Outputs
	source := s.source(q.Source)
	s.names[key] = addedQuery{source: uint32(source), rows: uint32(rows), line: lineOf(q.Line)}
	s.sources[source].Rows += int64(rows)
	s.sources[source].Queries++
	idle := s.options.idle(q.Y)
	s.idle.add(1, idle)
	if s.options.KeepQueries {
		s.kept.of[key] = keptQuery{alike: idle.Alike > 0}
	}
	_, n := q.X.Dims()
	s.inputs = max(s.inputs, n)
}

// settle keeps what summing a query tells of it.
func (s *Statistics) settle(key queryKey, of summedQuery) {
	q := s.names[key]
	q.content = of.content
	s.names[key] = q
	if of.statistics != nil {
		k := s.kept.of[key]
		k.statistics = of.statistics
		s.kept.of[key] = k
	}
}

// source is the number of a source, which is made where it is new.
func (s *Statistics) source(name string) int {
	if last := len(s.sources) - 1; last >= 0 && s.sources[last].Name == name {
		return last
	}
	i := slices.IndexFunc(s.sources, func(o Source) bool { return o.Name == name })
	if i < 0 {
		i = len(s.sources)
		s.sources = append(s.sources, Source{Name: name})
	}
	return i
}

// checkWidth refuses features so many that the sums of the folds do not fit into memory:
// those of all data and of a part.
func (s *Statistics) checkWidth(n int) error {
	if n <= s.widest {
		return nil
	}
	if err := s.options.checkMemory(n, s.options.memory(n)-s.options.memory(s.widest)); err != nil {
		return err
	}
	s.widest = n
	return nil
}

// Merge adds the statistics of o, of other queries, to s; o is not changed. The bits depend
// on the order of merging, by a relative 1e-31. It costs O(n²) a fold, and O(1) a query. It
// returns a *pairrank.Error, and leaves s as it is, where the options differ, and where a query is in
// both (FaultQueryTwice), with the sources of the two.
func (s *Statistics) Merge(o *Statistics) error {
	if err := s.sameOptions(o); err != nil {
		return err
	}
	if err := s.disjoint(o); err != nil {
		return err
	}
	if err := s.checkWidth(o.inputs); err != nil {
		return err
	}
	if err := s.statistics.Merge(o.statistics); err != nil {
		return fault.As(fault.Data, "", err)
	}
	number := make([]int, len(o.sources))
	for k, from := range o.sources {
		number[k] = s.source(from.Name)
		to := &s.sources[number[k]]
		to.Rows, to.Queries = to.Rows+from.Rows, to.Queries+from.Queries
	}
	for key, q := range o.names {
		q.source = uint32(number[q.source])
		s.names[key] = q
	}
	maps.Copy(s.kept.of, o.kept.of)
	s.kept.bytes += o.kept.bytes
	s.idle.add(1, o.idle)
	s.inputs = max(s.inputs, o.inputs)
	return nil
}

// disjoint refuses statistics that share queries with s.
func (s *Statistics) disjoint(o *Statistics) error {
	shared, least := 0, [2]int{}
	for key, q := range o.names {
		p, both := s.names[key]
		if !both {
			continue
		}
		// The least pair of sources, since a map has no order.
		pair := [2]int{int(p.source), int(q.source)}
		if shared == 0 || cmp.Or(cmp.Compare(pair[0], least[0]), cmp.Compare(pair[1], least[1])) < 0 {
			least = pair
		}
		shared++
	}
	if shared == 0 {
		return nil
	}
	what := "a query is"
	if shared > 1 {
		what = fmt.Sprintf("%d queries are", shared)
	}
	return &fault.Error{Kind: fault.Data, Code: FaultQueryTwice, Err: fmt.Errorf("%s in both %s and %s: all rows of a query are in one part",
		what, named(s.sources[least[0]].Name), named(o.sources[least[1]].Name))}
}

// QueryFold returns the fold, from 0, of the query with a name: the first eight bytes of the
// SHA-256 of the name, as a big-endian number, modulo folds. It panics unless folds is
// positive. Cost O(length of the name).
func QueryFold(id string, folds int) int {
	if folds < 1 {
		panic(fmt.Sprintf("stream: QueryFold of %d folds", folds))
	}
	return keyOfQuery(id).fold(folds)
}

// fold is that of QueryFold.
func (k queryKey) fold(folds int) int { return int(binary.BigEndian.Uint64(k[:8]) % uint64(folds)) }
