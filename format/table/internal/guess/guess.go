// Package guess says what the columns of a table may be, by simple evidence: their names, how many values they have,
// whether equal values stand together, and what they have in common. Nothing is learnt by a guess: it is told, and a user
// takes it or not.
package guess

import (
	"fmt"
	"slices"
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
	// are called label, query, id, group, fold, time, event, weight, factor and ignored.
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
		t.turn()
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
	if t.Turned || !s.lies() {
		return s.learnt()
	}
	t.turn()
	g := sheetOf(t).learnt()
	if g == nil || t.Once {
		return nil
	}
	g.Options = append([]Option{{"transpose", ""}}, g.Options...)
	g.Says = append([]string{"a column for each row (names, numbers below)"}, g.Says...)
	return g
}

// turn exchanges rows and columns, as --transpose does.
func (t *Table) turn() {
	all := append([][]string{t.Names}, t.Rows...)
	names := make([]string, len(all))
	rows := make([][]string, max(len(t.Names)-1, 0))
	for k, line := range all {
		names[k] = line[0]
		for i := range rows {
			rows[i] = append(rows[i], line[i+1])
		}
	}
	names[0] = "" // above the names of the rows
	for i := range rows {
		rows[i][0] = t.Names[i+1]
	}
	t.Names, t.Rows = names, rows
}

// lies reports whether the columns of the table are rows: below a column of names most lines have numbers alone, and a
// few have two texts, or 0 and 1 among other numbers.
func (s *sheet) lies() bool {
	first := s.columns[0]
	if first.kind != text || len(first.values) < s.rows || len(s.columns) < 4 {
		return false
	}
	texts, two, numbers := 0, 0, 0
	for i := range s.rows {
		values := map[string]bool{}
		words, cells := 0, 0
		for _, c := range s.columns[1:] {
			if v := c.of[i]; v >= 0 {
				cells++
				if values[c.values[v]] = true; !c.number(int(v)) {
					words++
				}
			}
		}
		switch {
		case cells > 0 && words == cells:
			texts++
		case words > 0:
			return false
		case len(values) == 2 && values["0"] && values["1"]:
			two++
		default:
			numbers++
		}
	}
	mixed := slices.ContainsFunc(s.columns[1:], func(c *column) bool { return c.kind != mixed })
	return numbers > 4*(texts+two) && (texts > 0 && !mixed || two == 1 && numbers > 2*len(s.columns))
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
