package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pairrank/internal/figure"
	"pairrank/internal/quote"
)

// Document is a result that is told, written and shown: one of this package, made or read by Read, or of another kind.
type Document interface{ View() *View }

// View is what a document says: facts, tables and figures. A document makes it once, and text, file and page are three
// renderings of it: WriteText, WriteTable and package internal/report/page. A kind of result that this package does not
// know is told, written and drawn by a type of its own with a method View.
type View struct {
	Title   string // of its part of a page; "" has no page
	Keys    int    // the least width of the keys in the text; 0 is of lines without keys
	Above   string // the first line of the text, or ""
	Facts   []Fact
	Tables  []*Table // of the text, and of the page where they have a caption
	Figures []*Figure
	Later   func()   // adds figures of every query, which a page alone has; nil where there are none
	Notes   []string // sentences of the page behind the facts
	Next    *View    // a second part of the page about the same document
	// List says that the text is the first table as a file without a head, for programs that read columns.
	List bool
}

// Names of figures, for drawing one alone.
const (
	ErrorFigure      = "error"      // over λ or rounds
	MetricFigure     = "metric"     // that chose, over λ
	ROCFigure        = "roc"        // if the estimate has the curve
	PrecisionFigure  = "precision"  // over recall, if the estimate has the ROC curve
	RowsFigure       = "rows"       // with most pairs in the wrong order, if the estimate has them
	LearningFigure   = "learning"   // if the estimate has the curve
	ImportanceFigure = "importance" // if the estimate has it
	ShapesFigure     = "shapes"     // of models of splines
	FeaturesFigure   = "features"   // that were selected, if rounds selected again
	DifferenceFigure = "difference" // of comparisons, by metric
	QueriesFigure    = "queries"    // of comparisons and evaluations, by query
	SurvivalFigure   = "survival"   // of evaluations and comparisons of censored times
	ScoresFigure     = "scores"     // of leaderboards
	AnnotatorsFigure = "annotators" // of leaderboards that have them
	TrianglesFigure  = "triangles"  // of leaderboards, if they have any
)

// Rank is where a fact stands.
type Rank int

// The ranks of facts.
const (
	Headline Rank = iota // a finding of the page that the text has in a table or in another fact
	Finding              // at the top of the page; the text has it in its place
	Stated               // below the findings
	Detail               // of the text alone: a figure of the page shows it
	Aside                // of the page alone: the program tells it beside the text
)

// Fact is a key and what it says. A fact without a key belongs to the one before.
type Fact struct {
	Key, Text string
	Rank      Rank
}

// Figure is a table and how it is drawn: by a line for each row, or by a body of its own.
type Figure struct {
	Name  string   // for drawing it alone, or ""
	Title string   // in a sentence, the finding
	Text  []string // sentences beside it
	Left  string   // what figure and table leave out, or ""
	Desc  string   // what is drawn, in a sentence
	Table *Table
	More  *Table // a second table, such as of p-values, or nil
	Rows  *Rows
	Body  figure.Body
}

// Rows draws a line for each row of the table with its value, its interval and the text of the value.
type Rows struct {
	Label  string    // of the values
	Bars   bool      // from 0; else points
	Rules  []float64 // lines across
	Column int       // with the texts; 0 is the second column, since the first one has the names
	Some   []int     // the rows that are drawn; nil is those of the page
}

// Drawing is the figure as it is drawn.
func (f *Figure) Drawing() *figure.Drawing {
	d := &figure.Drawing{Title: f.Title, Desc: strings.TrimSpace(f.Desc + " " + f.Table.Caption + "."), Body: f.Body}
	if r := f.Rows; r != nil {
		rows := &figure.Rows{Label: r.Label, Bars: r.Bars, Rules: r.Rules, Axis: true}
		for _, k := range chosenRows(r.Some, f.Table.onPage()) {
			p := f.Table.point(k)
			rows.Rows = append(rows.Rows, figure.Row{Name: f.Table.name(k), Value: p.Value, Lo: p.Lo, Hi: p.Hi,
				Text: f.Table.pageCell(k, max(1, r.Column)), Style: p.Style})
		}
		d.Body = rows
	}
	return d
}

// Table is rows of cells below the heads of columns. The first column has the names of the rows.
type Table struct {
	Caption string
	Columns []Column
	Len     int                // how many rows it has
	Point   func(row int) Spot // where the rows are drawn
	Mark    int                // the marked row, from 1; 0 is none
	Marked  string             // what the text writes behind it
	// Path says that the text has the rows around the marked one and both ends, and their values as points.
	Path     bool
	Bare     bool     // it stands at the margin of the text, without lines around it
	NameLast bool     // text and file have the names in the last column
	Shown    []int    // the rows that the text has; nil is all
	Most     int      // how many rows the page has; 0 is all
	Above    string   // a line in the place of the heads in the text, or ""
	Below    []string // lines below the table in the text
	After    int      // how many of the facts stand before it in the text
	cells    [][]string
	points   []Spot
}

// Column is a column of a table, which text and page show once, or not at all. A file has a column for each of Files.
type Column struct {
	Head   string // "" is of files alone
	Page   string // the head on a page, if it is another one
	Width  int    // the least width in the text
	Left   bool   // texts, which are aligned to the left
	In     Medium
	Cell   func(row int) string
	OnPage func(row int) string   // the cell on a page, if it is another one
	Files  []string               // the heads in a file
	File   func(row int) []string // the cells below them; nil is Cell
}

// Medium is where a column is shown.
type Medium int

// The media of columns.
const (
	Everywhere Medium = iota
	InText
	OnPage
)

// Spot is where a row is drawn: at a value, with an interval where Lo < Hi, in a colour.
type Spot struct {
	Value, Lo, Hi float64
	Style         int
}

// add adds a column of texts with a head and a least width. The first column is aligned to the left.
func (t *Table) add(head string, width int, cell func(row int) string) *Column {
	t.Columns = append(t.Columns, Column{Head: head, Width: width, Left: len(t.Columns) == 0, Cell: cell})
	return &t.Columns[len(t.Columns)-1]
}

// listed is a table of columns with these heads, to which row and drawn add rows.
func listed(caption string, heads ...string) *Table {
	t := &Table{Caption: caption}
	for k, head := range heads {
		t.Columns = append(t.Columns, Column{Head: head, Left: k == 0})
	}
	return t
}

// row adds a row.
func (t *Table) row(cells ...string) { t.drawn(Spot{Value: math.NaN()}, cells...) }

// drawn adds a row that is drawn.
func (t *Table) drawn(p Spot, cells ...string) {
	t.cells, t.points, t.Len = append(t.cells, cells), append(t.points, p), t.Len+1
}

// cell is the cell of a row in a column, "" where the row is shorter.
func (t *Table) cell(row, column int) string {
	if of := t.Columns[column].Cell; of != nil {
		return of(row)
	}
	if cells := t.cells[row]; column < len(cells) {
		return cells[column]
	}
	return ""
}

// point is where a row is drawn.
func (t *Table) point(row int) Spot {
	switch {
	case t.Point != nil:
		return t.Point(row)
	case row < len(t.points):
		return t.points[row]
	}
	return Spot{Value: math.NaN()}
}

// name is the name of a row on a page.
func (t *Table) name(row int) string { return t.pageCell(row, 0) }

// pageCell is a cell of a page: numbers have the signs of typography.
func (t *Table) pageCell(row, column int) string {
	c := &t.Columns[column]
	switch {
	case c.OnPage != nil:
		return c.OnPage(row)
	case c.Left:
		return t.cell(row, column)
	}
	return typeset(t.cell(row, column))
}

// state adds a fact that text and page have.
func (v *View) state(key, format string, args ...any) { v.fact(Stated, key, format, args...) }

// fact adds a fact, unless its text is empty.
func (v *View) fact(rank Rank, key, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		v.Facts = append(v.Facts, Fact{key, text, rank})
	}
}

// line adds a line of a text without keys; "" is an empty line.
func (v *View) line(format string, args ...any) {
	v.Facts = append(v.Facts, Fact{"", fmt.Sprintf(format, args...), Detail})
}

// tell adds a table that the text has behind the facts that were added so far.
func (v *View) tell(t *Table) {
	t.After = len(v.Facts)
	v.Tables = append(v.Tables, t)
}

// draw adds a figure, unless it is nil.
func (v *View) draw(name string, f *Figure) {
	if f != nil {
		f.Name = name
		v.Figures = append(v.Figures, f)
	}
}

// upTo are the numbers 0 … n−1.
func upTo(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
}

// chosenRows are some rows, or all where some is nil.
func chosenRows(some []int, all int) []int {
	if some != nil {
		return some
	}
	return upTo(all)
}

// ends are the first most of n rows and the last, nil if there are no more.
func ends(n, most int) (some []int) {
	for k := range n {
		if n > 2*most && (k < most || k >= n-most) {
			some = append(some, k)
		}
	}
	return some
}

// firstRows are the first most of n rows, nil if there are no more.
func firstRows(n, most int) []int {
	if n <= most {
		return nil
	}
	return upTo(most)
}

// PageHead are the heads of the columns that a page has.
func (t *Table) PageHead() (heads []string) {
	for _, c := range t.Columns {
		if c.Head != "" && c.In != InText {
			heads = append(heads, cmp.Or(c.Page, c.Head))
		}
	}
	return heads
}

// onPage is how many rows a page has.
func (t *Table) onPage() int { return min(t.Len, cmp.Or(t.Most, t.Len)) }

// PageRows are the rows of a page.
func (t *Table) PageRows() (rows [][]string) {
	for k := range t.onPage() {
		row := []string{t.name(k)}
		for j, c := range t.Columns[1:] {
			if c.Head != "" && c.In != InText {
				row = append(row, t.pageCell(k, j+1))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// typeset writes the minus signs and the dashes of a cell of numbers as on a page.
func typeset(cell string) string {
	if cell == "-" {
		return "–"
	}
	fields := strings.Split(cell, " ")
	for k, field := range fields {
		if rest, is := strings.CutPrefix(field, "-"); is && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			fields[k] = "−" + rest
		}
	}
	return strings.Join(fields, " ")
}

// WriteTable writes the columns of a table that files have, below their heads unless there are none; what is not there
// is empty. It returns the errors of w, and an error for a name with a line end. The cost is that of the cells.
func (t *Table) WriteTable(w io.Writer, sep byte) error {
	order := t.order()
	var heads []string
	for _, j := range order {
		heads = append(heads, t.Columns[j].Files...)
	}
	if text := strings.Join(heads, string(sep)); strings.Trim(text, string(sep)) != "" {
		if _, err := io.WriteString(w, text+"\n"); err != nil {
			return err
		}
	}
	for k := range t.Len {
		var line []byte
		var err error
		for _, j := range order {
			c := &t.Columns[j]
			if c.Files == nil {
				continue
			}
			if c.File != nil {
				line = append(line, strings.Join(c.File(k), string(sep))...)
			} else if line, err = quote.AppendField(line, t.cell(k, j), sep); err != nil {
				return err
			}
			line = append(line, sep)
		}
		if _, err = w.Write(append(bytes.TrimSuffix(line, []byte{sep}), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// order are the columns as text and file have them.
func (t *Table) order() []int {
	order := upTo(len(t.Columns))
	if t.NameLast {
		order = append(order[1:], 0)
	}
	return order
}

// columnsIn are the columns of the text, in their order.
func (t *Table) columnsIn() []int {
	return slices.DeleteFunc(t.order(), func(j int) bool { return t.Columns[j].Head == "" || t.Columns[j].In == OnPage })
}
