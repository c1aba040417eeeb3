package table

import (
	"errors"
	"slices"

	"pairrank/data"
	"pairrank/internal/cellfault"
)

// Checked is what Check finds in a table.
type Checked struct {
	Set     *data.Set // the rows that can be read, with NaN for values that cannot; nil where there are none
	Columns []Column  // in the order of the table; nil where the first line cannot be read
	Faults  []Faults  // by kind
	Lines   int       // of text
}

// Faults are the errors of one kind.
type Faults struct {
	Kind   string // what they are, for a count
	Count  int
	Errors []error // in the order of the table, at most as many as the limit
}

// Errors is the number of all errors.
func (c *Checked) Errors() int {
	n := 0
	for _, f := range c.Faults {
		n += f.Count
	}
	return n
}

// Check reads a table by read, which is ReadSet or ReadJSONLines with the options that it is given. It goes on after an
// error: it leaves out lines that are no rows, and
// counts faulty values. It lists at most limit errors of each kind, or all for 0; a feature without a single number is
// one error, and as many of these are listed besides. Columns that may be the label are named by an error, and left
// out.
//
// It returns an error where the file cannot be read, is no table at all, or has no column that an
// option names. The cost is that of ReadSet, and a map of up to 1000 values a column.
func Check(opts Options, limit int, read func(Options) (*data.Set, error)) (*Checked, error) {
	opts.check = newChecking(limit)
	set, err := read(opts)
	return opts.check.of(set, err)
}

// checking collects the errors and the values of a table. The methods that take errors return nil
// where reading goes on. Those of nil, which stands for no check, return the error.
type checking struct {
	limit   int
	kinds   [cellfault.Kinds]Faults
	columns []checkedColumn
	tallies []tally
	layout  *layout // of text
	roles   []role
	lines   *lines
	order   int // of the errors so far
}

// checkedColumn are the errors about the cells of a feature of which no cell was a number so far.
type checkedColumn struct {
	numbers bool // a cell was a number
	first   []listedError
	counts  *[cellfault.Kinds]int // nil where there are none
}

// listedError is an error with its place among all.
type listedError struct {
	error
	order int
}

func (e listedError) Unwrap() error { return e.error }

func newChecking(limit int) *checking { return &checking{limit: limit} }

// begin takes the columns of text.
func (c *checking) begin(l *layout, text *lines) {
	if c != nil {
		c.watch(l)
		c.layout, c.lines = l, text
		c.tallies = newTallies(l.count)
		for k, r := range l.roles {
			if r != feature && r != ignored {
				c.tallies[k].most = mostKept
			}
		}
	}
}

// watch takes the columns of a table that is no text.
func (c *checking) watch(l *layout) {
	if c != nil {
		c.roles, c.columns = l.roles, make([]checkedColumn, l.count)
	}
}

// number takes note that a cell of column k is a number.
func (c *checking) number(k int) {
	if c != nil && !c.columns[k].numbers {
		c.columns[k].numbers = true
		c.release(&c.columns[k])
	}
}

// row counts the cells of a row.
func (c *checking) row(fields []field) {
	if c == nil {
		return
	}
	number, points := parseNumber, false
	switch {
	case c.lines.decimal == decimalComma:
		number = parseCommas
	case c.lines.sep == ';' && c.lines.decimal == "":
		number = parseDecimal
	default:
		points = true
	}
	for k := range fields {
		f, t := &fields[k], &c.tallies[k]
		before := t.wholes + t.fractions + t.truths
		x, ok := f.x, points && f.x != 0
		if !ok {
			x, ok = number(f.text)
		}
		if points && ok {
			f.x = x
		}
		t.text(f.text, x, ok)
		if t.wholes+t.fractions+t.truths > before {
			c.number(k)
		}
	}
}

// release lists the errors of a column that has numbers, too.
func (c *checking) release(column *checkedColumn) {
	if column.counts == nil {
		return
	}
	for kind, n := range column.counts {
		c.kinds[kind].Count += n
	}
	for _, err := range column.first {
		c.list(cellfault.Of(err), err)
	}
	column.first, column.counts = nil, nil
}

// pass takes an error of a kind.
func (c *checking) pass(kind cellfault.Kind, err error) error {
	if c == nil || err == nil {
		return err
	}
	c.kinds[kind].Count++
	c.order++
	c.list(kind, listedError{err, c.order})
	return nil
}

// passLine takes an error about a line.
func (c *checking) passLine(err error) error {
	var syntax *data.SyntaxError
	if c == nil || !errors.As(err, &syntax) || errors.Is(err, data.ErrLongLine) {
		return err
	}
	return c.pass(cellfault.Of(err), err)
}

// passCell takes an error about a cell of column k.
func (c *checking) passCell(k int, err error) error {
	if c == nil || err == nil {
		return err
	}
	kind := cellfault.Of(err)
	if c.tallies != nil && kind != cellfault.Missing && kind != cellfault.Unlabelled && kind != cellfault.Unnamed {
		c.tallies[k].faults++
	}
	column := &c.columns[k]
	if column.numbers || c.roles[k] != feature || kind == cellfault.Missing {
		return c.pass(kind, err)
	}
	const most = 3 // of a column, which may have numbers further on
	if column.counts == nil {
		column.counts = new([cellfault.Kinds]int)
	}
	column.counts[kind]++
	c.order++
	if len(column.first) < most {
		column.first = append(column.first, listedError{err, c.order})
	}
	return nil
}

// list lists an error unless there are enough of its kind.
func (c *checking) list(kind cellfault.Kind, err listedError) {
	if of := &c.kinds[kind]; c.limit <= 0 || len(of.Errors) < c.limit {
		of.Errors = append(of.Errors, err)
	}
}

// of is the outcome of reading a set.
func (c *checking) of(set *data.Set, err error) (*Checked, error) {
	if c.layout == nil && set == nil {
		return nil, err
	}
	if err := c.passLine(err); err != nil {
		return nil, err
	}
	found := &Checked{Set: set}
	if c.layout != nil {
		found.Columns, found.Lines = c.described(), c.lines.line+c.lines.extra
	} else {
		found.Columns = columnsOf(set)
	}
	c.wholeColumns()
	for kind, of := range c.kinds {
		if of.Count == 0 {
			continue
		}
		slices.SortStableFunc(of.Errors, func(a, b error) int { return a.(listedError).order - b.(listedError).order })
		for e := range of.Errors {
			of.Errors[e] = of.Errors[e].(listedError).error
		}
		of.Kind = cellfault.Kind(kind).String()
		found.Faults = append(found.Faults, of)
	}
	return found, nil
}

// wholeColumns makes one error of those of each column without a number. The limit counts them by
// themselves: they say more than others.
func (c *checking) wholeColumns() {
	var whole [cellfault.Kinds][]error
	for k := range c.columns {
		column := &c.columns[k]
		if column.counts == nil {
			continue
		}
		cells := 0
		for _, n := range column.counts {
			cells += n
		}
		first := column.first[0]
		kind := cellfault.Of(first)
		c.kinds[kind].Count++
		if of := &whole[kind]; c.limit <= 0 || len(*of) < c.limit {
			*of = append(*of, listedError{&columnError{first.error, cells}, first.order})
		}
	}
	for kind := range whole {
		c.kinds[kind].Errors = append(c.kinds[kind].Errors, whole[kind]...)
	}
}

// described are the columns of text.
func (c *checking) described() []Column {
	all := make([]Column, len(c.tallies))
	for k := range c.tallies {
		column := c.tallies[k].column()
		column.Name, column.Number, column.Role = c.layout.called(k), k+1, c.layout.roles[k].noun()
		if c.layout.roles[k] == feature {
			column.Feature = c.layout.places[k] + 1
		}
		all[k] = column
	}
	return all
}

// columnError is an error about the first of several faulty cells of a column.
type columnError struct {
	error
	cells int
}

func (e *columnError) Unwrap() error { return e.error }

// Cells is the number of faulty cells of the column that the error is about, all of them; 1 for another error.
func Cells(err error) int {
	var column *columnError
	if errors.As(err, &column) {
		return column.cells
	}
	return 1
}
