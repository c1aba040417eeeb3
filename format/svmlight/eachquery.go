package svmlight

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
)

// ErrNoQueries is wrapped by the *data.SyntaxError of EachQuery about rows without a qid.
var ErrNoQueries = errors.New("rows without a query")

// ErrQueryReturns is wrapped by the *data.SyntaxError of EachQuery about a query whose rows do
// not follow each other.
var ErrQueryReturns = errors.New("a query that had ended")

// EachQuery reads the file at path, plain or compressed by gzip or zstd, on all cores. It calls
// emit with one query after the other, in file order and from one goroutine at a time. The rows of
// a query must be contiguous.
//
// emit may keep the ID and Source of a query, and its Comments if these are kept. Matrix and labels
// are valid until emit returns, and emit may change them: their memory is reused. The matrix has as
// many columns as the largest index of the query, or Options.Features or MinFeatures where that is
// more; with StoreAuto it is dense where at least a quarter of its entries are not zero.
//
// A file of any size takes a few megabytes for each thread, up to three times the rows of its
// largest query, and 35 to 55 bytes for the name of each query.
//
// EachQuery returns the first error of emit, or
//
//   - a *data.SyntaxError where the text is not in the format; where rows have no qid (ErrNoQueries:
//     they
//     are one list, and ReadFile reads them); where a query returns after another one began
//     (ErrQueryReturns), with both places;
//   - an error for an Options.Missing of mean or least values, which need the whole file;
//   - an error for a query that does not fit into the free memory;
//   - the errors of the file, with its name, and that of ctx.
//
// Queries before the place of an error have been emitted.
func EachQuery(ctx context.Context, path string, opts Options, emit func(q data.Query) error) error {
	source, err := codec.Open(path)
	if err != nil {
		return err
	}
	return eachQueryUsual(ctx, source, opts, emit)
}

// EachQueryOf is EachQuery for a reader; errors call it name. When ctx ends while r blocks,
// it returns the error of ctx and a goroutine keeps waiting for r.
func EachQueryOf(ctx context.Context, r io.Reader, name string, opts Options, emit func(q data.Query) error) error {
	source, err := codec.NewReader(r, name)
	if err != nil {
		return err
	}
	return eachQueryUsual(ctx, source, opts, emit)
}

// eachQueryUsual is eachQuery in blocks of the usual size, or as memory allows.
func eachQueryUsual(ctx context.Context, source *codec.Reader, opts Options, emit func(q data.Query) error) error {
	block, err := blockSize(source.Name())
	if err != nil {
		return errors.Join(err, source.Close())
	}
	return eachQuery(ctx, source, opts, block, emit)
}

// eachQuery reads the source to its end, in blocks of so many bytes, and closes it.
func eachQuery(ctx context.Context, source *codec.Reader, opts Options, size int, emit func(q data.Query) error) error {
	if opts.Missing == data.MissingMean || opts.Missing == data.MissingMin || opts.Missing == data.MissingOwn {
		source.Close()
		return fmt.Errorf("%s: reading query by query cannot replace missing values by the %s of their feature, "+
			"which needs the whole file: use zero", source.Name(), opts.Missing)
	}
	opts.KeepNotes = false
	s := &querySplitter{name: source.Name(), opts: opts, emit: emit, seen: map[nameKey]int{}}
	if err := eachBlock(ctx, source, opts, size, s.add); err != nil {
		return err
	}
	if !s.begun {
		return noRows(s.name, s.lines)
	}
	return s.end()
}

// nameKey identifies the name of a query: among a billion names two collide with a probability
// below 10⁻²⁰.
type nameKey [16]byte

func keyOf(name string) (k nameKey) {
	sum := sha256.Sum256([]byte(name))
	copy(k[:], sum[:])
	return k
}

// querySplitter cuts blocks into queries.
type querySplitter struct {
	name string
	opts Options
	emit func(q data.Query) error

	lines int             // of the blocks so far
	begun bool            // a row was read
	seen  map[nameKey]int // the line where each query begins
	open  queryRows       // the query at the end of the blocks so far
	own   queryMemory     // the memory of open
	used  queryMemory     // of the query being emitted
}

// queryRows is rows of a query as they are parsed.
type queryRows struct {
	id             string
	line           int
	width, nonzero int
	y              []float64
	ends           []int // of the values of each row, see start
	start          int   // values before the first row
	cols           []int32
	vals           []float64
	comments       []string
}

// queryMemory is memory that is used again.
type queryMemory struct {
	y, vals []float64
	ends    []int
	cols    []int32
}

// add emits the queries that end in the next block, or returns the first error in it.
func (s *querySplitter) add(b *block) error {
	if len(b.labels) > 0 {
		s.begun = true
		if len(b.runs) == 0 {
			return s.noQuery(b)
		}
	}
	for i, r := range b.runs {
		last := len(b.labels)
		if i+1 < len(b.runs) {
			last = b.runs[i+1].row
		}
		if err := s.addRun(b, r, last); err != nil {
			return err
		}
	}
	if b.fault != nil {
		return b.fault.at(s.name, s.lines+b.lines)
	}
	s.lines += b.lines
	return nil
}

// noQuery is the error of a block whose rows have no qid.
func (s *querySplitter) noQuery(b *block) error {
	if len(s.seen) > 0 {
		return b.mixed.at(s.name, s.lines+b.firstLine)
	}
	return &data.SyntaxError{File: s.name, Line: s.lines + b.firstLine, Col: 1, Err: ErrNoQueries,
		Msg: "row without a qid: reading query by query needs a qid in every row; rows without qid are one list, " +
			"which is read as a whole"}
}

// addRun takes rows of one query, which may go on with the open one. A query that does not
// reach the end of the block is emitted from the memory of the block.
func (s *querySplitter) addRun(b *block, r run, last int) error {
	id, line := b.ids[r.query], s.lines+r.line
	goesOn := s.open.y != nil && s.open.id == id
	if !goesOn {
		if err := s.end(); err != nil {
			return err
		}
		key := keyOf(id)
		if first, again := s.seen[key]; again {
			return &data.SyntaxError{File: s.name, Line: line, Col: r.col, Text: data.ClipText("qid:" + id),
				Err: ErrQueryReturns,
				Msg: fmt.Sprintf("the query began in line %d and had ended: reading query by query needs the rows "+
					"of a query to be contiguous", first)}
		}
		s.seen[key] = line
		const some, perQuery = 1 << 16, 55
		if n := len(s.seen); n%some == 0 {
			err := memory.Ask(2*perQuery*float64(n), fmt.Sprintf("the names of more than %d queries", n))
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	rows := b.rowsOf(r, last, s.opts.KeepComments)
	rows.id, rows.line = id, line
	if !goesOn && last < len(b.labels) {
		return s.emitRows(&rows)
	}
	return s.keep(&rows)
}

// rowsOf is the rows of a run, up to row last, in the memory of the block.
func (b *block) rowsOf(r run, last int, comments bool) queryRows {
	rows := queryRows{width: r.width, nonzero: r.nonzero, y: b.labels[r.row:last], ends: b.ends[r.row:last],
		cols: b.cols, vals: b.vals}
	if r.row > 0 {
		rows.start = b.ends[r.row-1]
	}
	if comments {
		from := 0
		if r.row > 0 {
			from = b.textEnd[r.row-1]
		}
		for _, end := range b.textEnd[r.row:last] {
			rows.comments = append(rows.comments, string(b.texts[from:end]))
			from = end
		}
	}
	return rows
}

// keep appends rows to the open query, or begins one with them.
func (s *querySplitter) keep(rows *queryRows) error {
	o, m := &s.open, &s.own
	if o.y == nil {
		*o = queryRows{id: rows.id, line: rows.line}
		m.y, m.ends, m.cols, m.vals = m.y[:0], m.ends[:0], m.cols[:0], m.vals[:0]
	}
	end := rows.ends[len(rows.ends)-1]
	const perValue, perRow, growing = 12, 16, 3 // as slices grow, the old and the new are there
	if err := s.fits(rows,
		growing*(perValue*float64(len(m.vals)+end-rows.start)+perRow*float64(len(m.y)+len(rows.y)))); err != nil {
		return err
	}
	at := len(m.vals) - rows.start
	m.y = append(m.y, rows.y...)
	for _, end := range rows.ends {
		m.ends = append(m.ends, at+end)
	}
	m.cols, m.vals = append(m.cols, rows.cols[rows.start:end]...), append(m.vals, rows.vals[rows.start:end]...)
	o.width, o.nonzero = max(o.width, rows.width), o.nonzero+rows.nonzero
	o.y, o.ends, o.cols, o.vals = m.y, m.ends, m.cols, m.vals
	o.comments = append(o.comments, rows.comments...)
	return nil
}

// fits returns an error where a query needs more bytes than are free.
func (s *querySplitter) fits(q *queryRows, need float64) error {
	if free, beyond := memory.Beyond(need); beyond {
		name, need, free := data.ClipText(q.id), memory.Size(need), memory.Size(free)
		const format = "%s:%d: query %q needs about %s of memory, but only %s are free: " +
			"a query is held in memory as a whole"
		return &memory.Lack{Err: fmt.Errorf(format, s.name, q.line, name, need, free)}
	}
	return nil
}

// end emits the open query.
func (s *querySplitter) end() error {
	if s.open.y == nil {
		return nil
	}
	q := s.open
	s.open = queryRows{}
	return s.emitRows(&q)
}

// emitRows hands a query on.
func (s *querySplitter) emitRows(q *queryRows) error {
	x, err := s.matrix(q)
	if err != nil {
		return err
	}
	censored := s.opts.timesOf(q.y)
	return s.emit(data.Query{ID: q.id, X: x, Y: q.y, Censored: censored, Comments: q.comments, Source: s.name,
		Line: q.line})
}
