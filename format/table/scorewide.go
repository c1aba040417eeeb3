package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/doubt"
	"pairrank/internal/gaps"
)

// wideColumn is a column of a wide table that may hold the scores of a system, or of an item.
type wideColumn struct {
	k      int
	name   string
	number int32 // of the system or item
	line   int   // the first with a value, 0 before it
	left   bool  // it holds texts, and is left out
}

// rowRole is what names the lines of a wide table.
func (o *ScoreTableOptions) rowRole() scored {
	if o.Wide == wideItems {
		return systemColumn
	}
	return itemColumn
}

// headWide finds the columns of a wide table: one names the lines, where a name, or else the texts of the first line,
// say which.
func (r *scoreReader) headWide(f *finder) error {
	c, o, role := &r.columns, r.o, r.o.rowRole()
	known := [scoreRoles]columnNames{repeatColumn: scoreNames[repeatColumn]}
	known[role] = scoreNames[role]
	if err := f.byName(known[:], c.at[:]); err != nil {
		return err
	}
	if o.SystemFromFile && role == systemColumn {
		c.at[role] = -1
	} else if c.at[role] < 0 {
		is := func(f field) bool { return doubt.NamesRows(f.text) }
		if c.at[role] = slices.IndexFunc(f.first, is); c.at[role] < 0 && unnamed(f.first[0].text) {
			c.at[role] = 0
		}
	}
	for _, k := range append(c.clusters[:len(c.clusters):len(c.clusters)], c.at[role]) {
		if k >= 0 {
			f.taken[k] = true
		}
	}
	for k := range f.first {
		if f.taken[k] || unnamed(f.first[k].text) {
			continue
		}
		if err := f.head.alone(k); err != nil {
			return err
		}
		c.wide = append(c.wide, wideColumn{k: k, name: strings.Clone(f.first[k].text)})
	}
	return nil
}

// beginWide takes the first line of a wide table: a column of texts, if it is the only one, may name the lines.
func (r *scoreReader) beginWide(fields []field) error {
	c, role := &r.columns, r.o.rowRole()
	text := func(w wideColumn) bool {
		f := fields[w.k]
		_, is := r.score(f)
		return !is && !gaps.IsMissing(f.text)
	}
	if c.at[role] < 0 && (role == itemColumn || !r.o.SystemFromFile) {
		at := slices.IndexFunc(c.wide, text)
		if at < 0 || slices.ContainsFunc(c.wide[at+1:], text) {
			var names []string
			for _, w := range c.wide {
				names = append(names, quotedID(w.name))
			}
			err := r.fault(field{col: 1}, "no column names the %ss, which is called %s, or is the only one of texts: "+
				"the columns are %s", scoreNames[role].noun, scoreNames[role].noun, strings.Join(names, ", ")).(*data.SyntaxError)
			err.Err = ErrScoreColumns
			return err
		}
		c.at[role], c.row = c.wide[at].k, c.wide[at].name
		c.wide = slices.Delete(c.wide, at, at+1)
	}
	if c.names[role] == nil && c.at[role] >= 0 {
		c.names[role] = []int{c.at[role]}
	}
	for k := range c.wide {
		w := &c.wide[k]
		if w.left = text(*w); w.left {
			w.line = r.line
			continue
		}
		var err error
		if w.number, err = r.number(r.columnSide(), field{text: w.name, col: fields[w.k].col}, ""); err != nil {
			return err
		}
	}
	return nil
}

// columnSide are the names of what the columns of a wide table are.
func (r *scoreReader) columnSide() *side {
	if r.o.Wide == wideItems {
		return &r.items
	}
	return &r.systems
}

// takeCells takes the values of a line that is of a system or item.
func (r *scoreReader) takeCells(fields []field, row, repeat int32) error {
	for k := range r.columns.wide {
		w := &r.columns.wide[k]
		if f := fields[w.k]; !gaps.IsMissing(f.text) {
			if err := r.takeCell(w, f, row, repeat); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeCell takes the value of a column in a line that is of a system or item.
func (r *scoreReader) takeCell(w *wideColumn, f field, row, repeat int32) error {
	v, is := r.score(f)
	switch {
	case w.line == 0:
		w.line, w.left = r.line, !is
	case is && w.left:
		return r.fault(f, "a number in a column of texts, which is left out: line %d has one", w.line)
	case !is && !w.left:
		return r.fault(f, "the score is not a finite number")
	}
	switch {
	case w.left:
		return nil
	case r.o.Wide == wideItems:
		return r.add(row, w.number, repeat, v, f)
	}
	return r.add(w.number, row, repeat, v, f)
}

// endWide says what the columns of a wide table were.
func (r *scoreReader) endWide() {
	c, role := &r.columns, r.o.rowRole()
	if c.row != "" {
		r.say("%s %q", scoreNames[role].noun, c.row)
	}
	var scores, left []string
	for _, w := range c.wide {
		if w.left || w.line == 0 {
			left = append(left, quotedID(w.name))
			continue
		}
		scores = append(scores, quotedID(w.name))
		if doubt.NamesRows(w.name) || isSummary(w.name) {
			r.out.Doubts = append(r.out.Doubts, fmt.Sprintf("the column %q counts as one of the %s: leave it out of the file "+
				"if it is none", w.name, r.o.Wide))
		}
	}
	if len(scores) > 0 {
		r.say("%s %s", r.o.Wide, listed(len(scores), ", ", func(k int) string { return scores[k] }))
	}
	if len(left) > 0 {
		r.say("left out %s", listed(len(left), ", ", func(k int) string { return left[k] }))
	}
}

// isSummary reports whether a column is named like one of means over others.
func isSummary(name string) bool {
	return slices.Contains([]string{"average", "avg", "mean", "total", "sum", "overall", "rank", "params"}, plain(name))
}

// dropEmpty leaves out the systems, or items, of columns that turned out to hold no score.
func (t *ScoreTable) dropEmpty(wide string) {
	y := t.Y
	systems, items := make([]bool, y.Cols), make([]bool, y.Rows) // that stay
	for i := range y.Rows {
		items[i] = wide == wideSystems
		for s, v := range y.Row(i) {
			there := !math.IsNaN(v)
			items[i], systems[s] = items[i] || there, systems[s] || there || wide == wideItems
		}
	}
	if !slices.Contains(systems, false) && !slices.Contains(items, false) {
		return
	}
	var kept []float64
	for i := range y.Rows {
		for s, v := range y.Row(i) {
			if items[i] && systems[s] {
				kept = append(kept, v)
			}
		}
	}
	chosen := func(names []string, stay []bool) (all []string) {
		for k, name := range names {
			if stay[k] {
				all = append(all, name)
			}
		}
		return all
	}
	t.Systems, t.Items = chosen(t.Systems, systems), chosen(t.Items, items)
	t.Y = data.NewDense(len(t.Items), len(t.Systems), kept)
}
