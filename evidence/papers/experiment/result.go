package experiment

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Result is what a section of an experiment found: blocks, which are its text on the
// page, and findings, which are compared with a paper.
type Result struct {
	Blocks   []Block   `json:"blocks"`
	Findings []Finding `json:"findings,omitempty"`
}

// Block is a paragraph, a table or a figure: one of the three.
type Block struct {
	Text   string  `json:"text,omitempty"`
	Table  *Table  `json:"table,omitempty"`
	Figure *Figure `json:"figure,omitempty"`
}

// Figure is a drawing in a file of the same folder as the page. Alt says what it shows to those who
// do not see it.
type Figure struct {
	File string `json:"file"`
	Alt  string `json:"alt"`
	SVG  string `json:"-"`
}

// Text adds a paragraph.
func (r *Result) Text(format string, args ...any) {
	r.Blocks = append(r.Blocks, Block{Text: fmt.Sprintf(format, args...)})
}

// Add adds a table.
func (r *Result) Add(t *Table) { r.Blocks = append(r.Blocks, Block{Table: t}) }

// Draw adds a figure.
func (r *Result) Draw(file, alt, svg string) {
	r.Blocks = append(r.Blocks, Block{Figure: &Figure{file, alt, svg}})
}

// Find adds findings.
func (r *Result) Find(f ...Finding) { r.Findings = append(r.Findings, f...) }

// Markdown is the text of the result on its page.
func (r Result) Markdown() string {
	var parts []string
	for _, b := range r.Blocks {
		switch {
		case b.Table != nil:
			parts = append(parts, b.Table.Markdown())
		case b.Figure != nil:
			parts = append(parts, wrap(fmt.Sprintf("![%s](%s)", b.Figure.Alt, b.Figure.File)))
		default:
			parts = append(parts, wrap(b.Text))
		}
	}
	return strings.Join(parts, "\n")
}

// item begins an item of a numbered list.
var item = regexp.MustCompile(`^\d+\. `)

// columns is how wide a line of a page may be. Rows of tables are wider, as Markdown does not break them.
const columns = 120

// wrap breaks the lines of a text, but for rows of tables, and ends it with a newline. The later
// lines of an item of a numbered list are in line with its text.
func wrap(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			b.WriteString(line)
			continue
		}
		indent := len(item.FindString(line))
		at := 0
		for k, word := range strings.Split(strings.TrimSuffix(line, "\n"), " ") {
			width := utf8.RuneCountInString(word)
			switch {
			case k == 0:
			case at+1+width > columns:
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = indent
			default:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += width
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Table is a table, whose cells are texts, numbers or nil where there is nothing.
type Table struct {
	Columns []Column `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// Column is a column. Format is that of its numbers, as of [fmt.Printf], or "digits",
// for [Digits].
type Column struct {
	Name   string `json:"name"`
	Format string `json:"format"`
}

// NewTable is a table without rows. Columns are name and format in turn; the format
// of a column of texts is "%s".
func NewTable(columns ...string) *Table {
	t := &Table{}
	for k := 0; k+1 < len(columns); k += 2 {
		t.Columns = append(t.Columns, Column{columns[k], columns[k+1]})
	}
	return t
}

// Row adds a row: texts, integers and floating-point numbers, of which those that are
// not finite become nil. It panics where the row is not as wide as the table, or a
// cell is of another type: the program is wrong.
func (t *Table) Row(cells ...any) {
	if len(cells) != len(t.Columns) {
		panic(fmt.Sprintf("experiment: a row of %d cells in a table of %d columns", len(cells), len(t.Columns)))
	}
	row := make([]any, len(cells))
	for k, c := range cells {
		switch v := c.(type) {
		case nil, string:
			row[k] = v
		case int:
			row[k] = float64(v) // as JSON has numbers
		case float64:
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				row[k] = v
			}
		default:
			panic(fmt.Sprintf("experiment: a cell of type %T", c))
		}
	}
	t.Rows = append(t.Rows, row)
}

// Markdown is the table as a page has it.
func (t *Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	cells := make([]string, len(t.Columns))
	for k, c := range t.Columns {
		cells[k] = c.Name
	}
	line(cells)
	b.WriteString("|" + strings.Repeat("---|", len(t.Columns)) + "\n")
	for _, row := range t.Rows {
		for k, c := range t.Columns {
			cells[k] = c.cell(row[k])
		}
		line(cells)
	}
	return b.String()
}

// cell is a cell as a page has it.
func (c Column) cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case float64:
		if c.Format == "digits" {
			return Digits(v)
		}
		return fmt.Sprintf(c.Format, v)
	}
	return fmt.Sprint(v)
}
