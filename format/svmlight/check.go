package svmlight

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/codec"
)

// Severity says whether a Problem keeps a file from being read.
type Severity int

const (
	Error   Severity = iota // the text is not in the format
	Warning                 // readable, but probably not meant
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Problem is something in a file that the user should look at.
type Problem struct {
	Severity Severity
	SyntaxError
}

// LabelCount is how many rows have a label.
type LabelCount struct {
	Label float64
	Rows  int
}

// MaxLabels is the number of distinct labels that a Summary lists.
const MaxLabels = 20

// Summary holds the counts of a file. Rows with an error are not counted.
type Summary struct {
	Lines, Rows, Features, Queries int
	HasQID                         bool
	Values, Nonzero                int     // values written in the text, and those that are not zero
	Missing                        int     // values that are missing
	Density                        float64 // Nonzero over Rows·Features
	Labels                         []LabelCount
	DistinctLabels                 int // more than MaxLabels when Labels is only the smallest of them
	MinLabel, MaxLabel             float64
	MinValue, MaxValue             float64 // over all entries, those left out as 0
	Errors, Warnings               int     // found, also those past the listed ones
}

// Check reads a whole file, plain or compressed, and returns up to limit of its errors
// (all, where limit is 0 or less) with their places, several a line where there are, then
// its warnings, one of each kind with a count and the first place: queries of one row,
// queries with one label, all labels equal, constant features, equal rows in a query,
// queries that are not contiguous. The cost is linear in the size of the file, and the
// memory some 40 bytes a row and 24 a feature. The error is that of reading: then
// problems and summary are about what could be read.
func Check(r io.Reader, name string, opts Options, limit int) ([]Problem, Summary, error) {
	c := newChecker(name, opts, limit)
	source, err := codec.NewReader(r, name)
	if err != nil {
		return nil, Summary{}, err
	}
	defer source.Close()
	lines := &Reader{lines: bufio.NewReaderSize(source, lineBuffer), name: name, grammar: c.grammar}
	for {
		line, err := lines.nextLine()
		if err == io.EOF {
			break
		}
		if err != nil {
			return c.finish(err)
		}
		c.line++
		c.checkLine(line)
	}
	return c.finish(nil)
}

// checker gathers what Check reports.
type checker struct {
	name     string
	grammar  grammar
	limit    int
	line     int
	row      fields
	problems []Problem
	sum      Summary
	labels   map[float64]int
	queries  map[string]*queryFacts
	seen     map[rowHash]struct{}
	hashed   []byte
	features featureFacts
	warnings map[string]*warning
}

func newChecker(name string, opts Options, limit int) *checker {
	g := newGrammar(opts)
	return &checker{
		name: name, grammar: g, limit: limit, labels: map[float64]int{}, queries: map[string]*queryFacts{},
		seen: map[rowHash]struct{}{}, features: featureFacts{rare: map[int32]*featureFact{}}, warnings: map[string]*warning{},
		sum: Summary{Features: opts.leastFeatures(), MinValue: math.Inf(1), MaxValue: math.Inf(-1)},
	}
}

// checkLine reads one line past every fault in it.
func (c *checker) checkLine(line []byte) {
	row := &c.row
	row.qid, row.comment, row.missing = nil, nil, false
	row.cols, row.vals = row.cols[:0], row.vals[:0]
	if f := c.grammar.inside(line, 0); f != nil {
		c.fault(f)
		return
	}
	i := skipBlanks(line, 0)
	if i == len(line) || line[i] == '#' {
		return
	}
	before := c.sum.Errors
	i, f := c.grammar.label(line, i, row)
	if f != nil {
		c.fault(f)
		if next := skipBlanks(line, i); next < len(line) && hasQID(line[next:]) {
			if i = fieldEnd(line, next); i > next+len(qidPrefix) {
				row.qid, row.qidAt = line[next+len(qidPrefix):i], next
			}
		}
	}
	last := int32(-1)
	for {
		var end int
		if end, f = c.grammar.values(line, i, last, row); f == nil {
			break
		}
		c.fault(f)
		if n := len(row.cols); n > 0 {
			last = row.cols[n-1]
		}
		i = end
	}
	if c.sum.Errors == before {
		c.checkRow(line)
	}
}

func hasQID(line []byte) bool {
	return len(line) >= len(qidPrefix) && string(line[:len(qidPrefix)]) == string(qidPrefix)
}

func (c *checker) fault(f *fault) {
	c.sum.Errors++
	if c.limit <= 0 || len(c.problems) < c.limit {
		c.problems = append(c.problems, Problem{Error, *f.at(c.name, c.line)})
	}
}

// checkRow counts a row that has no fault of its own.
func (c *checker) checkRow(line []byte) {
	row := &c.row
	if c.sum.Rows == 0 {
		c.sum.HasQID = row.qid != nil
		c.sum.MinLabel, c.sum.MaxLabel = row.label, row.label
	} else if c.sum.HasQID != (row.qid != nil) {
		c.fault(mixedFault(line, row))
		return
	}
	c.sum.Rows++
	c.sum.MinLabel, c.sum.MaxLabel = min(c.sum.MinLabel, row.label), max(c.sum.MaxLabel, row.label)
	c.labels[row.label]++
	c.sum.Values += len(row.vals)
	if n := len(row.cols); n > 0 {
		c.sum.Features = max(c.sum.Features, int(row.cols[n-1])+1)
	}
	for k, j := range row.cols {
		c.checkValue(j, row.vals[k])
	}
	c.checkQuery()
}

func (c *checker) checkValue(j int32, x float64) {
	if math.IsNaN(x) {
		c.sum.Missing++
		if c.grammar.missing != data.MissingZero {
			return
		}
		x = 0
	}
	if x != 0 {
		c.sum.Nonzero++
	}
	c.sum.MinValue, c.sum.MaxValue = min(c.sum.MinValue, x), max(c.sum.MaxValue, x)
	c.features.add(j, x)
}

// finish adds the warnings and completes the summary.
func (c *checker) finish(readErr error) ([]Problem, Summary, error) {
	s := &c.sum
	s.Lines = c.line
	if s.Rows == 0 {
		s.MinValue, s.MaxValue = 0, 0
		if s.Errors == 0 && readErr == nil {
			readErr = noRows(c.name, c.line)
		}
		return c.problems, *s, readErr
	}
	if s.Values < s.Rows*s.Features {
		s.MinValue, s.MaxValue = min(s.MinValue, 0), max(s.MaxValue, 0)
	}
	if s.Features == 0 {
		s.MinValue, s.MaxValue = 0, 0
	} else {
		s.Density = float64(s.Nonzero) / (float64(s.Rows) * float64(s.Features))
	}
	s.Queries = max(1, len(c.queries))
	s.DistinctLabels = len(c.labels)
	for label, rows := range c.labels {
		s.Labels = append(s.Labels, LabelCount{label, rows})
	}
	slices.SortFunc(s.Labels, func(a, b LabelCount) int {
		if a.Label < b.Label {
			return -1
		}
		return 1
	})
	s.Labels = s.Labels[:min(len(s.Labels), MaxLabels)]
	c.warn()
	return c.problems, *s, readErr
}

// place is where a warning points at.
func (c *checker) place(line int, text, format string, args ...any) Problem {
	col := 0
	if line > 0 {
		col = 1
	}
	return Problem{Warning, SyntaxError{File: c.name, Line: line, Col: col, Text: text, Msg: fmt.Sprintf(format, args...)}}
}

// Count is the summary of rows that were read, from text or a table: their rows, features,
// queries, entries that are not zero and distinct labels. It has no lines and no problems.
// It takes O(m + entries).
func Count(s *data.Set) Summary {
	m, n := s.X.Dims()
	sum := Summary{Rows: m, Features: n, Queries: s.Queries.Len(), HasQID: s.HasQID, Density: data.Density(s.X)}
	sum.Nonzero = int(math.Round(sum.Density * float64(m) * float64(n)))
	labels := map[float64]bool{}
	for _, y := range s.Y {
		labels[y] = true
	}
	sum.DistinctLabels = len(labels)
	return sum
}
