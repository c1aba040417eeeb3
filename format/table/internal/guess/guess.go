// Package guess says what the columns of a table may be, by simple evidence: their names, how many values they have,
// whether equal values stand together, and what they have in common. Nothing is learnt by a guess: it is told, and a
// user takes it or not.
package guess

import (
	"fmt"
	"strings"
)

// Cell is what the text of a cell is.
type Cell int

// The kinds of cells.
const (
	Missing Cell = iota
	Number
	Truth
	Date
	Text
)

// Table is the first rows of a table.
type Table struct {
	Names []string
	Rows  [][]string
	// Bare says that the names are numbers of columns: a table without a header has no factors.
	Bare bool
	// Read says what a cell is, and which number.
	Read func(text string) (Cell, float64)
	// Roles are, for each column, the role that an option gives, and that a well-known name stands for; "" for none. They
	// are called as a check calls them.
	Roles func(names []string) (given, known []string)
	// Board says that boards of items are asked for, and not models of rows; Once that rows are read once, of which only
	// numbers, labels and queries are read. Turned says that an option turns the table.
	Board, Once, Turned bool
}

// Option is an option of a program that the guess gives a value; "" is that of a toggle.
type Option struct{ Name, Value string }

// Guess is what a table looks like.
type Guess struct {
	Verb    string   // train or leaderboard
	Says    []string // the columns with their roles, and the evidence
	Options []Option
	// Edges are the values of two columns of nodes, where the table has these and a column of values alone.
	Edges [2][]string
}

// say adds what is told of a column.
func (g *Guess) say(format string, args ...any) {
	g.Says = append(g.Says, fmt.Sprintf(format, args...))
}

// column gives an option a column, and tells why.
func (g *Guess) column(option, role string, c *column, why string) {
	g.Options = append(g.Options, Option{option, c.name})
	g.say("%s %s (%s)", role, c.name, why)
}

// Look guesses what a table is; nil where nothing can be said. It costs O(cells).
func Look(t *Table) *Guess {
	if t.Turned {
		t = t.turn()
	}
	s := sheetOf(t)
	if len(s.columns) < 2 || s.rows < 2 {
		return nil
	}
	for _, look := range []func() *Guess{s.comparisons, s.scores, s.wide} {
		if g := look(); g != nil {
			return g
		}
	}
	if t.Board {
		return nil
	}
	turned := s.turned()
	if turned == nil {
		return s.learnt()
	}
	g := turned.learnt()
	if g == nil || t.Once {
		return nil
	}
	g.Options = append([]Option{{"transpose", ""}}, g.Options...)
	g.Says = append([]string{"a column for each row (names, numbers below)"}, g.Says...)
	return g
}

// turn is the table with rows and columns exchanged, as --transpose does.
func (t *Table) turn() *Table {
	rows := make([][]string, len(t.Names))
	for _, line := range append([][]string{t.Names}, t.Rows...) {
		for i, cell := range line {
			rows[i] = append(rows[i], cell)
		}
	}
	turned := *t
	if turned.Names, turned.Rows = rows[0], rows[1:]; len(rows[0]) > 0 {
		turned.Names[0] = "" // above the names of the rows
	}
	return &turned
}

// turned is the table turned where its columns are rows: below a column of names most lines have numbers alone, none
// has numbers and texts, and a few have texts, below which all columns are mixed, or one has 0 and 1.
func (s *sheet) turned() *sheet {
	first := s.columns[0]
	if s.Turned || first.kind != text || len(first.values) < s.rows || len(s.columns) < 4 {
		return nil
	}
	t := sheetOf(s.turn())
	n := t.kinds()
	apart := s.kinds()[mixed] < len(s.columns)-1
	if n[mixed] == 0 && n[fraction] > 4*(n[text]+n[truth]) &&
		(n[text] > 0 && !apart || n[truth] == 1 && n[fraction] > 2*len(s.columns)) {
		return t
	}
	return nil
}

// kinds counts the columns but the first by their kinds: all numbers are fractions but 0 and 1, which are as truths,
// and what else is no number is text.
func (s *sheet) kinds() map[kind]int {
	n := map[kind]int{}
	for _, c := range s.columns[1:] {
		switch {
		case c.kind == whole && c.two():
			n[truth]++
		case c.numeric():
			n[fraction]++
		case c.kind == truth || c.kind == date:
			n[text]++
		default:
			n[c.kind]++
		}
	}
	return n
}

// list is a list for an option: names with a comma or quotes stand in quotes.
func list(columns []*column) string {
	items := make([]string, len(columns))
	for k, c := range columns {
		if items[k] = c.name; strings.ContainsAny(c.name, "\",\n") {
			items[k] = `"` + strings.ReplaceAll(c.name, `"`, `""`) + `"`
		}
	}
	return strings.Join(items, ",")
}
