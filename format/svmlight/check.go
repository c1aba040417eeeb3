package svmlight

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/blocks"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/internal/textline"
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

// Problem is something in a file that the user should check.
type Problem struct {
	Severity Severity
	data.SyntaxError
	Code     string // of a doubt about the rows, "" for others
	Features bool   // a warning of features, which data.Set.Doubts names one by one
}

// LabelCount is how many rows have a label.
type LabelCount struct {
	Label float64
	Rows  int
}

// maxLabels is the number of distinct labels that a Summary lists.
const maxLabels = 20

// Summary holds the counts of a file. Rows with an error are not counted.
type Summary struct {
	Lines, Rows, Features, Queries int
	HasQID                         bool
	Values, Nonzero                int     // values written in the text, and those that are not zero
	Missing                        int     // values that are missing
	Density                        float64 // Nonzero over Rows·Features
	Labels                         []LabelCount
	DistinctLabels                 int // more than maxLabels when Labels is only the smallest of them
	MinLabel, MaxLabel             float64
	MinValue, MaxValue             float64 // over all entries, those left out as 0
	Errors, Warnings               int     // found, also those past the listed ones
}

// Check reads a whole file, plain or compressed, on all cores. It returns up to limit of its errors
// (all when limit <= 0) with their places, several a line where there are several, followed by its
// warnings, one of each kind with a count and the first place: queries of one row, queries with one
// label, all labels equal, constant features, equal rows in a query, queries that are not
// contiguous.
//
// The cost is linear in the size of the file; the memory is about 40 bytes a row, 24 a feature and
// thread, and a few megabytes. The result does not depend on the number of threads. err is the
// error of reading; problems and summary then cover what could be read.
func Check(r io.Reader, name string, opts Options, limit int) ([]Problem, Summary, error) {
	size, err := blockSize(name)
	if err != nil {
		return nil, Summary{}, err
	}
	return checkIn(size, r, name, opts, limit)
}

// checkIn is Check in blocks of so many bytes.
func checkIn(size int, r io.Reader, name string, opts Options, limit int) ([]Problem, Summary, error) {
	source, err := codec.NewReader(r, name)
	if err != nil {
		return nil, Summary{}, err
	}
	c := newChecker(name, opts, limit)
	workers := make([]*lineChecker, parallel.Workers())
	cutter := &blocks.Cutter{From: source, Size: size, Longest: endingLine(opts.maxLine()) - 1, DropsLong: true}
	err = blocks.Read(source, cutter, len(workers), newBlock, func(w int) func(b *block) {
		workers[w] = newLineChecker(c)
		return workers[w].check
	}).Each(context.Background(), c.take)
	for _, w := range workers {
		c.add(w)
	}
	return c.finish(err)
}

// lineStep is the unit in which the length of a line is measured where it may end the check.
const lineStep = 256 << 10

// endingLine is the length from which a line ends the check, since such a file may not be text. A
// shorter line above the limit is one error among others.
func endingLine(longest int) int { return lineStep * (longest/lineStep + 1) }

// checker collects what Check reports, from blocks in file order.
type checker struct {
	name     string
	opts     Options
	grammar  grammar
	limit    int
	line     int // lines of the blocks so far
	problems []Problem
	sum      Summary
	labels   map[float64]int
	queries  map[string]*queryFacts
	seen     map[rowHash]struct{}
	features featureFacts
	warnings map[string]*warning
	first    *firstRow
	unasked  int // rows without reserved memory; larger items count as ten
}

func newChecker(name string, opts Options, limit int) *checker {
	return &checker{
		name: name, opts: opts, grammar: newGrammar(opts), limit: limit, labels: map[float64]int{},
		queries: map[string]*queryFacts{},
		seen:    map[rowHash]struct{}{}, features: newFeatureFacts(), warnings: map[string]*warning{},
		first: newFirstRow(), sum: newTally(opts),
	}
}

// newTally returns the counts of no rows.
func newTally(opts Options) Summary {
	return Summary{Features: opts.leastFeatures(), MinLabel: math.Inf(1), MaxLabel: math.Inf(-1),
		MinValue: math.Inf(1), MaxValue: math.Inf(-1)}
}

// take adds the next block of the file: the facts that depend on the order of the rows.
func (c *checker) take(b *block) error {
	if err := c.ask(b); err != nil {
		return err
	}
	found := &b.checked
	for _, p := range found.problems {
		if c.limit <= 0 || len(c.problems) < c.limit {
			p.Line += c.line
			c.problems = append(c.problems, p)
		}
	}
	for _, q := range found.queries {
		c.takeQuery(q)
	}
	for _, row := range found.rows {
		if _, again := c.seen[row.hash]; again {
			c.count("equal", c.line+row.line, found.queries[row.query].id)
		}
		c.seen[row.hash] = struct{}{}
	}
	c.sum.Errors += found.errors
	c.sum.Rows += len(found.rows)
	c.line += b.lines
	c.first.pass(b.Number)
	if b.Dropped {
		return textline.LongLine(c.name, c.line+1, c.grammar.longest)
	}
	return nil
}

// ask reserves memory for the facts kept of a block. When a table grows, a row takes twice as much
// as usual, briefly three times; a fault or a query takes more.
func (c *checker) ask(b *block) error {
	const step, perRow, perOther = 1 << 17, 40, 500
	c.unasked += len(b.checked.rows) + 10*(len(b.checked.queries)+len(b.checked.problems))
	if c.unasked < step {
		return nil
	}
	c.unasked = 0
	need := 2*perRow*float64(len(c.seen)) + perOther*float64(len(c.queries)+len(c.problems))
	if err := memory.Ask(need, "the facts of "+memory.Rows(c.sum.Rows)); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// add adds the counts of a goroutine; the order of the rows does not matter.
func (c *checker) add(w *lineChecker) {
	s, t := &c.sum, &w.sum
	s.Values += t.Values
	s.Nonzero += t.Nonzero
	s.Missing += t.Missing
	s.Features = max(s.Features, t.Features)
	s.MinLabel, s.MaxLabel = min(s.MinLabel, t.MinLabel), max(s.MaxLabel, t.MaxLabel)
	s.MinValue, s.MaxValue = min(s.MinValue, t.MinValue), max(s.MaxValue, t.MaxValue)
	for label, rows := range w.labels {
		c.labels[label] += rows
	}
	c.features.merge(w.features)
}

// finish adds the warnings and completes the summary.
func (c *checker) finish(readErr error) ([]Problem, Summary, error) {
	s := &c.sum
	s.Lines = c.line
	if s.Rows == 0 {
		s.MinLabel, s.MaxLabel, s.MinValue, s.MaxValue = 0, 0, 0, 0
		if s.Errors == 0 && readErr == nil {
			readErr = noRows(c.name, c.line)
		}
		return c.problems, *s, readErr
	}
	s.HasQID = c.first.hasQID
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
	s.Labels = s.Labels[:min(len(s.Labels), maxLabels)]
	c.warn()
	return c.problems, *s, readErr
}

// place is where a warning points at.
func (c *checker) place(line int, text, format string, args ...any) Problem {
	col := 0
	if line > 0 {
		col = 1
	}
	return Problem{Severity: Warning, SyntaxError: data.SyntaxError{File: c.name, Line: line, Col: col, Text: text,
		Msg: fmt.Sprintf(format, args...)}}
}
