package guess

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pairrank/internal/doubt"
)

// kind is what the cells of a column are.
type kind int

const (
	empty kind = iota
	whole
	fraction
	truth
	date
	text
	mixed // numbers and texts
)

// column is the evidence about a column.
type column struct {
	name         string
	at           int
	last         bool
	given, known string // roles, by an option and by a well-known name
	kind         kind
	of           []int32   // the value of each row, −1 for a missing one
	values       []string  // in the order in which they appear
	numbers      []float64 // of the values, NaN for texts
	rows         []int     // of the values
	missing      int
	runs         int  // of equal values one below the other
	rises        bool // by 1 from row to row: numbers of rows
	least, most  float64
}

// sheet is the evidence about a table.
type sheet struct {
	*Table
	columns []*column
	rows    int
}

func sheetOf(t *Table) *sheet {
	s := &sheet{Table: t, rows: len(t.Rows)}
	given, known := t.Roles(t.Names)
	twice := map[string]int{}
	for _, name := range t.Names {
		twice[name]++
	}
	for k, name := range t.Names {
		c := &column{name: name, at: k, last: k == len(t.Names)-1, given: given[k], known: known[k], rises: true,
			least: math.Inf(1), most: math.Inf(-1)}
		c.read(t)
		if none := strings.TrimSpace(name) == ""; none && k == 0 && c.distinct() { // as the reader takes it
			c.known = "id"
		} else if none || twice[name] > 1 {
			c.name = strconv.Itoa(k + 1)
		}
		s.columns = append(s.columns, c)
	}
	return s
}

// read takes the cells of the column.
func (c *column) read(t *Table) {
	number := map[string]int32{}
	var cells [Text + 1]int
	whole, last := true, int32(-2)
	for _, row := range t.Rows {
		v, known := number[row[c.at]]
		if !known {
			is, x := t.Read(row[c.at])
			if v = -1; is != Missing {
				v = int32(len(c.values))
				c.values, c.rows = append(c.values, row[c.at]), append(c.rows, 0)
				if is != Number {
					x = math.NaN()
				}
				c.rises = c.rises && x == math.Trunc(x) && x > c.most
				c.numbers, whole = append(c.numbers, x), whole && (x == math.Trunc(x) || x != x)
				if x == x {
					c.least, c.most = min(c.least, x), max(c.most, x)
				}
				cells[is]++
			}
			number[row[c.at]] = v
		} else {
			c.rises = false
		}
		if c.of = append(c.of, v); v >= 0 {
			c.rows[v]++
		} else {
			c.missing++
		}
		if v != last {
			c.runs, last = c.runs+1, v
		}
	}
	c.settle(cells, whole)
}

// settle says of which kind the column is, by its values.
func (c *column) settle(cells [Text + 1]int, isWhole bool) {
	const least = 5
	n := len(c.values)
	c.rises = c.rises && n >= least && c.most-c.least == float64(n-1)
	switch {
	case n == 0:
		c.kind = empty
	case cells[Number] == n && isWhole:
		c.kind = whole
	case cells[Number] == n:
		c.kind = fraction
	case cells[Truth] == n:
		c.kind = truth
	case cells[Date] == n:
		c.kind = date
	case cells[Number] > 0:
		c.kind = mixed
	default:
		c.kind = text
	}
}

func (c *column) numeric() bool  { return c.kind == whole || c.kind == fraction }
func (c *column) distinct() bool { return c.missing == 0 && len(c.values) == len(c.of) }

// repeats reports whether values come again often enough to be of queries or of subjects.
func (c *column) repeats() bool {
	return c.missing == 0 && len(c.values) > 1 && 2*len(c.values) <= len(c.of)+1
}

// blocks reports whether equal values stand together.
func (c *column) blocks() bool { return c.runs == len(c.values) }

// two reports whether the values are two: 0 and 1, truth values, or texts.
func (c *column) two() bool {
	return len(c.values) == 2 && (c.kind == text || c.kind == truth || c.kind == whole && c.least == 0 && c.most == 1)
}

// among reports whether a word of the name, in small letters, is one of words.
func (c *column) among(words string) bool {
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	name := strings.FieldsFunc(doubt.PlainName(c.name), apart)
	known := strings.Fields(words)
	return slices.ContainsFunc(name, func(word string) bool {
		return slices.Contains(known, word) || slices.Contains(known, strings.TrimSuffix(word, "s"))
	})
}

// called is among for words.
func called(words string) evidence { return func(c *column) bool { return c.among(words) } }

// sizes says how many values a column has, and how many rows each.
func (c *column) sizes() string {
	least, most := slices.Min(c.rows), slices.Max(c.rows)
	rows := fmt.Sprintf("%d", least)
	if most > least {
		rows = fmt.Sprintf("%d to %d", least, most)
	}
	if rows += " rows"; most == 1 {
		rows = "1 row"
	}
	if c.blocks() {
		rows += ", in blocks"
	}
	return fmt.Sprintf("%d values × %s", len(c.values), rows)
}

// holds says what the values are.
func (c *column) holds() string {
	switch n := len(c.values); {
	case c.kind == date:
		return "dates"
	case c.two() && c.kind == whole:
		return "0/1"
	case c.two():
		return c.values[0] + " or " + c.values[1]
	case c.numeric():
		return fmt.Sprintf("%d numbers, %.4g to %.4g", n, c.least, c.most)
	case c.kind == mixed:
		return fmt.Sprintf("%d numbers and texts", n)
	default:
		return fmt.Sprintf("%d texts", n)
	}
}
