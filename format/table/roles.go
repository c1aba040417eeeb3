package table

import (
	"cmp"
	"slices"

	"pairrank/data"
)

// Header says whether the first line of a table holds names.
type Header int

const (
	HeaderAuto Header = iota // yes when the first line has a field that is neither a number nor missing
	HeaderYes
	HeaderNo
)

// Options says how a table is read. The zero value detects separator and header, and finds the
// columns that are no features by well-known names.
type Options struct {
	// Separator is the byte between fields, ' ' for runs of blanks; 0 finds it.
	Separator byte
	// Header says whether the first line holds the names of the columns.
	Header Header
	// Label is the column of the labels: its name or, where no column has that name, its 1-based
	// number. QID, ID, Group and Fold are, likewise, the columns with the names of the queries, of the
	// rows, of the groups of rows that are left out together, and of the folds.
	Label, QID, ID, Group, Fold string
	// Times are the columns of times and of whether the event was seen then, 0 or 1 or two texts, which are given
	// together: times stand in the place of labels. No name is known for them.
	Times struct{ Column, Event string }
	// Weight is the column of the weights of the rows, at least 0 and not all 0. No name is known for it.
	Weight string
	// Positive is the text of the label, or of the event, that counts as 1, where they are two texts.
	Positive string
	// NoLabel reads a table without labels; all labels are 0 then. MayLackLabel does so where no column
	// of a header is known as that of the labels, and makes 0 of a label that is missing or unknown.
	NoLabel, MayLackLabel bool
	// Ignore are columns that are left out, Only those that may be features, Factors those whose texts
	// become features: names, numbers, ranges a:z or patterns with '*' and '?'.
	Ignore, Only, Factors []string
	// Missing says how to treat missing values of features; the default refuses them. A label is
	// never missing. MissingIn says so for single columns, by name. For the rows of a model data.MissingModel
	// treats them as Substitutes say, and other treatments than that are an error.
	Missing   data.Missing
	MissingIn map[string]data.Missing
	// Substitutes has the treatment, the means and the least values that the training kept. They stand for missing
	// values of the rows of a model, with Features > 0; for other rows those of the table do.
	Substitutes *data.Substitutes
	// Decimal says what points in the numbers of a text are: "point" for decimal points, without commas in a number, or
	// "comma" where they separate thousands; "" goes by the model, or by all numbers.
	Decimal string
	// Transpose reads a table with a column for each row of the set, such as genes × samples: the
	// first line names the rows, and the first field of each other line the column.
	Transpose bool
	// MaxLine is the number of bytes of the longest line; 0 is data.MaxLine.
	MaxLine int
	// Features is the number of features of a model; another number is an error. 0 accepts any. Names
	// are their names, by which the columns of a header are then found in any order, and Schema says
	// what the columns of the training were.
	Features int
	Names    []string
	Schema   *data.Schema
	// Extra, when Features > 0, accepts features, and levels of factors, that the model does not have.
	// Those with a name are left out; of others, model.WithoutExtra chooses.
	Extra bool
	// Rows is what else becomes of rows. KeepNotes keeps the lines of text that hold a comment. EachQuery adds its
	// missing values to those of Filled, when it is not nil.
	Rows struct {
		KeepNotes bool
		Filled    *data.Schema
		each      func(first int, block *data.Set) error // of Each
	}

	check *checking // goes on after errors; nil for ReadSet, which returns the first
}

// Each returns the options with which each, when not nil, receives the features as they are read, and their names,
// with the number of rows before them; the Set keeps only the Dims of the matrix. A block has at least 64 rows, but
// for the last one; it is valid until each returns, as its memory is used again. An error of each ends reading. All
// rows come as one block, and are kept, where they decide what a feature is or which rows count, without Features and
// beside weights, and from arrays that are sparse or in column order. JSON lines of a file come from first = 0 again,
// as one block, where a later object has other columns or a fault; those of a reader always do.
func (o Options) Each(each func(first int, block *data.Set) error) Options {
	o.Rows.each = each
	return o
}

// role is what a column of a table is for.
type role int

const (
	feature role = iota
	label
	query
	id
	group
	fold
	timed
	event
	weigh
	factor
	ignored
	rowNames // a first column without a name, which names the rows
	roles    // how many there are
)

// Role is a row of the table of roles: what a column is for that is neither a feature nor made into features. Its cells
// are the texts that name the parts of a partition, or the rows, or they are numbers.
type Role struct {
	noun, plural string // as sentences call a column, and what a set has of it
	// name is what the column is called where it is written, and begins the option NAME-column. array is its array in an
	// archive.
	name, array string
	known       []string // names by which it is found, in the form of plain
	// apart says that such a name counts, and that the column is written, only where a format holds features apart: in a
	// plain table these are names of features, too.
	apart bool
	// tabular says that SVMlight text has no place for it.
	tabular bool
	// given says that an option alone names the column, and flag is that option where it is not NAME-column.
	given  bool
	flag   string
	option func(o *Options) *string     // the column that an option names
	column func(s *data.Schema) *string // the column of a table
	// One of these is where the cells go.
	parts   func(s *data.Set) **data.Partition
	rows    func(s *data.Set) *[]string
	numbers func(s *data.Set) *[]float64
	marks   func(s *data.Set) *[]bool // true where the cell is 0
}

// roleTable has the rows of the roles; those of other columns say what they are called alone.
var roleTable = [roles]Role{
	feature: {noun: "feature"},
	label: {noun: "label", plural: "the labels", name: "label", array: "y",
		known:   []string{"label", "y", "target", "relevance", "grade", "outcome", "class"},
		option:  func(o *Options) *string { return &o.Label },
		column:  func(s *data.Schema) *string { return &s.Label },
		numbers: func(s *data.Set) *[]float64 { return &s.Y }},
	query: {noun: "query", plural: "the queries", name: "qid", array: "qid",
		known:  []string{"qid", "query_id", "query", "srch_id"},
		option: func(o *Options) *string { return &o.QID },
		column: func(s *data.Schema) *string { return &s.Query },
		parts:  func(s *data.Set) **data.Partition { return &s.Queries }},
	id: {noun: "id", plural: "the names of the rows", name: "id", array: "id", // known by doubt.NamesRows
		option: func(o *Options) *string { return &o.ID },
		column: func(s *data.Schema) *string { return &s.ID },
		rows:   func(s *data.Set) *[]string { return &s.IDs }},
	group: {noun: "group", plural: "the groups", name: "group", array: "group", known: []string{"group"}, apart: true,
		option: func(o *Options) *string { return &o.Group },
		column: func(s *data.Schema) *string { return &s.Group },
		parts:  func(s *data.Set) **data.Partition { return &s.Groups }},
	fold: {noun: "fold", plural: "the folds", name: "fold", array: "fold", known: []string{"fold"}, apart: true,
		option: func(o *Options) *string { return &o.Fold },
		column: func(s *data.Schema) *string { return &s.Fold },
		parts:  func(s *data.Set) **data.Partition { return &s.Folds }},
	timed: {noun: "time", plural: "the times", name: "time", array: "time", given: true, flag: "time",
		option:  func(o *Options) *string { return &o.Times.Column },
		column:  func(s *data.Schema) *string { return &s.Time },
		numbers: func(s *data.Set) *[]float64 { return &s.Y }},
	event: {noun: "event", plural: "which times are censored", name: "event", array: "event", given: true, flag: "event",
		option: func(o *Options) *string { return &o.Times.Event },
		column: func(s *data.Schema) *string { return &s.Event },
		marks:  func(s *data.Set) *[]bool { return &s.Censored }},
	weigh: {noun: "weight", plural: "the weights", name: "weight", array: "weight", given: true, tabular: true,
		option:  func(o *Options) *string { return &o.Weight },
		column:  func(s *data.Schema) *string { return &s.Weight },
		numbers: func(s *data.Set) *[]float64 { return &s.Weights }},
	factor:  {noun: "factor"},
	ignored: {noun: "ignored"},
	rowNames: {noun: "id", // no option and no name says so
		column: func(s *data.Schema) *string { return &s.ID },
		rows:   func(s *data.Set) *[]string { return &s.IDs }},
}

// named are the roles of which an option names the column, label first.
var named = func() (all []role) {
	for r := range roleTable {
		if roleTable[r].option != nil {
			all = append(all, role(r))
		}
	}
	return all
}()

// Roles are the rows of the table of which an option names the column, label first.
func Roles() (all []*Role) {
	for _, r := range named {
		all = append(all, &roleTable[r])
	}
	return all
}

// Flag is the option of a program that names the column.
func (r *Role) Flag() string { return cmp.Or(r.flag, r.name+"-column") }

// Plural is what a set has of the role, as in "the groups".
func (r *Role) Plural() string { return r.plural }

// Formats are those that have a place for the column, with blanks between.
func (r *Role) Formats() string {
	const tables = "csv tsv jsonl json parquet npz"
	switch {
	case r.apart:
		return "jsonl json npz"
	case r.tabular:
		return tables
	}
	return tables + " svmlight"
}

// In is where options name the column.
func (r *Role) In(o *Options) *string { return r.option(o) }

// Values are those of a role of a set: texts or, where Text is nil, numbers.
type Values struct {
	Name        string
	Text        func(i int) string
	Numbers     []float64
	noun, array string
}

// Values returns those of a set; is is false where it has none.
func (r *Role) Values(s *data.Set) (c Values, is bool) {
	c = Values{Name: r.name, noun: r.noun, array: r.array}
	switch {
	case (r == &roleTable[label] || r == &roleTable[timed]) && (r == &roleTable[timed]) != (s.Censored != nil):
	case r.marks != nil:
		for _, censored := range *r.marks(s) {
			c.Numbers = append(c.Numbers, map[bool]float64{true: 0, false: 1}[censored])
		}
		is = c.Numbers != nil
	case r.numbers != nil:
		c.Numbers = *r.numbers(s)
		is = c.Numbers != nil
	case r.rows != nil:
		names := *r.rows(s)
		c.Text, is = func(i int) string { return names[i] }, names != nil
	case *r.parts(s) != nil && (r != &roleTable[query] || s.HasQID):
		p := *r.parts(s)
		of := p.Of()
		c.Text, is = func(i int) string { return p.ID(int(of[i])) }, true
	}
	return c, is
}

// ValuesOf are the cells of a set that are written into a table, in which features stand apart or not.
func ValuesOf(s *data.Set, apart bool) (all []Values) {
	for _, r := range Roles() {
		if c, is := r.Values(s); is && (apart || !r.apart) {
			all = append(all, c)
		}
	}
	return all
}

// names reports whether the cells of a column are names, of rows or of parts.
func (r role) names() bool { return roleTable[r].rows != nil || roleTable[r].parts != nil }

// noun is what a column of the role is called.
func (r role) noun() string { return roleTable[r].noun }

// asked is the column that options name, "" for none.
func (o *Options) asked(r role) string { return *roleTable[r].option(o) }

// remembered is the column of a role in the table of the training, "" for none.
func (o *Options) remembered(r role) string {
	if o.Schema == nil {
		return ""
	}
	return *roleTable[r].column(o.Schema)
}

// asksFor reports whether an option gives the column a role.
func (o *Options) asksFor(column string) bool {
	return slices.ContainsFunc(named, func(r role) bool { return o.asked(r) == column })
}
