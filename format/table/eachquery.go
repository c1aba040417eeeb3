package table

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"pairrank/data"
	"pairrank/internal/memory"
)

// ErrNoQueries is wrapped by the *data.SyntaxError of EachQuery about a table without a column of
// queries.
var ErrNoQueries = errors.New("rows without a query")

// ErrQueryReturns is wrapped by the *data.SyntaxError of EachQuery about a query whose rows do not
// follow each other.
var ErrQueryReturns = errors.New("a query that had ended")

// EachQuery reads CSV or TSV text, or Parquet, as ReadSet does, and calls emit with one query after the other, in
// the order of the file. The rows of a query must follow each other. emit may keep the ID and Source
// of a query; its matrix, which is dense, and labels are valid until emit returns, and emit may
// change them.
//
// A file of any size takes a few megabytes, three times the rows of its largest query, and about 50
// bytes for the name of each query. Options that need all rows are errors: factors, labels that are
// texts, a Missing of mean or least values, Transpose.
//
// EachQuery returns the first error of emit; the errors of ReadSet; ErrNoQueries and ErrQueryReturns
// below a *data.SyntaxError; and that of ctx. Queries before the place of an error have been emitted.
func EachQuery(ctx context.Context, path string, opts Options, emit func(data.Query) error) error {
	return EachQueryTold(ctx, path, opts, emit, func(int64, int64) {})
}

// EachQueryTold is EachQuery that calls progress after each query and at the end, with the bytes of the file read so
// far and in all, −1 when unknown. For a compressed file both count compressed bytes. Of Parquet, whose pages lie by
// columns, it tells the end alone.
func EachQueryTold(ctx context.Context, path string, opts Options, emit func(data.Query) error,
	progress func(bytesDone, bytesTotal int64)) error {
	if f := rowsOf(path, opts); f != nil {
		err := f.EachQuery(ctx, path, byOptions{opts}, emit)
		if info, failed := os.Stat(path); err == nil && failed == nil {
			progress(info.Size(), info.Size())
		}
		return err
	}
	l, closeText, err := openText(path, opts.Separator, opts.MaxLine)
	if err != nil {
		return err
	}
	tell := func() { progress(l.source.Done(), l.source.Size()) }
	err = eachQuery(ctx, l, opts, func(q data.Query) error {
		tell()
		return emit(q)
	})
	if err == nil {
		tell()
	}
	return errors.Join(err, closeText())
}

// EachQueryFrom is EachQuery of a reader; errors call it name.
func EachQueryFrom(ctx context.Context, r io.Reader, name string, opts Options, emit func(data.Query) error) error {
	return eachQuery(ctx, textFrom(r, name, opts.Separator, opts.MaxLine), opts, emit)
}

// streamable returns an error about options, for the table called file, that need all rows.
func (o Options) streamable(file string) error {
	lacks := func(what string) error {
		return &data.SyntaxError{File: file, Msg: "reading query by query, " + what}
	}
	needAll := func(by data.Missing) bool {
		return by == data.MissingMean || by == data.MissingMin || by == data.MissingOwn
	}
	means := needAll(o.Missing)
	for _, by := range o.MissingIn {
		means = means || needAll(by)
	}
	switch {
	case means:
		return lacks("missing values cannot become the mean or least of their feature, or get a level, which needs all rows")
	case o.Factors != nil:
		return lacks("texts cannot become features: their levels are known after all rows")
	case o.Positive != "":
		return lacks("labels and events are numbers: texts are known to be two after all rows")
	case o.Transpose:
		return lacks("rows and columns cannot be exchanged")
	}
	return nil
}

// windowRows returns how many rows of so many features are held at a time: about 4 MB.
func windowRows(width int) int { return max(64, min(8192, 1<<19/max(1, width))) }

func eachQuery(ctx context.Context, l *lines, opts Options, emit func(data.Query) error) error {
	if err := opts.streamable(l.name); err != nil {
		return err
	}
	opts.Rows.KeepNotes = false
	r := &setReader{lines: l, opts: opts, reserved: true}
	fields, err := r.begin()
	if err != nil && err != io.EOF {
		return err
	}
	r.gathered.some = true
	plain := *r.layout
	window := windowRows(plain.width)
	q := newQueries(l.name, "line", opts, emit)
	var at []int // the line of each row
	flush := func() error {
		if r.rows == 0 {
			return ctx.Err()
		}
		set, err := r.finish(r.rows)
		if err != nil {
			return err
		}
		if err := q.Add(set, func(i int) int { return at[i] }); err != nil {
			return err
		}
		layout := plain
		old := r.gathered
		r.gathered = newGathered(&layout, l.name)
		r.gathered.number, r.gathered.some, r.values, r.y = l.parse, true, old.values[:0], old.y[:0]
		r.rows, at = 0, at[:0]
		return ctx.Err()
	}
	for ; err == nil; fields, err = l.next() {
		at = append(at, l.line)
		if err := r.row(fields); err != nil {
			return err
		}
		if r.rows == window {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err != io.EOF {
		return err
	}
	if err := r.undecided(); err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	return q.ended(r.gathered.noneLeft)
}

// queries cuts the rows of a table, which come as sets of consecutive rows, into queries.
type queries struct {
	file, counted string
	emit          func(data.Query) error
	filled        *data.Schema     // nil where nobody asks
	seen          map[[16]byte]int // the line where each query begins; two of 10⁹ names collide with probability 10⁻²⁰
	rows          int
	open          data.Query // the query at the end of the rows so far, in the memory of x and y
	begun         bool       // there is one
	x, y          []float64
	censored      []bool
	weights       []float64
	width         int
	absent        bool // some row had weight 0
}

// newQueries prepares to cut the rows of a file. Rows are counted as lines or as rows.
func newQueries(file, counted string, opts Options, emit func(data.Query) error) *queries {
	return &queries{file: file, counted: counted, emit: emit, filled: opts.Rows.Filled, seen: map[[16]byte]int{}}
}

// addFilled adds the missing values of some rows to those of others.
func addFilled(all, some []data.Filled) []data.Filled {
	for _, f := range some {
		if k := slices.IndexFunc(all, func(g data.Filled) bool { return g.Column == f.Column }); k >= 0 {
			all[k].Rows += f.Rows
		} else {
			all = append(all, f)
		}
	}
	return all
}

// Add takes the next rows, with dense features, and emits the queries that end in them. line returns
// where row i stands, those of weight 0 among them.
func (q *queries) Add(s *data.Set, line func(i int) int) error {
	if q.absent = q.absent || len(s.Absent) > 0; q.filled != nil {
		q.filled.Filled = addFilled(q.filled.Filled, s.Schema.Filled)
	}
	if len(s.Y) == 0 {
		return nil // all had weight 0
	}
	if !s.HasQID {
		return &data.SyntaxError{File: q.file, Err: ErrNoQueries,
			Msg: "no column of queries: reading query by query needs one; rows without queries are one list"}
	}
	of, out := s.Queries.Of(), 0
	for lo := 0; lo < len(of); {
		hi := lo + 1
		for hi < len(of) && of[hi] == of[lo] {
			hi++
		}
		for out < len(s.Absent) && s.Absent[out] <= lo+out {
			out++ // before row lo
		}
		if err := q.run(s, lo, hi, line(lo+out)); err != nil {
			return err
		}
		lo = hi
	}
	q.rows += len(of)
	return nil
}

// run takes rows of one query, which may go on with the open one.
func (q *queries) run(s *data.Set, lo, hi, line int) error {
	x := s.X.(*data.Dense)
	id := s.Queries.ID(int(s.Queries.Of()[lo]))
	values, y := x.Data[lo*x.Stride:(hi-1)*x.Stride+x.Cols], s.Y[lo:hi]
	var censored []bool
	if s.Censored != nil {
		censored = s.Censored[lo:hi]
	}
	var weights []float64
	if s.Weights != nil {
		weights = s.Weights[lo:hi]
	}
	if !q.begun || q.open.ID != id {
		if err := q.end(); err != nil {
			return err
		}
		if err := q.begin(id, line); err != nil {
			return err
		}
		query := data.Query{ID: id, Source: q.file}
		if q.counted == "line" {
			query.Line = line
		}
		if hi < len(s.Y) {
			query.X, query.Y, query.Censored, query.Weights = data.NewDense(hi-lo, x.Cols, values), y, censored, weights
			return q.emit(query)
		}
		q.open, q.begun, q.width, q.x, q.y, q.censored, q.weights = query, true, x.Cols, q.x[:0], q.y[:0], nil, nil
	}
	var err error
	if q.x, err = memory.Grow(q.x, len(values), q.rows+hi); err == nil {
		q.y, err = memory.Grow(q.y, len(y), q.rows+hi)
	}
	if err != nil {
		return fmt.Errorf("%s: query %s is held in memory as a whole: %w", q.file, quotedID(id), err)
	}
	q.x, q.y, q.censored = append(q.x, values...), append(q.y, y...), append(q.censored, censored...)
	q.weights = append(q.weights, weights...)
	return nil
}

// begin records where a query begins; it begins once.
func (q *queries) begin(id string, line int) error {
	sum := sha256.Sum256([]byte(id))
	key := [16]byte(sum[:16])
	if first, again := q.seen[key]; again {
		return &data.SyntaxError{File: q.file, Err: ErrQueryReturns, Msg: fmt.Sprintf("query %s of %s %d began in %s %d "+
			"and had ended: reading query by query needs the rows of a query to follow each other", quotedID(id), q.counted,
			line, q.counted, first)}
	}
	q.seen[key] = line
	return nil
}

// End emits the query at the end of all rows. It refuses rows that all have weight 0.
func (q *queries) End() error {
	return q.ended(func() error { return &data.SyntaxError{File: q.file, Msg: noneLeft} })
}

// ended is End with an error about rows that all have weight 0.
func (q *queries) ended(none func() error) error {
	if q.absent && q.rows == 0 {
		return none()
	}
	return q.end()
}

// end emits the open query.
func (q *queries) end() error {
	if !q.begun {
		return nil
	}
	q.begun = false
	q.open.X, q.open.Y, q.open.Censored, q.open.Weights = data.NewDense(len(q.y), q.width, q.x), q.y, q.censored, q.weights
	return q.emit(q.open)
}

// ColumnsOf is Columns of a file of CSV or TSV text, or of Parquet, whose columns all have names.
func ColumnsOf(path string, opts Options) (features []string, columns *data.Schema, err error) {
	if f := rowsOf(path, opts); f != nil {
		return f.Columns(path, byOptions{opts})
	}
	l, closeText, err := openText(path, opts.Separator, opts.MaxLine)
	if err != nil {
		return nil, nil, err
	}
	features, columns, err = firstColumns(l, opts)
	return features, columns, errors.Join(err, closeText())
}

// Columns returns the names of the features of CSV or TSV text, nil without a header, and what its columns are; errors
// call it name. It reads the first row, and between semicolons those up to the first number that says whether commas
// are decimal.
func Columns(r io.Reader, name string, opts Options) (features []string, columns *data.Schema, err error) {
	return firstColumns(textFrom(r, name, opts.Separator, opts.MaxLine), opts)
}

// firstColumns is Columns of lines.
func firstColumns(l *lines, opts Options) (features []string, columns *data.Schema, err error) {
	s := &setReader{lines: l, opts: opts}
	fields, err := s.begin()
	for err == nil && s.sep == ';' && s.lines.decimal == "" && !s.commas && !s.pointed {
		for k := range min(len(fields), s.count) {
			if _, is := s.parse(fields[k].text); is && s.roles[k] == feature {
				s.doubtPoint(&fields[k])
			}
		}
		fields, err = s.next()
	}
	if err == io.EOF {
		err = s.undecided()
	}
	if err != nil {
		return nil, nil, err
	}
	s.schema.Commas = s.commas
	return s.layout.names, &s.schema, nil
}
