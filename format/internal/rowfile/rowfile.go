// Package rowfile is what a format of tables that is no text, such as Parquet, and the readers of package table say
// to each other. A format registers itself, as package image/png does with image.
package rowfile

import (
	"context"

	"pairrank/data"
)

// Format is a container of rows, whose files Is recognises by their names.
type Format struct {
	Is   func(path string) bool
	Open func(path string) (Rows, error) // for tables of edges, nodes, similarities, comparisons and lists
	// ReadSet, EachQuery and Columns are the functions of package table, of the options of t.
	ReadSet   func(path string, t Table) (*data.Set, error)
	EachQuery func(ctx context.Context, path string, t Table, emit func(data.Query) error) error
	Columns   func(path string, t Table) ([]string, *data.Schema, error)
}

var formats []Format

// Register lets the readers of tables read the files of a format. A package calls it as it is initialised.
func Register(f Format) { formats = append(formats, f) }

// Of is the format of a file by its name; nil for text, and for the arrays of NumPy.
func Of(path string) *Format {
	for k := range formats {
		if formats[k].Is(path) {
			return &formats[k]
		}
	}
	return nil
}

// Rows are the rows of a table: columns with names, and the texts of their cells.
type Rows interface {
	Columns() []string
	// Next returns the texts of the next row, "" for a missing one, valid until the next call; io.EOF after the last.
	Next() ([]string, error)
	// FloatBits is the size of the floats of column k, 0 where it has none.
	FloatBits(k int) int
	Close() error
}

// Table is how the rows of a table are read.
type Table interface {
	// Transposed reports whether rows and columns are exchanged.
	Transposed() bool
	// Fill prepares a table with the named columns and m rows. Errors call it file. It returns the errors of
	// table.ReadSet about columns.
	Fill(file string, columns []string, m int) (Filling, error)
	// Queries prepares to cut the rows of a file into queries. It returns an error about options that need all rows.
	Queries(file string, emit func(data.Query) error) (Queries, error)
}

// Filling takes the cells of a table of m rows. Different cells may be set at the same time. The methods that return an
// error return nil where a check takes it and goes on.
type Filling interface {
	// CountFrom makes errors count the rows from first+1 instead of 1: they are some of all rows.
	CountFrom(first int)
	// Columns returns the names of the features, and what the columns are.
	Columns() ([]string, *data.Schema)
	// Room is how many rows from row i on may be set before the next call: all, unless the options hand rows on. It hands
	// the rows before row i on where none has room. Set returns what is wrong with them.
	Room(i int) (int, error)
	// Wants reports whether the cells of column k matter.
	Wants(k int) bool
	// Feature reports whether column k is a feature: its cells are numbers then, else texts.
	Feature(k int) bool
	// Numbers sets the cells of the feature k in the rows from i on; NaN is a missing value. It returns the errors of
	// Number.
	Numbers(i, k int, xs []float64) error
	// Number sets cell k of row i to a number; NaN is a missing value. It returns an error where the column takes none.
	Number(i, k int, x float64) error
	// CheckDigits returns an error where the cells of column k are names and x, a float of so many bits, may be another
	// number that was rounded.
	CheckDigits(k int, x float64, bits int) error
	// Text sets cell k of row i to a text. It returns an error where the column holds numbers.
	Text(i, k int, text string) error
	// Missing sets cell k of row i to a missing value. It returns an error where no rule fills it in.
	Missing(i, k int) error
	// Checking reports whether a check goes on after errors: cells are then set in the order of the rows, by one
	// goroutine.
	Checking() bool
	// Refuse is an error about the number in cell k of row i.
	Refuse(i, k int, err error) error
	// RefuseDates is an error about all cells of the feature k, the named column, which are dates or times.
	RefuseDates(k int, column string) error
	// Set returns the rows. It returns the errors of table.ReadSet.
	Set() (*data.Set, error)
}

// Queries cuts the rows of a table, which come as sets of consecutive rows, into queries.
type Queries interface {
	// Add takes the next rows, with dense features, and emits the queries that end in them. row returns the number of
	// row i in the file, those of weight 0 among them.
	Add(s *data.Set, row func(i int) int) error
	// End emits the query at the end of all rows. It refuses rows that all have weight 0.
	End() error
}
