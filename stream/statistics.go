package stream

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/learn/rls"
)

// Statistics are sums over queries, from which RankRLS and plain least squares are trained (see
// rls.Statistics), and the names of the queries. For n features they take 8n² bytes a fold, for any number of
// rows, and 60 to 100 bytes a query. For each query they keep the first 16 bytes of the SHA-256 of its name, to
// refuse a query that comes twice, and a hash of its rows, in any order, to check a query that is forgotten.
// They are not safe for concurrent use.
type Statistics struct {
	options    Options
	statistics *rls.Statistics
	names      map[queryKey]addedQuery
	sources    []Source
	idle       idleCounts
	widest     int // number of features that memory is allocated for
	inputs     int // the width of the widest query
	kept       keptQueries
	told       string // how the knots of a spline were found, if Sum found them
}

// Source is the origin of queries: a file, or a part of the data.
type Source struct {
	Name    string
	Rows    int64
	Queries int
}

// addedQuery is a query that was added.
type addedQuery struct {
	source, rows uint32
	line         uint32 // the line where the query began; 0 if unknown
	content      queryContent
}

// idleCounts count the queries with nothing to compare: with one row, or with one label or no comparable times.
type idleCounts struct{ Single, Alike int64 }

// New returns the statistics of no query. It costs O(b³) for a Map with b basis rows. It returns a
// *fault.Error for options that are unknown, out of range or contradict each other, for folds or a map of
// basis rows that do not fit into memory, and for a singular map.
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
	o.Monitor = event.Monitor{}
	return &Statistics{options: o, statistics: statistics, names: map[queryKey]addedQuery{},
		kept: keptQueries{of: map[queryKey]keptQuery{}}}
}

// Options returns the options, with their defaults filled in.
func (s *Statistics) Options() Options { return s.options }

// Rows returns the number of rows that were added.
func (s *Statistics) Rows() int64 { return s.statistics.Rows() }

// Queries returns the number of queries that were added.
func (s *Statistics) Queries() int { return len(s.names) }

// Pairs returns the number of compared pairs; 0 for regression.
func (s *Statistics) Pairs() int64 { return s.statistics.Pairs() }

// Features returns n, the width of the widest query, or of the basis rows or the knots of a Map.
func (s *Statistics) Features() int { return max(s.inputs, s.options.Map.least()) }

// width is the number of weights: of features of the map, or of the rows.
func (s *Statistics) width() int {
	if s.options.Map != nil {
		return s.statistics.Features()
	}
	return s.inputs
}

// Sources returns the origins of the queries, in the order of adding.
func (s *Statistics) Sources() []Source { return slices.Clone(s.sources) }

// Add adds a query, normalised and with the labels that the options ask for. It neither changes nor keeps q. It
// costs O(m_q n²) for m_q rows. It returns a *fault.Error, and leaves the statistics unchanged, for a query
// without rows or with another number of labels, for values that are not finite or too large to be multiplied,
// for sums that do not fit into memory, and for a query that was added before (codes.FaultQueryTwice), with both
// places. Rows of weight 0 are left out, and a query in which no other is.
func (s *Statistics) Add(q data.Query) error {
	key := keyOfQuery(q.ID)
	q, some, err := s.options.present(q)
	if err != nil || !some {
		return err
	}
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

// admit refuses a query by its size or its name.
func (s *Statistics) admit(key queryKey, q *data.Query) error {
	if q.X == nil {
		return placed(q, errors.New("the query has no matrix"))
	}
	rows, n := q.X.Dims()
	if v := s.options.Outputs; len(q.Y) != rows*v || rows == 0 {
		return placed(q, fmt.Errorf("a query of %d rows and %d labels, of %d outputs", rows, len(q.Y), v))
	}
	if err := s.options.checkTimes(q); err != nil {
		return placed(q, err)
	}
	if before, twice := s.names[key]; twice {
		return s.twice(q, before)
	}
	if err := cmp.Or(s.checkWidth(n), s.checkKept(rows, n)); err != nil {
		return fault.As(fault.Memory, codes.FaultStatisticsMemory, at(q, err))
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
	return &fault.Error{Kind: fault.Data, Code: codes.FaultQueryTwice,
		Err: at(q, errors.New(text+": all rows of a query are added at once"))}
}

// register counts a query that is being added; settle follows when its rows are summed.
func (s *Statistics) register(key queryKey, q *data.Query) {
	rows := len(q.Y) / s.options.Outputs
	source := s.source(q.Source)
	s.names[key] = addedQuery{source: uint32(source), rows: uint32(rows), line: lineOf(q.Line)}
	s.sources[source].Rows += int64(rows)
	s.sources[source].Queries++
	idle := s.options.idle(q.Y, q.Censored)
	s.idle.add(1, idle)
	if s.options.KeepQueries {
		s.kept.of[key] = keptQuery{alike: idle.Alike > 0}
	}
	_, n := q.X.Dims()
	s.inputs = max(s.inputs, n)
}

// settle keeps the result of summing a query.
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

// source is the number of a source, which may be new.
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

// checkWidth refuses features if the sums of the folds, for all data and for a part, do not fit into memory.
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

// Merge adds the statistics of o, which has other queries, to s; o is not changed. The order of merging changes
// the sums by a relative 1e-31. It costs O(n²) a fold, and O(1) a query. It returns a *fault.Error, and
// leaves s unchanged, if the options differ, or if a query is in both (codes.FaultQueryTwice), with the sources of
// the two.
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
	if s.options.Schema == nil && o.options.Schema != nil { // parts of one Sum read them meanwhile, and have the same
		s.options.Schema = o.options.Schema
	}
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
	return &fault.Error{Kind: fault.Data, Code: codes.FaultQueryTwice,
		Err: fmt.Errorf("%s in both %s and %s: all rows of a query are in one part",
			what, named(s.sources[least[0]].Name), named(o.sources[least[1]].Name))}
}

// queryFold returns the fold, from 0, of the query with a name: the first eight bytes of the SHA-256 of the
// name, as a big-endian number, modulo folds. It panics unless folds is positive. It costs O(length of the
// name).
func queryFold(id string, folds int) int {
	if folds < 1 {
		panic(fmt.Sprintf("stream: QueryFold of %d folds", folds))
	}
	return keyOfQuery(id).fold(folds)
}

// fold is the fold that QueryFold returns.
func (k queryKey) fold(folds int) int { return int(binary.BigEndian.Uint64(k[:8]) % uint64(folds)) }
