package stream

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/checksum"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// The errors of reading Statistics from bytes, for errors.Is.
var (
	ErrNotStatistics = errors.New("these are not statistics of queries")
	ErrVersion       = errors.New("the statistics are of a later version of the format")
	ErrTruncated     = errors.New("the statistics are cut off")
	ErrAltered       = errors.New("the statistics were altered: their checksum does not fit their content")
)

// The format, numbers little-endian:
//
//	magic, the version as decimal digits, and a line feed
//	uint64, and as many bytes: a fileHeader as JSON
//	uint64, and as many bytes: the rls.Statistics
//	of each source in order, for each query, ascending by name:
//	  the first 16 bytes of the SHA-256 of the name, its rows as uint32, and from version
//	  2 on its queryContent
//	if the sums of queries are kept, uint64, and as many bytes: for each query, in the
//	  same order, a byte, 1 if all of its labels are equal, and the rls.QueryStatistics
//	SHA-256 of all bytes before, 32 bytes
//
// Every version begins with the first line and ends with the SHA-256. Version 3 is of censored times, version 4 of
// weights of rows, version 5 of splines, and version 6 of tables, whose columns are known; earlier programs know none.
const (
	magic         = "pairrank statistics "
	formatVersion = 6
)

// formatVersions are the versions that are read, from 1.
var formatVersions = []string{"1", "2", "3", "4", "5", "6"}

// queryRecord is the number of bytes of a query in a version, without its sums.
func queryRecord(version int) int {
	if version == 1 {
		return len(queryKey{}) + 4
	}
	return len(queryKey{}) + 4 + len(queryContent{})
}

// fileHeader is the description of Statistics in a file.
type fileHeader struct {
	Regression  bool         `json:"regression,omitempty"`
	Cost        string       `json:"cost,omitempty"`
	Ties        string       `json:"ties,omitempty"`
	QueryWeight string       `json:"query_weight,omitempty"`
	Times       bool         `json:"times,omitempty"`
	ByCensoring bool         `json:"censoring_weights,omitempty"`
	Weights     bool         `json:"row_weights,omitempty"`
	Normalize   string       `json:"normalize"`
	Threshold   *float64     `json:"binarize,omitempty"`
	Outputs     int          `json:"outputs"`
	Folds       int          `json:"folds"`
	Names       []string     `json:"names,omitempty"`
	Columns     *data.Schema `json:"columns,omitempty"`
	KeepQueries bool         `json:"keep_queries,omitempty"`
	Map         *mappingJSON `json:"map,omitempty"`
	Inputs      int          `json:"inputs,omitempty"` // the width of the rows, if there is a map
	Sources     []sourceJSON `json:"sources"`
	Single      int64        `json:"single"`
	Alike       int64        `json:"alike"`
}

// sourceJSON is a Source. A name is bytes, which need not be UTF-8.
type sourceJSON struct {
	Name    []byte `json:"name"`
	Rows    int64  `json:"rows"`
	Queries int    `json:"queries"`
}

func (s *Statistics) header() fileHeader {
	o := &s.options
	h := fileHeader{Regression: o.Learner.Regression, Cost: string(o.Learner.Pairs.Cost), Ties: o.Learner.Pairs.Ties,
		QueryWeight: string(o.Learner.Pairs.Weight), Times: o.Times, ByCensoring: o.Learner.Pairs.CensoringWeights,
		Normalize: o.Normalize, Threshold: o.Threshold, Outputs: o.Outputs, Folds: o.Folds, Names: o.Names,
		Weights: o.Weights, Columns: o.Schema, KeepQueries: o.KeepQueries, Map: o.Map.json(), Sources: []sourceJSON{},
		Single: s.idle.Single, Alike: s.idle.Alike}
	for _, source := range s.sources {
		h.Sources = append(h.Sources, sourceJSON{[]byte(source.Name), source.Rows, source.Queries})
	}
	if o.Map != nil {
		h.Inputs = s.inputs
	}
	return h
}

// options are the options that the header describes.
func (h *fileHeader) options() (Options, error) {
	mapping, err := h.Map.mapping()
	return Options{Map: mapping, Normalize: h.Normalize, Threshold: h.Threshold, Outputs: h.Outputs,
		Folds: h.Folds, Names: h.Names, Schema: h.Columns, KeepQueries: h.KeepQueries, Times: h.Times, Weights: h.Weights,
		Learner: pairrank.LeastSquares{Regression: h.Regression, Pairs: pref.Options{Cost: pref.Cost(h.Cost),
			Ties: h.Ties, Weight: pref.Weight(h.QueryWeight), CensoringWeights: h.ByCensoring}}}, err
}

// AppendBinary appends the statistics to b in the form that UnmarshalBinary reads. Equal sums of equal queries
// have equal bytes: 8(n+v)(n+v+1) for each fold, 36 for each query, and the sums of single queries if they are
// kept. The error is nil.
func (s *Statistics) AppendBinary(b []byte) ([]byte, error) {
	header, err := json.Marshal(s.header())
	if err != nil {
		return b, err
	}
	start := len(b)
	b = fmt.Appendf(b, "%s%d\n", magic, s.options.version())
	b = append(binary.LittleEndian.AppendUint64(b, uint64(len(header))), header...)
	at := len(b)
	if b, err = s.statistics.AppendBinary(append(b, make([]byte, 8)...)); err != nil {
		return b[:start], err
	}
	binary.LittleEndian.PutUint64(b[at:], uint64(len(b)-at-8))
	keys := s.sortedKeys()
	for _, key := range keys {
		q := s.names[key]
		b = append(b, key[:]...)
		b = binary.LittleEndian.AppendUint32(b, q.rows)
		b = append(b, q.content[:]...)
	}
	if s.options.KeepQueries {
		b = s.appendKept(b, keys)
	}
	return checksum.Append(b, start), nil
}

// version is the version of the format of statistics with such options.
func (o *Options) version() int {
	switch {
	case o.Schema != nil:
		return formatVersion
	case o.Map.knots() != nil:
		return 5
	case o.Weights:
		return 4
	case o.Times:
		return 3
	}
	return 2
}

// MarshalBinary returns the bytes of AppendBinary.
func (s *Statistics) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// sortedKeys are the queries of each source, in order.
func (s *Statistics) sortedKeys() []queryKey {
	keys := make([]queryKey, 0, len(s.names))
	for key := range s.names {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b queryKey) int {
		return cmp.Or(cmp.Compare(s.names[a].source, s.names[b].source), bytes.Compare(a[:], b[:]))
	})
	return keys
}

// UnmarshalBinary sets s to the statistics that AppendBinary wrote, to the last bit. For any other bytes it
// leaves s unchanged and returns an error that wraps ErrNotStatistics, ErrVersion, ErrTruncated or ErrAltered.
// It allocates in proportion to len(b).
func (s *Statistics) UnmarshalBinary(b []byte) error {
	content, version, err := checked(b)
	if err != nil {
		return err
	}
	next, err := read(content, version)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAltered, err)
	}
	*s = *next
	return nil
}

// checked returns the bytes between the first line and the checksum, and the version.
func checked(b []byte) (content []byte, version int, err error) {
	known := min(len(b), len(magic))
	if string(b[:known]) != magic[:known] {
		return nil, 0, ErrNotStatistics
	}
	if known < len(magic) {
		return nil, 0, fmt.Errorf("%w: %d bytes", ErrTruncated, len(b))
	}
	line, rest, ended := bytes.Cut(b[len(magic):], []byte("\n"))
	version = slices.Index(formatVersions, string(line)) + 1
	switch sound := ended && checksum.Holds(b); {
	case sound && version == 0:
		return nil, 0, fmt.Errorf("%w: %q, and this program reads up to %d", ErrVersion, line,
			formatVersion)
	case sound:
		return rest[:len(rest)-checksum.Size], version, nil
	case !ended || version > 0 && !complete(rest, version):
		return nil, 0, fmt.Errorf("%w: %d bytes", ErrTruncated, len(b))
	}
	return nil, 0, ErrAltered
}

// complete reports whether there are as many bytes as the parts announce.
func complete(b []byte, version int) bool {
	header, rest, err := block(b)
	if err != nil {
		return false
	}
	var h fileHeader
	if json.Unmarshal(header, &h) != nil {
		return true // altered, not truncated
	}
	if _, rest, err = block(rest); err != nil {
		return false
	}
	need := float64(checksum.Size)
	for _, source := range h.Sources {
		need += float64(queryRecord(version)) * float64(source.Queries)
	}
	if !h.KeepQueries || float64(len(rest)) < need {
		return float64(len(rest)) >= need
	}
	_, rest, err = block(rest[int(need)-checksum.Size:])
	return err == nil && len(rest) >= checksum.Size
}

// block splits b into the content, whose length a number before it gives, and the rest.
func block(b []byte) (content, rest []byte, err error) {
	if len(b) < 8 {
		return nil, nil, errors.New("a length is missing")
	}
	n := binary.LittleEndian.Uint64(b)
	if b = b[8:]; n > uint64(len(b)) {
		return nil, nil, fmt.Errorf("%d bytes of %d", len(b), n)
	}
	return b[:n], b[n:], nil
}

// read reads the bytes between the first line and the checksum.
func read(b []byte, version int) (*Statistics, error) {
	header, rest, err := block(b)
	if err != nil {
		return nil, err
	}
	var h fileHeader
	decoder := json.NewDecoder(bytes.NewReader(header))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&h); err != nil {
		return nil, err
	}
	statistics, rest, err := block(rest)
	if err != nil {
		return nil, err
	}
	o, err := h.options()
	if err == nil {
		o, err = o.Resolved()
	}
	if err != nil {
		return nil, err
	}
	s := empty(o, &rls.Statistics{})
	s.idle = idleCounts{h.Single, h.Alike}
	if err := s.statistics.UnmarshalBinary(statistics); err != nil {
		return nil, err
	}
	if err := s.consistentOptions(version); err != nil {
		return nil, err
	}
	s.inputs = s.statistics.Features()
	if o.Map != nil {
		s.inputs = h.Inputs
	}
	s.widest = s.inputs
	if rest, err = s.readNames(h.Sources, rest, version); err != nil {
		return nil, err
	}
	if o.KeepQueries {
		var kept []byte
		if kept, rest, err = block(rest); err == nil {
			err = s.readKept(kept)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(rest) != 0 {
		return nil, fmt.Errorf("%d bytes too many", len(rest))
	}
	return s, s.consistent(header)
}

// consistentOptions refuses sums of other options than the file says, and a version that is not that of its labels.
func (s *Statistics) consistentOptions(version int) error {
	o := s.options
	if want, err := o.statistics().Resolved(); err != nil || s.statistics.Options() != want {
		return errors.New("the sums are of other options")
	}
	if max(version, 2) != o.version() { // 1 is of the rows of 2
		return errors.New("the version is that of times, weights, splines or tables, or is not, and the rows are others")
	}
	return nil
}

// readNames reads the queries of the sources, and returns the bytes after them.
func (s *Statistics) readNames(sources []sourceJSON, b []byte, version int) (rest []byte, err error) {
	record := queryRecord(version)
	for k, from := range sources {
		source := Source{Name: string(from.Name), Rows: from.Rows, Queries: from.Queries}
		if source.Queries < 1 || source.Queries > len(b)/record {
			return nil, fmt.Errorf("%d queries of a source in %d bytes", source.Queries, len(b))
		}
		rows, last := int64(0), queryKey{}
		for n := range source.Queries {
			var key queryKey
			copy(key[:], b)
			if n > 0 && bytes.Compare(key[:], last[:]) <= 0 {
				return nil, errors.New("the queries of a source do not ascend")
			}
			last = key
			q := addedQuery{source: uint32(k), rows: binary.LittleEndian.Uint32(b[len(key):])}
			copy(q.content[:], b[len(key)+4:record])
			b, rows = b[record:], rows+int64(q.rows)
			s.names[key] = q
		}
		if rows != source.Rows || s.source(source.Name) != k {
			return nil, fmt.Errorf("a source of %d rows has queries of %d, or there are two of its name", source.Rows,
				rows)
		}
		s.sources[k] = source
	}
	return b, nil
}

// consistent refuses counts that contradict each other, and a header that AppendBinary would write differently.
func (s *Statistics) consistent(header []byte) error {
	rows, queries := int64(0), int64(0)
	for _, source := range s.sources {
		if source.Rows > math.MaxInt64-rows {
			return errors.New("the rows overflow")
		}
		rows, queries = rows+source.Rows, queries+int64(source.Queries)
	}
	if rows != s.statistics.Rows() || queries != s.statistics.Queries() || int(queries) != len(s.names) {
		return fmt.Errorf("the sources have %d rows and %d queries, and the sums %d and %d", rows, queries,
			s.statistics.Rows(), s.statistics.Queries())
	}
	if s.idle.Single < 0 || s.idle.Alike < 0 || s.idle.Single > queries-s.idle.Alike {
		return errors.New("more queries compare nothing than there are")
	}
	if n := s.statistics.Features(); s.inputs < 0 || s.options.Map.width(s.inputs) < n {
		return fmt.Errorf("sums of %d features of rows of %d", n, s.inputs)
	}
	if again, err := json.Marshal(s.header()); err != nil || !bytes.Equal(again, header) {
		return errors.New("the header is not as it is written")
	}
	return nil
}
