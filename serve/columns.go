package serve

import (
	"slices"

	"pairrank/data"
	"pairrank/internal/jsonrows"
)

// columns are the columns of the table of the training that are neither features nor factors: rows of named
// features may have them, too.
type columns struct {
	id     string
	others map[string]bool // that say nothing about the score: label, query, group, fold, ignored ones
}

// columnsOf returns the columns of a schema, without those that are features; nil is that of rows without a table.
func columnsOf(s *data.Schema, features map[string]int) columns {
	c := columns{others: map[string]bool{}}
	if s == nil {
		return c
	}
	if _, feature := features[s.ID]; !feature {
		c.id = s.ID
	}
	for _, name := range append([]string{s.Label, s.Query, s.Group, s.Fold}, s.Ignored...) {
		if _, feature := features[name]; name != "" && !feature {
			c.others[name] = true
		}
	}
	return c
}

// takes reports whether a field is a column of the table that is no feature. It keeps the id of the row.
func (c columns) takes(b *builder, name string, value []byte) bool {
	if name == "" || name != c.id {
		return c.others[name]
	}
	switch {
	case value[0] == '"':
		b.id = jsonrows.Text(value)
	case string(value) != "null":
		b.id = string(value) // a number
	}
	return true
}

// endID keeps the id of the row that ends, "" where it has none, as soon as a row has one.
func (b *builder) endID() {
	if b.id == "" && b.ids == nil {
		return
	}
	for len(b.ids) < len(b.ptr)-2 {
		b.ids = append(b.ids, "")
	}
	b.ids, b.id = append(b.ids, b.id), ""
}

// takeIDs makes the ids of the rows those of the request, where every row has one and the request lists none.
func (b *builder) takeIDs(q *request) {
	if q.ids == nil && b.ids != nil && !slices.Contains(b.ids, "") {
		q.ids = b.ids
	}
}
