package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/gaps"
)

// Column is what a column of a table holds.
type Column struct {
	Name     string
	Number   int    // from 1
	Role     string // feature, label, query, id, group, fold, factor or ignored
	Feature  int    // its number from 1; 0 where it is none, or has one for each level
	Type     string // whole, number, boolean, text, date, mixed or empty
	Missing  int    // rows without a value
	Faults   int    // values that are refused, but for missing ones
	Distinct int    // values; More says that there are more than so many
	More     bool
	Min, Max float64 // of the numbers; NaN where there are none
	Levels   []Level // the commonest texts, the most rows first; nil where there are More
}

// Level is a text of a column with the number of its rows.
type Level struct {
	Text string
	Rows int
}

// mostShown is how many levels a Column lists.
const mostShown = 5

// tally counts the values of a column.
type tally struct {
	missing, faults, wholes, fractions, truths, dates, texts int

	min, max float64
	values   map[float64]struct{}
	levels   map[string]*int // rows; a count in the map itself would keep the text of the line as its key
	more     bool
	most     int // values that are kept
}

// mostKept is how many values of a column are counted.
const mostKept = 1000

// newTallies returns the tallies of n columns, which together keep a bounded number of values.
func newTallies(n int) []tally {
	const all, least = 1 << 20, 20
	of := make([]tally, n)
	for k := range of {
		of[k] = tally{min: math.Inf(1), max: math.Inf(-1), most: min(mostKept, max(least, all/n))}
	}
	return of
}

// number counts a number, and NaN as a missing value.
func (t *tally) number(x float64) {
	switch {
	case x != x:
		t.missing++
		return
	case x == math.Trunc(x):
		t.wholes++
	default:
		t.fractions++
	}
	t.min, t.max = min(t.min, x), max(t.max, x)
	if t.more {
		return
	}
	if t.values == nil {
		t.values = map[float64]struct{}{}
	}
	if t.values[x] = struct{}{}; len(t.values) > t.most {
		t.more, t.values = true, nil
	}
}

// text counts a text of a cell, which is the number x or none.
func (t *tally) text(text string, x float64, number bool) {
	switch {
	case number:
		t.number(x)
		return
	case gaps.IsMissing(text):
		t.missing++
		return
	}
	switch _, truth := truth(text); {
	case truth:
		t.truths++
	case isDate(text) || isTime(text):
		t.dates++
	default:
		t.texts++
	}
	t.level(text)
}

func (t *tally) level(text string) {
	if t.more {
		return
	}
	if rows := t.levels[text]; rows != nil {
		*rows++
		return
	}
	if t.levels == nil {
		t.levels = map[string]*int{}
	}
	if t.levels[strings.Clone(text)] = new(1); len(t.levels) > t.most {
		t.more, t.levels = true, nil
	}
}

// typed is the type of the values.
func (t *tally) typed() string {
	kinds := []struct {
		name string
		rows int
	}{{"whole", t.wholes}, {"number", t.fractions}, {"boolean", t.truths}, {"date", t.dates}, {"text", t.texts}}
	found := ""
	for _, k := range kinds {
		switch {
		case k.rows == 0:
		case found == "" || found == "whole" && k.name == "number" || found == "date" && k.name == "text":
			found = k.name
		default:
			return "mixed"
		}
	}
	return cmp.Or(found, "empty")
}

// column describes the values.
func (t *tally) column() Column {
	c := Column{Type: t.typed(), Missing: t.missing, Faults: t.faults, Distinct: len(t.values) + len(t.levels),
		More: t.more, Min: t.min, Max: t.max}
	if t.more {
		c.Distinct = t.most
	}
	if t.wholes+t.fractions == 0 {
		c.Min, c.Max = math.NaN(), math.NaN()
	}
	for text, rows := range t.levels {
		c.Levels = append(c.Levels, Level{text, *rows})
	}
	slices.SortFunc(c.Levels, func(a, b Level) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), strings.Compare(a.Text, b.Text))
	})
	c.Levels = c.Levels[:min(len(c.Levels), mostShown)]
	return c
}

// columnsOf returns the columns of a set: of its names and labels, then of its features. NaN counts as
// missing. It costs O(m·n) for m rows of n features.
func columnsOf(s *data.Set) []Column {
	m, n := s.X.Dims()
	schema := s.Schema
	if schema == nil {
		schema = &data.Schema{}
	}
	var all []Column
	add := func(role, name string, t *tally) {
		c := t.column()
		c.Role, c.Name, c.Number = role, name, len(all)+1
		all = append(all, c)
	}
	for _, r := range named {
		cells, is := roleTable[r].Values(s)
		column := *roleTable[r].column(schema)
		if !is || roleTable[r].apart || r == label && column == "" {
			continue
		}
		t := &newTallies(1)[0]
		for i := range m {
			if cells.Text != nil {
				text := cells.Text(i)
				x, ok := parseNumber(text)
				t.text(text, x, ok)
			} else {
				t.number(cells.Numbers[i])
			}
		}
		add(r.noun(), cmp.Or(column, cells.Name), t)
	}
	features := newTallies(n)
	zeros := make([]int, n)
	for i := range m {
		data.Each(s.X, i, func(j int, x float64) { features[j].number(x); zeros[j]++ })
	}
	for j := range features {
		name := ""
		if s.Names != nil {
			name = s.Names[j]
		}
		t := &features[j]
		for k := zeros[j]; k < m; k++ { // values that a sparse matrix leaves out
			t.number(0)
		}
		add(feature.noun(), name, t)
		all[len(all)-1].Feature = j + 1
	}
	return all
}
